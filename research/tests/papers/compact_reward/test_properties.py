"""The compact reward against its definition; its two trainings, its models, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from metrologue_research.compact_reward import CompactReward
from metrologue_research.compact_reward.examples import captions_against_damaged, read_captions
from metrologue_research.compact_reward.network import Reward
from metrologue_research.compact_reward.training import RewardTrainer
from papers.compact_reward.plain import rewards
from papers.compact_reward.small import reward_arrays
from small_encoder import Letters
from small_trained import trained

import metrologue
from metrologue import InputError
from metrologue.cli import main
from metrologue.learned import NgramEncoder, open_model, train

WORDS = {"a": 2, "cat": 3, "dog": 4, "sat": 5, "the": 6}


def random_model() -> Any:
    """A model with random weights."""
    draws = np.random.default_rng(0)
    network = Reward(reward_arrays(7, lambda shape: draws.normal(size=shape) / 2), tuple(WORDS))
    return replace(trained("compact_reward"), network=network)


QUICK = RewardTrainer(hidden=(8,), embedded=4, epochs=2, batch=32, least_count=1)


def images(count: int) -> list[list[str]]:
    """Captions with an order that can be learned: who does what where."""
    draws, found = np.random.default_rng(0), []
    parts = (
        ["a dog", "a cat", "the bird", "a child"],
        ["runs", "sits", "sleeps"],
        ["on grass", "in snow", "by a tree"],
    )
    for _ in range(count):
        own = [str(draws.choice(each)) for each in parts]
        found.append([" ".join(own) + " .", f"{own[0]} {own[1]} outside ."])
    return found


@pytest.mark.filterwarnings("ignore:CompactReward. ")
@given(texts=st.lists(st.lists(st.sampled_from(["a", "cat", "the", "x"]), max_size=4), min_size=1, max_size=3))
def test_definition(texts: list[list[str]]) -> None:
    model = random_model()
    arrays = {name: each.astype(float).tolist() for name, each in model.network.arrays.items()}
    references = [["a cat", "dog"][: 1 + row % 2] for row in range(len(texts))]
    expected = []
    for words, own in zip(texts, references, strict=True):
        context = Letters().encode_texts(own).astype(float).mean(axis=0).tolist()
        found = rewards(arrays, [*(WORDS.get(word, 1) for word in words), 0], context)
        expected.append(found if words else [0.0])
    given_texts = [*map(" ".join, texts)]
    means, sums = [np.mean(each) for each in expected], [np.sum(each) for each in expected]
    assert CompactReward(model=model).segments(given_texts, references) == pytest.approx(means, rel=1e-9, abs=1e-9)
    summed = CompactReward(model=model, over_words="sum", scale=2.0)
    assert summed.segments(given_texts, references) == pytest.approx([2 * each for each in sums], rel=1e-9, abs=1e-9)
    assert summed.corpus(given_texts, references).value == pytest.approx(2 * np.mean(sums), rel=1e-9, abs=1e-9)


def test_a_text_without_words_has_the_score_0() -> None:
    assert CompactReward(model=random_model()).segments([""], ["a dog"])[0] == 0.0


def test_captions_and_what_stands_against_them(tmp_path: Path) -> None:
    found = captions_against_damaged([["a b c", "a b d"], ["x y z", "x y w"]])
    assert found.labels
    assert found.predictions[0] == "a b c"
    assert found.references[0] == ("a b d",)
    assert found.targets.sum() == 4
    for text, own, target, group in zip(
        found.predictions, found.references, found.targets, found.groups or (), strict=True
    ):
        assert (text in own) is False
        assert {each.split()[0] for each in own} == ({"a"} if group == "0" else {"x"})
        assert target == 0.0 or text.split()[0] == own[0].split()[0]
    path = tmp_path / "images.jsonl"
    path.write_text(
        '{"references": ["a b c", "a b d"], "group": "p"}\n{"captions": ["x y", "x z"], "group": "q"}', "utf-8"
    )
    assert {*(read_captions(path).groups or ())} == {"p", "q"}
    path.write_text('{"references": ["a b c"]}', "utf-8")
    with pytest.raises(InputError, match=r":1: 1 'references'; two captions or more are expected"):
        read_captions(path)
    with pytest.raises(InputError, match="1 images; captions of two or more are expected"):
        captions_against_damaged([["a b", "c d"]])


def test_the_forward_pass_is_that_of_torch(torch: Any) -> None:
    """The rewards of padded captions, as the training computes them."""
    network: Any = random_model().network
    own = {name: torch.from_numpy(each).double() for name, each in network.arrays.items()}
    gru = torch.nn.GRU(4, 6, batch_first=True).double()
    ids, context = network.ids("the cat sat x"), np.random.default_rng(1).normal(size=24)
    found = network.rewards("the cat sat x", context)
    states = {}
    for part in ("policy", "reward"):
        gru.load_state_dict({name: own[f"{part}.gru.{name}"] for name in gru.state_dict()})
        start = torch.tanh(own[f"{part}.start.weight"] @ torch.from_numpy(context) + own[f"{part}.start.bias"])
        later, _ = gru(own[f"{part}.embed.weight"][torch.from_numpy(ids[:-1])][None], start[None, None])
        states[part] = torch.cat([start[None], later[0]])
    logits = states["policy"] @ own["policy.out.weight"].T + own["policy.out.bias"]
    expected = torch.log_softmax(logits, 1)[torch.arange(len(ids)), torch.from_numpy(ids)]
    np.testing.assert_allclose(found.expected, expected.detach().numpy(), rtol=1e-9)
    gains = (states["reward"] @ own["reward.out.weight"].T + own["reward.out.bias"])[torch.arange(len(ids)), ids]
    np.testing.assert_allclose(found.gain, gains.detach().numpy(), rtol=1e-9)
    values = (states["reward"] @ own["reward.value.weight"].T)[:, 0] + own["reward.value.bias"]
    values = torch.cat([values, torch.zeros(1).double()])
    np.testing.assert_allclose(found.shaping, (values[1:] - values[:-1]).detach().numpy(), rtol=1e-9)


@pytest.mark.parametrize("shaped", [True, False])
def test_32_rows_can_be_overfitted(shaped: bool, torch: Any) -> None:
    """The loss of the training is the one of the scores, and people's captions get a reward above 0."""
    examples = captions_against_damaged(images(8)).take(range(32))
    trainer = RewardTrainer(
        hidden=(32,), embedded=16, epochs=60, rate=1e-2, batch=64, share=0.0, least_count=1, shaped=shaped
    )
    torch.manual_seed(9)
    before = torch.random.get_rng_state()
    model = train("compact_reward", examples, encoders=[NgramEncoder(32)], trainer=trainer, measure=False)
    assert torch.equal(before, torch.random.get_rng_state())
    found = CompactReward(model=model).segments([*examples.predictions], [[*each] for each in examples.references])
    assert ((found > 0) == (examples.targets == 1)).mean() > 0.9
    assert ("reward.value.weight" in model.network.tensors()) is shaped


def test_people_are_rewarded_on_images_that_were_held_out(torch: Any) -> None:
    trainer = RewardTrainer(hidden=(24,), embedded=12, epochs=12, rate=1e-2, batch=64, share=0.0)
    examples = captions_against_damaged(images(50))
    test = captions_against_damaged([[f"{each} now" for each in own] for own in images(90)[70:]], seed=1)
    model = train("compact_reward", examples, encoders=[NgramEncoder(32)], trainer=trainer, test=test)
    found = model.report["held_out"]
    assert found["compared"]["auc"]["learned"]["mean"] > 0.55
    assert found["leaks"]["test"]["rows"] == 0


@pytest.mark.parametrize("stage", ["training-policy", "training"])
def test_a_training_that_was_ended_goes_on(stage: str, torch: Any, tmp_path: Path, ended_when: Any) -> None:
    data, test, out, whole = (tmp_path / name for name in ("data", "test", "model", "whole"))
    for path, own in ((data, images(12)), (test, [["one two", "one three"], ["four five", "four six"]])):
        path.write_text("".join(json.dumps({"references": each}) + "\n" for each in own), "utf-8")
    options = ["train", "compact_reward", "--data", str(data), "--encoder", "ngrams-16@2", "--epochs", "2"]
    options += ["--hidden", "6", "--test", str(test)]
    told = CliRunner().invoke(main, [*options, "--out", str(whole)])
    assert told.exit_code == 0, told.output
    with ended_when(lambda run, path: run.epoch == 1 and path.stem == stage):
        CliRunner().invoke(main, [*options, "--out", str(out)])
    assert (out / f"{stage}.safetensors").exists()
    again = CliRunner().invoke(main, [*options, "--out", str(out), "--resume"])
    assert again.exit_code == 0, again.output
    assert open_model(out).name == open_model(whole).name
    assert sorted(each.name for each in out.iterdir()) == ["README.md", "model.json", "model.safetensors"]


def test_what_is_refused(torch: Any) -> None:
    examples = captions_against_damaged(images(6))
    with pytest.raises(InputError, match="all 2 labels are 1"):
        train("compact_reward", examples.take(np.flatnonzero(examples.targets == 1)[:2]), encoders=[NgramEncoder(8)])
    with pytest.raises(InputError, match="compact_reward has a RewardTrainer"):
        train("compact_reward", examples, encoders=[NgramEncoder(8)], trainer=metrologue.learned.Ridge())
    with pytest.raises(InputError, match=r"rows for the test are in the training data too"):
        train("compact_reward", examples, encoders=[NgramEncoder(8)], test=examples.take(range(6)), trainer=QUICK)


def test_arrays_that_do_not_fit() -> None:
    network: Any = random_model().network
    own = dict(network.arrays)
    with pytest.raises(InputError, match=r"there is no array 'policy.embed.weight'"):
        Reward({name: each for name, each in own.items() if name != "policy.embed.weight"}, network.words)
    with pytest.raises(InputError, match=r"the shape of 'policy.embed.weight' is .*does not fit the others"):
        Reward(own, (*network.words, "more"))
    with pytest.raises(InputError, match=r"'reward.out.bias' has a number that is not finite"):
        Reward({**own, "reward.out.bias": np.full(7, np.nan, np.float32)}, network.words)


def test_trace() -> None:
    scorer = CompactReward(model=random_model())
    trace = metrologue.trace(scorer, "the ox sat", ["the cat"])
    [table] = trace.blocks
    assert [row.cells[0] for row in table.rows] == ["the", "ox", "sat", "(end)"]
    whole = [row.cells[1] + row.cells[2] - row.cells[3] for row in table.rows]
    assert [row.cells[4] for row in table.rows] == pytest.approx(whole)
    assert trace.value == pytest.approx(np.mean(whole))
    assert "1 of 3 words are unknown" in (table.caption or "")

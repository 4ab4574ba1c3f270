"""Perception Score against its definition; its training, its models, and what is refused."""

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
from metrologue_research.perception_score import PerceptionScore
from metrologue_research.perception_score.examples import against_damaged, read_texts
from metrologue_research.perception_score.network import Perception
from metrologue_research.perception_score.training import PerceptionTrainer, diffused
from papers.perception_score.plain import score, spread, target
from small_encoder import Letters
from small_trained import trained

import metrologue
from metrologue import InputError
from metrologue.cli import main
from metrologue.learned import Network, NgramEncoder, open_model, sample_model, train

QUICK = PerceptionTrainer(hidden=(8,), epochs=3, rounds=2, batch=16)
SENTENCES = [f"{who} {does} the {what} ." for who in ("he", "she", "it") for does in ("saw", "has", "left") for what in
             ("cat", "old dog", "red house", "long road")]  # fmt: skip


def network(seed: int = 0) -> Perception:
    draws = np.random.default_rng(seed)
    shapes = [(5, 24), (4, 5), (1, 4)]
    layers = [(draws.normal(size=shape) / 4, draws.normal(size=shape[0])) for shape in shapes]
    return Perception(Network(np.zeros(24), np.ones(24), layers), dropout=0.4, passes=7)


@pytest.mark.filterwarnings("ignore:PerceptionScore. ")
@given(texts=st.lists(st.lists(st.sampled_from(["a", "b", "abc", "e"]), max_size=5), min_size=1, max_size=4))
def test_definition(texts: list[list[str]]) -> None:
    own = network()
    model = replace(trained("perception_score"), network=own)
    layers = [(weights.tolist(), biases.tolist()) for weights, biases in own.layers.layers]
    draws = np.random.default_rng(12345)
    runs = [[(draws.random(size) >= 0.4).tolist() for size in (5, 4)] for _ in range(7)]
    vectors = [Letters().encode_texts([" ".join(words)])[0].tolist() for words in texts]
    expected = [score(each, layers) if words else 0.0 for each, words in zip(vectors, texts, strict=True)]
    spreads = [spread(each, layers, runs, 0.4) if words else 0.0 for each, words in zip(vectors, texts, strict=True)]
    found = PerceptionScore(model=model).segment_scores([*map(" ".join, texts)])
    assert found["perception_score"] == pytest.approx(expected, rel=1e-9)
    assert found["spread"] == pytest.approx(spreads, abs=1e-9)
    corpus = PerceptionScore(model=model, scale=100.0).corpus([*map(" ".join, texts)]).scores
    assert corpus["perception_score"] == pytest.approx(100 * np.mean(expected), rel=1e-9)
    assert corpus["spread"] == pytest.approx(np.mean(spreads), abs=1e-9)


def test_a_text_without_words_has_the_score_0() -> None:
    assert PerceptionScore(model=trained("perception_score")).segments([" "])[0] == 0.0


def test_targets_are_diffused() -> None:
    draws = np.random.default_rng(3)
    vectors, labels, scores = draws.normal(size=(40, 6)), (np.arange(40) % 3 == 0) * 1.0, draws.random(40)
    trainer = PerceptionTrainer(neighbours=4, diffusion=0.7)
    people, own = vectors[labels == 1].tolist(), scores[labels == 1].tolist()
    expected = [target(each.tolist(), people, own, 4, 0.7) for each in vectors]
    assert diffused(vectors, labels, scores, trainer) == pytest.approx(expected, rel=1e-9)


def test_damaged_texts_are_of_the_group_of_their_own() -> None:
    found = against_damaged(["a b c d", "e", "f g h i", ""])
    assert found.predictions[:4] == ("a b c d", "e", "f g h i", "")
    assert found.labels
    assert found.targets[:4].tolist() == [1.0] * 4
    assert set(found.targets[4:].tolist()) == {0.0}
    assert {*found.references[4:]} <= {("a b c d",), ("e",), ("f g h i",)}
    assert all(text != own for text, [own] in zip(found.predictions[4:], found.references[4:], strict=True))


def test_the_forward_pass_is_that_of_torch(torch: Any) -> None:
    own = network(4)
    module = torch.nn.Sequential(
        torch.nn.Linear(24, 5), torch.nn.ReLU(), torch.nn.Linear(5, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1),
        torch.nn.Sigmoid(),
    ).double()  # fmt: skip
    for part, (weights, biases) in zip(module[::2], own.layers.layers, strict=False):
        part.weight.data, part.bias.data = torch.from_numpy(weights), torch.from_numpy(biases)
    x = np.random.default_rng(1).normal(size=(9, 24))
    np.testing.assert_allclose(own(x)[0], module(torch.from_numpy(x)).detach().numpy()[:, 0], rtol=1e-12)


def test_32_rows_can_be_overfitted(torch: Any) -> None:
    draws = np.random.default_rng(2)
    x, labels = draws.normal(size=(32, 12)), (draws.random(32) > 0.5) * 1.0
    steps = PerceptionTrainer(
        hidden=(64,), epochs=150, share=0.0, dropout=0.0, decay=0.0, batch=32, rate=3e-3, rounds=0
    )
    found, spreads = steps.fit(x, labels)(x)
    assert np.abs(found - np.where(labels == 1, 0.95, 0.05)).max() < 0.05
    assert spreads.max() < 1e-12


def test_the_smaller_class_weighs_as_much(torch: Any) -> None:
    """Without features to tell them apart, the score is 1/2, though one text in ten is of people."""
    labels = (np.arange(400) % 10 == 0) * 1.0
    steps = PerceptionTrainer(hidden=(4,), epochs=10, rounds=0, smoothing=0.0, batch=400, rate=0.05, share=0.0)
    found, _ = steps.fit(np.random.default_rng(0).normal(size=(400, 2)) * 1e-9 + 1, labels)(np.ones((1, 2)))
    assert found[0] == pytest.approx(0.5, abs=0.1)


def test_diffusion_raises_what_is_like_texts_of_people(torch: Any) -> None:
    draws = np.random.default_rng(5)
    labels = np.repeat([1.0, 0.0, 0.0], 60)
    centres = np.repeat([[4.0, 0.0], [4.0, 1.5], [-4.0, 0.0]], 60, axis=0)
    x = centres + 0.3 * draws.normal(size=(180, 2))
    steps = PerceptionTrainer(hidden=(16,), epochs=60, share=0.0, batch=180, rate=0.02)
    before, after = (replace(steps, rounds=rounds).fit(x, labels)(x)[0] for rounds in (0, 2))
    near, far = slice(60, 120), slice(120, 180)
    assert after[near].mean() - before[near].mean() > 0.1
    assert abs(after[far].mean() - before[far].mean()) < 0.1


def test_originals_are_told_from_damaged_texts(torch: Any) -> None:
    examples = against_damaged(SENTENCES)
    steps = PerceptionTrainer(hidden=(32,), epochs=25, batch=32, rounds=1)
    model = train("perception_score", examples, encoders=[NgramEncoder(64)], trainer=steps)
    found = model.report["held_out"]
    assert found["compared"]["auc"]["learned"]["mean"] > 0.6
    assert all(each["references"] == each["rows"] == 0 for each in found["leaks"].values())
    assert {*found["rivals"].values()} <= {"number of words", "share of distinct words", "length of words"}


@pytest.mark.parametrize("stage", [0, 2])
def test_a_training_that_was_ended_goes_on(stage: int, torch: Any, tmp_path: Path, ended_when: Any) -> None:
    """Each of the trainings has a file, and those that are done are not run again."""
    data, out, whole = tmp_path / "texts.jsonl", tmp_path / "model", tmp_path / "whole"
    data.write_text("".join(json.dumps({"text": each}) + "\n" for each in SENTENCES), "utf-8")
    options = ["train", "perception_score", "--data", str(data), "--encoder", "ngrams-16@2", "--epochs", "2"]
    options += ["--hidden", "4", "--test", str(_tested(tmp_path))]
    told = CliRunner().invoke(main, [*options, "--out", str(whole)])
    assert told.exit_code == 0, told.output
    with ended_when(
        lambda run, path: run.epoch == 1 and path.stem == ("training" if stage == 0 else f"training-{stage}")
    ):
        CliRunner().invoke(main, [*options, "--out", str(out)])
    assert len([*out.glob("*.safetensors")]) == stage + 1
    assert "--resume goes on with it" in CliRunner().invoke(main, [*options, "--out", str(out)]).output
    again = CliRunner().invoke(main, [*options, "--out", str(out), "--resume"])
    assert again.exit_code == 0, again.output
    assert open_model(out).name == open_model(whole).name
    assert sorted(each.name for each in out.iterdir()) == ["README.md", "model.json", "model.safetensors"]


def _tested(folder: Path) -> Path:
    lines = [{"text": f"{kind} of {row}", "label": row % 2} for kind in ("one", "two") for row in range(4)]
    path = folder / "test.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    return path


def test_texts_are_read(tmp_path: Path) -> None:
    assert read_texts(_tested(tmp_path)).targets.tolist() == [0, 1] * 4
    path = tmp_path / "texts.jsonl"
    for lines, message in (
        ("", "the file is empty"),
        ('{"text": "a b", "label": 1}\n{"text": "c d"}', r":2: no 'label', but other lines have one"),
        ('{"text": "a b", "label": 3}', r":1: 'label' is 3; 0 or 1 is expected"),
        ('{"words": "a b"}', "prediction"),
    ):
        path.write_text(lines, "utf-8")
        with pytest.raises(InputError, match=message):
            read_texts(path)
    path.write_text('{"text": "a b", "group": "x"}\n{"prediction": "c d e", "group": "y"}', "utf-8")
    assert (read_texts(path).groups or ())[:3] == ("x", "y", "x")


def test_what_is_refused(torch: Any) -> None:
    examples = against_damaged(SENTENCES)
    with pytest.raises(InputError, match="all 3 labels are 1"):
        train("perception_score", examples.take([0, 1, 2]), encoders=[NgramEncoder(8)])
    with pytest.raises(InputError, match=r"perception_score reads sentence vectors"):
        train("perception_score", examples)
    with pytest.raises(InputError, match="perception_score has a PerceptionTrainer"):
        train("perception_score", examples, encoders=[NgramEncoder(8)], trainer=metrologue.learned.Ridge())
    with pytest.raises(InputError, match=r"of 60 rows for the test are in the training data too"):
        train("perception_score", examples, encoders=[NgramEncoder(8)], test=examples.take(range(60)), trainer=QUICK)
    with pytest.raises(InputError, match="one number is expected"):
        Perception(Network(np.zeros(1), np.ones(1), [(np.ones((2, 1)), np.zeros(2))]))


def test_the_sample_is_what_training_gives(torch: Any) -> None:
    model, found = sample_model("perception_score"), sample_model("perception_score").report["held_out"]
    assert found["beats_rival"] in (True, False)
    assert model.network.tensors()["layers.0.weights"].shape == (16, 64)


def test_trace() -> None:
    scorer = PerceptionScore(model=trained("perception_score"))
    [table] = metrologue.trace(scorer, "the ox").blocks
    whole, first, second = (scorer.segments([text])[0] for text in ("the ox", "ox", "the"))
    assert [row.cells[0] for row in table.rows] == ["the", "ox"]
    assert [row.cells[3] for row in table.rows] == pytest.approx([whole - first, whole - second])

"""ESIM against its definition and torch; its training, its models, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from metrologue_research.esim import Esim
from metrologue_research.esim.network import EsimNetwork, kept_tokens, shapes_of
from metrologue_research.esim.training import Matching, module_of
from papers.esim.plain import esim
from small_encoder import Letters, make_encoder
from small_trained import BETTER
from strategies import TokenCorpus, corpora_of, spelled

import metrologue
from metrologue import InputError
from metrologue.cli import main
from metrologue.learned import (
    Examples,
    Features,
    Ridge,
    TrainedModel,
    open_model,
    read_examples,
    sample_model,
    save_model,
    train,
)
from metrologue.learned.features import Tokens
from metrologue.learned.store import SAMPLE

token_corpora = corpora_of(st.lists(st.sampled_from(["a", "b", "ab", "abc", "-bcd", "e"]), max_size=6))
WIDTHS = (3, 4, 2, 9)


def drawn_network(seed: int = 2, kind: Any = np.float64, most: int = 100) -> EsimNetwork:
    draws = np.random.default_rng(seed)
    arrays = {name: draws.normal(size=shape).astype(kind) / 2 for name, shape in shapes_of(24, WIDTHS).items()}
    return EsimNetwork(arrays, 0, most)


def drawn_model(**settings: Any) -> TrainedModel:
    return TrainedModel("esim", Features((Tokens.of(Letters()),)), drawn_network(**settings), BETTER)


def rows_of(words: list[str]) -> list[list[float]]:
    found: list[list[float]] = Letters().encode_tokens([" ".join(words)], (0,)).vectors[0].tolist()
    return found or [[0.0] * 24]


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    model = drawn_model()
    weights = {name: each.tolist() for name, each in model.network.tensors().items()}
    expected = [
        esim(rows_of(words), [*map(rows_of, own)], weights) for words, own in zip(corpus[0], corpus[1], strict=True)
    ]
    found = Esim(model=model).segments(*spelled(corpus))
    assert found == pytest.approx(expected, rel=1e-10, abs=1e-10)
    assert Esim(model=model).corpus(*spelled(corpus)).value == pytest.approx(np.mean(expected), rel=1e-10, abs=1e-10)


def test_the_forward_pass_is_that_of_torch(torch: Any) -> None:
    """Written again with torch's own LSTM, in double precision; and the module that is trained, on padded texts."""
    network, functional = drawn_network(), torch.nn.functional
    arrays = {name: torch.from_numpy(each) for name, each in network.tensors().items()}
    draws = np.random.default_rng(3)
    texts = [torch.from_numpy(draws.normal(size=(size, 24))) for size in (5, 7, 1, 4)]

    def ran(name: str, rows: Any, inputs: int, size: int) -> Any:
        layer = torch.nn.LSTM(inputs, size, bidirectional=True).double()
        layer.load_state_dict({key.removeprefix(f"{name}."): own for key, own in arrays.items() if f"{name}." in key})
        return layer(rows[:, None])[0][:, 0]

    def of(reference: Any, hypothesis: Any) -> float:
        a, b = (ran("read", each, 24, 3) for each in (reference, hypothesis))
        products, pooled = a @ b.T, []
        for one, other, shares in ((a, b, products.softmax(1)), (b, a, products.T.softmax(1))):
            seen = shares @ other
            enhanced = torch.cat([one, seen, one - seen, one * seen], 1)
            rows = functional.linear(enhanced, arrays["project.weight"], arrays["project.bias"]).relu()
            last = ran("compare", rows, 4, 2)
            pooled += [last.mean(0), last.amax(0)]
        hidden = functional.linear(torch.cat(pooled), arrays["hidden.weight"], arrays["hidden.bias"]).relu()
        return float(functional.linear(hidden, arrays["out.weight"], arrays["out.bias"]).detach())

    pairs = [(0, 1), (2, 3), (3, 3)]
    read = [network.encoded(each.numpy()) for each in texts]
    ours = [network.compared(read[one], read[other]).score for one, other in pairs]
    assert ours == pytest.approx([of(texts[one], texts[other]) for one, other in pairs], rel=1e-12)

    module = module_of(24, WIDTHS, 0.5).double().eval()
    module.load_state_dict(arrays)
    padded = []
    for side in zip(*pairs, strict=True):
        rows, mask = torch.full((3, 9, 24), 9.0).double(), torch.zeros((3, 9), dtype=torch.bool)
        for place, text in enumerate(side):
            rows[place, : len(texts[text])], mask[place, : len(texts[text])] = texts[text], True
        padded += [rows, mask]
    assert module(*padded).tolist() == pytest.approx(ours, rel=1e-12)


def test_attention_sums_to_one_and_sees_equal_tokens() -> None:
    network, kept = drawn_network(1), kept_tokens(Letters(), ["abc e", "e abc"], 0, 100)
    read = network.compared(*(network.encoded(kept.of(text)) for text in (0, 1)))
    for shares in (read.reference, read.hypothesis):
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_several_references_and_long_texts() -> None:
    model = drawn_model(most=3)
    alone = [Esim(model=model).segments(["a b"], [each])[0] for each in ("a c", "b ab", "d e")]
    assert Esim(model=model).segments(["a b"], [["a c", "b ab", "d e"]])[0] == max(alone)
    mean = Esim(model=model, multi_reference="mean").segments(["a b"], [["a c", "b ab", "d e"]])[0]
    assert mean == pytest.approx(np.mean(alone), rel=1e-15)
    cut, whole = Esim(model=model).segments(["a b c", "a b c d e"], ["a"] * 2)
    assert cut == whole != Esim(model=drawn_model(most=4)).segments(["a b c d e"], ["a"])[0]


def test_the_trace_shows_to_what_each_token_attends() -> None:
    shown = metrologue.trace(Esim(model=drawn_model()), "a abc", ["abc a e", ""])
    [first, second] = shown.blocks
    links, there, back = first.blocks
    assert (there.labels, there.columns) == (("a", "abc"), ("abc", "a", "e"))
    assert (back.labels, back.columns) == (there.columns, there.labels)
    assert [sum(row) for row in there.cells] == pytest.approx([1, 1], abs=0.02)
    assert len(links.links) == 2
    assert second.blocks[1].columns == ("(nothing)",)
    assert shown.value == max(first.values["esim"], second.values["esim"])


def test_what_is_refused(tmp_path: Path) -> None:
    rated = read_examples(SAMPLE)
    with pytest.raises(InputError, match="esim reads the tokens of one encoder; 2 are given"):
        train("esim", rated, encoders=["ngrams-8@1", "ngrams-8@2"])
    with pytest.raises(InputError, match="esim is trained as Matching says"):
        train("esim", rated, encoders=["ngrams-8@1"], trainer=Ridge())
    with pytest.raises(InputError, match="esim takes no metrics"):
        train("esim", rated, scores=["chrf"])
    same = Examples(rated.predictions, rated.references, np.ones(64), rated.groups)
    with pytest.raises(InputError, match="all 64 ratings are 1"):
        train("esim", same, encoders=["ngrams-8@1"])
    with pytest.raises(InputError, match="four widths, or one for all; 2 are given"):
        Matching(hidden=(3, 4))
    with pytest.raises(InputError, match="3 of 11 rows for the test are in the training data too"):
        train("esim", rated.take(range(40)), encoders=["ngrams-8@1"], test=rated.take(range(37, 48)))
    arrays = drawn_network().tensors()
    for wrong, message in (
        ({**arrays, "out.bias": np.zeros(2)}, "the shape of 'out.bias' is .*does not fit the others"),
        ({**arrays, "out.bias": np.array([np.nan])}, "has a number that is not finite"),
        ({name: each for name, each in arrays.items() if name != "out.bias"}, "there is no array 'out.bias'"),
        ({}, "there is no array 'read.weight_ih_l0'"),
    ):
        with pytest.raises(InputError, match=message):
            EsimNetwork(wrong, 0, 100)
    with pytest.raises(InputError, match="`settings` has no key 'layer'"):
        EsimNetwork.settings_form({}, "`settings`")


def test_another_encoder_is_refused(torch: Any, tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
    encoder, other = make_encoder(tmp_path / "encoder"), make_encoder(tmp_path / "other", seed=1)
    trainer = Matching(hidden=(2,), epochs=1)
    model = train("esim", read_examples(SAMPLE), encoders=[encoder], trainer=trainer, measure=False)
    folder = save_model(model, tmp_path / "model")
    assert open_model(folder, encoder=encoder).name == model.name
    with pytest.raises(InputError, match=r"was trained with the encoder encoder@\w+, not with other@"):
        open_model(folder, encoder=other)
    shown = metrologue.trace(Esim(model=model), "a cat", ["the cat sat"])
    assert shown.blocks[0].blocks[1].labels[0] != "[CLS]"


def test_the_sample_has_a_module() -> None:
    module, model = metrologue.load("esim"), sample_model("esim")
    found = module.compute(predictions=["a cat"], references=["the cat"], model=model)
    with pytest.warns(UserWarning, match="its numbers mean nothing"):
        assert found == {"esim": Esim(model=model).corpus(["a cat"], ["the cat"]).value}


def test_32_rows_can_be_overfitted(torch: Any) -> None:
    draws = np.random.default_rng(0)
    texts = tuple(" ".join(draws.choice(["a", "bc", "def", "gh"], 4)) for _ in range(64))
    rated = Examples(texts[:32], tuple((each,) for each in texts[32:]), draws.normal(size=32))
    trainer = Matching(hidden=(16,), dropout=0.0, epochs=150, batch=32, rate=2e-2, share=0.0, halve=False)
    model = train("esim", rated, encoders=["ngrams-16@2"], trainer=trainer, measure=False)
    with pytest.warns(UserWarning, match="nothing was held out"):
        found = Esim(model=model).segments(rated.predictions, [*rated.references])
    assert np.abs(found - rated.targets).max() < 0.1


def test_a_training_that_was_ended_goes_on(torch: Any, tmp_path: Path, ended_when: Any) -> None:
    """Also where the rate was halved before."""
    rated, file = read_examples(SAMPLE), tmp_path / "kept"
    trainer = Matching(hidden=(3,), epochs=6, rate=0.1)
    given = {"encoders": ["ngrams-8@2"], "trainer": trainer, "measure": False}
    whole, halved = train("esim", rated, **given), []
    with ended_when(lambda run, path: halved.append(run.halved) or run.epoch == 3), pytest.raises(KeyboardInterrupt):
        train("esim", rated, **given, checkpoint=file)
    assert halved[-1] > 0
    assert train("esim", rated, **given, checkpoint=file).name == whole.name


def test_it_is_measured_on_parts_and_learns_a_rule(torch: Any) -> None:
    """Ratings that are the share of equal words: references that were held out are told apart."""
    draws = np.random.default_rng(1)
    words = ["cat", "dog", "sun", "sea"]
    references = [" ".join(draws.choice(words, 3)) for _ in range(400)]
    references = [f"{reference} {row}" for row, reference in enumerate(references)]
    texts = [
        " ".join(word if draws.random() < share else "zzz" for word in reference.split())
        for reference, share in zip(references, draws.random(400), strict=True)
    ]
    common = [sum(a == b for a, b in zip(x.split(), y.split(), strict=True)) / 4 for x, y in
              zip(texts, references, strict=True)]  # fmt: skip
    rated = Examples(tuple(texts), tuple((each,) for each in references), np.array(common))
    trainer = Matching(hidden=(12,), dropout=0.1, epochs=8, rate=1e-2)
    model = train(
        "esim", rated.take(range(300)), encoders=["ngrams-16@2"], trainer=trainer, test=rated.take(range(300, 400))
    )
    found = model.report["held_out"]
    assert found["compared"]["pearson"]["learned"]["mean"] > 0.8
    assert {*found["rivals"]} == {"test"}


def test_the_command(torch: Any, tmp_path: Path) -> None:
    options = ["train", "esim", "--data", str(SAMPLE), "--encoder", "ngrams-8@2", "--hidden", "3", "--epochs", "1"]
    told = CliRunner().invoke(main, [*options, "--out", str(tmp_path / "model")])
    assert told.exit_code == 0, told.output
    model = open_model(tmp_path / "model")
    assert (model.metric, model.network.shape) == ("esim", "8-3-3-3-3-1")
    assert "vectors of the tokens of ngrams-8@2" in (tmp_path / "model" / "README.md").read_text("utf-8")
    options[options.index("3")] = "3,3"
    refused = CliRunner().invoke(main, [*options, "--out", str(tmp_path / "other")])
    assert "four widths, or one for all; 2 are given" in str(refused.output or refused.exception)
    assert not (tmp_path / "other").exists()

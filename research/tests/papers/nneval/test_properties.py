"""NNEval against its definition; it tells captions of people from shuffled ones; the authors' weights."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from metrologue_research.nneval import NNEval
from papers.nneval.plain import nneval
from small_trained import trained

from metrologue import Chrf, InputError, TokenF1
from metrologue.learned import Examples, Mlp, Network, read_examples, save_model, train
from metrologue.learned.store import SAMPLE
from metrologue.learned.tensors import tensors_from

TEXTS = ["the cat sat on a mat", "dogs run", "the cat"], [["the cat sat"], ["a dog runs", "dogs ran"], ["a cat"]]


def test_definition() -> None:
    layers = [(weights.tolist(), biases.tolist()) for weights, biases in trained("nneval").network.layers]
    rows = np.column_stack([Chrf().segments(*TEXTS), TokenF1().segments(*TEXTS)]).tolist()
    found = NNEval(model=trained("nneval")).segments(*TEXTS)
    assert found == pytest.approx([nneval(row, layers) for row in rows], rel=1e-12)


def test_a_deep_network_is_the_definition() -> None:
    draws = np.random.default_rng(0)
    layers = [(draws.normal(size=size), draws.normal(size=size[0])) for size in ((72, 8), (72, 72), (2, 72))]
    network = Network(np.zeros(8), np.ones(8), layers, "classes")
    row = draws.random(8)
    expected = nneval(row.tolist(), [(weights.tolist(), biases.tolist()) for weights, biases in layers])
    assert network(row[None])[0, 1] == pytest.approx(expected, rel=1e-9)


def shuffled_captions() -> Examples:
    """Sentences of people, and the same words in another order."""
    draws = np.random.default_rng(2)
    rated = read_examples(SAMPLE)
    good = np.flatnonzero(rated.targets > 0.8)
    texts = [rated.predictions[row] for row in good]
    mixed = [" ".join(draws.permutation(text.split())) for text in texts for _ in range(2)]
    own = [rated.references[row] for row in good]
    return Examples(
        (*texts, *mixed),
        (*own, *(each for each in own for _ in range(2))),
        np.array([1.0] * len(texts) + [0.0] * len(mixed)),
        labels=True,
    )


def test_it_tells_people_from_shuffled_words(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    trainer = Mlp(hidden=(72, 72), head="classes", epochs=80, batch=16)
    model = train("nneval", shuffled_captions(), scores=["bleu:nltk", "chrf", "rouge", "ter", "wer"], trainer=trainer)
    assert model.network.shape == "5-72-72-2"
    assert model.report["held_out"]["compared"]["auc"]["learned"]["mean"] > 0.9
    linear = Mlp(hidden=(), head="classes", epochs=20)  # the form of LCEval
    assert train("nneval", shuffled_captions(), scores=["chrf"], trainer=linear, measure=False).network.shape == "1-2"
    assert "AUC" in (save_model(model, tmp_path / "model") / "README.md").read_text("utf-8")


def test_a_text_is_left_out_of_its_own_references() -> None:
    made = Examples(("a", "b"), (("a", "c"), ("b",)), np.array([1.0, 0.0]), labels=True)
    assert made.without_own_references().references == (("c",), ("b",))


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="nneval learns from labels, and the examples have ratings"):
        train("nneval", read_examples(SAMPLE), scores=["chrf"])
    one = shuffled_captions().take(range(16))
    with pytest.raises(InputError, match=r"all 16 labels are 1; .*examples of both classes"):
        train("nneval", one, scores=["chrf"])


def test_the_weights_of_the_authors() -> None:
    """$METROLOGUE_NNEVAL names a file of safetensors with `layers.0.weights` (72, 8), `layers.0.biases` and so on."""
    path = os.environ.get("METROLOGUE_NNEVAL")
    if not path:
        pytest.skip("METROLOGUE_NNEVAL names no file with the weights of NNEval, which have no licence")
    tensors, _ = tensors_from(Path(path).read_bytes(), path)
    network = Network.of_tensors({"mean": np.zeros(8), "spread": np.ones(8), **tensors}, {"head": "classes"})
    # METEOR, exp(-WMD), BLEU-1 to BLEU-4, SPICE, CIDEr / 10.
    found = network(np.array([[0.4, 0.6, 0.9, 0.8, 0.7, 0.6, 0.4, 0.25]]))[0, 1]
    assert found == pytest.approx(0.834835, abs=5e-7)

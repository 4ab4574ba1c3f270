"""ROUGE-WE against its definition over lists of tokens, and what must hold of it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.rouge_we.plain import rouge_we
from metrologue import InputError, Rouge, RougeWe, trace
from metrologue.representations import FunctionEncoder, WordVectors

# The cosines are 1, 0, or far from the thresholds: sums of floats differ in their last bits.
VECTORS: dict[str, tuple[float, ...]] = {
    "cat": (1, 0, 0), "kitten": (0.9, 0.1, 0), "dog": (0, 1, 0), "puppy": (0, 2, 0.25), "not": (0, 0, 0),
    "bird": (0, 0, 1), "anti": (-1, 0, 0),
}  # fmt: skip
EXACT = {word: tuple(np.float32(vector).astype(float).tolist()) for word, vector in VECTORS.items()}


def table(vectors: dict[str, tuple[float, ...]]) -> WordVectors:
    return WordVectors.of_keyed_vectors(
        SimpleNamespace(index_to_key=[*vectors], vectors=np.array([*vectors.values()], np.float32)), "toy"
    )


TOY = table(VECTORS)
texts = st.lists(st.sampled_from([*VECTORS, "unknown"]), max_size=8)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=3)


@settings(max_examples=150)
@given(
    corpus=corpora, order=st.integers(1, 3), threshold=st.sampled_from([0.55, 0.85]),
    alpha=st.sampled_from([0.0, 0.5, 1.0]),
)  # fmt: skip
def test_definition(
    corpus: list[tuple[list[str], list[list[str]]]], order: int, threshold: float, alpha: float
) -> None:
    scorer = RougeWe(vectors=TOY, order=order, threshold=threshold, alpha=alpha)
    expected = [rouge_we(own, its, EXACT, order, threshold, alpha) for own, its in corpus]
    given_texts = [" ".join(own) for own, _ in corpus], [[*map(" ".join, its)] for _, its in corpus]
    scores = scorer.segment_scores(*given_texts)
    for column, key in enumerate(("precision", "recall", "rouge_we")):
        assert scores[key] == pytest.approx([row[column] for row in expected], rel=1e-12, abs=0)
    assert scorer.corpus(*given_texts).value == pytest.approx(np.mean([row[2] for row in expected]), rel=1e-12)


@given(corpus=corpora, order=st.integers(1, 3))
def test_vectors_at_right_angles_give_rouge(corpus: list[tuple[list[str], list[list[str]]]], order: int) -> None:
    """Words match themselves only; of n-grams of two words and more, also those with the same words."""
    words = [*VECTORS, "unknown"]
    apart = table({word: tuple(np.eye(len(words))[at].tolist()) for at, word in enumerate(words)})
    given_texts = [" ".join(own) for own, _ in corpus], [[*map(" ".join, its)] for _, its in corpus]
    soft = RougeWe(vectors=apart, order=order, multi_reference="best", threshold=0.99).segments(*given_texts)
    exact = Rouge(types=(f"rouge{order}",), tokenizer="whitespace").segments(*given_texts)
    assert (soft >= exact - 1e-12).all()
    if order == 1:
        assert soft == pytest.approx(exact, rel=1e-12)


def test_worked_numbers() -> None:
    pair = ["cat dog"], ["kitten dog"]
    assert RougeWe(vectors=TOY, order=1).corpus(*pair).value == 1
    assert RougeWe(vectors=TOY, order=1, threshold=0.995).corpus(*pair).value == 0.5
    assert RougeWe(vectors=TOY, order=2).corpus(*pair).value == 1
    assert RougeWe(vectors=TOY).corpus(*pair).value == 0


def test_each_ngram_takes_what_is_left() -> None:
    """The first "cat" takes both occurrences of "cat"; "kitten" then has nothing."""
    scorer = RougeWe(vectors=TOY, order=1)
    assert scorer.corpus(["cat kitten"], ["cat"]).scores["precision"] == 0.5
    assert scorer.corpus(["kitten kitten cat"], ["cat kitten kitten"]).value == 1
    assert scorer.corpus(["kitten cat"], ["cat"]).scores["recall"] == 1


def test_several_references() -> None:
    scores = RougeWe(vectors=TOY, order=1).corpus(["cat"], [["cat dog dog", "bird"]]).scores
    assert (scores["precision"], scores["recall"]) == (0.5, 0.25)
    best = RougeWe(vectors=TOY, order=1, multi_reference="best").corpus(["cat"], [["cat dog dog", "bird"]]).scores
    assert (best["precision"], best["recall"]) == (1, pytest.approx(1 / 3))


def test_words_without_a_direction() -> None:
    scorer = RougeWe(vectors=TOY, order=1)
    assert scorer.segments(["not", "not", "unknown", "unknown"], ["not", "cat", "unknown", "cat"]).tolist() == [
        1,
        0,
        1,
        0,
    ]
    assert scorer.segments(["", "cat", ""], ["", "", "cat"]).tolist() == [0, 0, 0]


def test_what_is_refused() -> None:
    encoder = FunctionEncoder("f", lambda given_texts: [[[1.0]] for _ in given_texts], "1")
    with pytest.raises(InputError, match="`vectors` is f@1, which has no vectors of single words"):
        RougeWe(vectors=encoder)


def test_the_trace_is_the_score() -> None:
    shown = trace(RougeWe(vectors=TOY, order=1), "Cat, cat unknown", ["kitten cat", "dog"])
    found = shown.table("1-grams with reference 1")
    assert found.column("n-gram") == ("cat", "unknown")
    assert found.column("match") == ("cat", "-")
    assert found.column("count") == (2, 1)
    text = shown.text()
    assert "1 hits; 3 n-grams of the hypothesis, 2 of reference 1" in text
    assert "without a vector: unknown" in text
    assert "2 references: hits and n-grams are summed" in text

"""The kernels of n-grams and skip-bigrams of pairs of texts against plain counts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from metrics.rouge import plain
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.core.kernels.ngrams import distinct_counts, paired_counts
from metrologue.scorers.rouge.kernels import skip_bigram_counts, skip_bigram_matches

Tokens = list[int]
Layout = tuple[NDArray[np.int32], NDArray[np.int64]]

VOCABULARY = 6
corpora = st.lists(st.lists(st.integers(0, VOCABULARY - 1), max_size=12), min_size=1, max_size=5)


def layout(texts: list[Tokens]) -> Layout:
    ids = np.array([token for text in texts for token in text], np.int32)
    return ids, np.cumsum([0, *map(len, texts)], dtype=np.int64)


def every_pair(texts: list[Tokens]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each text with each: one text is in several pairs."""
    hypotheses, references = np.indices((len(texts), len(texts)))
    return hypotheses.ravel(), references.ravel()


def skip_bigrams(tokens: Tokens, gap: int) -> Counter[tuple[int, ...]]:
    return plain.skip_bigrams(tokens, None if gap < 0 else gap)


@given(texts=corpora, gap=st.integers(-1, 5), data=st.data())
def test_skip_bigrams(texts: list[Tokens], gap: int, data: st.DataObject) -> None:
    leading = [data.draw(st.integers(0, len(text))) for text in texts]
    hypotheses, references = every_pair(texts)
    matches = skip_bigram_matches(
        Pairs(*layout(texts), hypotheses, references), VOCABULARY, gap, np.array(leading, np.int64)
    )
    counted = [
        skip_bigrams(text, gap) + plain.ngrams(text[:unigrams], 1)
        for text, unigrams in zip(texts, leading, strict=True)
    ]
    expected = [(counted[h] & counted[r]).total() for h, r in zip(hypotheses, references, strict=True)]
    assert matches.tolist() == expected
    assert skip_bigram_counts(np.array([len(text) for text in texts]), gap).tolist() == [
        skip_bigrams(text, gap).total() for text in texts
    ]


@pytest.mark.parametrize("types", [3, 50])
@pytest.mark.parametrize("gap", [-1, 0, 4, 70])
def test_skip_bigrams_about_64_tokens(types: int, gap: int) -> None:
    """Up to 64 tokens of the reference are the bits of one word; beyond, another way counts."""
    generator = np.random.default_rng(types)
    texts = [generator.integers(0, types, n).tolist() for n in (0, 1, 62, 63, 64, 65, 66, 130)]
    hypotheses, references = every_pair(texts)
    lengths = np.array([len(text) for text in texts])
    for leading in (0 * lengths, np.maximum(lengths - 1, 0), lengths, np.minimum(lengths, 5)):
        counted = [
            skip_bigrams(text, gap) + plain.ngrams(text[:unigrams], 1)
            for text, unigrams in zip(texts, leading.tolist(), strict=True)
        ]
        matches = skip_bigram_matches(Pairs(*layout(texts), hypotheses, references), types, gap, leading)
        assert matches.tolist() == [
            (counted[h] & counted[r]).total() for h, r in zip(hypotheses, references, strict=True)
        ]


def test_skip_bigrams_of_a_long_text() -> None:
    """With itself, each one matches; the other way round, those of which both types come in one order only cannot."""
    text = list(range(2000))
    pairs = Pairs(*layout([text, text[::-1]]), np.array([0, 0]), np.array([0, 1]))
    matches = skip_bigram_matches(pairs, len(text), -1, np.zeros(2, np.int64))
    assert matches.tolist() == [skip_bigram_counts(np.array([2000]), -1)[0], 0]


def test_more_skip_bigrams_of_one_kind_than_32_bits_hold() -> None:
    """A token that comes 65,537 times is with itself in 2**31 + 2**15 skip-bigrams."""
    texts = [[0] * 65_537, [0, 0, 0]]
    matches = skip_bigram_matches(Pairs(*layout(texts), np.array([1]), np.array([0])), 1, -1, np.zeros(2, np.int64))
    assert matches.tolist() == [3]


@pytest.mark.parametrize("once", [False, True])
@given(texts=corpora, max_order=st.integers(1, 5))
def test_ngrams_of_pairs(texts: list[Tokens], max_order: int, once: bool) -> None:
    hypotheses, references = every_pair(texts)
    matches = paired_counts(Pairs(*layout(texts), hypotheses, references), max_order, once)
    for p, (h, r) in enumerate(zip(hypotheses, references, strict=True)):
        for order in range(1, max_order + 1):
            ours, theirs = plain.ngrams(texts[h], order), plain.ngrams(texts[r], order)
            assert matches[p, order - 1] == (len(set(ours) & set(theirs)) if once else (ours & theirs).total())


@given(texts=corpora, max_order=st.integers(1, 5))
def test_distinct_ngrams(texts: list[Tokens], max_order: int) -> None:
    distinct = distinct_counts(*layout(texts), max_order)
    assert distinct.tolist() == [
        [len(plain.ngrams(text, order)) for order in range(1, max_order + 1)] for text in texts
    ]

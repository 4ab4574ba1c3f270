"""The kernels of common subsequences against the tables of the definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from metrics.rouge.plain import lcs_table
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.rouge.kernels import Sentences, lcs_lengths, union_hits, union_lcs, weighted_lcs

Sentence = list[int]
Summary = list[Sentence]
Summaries = list[tuple[Summary, Summary]]

VOCABULARY = 5
# Up to three words of a bit vector, and few types: every tie and every carry comes up.
sentences = st.one_of(
    st.lists(st.integers(0, VOCABULARY - 1), max_size=8),
    st.lists(st.integers(0, 1), min_size=60, max_size=70),
    st.lists(st.integers(0, VOCABULARY - 1), min_size=120, max_size=140),
)
pairs_of_sentences = st.lists(st.tuples(sentences, sentences), max_size=4)
short = st.lists(st.integers(0, VOCABULARY - 1), max_size=7)
pairs_of_summaries = st.lists(st.tuples(st.lists(short, max_size=4), st.lists(short, max_size=4)), max_size=4)
weights = st.sampled_from([1.0, 1.2, 2.0, 3.5])


def offsets(parts: Sequence[Sequence[object]]) -> NDArray[np.int64]:
    return np.cumsum([0, *map(len, parts)], dtype=np.int64)


def flat(parts: Sequence[Sentence]) -> NDArray[np.int32]:
    return np.array([token for part in parts for token in part], np.int32)


def alignment(reference: Sentence, hypothesis: Sentence, weight: float, keep_reference: bool) -> list[tuple[int, int]]:
    """The positions that match, from the end of the table back."""
    values = lcs_table(reference, hypothesis, weight)
    i, j = len(reference), len(hypothesis)
    found = []
    while i and j:
        without_reference, without_hypothesis = values[i - 1][j], values[i][j - 1]
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            found.append((i, j))
        elif without_reference > without_hypothesis or (without_reference == without_hypothesis and not keep_reference):
            i -= 1
        else:
            j -= 1
    return found


def run_kernel(pairs: Summaries, weight: float, keep_reference: bool) -> tuple[NDArray[np.uint8], Sentences]:
    """The marks of all pairs, and the arrays that describe them."""
    texts = [text for pair in pairs for text in pair]
    parts = [sentence for text in texts for sentence in text]
    hypotheses, references = np.arange(0, len(texts), 2), np.arange(1, len(texts), 2)
    layout = Sentences(flat(parts), offsets(parts), offsets(texts), hypotheses, references)
    return union_lcs(layout, VOCABULARY, weight, keep_reference), layout


def marks(pair: tuple[Summary, Summary], weight: float, keep_reference: bool) -> list[set[int]]:
    """The positions marked in each sentence of the reference."""
    ours, theirs = pair
    return [
        {i for hypothesis in ours for i, _ in alignment(reference, hypothesis, weight, keep_reference)}
        for reference in theirs
    ]


@given(pairs=pairs_of_sentences)
def test_lcs_lengths(pairs: list[tuple[Sentence, Sentence]]) -> None:
    texts = [text for pair in pairs for text in pair]
    left, right = np.arange(0, len(texts), 2), np.arange(1, len(texts), 2)
    lengths = lcs_lengths(Pairs(flat(texts), offsets(texts), left, right), VOCABULARY)
    assert lengths.tolist() == [lcs_table(a, b)[-1][-1] for a, b in pairs]
    assert lcs_lengths(Pairs(flat(texts), offsets(texts), right, left), VOCABULARY).tolist() == lengths.tolist()


def test_lcs_of_long_texts() -> None:
    """A text from which tokens were taken is a subsequence of it, and longer than every other."""
    draw = np.random.default_rng(0)
    whole = draw.integers(0, 1000, 30_000, dtype=np.int32)
    part = whole[draw.random(len(whole)) < 0.7]
    spoilt = np.where(draw.random(len(part)) < 0.1, np.int32(1000), part)  # type 1000 is not in the whole
    ids, limits = np.concatenate([whole, part, spoilt]), np.cumsum([0, len(whole), len(part), len(part)])
    lengths = lcs_lengths(Pairs(ids, limits, np.array([0, 1, 0]), np.array([1, 0, 2])), 1001)
    assert lengths.tolist() == [len(part), len(part), int((spoilt != 1000).sum())]


@given(pairs=pairs_of_sentences, weight=weights)
def test_weighted_lcs(pairs: list[tuple[Sentence, Sentence]], weight: float) -> None:
    texts = [text for pair in pairs for text in pair]
    left, right = np.arange(0, len(texts), 2), np.arange(1, len(texts), 2)
    values = weighted_lcs(Pairs(flat(texts), offsets(texts), left, right), VOCABULARY, weight)
    assert values.tolist() == [lcs_table(a, b, weight)[-1][-1] for a, b in pairs]


def test_weighted_lcs_of_the_paper() -> None:
    """Lin 2004, section 3.3: A B C D E F G with A B C D H I K and with A H B K C I D, f(k) = k ** 2."""
    texts = [[0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 7, 8, 9], [0, 7, 1, 9, 2, 8, 3]]
    left, right = np.array([0, 0]), np.array([1, 2])
    assert weighted_lcs(Pairs(flat(texts), offsets(texts), left, right), 10, 2.0).tolist() == [16.0, 4.0]
    assert lcs_lengths(Pairs(flat(texts), offsets(texts), left, right), 10).tolist() == [4, 4]


@pytest.mark.parametrize("keep_reference", [False, True])
@given(pairs=pairs_of_summaries, weight=weights)
def test_union_lcs(pairs: Summaries, weight: float, keep_reference: bool) -> None:
    expected = [
        int(i in found)
        for pair in pairs
        for found, reference in zip(marks(pair, weight, keep_reference), pair[1], strict=True)
        for i in range(len(reference))
    ]
    assert run_kernel(pairs, weight, keep_reference)[0].tolist() == expected


@pytest.mark.parametrize("keep_reference", [False, True])
@given(pair=st.tuples(sentences, sentences), weight=weights)
def test_both_sides_of_an_alignment(pair: tuple[Sentence, Sentence], weight: float, keep_reference: bool) -> None:
    hypothesis, reference = pair
    path = alignment(reference, hypothesis, weight, keep_reference)[::-1]
    in_reference, _ = run_kernel([([hypothesis], [reference])], weight, keep_reference)
    in_hypothesis, _ = run_kernel([([reference], [hypothesis])], weight, not keep_reference)
    assert list(zip(np.flatnonzero(in_reference), np.flatnonzero(in_hypothesis), strict=True)) == path


def test_union_lcs_of_the_paper() -> None:
    """Lin 2004, section 3.2: w1 … w5 with the sentences w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5 has w1 w2 w3 w5."""
    pair = ([[1, 2, 6, 7, 8], [1, 3, 8, 9, 5]], [[1, 2, 3, 4, 5]])
    parts = [*pair[0], *pair[1]]
    written = Sentences(flat(parts), offsets(parts), offsets(pair), np.array([0]), np.array([1]))
    assert union_lcs(written, 10, 1.0, False).tolist() == [1, 1, 1, 0, 1]


@given(pairs=pairs_of_summaries, weight=weights, unigrams=st.lists(short, min_size=8, max_size=8))
def test_hits_and_runs(pairs: Summaries, weight: float, unigrams: list[Sentence]) -> None:
    """Also with unigrams of their own: ROUGE-1.5.5 cuts them, under a limit in bytes, from another text."""
    marked, layout = run_kernel(pairs, weight, False)
    own = [[token for sentence in text for token in sentence] for pair in pairs for text in pair]
    for bags in (own, unigrams[: len(own)]):
        hits, values = union_hits(layout, marked, flat(bags), offsets(bags), VOCABULARY, weight, False)
        for p, pair in enumerate(pairs):
            ours, theirs = Counter(bags[2 * p]), Counter(bags[2 * p + 1])
            expected, value = 0, 0.0
            for reference, found in zip(pair[1], marks(pair, weight, False), strict=True):
                run = 0
                for i in sorted(found):
                    if ours[reference[i]] and theirs[reference[i]]:
                        ours[reference[i]] -= 1
                        theirs[reference[i]] -= 1
                        expected += 1
                        run += 1
                        if i + 1 not in found:
                            value += run**weight
                            run = 0
            assert hits[p] == expected
            assert values[p] == pytest.approx(value, rel=1e-12, abs=0)


@given(pairs=pairs_of_summaries)
def test_types_that_hit_once(pairs: Summaries) -> None:
    """The package `rouge` makes one set of all words in any LCS."""
    marked, layout = run_kernel(pairs, 1.0, True)
    own = [[token for sentence in text for token in sentence] for pair in pairs for text in pair]
    hits, _ = union_hits(layout, marked, flat(own), offsets(own), VOCABULARY, 1.0, True)
    assert hits.tolist() == [
        len({reference[i] for reference, found in zip(pair[1], marks(pair, 1.0, True), strict=True) for i in found})
        for pair in pairs
    ]

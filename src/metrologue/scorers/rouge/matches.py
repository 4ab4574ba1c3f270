"""The matches of two texts: one function for each kind of ROUGE, from texts to the counts of each pair.

A pair has four counts: the matches, the units to match in the hypothesis, those in the reference, and the number by
which ROUGE-1.5.5 divides the matches to find the best reference.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats, Integers
from metrologue.scorers.core.crossed import common_counts
from metrologue.scorers.core.kernels.ngrams import distinct_counts
from metrologue.scorers.core.options import Rule
from metrologue.scorers.rouge.kernels import (
    Sentences,
    counts_by_length,
    counts_of_pairs,
    lcs_lengths,
    skip_bigram_counts,
    skip_bigram_matches,
    union_hits,
    union_lcs,
    weighted_lcs,
)
from metrologue.scorers.rouge.rules import UNLIMITED
from metrologue.segments import View


class Texts(NamedTuple):
    """Texts as a type reads them, for counts over whole texts and for counts over sentences.

    Both differ only with `max_bytes`, which ROUGE-1.5.5 applies to sentences in its own way.
    """

    whole: View
    parted: View


def _counts(
    view: View, matches: NDArray[Any], hypothesis: NDArray[Any], reference: NDArray[Any], compared: NDArray[Any]
) -> Floats:
    """The counts of each pair, float64 (n_pairs, 4), from matches (n_pairs,) and totals (n_texts,) or (n_texts, 1)."""
    columns = [np.asarray(each, np.float64).reshape(-1, 1) for each in (matches, hypothesis, reference, compared)]
    rows: Floats = counts_of_pairs(columns[0], columns[1], columns[2], columns[3], *view.pairs)
    return rows


def ngram_matches(view: View, longest: int, binary: bool) -> Floats:
    """Counts of n-grams of orders 1 to `longest`, (n_pairs, 4 longest). If `binary`, each n-gram counts once."""
    matches = common_counts(view, longest, binary)
    if not binary:
        return counts_by_length(matches, view.paired)
    totals = distinct_counts(view.ids, view.offsets, longest)
    return counts_of_pairs(matches, totals, totals, totals, *view.pairs)


def lcs_matches(view: View) -> Floats:
    """Counts of the longest common subsequence of each pair of texts."""
    length = lcs_lengths(view.paired, view.type_count)
    return counts_by_length(length.reshape(-1, 1), view.paired)


def weighted_lcs_matches(view: View, weight: float) -> Floats:
    """Counts of the weighted common subsequence (Lin 2004, section 3.3), before the inverse power is applied."""
    value = weighted_lcs(view.paired, view.type_count, weight)
    totals = view.text_lengths**weight
    return _counts(view, value, totals, totals, totals)


def union_matches(texts: Texts, binary: bool, keep_reference: bool) -> Floats:
    """Counts of the union of common subsequences of sentences (Lin 2004, section 3.2), clipped by unigrams."""
    whole, parted = texts
    unigrams = distinct_counts(whole.ids, whole.offsets, 1) if binary else whole.text_lengths
    # With a limit in bytes, the script divides by the tokens of the reference's sentences.
    reference = unigrams if parted is whole else parted.text_lengths
    return _counts(parted, _union(texts, 1.0, binary, keep_reference)[0], unigrams, reference, reference)


def weighted_union_matches(texts: Texts, weight: float, binary: bool, keep_reference: bool) -> Floats:
    """Counts as in ``union_matches``, but runs of matches have the weights of ROUGE-1.5.5."""
    whole, parted = texts
    text_of_each = np.repeat(np.arange(len(parted.sentences) - 1), np.diff(parted.sentences))
    powers = np.diff(parted.sentence_offsets) ** weight
    reference = np.bincount(text_of_each, powers, len(parted.sentences) - 1)
    value = _union(texts, weight, binary, keep_reference)[1]
    # The script raises this sum of powers to the power once more. It does not do so when it looks for the best
    # reference.
    return _counts(parted, value, whole.text_lengths**weight, reference**weight, reference)


def _union(texts: Texts, weight: float, binary: bool, keep_reference: bool) -> tuple[Integers, Floats]:
    """For each pair, the matches in the union of common subsequences and the weight of their runs, (n_pairs,) each."""
    whole, parted = texts
    bags, types = _bags(texts)
    written = Sentences(parted.ids, parted.sentence_offsets, parted.sentences, *parted.pairs)
    marked = union_lcs(written, types, weight, keep_reference)
    hits: tuple[Integers, Floats] = union_hits(written, marked, bags, whole.offsets, types, weight, binary)
    return hits


def _bags(texts: Texts) -> tuple[NDArray[np.int32], int]:
    """The tokens of the whole texts, numbered by the types of the sentences, and the number of types in both."""
    whole, parted = texts
    if parted is whole:
        return whole.ids, whole.type_count
    types = {parted.spelling(index): index for index in range(parted.type_count)}
    renamed = [types.setdefault(whole.spelling(index), len(types)) for index in range(whole.type_count)]
    return np.array(renamed, np.int32)[whole.ids], len(types)


# Each gives the number of tokens at the beginning of a text that ROUGE-SU counts as unigrams, (n_texts,), from the
# lengths of the texts and the gap.
LEADING: dict[str, Rule[[Integers, int], Integers]] = {
    "all": Rule(lambda lengths, gap: lengths, "all"),
    "but-last": Rule(lambda lengths, gap: np.maximum(lengths - 1, 0), "all except the last (ROUGE-1.5.5)"),
    "begin": Rule(
        lambda lengths, gap: lengths if gap == UNLIMITED else np.minimum(lengths, gap + 1),
        "those within the gap of a marker at the beginning of the text (the paper)",
    ),
}


def skip_matches(view: View, gap: int, unigrams: str | None) -> Floats:
    """Counts of skip-bigrams, pairs of words with at most `gap` words between them.

    `unigrams` names the rule of ``LEADING`` for the unigrams that count too; None for no unigrams.
    """
    lengths = view.text_lengths
    leading = LEADING[unigrams](lengths, gap) if unigrams else np.zeros_like(lengths)
    matches = skip_bigram_matches(view.paired, view.type_count, gap, leading)
    totals = skip_bigram_counts(lengths, gap) + leading
    return _counts(view, matches, totals, totals, totals)

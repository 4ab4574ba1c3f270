"""Which n-grams one system has right more often than another, and how long the texts of both are.

This is the view of compare-mt (Neubig et al. 2019): an n-gram is right as often as BLEU counts it, clipped by the
reference that has it most often.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from metrologue.data.arrays import Offsets
from metrologue.segments import Segments
from metrologue.text.reading import words
from metrologue.text.reading.view import View

__all__ = ["Length", "NGram", "length_differences", "ngram_matches"]

_READING = words("13a")
_ORDERS = 4
# So many n-grams are shown of each system's best.
_SHOWN = 5
# The first length of each bin of differences, in words; the first bin has no first one.
_BINS = (-5, -2, 0, 1, 3, 6)
_NAMES = (
    "6 or more words shorter", "3 to 5 words shorter", "1 or 2 words shorter", "as long as the reference",
    "1 or 2 words longer", "3 to 5 words longer", "6 or more words longer",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class NGram:
    """An n-gram, and how often each of two systems has it right."""

    text: str
    first: int
    second: int


@dataclass(frozen=True, kw_only=True)
class Length:
    """How many texts of each system are so much longer than their first reference."""

    name: str
    first: int
    second: int


def ngram_matches(first: Segments, second: Segments) -> Iterator[NGram]:
    """The n-grams of up to four tokens by which two systems differ most: first those of the first, then of the second.

    Both have the same references. The order is that of compare-mt: by (a + 1) / (a + b + 2), where a and b are how
    often the systems have the n-gram right.

    Examples
    --------
    >>> one = Segments(["the cat sat", "a cat"], ["the cat sat", "the cat"])
    >>> [*ngram_matches(one, one.with_predictions(["the dog sat", "the dog"]))][:2]
    [NGram(text='cat', first=2, second=0), NGram(text='the cat', first=1, second=0)]
    """
    view = _together(first, second)
    texts = np.repeat(np.arange(len(view.offsets) - 1), np.diff(view.offsets))
    room = np.repeat(view.offsets[1:], np.diff(view.offsets)) - np.arange(len(view.ids))
    segment_of = _segments_of_texts(view)
    names = np.asarray(view.ids, np.int64)
    found: list[tuple[float, int, int, int, int]] = []
    for order in range(1, min(_ORDERS, len(names)) + 1):
        if order > 1:  # an n-gram is the n-gram before it with one more token
            pairs = names[:-1] * view.type_count + np.append(view.ids[order - 1 :], np.zeros(order - 2, np.int32))
            names = np.append(np.unique(pairs, return_inverse=True)[1], 0) if len(pairs) else names
        at = np.flatnonzero(room >= order)
        for place, one, other in zip(*_matches(names[at], texts[at], segment_of, len(view)), strict=True):
            if one != other:
                found.append(((one + 1) / (one + other + 2), order, int(at[place]), one, other))
    ranked = sorted(found, key=lambda each: (-each[0], each[1], each[2]))
    ahead = [each for each in ranked if each[3] > each[4]][:_SHOWN]
    behind = [each for each in ranked[::-1] if each[3] < each[4]][:_SHOWN]
    for _, order, place, one, other in (*ahead, *behind):
        tokens = [view.vocabulary.spelling(int(number)) for number in view.ids[place : place + order]]
        yield NGram(text=" ".join(tokens), first=one, second=other)


def _together(first: Segments, second: Segments) -> View:
    """Both systems, one after the other, as ids in one vocabulary."""
    references = [first.pair(index)[1] for index in range(len(first))]
    predictions = [segments.pair(index)[0] for segments in (first, second) for index in range(len(first))]
    return Segments(predictions, references * 2).read(_READING)


def _segments_of_texts(view: View) -> Offsets:
    """The row of each text, of a prediction or of a reference: those of the second system come after the first's."""
    rows = np.arange(len(view))
    return np.append(rows, np.repeat(rows, np.diff(view.reference_offsets)))


def _matches(names: Offsets, texts: Offsets, segment_of: Offsets, rows: int) -> tuple[list[int], ...]:
    """The n-grams of one order that are right anywhere: a place of each, and its clipped counts in both systems."""
    own = names * (texts.max(initial=0) + 1) + texts
    _, places, counts = np.unique(own, return_index=True, return_counts=True)
    names, texts = names[places], texts[places]
    cells = names * rows + segment_of[texts]
    is_own = texts < rows
    theirs, of_reference = np.unique(cells[~is_own], return_inverse=True)
    most = np.zeros(len(theirs), np.int64)
    np.maximum.at(most, of_reference, counts[~is_own])
    at = np.searchsorted(theirs, cells[is_own])
    inside = at < len(theirs)
    inside[inside] &= theirs[at[inside]] == cells[is_own][inside]
    clipped = np.minimum(counts[is_own][inside], most[at[inside]])
    _, first_place, number = np.unique(names[is_own][inside], return_index=True, return_inverse=True)
    is_first = texts[is_own][inside] < rows // 2
    sums = [np.bincount(number, clipped * chosen).astype(int).tolist() for chosen in (is_first, ~is_first)]
    return places[is_own][inside][first_place].tolist(), *sums


def length_differences(first: Segments, second: Segments) -> Iterator[Length]:
    """How many texts of each system are longer and shorter than their first reference, in words of 13a.

    Examples
    --------
    >>> one = Segments(["a b", "a"], ["a b", "a b c d"])
    >>> [(each.name, each.first, each.second) for each in length_differences(one, one)]
    [('3 to 5 words shorter', 1, 1), ('as long as the reference', 1, 1)]
    """
    counts = []
    for segments in (first, second):
        view = segments.read(_READING)
        gaps = view.lengths - view.reference_lengths[view.reference_offsets[:-1]]
        counts.append(np.bincount(np.searchsorted(_BINS, gaps, side="right"), minlength=len(_NAMES)).tolist())
    for name, one, other in zip(_NAMES, *counts, strict=True):
        if one or other:
            yield Length(name=name, first=one, second=other)

"""Which units are confused, inserted and deleted, and how often, over all segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Integers
from metrologue.kernels.arrays import Ids
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.core.rows import first_best
from metrologue.scorers.families.error_rates import ErrorRate, alignments_by
from metrologue.segments import Segments, View


class Edited(NamedTuple):
    """The edits of all segments by their units.

    Attributes
    ----------
    rows : float64 (n_segments, 6)
        H, S, D, I, M and N of the alignment that is counted here.
    statistics : float64 (n_segments, k)
        The scorer's own rows.
    confusions : list of (count, unit of the reference, unit of the hypothesis)
    insertions, deletions : list of (count, unit)
        The most frequent first; equally frequent ones in the order of their text.
    """

    rows: Floats
    statistics: Floats
    confusions: list[tuple[int, str, str]]
    insertions: list[tuple[int, str]]
    deletions: list[tuple[int, str]]


def edited_units(scorer: ErrorRate, segments: Segments) -> Edited:
    """The edits of each segment with the reference that counts. By `hits` "fewest", they are the "aligned" ones.

    Examples
    --------
    >>> from metrologue.scorers import WordErrorRate
    >>> segments = Segments(["a cat sat", "a dog", "hm a"], ["the cat sat", "the dog", "a b"])
    >>> found = edited_units(WordErrorRate(), segments)
    >>> found.confusions, found.insertions, found.deletions
    ([(2, 'the', 'a')], [(1, 'hm')], [(1, 'b')])
    """
    view = scorer._view(segments)
    chosen = first_best(scorer._quality(scorer._pairs(segments)), view.reference_offsets)
    hypotheses, references = (each[chosen] for each in view.pairs)
    pairs = Pairs(view.ids, view.offsets, hypotheses, references)
    counts, partners = alignments_by(scorer.hits, pairs, view.type_count)
    lengths = view.text_lengths[references]
    starts = np.cumsum(lengths) - lengths
    theirs = view.ids[np.arange(len(partners)) + np.repeat(view.offsets[references] - starts, lengths)]
    paired = partners >= 0
    places = (partners + np.repeat(view.offsets[hypotheses], lengths))[paired]
    ours = view.ids[places]
    alone = np.zeros(len(view.ids), np.bool_)
    for start, stop in zip(view.offsets[hypotheses], view.offsets[hypotheses + 1], strict=True):
        alone[start:stop] = True
    alone[places] = False
    differ = theirs[paired] != ours
    joined = theirs[paired][differ].astype(np.int64) * view.type_count + ours[differ]
    confusions = [
        (count, view.spelling(pair // view.type_count), view.spelling(pair % view.type_count))
        for pair, count in _counted(joined)
    ]
    insertions, deletions = (_named(view, units) for units in (view.ids[alone], theirs[~paired]))
    statistics = replace(scorer, aggregation="corpus").statistics(segments)
    return Edited(counts, statistics, sorted(confusions, key=_frequent), insertions, deletions)


def _named(view: View, units: Integers | Ids) -> list[tuple[int, str]]:
    return sorted(((count, view.spelling(unit)) for unit, count in _counted(units)), key=_frequent)


def _counted(values: Integers | Ids) -> Iterator[tuple[int, int]]:
    found, counts = np.unique(values, return_counts=True)
    return zip(found.tolist(), counts.tolist(), strict=True)


def _frequent(each: tuple[Any, ...]) -> tuple[Any, ...]:
    return (-each[0], *each[1:])

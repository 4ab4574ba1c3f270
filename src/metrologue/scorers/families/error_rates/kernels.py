"""The counts behind error rates, and the rates. For one pair, NumPy's calls would cost more than the alignment."""

from __future__ import annotations

import numpy as np

from metrologue.errors import InputError
from metrologue.kernels.arrays import Bytes, FloatRows, Floats, Ids, Number, Offsets, longest_row, row_lengths
from metrologue.kernels.pairs import Pairs, places
from metrologue.native import helper, kernel

__all__ = ["cheapest_alignments", "counts_of", "kaldi_edits", "rates_of"]

# The table of steps of a pair has a byte for each two units.
_MOST_STEPS = 1 << 32


@kernel
def _counts_of(edits: Floats, hits: Floats, texts: Pairs, counts: FloatRows) -> None:
    for p in range(len(edits)):
        _, own, _, its = places(texts, p)
        hypothesis, reference = float(own), float(its)
        deletions, insertions = edits[p] + hits[p] - hypothesis, edits[p] + hits[p] - reference
        counts[p, 0], counts[p, 1] = hits[p], edits[p] - deletions - insertions
        counts[p, 2], counts[p, 3] = deletions, insertions
        counts[p, 4], counts[p, 5] = hypothesis, reference


def counts_of(edits: Floats, hits: Floats, texts: Pairs) -> Floats:
    """Hits, substitutions, deletions, insertions and both lengths of pairs with these edits and hits, (pairs, 6)."""
    counts = np.empty((len(edits), 6))
    _counts_of(edits, hits, *texts, counts)
    return counts


@helper
def _share(part: Number, whole: Number, zero: Number) -> Number:
    return part / whole if whole > 0 else zero


@kernel
def _rates_of(counts: FloatRows, scale: float, numbers: FloatRows) -> None:
    for i in range(len(counts)):
        hits, substitutions, deletions, insertions = counts[i, 0], counts[i, 1], counts[i, 2], counts[i, 3]
        edits, paired = substitutions + deletions + insertions, hits + substitutions
        reference, hypothesis = paired + deletions, paired + insertions
        both_empty = 1.0 if reference + hypothesis == 0 else 0.0
        wip = _share(hits, reference, 0.0) * _share(hits, hypothesis, 0.0) + both_empty
        numbers[0, i] = scale * _share(edits, reference, insertions)
        numbers[1, i] = scale * _share(edits, edits + hits, 0.0)
        numbers[2, i], numbers[3, i] = scale * (1 - wip), scale * wip
        for k in range(counts.shape[1]):
            numbers[4 + k, i] = counts[i, k]


def rates_of(counts: Floats, scale: float = 1.0) -> Floats:
    """WER, MER, WIL and WIP times the scale, and the counts they are made of, (4 + k, ...).

    The counts, (..., k), are hits, substitutions, deletions, insertions, and any others.
    """
    kinds = counts.shape[-1]
    numbers = np.empty((4 + kinds, *counts.shape[:-1]))
    _rates_of(np.ascontiguousarray(counts, np.float64).reshape(-1, kinds), scale, numbers.reshape(4 + kinds, -1))
    return numbers


@kernel
def _kaldi_edits(texts: Pairs, edits: Offsets, substitutions: Offsets, found: FloatRows) -> None:
    """`edits` and `substitutions` are those of the hypothesis up to here with each beginning of the reference."""
    for p in range(len(found)):
        start, height, other, width = places(texts, p)
        for c in range(width + 1):
            edits[c], substitutions[c] = c, 0
        for r in range(start, start + height):
            corner, replaced = edits[0], substitutions[0]
            edits[0] += 1
            for c in range(width):
                differs = 1 if texts.ids[r] != texts.ids[other + c] else 0
                above, theirs = edits[c + 1], substitutions[c + 1]
                if corner + differs <= above and corner + differs <= edits[c]:
                    edits[c + 1], substitutions[c + 1] = corner + differs, replaced + differs
                elif edits[c] < above:
                    edits[c + 1], substitutions[c + 1] = edits[c] + 1, substitutions[c]
                else:
                    edits[c + 1] = above + 1
                corner, replaced = above, theirs
        found[p, 0], found[p, 1] = edits[width], substitutions[width]


def kaldi_edits(texts: Pairs) -> tuple[Floats, Floats]:
    """The edits of pairs of texts, and the substitutions among them in the alignment that Kaldi's compute-wer picks.

    Where several steps are possible, it is an insertion, otherwise a deletion, and a hit or a substitution last.
    """
    room = np.empty((2, longest_row(texts.offsets) + 1), np.int64)
    found = np.empty((len(texts.hypotheses), 2))
    _kaldi_edits(*texts, room[0], room[1], found)
    edits, substitutions = found.T.copy()
    return edits, substitutions


@kernel
def _cheapest_alignments(
    texts: Pairs,
    gap: int,
    substitution: int,
    gaps_first: int,
    costs: Offsets,
    steps: Bytes,
    counts: FloatRows,
    partners: Ids,
) -> None:
    """`costs` are those of the hypothesis up to here with each beginning of the reference, and `steps` the last steps.

    A step is 0 for a hit or a substitution, 1 for an insertion, 2 for a deletion.
    """
    begin = 0
    for p in range(len(counts)):
        start, height, other, width = places(texts, p)
        for c in range(width + 1):
            costs[c], steps[c] = c * gap, 2
        for r in range(height):
            place = (r + 1) * (width + 1)
            corner = costs[0]
            costs[0] += gap
            steps[place] = 1
            for c in range(width):
                paired = corner + (substitution if texts.ids[start + r] != texts.ids[other + c] else 0)
                inserted, deleted = costs[c + 1] + gap, costs[c] + gap
                corner = costs[c + 1]
                best, step = paired, 0
                if inserted < best or (gaps_first and inserted == best):
                    best, step = inserted, 1
                if deleted < best or (gaps_first and deleted == best and step == 0):
                    best, step = deleted, 2
                costs[c + 1], steps[place + c + 1] = best, step
        r, c = height, width
        hits = paired_units = 0
        while r > 0 or c > 0:
            step = steps[r * (width + 1) + c]
            if step == 0:
                r, c = r - 1, c - 1
                partners[begin + c] = r
                paired_units += 1
                hits += 1 if texts.ids[start + r] == texts.ids[other + c] else 0
            elif step == 1:
                r -= 1
            else:
                c -= 1
                partners[begin + c] = -1
        counts[p, 0], counts[p, 1] = hits, paired_units - hits
        counts[p, 2], counts[p, 3] = width - paired_units, height - paired_units
        counts[p, 4], counts[p, 5] = height, width
        begin += width


def cheapest_alignments(texts: Pairs, gap: int, substitution: int, gaps_first: bool = False) -> tuple[Floats, Ids]:
    """The cheapest alignment of each pair where an insertion or a deletion costs `gap`, as ``alignments`` gives it.

    From the end on, a hit or a substitution is preferred, then an insertion, then a deletion; with `gaps_first`, hits
    and substitutions come after deletions.

    Raises
    ------
    InputError
        If the table of a pair would have more than 2^32 entries.
    """
    lengths = row_lengths(texts.offsets)
    own, its = lengths[texts.hypotheses], lengths[texts.references]
    most = int(((own + 1) * (its + 1)).max(initial=1))
    if most > _MOST_STEPS:
        raise InputError(
            f"a pair of texts is too long to be aligned: {most:,} pairs of units; {_MOST_STEPS:,} at most."
        )
    counts, partners = np.empty((len(own), 6)), np.empty(int(its.sum()), np.int32)
    costs, steps = np.empty(int(its.max(initial=0)) + 1, np.int64), np.empty(most, np.uint8)
    _cheapest_alignments(*texts, gap, substitution, int(gaps_first), costs, steps, counts, partners)
    return counts, partners

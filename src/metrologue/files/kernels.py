"""The loop that cuts a text at the ends of its references."""

from __future__ import annotations

from metrologue.kernels.arrays import Ids, Number, Offsets, Rows
from metrologue.native import kernel

__all__ = ["middle_cut"]


@kernel
def middle_cut(words: Ids, ids: Ids, offsets: Offsets, segments: Offsets, middle: int, costs: Rows, cuts: Rows) -> int:
    """Where the first `middle` segments end in a cut of `words` that has the least number of edits.

    Invariant: ``costs[0, j]`` is the least number of edits of the first j words with the segments so far, and
    ``cuts[0, j]`` is where that solution is cut in the middle. Row 1 has those of the current segment, of the best of
    its references up to here, and row 2 those of a reference. `segments` are offsets of references, `offsets` those of
    their words, `ids`. The last two arguments are room for 3 rows of a number for each word and one more.
    """
    n = len(words)
    for j in range(n + 1):
        costs[0, j] = j
        cuts[0, j] = j if middle == 0 else 0
    for s in range(len(segments) - 1):
        for r in range(segments[s], segments[s + 1]):
            for j in range(n + 1):
                costs[2, j], cuts[2, j] = costs[0, j], cuts[0, j]
                if j > 0 and costs[2, j - 1] + 1 < costs[2, j]:
                    costs[2, j], cuts[2, j] = costs[2, j - 1] + 1, cuts[2, j - 1]
            for i in range(offsets[r], offsets[r + 1]):
                word: Number = ids[i]
                diagonal, origin = costs[2, 0], cuts[2, 0]
                costs[2, 0] += 1
                for j in range(1, n + 1):
                    cost = diagonal + (0 if words[j - 1] == word else 1)
                    cut = origin
                    diagonal, origin = costs[2, j], cuts[2, j]
                    if diagonal + 1 < cost:
                        cost, cut = diagonal + 1, origin
                    if costs[2, j - 1] + 1 < cost:
                        cost, cut = costs[2, j - 1] + 1, cuts[2, j - 1]
                    costs[2, j], cuts[2, j] = cost, cut
            for j in range(n + 1):
                if r == segments[s] or costs[2, j] < costs[1, j]:
                    costs[1, j], cuts[1, j] = costs[2, j], cuts[2, j]
        for j in range(n + 1):
            costs[0, j] = costs[1, j]
            cuts[0, j] = j if s + 1 == middle else cuts[1, j]
    cut_at: Number = cuts[0, n]
    return cut_at

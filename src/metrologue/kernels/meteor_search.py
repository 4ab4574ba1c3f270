"""The beam search of METEOR 1.5 among matches that overlap."""

from __future__ import annotations

from numpy import int64

from metrologue.kernels.arrays import IdRows, Number, Offsets, Rows
from metrologue.kernels.meteor_matches import LENGTH, NONE, OTHER_LENGTH, OTHER_START, STAGE, START
from metrologue.native import helper

__all__ = ["USED", "search"]

# A path's merit is one number, and less is better. The bits from this one on hold the covered words, as a negative
# number; the bits below hold the chunks.
_CHUNK_BITS = 32


@helper
def _gain(matches: IdRows, m: Number, exact: Number, halved: Number) -> Number:
    """What a match adds to a path's covered words. If `halved`, only exact matches count in full; halves round down."""
    half = int64(halved and matches[m, STAGE] != exact)
    return (int64(matches[m, LENGTH]) >> half) + (int64(matches[m, OTHER_LENGTH]) >> half)


# The columns of a path: see `search`. From USED on there is one bit for each word of the hypothesis, set if covered.
_MERIT, _DISTANCE, _LAST, _END, _FOLLOWING, USED = range(6)


@helper
def _enter(paths: Rows, moves: IdRows, n: Number, merit: Number, distance: Number, parent: Number, m: Number) -> Number:
    """Insert a path after those that are as good, if there is room among the best. Returns the number of paths."""
    last = len(paths) - 1
    place = n
    if n > last:
        if paths[last, _MERIT] < merit or (paths[last, _MERIT] == merit and paths[last, _DISTANCE] <= distance):
            return n
        place = last
    stop = place + 1
    while place > 0 and (
        paths[place - 1, _MERIT] > merit
        or (paths[place - 1, _MERIT] == merit and paths[place - 1, _DISTANCE] > distance)
    ):
        for column in range(2):
            paths[place, column], moves[place, column] = paths[place - 1, column], moves[place - 1, column]
        place -= 1
    paths[place, _MERIT], paths[place, _DISTANCE] = merit, distance
    moves[place, 0], moves[place, 1] = parent, m
    return stop


@helper
def _is_free(path: Offsets, start: Number, stop: Number) -> Number:
    free = True
    for i in range(start, stop):
        free &= (path[USED + (i >> 6)] >> (i & 63)) & 1 == 0
    return free


@helper
def search(
    matches: IdRows,
    first: Offsets,
    order: Offsets,
    n1: Number,
    n2: Number,
    exact: Number,
    by_paper: Number,
    now: Rows,
    then: Rows,
    moves: IdRows,
    nodes: IdRows,
    chosen: Offsets,
) -> None:
    """Choose among overlapping matches: most words covered, then fewest chunks, then least distance between starts.

    The search of METEOR 1.5 goes over the reference from left to right. At each word it keeps the best paths, up to the
    size of the beam; of equal paths it keeps those that were found first. The program differs from its papers in two
    things. A word counts half in all stages but the exact one. The distance of a match is not added to the path that
    takes the match, but to the paths that the same parent makes afterwards.

    Invariant: before word j the paths are sorted by merit, and each has decided on all matches that begin before j.
    A path's following word is the next one that it decides on. Its end is the word of the hypothesis that would
    continue its last chunk, or -1 if no chunk is open. Its last node holds a match and the index of the node before.
    """
    width = USED + ((n1 + 63) >> 6)
    now[0, :width] = 0
    now[0, _LAST], now[0, _END] = NONE, NONE
    made = 0
    paths = 1
    for j in range(n2):
        settled = chosen[j] != NONE
        n = 0
        for p in range(paths):
            path = now[p]
            distance, inside = path[_DISTANCE], path[_FOLLOWING] > j
            for k in range(first[j + 1] if inside else first[j], first[j + 1] + (inside or not settled)):
                m, merit, apart = int64(NONE), path[_MERIT], int64(0)
                if k < first[j + 1]:
                    m = order[k]
                    start = int64(matches[m, OTHER_START])
                    if not _is_free(path, start, start + matches[m, OTHER_LENGTH]):
                        continue
                    merit -= _gain(matches, m, exact, not by_paper) << _CHUNK_BITS
                    merit += path[_END] != NONE and start != path[_END]
                    apart = abs(j - start)
                elif not inside:
                    merit += path[_END] != NONE
                own = apart * (settled or by_paper)
                n = _enter(then, moves, n, merit, distance + own, p, m)
                distance += apart - own
        for p in range(n):
            path, parent, m = then[p], now[moves[p, 0]], int64(moves[p, 1])
            for column in range(_LAST, width):
                path[column] = parent[column]
            if m != NONE:
                start = int64(matches[m, OTHER_START])
                stop = start + matches[m, OTHER_LENGTH]
                for i in range(start, stop):
                    path[USED + (i >> 6)] |= int64(1) << (i & 63)
                nodes[made, 0], nodes[made, 1] = m, parent[_LAST]
                path[_LAST], path[_END], path[_FOLLOWING] = made, stop, j + matches[m, LENGTH]
                made += 1
            elif parent[_FOLLOWING] <= j:
                path[_END], path[_FOLLOWING] = NONE, j + 1
        now, then = then, now
        paths = n
    best = 0
    for p in range(paths):
        now[p, _MERIT] += now[p, _END] != NONE
        better = now[p, _MERIT] < now[best, _MERIT]
        if better or (now[p, _MERIT] == now[best, _MERIT] and now[p, _DISTANCE] < now[best, _DISTANCE]):
            best = p
    node = now[best, _LAST]
    while node != NONE:
        chosen[matches[nodes[node, 0], START]] = nodes[node, 0]
        node = int64(nodes[node, 1])

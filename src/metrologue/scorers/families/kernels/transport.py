"""Exact optimal transport between small bags: the earth mover's distance (Rubner et al. 2000).

A bag is a list of rows of a matrix of vectors, each with a count. Its mass is 1, shared out by the counts. The unit
of masses is 1 divided by the least common multiple of both bags' totals, so that they are whole numbers and no flow is
ever rounded.

A flow is a tree: its nodes are the entries of one bag, the rows, then those of the other, the columns. `tree` has for
each node its parent (-1 for the root), its depth, its first child, its next and its previous sibling, and the flow
between it and its parent.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.errors import InputError
from metrologue.kernels.arrays import FloatRows, Floats, Number, Offsets, Rows, longest_row
from metrologue.kernels.words import greater, lesser, square_root
from metrologue.native import helper, kernel

__all__ = ["Bags", "Room", "solve", "transport_costs", "transport_plan"]


class Bags(NamedTuple):
    """Bags of vectors.

    Attributes
    ----------
    offsets : int64 (n + 1,)
        Bag t has the entries ``offsets[t]:offsets[t + 1]``. It may be empty.
    rows : int64 (entries,)
        The row of each entry in the matrix of vectors. A row is in a bag once.
    counts : int64 (entries,)
        How often the bag has it, 1 or more.
    """

    offsets: Offsets
    rows: Offsets
    counts: Offsets


class Room(NamedTuple):
    """The cost of each pair of entries, the masses of all entries, the tree, and the prices of its nodes."""

    costs: Floats
    masses: Offsets
    tree: Rows
    prices: Floats


@helper
def _fill_costs(
    vectors: FloatRows, rows: Offsets, own: Number, n: Number, its: Number, m: Number, costs: Floats
) -> None:
    """The Euclidean distance of each entry of one bag from each of the other; four sums keep the processor busy."""
    width = vectors.shape[1]
    for i in range(n):
        for j in range(m):
            one, other = rows[own + i], rows[its + j]
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            if one != other:
                for k in range(0, width - 3, 4):
                    p, q = vectors[one, k] - vectors[other, k], vectors[one, k + 1] - vectors[other, k + 1]
                    r, s = vectors[one, k + 2] - vectors[other, k + 2], vectors[one, k + 3] - vectors[other, k + 3]
                    a, b, c, d = a + p * p, b + q * q, c + r * r, d + s * s
                for k in range(width - width % 4, width):
                    p = vectors[one, k] - vectors[other, k]
                    a += p * p
            costs[i * m + j] = square_root(a + b + (c + d))


@helper
def _hang(x: Number, parent: Number, amount: Number, tree: Rows) -> None:
    """Make x the first child of another node, with this flow between them."""
    above, child, later, before, moved = tree[0], tree[2], tree[3], tree[4], tree[5]
    above[x], moved[x], later[x], before[x] = parent, amount, child[parent], -1
    if later[x] >= 0:
        before[later[x]] = x
    child[parent] = x


@helper
def _take(x: Number, tree: Rows) -> None:
    """Take x, with all below it, from among the children of its parent."""
    above, child, later, before = tree[0], tree[2], tree[3], tree[4]
    if before[x] >= 0:
        later[before[x]] = later[x]
    else:
        child[above[x]] = later[x]
    if later[x] >= 0:
        before[later[x]] = before[x]


@helper
def _first_tree(room: Room, n: Number, m: Number) -> Number:
    """Fill each row's cheapest columns that still have room. Each cell uses up one node, the child of the other one.

    Returns the node that is left, the root.
    """
    for x in range(n + m):
        room.tree[0, x] = room.tree[2, x] = -1
    root = int64(0)
    for i in range(n):
        while room.masses[i]:
            j = int64(-1)
            for k in range(m):
                if room.masses[n + k] and (j < 0 or room.costs[i * m + k] < room.costs[i * m + j]):
                    j = int64(k)
            root = n + j
            amount = lesser(room.masses[i], room.masses[root])
            room.masses[i] -= amount
            room.masses[root] -= amount
            if room.masses[i]:
                _hang(root, i, amount, room.tree)
            else:
                _hang(i, root, amount, room.tree)
    return root


@helper
def _price(room: Room, top: Number, n: Number, m: Number) -> None:
    """The depth and the price of a node and of all below it: the prices of both ends of an edge sum to its cost."""
    above, depth, child, later = room.tree[0], room.tree[1], room.tree[2], room.tree[3]
    x = top
    while x >= 0:
        parent = above[x]
        if parent >= 0:
            depth[x] = depth[parent] + 1
            room.prices[x] = room.costs[x * m + parent - n if x < n else parent * m + x - n] - room.prices[parent]
        else:
            depth[x], room.prices[x] = 0, 0.0
        if child[x] >= 0:
            x = child[x]
        else:
            while x != top and later[x] < 0:
                x = above[x]
            x = later[x] if x != top else int64(-1)


@helper
def _enter(i: Number, j: Number, n: Number, tree: Rows) -> Number:
    """Send flow through a new cell, round the cycle that it closes, until an edge of the tree has none and leaves.

    Returns the node that now hangs from the other end of the cell.
    """
    above, depth, moved = tree[0], tree[1], tree[5]
    x, y, leaving, of_row = i, j, int64(-1), False
    while x != y:
        if depth[x] >= depth[y]:
            if x < n and (leaving < 0 or moved[x] < moved[leaving]):
                leaving, of_row = x, True
            x = above[x]
        else:
            if y >= n and (leaving < 0 or moved[y] < moved[leaving]):
                leaving, of_row = y, False
            y = above[y]
    amount, x, y = moved[leaving], i, j
    while x != y:
        if depth[x] >= depth[y]:
            moved[x] += -amount if x < n else amount
            x = above[x]
        else:
            moved[y] += amount if y < n else -amount
            y = above[y]
    top, parent = (i, j) if of_row else (j, i)
    x = top
    while True:
        before, flow = above[x], moved[x]
        _take(x, tree)
        _hang(x, parent, amount, tree)
        if x == leaving:
            return top
        x, parent, amount = before, x, flow


@helper
def solve(room: Room, n: Number, m: Number) -> Number:
    """The cheapest flow, by the simplex method for transport problems (Dantzig 1951). Returns the root of its tree.

    Invariant: the edges of the tree have all flow, and more than none. To keep it so, each row has a little more mass,
    one part in `unit` of the least mass, and the last column takes it up (Orden 1956); it is rounded away at the end.
    So each step makes the flow cheaper, and no tree comes again.
    """
    unit, most = 2 * int64(n) + 1, 0.0
    for x in range(n + m):
        room.masses[x] *= unit
    for i in range(n):
        room.masses[i] += 1
    room.masses[n + m - 1] += n
    for cell in range(n * m):
        most = greater(most, room.costs[cell])
    root = _first_tree(room, n, m)
    _price(room, root, n, m)
    row: Number = int64(0)
    idle = 0
    while idle < n:  # until no row has had a cell that is cheaper than the tree
        best: Number = int64(-1)
        least = -1e-13 * most
        for j in range(m):
            gain = room.costs[row * m + j] - room.prices[row] - room.prices[n + j]
            if gain < least:
                best, least = int64(j), gain
        idle += 1
        if best >= 0:
            _price(room, _enter(row, n + best, n, room.tree), n, m)
            idle = 0
        row = row + 1 if row + 1 < n else int64(0)
    for x in range(n + m):
        if x != root:
            room.tree[5, x] = (room.tree[5, x] + n) // unit
    return root


@helper
def _relaxed(room: Room, n: Number, m: Number) -> Number:
    """The greater cost of two flows: one meets the supplies only, the other the demands only (Kusner et al. 2015)."""
    one, other = 0.0, 0.0
    for i in range(n):
        least = room.costs[i * m]
        for j in range(1, m):
            least = lesser(least, room.costs[i * m + j])
        one += room.masses[i] * least
    for j in range(m):
        least = room.costs[j]
        for i in range(1, n):
            least = lesser(least, room.costs[i * m + j])
        other += room.masses[n + j] * least
    return greater(one, other)


@kernel
def _transport_costs(
    vectors: FloatRows,
    bags: Bags,
    hypotheses: Offsets,
    references: Offsets,
    relaxed: bool,
    room: Room,
    found: FloatRows,
) -> None:
    for p in range(len(hypotheses)):
        own, its = bags.offsets[hypotheses[p]], bags.offsets[references[p]]
        n, m = bags.offsets[hypotheses[p] + 1] - own, bags.offsets[references[p] + 1] - its
        found[p, 0] = found[p, 1] = np.nan
        if n and m:
            total, other = int64(0), int64(0)
            for i in range(n):
                total += bags.counts[own + i]
            for j in range(m):
                other += bags.counts[its + j]
            unit, rest = total, other
            while rest:  # to their greatest common divisor
                unit, rest = rest, unit % rest
            share, part = other // unit, total // unit
            for i in range(n):
                room.masses[i] = bags.counts[own + i] * share
            for j in range(m):
                room.masses[n + j] = bags.counts[its + j] * part
            _fill_costs(vectors, bags.rows, own, n, its, m, room.costs)
            moved, every = 0.0, 0.0
            if relaxed:
                moved = _relaxed(room, n, m)
            else:
                root = solve(room, n, m)
                for x in range(n + m):
                    if x != root:
                        parent = room.tree[0, x]
                        moved += room.tree[5, x] * room.costs[x * m + parent - n if x < n else parent * m + x - n]
            for cell in range(n * m):
                every += room.costs[cell]
            found[p, 0], found[p, 1] = moved / (total * share), every


def transport_costs(
    vectors: FloatRows, bags: Bags, hypotheses: Offsets, references: Offsets, relaxed: bool = False
) -> FloatRows:
    """The least cost of moving each hypothesis to its reference, by Euclidean distances, and the sum of all distances.

    Parameters
    ----------
    vectors : float64 (rows, width)
    bags : Bags
    hypotheses, references : int64 (pairs,)
        The bags of each pair.
    relaxed : bool
        Whether the cost is the lower bound in which only one of the two bags has to be met, whichever costs more.

    Returns
    -------
    float64 (pairs, 2)
        NaN for a pair with an empty bag.

    Examples
    --------
    >>> vectors = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])
    >>> bags = Bags(np.array([0, 2, 3, 3]), np.array([0, 1, 2]), np.array([1, 1, 2]))
    >>> transport_costs(vectors, bags, np.array([0, 0]), np.array([1, 2])).round(6)
    array([[2.62132 , 5.242641],
           [     nan,      nan]])
    """
    longest = longest_row(bags.offsets)
    found = np.empty((len(hypotheses), 2))
    masses, tree = np.empty(2 * longest, np.int64), np.empty((6, 2 * longest), np.int64)
    room = Room(np.empty(longest * longest), masses, tree, np.empty(2 * longest))
    _transport_costs(vectors, *bags, hypotheses, references, relaxed, *room, found)
    return found


@kernel
def _transport_plan(room: Room, n: int, m: int, flow: Offsets) -> None:
    root = solve(room, int64(n), int64(m))
    for x in range(n + m):
        if x != root:
            parent = room.tree[0, x]
            flow[x * m + parent - n if x < n else parent * m + x - n] = room.tree[5, x]


def transport_plan(costs: FloatRows, supplies: Offsets, demands: Offsets) -> Floats:
    """The flow of least cost from n places to m places, as shares of the whole mass, (n, m).

    Parameters
    ----------
    costs : float64 (n, m)
        0 or more.
    supplies, demands : int64 (n,), (m,)
        The mass of each place, of 0 or more, in units of its side: both sides have the mass 1.

    Raises
    ------
    InputError
        If a mass is negative, all masses of a side are 0, or the shape of the costs is another one.

    Examples
    --------
    >>> transport_plan(np.array([[0.0, 5.0], [1.0, 1.0]]), np.array([1, 1]), np.array([1, 3]))
    array([[0.25, 0.25],
           [0.  , 0.5 ]])
    """
    for name, masses in (("supplies", supplies), ("demands", demands)):
        if (masses < 0).any():
            raise InputError.at("transport_plan", name, int(np.flatnonzero(masses < 0)[0]), " is negative.")
        if not masses.any():
            raise InputError(f"transport_plan: all `{name}` are 0; a mass above 0 is expected.")
    if costs.shape != (shape := (len(supplies), len(demands))):
        raise InputError(f"transport_plan: `costs` has the shape {costs.shape}; {shape} is expected.")
    if not (np.isfinite(costs) & (costs >= 0)).all():
        raise InputError("transport_plan: `costs` holds a number that is negative or not finite.")
    own, its = np.flatnonzero(supplies), np.flatnonzero(demands)  # the others send and get nothing
    n, m, total, other = len(own), len(its), int(supplies.sum()), int(demands.sum())
    whole = math.lcm(total, other)
    masses = np.concatenate([supplies[own] * (whole // total), demands[its] * (whole // other)]).astype(np.int64)
    chosen, flow = np.ascontiguousarray(costs[np.ix_(own, its)], np.float64).ravel(), np.zeros(n * m, np.int64)
    _transport_plan(chosen, masses, np.empty((6, n + m), np.int64), np.empty(n + m), n, m, flow)
    shares = np.zeros(costs.shape)
    shares[np.ix_(own, its)] = flow.reshape(n, m) / whole
    return shares

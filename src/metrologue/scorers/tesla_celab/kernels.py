"""How much of two texts is covered by n-grams that match, as TESLA-CELAB has it (Liu and Ng 2012).

Each n-gram may send a weight of at most 1 to the n-grams of the other text that it matches, and get at most 1. An
n-gram is covered by the weights of all n-grams that contain it, up to 1. The greatest coverage counts.

The two sides do not hinder each other: if some weights can leave the n-grams of one text, and others can reach those of
the other text, then one flow has at least both (Mendelsohn and Dulmage 1958, for flows). So each side is a problem of
its own, in which the other one is but a set of capacities. What is left is a linear program with a coverage function,
for which no combinatorial form is known: the best coverage may be a fraction. But nearly all of it decides itself. A
maximum flow shows which n-grams can have their whole weight whatever the others do (Dulmage and Mendelsohn 1958); what
they cover needs no other n-gram; and so on. Only n-grams that are left then, such as repeated ones that overlap, are
variables of a program, which the simplex method solves.

Equal n-grams of a text are one entry, with a count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.errors import InputError
from metrologue.kernels.arrays import FloatRows, Floats, Ids, Number, Offsets, Rows
from metrologue.kernels.synonyms import are_synonyms
from metrologue.kernels.words import lesser
from metrologue.native import helper, kernel

__all__ = ["CoveredTexts", "Links", "coverage", "coverage_of", "links_of"]

_CELLS = 1 << 16  # of the first table for the simplex method
_MOST = 1 << 28  # of the greatest one: 2 GiB


class CoveredTexts(NamedTuple):
    """The n-grams of texts.

    Attributes
    ----------
    offsets : int64 (n_texts + 1,)
        The tokens of text t are ``offsets[t]:offsets[t + 1]``.
    places : int64 (n_tokens * max_order,)
        For the n-gram of order k that begins at token i, at ``i * max_order + k - 1``: its place among the entries of
        its text; -1 if the text ends before it.
    limits : int64 (n_texts + 1,)
        The entries of text t are ``limits[t]:limits[t + 1]``, ascending by their units.
    starts, orders, counts : int64 (n_entries,)
        Where the text has an entry first, how many tokens it has, and how often the text has it.
    units : int32 (n_tokens * max_order,)
        What identifies the characters of an n-gram; -1 as above.
    own_offsets, own_keys, its_offsets, its_keys : int64 (n_units + 1,), int32, int64 (n_units + 1,), int32
        The keys of each unit in a hypothesis and in a reference, ascending. Two units with a common key are synonyms.
    """

    offsets: Offsets
    places: Offsets
    limits: Offsets
    starts: Offsets
    orders: Offsets
    counts: Offsets
    units: Ids
    own_offsets: Offsets
    own_keys: Ids
    its_offsets: Offsets
    its_keys: Ids


class Links(NamedTuple):
    """Which n-grams of two texts match, for some pairs of texts.

    Attributes
    ----------
    offsets : int64 (n_pairs + 1,)
        The links of pair p are ``offsets[p]:offsets[p + 1]``, those of its hypothesis ascending.
    hypotheses, references : int64 (n_links,)
        The places of the two entries.
    """

    offsets: Offsets
    hypotheses: Offsets
    references: Offsets


class _Work(NamedTuple):
    """Arrays to work in. Those with two rows have one for each side; see the functions that fill them."""

    ends: Rows
    items: Rows
    ways: Rows
    flow: Offsets
    room: Offsets
    demands: Offsets
    queue: Offsets
    rows: Offsets
    groups: Offsets
    state: Offsets
    cover: Offsets
    shared: Offsets
    variables: Offsets
    members: Offsets
    owners: Offsets
    columns: Offsets

    @classmethod
    def of(cls, links: int, entries: int, cells: int, kinds: int) -> _Work:
        """Room for texts with so many links, entries, n-grams and kinds of variables of an entry."""
        two = ((2, entries + 1), (2, links), (2, entries))
        sizes = (links, *[entries] * 4, entries * kinds, *[cells] * 7)
        return cls(*(np.empty(shape, np.int64) for shape in (*two, *sizes)))


class _Program(NamedTuple):
    table: Floats
    basic: Offsets
    free: Offsets

    @classmethod
    def of(cls, cells: int, rows: int, columns: int) -> _Program:
        return cls(np.empty(cells), np.empty(rows, np.int64), np.empty(columns, np.int64))


@helper
def _same_unit(texts: CoveredTexts, a: Number, b: Number) -> bool:
    """Whether two n-grams have the same characters, or a common key."""
    return texts.units[a] == texts.units[b] or are_synonyms(texts, texts.units[a], texts.units[b])


@helper
def _matches(
    texts: CoveredTexts,
    a: Number,
    n: Number,
    b: Number,
    m: Number,
    max_order: Number,
    short_first: Number,
    reached: Offsets,
) -> bool:
    """Whether two n-grams can be cut into units that match one by one. `reached` tells of the first i and j tokens.

    With `short_first`, one of the first two units has a single token.
    """
    for i in range(n + 1):
        for j in range(m + 1):
            reached[i * (max_order + 1) + j] = 0
    reached[0] = 1
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            found = int64(0)
            for x in range(i):
                for y in range(j):
                    if not found and reached[x * (max_order + 1) + y]:
                        long = x == 0 and y == 0 and i > 1 and j > 1
                        one, other = (a + x) * max_order + i - x - 1, (b + y) * max_order + j - y - 1
                        if not (long and short_first) and _same_unit(texts, one, other):
                            found = int64(1)
            reached[i * (max_order + 1) + j] = found
    return reached[n * (max_order + 1) + m] == 1


@kernel
def _find_links(
    texts: CoveredTexts,
    hypotheses: Offsets,
    references: Offsets,
    max_order: int,
    by_keys: bool,
    short_first: bool,
    filled: bool,
    reached: Offsets,
    ends: Offsets,
    own: Offsets,
    its: Offsets,
) -> None:
    at = 0
    for p in range(len(hypotheses)):
        first, last = texts.limits[hypotheses[p]], texts.limits[hypotheses[p] + 1]
        other, stop = texts.limits[references[p]], texts.limits[references[p] + 1]
        low = other  # all entries before have lower units
        for i in range(first, last):
            a = texts.starts[i]
            unit = texts.units[a * max_order + texts.orders[i] - 1]
            j = low
            while j < stop:
                b = texts.starts[j]
                its_unit = texts.units[b * max_order + texts.orders[j] - 1]
                linked = False
                if by_keys:
                    linked = _matches(texts, a, texts.orders[i], b, texts.orders[j], max_order, short_first, reached)
                elif its_unit > unit:
                    break
                elif its_unit < unit:
                    low = j + 1
                else:
                    linked = True
                if linked:
                    if filled:
                        own[at], its[at] = i - first, j - other
                    at += 1
                j += 1
        ends[p + 1] = at


def links_of(
    texts: CoveredTexts, hypotheses: Offsets, references: Offsets, max_order: int, short_first: bool = False
) -> Links:
    """The n-grams that match, of each pair of texts.

    Parameters
    ----------
    texts : CoveredTexts
    hypotheses, references : int64 (pairs,)
    max_order : int
        The longest n-grams, as of the texts.
    short_first : bool
        Whether one of the first two units of a match must be a single token.
    """
    ends, reached = np.zeros(len(hypotheses) + 1, np.int64), np.empty((max_order + 1) ** 2, np.int64)
    by_keys = bool(len(texts.own_keys) and len(texts.its_keys))
    for filled in (False, True):
        own, its = np.empty((2, ends.item(-1)), np.int64)
        _find_links(*texts, hypotheses, references, max_order, by_keys, short_first, filled, reached, ends, own, its)
    return Links(ends, own, its)


@helper
def _fill_lists(
    work: _Work, own: Offsets, its: Offsets, first: Number, last: Number, count: Number, side: Number
) -> None:
    """The links as lists: entry a of a side matches the entries ``items[side, ends[side, a]:ends[side, a + 1]]``."""
    for i in range(count + 1):
        work.ends[side, i] = 0
    for link in range(first, last):
        work.ends[side, own[link] + 1] += 1
    for i in range(count):
        work.ends[side, i + 1] += work.ends[side, i]
    for link in range(first, last):
        entry = own[link]
        work.items[side, work.ends[side, entry]] = its[link]
        work.ends[side, entry] += 1
    for i in range(count, 0, -1):
        work.ends[side, i] = work.ends[side, i - 1]
    work.ends[side, 0] = 0


@helper
def _reach(work: _Work, entry: Number, side: Number, tail: Number, through: Number) -> Number:
    """Put the entries of the other side that this one matches into the queue, unless they are there. Returns its end.

    For each, `ways` gets the link to it, and the link that sends less if more goes this way, -1 for none.
    """
    for link in range(work.ends[side, entry], work.ends[side, entry + 1]):
        b = work.items[side, link]
        if work.ways[0, b] < 0:
            work.ways[0, b], work.ways[1, b] = link, through
            work.queue[tail] = b
            tail += 1
    return tail


@helper
def _search(work: _Work, entry: Number, side: Number, tail: Number) -> tuple[Number, Number]:
    """Follow all ways on which something can be moved from an entry, until one ends where there is room.

    Returns that end, -1 for none, and the end of the queue.
    """
    other, head = 1 - side, tail
    tail = _reach(work, entry, side, tail, int64(-1))
    while head < tail:
        b = work.queue[head]
        head += 1
        if work.room[b] > 0:
            return b, tail
        for k in range(work.ends[other, b], work.ends[other, b + 1]):
            a = work.items[other, k]
            for link in range(work.ends[side, a], work.ends[side, a + 1]):
                if work.items[side, link] == b and work.flow[link] > 0:
                    tail = _reach(work, a, side, tail, link)
    return int64(-1), tail


@helper
def _fill_flow(work: _Work, count: Number, side: Number, total: Number) -> Number:
    """A greatest flow; `demands` keeps what it cannot send, `room` what it leaves, and `ways` what is then within reach
    of entries that cannot send all: 0 or more for entries of the other side. Returns how many of these there are."""
    for link in range(work.ends[side, count]):
        work.flow[link] = 0
    for b in range(total):
        work.ways[0, b] = -1
    for a in range(count):
        while work.demands[a] > 0:
            end, tail = _search(work, a, side, int64(0))
            if end >= 0:
                amount = lesser(work.demands[a], work.room[end])
                b = end
                while work.ways[1, b] >= 0:
                    amount = lesser(amount, work.flow[work.ways[1, b]])
                    b = work.items[side, work.ways[1, b]]
                b = end
                while work.ways[1, b] >= 0:
                    work.flow[work.ways[0, b]] += amount
                    work.flow[work.ways[1, b]] -= amount
                    b = work.items[side, work.ways[1, b]]
                work.flow[work.ways[0, b]] += amount
                work.demands[a] -= amount
                work.room[end] -= amount
            for k in range(tail):
                work.ways[0, work.queue[k]] = -1
            if end < 0:
                break
    tail = int64(0)
    for a in range(count):
        if work.demands[a] > 0:
            _, tail = _search(work, a, side, tail)
    return tail


@helper
def _cover(place: Number, order: Number, max_order: Number, by: Number, covers: Offsets) -> Number:
    """Add to each n-gram inside the one of this order at this place; or, if `by` is 0, count those that have 0."""
    found = int64(0)
    for i in range(order):
        for k in range(order - i):
            cell = (place + i) * max_order + k
            if by == 0 and covers[cell] == 0:
                found += 1
            covers[cell] += by
    return found


@helper
def _settle(
    texts: CoveredTexts,
    work: _Work,
    side: Number,
    text: Number,
    count: Number,
    others: Number,
    other_entry: Number,
    max_order: Number,
) -> Number:
    """Decide which n-grams of a text have their whole weight, and which ones nothing needs.

    `state` gets 2 for the first, 0 for the second or for those that match none, and 1 for those that are left, whose
    number is returned. `cover` counts the n-grams with a whole weight that contain an n-gram. In the end, `demands` has
    -1 for entries none of whose n-grams is left.

    Invariant: the n-grams that are left can only send to entries that they fill, and nothing else needs these.
    """
    start = texts.offsets[text] * max_order
    cells = (texts.offsets[text + 1] - texts.offsets[text]) * max_order
    left = int64(0)
    for cell in range(cells):
        work.cover[cell], work.state[cell] = 0, 0
        entry = texts.places[start + cell]
        if entry >= 0 and work.ends[side, entry] < work.ends[side, entry + 1]:
            work.state[cell] = 1
            left += 1
    changed = True
    while left and changed:
        changed = False
        for a in range(count):
            work.demands[a] = 0
        for cell in range(cells):
            if work.state[cell] == 1:
                work.demands[texts.places[start + cell]] += 1
        for b in range(others):
            work.room[b] = texts.counts[other_entry + b]
        _fill_flow(work, count, side, others)
        # What is within reach: an entry that cannot send all, or one that sends to where such a one could.
        for a in range(count):
            reached = work.demands[a] > 0
            for link in range(work.ends[side, a], work.ends[side, a + 1]):
                reached |= work.flow[link] > 0 and work.ways[0, work.items[side, link]] >= 0
            work.demands[a] = 1 if reached else -1
        for cell in range(cells):
            if work.state[cell] == 1 and work.demands[texts.places[start + cell]] < 0:
                work.state[cell] = 2
                left -= 1
                changed = True
                _cover(cell // max_order, cell % max_order + 1, max_order, 1, work.cover)
        for cell in range(cells):
            if work.state[cell] == 1 and not _cover(cell // max_order, cell % max_order + 1, max_order, 0, work.cover):
                work.state[cell] = 0
                left -= 1
                changed = True
    return left


@helper
def _name_variables(
    texts: CoveredTexts, work: _Work, side: Number, start: Number, cells: Number, max_order: Number, kinds: Number
) -> tuple[Number, Number, Number]:
    """Number the variables of a program: one for each n-gram that is left.

    `shared` gets how many of these contain each open n-gram. Those of an entry that share nothing with others and cover
    equally much are alike, so they are one variable; `members` has how many. Returns the number of variables, of links
    of their entries, and of n-grams that several of them contain.
    """
    for cell in range(cells):
        work.shared[cell] = 0
    for cell in range(cells):
        if work.state[cell] == 1:
            _cover(cell // max_order, cell % max_order + 1, max_order, 1, work.shared)
    count, links, several = int64(0), int64(0), int64(0)
    for cell in range(cells):
        if work.cover[cell]:
            work.shared[cell] = 0
        if work.shared[cell] > 1:
            several += 1
        if work.state[cell] != 1:
            continue
        place, order, entry = cell // max_order, cell % max_order + 1, texts.places[start + cell]
        gain, alone = 0, True
        for i in range(order):
            for k in range(order - i):
                inner = (place + i) * max_order + k
                if work.cover[inner] == 0:
                    gain += 1
                    alone &= work.shared[inner] == 1
        group = entry * kinds + gain
        if alone and work.groups[group] >= 0:
            work.variables[cell] = work.groups[group]
            work.members[work.groups[group]] += 1
        else:
            if alone:
                work.groups[group] = count
            work.variables[cell], work.members[count], work.owners[count] = count, 1, entry
            links += work.ends[side, entry + 1] - work.ends[side, entry]
            count += 1
    return count, links, several


@helper
def _pivot(table: Floats, height: Number, width: Number, row: Number, column: Number) -> None:
    """Exchange a basic and a free variable. The last row is the gain, the last column what is given."""
    step = width + 1
    one = 1.0 / table[row * step + column]
    for j in range(step):
        table[row * step + j] *= one
    for i in range(height + 1):
        by = table[i * step + column]
        if i != row and by != 0.0:
            for j in range(step):
                table[i * step + j] -= by * table[row * step + j]
            table[i * step + column] = -by * one
    table[row * step + column] = one


@helper
def _maximize(program: _Program, height: Number, width: Number) -> None:
    """The simplex method (Dantzig 1951) from a basis of slack variables.

    The variable with the greatest gain enters. After many steps without gain, it is the first one (Bland 1977), so that
    no basis comes again.
    """
    step, idle = width + 1, 0
    for i in range(height):
        program.basic[i] = width + i
    for j in range(width):
        program.free[j] = j
    while True:
        column, best = int64(-1), 1e-9
        for j in range(width):
            gain = program.table[height * step + j]
            if idle > height + width:
                if gain > 1e-9 and (column < 0 or program.free[j] < program.free[column]):
                    column = int64(j)
            elif gain > best:
                column, best = int64(j), gain
        if column < 0:
            return
        row, least = int64(-1), 0.0
        for i in range(height):
            by = program.table[i * step + column]
            if by > 1e-9:
                ratio = program.table[i * step + width] / by
                if (
                    row < 0
                    or ratio < least - 1e-12
                    or (ratio < least + 1e-12 and program.basic[i] < program.basic[row])
                ):
                    row, least = int64(i), ratio
        idle = 0 if least > 1e-12 else idle + 1
        _pivot(program.table, height, width, row, column)
        program.basic[row], program.free[column] = program.free[column], program.basic[row]


@helper
def _fill_table(
    texts: CoveredTexts,
    work: _Work,
    side: Number,
    start: Number,
    cells: Number,
    others: Number,
    other_entry: Number,
    max_order: Number,
    count: Number,
    links: Number,
    several: Number,
    table: Floats,
) -> tuple[Number, Number]:
    """The program: maximize the weights times the n-grams that each covers, less what n-grams get above 1.

    A column for each link of a variable's entry, then one for each n-gram that several variables contain: what it gets
    above 1. A row for each variable, for each entry of the other side, and for each such n-gram. Returns the size.
    """
    width, height = links + several, count
    for b in range(others):
        work.rows[b] = -1
    at = int64(0)
    for v in range(count):
        work.columns[v] = at
        for link in range(work.ends[side, work.owners[v]], work.ends[side, work.owners[v] + 1]):
            if work.rows[work.items[side, link]] < 0:
                work.rows[work.items[side, link]] = height
                height += 1
            at += 1
    several_from = height
    height += several
    step = width + 1
    for cell in range((height + 1) * step):
        table[cell] = 0.0
    for v in range(count):
        table[v * step + width] = float(work.members[v])
        first = work.ends[side, work.owners[v]]
        for link in range(first, work.ends[side, work.owners[v] + 1]):
            column = work.columns[v] + link - first
            table[v * step + column] = 1.0
            table[work.rows[work.items[side, link]] * step + column] = 1.0
    for b in range(others):
        if work.rows[b] >= 0:
            table[work.rows[b] * step + width] = float(texts.counts[other_entry + b])
    at = int64(0)
    for cell in range(cells):  # from here on, the row of an n-gram that several contain, below 0
        if work.shared[cell] > 1:
            row = several_from + at
            table[row * step + width] = 1.0
            table[row * step + links + at] = -1.0
            table[height * step + links + at] = -1.0
            work.shared[cell] = -1 - row
            at += 1
    for v in range(count):
        work.members[v] = -work.members[v]  # whose gain is still to be entered
    for cell in range(cells):
        if work.state[cell] != 1:
            continue
        v, place, order = work.variables[cell], cell // max_order, cell % max_order + 1
        first = work.columns[v]
        last = first + work.ends[side, work.owners[v] + 1] - work.ends[side, work.owners[v]]
        if work.members[v] < 0:
            work.members[v] = -work.members[v]
            for i in range(order):
                for k in range(order - i):
                    inner = (place + i) * max_order + k
                    for column in range(first, last):
                        if work.shared[inner] != 0:
                            table[height * step + column] += 1.0
                        if work.shared[inner] < 0:
                            table[(-1 - work.shared[inner]) * step + column] = 1.0
    return height, width


@kernel
def _coverage(
    texts: CoveredTexts,
    hypotheses: Offsets,
    references: Offsets,
    links: Links,
    max_order: int,
    begin: int,
    work: _Work,
    program: _Program,
    weights: FloatRows,
    covered: FloatRows,
    needed: Offsets,
    found: FloatRows,
) -> int:
    """Fill the rows of `coverage` from pair `begin` on. Returns the pair for which the table is too small, or the
    number of pairs; `needed` gets the cells, the rows and the columns that it must have."""
    kinds = max_order * (max_order + 1) // 2 + 1
    for p in range(begin, len(hypotheses)):
        first, last = links.offsets[p], links.offsets[p + 1]
        one, other = hypotheses[p], references[p]
        n, m = texts.limits[one + 1] - texts.limits[one], texts.limits[other + 1] - texts.limits[other]
        _fill_lists(work, links.hypotheses, links.references, first, last, n, 0)
        _fill_lists(work, links.references, links.hypotheses, first, last, m, 1)
        for side in range(2):
            text, its = (one, other) if side == 0 else (other, one)
            count, others = (n, m) if side == 0 else (m, n)
            start = texts.offsets[text] * max_order
            cells = (texts.offsets[text + 1] - texts.offsets[text]) * max_order
            left = _settle(texts, work, side, text, count, others, texts.limits[its], max_order)
            if left:
                for group in range(count * kinds):
                    work.groups[group] = -1
                number, linked, several = _name_variables(texts, work, side, start, cells, max_order, kinds)
                tall, wide = number + others + several + 1, linked + several + 1
                if tall * wide > len(program.table) or tall > len(program.basic) or wide > len(program.free):
                    needed[0], needed[1], needed[2] = tall * wide, tall, wide
                    return p
                height, width = _fill_table(
                    texts,
                    work,
                    side,
                    start,
                    cells,
                    others,
                    texts.limits[its],
                    max_order,
                    number,
                    linked,
                    several,
                    program.table,
                )
                _maximize(program, height, width)
                for v in range(number):
                    covered[side, v] = 0.0  # for a while, the weight of each variable
                for i in range(height):
                    if program.basic[i] < linked:
                        v = number - 1
                        while work.columns[v] > program.basic[i]:
                            v -= 1
                        covered[side, v] += program.table[i * (width + 1) + width]
            for cell in range(cells):
                weights[side, cell] = 1.0 if work.state[cell] == 2 else 0.0
                if work.state[cell] == 1:
                    weights[side, cell] = covered[side, work.variables[cell]] / work.members[work.variables[cell]]
            for cell in range(cells):
                covered[side, cell] = 0.0
            for cell in range(cells):
                weight = weights[side, cell]
                if weight > 0.0:
                    for i in range(cell % max_order + 1):
                        for k in range(cell % max_order + 1 - i):
                            covered[side, (cell // max_order + i) * max_order + k] += weight
            total, ngrams = 0.0, 0
            for cell in range(cells):
                if texts.places[start + cell] >= 0:
                    covered[side, cell] = lesser(covered[side, cell], 1.0)
                    total += covered[side, cell]
                    ngrams += 1
            found[p, side], found[p, 2 + side] = total, float(ngrams)
    return len(hypotheses)


def _solved(
    texts: CoveredTexts, hypotheses: Offsets, references: Offsets, links: Links, max_order: int
) -> tuple[FloatRows, FloatRows, FloatRows]:
    """The rows of `coverage`; and of the last pair the weights and the coverage of each n-gram, (2, cells) each."""
    sizes = np.diff(texts.offsets)
    chosen = np.concatenate([hypotheses, references])
    cells = int(sizes[chosen].max(initial=0)) * max_order
    entries = int(np.diff(texts.limits)[chosen].max(initial=0))
    most = int(np.diff(links.offsets).max(initial=0))
    work = _Work.of(most, entries, cells, max_order * (max_order + 1) // 2 + 1)
    program = _Program.of(_CELLS, 512, 512)
    weights, covered, needed = np.zeros((2, cells)), np.zeros((2, cells)), np.empty(3, np.int64)
    found, begin = np.zeros((len(hypotheses), 4)), 0
    while True:
        begin = _coverage(
            *texts, hypotheses, references, *links, max_order, begin, *work, *program, weights, covered, needed, found
        )
        if begin == len(hypotheses):
            return found, weights, covered
        if needed[0] > _MOST:
            raise InputError(
                f"pair {begin}, counted from 0, has a program of {needed[1]} rows and {needed[2]} columns, too many "
                "to solve."
            )
        program = _Program.of(*(2 * needed).tolist())


def coverage(texts: CoveredTexts, hypotheses: Offsets, references: Offsets, links: Links, max_order: int) -> FloatRows:
    """How much of both texts is covered, and how many n-grams each has: float64 (pairs, 4), hypotheses first.

    Parameters are those of ``links_of``.

    Raises
    ------
    InputError
        If a program is too large: thousands of repeated n-grams that overlap.
    """
    return _solved(texts, hypotheses, references, links, max_order)[0]


def coverage_of(
    texts: CoveredTexts, hypothesis: int, reference: int, max_order: int, short_first: bool
) -> tuple[Links, FloatRows, FloatRows]:
    """What matches in a pair, and for each token and order of both texts, (2, cells): the weight of the n-gram, and how
    much of it is covered."""
    pair = np.array([hypothesis]), np.array([reference])
    links = links_of(texts, *pair, max_order, short_first)
    _, weights, covered = _solved(texts, *pair, links, max_order)
    return links, weights, covered

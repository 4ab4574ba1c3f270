"""Whether lines stand in another order than their references, and which belong together."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from metrologue.text.scripts import may_join_words

__all__ = ["reordered"]

# So many lines are looked at first; units in more lines than these tell nothing.
_LOOKED, _USUAL = 100, 50
# The best partner of a line has so many times as much in common with it as the next one.
_CLEAR = 1.5
# So many lines, and this share of those that have a clear partner, stand elsewhere.
_FEWEST, _MOVED = 4, 0.2
# Lines that are out of step by more lines, or of which so many stand before the one before them, are not shifted.
_STEP, _BACK = 3, 0.1


def _units(text: str) -> set[str]:
    """What two texts have in common: words, or pairs of characters where no spaces part the words."""
    lowered = text.lower()
    if may_join_words(lowered.encode()):
        return {a + b for a, b in pairwise(lowered)}
    return {*lowered.split()}


def reordered(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> list[int] | None:
    """The reference of each line, if the lines stand in another order than the references; otherwise None.

    Lines that are out of step by a few lines, as after a line that is missing, are not in another order.

    Examples
    --------
    >>> lines = [f"the {each} sleeps" for each in ("cat", "dog", "bird", "horse", "mouse", "goose", "cow", "fly")]
    >>> reordered(lines[::-1], [[line] for line in lines])
    [7, 6, 5, 4, 3, 2, 1, 0]
    >>> reordered(lines, [[line] for line in lines])
    """
    count = len(hypotheses)
    if count < _FEWEST or len(references) != count:
        return None
    of_text: dict[tuple[str, ...], list[int]] = defaultdict(list)  # equal references are one
    for i, texts in enumerate(references):
        of_text[tuple(texts)].append(i)
    places = [*of_text.values()]
    group_of = {i: group for group, rows in enumerate(places) for i in rows}
    holding: dict[str, list[int]] = defaultdict(list)
    for group, texts in enumerate(of_text):
        for unit in set().union(*map(_units, texts)):
            holding[unit].append(group)

    def partners(line: int) -> Counter[int]:
        """How much the line has in common with each group of references: rare units count more."""
        shared: Counter[int] = Counter()
        for unit in _units(hypotheses[line]):
            if len(groups := holding.get(unit, ())) <= _USUAL:
                weight = math.log(1 + len(places) / max(len(groups), 1))
                for group in groups:
                    shared[group] += weight  # type: ignore[assignment]  # a counter of weights
        return shared

    def clear(lines: Sequence[int]) -> Iterator[tuple[int, int]]:
        for line in lines:
            best = partners(line).most_common(2)
            if best and (len(best) == 1 or best[0][1] >= _CLEAR * best[1][1]):
                yield line, best[0][0]

    step = max(1, count // _LOOKED)
    found = [*clear(range(0, count, step))]
    moved = [(line, group) for line, group in found if group != group_of[line]]
    if len(moved) < max(_FEWEST, _MOVED * len(found)):
        return None
    partner = [(line, places[group][0]) for line, group in moved]
    far = sum(abs(line - other) > _STEP for line, other in partner)
    if 2 * far < len(moved) and sum(b < a for (_, a), (_, b) in pairwise(partner)) < max(1, _BACK * len(moved)):
        return None
    return _assigned([partners(line) for line in range(count)], places)


def _assigned(shared: Sequence[Counter[int]], places: Sequence[Sequence[int]]) -> list[int]:
    """A reference for each line, each once: the pairs with the most in common first, the others in their order."""
    left = [[*rows] for rows in places]
    chosen = [-1] * len(shared)
    pairs = ((-weight, line, group) for line, each in enumerate(shared) for group, weight in each.most_common(5))
    for _, line, group in sorted(pairs):
        if chosen[line] < 0 and left[group]:
            chosen[line] = left[group].pop(0)
    rest = iter(sorted(i for rows in left for i in rows))
    return [next(rest) if row < 0 else row for row in chosen]

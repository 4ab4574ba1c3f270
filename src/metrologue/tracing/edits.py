"""The trace of edits: both texts in columns, a letter below each edit, and a formula of the counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from metrologue.tracing.blocks import Block, Column, Grid, Key, Legend, Notes, Section, Span, Text, Texts
from metrologue.tracing.trace import Trace, reference_names

__all__ = ["EditPair", "Terms", "edit_trace"]

T = TypeVar("T")

LETTERS = {
    "H": "hit",
    "S": "substitute",
    "D": "delete (in the reference only)",
    "I": "insert (in the hypothesis only)",
    "T": "transpose (the units between the two follow)",
}
# The name of each letter's count.
COUNTS = {"H": "hits", "S": "substitutions", "D": "deletions", "I": "insertions"}

# Makes the right side of the formula from the counts and from how often each letter is drawn.
Terms = Callable[[Mapping[str, float], Mapping[str, int]], str]


@dataclass(frozen=True, kw_only=True)
class EditPair:
    """The edits between the hypothesis and one reference.

    Attributes
    ----------
    hypothesis, reference : sequence of str
        The units of both texts.
    operations : sequence of (str, int, int)
        The steps of the alignment: the letter, and the first unit of each text that it belongs to.
    shifts : sequence of (int, int, int)
        The blocks that move before the alignment: start, length, and start afterwards.
    shifted : str
        The text in which they move: "hypothesis" or "reference".
    counts : mapping of str to float
        The counts with this reference alone.
    value : float or None
        The score with this reference alone; None if there is no such score.
    """

    hypothesis: Sequence[str]
    reference: Sequence[str]
    operations: Sequence[tuple[str, int, int]]
    shifts: Sequence[tuple[int, int, int]] = ()
    shifted: str = "hypothesis"
    counts: Mapping[str, float]
    value: float | None


def edit_trace(
    metric: str,
    signature: str,
    primary: str,
    value: float,
    counts: Mapping[str, float],
    pairs: Sequence[EditPair],
    unit: str,
    rule: str,
    terms: Terms,
) -> Trace:
    """The trace of a metric that counts edits.

    Parameters
    ----------
    metric, signature : str
        The scorer's name and configuration.
    primary : str
        The name of the number that is the score.
    value : float
        The score.
    counts : mapping of str to float
        The counts with all references together.
    pairs : sequence of EditPair
        The hypothesis with each reference.
    unit : str
        The unit of edits: "word", "character" or "grapheme cluster".
    rule : str
        The formula in letters.
    terms : callable
        Takes the counts of a pair and how often each letter is drawn; returns the formula's right side in numbers.
    """
    grids = [
        Grid(names=("hypothesis", name), columns=tuple(_columns(pair)), characters=unit != "word")
        for name, pair in zip(reference_names(len(pairs)), pairs, strict=True)
    ]
    best = next((index for index, pair in enumerate(pairs) if _edits_of(pair.counts) == _edits_of(counts)), None)
    if best is None:
        means = " + ".join("?" if pair.value is None else f"{pair.value:.6g}" for pair in pairs)
        formula = f"({means})/{len(pairs)}"
    else:
        formula = terms(counts, grids[best].letters)
    sections = []
    for index, (pair, grid) in enumerate(zip(pairs, grids, strict=True)):
        name = grid.names[1] + (", which counts" if len(pairs) > 1 and index == best else "")
        sections.append(_section(name, pair, grid, unit, primary, terms))
    return Trace(
        metric=metric,
        value=value,
        signature=signature,
        formula=f"{primary} = {formula} = {value}",
        remarks=(rule,),
        blocks=(*_legends(grids, any(pair.shifts for pair in pairs)), *sections),
        values={**counts, primary: value},
    )


def _edits_of(counts: Mapping[str, float]) -> dict[str, float]:
    """The counts that identify a pair: all but the reference's length, which may be a mean over references."""
    return {name: number for name, number in counts.items() if name != "reference_length"}


def _legends(grids: Sequence[Grid], shifts: bool) -> list[Legend]:
    """The meanings of the letters that occur, and of carets and brackets if there are shifts."""
    drawn = {letter for grid in grids for letter in grid.letters}
    keys = (Key(mark=letter, meaning=meaning, state=letter) for letter, meaning in LETTERS.items() if letter in drawn)
    moves = Key(mark="‸1 [1 … 1]:", meaning="shift 1 took the block from the caret")
    return [Legend(keys=tuple(keys)), *([Legend(keys=(moves,))] if shifts else [])]


def _section(name: str, pair: EditPair, grid: Grid, unit: str, primary: str, terms: Terms) -> Section:
    letters = grid.letters
    title = f"{name}: no score with this reference alone"
    if pair.value is not None:
        title = f"{name}: {primary} = {terms(pair.counts, letters)} = {pair.value:.6g}"
    sides = (("hypothesis", pair.hypothesis), ("reference", pair.reference))
    lines = [", ".join(f"{side} {len(units)} {unit}{'s'[: len(units) != 1]}" for side, units in sides)]
    counted = {letter: int(pair.counts[name]) for letter, name in COUNTS.items() if name in pair.counts}
    if any(number != letters.get(letter, 0) for letter, number in counted.items()):
        numbers = ", ".join(f"{letter} = {number}" for letter, number in counted.items())
        lines.append(f"counted in another way than in this alignment, which is one of the shortest: {numbers}")
    blocks: list[Block] = [Notes(lines=tuple(lines)), grid]
    if pair.shifts:
        blocks.insert(1, Texts(texts=tuple(_steps(pair))))
    score = {} if pair.value is None else {primary: pair.value}
    return Section(name=grid.names[1], title=title, blocks=tuple(blocks), values={**pair.counts, **score})


def _steps(pair: EditPair) -> Iterator[Text]:
    """The shifted text after each shift: the block is in numbered brackets, and a caret shows where it came from."""
    units = tuple(pair.hypothesis if pair.shifted == "hypothesis" else pair.reference)
    for number, (start, length, target) in enumerate(pair.shifts, start=1):
        block, rest = _taken(units, start, length)
        pieces: list[str | Span] = [*rest]
        marks = [
            (start, Span(tokens=(f"‸{number}",), state="origin")),
            (target, Span(tokens=(f"[{number}", *block, f"{number}]"), state="shifted")),
        ]
        # Insert from the right, so that the first mark does not move the position of the second.
        for place, mark in sorted(marks, key=lambda placed: (placed[0], placed[1].state), reverse=True):
            pieces.insert(place, mark)
        yield Text(name=f"shift {number}", sentences=(tuple(pieces),))
        units = (*rest[:target], *block, *rest[target:])


def _taken(units: Sequence[T], start: int, length: int) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """A block of units, and all others."""
    stop = start + length
    return tuple(units[start:stop]), (*units[:start], *units[stop:])


def _columns(pair: EditPair) -> Iterator[Column]:
    """The alignment after all shifts."""
    texts = {"hypothesis": tuple(pair.hypothesis), "reference": tuple(pair.reference)}
    units, moved = _after_shifts(texts[pair.shifted], pair.shifts)
    texts[pair.shifted] = units
    shifts = [_shift_of(operation, pair.shifted, moved) for operation in pair.operations]
    ours, theirs = (
        _units_of(pair.operations, texts[side], place, gap)
        for side, place, gap in (("hypothesis", 1, "D"), ("reference", 2, "I"))
    )
    neighbours = zip([0, *shifts], shifts, [*shifts[1:], 0], strict=False)
    for (letter, *_), hypothesis, reference, (before, shift, after) in zip(
        pair.operations, ours, theirs, neighbours, strict=True
    ):
        bracket = _bracket(before, shift, after)
        yield Column(letter=letter, hypothesis=hypothesis, reference=reference, shift=shift, bracket=bracket)


def _after_shifts(
    units: tuple[str, ...], shifts: Sequence[tuple[int, int, int]]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The units after all shifts, and the number of the last shift that moved each unit, from 1 on; 0 for none."""
    order = tuple(range(len(units)))
    moved = [0] * len(units)
    for number, (start, length, target) in enumerate(shifts, start=1):
        block, rest = _taken(order, start, length)
        order = (*rest[:target], *block, *rest[target:])
        for unit in block:
            moved[unit] = number
    return tuple(units[unit] for unit in order), tuple(moved[unit] for unit in order)


def _units_of(
    operations: Sequence[tuple[str, int, int]], units: Sequence[str], side: int, gap: str
) -> list[tuple[str, ...]]:
    """The units of one text that each operation belongs to.

    A transposition has two units. No operation names the second one, so it is the unit that is left over.
    """
    named = [int(operation[side]) for operation in operations if operation[0] != gap]
    seconds = iter(sorted(set(range(len(units))) - set(named)))
    units_of = []
    for operation in operations:
        places = [] if operation[0] == gap else [int(operation[side])]
        if operation[0] == "T":
            places.append(next(seconds))
        units_of.append(tuple(units[place] for place in places))
    return units_of


def _shift_of(operation: tuple[str, int, int], shifted: str, moved: Sequence[int]) -> int:
    """The last shift that moved an operation's unit. A gap belongs to a shift if it is inside of a block."""
    letter, hypothesis, reference = operation
    place, gap = (hypothesis, "D") if shifted == "hypothesis" else (reference, "I")
    if letter != gap:
        return moved[place]
    return moved[place] if 0 < place < len(moved) and moved[place - 1] == moved[place] else 0


def _bracket(before: int, shift: int, after: int) -> str:
    """The bracket at the first and the last column of a run of shifted columns."""
    if not shift or before == shift == after:
        return ""
    return f"{'[' * (before != shift)}{shift}{']' * (after != shift)}"

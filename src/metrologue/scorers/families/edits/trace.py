"""The trace of a scorer that has ``edits``: both texts in columns, a letter below each edit, and a formula."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from metrologue.errors import InputError
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.families.edits import Edits, Operation, Shift
from metrologue.segments import Segments
from metrologue.tracing import (
    Block,
    Column,
    Grid,
    Key,
    Legend,
    Notes,
    Section,
    Span,
    Text,
    Texts,
    Trace,
    reference_names,
)

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


class _Pair(NamedTuple):
    """The edits for one reference, the counts with it alone, and the score; None if there is no such score."""

    edits: Edits
    counts: Mapping[str, float]
    value: float | None


def trace_edits(
    scorer: PairScorer, segment: Segments, edits: Callable[[str, str], Edits], tokenizer: str, rule: str, terms: Terms
) -> Trace:
    """The trace of one segment: for each reference, both texts in columns.

    The metric supplies `edits`, the text of its `rule`, and `terms`, which writes the rule with numbers.
    """
    prediction, references = segment.pair(0)
    result, counts, unit = scorer.corpus(segment), _counts(scorer, segment), unit_name(tokenizer)
    pairs = [_pair(scorer, prediction, reference, edits(prediction, reference)) for reference in references]
    grids = [
        grid_of(("hypothesis", name), pair.edits, tokenizer)
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
        sections.append(_section(name, pair, grid, unit, scorer.primary, terms))
    return trace_of(
        scorer,
        result,
        f"{scorer.primary} = {formula} = {result.value}",
        remarks=(rule,),
        blocks=(*legends(grids, any(pair.edits.shifts for pair in pairs)), *sections),
        values={**counts, scorer.primary: result.value},
    )


def grid_of(names: tuple[str, str], edits: Edits, tokenizer: str) -> Grid:
    """Both texts in columns, hypothesis first, with the letter of each edit."""
    return Grid(names=names, columns=tuple(_columns(edits)), characters=unit_name(tokenizer) != "word")


def unit_name(tokenizer: str) -> str:
    """The English word for one token.

    Examples
    --------
    >>> unit_name("characters-stripped"), unit_name("graphemes"), unit_name("jiwer")
    ('character', 'grapheme cluster', 'word')
    """
    if tokenizer.startswith("graphemes"):
        return "grapheme cluster"
    return "character" if tokenizer.startswith("char") else "word"


def _counts(scorer: PairScorer, segment: Segments) -> dict[str, float]:
    """The counts of the one segment, by name. They come from a scorer that sums counts: a mean keeps only scores."""
    counting = replace(scorer, aggregation="corpus")
    return dict(zip(counting.columns, counting.statistics(segment)[0].tolist(), strict=True))


def _pair(scorer: PairScorer, prediction: str, reference: str, edits: Edits) -> _Pair:
    segment = Segments([prediction], [reference])
    try:
        value = scorer.corpus(segment).value
    except InputError:
        return _Pair(edits, _counts(scorer, segment), None)
    return _Pair(edits, _counts(scorer, segment), value)


def _edits_of(counts: Mapping[str, float]) -> dict[str, float]:
    """The counts that identify a pair: all but the reference's length, which may be a mean over references."""
    return {name: number for name, number in counts.items() if name != "reference_length"}


def legends(grids: Sequence[Grid], shifts: bool = False) -> list[Legend]:
    """The meanings of the letters that occur, and of carets and brackets if there are shifts."""
    drawn = {letter for grid in grids for letter in grid.letters}
    keys = (Key(mark=letter, meaning=meaning, state=letter) for letter, meaning in LETTERS.items() if letter in drawn)
    moves = Key(mark="‸1 [1 … 1]:", meaning="shift 1 took the block from the caret")
    return [Legend(keys=tuple(keys)), *([Legend(keys=(moves,))] if shifts else [])]


def _section(name: str, pair: _Pair, grid: Grid, unit: str, primary: str, terms: Terms) -> Section:
    letters = grid.letters
    title = f"{name}: no score with this reference alone"
    if pair.value is not None:
        title = f"{name}: {primary} = {terms(pair.counts, letters)} = {pair.value:.6g}"
    sides = (("hypothesis", pair.edits.hypothesis), ("reference", pair.edits.reference))
    lines = [", ".join(f"{side} {len(units)} {unit}{'s'[: len(units) != 1]}" for side, units in sides)]
    counted = {letter: int(pair.counts[name]) for letter, name in COUNTS.items() if name in pair.counts}
    if any(number != letters.get(letter, 0) for letter, number in counted.items()):
        numbers = ", ".join(f"{letter} = {number}" for letter, number in counted.items())
        lines.append(f"counted in another way than in this alignment, which is one of the shortest: {numbers}")
    blocks: list[Block] = [Notes(lines=tuple(lines)), grid]
    if pair.edits.shifts:
        blocks.insert(1, Texts(texts=tuple(_steps(pair.edits))))
    score = {} if pair.value is None else {primary: pair.value}
    return Section(name=grid.names[1], title=title, blocks=tuple(blocks), values={**pair.counts, **score})


def _steps(edits: Edits) -> Iterator[Text]:
    """The shifted text after each shift: the block is in numbered brackets, and a caret shows where it came from."""
    units = edits.hypothesis if edits.shifted == "hypothesis" else edits.reference
    for number, shift in enumerate(edits.shifts, start=1):
        start, length, target = shift
        block = units[start : start + length]
        pieces: list[str | Span] = [*units[:start], *units[start + length :]]
        marks = [
            (start, Span(tokens=(f"‸{number}",), state="origin")),
            (target, Span(tokens=(f"[{number}", *block, f"{number}]"), state="shifted")),
        ]
        # Insert from the right, so that the first mark does not move the position of the second.
        for place, mark in sorted(marks, key=lambda placed: (placed[0], placed[1].state), reverse=True):
            pieces.insert(place, mark)
        yield Text(name=f"shift {number}", sentences=(tuple(pieces),))
        units = shift.apply(units)


def _columns(edits: Edits) -> Iterator[Column]:
    """The alignment after all shifts."""
    texts = {"hypothesis": edits.hypothesis, "reference": edits.reference}
    units, moved = _after_shifts(texts[edits.shifted], edits.shifts)
    texts[edits.shifted] = units
    shifts = [_shift_of(operation, edits.shifted, moved) for operation in edits.operations]
    ours, theirs = (
        _units_of(edits.operations, texts[side], place, gap)
        for side, place, gap in (("hypothesis", 1, "D"), ("reference", 2, "I"))
    )
    neighbours = zip([0, *shifts], shifts, [*shifts[1:], 0], strict=False)
    for (letter, *_), hypothesis, reference, (before, shift, after) in zip(
        edits.operations, ours, theirs, neighbours, strict=True
    ):
        bracket = _bracket(before, shift, after)
        yield Column(letter=letter, hypothesis=hypothesis, reference=reference, shift=shift, bracket=bracket)


def _after_shifts(units: tuple[str, ...], shifts: Sequence[Shift]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The units after all shifts, and the number of the last shift that moved each unit, from 1 on; 0 for none."""
    order = tuple(range(len(units)))
    moved = [0] * len(units)
    for number, shift in enumerate(shifts, start=1):
        for unit in order[shift.start : shift.start + shift.length]:
            moved[unit] = number
        order = shift.apply(order)
    return tuple(units[unit] for unit in order), tuple(moved[unit] for unit in order)


def _units_of(operations: Sequence[Operation], units: Sequence[str], side: int, gap: str) -> list[tuple[str, ...]]:
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


def _shift_of(operation: Operation, shifted: str, moved: Sequence[int]) -> int:
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

"""The trace of the edit metrics: both texts in columns, a letter below each edit, and the formula of the rate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from metrologue.errors import InputError
from metrologue.scorers import EditDistance, Ter
from metrologue.scorers.edit_operations import Edits, Operation
from metrologue.scorers.error_rates import ErrorRate
from metrologue.segments import Segments
from metrologue.trace.base import PairTrace, blocks, direction, token_grid, trace, visible

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["EditColumn", "EditMove", "EditPair", "EditTrace"]

EditScorer = ErrorRate | EditDistance | Ter

LETTERS = {
    "H": "hit", "S": "substitute", "D": "delete (in the reference only)", "I": "insert (in the hypothesis only)",
    "T": "transpose (what stands between the two follows)",
}  # fmt: skip
# What the scorers call the letters.
COUNTS = {"H": "hits", "S": "substitutions", "D": "deletions", "I": "insertions"}
# What a distance is divided by.
DIVISORS = {
    "maximum": "the greatest of texts so long", "longer": "the length of the longer text",
    "reference": "the length of the reference", "sum": "the sum of both lengths",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class EditColumn:
    """One step of the alignment.

    Attributes
    ----------
    kind : str
        "H", "S", "D", "I" or "T": see ``metrologue.scorers.edit_operations.Operation``.
    hypothesis, reference : tuple of str
        The units that it is about in each text; none of the hypothesis for "D", none of the reference for "I".
    shift : int
        The last shift, counted from 1, that moved the unit of the hypothesis; 0 where it stands as it was.
    bracket : str
        How the bracket around shifted units looks in this column.
    """

    kind: str
    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    shift: int = 0
    bracket: str = ""

    @property
    def letter(self) -> str:
        """What stands below the column: nothing below a hit."""
        return self.kind.replace("H", "")


@dataclass(frozen=True, kw_only=True)
class EditMove:
    """A text after a shift.

    Attributes
    ----------
    block : tuple of str
        The units that were moved.
    rest : tuple of str
        All others.
    origin, target : int
        Where in ``rest`` the block came from, and where it is now.
    """

    block: tuple[str, ...]
    rest: tuple[str, ...]
    origin: int
    target: int

    def pieces(self, number: int) -> list[tuple[str, str]]:
        """Kinds and texts: units, the block in numbered brackets, and a caret where it came from."""
        units = [("", visible(unit)) for unit in self.rest]
        marks = [
            (self.origin, ("origin", f"‸{number}")),
            (self.target, ("shifted", f"[{number} {' '.join(map(visible, self.block))} {number}]")),
        ]
        # From the right, so that the first mark does not move the place of the second.
        for place, mark in sorted(marks, reverse=True):
            units.insert(place, mark)
        return units


@dataclass(frozen=True, kw_only=True)
class EditPair:
    """How the hypothesis and one reference become the same.

    Attributes
    ----------
    hypothesis, reference : tuple of str
        The units of both texts.
    unit : str
        What a unit is called: "word", "character", "grapheme cluster".
    moves : tuple of EditMove
        TER's shifts, in their order.
    columns : tuple of EditColumn
        The alignment after these.
    counts : tuple of (str, float)
        What the scorer counts with this reference alone.
    value : float or None
        Its score; None where it has none.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    unit: str
    moves: tuple[EditMove, ...]
    columns: tuple[EditColumn, ...]
    counts: tuple[tuple[str, float], ...]
    value: float | None

    @property
    def letters(self) -> dict[str, int]:
        """How often each letter occurs."""
        found = Counter(column.kind for column in self.columns)
        return {letter: found[letter] for letter in LETTERS}

    @property
    def direction(self) -> str:
        """Where the columns run to, "ltr" or "rtl"."""
        return direction((*self.hypothesis, *self.reference))

    @property
    def steps(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The text that is shifted, shift by shift: names and pieces."""
        return [(f"shift {number}", move.pieces(number)) for number, move in enumerate(self.moves, start=1)]

    def cells(self, column: EditColumn) -> tuple[str, ...]:
        """What is drawn of a column, from above: both texts, the letter, and the bracket where there are shifts."""
        texts = (self._drawn(column.hypothesis), self._drawn(column.reference))
        return (*texts, column.letter, column.bracket)[: 4 if self.moves else 3]

    @property
    def folded(self) -> list[EditColumn]:
        """The columns for a page: of characters, hits up to the next whitespace are one, so that letters join."""
        if self.unit == "word":
            return list(self.columns)
        folded: list[EditColumn] = []
        for column in self.columns:
            last = folded[-1] if folded else None
            if last and last.kind == column.kind == "H" and not last.hypothesis[-1].isspace():
                both = last.hypothesis + column.hypothesis
                folded[-1] = replace(last, hypothesis=both, reference=both)
            else:
                folded.append(column)
        return folded

    def _drawn(self, units: Sequence[str]) -> str:
        if not units:
            return ""
        return " ".join(map(visible, units)) if self.unit == "word" else visible("".join(units))


@dataclass(frozen=True, kw_only=True)
class EditTrace(PairTrace[EditPair]):
    """How an edit metric comes to its number for one segment.

    Attributes
    ----------
    scorer : ErrorRate, EditDistance or Ter
        Whose numbers they are.
    counts : tuple of (str, float)
        What the scorer counts, all references joined.
    """

    template: ClassVar[str] = "trace_edits.html"

    scorer: EditScorer
    counts: tuple[tuple[str, float], ...]

    @property
    def formula(self) -> str:
        """The formula with the numbers of this segment in it."""
        terms = _terms(self.scorer, dict(self.counts), self.best) if self.best else self._mean
        return f"{self.scorer.primary} = {terms} = {self.value}"

    @property
    def remarks(self) -> list[str]:
        """The formula in letters."""
        return [_rule(self.scorer)]

    @property
    def best(self) -> EditPair | None:
        """The pair whose edits count, the first of several; None for a mean."""
        return next((pair for pair in self.pairs if _edits_of(pair.counts) == _edits_of(self.counts)), None)

    @property
    def legend(self) -> dict[str, str]:
        """What the letters mean, of those there are."""
        return {letter: meaning for letter, meaning in LETTERS.items() if any(p.letters[letter] for p in self.pairs)}

    @property
    def moves_legend(self) -> str:
        """What carets and brackets mean, if there are any."""
        return "‸1 [1 … 1]: shift 1 took the block from the caret" if any(pair.moves for pair in self.pairs) else ""

    def title(self, name: str, pair: EditPair) -> str:
        """The score with a reference alone."""
        counts = ", which counts" if len(self.pairs) > 1 and pair is self.best else ""
        if pair.value is None:
            return f"{name}{counts}: no score with this reference alone"
        terms = _terms(self.scorer, dict(pair.counts), pair)
        return f"{name}{counts}: {self.scorer.primary} = {terms} = {pair.value:.6g}"

    def lines(self, pair: EditPair) -> list[str]:
        """How many units there are, and a warning where the scorer does not count the letters."""
        sides = (("hypothesis", pair.hypothesis), ("reference", pair.reference))
        lines = [", ".join(f"{side} {len(units)} {pair.unit}{'s'[: len(units) != 1]}" for side, units in sides)]
        counts = dict(pair.counts)
        counted = {letter: int(counts[name]) for letter, name in COUNTS.items() if name in counts}
        if any(number != pair.letters[letter] for letter, number in counted.items()):
            numbers = ", ".join(f"{letter} = {number}" for letter, number in counted.items())
            lines.append(f"counted in another way than in this alignment, one of the shortest: {numbers}")
        return lines

    def parts(self) -> Iterator[RenderableType]:
        yield from (self.formula, *self.remarks, self.signature)
        for name, pair in self.named:
            yield from ("", self.title(name, pair), *self.lines(pair), "")
            if pair.moves:
                yield token_grid((step, " ".join(text for _, text in pieces)) for step, pieces in pair.steps)
                yield ""
            rows = zip(*map(pair.cells, pair.columns), strict=True)
            yield from blocks([*zip(("hypothesis", name, "", ""), rows, strict=False)], int(pair.unit == "word"))
        yield ""
        yield from (" · ".join(f"{letter} {meaning}" for letter, meaning in self.legend.items()), self.moves_legend)

    @property
    def _mean(self) -> str:
        terms = " + ".join("?" if pair.value is None else f"{pair.value:.6g}" for pair in self.pairs)
        return f"({terms})/{len(self.pairs)}"


def _edits_of(counts: Sequence[tuple[str, float]]) -> dict[str, float]:
    """What tells a pair: all but the length of the reference, which may be the mean of several."""
    return {name: number for name, number in counts if name != "reference_length"}


# Of each kind of metric: its formula in letters, and with the numbers of a pair.


def _rule(scorer: EditScorer) -> str:
    match scorer:
        case Ter():
            return "ter = (S + D + I + shifts)/N, with N words of the reference, or the mean of several"
        case EditDistance():
            distance = f"distance = {' + '.join(_times(cost, letter) for letter, cost in _costs(scorer).items())}"
            divided = f", divided by {DIVISORS[scorer.normalization]}" if scorer.normalization in DIVISORS else ""
            return distance + divided
    reference = f"N = H + S + D {_unit(scorer)}s of the reference"
    both = f"{reference} and M = H + S + I of the hypothesis"
    return {
        "mer": "mer = (S + D + I)/(H + S + D + I)",
        "wip": f"wip = (H/N)·(H/M), with {both}",
        "wil": f"wil = 1 - (H/N)·(H/M), with {both}",
    }.get(scorer.name, f"{scorer.name} = (S + D + I)/N, or I where N is 0, with {reference}")


def _terms(scorer: EditScorer, counts: Mapping[str, float], pair: EditPair) -> str:
    match scorer:
        case Ter():
            edits = [f"{counts[name]:.0f}" for name in ("substitutions", "deletions", "insertions", "shifts")]
            length = counts["reference_length"]
            terms = f"({' + '.join(edits)})/{length:.6g}" if length else f"{counts['edits'] > 0:d}"
        case EditDistance():
            letters = pair.letters
            terms = " + ".join(
                _times(cost, str(letters[letter])) for letter, cost in _costs(scorer).items() if letters[letter]
            )
            if scorer.normalization == "none":
                return terms or "0"
            terms = f"({terms})/{counts['divisor']:g}" if terms else "0"
        case ErrorRate():
            h, s, d, i, m, n = map(int, counts.values())
            kept = f"({h}/{n})·({h}/{m})" if n and m else f"{n == m:d}"
            terms = {
                "mer": f"({s} + {d} + {i})/({h} + {s} + {d} + {i})" if n or m else "0",
                "wip": kept,
                "wil": f"(1 - {kept})",
            }.get(scorer.name, f"({s} + {d} + {i})/{n}" if n else f"{i}")
    return terms if scorer.scale == 1 else f"{scorer.scale:g}·{terms}"


def _costs(scorer: EditDistance) -> dict[str, float]:
    """What each letter costs."""
    costs = {"S": scorer.substitution_cost, "D": scorer.deletion_cost, "I": scorer.insertion_cost}
    return costs if scorer.transpositions == "none" else {**costs, "T": 1.0}


def _times(cost: float, number: str) -> str:
    return number if cost == 1 else f"{cost:g}·{number}"


def _unit(scorer: EditScorer) -> str:
    """What the tokens are called."""
    if scorer.tokenizer == "graphemes":
        return "grapheme cluster"
    return "character" if scorer.tokenizer.startswith("char") else "word"


@trace.register(ErrorRate)
@trace.register(EditDistance)
@trace.register(Ter)
def _trace_edits(scorer: EditScorer, prediction: str, references: Sequence[str]) -> EditTrace:
    segment = Segments([prediction], [references], owner=type(scorer).__name__)
    return EditTrace(
        value=scorer.score_segments(segment).value,
        scorer=scorer,
        counts=_counts(scorer, segment),
        pairs=tuple(_pair(scorer, prediction, reference) for reference in segment.pair(0)[1]),
    )


def _counts(scorer: EditScorer, segment: Segments) -> tuple[tuple[str, float], ...]:
    """What is counted in the one segment, with the names; a mean of segments keeps their scores only."""
    counting = replace(scorer, aggregation="corpus")
    return tuple(zip(counting.columns, counting.statistics(segment)[0].tolist(), strict=True))


def _pair(scorer: EditScorer, prediction: str, reference: str) -> EditPair:
    pair = Segments([prediction], [reference], owner=type(scorer).__name__)
    counts = _counts(scorer, pair)
    value: float | None
    try:
        value = scorer.score_segments(pair).value
    except InputError:
        value = None
    edits = scorer.edits(prediction, reference)
    moves, columns = _drawn(edits)
    return EditPair(
        hypothesis=edits.hypothesis,
        reference=edits.reference,
        unit=_unit(scorer),
        moves=moves,
        columns=columns,
        counts=counts,
        value=value,
    )


def _drawn(edits: Edits) -> tuple[tuple[EditMove, ...], tuple[EditColumn, ...]]:
    """The shifts, and the columns after these."""
    texts = {"hypothesis": edits.hypothesis, "reference": edits.reference}
    moves, moved = [], (0,) * len(texts[edits.shifted])
    for number, shift in enumerate(edits.shifts, start=1):
        units, stop = texts[edits.shifted], shift.start + shift.length
        block, rest = units[shift.start : stop], units[: shift.start] + units[stop:]
        moves.append(EditMove(block=block, rest=rest, origin=shift.start, target=shift.target))
        texts[edits.shifted] = shift.apply(units)
        moved = shift.apply(moved[: shift.start] + (number,) * shift.length + moved[stop:])
    shifts = [_shift_of(operation, edits.shifted, moved) for operation in edits.operations]
    hypothesis, reference = (
        _units_of(edits.operations, texts[side], side, gap) for side, gap in (("hypothesis", "D"), ("reference", "I"))
    )
    columns = (
        EditColumn(
            kind=operation.kind,
            hypothesis=ours,
            reference=theirs,
            shift=shift,
            bracket=_bracket(before, shift, after),
        )
        for operation, ours, theirs, before, shift, after in zip(
            edits.operations, hypothesis, reference, [0, *shifts], shifts, [*shifts[1:], 0], strict=False
        )
    )
    return tuple(moves), tuple(columns)


def _units_of(operations: Sequence[Operation], units: Sequence[str], side: str, gap: str) -> list[tuple[str, ...]]:
    """The units of one text that each operation is about; the second of a transposition is the one that none names."""
    named = [getattr(operation, side) for operation in operations if operation.kind != gap]
    seconds = iter(sorted(set(range(len(units))) - set(named)))
    found = []
    for operation in operations:
        places = [] if operation.kind == gap else [getattr(operation, side)]
        if operation.kind == "T":
            places.append(next(seconds))
        found.append(tuple(units[place] for place in places))
    return found


def _shift_of(operation: Operation, shifted: str, moved: Sequence[int]) -> int:
    """The last shift of the unit that an operation is about; of a gap, if it is within a block."""
    place: int = getattr(operation, shifted)
    if operation.kind != ("D" if shifted == "hypothesis" else "I"):
        return moved[place]
    return moved[place] if 0 < place < len(moved) and moved[place - 1] == moved[place] else 0


def _bracket(before: int, shift: int, after: int) -> str:
    """The bracket around a run of columns, at its first and its last one."""
    if not shift or before == shift == after:
        return ""
    return f"{'[' * (before != shift)}{shift}{']' * (after != shift)}"

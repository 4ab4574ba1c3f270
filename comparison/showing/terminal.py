"""A comparison on a terminal: what was found, in short lines, and a table whose last column the libraries fill."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from metrologue.comparison.findings.records import NOTHING, Findings, Number
from metrologue.comparison.showing.sentences import (
    Lead,
    flip_sentence,
    headline,
    leads,
    people_sentence,
    sampling_note,
    shown_difference,
    shown_p,
    where_sentence,
)
from metrologue.comparison.showing.verdict import verdict
from metrologue.output import filled, short_names

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

__all__ = ["Board", "findings"]

# Columns of a terminal: for what runs here, a system, and the name of a library.
_RUN_HERE, _NAME, _LABEL = 16, 9, 19
# So many causes, and so many systems beside the winner, are told; the page has all.
_CAUSES, _BESIDE = 5, 4


def _cut(names: Mapping[str, str]) -> dict[str, str]:
    """Names that fit above a column: cut before a dot, a dash or an underscore if that keeps them apart."""
    cut = {}
    for name, short in names.items():
        place = max(short.rfind(mark, 1, _NAME + 1) for mark in ".-_")
        cut[name] = short if len(short) <= _NAME else short[: place if place > 2 else _NAME]
    if len({*cut.values()}) == len(cut):
        return cut
    return {name: short if len(short) <= _NAME else f"{short[: _NAME - 1]}…" for name, short in names.items()}


@dataclass(eq=False)
class _Row:
    """A row of the table: a variant of ours with its library, or a library alone."""

    name: str
    label: str
    numbers: Mapping[str, Number]
    runs: bool
    begun: float | None = None
    live: dict[str, Number] = field(default_factory=dict)


class Board:
    """The table of one metric. It changes while libraries run.

    Parameters
    ----------
    found : Findings
        The answer of our variants.
    mirrors : mapping of str to str or None
        For each library that runs, the name of the variant that gives its number.
    """

    def __init__(self, found: Findings, mirrors: Mapping[str, str | None]) -> None:
        self.found = found
        self.short = short_names(found.systems)
        self.heads = _cut(self.short)
        ours: dict[str, dict[str, Number]] = {}
        for number in found.numbers:
            ours.setdefault(number.name, {})[number.system] = number
        self.letters = _letters(found, ours)
        self.rows = [_Row(name, _label(next(iter(own.values()))), own, name in mirrors) for name, own in ours.items()]
        for name in mirrors:
            if name not in ours:
                self.rows.append(_Row(name, name, ours.get(mirrors.get(name) or "", {}), True))

    def begin(self, library: str) -> None:
        """A library begins to run."""
        self._row(library).begun = time.monotonic()

    def add(self, number: Number) -> None:
        """A library has a number, or a reason why there is none."""
        self._row(number.name).live[number.system] = number

    @property
    def runs(self) -> bool:
        """Whether a library runs for this metric."""
        return any(row.runs for row in self.rows)

    @property
    def is_complete(self) -> bool:
        """Whether all libraries have answered."""
        return all(len(row.live) == len(self.found.systems) for row in self.rows if row.runs)

    def _row(self, name: str) -> _Row:
        return next(row for row in self.rows if row.name == name)

    def scores(self, width: int) -> list[Table]:
        """The table of scores, in several parts if not all systems fit."""
        label = min(_LABEL, max(len(row.label) for row in self.rows))
        cells = [self._cell(row, system).cell_len for row in self.rows for system in self.found.systems]
        room = width - label - 4  # the letter, and a space after each column
        each = max(1, room // (max(_NAME, *cells) + 1))
        systems = self.found.systems
        return [self._scores(systems[at : at + each]) for at in range(0, len(systems), each)]

    def _scores(self, systems: Sequence[str]) -> Table:
        table = self._headed(self.found.number_name)
        for system in systems:
            table.add_column(self.heads[system], justify="right", no_wrap=True, min_width=_NAME)
        for row in self.rows:
            cells = [self._cell(row, system) for system in systems]
            table.add_row(self.letters.get(row.name, ""), row.label, *cells)
        return table

    def runs_here(self) -> Table:
        """What each library gives that runs here."""
        table = self._headed(self.found.number_name)
        table.add_column("run here", no_wrap=True, min_width=_RUN_HERE)
        for row in self.rows:
            if row.runs:
                table.add_row(self.letters.get(row.name, ""), row.label, self._state(row))
        return table

    def _headed(self, name: str) -> Table:
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
        table.add_column("", style="bold")
        table.add_column(name, max_width=_LABEL)
        return table

    def _cell(self, row: _Row, system: str) -> Text:
        from rich.text import Text

        live = row.live.get(system)
        number = live if live and live.residual else row.numbers.get(system) or live
        points = self.found.points(number)
        if number is None or points is None:
            return Text("–", style="dim")
        column = next((each for each in self.found.columns if each.name == number.name), None)
        rank = column.ranks.get(system) if column and not (live and live.residual) else None
        winner = self.found.winners.get(number.name)
        best = winner is not None and winner.is_clear and winner.system == system
        text = Text(f"{points:.2f}" if self.found.in_points else f"{points:.4g}")
        text.append(f" {rank}{'*' if best else ' '}" if rank else "")
        text.stylize("bold red" if live and live.residual else "bold" if best else "")
        return text

    def _state(self, row: _Row) -> Text:
        """What the library itself gives, in a few words."""
        from rich.text import Text

        if not row.live:
            if row.begun is None:
                return Text("waits", style="dim")
            return Text(f"runs, {time.monotonic() - row.begun:.0f} s", style="yellow")
        return Text(*state(row.live.values(), len(self.found.systems), self.found))

    def notes(self, width: int) -> Iterator[Text]:
        """What the column "run here" leaves out: differences and reasons, in full."""
        from rich.text import Text

        return (Text(filled(text, width, rest="  "), style) for text, style in self._notes())

    def _notes(self) -> Iterator[tuple[str, str]]:
        if any(row.live for row in self.rows):
            yield "= means that the library gives the same number here.", "dim"
        else:
            yield "Computed by metrologue; tested equal to the named version. The same letter: equal numbers.", "dim"
            if len(self.found.systems) > 1:
                yield "After a number: its rank; * differs significantly from every other system.", "dim"
        causes: dict[str, list[Number]] = {}
        for row in self.rows:
            for number in row.live.values():
                if told := difference(self.found, number, row.numbers.get(number.system)):
                    yield told, "red"
            for number in row.live.values():
                if number.missing and not number.sample:
                    causes.setdefault(number.missing.partition("; ")[2] or number.missing, []).append(number)
            for sample in dict.fromkeys((n.sample.segments, n.sample.seed) for n in row.live.values() if n.sample):
                yield f"{row.name} is slow: it got {sample[0]:,} of the segments (seed {sample[1]}).", "dim"
            for note in dict.fromkeys(n.note for n in row.live.values() if n.note):
                yield f"{row.name} {note}", "dim"
        for numbers in causes.values():  # what one cure is for is told once
            names = dict.fromkeys(f"{number.name} {number.version or ''}".strip() for number in numbers)
            yield f"{', '.join(names)}: {numbers[0].missing}", "yellow"


def state(numbers: Iterable[Number], systems: int, found: Findings) -> tuple[str, str]:
    """What a library gives, in at most 16 characters, and a style."""
    known = [*numbers]
    unequal = [n for n in known if n.residual]
    if unequal:
        largest = max(unequal, key=lambda number: abs(number.residual))
        return f"≠ {shown_difference(found.factor * largest.residual)}", "bold red"
    if any(n.sample and n.sample.equal is False for n in known):
        return "≠ on a sample", "bold red"
    missing = [n for n in known if n.missing and not n.sample]
    if missing:
        return _brief(missing[0].missing or ""), "yellow"
    if sampled := [n.sample for n in known if n.sample]:
        sign = "=" if sampled[0].equal else "ran"
        return f"{sign} on a sample", "green"
    sign = "=" if all(n.expected is not None for n in known) else "ran"
    if len(known) < systems:
        return f"{sign} {len(known)} of {systems} …", "yellow"
    seconds = sum(n.seconds or 0.0 for n in known)
    return f"{sign} {f'all {systems}, ' if systems > 1 else ''}{_time(seconds)}", "green"


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"


def _brief(reason: str) -> str:
    """A reason in two words. The notes below the table have all of it."""
    if "not installed" in reason or "evaluate.load" in reason:
        return "not installed"
    words = reason.split()
    if reason.startswith("takes longer than"):
        return f"over {words[3]} s"
    return " ".join(words[:2]).rstrip(":,;")


def difference(found: Findings, number: Number, ours: Number | None) -> str:
    """A residual in a sentence, with its reason if it is known; empty if there is none."""
    where = f"{number.name} {number.version or ''}".strip() + f", {short_names(found.systems)[number.system]}"
    version = f"; ours is {ours.mirrors}" if ours and ours.mirrors and number.version != ours.version else ""
    if number.sample and number.sample.equal is False:
        return f"{where}: unexplained: {number.missing}{version}"
    if not number.residual:
        return ""
    if number.change:
        return f"{where}: {number.change}"
    return f"{where}: unexplained: {found.factor * number.residual:+.3g} against our number{version}"


def _label(number: Number) -> str:
    """The library and the version that a number is proven equal to; our variant's name if there is none."""
    return f"{number.name} {number.version}" if number.mirrors else number.name


def _letters(found: Findings, ours: Mapping[str, Mapping[str, Number]]) -> dict[str, str]:
    """The same letter for variants with equal numbers for all systems, from the greatest number on."""
    classes: list[list[str]] = []
    for name, numbers in ours.items():
        if any(number.value is None for number in numbers.values()):
            continue
        for names in classes:
            if all(number.equals(ours[names[0]][system]) for system, number in numbers.items()):
                names.append(name)
                break
        else:
            classes.append([name])
    first = found.systems[0]
    classes.sort(key=lambda names: -ours[names[0]][first].share)
    return {name: chr(ord("A") + place % 26) for place, names in enumerate(classes) for name in names}


def findings(board: Board, width: int) -> Iterator[RenderableType]:
    """The table of scores, then the findings in short lines: who wins, by which p-values, what differs, and why."""
    from rich.text import Text

    found = board.found

    def told(text: str, style: str = "", indent: str = "") -> Text:
        text = _renamed(text, board.short)
        rest = f"{indent}  " if indent else ""
        return Text(filled(text, width, indent, rest), style)

    unit = "points of 100" if found.in_points else found.primary
    title = (
        f"{found.number_name}: {_count(len(found.systems), 'system')}, {_count(found.segments, 'segment')}, in {unit}"
    )
    yield Text(title, "bold")
    yield from board.scores(width)
    yield from board.notes(width)
    if text := headline(found):
        yield from ("", told(text))
    if found.winners:
        yield from ("", *_leads(board, width))
    if text := people_sentence(found):
        yield from ("", told(text, "dim"))
    for flip in found.flips[:_CAUSES]:
        if text := flip_sentence(found, flip):
            yield from ("", told(text))
    if text := where_sentence(found):
        yield from ("", told(text))
    if found.causes:
        yield from ("", f"Why the numbers for {board.short[found.causes[0].system]} differ:")
        yield from (told(text, indent="  ") for text in (*_steps(board), *_causes(board)))
    if text := _sampling(found):
        yield from ("", told(text, "dim"))
    if text := verdict(found):
        yield from ("", told(text, "bold"))


def _leads(board: Board, width: int) -> Iterator[RenderableType]:
    """For each group of equal numbers: the winner, and its leads over others with their p-values, as many as fit."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    own: dict[str, list[Lead]] = {}
    for name, each in leads(board.found).items():
        own.setdefault(board.letters.get(name, name), each)
    some = sorted(next(iter(own.values())), key=lambda lead: lead.p_value and abs(lead.difference))
    others = [*dict.fromkeys([*(lead.other for lead in some[:_BESIDE]), *(each[0].winner for each in own.values())])]
    others = [name for name in others if {name} != {each[0].winner for each in own.values()}][:_BESIDE]
    by_name = [{lead.other: _lead(lead) for lead in each} for _, each in sorted(own.items())]
    columns = [
        ["", *sorted(own)],
        ["best", *(board.heads[each[0].winner] for _, each in sorted(own.items()))],
        *([f"before {board.heads[name]}", *(cells.get(name, "") for cells in by_name)] for name in others),
    ]
    widths = [max(map(len, column)) + 2 for column in columns]
    shown = max((count for count in range(3, len(columns) + 1) if sum(widths[:count]) <= width), default=3)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for head, *_ in columns[:shown]:
        table.add_column(head, no_wrap=True, overflow="ignore")
    for row in [*zip(*columns[:shown], strict=True)][1:]:
        table.add_row(*row)
    yield table
    if hidden := [board.heads[name] for name in others[shown - 2 :]]:
        yield Text(filled(f"Left out at {width} columns: before {', before '.join(hidden)}.", width), "dim")


def _lead(lead: Lead) -> str:
    return f"{shown_difference(lead.difference)}, {shown_p(lead.p_value)}" if lead.difference else "the same"


def _steps(board: Board) -> Iterator[str]:
    """The gaps of the widest system, from one group to the next."""
    found, letters = board.found, board.letters
    for gap in found.explanations:
        parts = [part for part in gap.contributions if abs(part.share) > max(NOTHING, 5e-3 * abs(gap.gap))]
        if gap.system != found.causes[0].system or not parts:
            continue
        ends = " to ".join(letters.get(name, name) for name in (gap.variant_a, gap.variant_b))
        if equal := gap.cancelled(found.factor):
            yield f"{ends}, the same number: {', '.join(equal)} cancel out"
            continue
        shares = ", ".join(
            f"{part.choice} {shown_difference(found.factor * part.share)}"
            + (f" ± {found.factor * part.standard_error:.1g}" if part.standard_error else "")
            for part in parts[:_CAUSES]
        )
        yield f"{ends}, {shown_difference(found.factor * gap.gap)}: {shares}"


def _causes(board: Board) -> Iterator[str]:
    for cause in board.found.causes[:_CAUSES]:
        yield f"{cause.choice}: {cause.sentence}"


def _sampling(found: Findings) -> str:
    """How wide the intervals are, and how they and the p-values were computed."""
    limits = [limits for number in found.numbers if (limits := found.limits(number))]
    if not limits:
        return ""
    margins = sorted((high - low) / 2 for low, high in limits)
    ends = dict.fromkeys(f"{margin:.2g}" for margin in (margins[0], margins[-1]))
    return f"Intervals: ± {' to '.join(ends)}. {sampling_note(found)}"


def _renamed(text: str, short: Mapping[str, str]) -> str:
    for name in sorted(short, key=len, reverse=True):
        text = text.replace(name, short[name])
    return text


def _count(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"

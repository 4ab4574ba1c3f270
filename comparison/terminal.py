"""A comparison on a terminal: what was found, in short lines, and a table whose last column the libraries fill."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from os.path import commonprefix
from typing import TYPE_CHECKING

from metrologue.comparison.findings import NOTHING, Comparison, Number
from metrologue.comparison.sentences import Lead, flip_sentence, headline, leads, people_sentence, sampling_note
from metrologue.comparison.sentences import shown_difference, shown_p

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

__all__ = ["Board", "findings", "line_of", "short_names"]

_RUN_HERE = 22  # columns of a terminal
_NAME = 12
# So many causes, and so many systems behind the winner, are told; the page has all.
_CAUSES, _BEHIND = 5, 4


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Names without what all of them begin and end with, at a dot, a dash or an underscore.

    Examples
    --------
    >>> short_names(["newstest.KIT.en-de", "newstest.FBK-2.en-de"])
    {'newstest.KIT.en-de': 'KIT', 'newstest.FBK-2.en-de': 'FBK-2'}
    >>> short_names(["amber.txt"])
    {'amber.txt': 'amber.txt'}
    """
    if len(names) < 2:
        return {name: name for name in names}
    start, end = commonprefix(names), commonprefix([name[::-1] for name in names])[::-1]
    start = start[: max(map(start.rfind, ".-_")) + 1]
    places = [place for mark in ".-_" if (place := end.find(mark)) >= 0]
    end = end[min(places) :] if places else ""
    return {name: name[len(start) : len(name) - len(end)] or name for name in names}


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
    found : Comparison
        The answer of our variants.
    mirrors : mapping of str to str or None
        For each library that runs, the name of the variant that gives its number.
    """

    def __init__(self, found: Comparison, mirrors: Mapping[str, str | None]) -> None:
        self.found = found
        self.short = short_names(found.systems)
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
        """Whether all libraries have told."""
        return all(len(row.live) == len(self.found.systems) for row in self.rows if row.runs)

    def _row(self, name: str) -> _Row:
        return next(row for row in self.rows if row.name == name)

    def tables(self, width: int, live: bool) -> list[Table]:
        """The table, in several parts if not all systems fit. With `live`, the last part says what runs here."""
        label = max(len(row.label) for row in self.rows) + 2
        cell = max(9, *(min(len(name), _NAME) for name in self.short.values())) + 2
        room = width - label - 3
        each = max(1, room // cell)
        last = max(1, (room - _RUN_HERE - 2 * live) // cell) if live else each
        systems = list(self.found.systems)
        parts = [systems[max(0, len(systems) - last) :]]
        rest = systems[: len(systems) - len(parts[0])]
        parts = [rest[at : at + each] for at in range(0, len(rest), each)] + parts
        return [self._table(part, live and part is parts[-1]) for part in parts]

    def _table(self, systems: Sequence[str], live: bool) -> Table:
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
        table.add_column("", style="bold")
        table.add_column(f"{self.found.metric}, {'points' if self.found.in_points else self.found.primary}", no_wrap=True)
        for system in systems:
            table.add_column(_cut(self.short[system], _NAME), justify="right", no_wrap=True)
        if live:
            table.add_column("run here", no_wrap=True, min_width=_RUN_HERE - 2, max_width=_RUN_HERE)
        for row in self.rows:
            cells = [self._cell(row, system) for system in systems]
            table.add_row(self.letters.get(row.name, ""), row.label, *cells, *([self._state(row)] if live else []))
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

        if not row.runs:
            return Text("", style="dim")
        if not row.live:
            if row.begun is None:
                return Text("waits", style="dim")
            return Text(f"runs, {time.monotonic() - row.begun:.0f} s", style="yellow")
        return Text(*state(row.live.values(), len(self.found.systems), self.found))

    def notes(self) -> Iterator[Text]:
        """What the column "run here" leaves out: differences and reasons, in full."""
        from rich.text import Text

        for row in self.rows:
            for number in row.live.values():
                if told := difference(self.found, number, row.numbers.get(number.system)):
                    yield Text(told, style="red")
            reasons = dict.fromkeys((n.missing, n.version) for n in row.live.values() if n.missing and not n.sample)
            for reason, version in reasons:
                yield Text(f"{row.name} {version or ''}".strip() + f": {reason}", style="yellow")
            if any(n.sample for n in row.live.values()):
                yield Text(f"{row.name} is too slow for all segments, so it was given a sample.", style="dim")
            for note in dict.fromkeys(n.note for n in row.live.values() if n.note):
                yield Text(f"{row.name} {note}", style="dim")


def state(numbers: Iterable[Number], systems: int, found: Comparison) -> tuple[str, str]:
    """What a library gives, in at most 20 characters, and a style."""
    known = [*numbers]
    unequal = [n for n in known if n.residual]
    if unequal:
        largest = max(unequal, key=lambda number: abs(number.residual))
        return f"≠ {shown_difference(found.factor * largest.residual)}", "bold red"
    if wrong := [n for n in known if n.sample and n.sample.equal is False]:
        return f"≠ on {wrong[0].sample.segments if wrong[0].sample else 0} segments", "bold red"
    missing = [n for n in known if n.missing and not n.sample]
    if missing:
        more = f" ({len(known) - len(missing)} of {systems} =)" if len(missing) < len(known) else ""
        return f"{_brief(missing[0].missing or '')}{more}", "yellow"
    if sampled := [n.sample for n in known if n.sample]:
        sign = "=" if sampled[0].equal else "ran"
        return f"{sign} on {sampled[0].segments} segments", "green"
    sign = "=" if all(n.expected is not None for n in known) else "ran"
    if len(known) < systems:
        return f"{sign} {len(known)} of {systems} …", "yellow"
    seconds = sum(n.seconds or 0.0 for n in known)
    return f"{sign} {'all ' if systems > 1 else ''}{systems if systems > 1 else ''} {_time(seconds)}".replace("  ", " "), "green"


def _time(seconds: float) -> str:
    return f"in {seconds:.1f} s" if seconds < 9.95 else f"in {seconds:.0f} s"


def _brief(reason: str) -> str:
    """A reason in two words. The notes below the table have all of it."""
    if "not installed" in reason or "evaluate.load" in reason:
        return "not installed"
    words = reason.split()
    if reason.startswith("takes longer than"):
        return f"over {words[3]} s"
    return " ".join(words[:2]).rstrip(":,;")


def difference(found: Comparison, number: Number, ours: Number | None) -> str:
    """A residual in a sentence; empty if there is none."""
    where = f"{number.name} {number.version or ''}".strip() + f", {short_names(found.systems)[number.system]}"
    version = f"; ours is {ours.mirrors}" if ours and ours.mirrors and number.version != ours.version else ""
    if number.sample and number.sample.equal is False:
        return f"{where}: unexplained: {number.missing}{version}"
    if not number.residual:
        return ""
    return f"{where}: unexplained: {found.factor * number.residual:+.3g} against our number{version}"


def line_of(found: Comparison, number: Number) -> str:
    """A library's number as a line for a file or a pipe."""
    label = f"{found.metric}, {number.label}, {number.system}"
    if number.value is None:
        return f"- {label}: {number.missing}"
    points = found.points(number)
    if number.expected is None:
        return f"- {label}: {points:.6g}"
    if number.residual:
        return f"- {label}: {points:.6g}, unexplained: {found.factor * number.residual:+.3g} against our number"
    return f"- {label}: {points:.6g}, equal to our number"


def _label(number: Number) -> str:
    """The library and the version that a number is proven equal to; our variant's name if there is none."""
    return f"{number.name} {number.version}" if number.mirrors else number.name


def _letters(found: Comparison, ours: Mapping[str, Mapping[str, Number]]) -> dict[str, str]:
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


def findings(board: Board) -> Iterator[RenderableType]:
    """What was found, in short lines: who wins, by which p-values, what differs, and why."""
    from rich.text import Text

    found = board.found
    yield Text(f"{found.metric}: {_count(len(found.systems), 'system')}, {_count(found.segments, 'segment')}", "bold")
    if told := headline(found):
        yield Text(_renamed(told, board.short))
    yield from (Text(line) for line in _wins(board))
    if told := people_sentence(found):
        yield Text(_renamed(told, board.short), "dim")
    for flip in found.flips[:_CAUSES]:
        if told := flip_sentence(found, flip):
            yield Text(_renamed(told, board.short))
    yield from (Text(line) for line in _why(board))
    if told := sampling_note(found):
        yield Text(told, "dim")


def _wins(board: Board) -> Iterator[str]:
    """For each group of equal numbers: the winner, and its leads with their p-values."""
    own = leads(board.found)
    for letter, names in groupby(sorted(own, key=lambda name: board.letters.get(name, "")), board.letters.get):
        first = own[next(names)]
        nearest = sorted(first, key=lambda lead: abs(lead.difference))
        told = ", ".join(f"{board.short[lead.other]} {_lead(lead)}" for lead in nearest[:_BEHIND])
        more = len(nearest) - _BEHIND
        rest = f", {more} more (p ≤ {max(lead.p_value for lead in nearest[_BEHIND:]):.3f})" if more > 0 else ""
        yield f"  {letter}: {board.short[first[0].winner]} before {told}{rest}"


def _lead(lead: Lead) -> str:
    if not lead.difference:
        return "(the same)"
    return f"({shown_difference(lead.difference)}, {shown_p(lead.p_value)})"


def _why(board: Board) -> Iterator[str]:
    """The gaps of the widest system, then its causes with their examples."""
    found = board.found
    if not found.causes:
        return
    system, factor = found.causes[0].system, found.factor
    yield f"Why they differ, for {board.short[system]}, in {'points' if found.in_points else found.primary}:"
    for gap in found.explanations:
        parts = [part for part in gap.contributions if abs(part.share) > max(NOTHING, 5e-3 * abs(gap.gap))]
        if gap.system == system and parts:
            shares = ", ".join(
                f"{part.choice} {shown_difference(factor * part.share)}"
                + (f" ± {factor * part.standard_error:.1g}" if part.standard_error else "")
                for part in parts[:4]
            )
            ends = f"{board.letters.get(gap.variant_a, gap.variant_a)} to {board.letters.get(gap.variant_b, gap.variant_b)}"
            yield f"  {ends} {shown_difference(factor * gap.gap)}: {shares}"
    for cause in found.causes[:_CAUSES]:
        yield f"  {cause.choice}: {cause.sentence}"


def _renamed(text: str, short: Mapping[str, str]) -> str:
    for name in sorted(short, key=len, reverse=True):
        text = text.replace(name, short[name])
    return text


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _count(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"

"""Is this published table right? Which settings print its cells, and does each column compare like with like?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from typing import Any

import numpy as np

from metrologue.comparison.which import search
from metrologue.comparison.which.search import (
    CHANGES,
    SECONDS,
    Answer,
    Printed,
    Tried,
    candidates_of,
    chance_of,
    compared_texts,
    first_of_equal,
    numbers_of,
    perfect_of,
    rank,
    scaled_values,
    scales_of,
)
from metrologue.comparison.which.settings import ALL, Setting, moses_tokenizers
from metrologue.data.arrays import Floats
from metrologue.errors import InputError, checked_int, instead_of, number_of, shown
from metrologue.files.printed import PrintedCell, PrintedTable, parsed_table, read_table
from metrologue.inference.paired import paired_test
from metrologue.output import markdown_cell
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.engine import is_additive
from metrologue.scorers.core.many import Outcome
from metrologue.scorers.core.names import read_name
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.options import options_of
from metrologue.scorers.core.typed import with_number
from metrologue.segments import Segments
from metrologue.text.tokenizers import get_tokenizer

__all__ = ["Cell", "Checked", "Column", "check_table", "which"]

# A setting explains a column if it prints all its cells, or all but one in so many.
_ONE_IN = 4
# What a changed choice, another scale, a cell that is not printed, and one that is nearly printed cost a setting.
_CHANGED, _SCALED, _MISSED, _NEAR = 1.0, 1.5, 2.0, 1.0
# An explanation by a changed setting that an arbitrary column would get so often explains nothing.
_WEAK = 0.2
# A part of a test set has at least so many segments.
_FEWEST = 10
FOUND, NEAR, COPIED, SWAPPED, UNEXPLAINED = "found", "near", "copied", "swapped", "unexplained"


@dataclass(frozen=True)
class Cell:
    """A number of the table, and what is known of it.

    Attributes
    ----------
    system : str
        The row, as it is printed.
    printed : Printed
    is_bold : bool
    verdict : str
        "found": the setting of its column prints it; "near": it is within one unit of the last digit; "copied": a
        library's default prints it, not the column's setting; "swapped": it is the number of another system;
        "unexplained".
    about : str
        What prints it, or why it is unexplained.
    value : float or None
        Its number under the setting of the column.
    answer : Answer or None
        The setting that prints it.
    chance : int
        How many settings print it, if it is unexplained.
    """

    system: str
    printed: Printed
    is_bold: bool
    verdict: str
    about: str = ""
    value: float | None = None
    answer: Answer | None = None
    chance: int = 0


@dataclass(frozen=True)
class Column:
    """A column of the table.

    Attributes
    ----------
    heading : str
    cells : tuple of Cell
    answer : Answer or None
        The setting that explains it.
    tried, values : int
        How many settings were tried, and how many different numbers they give.
    untried : int
        How many the time did not suffice for.
    matching : int
        How many settings print as much of it.
    chance : float
        With what probability some setting would print an arbitrary column like it.
    notes : tuple of str
    """

    heading: str
    cells: tuple[Cell, ...]
    answer: Answer | None
    tried: int
    values: int
    untried: int
    matching: int
    chance: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Checked:
    """What is known of a table.

    Attributes
    ----------
    columns : tuple of Column
    notes : tuple of str
        What concerns the whole table: rows without outputs, columns that are no metric, rows in each other's place.
    """

    columns: tuple[Column, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def is_explained(self) -> bool:
        """Whether no cell is unexplained."""
        return all(cell.verdict != UNEXPLAINED for column in self.columns for cell in column.cells)

    def __repr__(self) -> str:
        cells = [cell.verdict for column in self.columns for cell in column.cells]
        counts = ", ".join(f"{cells.count(each)} {each}" for each in dict.fromkeys(cells))
        return f"<{type(self).__name__}: {counts}>"

    def lines(self) -> Iterator[str]:
        """The answer as text, line by line."""
        yield from self.notes
        for column in self.columns:
            yield f"{column.heading}: {_summary(column)}"
            widths = [max(len(each) for each in texts) for texts in zip(*map(_texts_of, column.cells), strict=True)]
            for cell in column.cells:
                parts = zip(_texts_of(cell), widths, strict=True)
                yield f"  {'  '.join(text.ljust(width) for text, width in parts)}  {cell.about}".rstrip()
            for note in column.notes:
                yield f"  {note}"
            if column.answer:
                yield f"      {column.answer.command}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the command prints them in JSON."""
        return {
            "explained": self.is_explained,
            "notes": [*self.notes],
            "columns": [
                {
                    "heading": column.heading,
                    "setting": column.answer and column.answer.about,
                    "signature": column.answer and column.answer.scorer.signature,
                    "command": column.answer and column.answer.command,
                    "call": column.answer and column.answer.call,
                    **{name: getattr(column, name) for name in ("tried", "untried", "values", "matching", "chance")},
                    "notes": [*column.notes],
                    "cells": [
                        {
                            "system": cell.system, "printed": cell.printed.text, "bold": cell.is_bold,
                            "verdict": cell.verdict, "about": cell.about, "value": cell.value,
                            "setting": cell.answer and cell.answer.about, "settings by chance": cell.chance,
                        }
                        for cell in column.cells
                    ],
                }
                for column in self.columns
            ],
        }  # fmt: skip

    def to_markdown(self) -> str:
        """The answer as Markdown: what is said of each column, then its cells."""
        parts = [f"{note}\n" for note in self.notes]
        for column in self.columns:
            parts.append(f"**{markdown_cell(column.heading)}**: {markdown_cell(_summary(column))}\n")
            rows: list[tuple[str, ...]] = [("system", "printed", "verdict", "why"), ("---", "---:", "---", "---")]
            rows += [(*map(markdown_cell, (*_texts_of(cell), cell.about)),) for cell in column.cells]
            parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n")
            parts += [f"{markdown_cell(note)}\n" for note in column.notes]
        return "\n".join(parts).rstrip("\n")

    def to_html(self) -> str:
        """The answer as an HTML page."""
        return (
            '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Is this table right?</title>\n'
            "<style>body{font-family:sans-serif;max-width:60em;margin:auto}td,th{padding:.2em .8em;text-align:left}"
            ".unexplained{background:#fdd}.copied,.swapped{background:#fed}.near{background:#ffc}</style>\n"
            f"<body>{self._repr_html_()}</body></html>"
        )

    def _repr_html_(self) -> str:
        """The HTML for a notebook."""
        parts = [f"<p>{escape(note)}</p>" for note in self.notes]
        for column in self.columns:
            parts.append(f"<h2>{escape(column.heading)}</h2><p>{escape(_summary(column))}</p><table>")
            parts.append("<tr><th>system<th>printed<th>verdict<th>why</tr>")
            for cell in column.cells:
                texts = "".join(f"<td>{escape(text)}" for text in (*_texts_of(cell), cell.about))
                parts.append(f'<tr class="{cell.verdict}">{texts}</tr>')
            parts.append("</table>" + "".join(f"<p>{escape(note)}</p>" for note in column.notes))
        return "\n".join(parts)


def _texts_of(cell: Cell) -> tuple[str, str, str]:
    return cell.system, cell.printed.text, cell.verdict


def _summary(column: Column) -> str:
    """What explains a column, how many settings were tried, and how easily one hits."""
    verdicts = [cell.verdict for cell in column.cells]
    untried = f", {column.untried:,} more were not for lack of time" if column.untried else ""
    tried = f"{column.tried:,} settings with {column.values:,} different numbers were tried{untried}"
    if column.answer:
        others = f" ({column.matching - 1:,} other settings print as much)" if column.matching > 1 else ""
        printed = verdicts.count(FOUND) + verdicts.count(SWAPPED)
        return (
            f"{printed} of {number_of(len(verdicts), 'cell')} by {column.answer.about}{others}. {tried}; an arbitrary "
            f"column would be printed with probability {column.chance:.1g}."
        )
    if UNEXPLAINED in verdicts or not verdicts:
        return f"no setting explains the column. {tried}."
    return f"its cells need different settings. {tried}."


def check_table(
    table: Any,
    systems: Mapping[str, Any],
    references: Any,
    *,
    changes: int = CHANGES,
    tokenizers: Sequence[str] = (),
    seconds: float = SECONDS,
    progress: Callable[..., None] | None = None,
) -> Checked:
    """Which settings print the cells of a table of systems by metrics; arguments as for ``which``.

    Parameters
    ----------
    table : path, str, or mapping of str to mapping of str to number
        A file, the text of a table, or the numbers of each system by the headings.
    systems : mapping of str to n strings
        The output of each system. A row and a system belong together if their names are equal but for marks and case,
        or one name has the other in it.
    references : n strings, or n lists of strings

    Raises
    ------
    InputError
        If the table is none, no row has an output, or no column is a metric that compares texts with references.
    """
    most = checked_int("`changes`", changes, 0, 3)
    printed = _table(table)
    if not isinstance(systems, Mapping) or not systems:
        raise InputError(f"which: `systems` is {shown(systems)}; the outputs of each system by its name are expected.")
    for each in tokenizers:
        get_tokenizer(each)
    rows, notes = _matched(printed, systems)
    metrics = {heading: _metric_of(heading) for heading in printed.columns}
    if unknown := [heading for heading, each in metrics.items() if each is None]:
        notes.append(f"Not checked: {', '.join(map(repr, unknown))}, no metric of texts and references that is known.")
    texts: dict[str, dict[str, Segments]] = {}
    for name in rows.values():
        texts[name] = compared_texts(systems[name], references, get_scorer("bleu"), {})
        texts[name].update(_deduplicated(texts[name][ALL]))
    searched: dict[str, Tried] = {}
    columns = []
    for place, heading in enumerate(printed.columns):
        asked = metrics[heading]
        cells = {name: row[place] for name, row in printed.rows if name in rows and row[place]}
        if asked is None or not cells:
            continue
        if asked.metric not in searched:
            if progress:
                progress(description=f"{asked.metric}: the settings")
            kinds = [get_scorer(asked.metric)]
            given = [
                Printed.of(cell.number)
                for _, row in printed.rows
                for heading_, cell in zip(printed.columns, row, strict=True)
                if cell and (own := metrics[heading_]) is not None and own.metric == asked.metric
            ]
            worth = len(rows) // _ONE_IN + 1, partial(_may_explain, given)
            searched[asked.metric] = candidates_of(kinds, texts, most, tokenizers, seconds, progress, worth=worth)
        columns.append(_Search(heading, asked, cells, rows, texts, searched[asked.metric]).column())
    if not columns:
        known = "; ".join(f"{heading!r}" for heading in printed.columns)
        raise InputError(
            f"which: no column of the table is a metric of texts and references; its headings are {known}."
        )
    return Checked(tuple(columns), (*notes, *_swaps(columns)))


def which(
    metric: Any, number: Any, predictions: Any = None, references: Any = None, **options: Any
) -> search.Found | Checked:
    """Every setting of a metric that prints a number; or, for a table of systems by metrics, which cells are right.

    Parameters
    ----------
    metric : str
        The name of a metric, such as "bleu"; of its number, such as "rouge2"; "all"; or a score as it is typed, such as
        "rouge:rouge-1.5.5[rouge1,recall]", whose variant, options and number then stay as they are. Or a table: a path
        to TSV, CSV, Markdown or LaTeX, such a text, or a dict with the numbers of each system by their headings.
    number : float or str, or mapping of str to float or str
        The printed number, on a scale of 1 or of 100. A text keeps its last zeros. A mapping has the numbers of several
        systems by their names. For a table: a mapping of str to n strings, the output of each system.
    predictions : n strings, or mapping of str to n strings
        The output of the system, or of each system. For a table: the references.
    references : n strings, or n lists of strings
    **options
        `changes`: so many choices of each variant are changed at once, 0 to 3, by default 2; how text is read counts as
        one. `tokenizers`: others to try, such as those with options. `seconds`: so much time of a processor the search
        may take for each metric and system, by default 8. `progress`: a callable that is told how far it is. For a
        number, also the metric's other inputs by their names, such as `sources`.

    Returns
    -------
    Found or Checked

    Raises
    ------
    InputError
        If there is no such metric, number, tokenizer or table, or the texts make no segments.

    Examples
    --------
    >>> found = which("bleu", 37.99, ["the cat, it sat there"], ["the cat, he sat there"], changes=1)
    >>> found.answers[0].command
    'metrologue score bleu --variant sacrebleu'
    >>> table = {"mine": {"BLEU": "37.99"}}
    >>> which(table, {"mine": ["the cat, it sat there"]}, ["the cat, he sat there"], changes=0)
    <Checked: 1 found>
    """
    given = [each for each in (predictions, references) if each is not None]
    if len(given) == 1 and isinstance(number, Mapping):
        return check_table(metric, number, given[0], **options)
    if missing := [name for name, each in (("predictions", predictions), ("references", references)) if each is None]:
        raise InputError(
            f'which: `{missing[0]}` is missing; a call is `which("bleu", 27.3, predictions, references)`, or '
            "for a table which(table, systems, references)."
        )
    return search.which(metric, number, predictions, references, **options)


def _table(table: Any) -> PrintedTable:
    if isinstance(table, Mapping):
        heads = [*dict.fromkeys(heading for row in table.values() for heading in row)]
        if not heads:
            raise InputError("which: the table has no cell; numbers of each system by the headings are expected.")
        rows = tuple(
            (str(name), tuple(PrintedCell(Printed.of(row[head]).text) if head in row else None for head in heads))
            for name, row in table.items()
        )
        return PrintedTable(tuple(heads), rows)
    return parsed_table(table) if isinstance(table, str) and "\n" in table else read_table(table)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())


def _matched(printed: PrintedTable, systems: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """The system of each row, by its name; and what is left over."""
    folded = {name: _folded(name) for name in systems}
    found: dict[str, str] = {}
    for row, _ in printed.rows:
        own = _folded(row)
        same = [name for name, each in folded.items() if each == own] or [
            name for name, each in folded.items() if own and each and (own in each or each in own)
        ]
        if len(same) == 1 and same[0] not in found.values():
            found[row] = same[0]
    if not found:
        instead = instead_of(printed.rows[0][0], systems) if printed.rows else ""
        raise InputError(f"which: no row of the table has the name of a system: {shown(printed.rows[0][0])}; {instead}")
    without = [row for row, _ in printed.rows if row not in found]
    return found, [f"No output is given for {', '.join(without)}; left out."] if without else []


@dataclass(frozen=True)
class _Asked:
    """The metric of a column, and which of its numbers stand there."""

    metric: str
    numbers: frozenset[str]


_BLEU_N = re.compile(r"bleu[-@_ ]?([1-4])|b[-@]?([1-4])")
_ROUGE = re.compile(r"r(?:g|ouge)?[-_ ]?(1|2|3|4|l|lsum)(?:[-_ ]?(?:f1?|score))?")


def _metric_of(heading: str) -> _Asked | None:
    """What a heading names: the last of its words that names a metric, without what stands in brackets."""
    bare = re.sub(r"\([^)]*\)|\[[^\]]*\]|[%↑↓]", " ", heading)
    parts = [bare.strip(), *reversed(bare.split())]
    for part in parts:
        folded = part.casefold()
        if match := _BLEU_N.fullmatch(folded):
            part = f"bleu_{match[1] or match[2]}"
        elif match := _ROUGE.fullmatch(folded):
            part = f"rouge{match[1].upper().replace('LSUM', 'Lsum')}"
        try:
            given = read_name(part)
            kind = get_scorer(given.head.partition(":")[0])
        except InputError:
            continue
        if kind.input_names() != ("predictions", "references") or "aggregation" not in options_of(kind):
            continue
        if given.words:
            numbers = {with_number(kind(), given.words).primary}
        elif "types" in given.fields:
            numbers = {*numbers_of(kind, given.fields["types"].strip("[]"))}
        else:
            numbers = {kind.variant(variant).primary for variant in kind.variants()}
        return _Asked(kind.name, frozenset(numbers))
    return None


def _deduplicated(segments: Segments) -> dict[str, Segments]:
    """The segments whose references did not occur before, if some did."""
    references = segments.texts("references").to_pylist()
    offsets = segments.reference_offsets
    seen: dict[tuple[str, ...], int] = {}
    for place in range(len(segments)):
        seen.setdefault(tuple(references[offsets[place] : offsets[place + 1]]), place)
    if len(seen) == len(segments):
        return {}
    return {"segments whose references did not occur before": segments.take([*seen.values()])}


class _Search:
    """The search for what explains one column."""

    def __init__(
        self,
        heading: str,
        asked: _Asked,
        cells: Mapping[str, PrintedCell | None],
        rows: Mapping[str, str],
        texts: Mapping[str, Mapping[str, Segments]],
        tried: Tried,
    ) -> None:
        self.heading, self.tried, self.texts = heading, tried, texts
        self.rows = [*cells]
        self.systems = [rows[name] for name in self.rows]
        self.cells = [cell for cell in cells.values() if cell]
        self.printed = [Printed.of(cell.number) for cell in self.cells]
        own = [each for each in tried.candidates if each.name in asked.numbers]
        scaled = scaled_values(Tried(own, tried.tried, tried.untried, tried.not_tried, tried.all_listed))
        places = [[*texts].index(name) for name in self.systems]
        self.scaled = [(candidate, scale, values) for candidate, scale, values in scaled]
        self.values = np.array([values for _, _, values in scaled])[:, places]
        self.allowed = len(self.cells) // _ONE_IN
        self.fits = self._fitting(self.values)
        units = np.array([each.unit for each in self.printed])
        wanted = np.array([each.value for each in self.printed])
        self.near = (np.abs(self.values - wanted) <= units * (1 + 1e-9)) & ~self.fits
        self.steps = np.array([candidate.setting.steps for candidate, _, _ in scaled])
        self.is_default = np.array([_is_default(candidate.setting, self._moses) for candidate, _, _ in scaled])

    @property
    def _moses(self) -> set[str]:
        first = next(iter(self.texts.values()))[ALL].texts("references")
        return {*moses_tokenizers(first.slice(0, 300).to_pylist())[:2]}

    def _fitting(self, values: Floats) -> Any:
        return np.stack([each.fits(values[..., at]) for at, each in enumerate(self.printed)], axis=-1)

    def column(self) -> Column:
        """The column with its cells."""
        best = self._best()
        swapped: dict[int, int] = {}
        if best is None or self._misses(best) >= 2:
            place, moved = self._swapped()
            if place is not None and (best is None or len(moved) >= 2):
                best, swapped = place, moved
        if best is None and (part := self._part()):
            return part
        cells = tuple(self._cell(at, best, swapped) for at in range(len(self.cells)))
        return self._column(cells, best, self._winner(best) if best is not None else [])

    def _column(self, cells: tuple[Cell, ...], best: int | None, notes: Sequence[str], matching: int = 0) -> Column:
        like = 0
        if best is not None:
            like = int(np.count_nonzero((self.fits == self.fits[best]).all(axis=1)))
        return Column(
            self.heading, cells, None if best is None else self._answer(best), self.tried.tried,
            len(first_of_equal(self.values)), self.tried.untried, matching or like, self._chance(), tuple(notes),
        )  # fmt: skip

    def _chance(self) -> float:
        return chance_of(self.values[first_of_equal(self.values)], self.printed)

    def _misses(self, place: int) -> int:
        return int(np.count_nonzero(~self.fits[place] & ~self.near[place]))

    def _best(self) -> int | None:
        """The likeliest candidate that prints all cells, or all but one in four; None if there is none."""
        explains = np.count_nonzero(~self.fits, axis=1) <= self.allowed
        if self._chance() >= _WEAK:
            explains &= self.is_default
        if not explains.any():  # a library's default that nearly prints them
            close = np.count_nonzero(~self.fits & ~self.near, axis=1) <= self.allowed
            explains = close & self.is_default & (self.fits.any(axis=1) | (len(self.cells) == 1))
        return self._likeliest(np.flatnonzero(explains))

    def _cost(self, place: int) -> float:
        near, is_scaled = np.count_nonzero(self.near[place]), self.scaled[place][1] != 1
        return float(_CHANGED * self.steps[place] + _SCALED * is_scaled + _MISSED * self._misses(place) + _NEAR * near)

    def _likeliest(self, places: Any) -> int | None:
        if not len(places):
            return None
        costs = {int(place): self._cost(int(place)) for place in places}
        least = min(costs.values())
        some = [place for place, cost in costs.items() if cost == least]
        return min(some, key=lambda place: (np.count_nonzero(~self.fits[place]), rank((*self.scaled[place], 0.0))))

    def _answer(self, place: int) -> Answer:
        candidate, scale, _ = self.scaled[place]
        decimals = max(each.decimals for each in self.printed)
        return Answer(tuple(self.values[place].tolist()), candidate.setting, candidate.name, 1, scale, decimals)

    def _cell(self, at: int, best: int | None, swapped: Mapping[int, int]) -> Cell:
        printed = self.printed[at]
        value = None if best is None else float(self.values[best, at])
        cell = partial(Cell, self.rows[at], printed, self.cells[at].is_bold)
        if best is not None and self.fits[best, at]:
            return cell(FOUND, "", value, self._answer(best))
        if best is not None and at in swapped:
            return cell(SWAPPED, f"it is the number of {self.rows[swapped[at]]}", value, self._answer(best))
        if best is not None and self.near[best, at]:
            how = "cut, not rounded" if _is_cut(value, printed) else "one unit of the last digit away"
            return cell(NEAR, f"{how}: {_spelled(value, printed)}", value, self._answer(best))
        prints = np.flatnonzero(self.fits[:, at])
        default = self._likeliest_alone([place for place in prints.tolist() if self.is_default[place]])
        instead = "" if value is None else f"; the column's setting gives {_spelled(value, printed)}"
        if default is not None:
            answer = self._answer(default)
            verdict = FOUND if best is None else COPIED
            return cell(verdict, f"{answer.about}{instead}", value, answer)
        settings = len({id(self.scaled[place][0].setting) for place in prints})
        matches = f" ({number_of(settings, 'setting')} match{'es' * (settings == 1)} by chance)" if settings else ""
        about = f"{self.tried.tried:,} settings were tried{matches}{instead}"
        return cell(UNEXPLAINED, about, value, None, settings)

    def _likeliest_alone(self, places: Sequence[int]) -> int | None:
        return min(places, key=lambda place: rank((*self.scaled[place], 0.0)), default=None)

    def _swapped(self) -> tuple[int | None, dict[int, int]]:
        """The likeliest candidate under which rows have each other's numbers, and whose number each row has."""
        found: list[tuple[float, int, dict[int, int]]] = []
        for place in np.flatnonzero(self.steps <= 1).tolist():
            wrong = np.flatnonzero(~self.fits[place] & ~self.near[place])
            if len(wrong) < 2:
                continue
            fits = self._fitting(np.repeat(self.values[place][:, None], len(self.printed), axis=1))  # [system, row]
            moved = _matching(wrong.tolist(), fits)
            left = np.count_nonzero(~self.fits[place]) - len(moved)
            if len(moved) >= 2 and left <= self.allowed:
                found.append((_CHANGED * float(self.steps[place]) + _MISSED * left, int(place), moved))
        if not found:
            return None, {}
        least = min(cost for cost, _, _ in found)
        some = [(place, moved) for cost, place, moved in found if cost == least]
        return min(some, key=lambda each: rank((*self.scaled[each[0]], 0.0)))

    def _part(self) -> Column | None:
        """The column, if a library's default prints it for the first n segments."""
        seen = set()
        for place in np.flatnonzero(self.is_default).tolist():
            candidate, scale, _ = self.scaled[place]
            scorer = candidate.setting.scorer()
            key = candidate.setting.metric, candidate.setting.variant, str(candidate.setting.changes), scale
            if key in seen or not is_additive(scorer) or candidate.setting.texts != ALL:
                continue
            seen.add(key)
            totals = [np.cumsum(scorer.statistics(self.texts[name][ALL]), axis=0) for name in self.systems]
            try:
                scores = [_number(scorer, each[_FEWEST - 1 :], candidate.name) for each in totals]
            except InputError:
                continue
            values = np.stack(scores, axis=1) * scale
            hits = np.flatnonzero(self._fitting(values).all(axis=1)) + _FEWEST
            if not len(hits) or len(self.cells) == 1:
                continue
            size = max(hits.tolist(), key=lambda n: (_roundness(n), -n))
            of_part = Setting(
                candidate.setting.metric, candidate.setting.variant, candidate.setting.changes,
                candidate.setting.steps, f"the first {size} segments",
            )  # fmt: skip
            own = values[size - _FEWEST]
            answer = Answer(tuple(own.tolist()), of_part, candidate.name, 1, scale)
            cells = tuple(
                Cell(row, printed, cell.is_bold, FOUND, "", float(value), answer)
                for row, printed, cell, value in zip(self.rows, self.printed, self.cells, own, strict=True)
            )
            whole = len(totals[0])
            note = f"The first {size} of {whole:,} segments fit; so do {len(hits) - 1} other numbers of segments."
            chance = min(1.0, self._chance() * whole)
            return Column(
                self.heading, cells, answer, self.tried.tried, len(first_of_equal(self.values)), self.tried.untried, 1,
                chance, (note,),
            )  # fmt: skip
        return None

    def _winner(self, best: int) -> list[str]:
        """What is said if the best system of the column is not the best one under its setting, with p."""
        candidate = self.scaled[best][0]
        scorer = candidate.setting.scorer()
        up = scorer.higher_is_better.get(
            candidate.name if candidate.name in scorer.higher_is_better else scorer.primary
        )
        if up is None or len(self.cells) < 2:
            return []
        sign = 1 if up else -1
        bold = [at for at, cell in enumerate(self.cells) if cell.is_bold]
        top = max(sign * each.value for each in self.printed)
        printed = bold or [at for at, each in enumerate(self.printed) if sign * each.value == top]
        values = self.values[best]
        winner = int(np.argmax(sign * values))
        if winner in printed or len(bold) == len(self.cells):
            return []
        first = max(printed, key=lambda at: sign * values[at])
        known = self.texts[self.systems[0]]
        if candidate.setting.texts not in known or candidate.name not in scorer.range:
            return []
        both = {self.rows[at]: self.texts[self.systems[at]][candidate.setting.texts] for at in (first, winner)}
        try:
            [result] = paired_test(scorer, self.rows[first], both, key=candidate.name)
        except InputError:
            return []
        label = "bold" if bold else "best"
        ahead = abs(float(values[winner] - values[first]))
        return [
            f"{self.rows[first]} is {label}, but under this setting {self.rows[winner]} is better, by "
            f"{_spelled(ahead, self.printed[first])} (p = {result.p_value:.2g})."
        ]


def _may_explain(printed: Sequence[Printed], setting: Setting, outcomes: Sequence[Outcome]) -> bool:
    """Whether a setting prints some cell on the first systems; it cannot explain a column if it prints none of theirs.

    Those that change little are kept, so that a cell has something to be compared with.
    """
    if setting.steps <= 1:
        return True
    values = [value for own in outcomes if isinstance(own, Mapping) for value in own.values()]
    if not values:
        return False
    perfect = perfect_of(setting)
    scaled = np.multiply.outer(values, scales_of(perfect)).ravel()
    return any(each.fits(scaled).any() for each in printed)


def _number(scorer: Scorer, totals: Floats, name: str) -> Floats:
    numbers = scorer.score(totals)
    return np.asarray(numbers[name], float) / (1.0 if perfect_score(scorer) is None else perfect_score(scorer) or 1.0)


def _roundness(number: int) -> int:
    """How round a number is: that of its divisors 1000, 500, 250, 100, 50 and 10 which is the greatest."""
    return next((each for each in (1000, 500, 250, 100, 50, 10) if number % each == 0), 1)


def _is_default(setting: Setting, moses: set[str]) -> bool:
    """Whether it is a library's default on the texts as they are, in lower case, or tokenized."""
    if setting.texts != ALL or {*setting.changes} - {"lowercase", "tokenizer"}:
        return False
    tokens = setting.changes.get("tokenizer")
    return tokens is None or (tokens in {"13a", *moses} and _reads_tokens(setting))


def _reads_tokens(setting: Setting) -> bool:
    """Whether the variant expects tokens between whitespace."""
    own = get_scorer(setting.metric).variants()[setting.variant].fields.get("tokenizer", "")
    return str(own).partition(":")[0] in ("whitespace", "ascii-whitespace")


def _is_cut(value: float | None, printed: Printed) -> bool:
    return value is not None and 0 <= value - printed.value < printed.unit


def _spelled(value: float | None, printed: Printed) -> str:
    return "" if value is None else f"{value:.{printed.decimals + 1}f}"


def _matching(wrong: Sequence[int], fits: Any) -> dict[int, int]:
    """Rows that have the numbers of other rows, each of one: as many as there can be (augmenting paths)."""
    row_of: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for system in wrong:
            if system != row and system not in seen and fits[system, row]:
                seen.add(system)
                if system not in row_of or place(row_of[system], seen):
                    row_of[system] = row
                    return True
        return False

    for row in wrong:
        place(row, set())
    return {row: system for system, row in row_of.items()}


def _swaps(columns: Sequence[Column]) -> list[str]:
    """A line for each two rows that are swapped, and one for other rows in each other's place."""
    by_rows: dict[tuple[str, ...], list[str]] = {}
    for column in columns:
        moved = tuple(cell.system for cell in column.cells if cell.verdict == SWAPPED)
        if moved:
            by_rows.setdefault(moved, []).append(column.heading)
    return [f"{' and '.join(rows)} are swapped in {' and '.join(own)}." for rows, own in by_rows.items()]

"""Is this published table right? Which settings print its cells, and does each column compare like with like?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from metrologue.comparison.which import search
from metrologue.comparison.which.checked import ONE_IN, SWAPPED, Cell, Checked, Column
from metrologue.comparison.which.columns import Asked, ColumnSearch, roundness
from metrologue.comparison.which.search import (
    CHANGES,
    SECONDS,
    Printed,
    Search,
    Tried,
    compared_texts,
    levels,
    needs_references,
    numbers_of,
    perfect_of,
    scales_of,
)
from metrologue.comparison.which.settings import ALL, FIRST, UNIQUE, Setting
from metrologue.errors import InputError, checked_int, instead_of, shown
from metrologue.files.printed import PrintedCell, PrintedTable, parsed_table, read_table
from metrologue.scorers import get_scorer
from metrologue.scorers.core.many import Outcome
from metrologue.scorers.core.names import read_name
from metrologue.scorers.core.options import options_of
from metrologue.scorers.core.typed import with_number
from metrologue.segments import Segments
from metrologue.text.tokenizers import get_tokenizer

# If a column is nearly printed, it is that of the first n segments only if n is a multiple of this.
_ROUND = 100

__all__ = ["Cell", "Checked", "Column", "check_table", "which"]


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
    wanted = [
        (heading, asked, cells)
        for place, heading in enumerate(printed.columns)
        if (asked := metrics[heading])
        and (cells := {name: cell for name, row in printed.rows if name in rows and (cell := row[place])})
    ]
    if not wanted:
        known = "; ".join(f"{heading!r}" for heading in printed.columns)
        raise InputError(
            f"which: no column of the table is a metric of texts and references; its headings are {known}."
        )
    options = {"tokenizers": tokenizers, "seconds": seconds, "progress": progress}
    with ExitStack() as opened:
        search_of = partial(_Searched, printed=wanted, rows=rows, most=most, opened=opened, options=options)
        whole = search_of(texts)
        searches: list[ColumnSearch] = []
        for heading, asked, cells in wanted:
            try:
                searches.append(whole.column(heading, asked, cells))
            except InputError as error:  # something that the metric needs is not here
                notes.append(f"Not checked: {heading!r}. {str(error).removeprefix('which: ')}")
        columns = _explained(searches, whole, search_of)
    return Checked(tuple(columns), (*notes, *_swaps(columns)))


class _Searched:
    """The numbers of all settings of the metrics of a table, of some texts of each system."""

    def __init__(
        self,
        texts: Mapping[str, Mapping[str, Segments]],
        *,
        printed: Sequence[tuple[str, Asked, Mapping[str, PrintedCell]]],
        rows: Mapping[str, str],
        most: int,
        opened: ExitStack,
        options: Mapping[str, Any],
    ) -> None:
        self.texts, self.rows, self.printed = texts, rows, printed
        self._most, self._opened, self._options = most, opened, options
        self._searches: dict[str, Search] = {}
        self._tried: dict[tuple[str, int, bool], Tried] = {}

    def column(self, heading: str, asked: Asked, cells: Mapping[str, PrintedCell], compared: str = ALL) -> ColumnSearch:
        """The search for what explains a column; `compared` names these texts, if they are a part of the table's.

        More choices are changed at once until no setting that is left can be likelier.
        """
        texts = self.texts
        if compared != ALL:
            texts = {name: {compared: own[ALL]} for name, own in texts.items()}
        search, found = self._search(asked.metric), None
        for most, is_usual in levels(self._most):
            key = asked.metric, most, is_usual
            if key not in self._tried:
                if found and search.is_over:
                    break
                self._tried[key] = search.tried(most, is_usual)
            found = ColumnSearch(heading, asked, cells, self.rows, texts, self._tried[key], {*search.usual}, compared)
            if found.is_settled(most):
                break
        assert found  # there is a first level
        return found

    def _search(self, metric: str) -> Search:
        """The search for the settings of a metric."""
        if metric not in self._searches:
            given = [
                Printed.of(cell.number)
                for _, asked, row in self.printed
                for cell in row.values()
                if asked.metric == metric
            ]
            worth = len(self.rows) // ONE_IN + 1, partial(_may_explain, given)
            search = Search([get_scorer(metric)], self.texts, worth=worth, **self._options)
            self._searches[metric] = self._opened.enter_context(search)
        return self._searches[metric]


def _explained(searches: Sequence[ColumnSearch], whole: _Searched, search_of: Callable[..., _Searched]) -> list[Column]:
    """The columns: by a setting on all segments, or on a part of them, or by the numbers of another column's metric."""
    columns = [each.column() for each in searches]
    parts = [column.answer.setting.texts for column in columns if column.is_found and column.answer]
    open_ = [place for place, column in enumerate(columns) if not column.is_found]
    counts = Counter(
        size
        for place in open_
        for size in searches[place].sizes()
        if columns[place].answer is None or roundness(size) >= _ROUND  # a cut number is not that of a part
    )
    total = len(next(iter(whole.texts.values()))[ALL])
    if counts:  # the one of most columns; then the roundest
        parts.append(FIRST.format(max(counts, key=lambda size: (counts[size], roundness(size), -size))))
    for part in dict.fromkeys(part for part in parts if part != ALL):
        places = [place for place in open_ if not columns[place].is_found]
        if not places:
            break
        texts = {name: {ALL: _part(own, part)} for name, own in whole.texts.items()}
        searched = search_of(texts)
        size = len(next(iter(texts.values()))[ALL])
        for place in places:
            own = searches[place]
            column = searched.column(own.heading, own.asked, own.cells_of, part).column()
            if column.is_found:
                note = f"All its segments are {total:,}; these are {size:,}."
                columns[place] = replace(column, notes=(note, *column.notes))
    for place in open_:
        if columns[place].answer is None:
            columns[place] = _of_another(searches[place], searches, whole) or columns[place]
    return columns


def _of_another(own: ColumnSearch, searches: Sequence[ColumnSearch], whole: _Searched) -> Column | None:
    """A column whose numbers are those of another column's metric."""
    for other in searches:
        if other.asked != own.asked:
            found = whole.column(own.heading, other.asked, own.cells_of).of_another(other.heading)
            if found:
                return found
    return None


def _part(texts: Mapping[str, Segments], part: str) -> Segments:
    """A part of the segments, by its name."""
    if part in texts:
        return texts[part]
    before, after = FIRST.split("{}")
    return texts[ALL].slice(0, int(part.removeprefix(before).removesuffix(after)))


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
        None for a metric of texts alone, such as readability.
    **options
        `changes`: so many choices of each variant are changed at once, 0 to 3, by default 2; the tokenizer and the
        case count as one. `tokenizers`: others to try, such as those with options. `seconds`: so much time of a
        processor the search may take for each metric and system, by default 8. `progress`: a callable that is told how
        far it is. For a number, also the metric's other inputs by their names, such as `sources`.

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
    missing = [name for name, each in (("predictions", predictions), ("references", references)) if each is None]
    if missing and (missing != ["references"] or needs_references(metric)):
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


_BLEU_N = re.compile(r"bleu[-@_ ]?([1-4])|b[-@]?([1-4])")
_ROUGE = re.compile(r"r(?:g|ouge)?[-_ ]?(1|2|3|4|l|lsum)(?:[-_ ]?(?:f1?|score))?")


def _metric_of(heading: str) -> Asked | None:
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
        return Asked(kind.name, frozenset(numbers))
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
    return {UNIQUE: segments.take([*seen.values()])}


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


def _swaps(columns: Sequence[Column]) -> list[str]:
    """A line for each two rows that are swapped, and one for more rows with each other's numbers."""
    by_rows: dict[tuple[str, ...], list[str]] = {}
    for column in columns:
        moved = tuple(cell.system for cell in column.cells if cell.verdict == SWAPPED)
        if moved:
            by_rows.setdefault(moved, []).append(column.heading)
    return [
        f"{' and '.join(rows)} are swapped in {' and '.join(own)}{', not one for one' * (len(rows) > 2)}."
        for rows, own in by_rows.items()
    ]

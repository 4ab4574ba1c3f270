"""The tables of ``metrologue score``: a cell for each score, or a column for each number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from metrologue.cli.tables import Score, Table, terminal_width, widths_of
from metrologue.output import short_names
from metrologue.scorers.core.capabilities import title_of
from metrologue.scorers.core.numbers import headings, main_headings, perfect_score
from metrologue.scorers.core.typed import printed

if TYPE_CHECKING:
    from metrologue.cli.significance import Inferred
    from metrologue.scorers import Result, Scorer


def score_table(
    scorers: Sequence[Scorer],
    names: Sequence[str],
    results: Sequence[Sequence[Result]],
    inferred: Sequence[Inferred],
    digits: int | None,
    with_details: bool,
    for_paper: bool = False,
) -> Table:
    """A row for each system, and a cell for each score: with its margin, a star and letters if they were asked for.

    A paper has bare names of files, titles of metrics with an arrow to the better side, and one decimal of 100 points.
    """
    header: list[str] = ["system"]
    columns: list[Sequence[str | Score]] = [_bare(names) if for_paper else names]
    best: set[tuple[int, int]] = set()
    details: set[int] = set()

    def add(name: str, cells: Sequence[str | Score], is_detail: bool = False) -> None:
        if is_detail:
            details.add(len(header))
        header.append(name)
        columns.append(cells)

    for i, (scorer, label) in enumerate(zip(scorers, _labels(scorers), strict=True)):
        scores = [row[i].scores for row in results]
        decimals = digits
        if for_paper and digits is None:
            decimals = 1 if perfect_score(scorer) == 100 else 3
        for heading in main_headings(scorer):
            [key] = headings(scorer)[heading]
            values = [each[key] for each in scores]
            if key == scorer.primary and len(values) > 1:
                best |= {(row, len(header)) for row in _best(scorer, values, inferred[i] if inferred else None)}
            bare = [shown_number(each, decimals, 4) for each in values]
            name = _heading(scorer, label, heading)
            if for_paper:
                name = f"{title_of(scorer) if name == scorer.name else name}{_arrow(scorer.higher_is_better.get(key))}"
            add(name, inferred[i].cells(key, values, decimals) if inferred else bare)
        if not with_details:
            continue
        if inferred and inferred[i].tests:
            add("p" if len(scorers) == 1 else f"{label} p", inferred[i].p_values, is_detail=True)
        for heading, keys in headings(scorer).items():
            if heading not in main_headings(scorer):
                cells = ["/".join(shown_number(each[key], digits, 4) for key in keys) for each in scores]
                add(_heading(scorer, label, heading), cells, is_detail=True)
    rows = [[*row] for row in zip(*columns, strict=True)]
    return Table(header, rows, best=frozenset(best), details=frozenset(details))


def _best(scorer: Scorer, values: Sequence[float], inferred: Inferred | None) -> set[int]:
    """The systems with the best value, and those that a test does not tell from it; none of a number without a best."""
    if (higher := scorer.higher_is_better.get(scorer.primary)) is None:
        return set()
    first = values.index((max if higher else min)(values))
    same = {i for i, value in enumerate(values) if value == values[first]}
    return same | (inferred.beside(first) if inferred else set())


def _bare(names: Sequence[str]) -> Sequence[str]:
    """Names of files without their endings, unless two would be equal."""
    bare = [name.removesuffix(".txt") for name in names]
    return bare if len(set(bare)) == len(names) else names


def _arrow(higher: bool | None) -> str:
    return "" if higher is None else " ↑" if higher else " ↓"


def _heading(scorer: Scorer, label: str, heading: str) -> str:
    if label == scorer.name:
        return heading
    return label if heading == scorer.primary else f"{label} {heading}"


def full_table(
    scorers: Sequence[Scorer],
    names: Sequence[str],
    results: Sequence[Sequence[Result]],
    inferred: Sequence[Inferred],
    digits: int | None,
) -> Table:
    """A row for each system, and a column for each number, with all digits."""
    header, columns = ["system"], [[*names]]
    extras: list[tuple[str, list[str]]] = []
    for i, (scorer, label) in enumerate(zip(scorers, _labels(scorers), strict=True)):
        alone = label == scorer.name
        for key in (key for keys in headings(scorer).values() for key in keys):
            header.append(key if alone else f"{label}.{key}")
            columns.append([shown_number(row[i].scores[key], digits, None) for row in results])
        tested = scorer.primary if alone else f"{label} {scorer.primary}"
        tested = label if scorer.primary == scorer.name else tested
        extras += [(f"{tested}_{name}", cells) for name, cells in (inferred[i].in_full() if inferred else {}).items()]
    for scorer, label in zip(scorers, _labels(scorers), strict=True):
        name = "signature" if len(scorers) == 1 else f"{label}.signature"
        extras.append((name, [scorer.signature] * len(names)))
    rows = [[*row] for row in zip(*columns, *(cells for _, cells in extras), strict=True)]
    return Table([*header, *(name for name, _ in extras)], rows)


def captioned(
    table: Table, scorers: Sequence[Scorer], signatures: Sequence[str], notes: Sequence[str], for_paper: bool
) -> Table:
    """The table with what a reader must know: signatures, what marks mean, and the signatures in full as comments."""
    labels = [title_of(each) for each in scorers] if for_paper else _labels(scorers)
    told = [f"{label}: {signature}" for label, signature in zip(labels, signatures, strict=True)]
    if table.best:
        tested = " and all that do not differ significantly from it" * any(note.startswith("p:") for note in notes)
        notes = [*notes, f"Bold: the best system{tested}"]
    return replace(
        table,
        caption=[f"{'; '.join(told)}.", *(f"{note}." for note in notes)],
        remarks=[scorer.signature for scorer in scorers],
    )


def with_short_names(table: Table) -> Table:
    """The table; if the terminal has no room for it, without what the names of all systems begin and end with."""
    if not (width := terminal_width()) or sum(widths := widths_of(table)) + 2 * (len(widths) - 1) <= width:
        return table
    short = short_names([str(row[0]) for row in table.rows])
    return replace(table, rows=[[short[str(row[0])], *row[1:]] for row in table.rows])


def _labels(scorers: Sequence[Scorer]) -> list[str]:
    """Labels of the scorers: the metric's name; if two have it, what can be typed in its place."""
    names = [scorer.name for scorer in scorers]
    return [scorer.name if names.count(scorer.name) == 1 else printed(scorer, in_brackets=True) for scorer in scorers]


def shown_number(value: float, digits: int | None, otherwise: int | None) -> str:
    """A number with `digits` decimals, or with the default `otherwise`, or in full. Integers have no decimals."""
    decimals = otherwise if digits is None else digits
    return repr(value) if decimals is None or isinstance(value, int) else f"{value:.{decimals}f}"

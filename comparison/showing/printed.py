"""Comparisons as text: Markdown for a terminal, and a table for a notebook."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase

from metrologue.attribution import cancelling, shown_share
from metrologue.comparison.findings.elsewhere import Elsewhere
from metrologue.comparison.findings.number import Number
from metrologue.comparison.findings.records import NOTHING, Column, Findings
from metrologue.comparison.showing.sentences import (
    KOCMI,
    flip_sentence,
    headline,
    leads,
    people_sentence,
    sampling_note,
    shown_p,
    where_heading,
    winner_sentence,
)
from metrologue.comparison.showing.verdict import verdict
from metrologue.errors import number_of
from metrologue.output import markdown_cell, markdown_text
from metrologue.tracing import notebook

__all__ = ["given_lines", "markdown", "notebook_html"]


def markdown(comparisons: Sequence[Findings], given: Sequence[Elsewhere] = ()) -> str:
    """One matrix of all metrics; then, for each metric, equal numbers, gaps and orders, in Markdown."""
    return "\n".join((*_lines(comparisons), *given_lines(given))) + "\n"


def given_lines(given: Sequence[Elsewhere]) -> Iterator[str]:
    """Scores from elsewhere: a table of the systems, and how they agree with our metrics, in Markdown."""
    for each in given:
        yield from ("", f"## {markdown_text(each.name)}, from elsewhere", "")
        less = "" if each.higher_is_better else " Lower is better."
        yield f"Means of {number_of(each.segments, 'segment')}.{less}"
        best = (max if each.higher_is_better else min)(each.means, key=each.means.__getitem__)
        p_values = {test.system: test.corrected_p_value for test in each.tests if test.baseline == best}
        rows = []
        for system, mean in each.means.items():
            limits = each.intervals.get(system)
            cell = f"{mean:.4g}" + (f" [{_limit(limits.low)}, {_limit(limits.high)}]" if limits else "")
            p_value = shown_p(p_values[system]) if system in p_values else "best" if system == best else ""
            rows.append([system, cell, p_value, each.groups.get(system, "")])
        yield ""
        yield from _table(["system", each.name, "against the best", "group"], rows)
        if each.groups:
            yield from ("", "Systems that share a letter do not differ significantly (p from 0.05 on, after Holm).")
        if each.agreement:
            yield from ("", "Kendall's tau-b with our numbers, signed so that better agrees with better:", "")
            taus = [
                [f"{a.metric}:{a.variant}", *("-" if tau is None else f"{tau:.3f}" for tau in (a.segments, a.systems))]
                for a in each.agreement
            ]
            yield from _table(["metric", "segments of a system", "systems"], taus)


def _lines(comparisons: Sequence[Findings]) -> Iterator[str]:
    systems = comparisons[0].systems
    names = _listed([comparison.metric for comparison in comparisons])
    yield from (f"# {names}: {number_of(len(systems), 'system')}, {number_of(comparisons[0].segments, 'segment')}", "")
    yield from (markdown_text(_units(comparisons)), "")
    yield from _table(["metric", "column", *systems], [row for each in comparisons for row in _matrix(each)])
    absent = dict.fromkeys(
        f"- {markdown_text(f'{each.metric}, {n.label}: {n.missing}')}"
        for each in comparisons
        for n in each.numbers
        if n.missing
    )
    if absent:
        yield from ("", "Without a number:", "", *absent)
    if changes := [(each, number) for each in comparisons for number in each.changes]:
        yield from ("", "Changed by a library after the version that is installed:", "")
        yield from (f"- {markdown_text(f'{each.metric}, {n.label}, {n.system}: {n.change}')}" for each, n in changes)
    if residuals := [(each, number) for each in comparisons for number in each.residuals]:
        yield from ("", "Unexplained, the library's number against that of our variant:", "")
        told = (f"{each.metric}, {n.label}, {n.system}: {_residual(each, n)}" for each, n in residuals)
        yield from (f"- {markdown_text(line)}" for line in told)
    for comparison in comparisons:
        if comparison.columns:
            yield from _significance(comparison)
            yield from _where(comparison)
            yield from _details(comparison)
    for comparison in comparisons:
        if report := verdict(comparison):
            yield from ("", f"## {comparison.metric}: what to report", "", markdown_text(report))


def _residual(comparison: Findings, number: Number) -> str:
    return number.missing or f"{comparison.factor * number.residual:+.3g}"


def _units(comparisons: Sequence[Findings]) -> str:
    """What the numbers are, and what the marks mean."""
    own = [each for each in comparisons if not each.in_points]
    others = [f"{each.metric} in its own unit, {each.primary}" for each in own]
    if len(own) < len(comparisons):
        others.insert(0, "Points from 0 to 100" if not own else "Points from 0 to 100, but")
    words = f"{others[0]} {', '.join(others[1:])}".strip()
    marks = []
    if intervals := next((each.sampling for each in comparisons if each.sampling and not each.no_interval), None):
        marks.append(f"In square brackets: the {intervals.percent} interval.")
    if len(comparisons[0].systems) > 1:
        marks.append("In round brackets: the rank.")
        if any(each.winners for each in comparisons):
            marks.append("* is a winner: it differs significantly from every other system.")
    return " ".join([f"{words[0].upper()}{words[1:]}.", *marks])


def _matrix(comparison: Findings) -> Iterator[list[str]]:
    """A row for each column of numbers, the libraries' own and those of our variants."""
    ranked = {column.name: column for column in comparison.columns}
    names = dict.fromkeys((number.label, number.name) for number in comparison.numbers)
    for label, name in names:
        numbers = {n.system: n for n in comparison.numbers if n.label == label}
        cells = (_cell(comparison, numbers.get(system), ranked.get(name)) for system in comparison.systems)
        yield [comparison.number_name, label, *cells]


def _cell(comparison: Findings, number: Number | None, column: Column | None) -> str:
    points, limits = comparison.points(number), comparison.limits(number)
    if number is None or points is None:
        return "-"
    parts = [_shown(points)]
    if limits:
        parts.append(f"[{_limit(limits[0])}, {_limit(limits[1])}]")
    if column and (rank := column.ranks.get(number.system)) is not None:
        winner = comparison.winners.get(number.name)
        clear = winner is not None and winner.is_clear and winner.system == number.system
        parts.append(f"({rank}{'*' * clear})")
    return " ".join(parts)


def _limit(value: float) -> str:
    return f"{value:.4g}" if abs(value) >= NOTHING else "0"


def _significance(comparison: Findings) -> Iterator[str]:
    """What intervals and tests say, as sentences."""
    people = people_sentence(comparison)
    told = [headline(comparison), people and f"{people} ({KOCMI})", sampling_note(comparison)]
    if not any(told):
        return
    yield from (
        "",
        f"## {comparison.metric}: {'who wins' if comparison.winners else 'intervals'}",
        "",
        markdown_text(told[0]),
    )
    if comparison.winners:
        yield ""
        winners = (f"{name}: {winner_sentence(own)}" for name, own in leads(comparison).items())
        yield from (f"- {markdown_text(line)}" for line in winners)
    yield from (line for text in told[1:] if text for line in ("", markdown_text(text)))


def _where(comparison: Findings) -> Iterator[str]:
    """One system against another in each part of the segments, as a table, and the segments that differ most."""
    where = comparison.where
    if where is None:
        return
    heading = f"{comparison.metric}: {where_heading(where)[0].lower()}{where_heading(where)[1:]}"
    yield from ("", f"## {markdown_text(heading)}", "")
    rows = [
        [
            part.name,
            str(part.segments),
            *(f"{value:.4g}" for value in (part.first, part.second)),
            f"{part.difference:+.3g}"
            + (f" [{_limit(part.limits[0])}, {_limit(part.limits[1])}]" if part.limits else ""),
        ]
        for part in where.parts
    ]
    yield from _table(["part", "segments", where.first, where.second, "difference"], rows)
    if where.ngrams:
        rows = [[each.text, str(each.first), str(each.second)] for each in where.ngrams]
        yield from ("", "How often each has an n-gram right, where they differ most:", "")
        yield from _table(["n-gram", where.first, where.second], rows)
    rows = [[each.name, str(each.first), str(each.second)] for each in where.lengths]
    yield from ("", "Texts by their length, in words:", "")
    yield from _table(["length", where.first, where.second], rows)
    if where.segments:
        told = (f"{each.segment + 1} ({each.first:.4g} against {each.second:.4g})" for each in where.segments)
        yield from ("", f"The segments that differ most, counted from 1: {', '.join(told)}.")


def _details(comparison: Findings) -> Iterator[str]:
    factor = comparison.factor
    for system in comparison.systems:
        heading = markdown_text(f"{comparison.metric}, {system}")
        yield from ("", f"## {heading}", "", f"Equal numbers, in {comparison.unit}:", "")
        groups = (group for group in comparison.groups if group.system == system)
        yield from (f"- {_shown(factor * group.value)}: {_listed(group.members)}" for group in groups)
        for gap in comparison.explanations:
            if gap.system == system and any(abs(part.share) >= NOTHING for part in gap.contributions):
                yield ""
                if equal := gap.cancelled(factor):
                    yield markdown_text(cancelling(gap.variant_a, gap.variant_b, equal))
                    continue
                names = markdown_text(f"From {gap.variant_a} to {gap.variant_b}")
                yield f"{names} the gap is {shown_share(factor * gap.gap)}:"
                yield ""
                yield from _table(
                    ["choice", gap.variant_a, gap.variant_b, comparison.unit],
                    [[part.choice, part.a, part.b, _share(part.share, factor)] for part in gap.contributions],
                )
    if comparison.causes:
        yield from ("", f"## Why {comparison.metric} differs", "")
        yield from (f"- {markdown_text(f'{cause.choice}: {cause.sentence}')}" for cause in comparison.causes)
    if comparison.orders:
        yield from ("", "## Order of the systems", "")
        orders = ((" > ".join(map(markdown_text, each.systems)), each.columns) for each in comparison.orders)
        yield from (f"- {systems}: {_listed(columns)}" for systems, columns in orders)
    for flip in comparison.flips:
        first, second = map(markdown_text, (flip.first, flip.second))
        yield from ("", f"{first} before {second}: {_listed(flip.prefer_first)};")
        yield f"{second} before {first}: {_listed(flip.prefer_second)}."
        if told := flip_sentence(comparison, flip):
            yield markdown_text(told)


def _share(share: float, factor: float) -> str:
    return shown_share(factor * share) if abs(share) >= NOTHING else "0"


def notebook_html(comparison: Findings) -> str:
    """All numbers, with a letter for each group of equal numbers, and the explained gaps."""
    return notebook.block(*_blocks(comparison))


def _blocks(comparison: Findings) -> Iterable[str]:
    numbers = {(number.label, number.system): number for number in comparison.numbers}
    letters = {
        (label, system): letter
        for system in comparison.systems
        for letter, group in zip(_letters(), (g for g in comparison.groups if g.system == system), strict=False)
        for label in group.members
    }

    def cells(label: str, system: str) -> list[str]:
        return [_cell(comparison, numbers[label, system], None), letters.get((label, system), "")]

    rows = [
        [label, *(cell for system in comparison.systems for cell in cells(label, system))]
        for label in dict.fromkeys(number.label for number in comparison.numbers)
    ]
    caption = (
        f"{comparison.metric} in {comparison.unit}, {comparison.segments} segments; equal numbers of a column have "
        "the same letter"
    )
    yield notebook.table(caption, ["", *(name for system in comparison.systems for name in (system, ""))], rows)
    for told in (headline(comparison), people_sentence(comparison), sampling_note(comparison)):
        if told:
            yield notebook.note(told)
    for gap in comparison.explanations:
        yield notebook.note(f"{gap.system}, from {gap.variant_a} to {gap.variant_b}:")
        yield gap.bars()
    for absent in dict.fromkeys(f"{each.label}: {each.missing}" for each in comparison.numbers if each.missing):
        yield notebook.note(absent)


def _letters() -> Iterator[str]:
    """a to z, then a2 and so on."""
    for count in itertools.count(1):
        yield from (letter + str(count) * (count > 1) for letter in ascii_lowercase)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    yield _row(header)
    yield _row(["---"] * len(header))
    yield from map(_row, rows)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(markdown_cell, cells))} |"


def _listed(names: Sequence[str]) -> str:
    return markdown_text(", ".join(names))


def _shown(value: float) -> str:
    return f"{value:.6g}"

"""Comparisons as LaTeX: a table for a paper, what to report of each metric, and BibTeX of what to cite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrologue.comparison.findings.elsewhere import Elsewhere
from metrologue.comparison.findings.records import Column, Findings
from metrologue.comparison.showing.verdict import verdict
from metrologue.output import latex_text
from metrologue.scorers import Scorer
from metrologue.scorers.core.citing import bibtex, cited

__all__ = ["latex"]

_BIBLIOGRAPHY = "metrologue.bib"


def latex(comparisons: Sequence[Findings], given: Sequence[Elsewhere] = ()) -> str:
    """A table of all numbers, and below it what to report. It needs the package booktabs.

    The BibTeX entries come first, in ``filecontents*``, which writes them to metrologue.bib when LaTeX runs.
    """
    return "\n".join(_lines(comparisons, given)) + "\n"


def _lines(comparisons: Sequence[Findings], given: Sequence[Elsewhere]) -> Iterator[str]:
    systems = comparisons[0].systems
    shown = [each for each in comparisons if each.columns]
    scorers = [scorer for each in shown for scorer in _scorers(each).values()]
    yield rf"\begin{{filecontents*}}[overwrite]{{{_BIBLIOGRAPHY}}}"
    yield "\n".join(bibtex(scorers)).rstrip()
    yield r"\end{filecontents*}"
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\begin{{tabular}}{{ll{'r' * len(systems)}}}"
    yield r"\toprule"
    yield " & ".join(["metric", "implementation", *map(latex_text, systems)]) + r" \\"
    for comparison in shown:
        yield r"\midrule"
        for column in comparison.columns:
            yield " & ".join(_row(comparison, column)) + r" \\"
    for each in given:
        yield r"\midrule"
        yield " & ".join([latex_text(each.name), "from elsewhere", *_means(each)]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield rf"\caption{{{_caption(comparisons)}}}"
    yield r"\end{table}"
    for comparison in shown:
        if told := verdict(comparison):
            yield from ("", latex_text(told))
    yield ""
    yield rf"% \bibliography{{{_BIBLIOGRAPHY.removesuffix('.bib')}}}"


def _scorers(comparison: Findings) -> dict[str, Scorer]:
    """Our variants by name."""
    known = [number for number in comparison.numbers if number.signature and number.value is not None]
    return {number.name: Scorer.from_signature(number.signature or "") for number in known}


def _row(comparison: Findings, column: Column) -> Iterator[str]:
    scorer = _scorers(comparison).get(column.name)
    metric, library = cited(scorer) if scorer else ((), ())
    yield latex_text(comparison.metric) + _cite(metric)
    yield latex_text(column.label.removeprefix("metrologue ")) + _cite(library)
    winner = comparison.winners.get(column.name)
    for system in comparison.systems:
        number = next(
            (n for n in comparison.numbers if n.name == column.name and n.system == system and n.value is not None),
            None,
        )
        points, limits = comparison.points(number), comparison.limits(number)
        cell = "--" if points is None else f"{points:.2f}"
        cell = rf"\textbf{{{cell}}}" if winner and winner.is_clear and winner.system == system else cell
        yield cell + (f" [{limits[0]:.2f}, {limits[1]:.2f}]" if limits else "")


def _means(given: Elsewhere) -> Iterator[str]:
    for system, mean in given.means.items():
        limits = given.intervals.get(system)
        yield f"{mean:.4g}" + (f" [{limits.low:.4g}, {limits.high:.4g}]" if limits else "")


def _cite(keys: Sequence[str]) -> str:
    return rf"~\cite{{{','.join(keys)}}}" if keys else ""


def _caption(comparisons: Sequence[Findings]) -> str:
    own = [each.metric for each in comparisons if not each.in_points]
    unit = "Points from 0 to 100" + (f", but {', '.join(own)} in its own unit" if own else "")
    if len(own) == len(comparisons):
        unit = f"{', '.join(own)}, each in its own unit"
    sampling = next((each.sampling for each in comparisons if each.sampling and not each.no_interval), None)
    told = f"{unit}; {comparisons[0].segments} segments."
    if sampling:
        told += (
            f" In brackets: the {sampling.percent} interval ({sampling.resamples} bootstrap resamples, seed "
            f"{sampling.seed})."
        )
        if any(each.winners for each in comparisons):
            told += " Bold: significantly better than every other system."
    return latex_text(told)

"""What ``compare`` and ``compare_metrics`` give: findings that write themselves as JSON, Markdown, LaTeX and HTML."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from metrologue.comparison.findings.elsewhere import Elsewhere
from metrologue.comparison.findings.records import NOTHING, Column, Findings
from metrologue.comparison.showing.latex import latex
from metrologue.comparison.showing.printed import markdown, notebook_html
from metrologue.comparison.showing.verdict import verdict
from metrologue.errors import InputError, shown
from metrologue.output import as_json
from metrologue.writing import write_whole

__all__ = ["Comparison", "Study"]


class Shown:
    """What can be written as a page."""

    def html(self) -> str:
        """A complete page, as ``metrologue compare --out`` writes it; it loads nothing."""
        page: str = import_module("metrologue.comparison.report.page").render(self)  # which stands above
        return page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, whole or not at all. A missing folder is made.

        Raises an InputError for a file with another ending than .html or .htm.
        """
        place = Path(path)
        if place.suffix.lower() not in (".html", ".htm"):
            raise InputError(
                f"save: {shown(place.name)} is no .html file; to_json, to_markdown and to_latex give text."
            )
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, self.html().encode())


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Shown, Findings):
    """All numbers for the same texts, with groups of equal numbers, explained gaps and rankings, and how to write them.

    It has the attributes of `Findings`.
    """

    @classmethod
    def of(cls, found: Findings) -> Self:
        """The findings, as what a user gets."""
        return cls(**{each.name: getattr(found, each.name) for each in fields(found)})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values. Each number has its points too, in the unit of the comparison."""
        plain = asdict(self)
        for number, own in zip(plain["numbers"], self.numbers, strict=True):
            number["points"] = self.points(own)
            number["points_interval"] = self.limits(own)
            del number["seconds"]
        for gap in [*plain["explanations"], *plain["apart"], *([plain["widest"]] if plain["widest"] else [])]:
            for part in gap["contributions"]:
                part["share"] = part["share"] if abs(part["share"]) >= NOTHING else 0.0
        for cause, own_cause in zip(plain["causes"], self.causes, strict=True):
            del cause["pieces"]
            cause["sentence"] = own_cause.sentence
        for flip, own_flip in zip(plain["flips"], self.flips, strict=True):
            flip["is_significant"] = own_flip.is_significant
        for winner, own_winner in zip(plain["winners"].values(), self.winners.values(), strict=True):
            winner["is_clear"] = own_winner.is_clear
        plain["verdict"] = verdict(self)
        return {**plain, "shown_unit": self.unit, "matrix": [asdict(column) for column in self.columns]}

    def to_json(self) -> str:
        """Everything as JSON, in the form of comparison.schema.json; an infinite number is the text "Infinity"."""
        return as_json(self.to_dict())

    def to_markdown(self) -> str:
        """The numbers as a table, then groups, gaps and orders, in Markdown."""
        return markdown([self])

    def to_latex(self) -> str:
        """The numbers as a table for a paper, what to report, and BibTeX of what to cite."""
        return latex([self])

    def __repr__(self) -> str:
        systems, numbers = len(self.systems), len(self.numbers)
        return f"<Comparison of {self.metric}: {numbers} numbers for {systems} systems of {self.segments} segments>"

    def _repr_html_(self) -> str:
        """What a notebook shows: all numbers, with a letter for each group of equal numbers, and the explained gaps."""
        return notebook_html(self)


@dataclass(frozen=True, kw_only=True, repr=False)
class Study(Shown):
    """Comparisons of the same texts by several metrics.

    Attributes
    ----------
    comparisons : list of Comparison
        One for each metric.
    elsewhere : list of Elsewhere
        Metrics whose segment scores were given.
    """

    comparisons: list[Comparison]
    elsewhere: list[Elsewhere] = field(default_factory=list)

    @property
    def systems(self) -> list[str]:
        """The systems of all comparisons."""
        return self.comparisons[0].systems

    @property
    def segments(self) -> int:
        """The number of segments."""
        return self.comparisons[0].segments

    @property
    def matrix(self) -> list[Column]:
        """The columns of all metrics."""
        return [column for comparison in self.comparisons for column in comparison.columns]

    def to_json(self) -> str:
        """One matrix, and every comparison, as JSON, in the form of comparison.schema.json."""
        parts = [comparison.to_dict() for comparison in self.comparisons]
        matrix = [column for part in parts for column in part.pop("matrix")]
        given = [asdict(each) for each in self.elsewhere]
        whole = {"systems": self.systems, "segments": self.segments, "matrix": matrix, "comparisons": parts}
        return as_json({**whole, "elsewhere": given} if given else whole)

    def to_markdown(self) -> str:
        """One matrix of all metrics, then each comparison, in Markdown."""
        return markdown(self.comparisons, self.elsewhere)

    def to_latex(self) -> str:
        """One table of all metrics for a paper, what to report, and BibTeX of what to cite."""
        return latex(self.comparisons, self.elsewhere)

    def __repr__(self) -> str:
        metrics = ", ".join(comparison.metric for comparison in self.comparisons)
        return f"<Study of {len(self.systems)} systems of {self.segments} segments: {metrics}>"

"""The traces of a page, its documents' cases, and what could not be run."""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from metrologue.comparison.documents import Case, CaseResult
from metrologue.comparison.findings.records import Number
from metrologue.comparison.showing.results import Comparison
from metrologue.errors import InputError
from metrologue.scorers import get_scorer
from metrologue.scorers.core.trace import trace
from metrologue.scorers.core.variants import variant_of
from metrologue.tracing import Trace

__all__ = ["Absence", "TraceBook", "absences", "segments_of", "verdict_counts"]

# The traces of one case: a case with more segments shows its first ones.
MOST_SEGMENTS = 4
# So many of the heaviest segments have traces, under the two variants of the pair.
TRACED = 3


@dataclass(frozen=True)
class Absence:
    """Columns without a number, for the same reason."""

    reason: str
    columns: list[str]


def absences(comparisons: Sequence[Comparison]) -> list[Absence]:
    """What could not be run, grouped by the reason; a reason says what to install or to change."""
    found: dict[str, dict[str, None]] = {}
    for comparison in comparisons:
        for number in comparison.numbers:
            if number.missing:
                where = f"{number.label} ({comparison.metric})"
                found.setdefault(_reason(number), {}).setdefault(where)
    return [Absence(reason, list(columns)) for reason, columns in found.items()]


def _reason(number: Number) -> str:
    text = (number.missing or "").replace(sys.prefix, "…").replace(str(Path.home()), "~")
    if "takes one reference per segment" in text:
        return "takes one reference per segment, and these texts have more; give -r only once"
    text = re.sub(r"evaluate\.load\('[^']*'\)", "loading the Hub's module", text)  # one reason for all its modules
    return text.removeprefix("raises LibraryError: ").removeprefix(f"{number.name}: ")


class TraceBook:
    """Traces under anchors to which figures link. Each one is there once, where it is needed first."""

    def __init__(self) -> None:
        self._anchors: dict[Trace, str] = {}
        self._headings: dict[str, str] = {}
        self._taken = 0

    def __iter__(self) -> Iterator[tuple[str, str, Trace]]:
        """Anchor, heading and trace of each."""
        return ((anchor, self._headings[anchor], trace) for trace, anchor in self._anchors.items())

    def __len__(self) -> int:
        return len(self._anchors)

    def take(self) -> list[tuple[str, str, Trace]]:
        """What was added since the last call: anchor, heading and trace."""
        new = list(self)[self._taken :]
        self._taken = len(self)
        return new

    def add(self, trace: Trace, heading: str) -> str:
        """The anchor of a trace, which is new unless an equal trace is there."""
        anchor = self._anchors.setdefault(trace, f"trace-{len(self._anchors) + 1}")
        self._headings.setdefault(anchor, heading)
        return anchor

    def of_case(self, result: CaseResult) -> list[str]:
        """The anchors of a case's segments; none if our scorer has no number for it."""
        if all(figure.variant is None for figure in result.figures):
            return []  # its scorer may need what is not installed
        scorer = result.case.scorer()
        if scorer is None:
            return []
        whose = f"{result.case.metric} as {variant_of(scorer) or result.case.variant.name}"  # type: ignore[union-attr]  # a scorer has a variant
        pairs = list(zip(*result.case.prepared(), strict=True))[:MOST_SEGMENTS]
        if scorer.about.whole_trace:
            return [self.add(trace(scorer, *result.case.prepared()), whose)]
        return [
            self.add(trace(scorer, text, own, index=i), f"{whose}: {_short(text, 40)}{_against(own)}")
            for i, (text, own) in enumerate(pairs)
        ]

    def of_comparison(self, comparison: Comparison) -> dict[tuple[int, str], str]:
        """The anchors of the heaviest segments under the two variants of the pair, by (segment, variant)."""
        anchors: dict[tuple[int, str], str] = {}
        for heavy in comparison.heaviest[:TRACED]:
            for name in (heavy.variant_a, heavy.variant_b):
                scorer = get_scorer(comparison.metric).variant(name)
                try:
                    # What there is to warn of was said of all segments.
                    with warnings.catch_warnings(action="ignore", category=UserWarning):
                        shown = trace(scorer, heavy.prediction, heavy.references, index=heavy.segment)
                except InputError:  # a variant that refuses the segment on its own has nothing to show
                    continue
                heading = f"Segment {heavy.segment + 1} as {name} reads it: {_short(heavy.prediction)}"
                anchors[heavy.segment, name] = self.add(shown, heading)
        return anchors


def _against(references: Sequence[str]) -> str:
    return f" against {_short(references[0], 40)}" if references else ""


def _short(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= most else f"“{line[: most - 1]}…”"


def segments_of(case: Case) -> list[tuple[tuple[str, tuple[str, ...]], int]]:
    """The segments of a case with their references, equal ones once, and how often each is there."""
    return list(Counter(zip(case.predictions, case.references, strict=True)).items())


def verdict_counts(results: Sequence[CaseResult]) -> Counter[str]:
    """How many figures have each verdict."""
    return Counter(figure.verdict for result in results for figure in result.figures)

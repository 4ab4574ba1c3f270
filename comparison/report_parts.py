"""What the report shows of a comparison: rows, extremes, plots, traces and what is missing, as plain values."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import metrologue
from metrologue.comparison.documents import CaseResult
from metrologue.comparison.findings import NOTHING, Cause, Comparison, Gap, Number
from metrologue.comparison.plots import Dot, Step, levels, spread, waterfall
from metrologue.errors import InputError
from metrologue.inference import Winner
from metrologue.scorers import get_scorer
from metrologue.tracing import Trace

__all__ = [
    "Absence",
    "Bars",
    "Row",
    "TraceBook",
    "absences",
    "causes_of",
    "extremes",
    "largest_of",
    "largest_p",
    "rows",
    "spread_plot",
    "unusual",
    "with_significant_flips",
]

# A choice with a share below this part of the largest share is not drawn. It is named under the plot.
NEGLIGIBLE = 1e-3
# A gap below this part of its system's widest gap is not drawn. Its shares are in a table.
NARROW = 0.1
# The traces of one case: a case with more segments shows its first ones.
MOST_SEGMENTS = 4


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the table of numbers: a library and the variant that mirrors it, for each system."""

    name: str
    libraries: Mapping[str, Number]
    variants: Mapping[str, Number]

    @property
    def version(self) -> str:
        """The version that ran, or the version that our variant mirrors."""
        numbers = (*self.libraries.values(), *self.variants.values())
        return next((number.version for number in numbers if number.version), "–")

    @property
    def scale(self) -> str:
        """The scale on which the library prints, such as 0–1."""
        unit = next((n.unit for n in (*self.libraries.values(), *self.variants.values()) if n.unit), None)
        return "–" if unit is None else f"0–{unit:g}"

    def number(self, system: str) -> Number | None:
        """The live library's number, otherwise our variant's."""
        found = (side.get(system) for side in (self.libraries, self.variants))
        return next((number for number in found if number is not None and number.value is not None), None)

    def interval(self, comparison: Comparison, system: str) -> tuple[float, float] | None:
        """The interval of the number that `number` gives, in the unit of the comparison."""
        return comparison.limits(self.number(system))

    def mark(self, system: str) -> str:
        """ "=" if our variant gives the library's number, "≠" if not, "ours" if no library ran, "live" without ours."""
        library, variant = self.libraries.get(system), self.variants.get(system)
        if library is None or library.value is None:
            return "ours"
        if variant is None or variant.value is None:
            return "live"
        return "=" if library.equals(variant) else "≠"

    def printed(self, system: str) -> str:
        """Both numbers with all digits, each on its own scale."""
        sides = (self.libraries.get(system), self.variants.get(system))
        return "; ".join(f"{n.label}: {n.value!r}" for n in sides if n is not None and n.value is not None)


def rows(comparison: Comparison) -> list[Row]:
    """A row for each name that a library or one of our variants has."""
    found: dict[str, tuple[dict[str, Number], dict[str, Number]]] = {}
    for number in comparison.numbers:
        found.setdefault(number.name, ({}, {}))[number.kind == "variant"][number.system] = number
    return [Row(name=name, libraries=live, variants=ours) for name, (live, ours) in found.items()]


def extremes(comparison: Comparison) -> tuple[Number, Number] | None:
    """The least and the greatest number of the system with the greatest difference between its numbers."""
    ends = []
    for system in comparison.systems:
        known = [n for n in comparison.numbers if n.system == system and n.value is not None]
        if known:
            # Among equal numbers, take the library's: a variant may differ from it in the sixteenth digit.
            low = min(known, key=lambda n: (round(n.share, 9), n.kind != "library"))
            high = max(known, key=lambda n: (round(n.share, 9), n.kind == "library"))
            ends.append((low, high))
    return max(ends, key=lambda pair: pair[1].share - pair[0].share, default=None)


def unusual(comparison: Comparison) -> set[tuple[str, str]]:
    """The cells (column, system) of the matrix whose rank is not the most common one of the system."""
    found = set()
    for system in comparison.systems:
        ranks = {column.name: column.ranks[system] for column in comparison.columns if column.ranks}
        if ranks:
            [(usual, _)] = Counter(ranks.values()).most_common(1)
            found |= {(name, system) for name, rank in ranks.items() if rank != usual}
    return found


def spread_plot(comparison: Comparison) -> str:
    """A plot of all numbers, with a panel for each system."""
    table = rows(comparison)
    panels = {
        system: [
            Dot(
                name=row.name,
                library=comparison.points(row.libraries.get(system)),
                variant=comparison.points(row.variants.get(system)),
                limits=row.interval(comparison, system),
            )
            for row in table
            if row.number(system)
        ]
        for system in comparison.systems
    }
    groups = ", ".join(
        f"{group.system} {comparison.factor * group.value:.2f} ({' and '.join(group.members)})"
        for group in comparison.groups
    )
    label = f"Dot plot of all numbers of {comparison.metric} in {comparison.unit}: {groups}."
    return spread(panels, comparison.unit, label)


@dataclass(frozen=True, kw_only=True)
class Bars:
    """The drawing of a gap: the choices with an effect, and the names of those without."""

    comparison: Comparison
    gap: Gap
    steps: list[Step]
    idle: list[str]

    @classmethod
    def all_of(cls, comparison: Comparison) -> list[Bars]:
        """The drawings of all gaps in which a choice has a share that is not a rounding error."""
        drawn = (cls._of(comparison, gap) for gap in comparison.explanations)
        return [bars for bars in drawn if bars.steps]

    @classmethod
    def _of(cls, comparison: Comparison, gap: Gap) -> Bars:
        least = max(NEGLIGIBLE * max((abs(part.share) for part in gap.contributions), default=0.0), NOTHING)
        steps = [
            Step(label=f"{part.choice}: {_setting(part.a)} → {_setting(part.b)}", size=comparison.factor * part.share)
            for part in gap.contributions
            if abs(part.share) > least
        ]
        idle = [part.choice for part in gap.contributions if abs(part.share) <= least]
        return cls(comparison=comparison, gap=gap, steps=steps, idle=idle)

    @property
    def size(self) -> float:
        """The gap in the unit of the comparison."""
        return self.comparison.factor * self.gap.gap

    @property
    def start(self) -> float:
        """The number from which the bars go."""
        return self.comparison.factor * self.gap.value_a / self.gap.scale_a

    @property
    def span(self) -> float:
        """The length of the axis that the bars need."""
        stands = levels(self.start, self.steps)
        return max(stands) - min(stands)

    def plot(self, span: float) -> str:
        """The waterfall, on an axis of this length."""
        gap, start = self.gap, self.start
        end = self.comparison.factor * gap.value_b / gap.scale_b
        words = "; ".join(f"{step.label} {step.size:+.3g}" for step in self.steps)
        metric = self.comparison.metric
        label = (
            f"{metric} of {gap.system}, from {gap.variant_a} at {start:.4g} to {gap.variant_b} at {end:.4g}: {words}."
        )
        return waterfall(
            (gap.variant_a, start), self.steps, (gap.variant_b, end), span, self.comparison.unit, label
        )  # fmt: skip


def largest_of(drawn: Sequence[Bars], system: str) -> list[Bars]:
    """The drawings of a system's gaps that are not narrow."""
    own = [bars for bars in drawn if bars.gap.system == system]
    least = NARROW * max((abs(bars.size) for bars in own), default=0.0)
    return [bars for bars in own if abs(bars.size) >= least]


def _setting(printed: str) -> str:
    """A choice's value, without the field's name if the choice has only one field."""
    return printed.partition("=")[2] if printed.count("=") == 1 else printed


def with_significant_flips(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons in which two libraries contradict each other significantly."""
    return [each for each in comparisons if any(flip.is_significant for flip in each.flips)]


def largest_p(winner: Winner) -> float:
    """The p-value of the lead that is most likely chance."""
    return max(test.corrected_p_value for test in winner.tests)


def causes_of(comparison: Comparison) -> list[tuple[Cause, float]]:
    """The causes of a comparison, each with its share in the unit of the comparison."""
    return [(cause, comparison.factor * cause.share) for cause in comparison.causes]


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
    """The traces of a page: each one once, under an anchor to which figures link."""

    def __init__(self) -> None:
        self._anchors: dict[Trace, str] = {}
        self._headings: dict[str, str] = {}

    def __iter__(self) -> Iterator[tuple[str, str, Trace]]:
        """Anchor, heading and trace of each."""
        return ((anchor, self._headings[anchor], trace) for trace, anchor in self._anchors.items())

    def __len__(self) -> int:
        return len(self._anchors)

    def add(self, trace: Trace, heading: str) -> str:
        """The anchor of a trace, which is new unless an equal trace is there."""
        anchor = self._anchors.setdefault(trace, f"trace-{len(self._anchors) + 1}")
        self._headings.setdefault(anchor, heading)
        return anchor

    def of_case(self, result: CaseResult) -> list[str]:
        """The anchors of a case's segments; none if our scorer has no number for it."""
        scorer = result.case.scorer()
        if scorer is None or all(figure.variant is None for figure in result.figures):
            return []
        whose = f"{result.case.metric} as {scorer.variant_name or result.case.variant.name}"  # type: ignore[union-attr]  # a scorer has a variant
        pairs = list(zip(*result.case.prepared(), strict=True))[:MOST_SEGMENTS]
        if scorer.traces_all:
            return [self.add(metrologue.trace(scorer, *result.case.prepared()), whose)]
        return [
            self.add(metrologue.trace(scorer, text, own, index=i), f"{whose}: {_short(text, 40)}{_against(own)}")
            for i, (text, own) in enumerate(pairs)
        ]

    def of_comparison(self, comparison: Comparison, all_segments: bool) -> dict[tuple[int, str], str]:
        """The anchors of the heaviest segment under every variant, by (segment, variant).

        With `all_segments`, the other heavy segments have traces under the two variants whose gap is widest.
        """
        anchors: dict[tuple[int, str], str] = {}
        named = [n.name for n in comparison.numbers if n.kind == "variant" and n.value is not None]
        for place, heavy in enumerate(comparison.heaviest):
            ends = [heavy.variant_a, heavy.variant_b]
            for name in dict.fromkeys(ends + named if place == 0 else ends if all_segments else []):
                scorer = get_scorer(comparison.metric).variant(name)
                try:
                    trace = metrologue.trace(scorer, heavy.prediction, heavy.references, index=heavy.segment)
                except InputError:  # a variant that refuses the segment on its own has nothing to show
                    continue
                heading = f"{comparison.metric} as {name}, segment {heavy.segment}: {_short(heavy.prediction)}"
                anchors[heavy.segment, name] = self.add(trace, heading)
        return anchors


def _against(references: Sequence[str]) -> str:
    return f" against {_short(references[0], 40)}" if references else ""


def _short(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= most else f"“{line[: most - 1]}…”"

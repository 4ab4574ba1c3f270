"""What the page shows of a comparison: the pair of its headline, rows, plots and the best systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrologue.attribution import cancelling
from metrologue.comparison.findings.orders import BY_ORDER
from metrologue.comparison.findings.records import NOTHING, Cause, Gap, Number
from metrologue.comparison.showing.bars import Bar
from metrologue.comparison.showing.plots import Dot, Step, levels, spread, waterfall
from metrologue.comparison.showing.results import Comparison
from metrologue.comparison.showing.why import ShownCause, decimals_for, divided

__all__ = [
    "Bars",
    "ByOrder",
    "Ends",
    "Pair",
    "Row",
    "best_systems",
    "by_order",
    "first_systems",
    "ordered",
    "rows",
    "spread_plot",
]

# So many metrics are open on the page; the others are folded.
OPEN = 3
# So many systems have their numbers in one plot.
PANELS = 3
# A choice with a share below this part of the largest share is not drawn. It is named under the plot.
NEGLIGIBLE = 1e-3


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
        """ "=" if our variant gives the library's number, "≠" if not, "ours" if no library ran, "live" without ours.

        If the library was too slow for all segments, the sign tells of a sample: "= of 500".
        """
        library = self.libraries.get(system)
        if library is not None and library.sample:
            equal = {True: "=", False: "≠", None: "live"}[library.sample.equal]
            return f"{equal} of {library.sample.segments}"
        if library is None or library.value is None:
            return "ours"
        if library.expected is None:
            return "live"
        return "≠" if library.residual else "="

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


@dataclass(frozen=True, kw_only=True)
class Pair:
    """The two numbers that differ most, of one system. Headline, plot and heavy segments of a metric show this pair.

    Attributes
    ----------
    low, high : Number
    least, most : float
        The two numbers in the unit of the comparison.
    causes : list of (Cause, float)
        The choices between the two, each with its share in the unit of the comparison, the largest first.
    """

    comparison: Comparison
    low: Number
    high: Number
    least: float
    most: float
    causes: list[tuple[Cause, float]]

    @classmethod
    def of(cls, comparison: Comparison) -> Pair | None:
        """The pair of a comparison; None if all numbers of each system agree."""
        ends = _ends(comparison)
        if ends is None:
            return None
        least, most = (comparison.points(end) or 0.0 for end in ends)
        causes = [(cause, comparison.factor * cause.share) for cause in comparison.causes]
        return cls(comparison=comparison, low=ends[0], high=ends[1], least=least, most=most, causes=causes)

    @property
    def gap(self) -> float:
        """The difference in the unit of the comparison."""
        return self.most - self.least

    @property
    def decimals(self) -> int:
        """How many decimals show the difference."""
        return decimals_for(self.gap)

    @property
    def equal(self) -> str:
        """The sentence on two numbers that are equal because single choices cancel out; otherwise empty."""
        widest = self.comparison.widest
        choices = widest.cancelled(self.comparison.factor) if widest else ()
        return cancelling(self.low.name, self.high.name, choices) if choices else ""

    @property
    def bars(self) -> list[Bar]:
        """Both numbers as bars on one axis, the greater one first."""
        whole = max(100.0 if self.comparison.in_points else 0.0, abs(self.most), abs(self.least)) or 1.0
        return [
            Bar(
                [end.name],
                f"{value:.{self.decimals}f}".replace("-", "−"),
                100 * abs(value) / whole,
                version=end.version,
            )
            for end, value in ((self.high, self.most), (self.low, self.least))
        ]

    @property
    def told(self) -> tuple[list[ShownCause], list[ShownCause]]:
        """The causes as the page tells them: the main ones, and the smaller ones."""
        return divided(
            [(cause.choice, share, self._error(cause), cause.pieces) for cause, share in self.causes], self.decimals
        )

    def _error(self, cause: Cause) -> float:
        """The standard error of a cause's share, in the unit of the comparison; 0 if its share is exact."""
        parts = self.comparison.widest.contributions if self.comparison.widest else ()
        errors = [part.standard_error for part in parts if part.choice == cause.choice]
        return self.comparison.factor * errors[0] if errors else 0.0


def _ends(comparison: Comparison) -> tuple[Number, Number] | None:
    """The numbers of the widest gap; where no gap is explained, the numbers of the system that differ most."""
    table = rows(comparison)
    if gap := comparison.widest:
        found = [row.number(gap.system) for name in (gap.variant_a, gap.variant_b) for row in table if row.name == name]
        ends = [number for number in found if number]
        return (ends[0], ends[1]) if len(ends) == 2 else None
    pairs = []
    for system in comparison.systems:
        known = [n for row in table if (n := row.number(system))]
        if known:
            pairs.append((min(known, key=lambda n: n.share), max(known, key=lambda n: n.share)))
    low, high = max(pairs, key=lambda pair: pair[1].share - pair[0].share, default=(None, None))
    return None if low is None or high is None or low.equals(high) else (low, high)


def ordered(comparisons: Sequence[Comparison], count: int = OPEN) -> tuple[list[Comparison], list[Comparison]]:
    """The comparisons of which `count` are open on the page, and those that are folded. A gap opens one first."""
    first = [each for each in comparisons if Pair.of(each)] + [each for each in comparisons if not Pair.of(each)]
    shown = {id(each) for each in first[:count]}
    return [each for each in comparisons if id(each) in shown], [each for each in comparisons if id(each) not in shown]


@dataclass(frozen=True)
class Best:
    """A system that is the best under some columns."""

    system: str
    columns: int
    is_clear: bool


def best_systems(comparison: Comparison) -> list[Best]:
    """The systems that are the best under a column, those with most columns first.

    The best is clear if every tested lead of it under these columns is significant.
    """
    under: dict[str, list[str]] = {}
    for column in comparison.columns:
        for system, rank in column.ranks.items():
            if rank == 1:
                under.setdefault(system, []).append(column.name)
    tested = comparison.winners
    return [
        Best(system, len(names), all(tested[name].is_clear for name in names if name in tested))
        for system, names in sorted(under.items(), key=lambda item: -len(item[1]))
    ]


def spread_plot(comparison: Comparison, systems: Sequence[str] | None = None) -> str:
    """A plot of all numbers, with a panel for each of the systems; of all systems by default."""
    shown = comparison.systems if systems is None else systems
    order = comparison.widest.system if comparison.widest else shown[0]
    table = sorted(rows(comparison), key=lambda row: -number.share if (number := row.number(order)) else math.inf)
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
        for system in shown
    }
    groups = ", ".join(
        f"{group.system} {comparison.factor * group.value:.2f} ({' and '.join(group.members)})"
        for group in comparison.groups
        if group.system in shown
    )
    label = f"Dot plot of all numbers of {comparison.metric} in {comparison.unit}: {groups}."
    return spread(panels, comparison.unit, label)


def first_systems(comparison: Comparison, pair: Pair | None) -> list[str]:
    """The systems of the first plot: all if they are few, otherwise the one of the pair."""
    if len(comparison.systems) <= PANELS:
        return comparison.systems
    return [pair.low.system if pair else comparison.systems[0]]


@dataclass(frozen=True)
class ByOrder:
    """The numbers by order of n-grams: what they are, and for each variant those of each system, in points."""

    about: str
    longest: int
    panels: Mapping[str, Mapping[str, list[float]]]


def by_order(comparison: Comparison) -> ByOrder | None:
    """The numbers by order of n-grams; None if the metric has none.

    They are those of the pair's variants, or of one of them if both count alike.
    """
    gap = comparison.widest
    named = [gap.variant_a, gap.variant_b] if gap else [n.name for n in comparison.numbers if n.kind == "variant"][:1]
    known = {(n.name, n.system): n.by_order for n in comparison.numbers if n.kind == "variant" and n.by_order}
    panels = {
        name: {
            system: [100 * value for value in known[name, system]]
            for system in comparison.systems
            if (name, system) in known
        }
        for name in named
    }
    panels = {name: own for name, own in panels.items() if own}
    longest = max((len(values) for own in panels.values() for values in own.values()), default=0)
    if longest < 2:
        return None
    if len(panels) == 2 and len({str(own) for own in panels.values()}) == 1:
        del panels[named[1]]
    return ByOrder(BY_ORDER[comparison.metric][1], longest, panels)


@dataclass(frozen=True)
class Ends:
    """The two ends of a gap of one system, as bars, and what makes the difference."""

    comparison: Comparison
    explained: Gap

    @property
    def _points(self) -> tuple[float, float]:
        found, factor = self.explained, self.comparison.factor
        return factor * found.value_a / found.scale_a, factor * found.value_b / found.scale_b

    @property
    def gap(self) -> float:
        """The difference in the unit of the comparison."""
        least, most = self._points
        return most - least

    @property
    def decimals(self) -> int:
        """How many decimals show the difference."""
        return decimals_for(self.gap)

    @property
    def bars(self) -> list[Bar]:
        """Both numbers as bars on one axis, the greater one first."""
        versions = {row.name: row.version for row in rows(self.comparison)}
        ends = sorted(
            zip(self._points, (self.explained.variant_a, self.explained.variant_b), strict=True), reverse=True
        )
        whole = max(100.0 if self.comparison.in_points else 0.0, *(abs(value) for value, _ in ends)) or 1.0
        return [
            Bar([name], f"{value:.{self.decimals}f}", 100 * abs(value) / whole, version=versions.get(name))
            for value, name in ends
        ]

    @property
    def equal(self) -> str:
        """The sentence on two numbers that are equal because single choices cancel out; otherwise empty."""
        choices = self.explained.cancelled(self.comparison.factor)
        return cancelling(self.explained.variant_a, self.explained.variant_b, choices) if choices else ""

    @property
    def parts(self) -> str:
        """The choices with a share that can be seen, the largest first."""
        least = max(NEGLIGIBLE * abs(self.explained.gap), NOTHING)
        return ", ".join(
            f"{part.choice} {self.comparison.factor * part.share:+.{self.decimals}f}".replace("-", "−")
            for part in self.explained.contributions
            if abs(part.share) > least
        )


@dataclass(frozen=True, kw_only=True)
class Bars:
    """The drawing of a gap: the choices with an effect, and the names of those without, or of those that cancel out."""

    comparison: Comparison
    gap: Gap
    steps: list[Step]
    idle: list[str]
    cancelled: tuple[str, ...] = ()

    @classmethod
    def of(cls, comparison: Comparison, gap: Gap) -> Bars:
        """The drawing of a gap. A share that is a rounding error is no step, and shares that cancel out are none."""
        if equal := gap.cancelled(comparison.factor):
            return cls(comparison=comparison, gap=gap, steps=[], idle=[], cancelled=equal)
        least = max(NEGLIGIBLE * max((abs(part.share) for part in gap.contributions), default=0.0), NOTHING)
        steps = [
            Step(label=f"{part.choice}: {_setting(part.a)} → {_setting(part.b)}", size=comparison.factor * part.share)
            for part in gap.contributions
            if abs(part.share) > least
        ]
        idle = [part.choice for part in gap.contributions if abs(part.share) <= least]
        return cls(comparison=comparison, gap=gap, steps=steps, idle=idle)

    @classmethod
    def all_of(cls, comparison: Comparison) -> list[Bars]:
        """The drawings of all gaps between neighbouring groups in which a choice has a share."""
        every = [cls.of(comparison, gap) for gap in comparison.explanations]
        return [bars for bars in every if bars.steps or bars.cancelled]

    @property
    def size(self) -> float:
        """The gap in the unit of the comparison."""
        return self.comparison.factor * self.gap.gap

    def plot(self) -> str:
        """The waterfall."""
        gap, factor = self.gap, self.comparison.factor
        start, end = factor * gap.value_a / gap.scale_a, factor * gap.value_b / gap.scale_b
        stands = levels(start, self.steps)
        words = "; ".join(f"{step.label} {step.size:+.3g}" for step in self.steps)
        label = (
            f"{self.comparison.metric} of {gap.system}, from {gap.variant_a} at {start:.4g} "
            f"to {gap.variant_b} at {end:.4g}: {words}."
        )
        ends = (gap.variant_a, start), (gap.variant_b, end)
        return waterfall(ends[0], self.steps, ends[1], max(stands) - min(stands), self.comparison.unit, label)


def _setting(printed: str) -> str:
    """A choice's value, without the field's name if the choice has only one field."""
    return printed.partition("=")[2] if printed.count("=") == 1 else printed

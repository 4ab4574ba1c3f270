"""What a comparison finds: numbers, groups of equal numbers, explanations of gaps, and orders of systems."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from metrologue.attribution import Explanation
from metrologue.comparison.findings.number import ALPHA, Flip, Number, Sampling
from metrologue.comparison.findings.where import Where
from metrologue.inference import Winner
from metrologue.scorers import get_scorer
from metrologue.scorers.core.variants import recommended

__all__ = [
    "NOTHING",
    "Cause",
    "Column",
    "Findings",
    "Flip",
    "Gap",
    "Group",
    "Heavy",
    "Number",
    "Order",
    "Sampling",
]

# On a scale of 1, what is smaller is a rounding error: 1e-9 points of 100. It is never shown as a share.
NOTHING = 1e-11


@dataclass(frozen=True, kw_only=True)
class Group:
    """Columns that give the same number for a system: the value on a scale of 1, and the columns' labels."""

    system: str
    value: float
    members: list[str]


@dataclass(frozen=True, kw_only=True, repr=False)
class Gap(Explanation):
    """The explanation of the gap between two of our variants, on the texts of a system."""

    system: str
    variant_a: str
    variant_b: str


@dataclass(frozen=True, kw_only=True)
class Cause:
    """One choice that makes two variants differ, with an example from the texts.

    Attributes
    ----------
    choice : str
    system, variant_a, variant_b : str
        The gap in which the choice has its largest share.
    share : float
        That share, on a scale of 1 or in the metric's own unit.
    pieces : tuple of (str, bool)
        One sentence in pieces. The second value says whether the piece is quoted: a token or a field's value.
    segment : int or None
        The segment of the example.
    tokens_a, tokens_b : tuple of str
        A text of that segment as each variant reads it. They are equal unless the choice changes how text is read.
    """

    choice: str
    system: str
    variant_a: str
    variant_b: str
    share: float
    pieces: tuple[tuple[str, bool], ...]
    segment: int | None = None
    tokens_a: tuple[str, ...] = ()
    tokens_b: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The sentence as text, with quoted pieces between backticks."""
        return "".join(f"`{text}`" if quoted else text for text, quoted in self.pieces)


@dataclass(frozen=True, kw_only=True)
class Heavy:
    """A segment that weighs much in the widest gap: without it, the gap would be smaller by `weight`.

    Attributes
    ----------
    segment : int
    system, variant_a, variant_b : str
        The gap: from the variant with the least number to the one with the greatest number.
    prediction : str
    references : list of str
    score_a, score_b : float
        The segment's own score under each variant, in the unit of the comparison.
    weight : float
        In the unit of the comparison.
    """

    segment: int
    system: str
    variant_a: str
    variant_b: str
    prediction: str
    references: list[str]
    score_a: float
    score_b: float
    weight: float


@dataclass(frozen=True, kw_only=True)
class Column:
    """The numbers of one library for all systems, in one unit: the live library's, otherwise those of our variant.

    Attributes
    ----------
    metric, name : str
    label : str
        The name with the version that ran, or ``metrologue NAME`` for our variant.
    unit : str
    points : mapping of str to float or None
        Each system's number in that unit; None if there is none.
    ranks : mapping of str to int
        Each system's rank, from 1 for the best; equal numbers have the same rank. Empty for one system, and if a system
        has no number.
    """

    metric: str
    name: str
    label: str
    unit: str
    points: Mapping[str, float | None]
    ranks: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Order:
    """Systems from best to worst, and the labels of the columns with this ranking."""

    systems: list[str]
    columns: list[str]


@dataclass(frozen=True, kw_only=True, repr=False)
class Findings:
    """All numbers for the same texts, with groups of equal numbers, explained gaps and rankings.

    Attributes
    ----------
    metric : str
    primary : str
        The name of the number that is compared.
    in_points : bool
        Whether the number is a rate, which is shown in points from 0 to 100. A quantity is shown as it is.
    systems : list of str
    segments : int
    numbers : list of Number
        The numbers, system by system, libraries before variants.
    groups : list of Group
        The groups of equal numbers, system by system, from the least value to the greatest.
    explanations : list of Gap
        The gaps between neighbouring groups that have a variant of ours. Each pair of variants is explained once: for
        the system whose numbers differ most, or otherwise for the one where this gap is widest.
    orders : list of Order
        The distinct rankings of the systems, the one with most columns first. Empty for one system.
    flips : list of Flip
        The pairs of systems that the columns rank differently.
    higher_is_better : bool
    widest : Gap or None
        The gap between the least and the greatest number of our variants, for the system where it is widest. None if
        no two variants differ.
    apart : list of Gap
        Of several systems, the gap between the least and the greatest number for the best system, under the recommended
        variant, and for the first one, the baseline. A system without a gap is left out.
    causes : list of Cause
        The choices behind the widest gap, the largest share first.
    heaviest : list of Heavy
        The segments that weigh most in the widest gap, the heaviest first. Empty if the score is not one of sums.
    sampling : Sampling or None
        How intervals and tests were computed; None if they were not asked for.
    no_interval : str or None
        Why no number has an interval, in a sentence.
    winners : dict of str to Winner
        The best system under each variant, tested against each other system; p-values after Holm's correction.
    where : Where or None
        Where one system beats another: the two that were asked for, or the best one and the next. None if the
        comparison has no intervals, or if the metric has no statistics that add up.
    advice : str
        What to report in place of the recommended variant: its number with the fields for the language of the texts.
    """

    metric: str
    primary: str
    in_points: bool
    systems: list[str]
    segments: int
    numbers: list[Number]
    groups: list[Group]
    explanations: list[Gap]
    orders: list[Order]
    flips: list[Flip]
    higher_is_better: bool = True
    widest: Gap | None = None
    apart: list[Gap] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    heaviest: list[Heavy] = field(default_factory=list)
    sampling: Sampling | None = None
    no_interval: str | None = None
    winners: dict[str, Winner] = field(default_factory=dict)
    where: Where | None = None
    advice: str = ""

    @property
    def factor(self) -> float:
        """The factor of shown numbers: 100 for a rate, which is shown in points, and 1 for a quantity."""
        return 100.0 if self.in_points else 1.0

    @property
    def unit(self) -> str:
        """The unit of shown numbers."""
        return "points from 0 to 100" if self.in_points else self.primary

    def points(self, number: Number | None) -> float | None:
        """A number in the unit of the comparison."""
        return None if number is None or number.value is None else self.factor * number.share

    def limits(self, number: Number | None) -> tuple[float, float] | None:
        """The interval of a number in the unit of the comparison."""
        if number is None or number.interval is None:
            return None
        factor = self.factor / (number.unit or 1.0)
        return factor * number.interval.low, factor * number.interval.high

    def shown(self, number: Number) -> str:
        """A number with its interval, with two decimals."""
        limits = self.limits(number)
        return f"{self.points(number):.2f}" + (f" [{limits[0]:.2f}, {limits[1]:.2f}]" if limits else "")

    @property
    def number_name(self) -> str:
        """The name of the number that is compared, which tells its metric: "rougeL_fmeasure", "squad exact"."""
        return self.primary if self.primary.startswith(self.metric) else f"{self.metric} {self.primary}"

    @property
    def reported(self) -> dict[str, Number]:
        """The number of each system under the recommended variant; without one, under the first that has all numbers.

        It is empty if no variant has a number for each system.
        """
        known: dict[str, dict[str, Number]] = {}
        for number in self.numbers:
            if number.kind == "variant" and number.value is not None and not math.isnan(number.value):
                known.setdefault(number.name, {})[number.system] = number
        whole = {name: own for name, own in known.items() if len(own) == len(self.systems)}
        advised = recommended(get_scorer(self.metric).variants())
        name = advised[0] if advised and advised[0] in whole else next(iter(whole), "")
        return whole.get(name, {})

    @property
    def ranking(self) -> list[str]:
        """The systems by their reported numbers, the best first; equal numbers in the given order."""
        own = self.reported
        return sorted(own, key=lambda system: own[system].share, reverse=self.higher_is_better)

    @property
    def letters(self) -> dict[str, str]:
        """Letters by the reported numbers: systems that share one do not differ significantly; empty without tests."""
        name = next((number.name for number in self.reported.values()), "")
        return self.winners[name].letters(self.ranking, ALPHA) if name in self.winners else {}

    @property
    def residuals(self) -> list[Number]:
        """The numbers of libraries that differ from those of our variants, which nothing explains."""
        return [
            number
            for number in self.numbers
            if (number.residual and not number.change) or (number.sample and number.sample.equal is False)
        ]

    @property
    def changes(self) -> list[Number]:
        """The numbers of libraries that newer versions of them give no more, as the table of versions says."""
        return [number for number in self.numbers if number.change]

    @property
    def columns(self) -> list[Column]:
        """The columns of the matrix: one for each name, of which a library or our variant has a number."""
        found: dict[str, dict[str, Number]] = {}
        for kind in ("variant", "library"):  # a live number comes after ours and replaces it
            for number in self.numbers:
                if number.kind == kind and number.value is not None:
                    found.setdefault(number.name, {})[number.system] = number
        names = dict.fromkeys(number.name for number in self.numbers)
        return [self._column(found[name]) for name in names if name in found]

    def votes(self, first: str, second: str) -> tuple[int, int]:
        """The numbers of the matrix's columns that rank the first system before the second, and the other way round."""
        ranks = [
            (column.ranks[first], column.ranks[second]) for column in self.columns if {first, second} <= {*column.ranks}
        ]
        return sum(one < other for one, other in ranks), sum(one > other for one, other in ranks)

    def _column(self, numbers: Mapping[str, Number]) -> Column:
        some = next(iter(numbers.values()))
        return Column(
            metric=self.metric,
            name=some.name,
            label=some.label,
            unit=self.unit,
            points={system: self.points(numbers.get(system)) for system in self.systems},
            ranks=self._ranks(numbers),
        )

    def _ranks(self, numbers: Mapping[str, Number]) -> dict[str, int]:
        if len(self.systems) < 2 or len(numbers) < len(self.systems):
            return {}
        ordered = sorted(self.systems, key=lambda system: numbers[system].share, reverse=self.higher_is_better)
        ranks: dict[str, int] = {}
        for place, system in enumerate(ordered):
            tied = place and numbers[system].equals(numbers[ordered[place - 1]])
            ranks[system] = ranks[ordered[place - 1]] if tied else place + 1
        return {system: ranks[system] for system in self.systems}

"""The result of a comparison: numbers, groups of equal numbers, explanations of gaps, and orders of systems."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from string import ascii_lowercase
from typing import Literal

from metrologue import notebook
from metrologue.attribution import Explanation, shown_share

__all__ = ["Comparison", "Flip", "Gap", "Group", "Number", "Order"]

RESOLUTION = 1e-9


@dataclass(frozen=True, kw_only=True)
class Number:
    """One number of one column (a library, or a variant of ours) for one system.

    Attributes
    ----------
    kind : {"library", "variant"}
    name : str
        The name of the adapter or of the variant.
    version : str or None
        The version of the library that ran, or of the library that the variant mirrors.
    system : str
        The system that made the predictions.
    value : float or None
        The number on the column's own scale; None if there is none.
    unit : float or None
        The perfect score in this column: 1 or 100. None for a quantity without a perfect score, such as a distance.
    missing : str or None
        Why there is no number.
    signature : str or None
        The signature of the variant.
    resolution : float
        Two numbers are equal if their relative difference is at most this.
    printed_digits : int or None
        How many decimals the library prints, if it is a program that prints its numbers.
    """

    kind: Literal["library", "variant"]
    name: str
    version: str | None
    system: str
    value: float | None
    unit: float | None
    missing: str | None = None
    signature: str | None = None
    resolution: float = RESOLUTION
    printed_digits: int | None = None

    @property
    def label(self) -> str:
        """The column in words: ``nltk 3.10.4``, or ``metrologue nltk`` for our variant."""
        return f"metrologue {self.name}" if self.kind == "variant" else f"{self.name} {self.version or ''}".strip()

    @property
    def share(self) -> float:
        """The number on a scale of 1, or as it is if it has no scale. NaN, which equals nothing, if there is none."""
        return math.nan if self.value is None else self.value / (self.unit or 1.0)

    def equals(self, other: Number) -> bool:
        """Whether two numbers are equal on a scale of 1, at the precision of the less precise column."""
        digits = [each.printed_digits for each in (self, other) if each.printed_digits is not None]
        if digits:
            return f"{self.share:.{min(digits)}f}" == f"{other.share:.{min(digits)}f}"
        return math.isclose(self.share, other.share, rel_tol=max(self.resolution, other.resolution))


@dataclass(frozen=True, kw_only=True)
class Group:
    """Columns that give the same number for a system: the value on a scale of 1, and the columns' labels."""

    system: str
    value: float
    members: list[str]


@dataclass(frozen=True, kw_only=True, repr=False)
class Gap(Explanation):
    """The explanation of the gap between two neighbouring groups of a system, by one of our variants from each."""

    system: str
    variant_a: str
    variant_b: str


@dataclass(frozen=True, kw_only=True)
class Order:
    """Systems from best to worst, and the labels of the columns with this ranking."""

    systems: list[str]
    columns: list[str]


@dataclass(frozen=True, kw_only=True)
class Flip:
    """Two systems on which columns disagree: the columns that prefer the first, and those that prefer the second."""

    first: str
    second: str
    prefer_first: list[str]
    prefer_second: list[str]


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison:
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
        The gaps between neighbouring groups that have a variant of ours, system by system.
    orders : list of Order
        The distinct rankings of the systems, the one with most columns first. Empty for one system.
    flips : list of Flip
        The pairs of systems that the columns rank differently.
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

    def to_json(self) -> str:
        """Everything as JSON. A missing number is null."""
        return json.dumps(asdict(self), ensure_ascii=False, allow_nan=False, indent=2)

    def to_markdown(self) -> str:
        """The numbers as a table, then groups, gaps and orders, in Markdown."""
        return "\n".join(_markdown(self)) + "\n"

    def __repr__(self) -> str:
        systems, numbers = len(self.systems), len(self.numbers)
        return f"<Comparison of {self.metric}: {numbers} numbers for {systems} systems of {self.segments} segments>"

    def _repr_html_(self) -> str:
        """What a notebook shows: all numbers, with a letter for each group of equal numbers, and the explained gaps."""
        return notebook.block(*_html(self))


def _html(comparison: Comparison) -> Iterable[str]:
    numbers = {(number.label, number.system): number for number in comparison.numbers}
    letters = {
        (label, system): letter
        for system in comparison.systems
        for letter, group in zip(_letters(), (g for g in comparison.groups if g.system == system), strict=False)
        for label in group.members
    }

    def cells(label: str, system: str) -> list[str]:
        return [_shown(numbers[label, system].value), letters.get((label, system), "")]

    rows = [
        [label, *(cell for system in comparison.systems for cell in cells(label, system))]
        for label in dict.fromkeys(number.label for number in comparison.numbers)
    ]
    caption = f"{comparison.metric}, {comparison.segments} segments; equal numbers of a column have the same letter"
    yield notebook.table(caption, ["", *(name for system in comparison.systems for name in (system, ""))], rows)
    for gap in comparison.explanations:
        yield notebook.note(f"{gap.system}, from {gap.variant_a} to {gap.variant_b}:")
        yield gap.bars()
    for absent in dict.fromkeys(f"{each.label}: {each.missing}" for each in comparison.numbers if each.missing):
        yield notebook.note(absent)


def _letters() -> Iterator[str]:
    """a to z, then a2 and so on."""
    for count in itertools.count(1):
        yield from (letter + str(count) * (count > 1) for letter in ascii_lowercase)


def _markdown(comparison: Comparison) -> Iterable[str]:
    numbers = {(number.label, number.system): number for number in comparison.numbers}
    columns = {number.label: number for number in comparison.numbers}
    yield from (f"# {comparison.metric}, {comparison.segments} segments", "")
    yield from _table(
        ["", "scale", *comparison.systems],
        [
            [
                label,
                f"0-{some.unit:g}" if some.unit else "-",
                *(_shown(numbers[label, system].value) for system in comparison.systems),
            ]
            for label, some in columns.items()
        ],
    )
    if absent := dict.fromkeys(f"- {n.label}: {n.missing}" for n in comparison.numbers if n.missing):
        yield from ("", "Without a number:", "", *absent)
    for system in comparison.systems:
        yield from ("", f"## {system}", "", f"Equal numbers{', on a scale of 1' * comparison.in_points}:", "")
        yield from (f"- {_shown(g.value)}: {', '.join(g.members)}" for g in comparison.groups if g.system == system)
        for gap in comparison.explanations:
            if gap.system == system:
                yield from ("", f"From {gap.variant_a} to {gap.variant_b} the gap is {gap.gap:+.4g}:", "")
                yield from _table(
                    ["choice", gap.variant_a, gap.variant_b, "share"],
                    [[part.choice, part.a, part.b, shown_share(part.share)] for part in gap.contributions],
                )
    if comparison.orders:
        yield from ("", "## Order of the systems", "")
        yield from (f"- {' > '.join(order.systems)}: {', '.join(order.columns)}" for order in comparison.orders)
    for flip in comparison.flips:
        yield from ("", f"{flip.first} before {flip.second}: {', '.join(flip.prefer_first)};")
        yield f"{flip.second} before {flip.first}: {', '.join(flip.prefer_second)}."


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    yield _row(header)
    yield _row(["---"] * len(header))
    yield from map(_row, rows)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"

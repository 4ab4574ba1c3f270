"""What a comparison found: numbers, which of them are equal, what lies between the others, and the order of systems."""

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
        Of the adapter or of the variant.
    version : str or None
        Of the library that ran; of the one that a variant mirrors.
    system : str
        Whose predictions.
    value : float or None
        On the column's own scale; None where there is no number.
    unit : float or None
        What a perfect score is in this column: 1 or 100. None for what is no share of anything, as a distance is.
    missing : str or None
        Why there is no number.
    signature : str or None
        Of the variant.
    resolution : float
        Relative difference below which two numbers are one.
    printed_digits : int or None
        How many decimals the library prints, where it prints and does not return its numbers.
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
        """The number on a scale of 1, or as it is; NaN where there is none, which equals nothing."""
        return math.nan if self.value is None else self.value / (self.unit or 1.0)

    def equals(self, other: Number) -> bool:
        """Whether two numbers are one on a scale of 1, as finely as the coarser column computes, or prints."""
        digits = [each.printed_digits for each in (self, other) if each.printed_digits is not None]
        if digits:
            return f"{self.share:.{min(digits)}f}" == f"{other.share:.{min(digits)}f}"
        return math.isclose(self.share, other.share, rel_tol=max(self.resolution, other.resolution))


@dataclass(frozen=True, kw_only=True)
class Group:
    """Columns that give one number for a system: its value on a scale of 1, and their labels."""

    system: str
    value: float
    members: list[str]


@dataclass(frozen=True, kw_only=True, repr=False)
class Gap(Explanation):
    """What lies between two neighbouring groups of a system, by one variant of ours from each."""

    system: str
    variant_a: str
    variant_b: str


@dataclass(frozen=True, kw_only=True)
class Order:
    """Systems from best to worst, and the labels of the columns that rank them so."""

    systems: list[str]
    columns: list[str]


@dataclass(frozen=True, kw_only=True)
class Flip:
    """Two systems on which columns disagree: those that prefer the first, and those that prefer the second."""

    first: str
    second: str
    prefer_first: list[str]
    prefer_second: list[str]


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison:
    """All numbers for one text, and what they have to do with each other.

    Attributes
    ----------
    metric : str
    primary : str
        Which of its numbers is compared.
    in_points : bool
        Whether that is a rate, 100 points to the scale; else it is a quantity that is shown as it is.
    systems : list of str
    segments : int
    numbers : list of Number
        System by system, libraries before variants.
    groups : list of Group
        System by system, from the least value to the greatest.
    explanations : list of Gap
        System by system, between the neighbouring groups that hold a variant of ours.
    orders : list of Order
        Distinct rankings of the systems; a ranking with most columns comes first. Empty for one system.
    flips : list of Flip
        Pairs of systems that the columns do not rank alike.
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
        """Everything as JSON, with null where there is no number."""
        return json.dumps(asdict(self), ensure_ascii=False, allow_nan=False, indent=2)

    def to_markdown(self) -> str:
        """The numbers as a table, then groups, gaps and orders, in Markdown."""
        return "\n".join(_markdown(self)) + "\n"

    def __repr__(self) -> str:
        systems, numbers = len(self.systems), len(self.numbers)
        return f"<Comparison of {self.metric}: {numbers} numbers for {systems} systems of {self.segments} segments>"

    def _repr_html_(self) -> str:
        """What a notebook shows: all numbers with a letter for those that are equal, and what explains the gaps."""
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
    caption = f"{comparison.metric}, {comparison.segments} segments; one letter in a column is one number"
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
                yield from ("", f"From {gap.variant_a} to {gap.variant_b} it is {gap.gap:+.4g}:", "")
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

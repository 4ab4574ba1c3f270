"""All libraries and all our variants on one text: which numbers are equal, and what lies between those that are not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import combinations, pairwise
from typing import Any, Literal

from metrologue.attribution import Explanation, explain_segments
from metrologue.comparison.libraries import Library, Missing, adapters, get_library
from metrologue.errors import InputError
from metrologue.scorers import Scorer, get_scorer
from metrologue.segments import Segments

__all__ = ["Comparison", "Flip", "Gap", "Group", "Number", "Order", "compare"]

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

    @property
    def label(self) -> str:
        """The column in words: ``nltk 3.10.4``, or ``metrologue nltk`` for our variant."""
        return f"metrologue {self.name}" if self.kind == "variant" else f"{self.name} {self.version or ''}".strip()

    @property
    def share(self) -> float:
        """The number on a scale of 1, or as it is; NaN where there is none, which equals nothing."""
        return math.nan if self.value is None else self.value / (self.unit or 1.0)

    def equals(self, other: Number) -> bool:
        """Whether two numbers are one on a scale of 1, as finely as the coarser column computes."""
        return math.isclose(self.share, other.share, rel_tol=max(self.resolution, other.resolution))


@dataclass(frozen=True, kw_only=True)
class Group:
    """Columns that give one number for a system: its value on a scale of 1, and their labels."""

    system: str
    value: float
    members: list[str]


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
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


def compare(
    systems: Mapping[str, Sequence[str]],
    references: Any,
    metric: str = "bleu",
    libraries: Iterable[str] | None = None,
    variants: Iterable[str] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Comparison:
    """Run every library that is here, and every variant of ours, on the predictions of one or several systems.

    Parameters
    ----------
    systems : mapping of str to sequence of n str
        The predictions of each system, by its name.
    references : n strings, or n lists of strings
    metric : str
        One of ``metrologue.scorers.list_scorers()``.
    libraries, variants : iterable of str, optional
        Names of adapters and of variants; all that have the metric by default.
    progress : callable, optional
        Called as ``progress(what, done, total)`` before each number.

    Returns
    -------
    Comparison
        A library that is missing, or that fails on this input, has a number without value that says why.

    Raises
    ------
    InputError
        If there is no system, the texts make no segments, or there is no such metric or variant.
    LibraryError
        If there is no such adapter.

    Examples
    --------
    >>> variants = ["nltk", "sacrebleu"]
    >>> found = compare({"mine": ["a cat sat, here"]}, ["a cat sat, there"], libraries=[], variants=variants)
    >>> for group in found.groups:
    ...     print(f"{group.value:.4f} {group.members}")
    0.0000 ['metrologue nltk']
    0.6687 ['metrologue sacrebleu']
    >>> found.explanations[0].contributions[0].choice
    'tokenizer'
    """
    if not systems:
        raise InputError("compare: `systems` is empty; give the predictions of at least one system, by its name.")
    kind = get_scorer(metric)
    live = adapters(metric) if libraries is None else [get_library(name) for name in libraries]
    ours = {name: kind.variant(name) for name in (kind.variants() if variants is None else variants)}
    texts = _segments(systems, references)

    if not all(map(len, texts.values())):
        raise InputError("compare: no segments; a score needs at least one.")

    some = next(iter(ours.values()), kind.variant(next(iter(kind.variants()))))
    numbers: list[Number] = []
    total = len(texts) * (len(live) + len(ours))

    def tick(name: str, system: str) -> None:
        if progress:
            progress(f"{name}, {system}", len(numbers), total)

    for system, segments in texts.items():
        pairs = [segments.pair(index) for index in range(len(segments))]
        for library in live:
            tick(library.name, system)
            numbers.append(_of_library(library, some, system, pairs))
        for name, scorer in ours.items():
            tick(f"metrologue {name}", system)
            numbers.append(_of_variant(name, scorer, some.primary, system, segments))

    clusters = [cluster for system in texts for cluster in _clusters(n for n in numbers if n.system == system)]
    columns = _columns(numbers, list(texts))
    higher = some.higher_is_better[some.primary]
    return Comparison(
        metric=metric,
        primary=some.primary,
        in_points=some.perfect_score is not None,
        systems=list(texts),
        segments=len(next(iter(texts.values()))),
        numbers=numbers,
        groups=[_group(cluster) for cluster in clusters],
        explanations=_gaps(clusters, ours, texts),
        orders=_orders(columns, higher),
        flips=_flips(columns, list(texts), higher),
    )


def _segments(systems: Mapping[str, Any], references: Any) -> dict[str, Segments]:
    """The segments of each system; what is read of the references is read once for all."""
    texts: dict[str, Segments] = {}
    for name, predictions in systems.items():
        owner = f"compare, {name}"
        first = next(iter(texts.values()), None)
        texts[name] = first.with_predictions(predictions, owner) if first else Segments(predictions, references, owner)
    return texts


def _of_library(library: Library, like: Scorer, system: str, pairs: Sequence[tuple[str, list[str]]]) -> Number:
    """The number of a library that one of our scorers has by that name."""
    status = library.status(like.name)
    version = value = missing = None
    if isinstance(status, Missing):
        missing = str(status)
    else:
        version = status.version
        try:
            found = library.scores(like.name, [text for text, _ in pairs], [texts for _, texts in pairs])
        except Exception as error:  # whatever a foreign library raises is a finding, not the end of the run
            missing = f"raises {type(error).__name__}: {error}"
        else:
            value = found.get(like.primary)
            if value is None:
                missing = f"gives no {like.primary}"
            elif not math.isfinite(value):
                value, missing = None, f"gives {value}"
    return Number(
        kind="library",
        name=library.name,
        version=version,
        system=system,
        value=value,
        unit=None if like.perfect_score is None else library.scale,
        missing=missing,
        resolution=library.resolution,
    )


def _of_variant(name: str, scorer: Scorer, primary: str, system: str, segments: Segments) -> Number:
    value = missing = None
    if scorer.primary != primary:
        missing = f"gives {scorer.primary}, which is another quantity"
    else:
        try:
            value = scorer.score_segments(segments).value
        except InputError as error:  # where the mirrored library fails, so does its variant
            missing = str(error)
    return Number(
        kind="variant",
        name=name,
        version=scorer.variants()[name].version,
        system=system,
        value=value,
        unit=scorer.perfect_score,
        missing=missing,
        signature=scorer.signature,
    )


def _clusters(numbers: Iterable[Number]) -> list[list[Number]]:
    """Equal numbers together, from the least to the greatest; within a cluster in the order that they came in."""
    known = [number for number in numbers if number.value is not None]
    clusters: list[list[Number]] = []
    for number in sorted(known, key=lambda number: number.share):
        if clusters and number.equals(clusters[-1][-1]):
            clusters[-1].append(number)
        else:
            clusters.append([number])
    return [[number for number in known if number in cluster] for cluster in clusters]


def _group(cluster: Sequence[Number]) -> Group:
    finest = min(cluster, key=lambda number: number.resolution)
    return Group(system=finest.system, value=finest.share, members=[number.label for number in cluster])


def _gaps(clusters: Sequence[Sequence[Number]], ours: Mapping[str, Scorer], texts: Mapping[str, Segments]) -> list[Gap]:
    mirrored = [variant for cluster in clusters if (variant := next((n for n in cluster if n.kind == "variant"), None))]
    gaps = []
    for a, b in pairwise(mirrored):
        if a.system == b.system:
            found = explain_segments(ours[a.name], ours[b.name], texts[a.system])
            values = {field.name: getattr(found, field.name) for field in fields(found)}
            gaps.append(Gap(**values, system=a.system, variant_a=a.name, variant_b=b.name))
    return gaps


def _columns(numbers: Iterable[Number], systems: Sequence[str]) -> dict[str, dict[str, Number]]:
    """The columns that have a number for every system, as label -> system -> number."""
    columns: dict[str, dict[str, Number]] = {}
    for number in numbers:
        if number.value is not None:
            columns.setdefault(number.label, {})[number.system] = number
    return {label: column for label, column in columns.items() if len(column) == len(systems)}


def _orders(columns: Mapping[str, Mapping[str, Number]], higher: bool) -> list[Order]:
    rankings: dict[tuple[str, ...], list[str]] = {}
    for label, column in columns.items():
        ranking = sorted(column, key=lambda system: column[system].share, reverse=higher)
        rankings.setdefault(tuple(ranking), []).append(label)
    return [
        Order(systems=list(ranking), columns=labels)
        for ranking, labels in sorted(rankings.items(), key=lambda item: -len(item[1]))
        if len(ranking) > 1
    ]


def _flips(columns: Mapping[str, Mapping[str, Number]], systems: Sequence[str], higher: bool) -> list[Flip]:
    flips = []
    for first, second in combinations(systems, 2):
        differing = {label: column for label, column in columns.items() if not column[first].equals(column[second])}
        votes: dict[bool, list[str]] = {True: [], False: []}
        for label, column in differing.items():
            votes[(column[first].share > column[second].share) == higher].append(label)
        if all(votes.values()):
            flips.append(Flip(first=first, second=second, prefer_first=votes[True], prefer_second=votes[False]))
    return flips


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
                    [[part.choice, part.a, part.b, f"{part.share:+.4g}"] for part in gap.contributions],
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

"""The answer of our variants: every library's number, which of them are equal, why the others differ, and who wins."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

from metrologue.attribution import explain_segments
from metrologue.comparison.findings.causes import find_causes, heaviest_segments
from metrologue.comparison.findings.orders import (
    clusters_of,
    columns_of,
    flips_of,
    group_of,
    numbers_by_order,
    orders_of,
)
from metrologue.comparison.findings.records import Findings, Gap, Heavy, Number, Sampling
from metrologue.comparison.findings.significance import find_winners, no_interval, tested_flips, with_intervals
from metrologue.comparison.findings.where import Where, where
from metrologue.comparison.libraries import Library
from metrologue.errors import InputError
from metrologue.inference import Interval
from metrologue.scorers import Scorer
from metrologue.scorers.core.engine import fields_for, narrowed, source_for
from metrologue.scorers.core.hints import ASCII_WORDS, DROPPED, dropped_letters, joined_words_of, spelled_fields
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.variants import recommended
from metrologue.segments import Segments
from metrologue.text.scripts import Language

__all__ = ["Job", "answer", "with_libraries"]

Texts = Mapping[str, Segments]

# Up to so many differing choices, all mixtures of two variants are scored.
EXACT = 7


@dataclass(frozen=True, eq=False)
class Job:
    """One metric of a comparison.

    Attributes
    ----------
    kind : type of Scorer
    live : sequence of Library
        The libraries that run.
    ours : mapping of str to Scorer
        Our variants, by name.
    options : mapping of str to Any
        For the libraries, such as the path of a language model.
    options_key : str
        What identifies them.
    between : (str, str) or None
        The two systems that are looked at in detail; None: the best one and the next.
    language : Language or None
        The language of the references, if it is given.
    """

    kind: type[Scorer]
    live: Sequence[Library]
    ours: Mapping[str, Scorer]
    options: Mapping[str, Any]
    options_key: str = ""
    between: tuple[str, str] | None = None
    language: Language | None = None

    @property
    def like(self) -> Scorer:
        """The scorer whose primary number is compared."""
        return next(iter(self.ours.values()), self.kind.variant(next(iter(self.kind.variants()))))

    def mirror_of(self, library: Library) -> str | None:
        """The name of our variant that gives the library's number."""
        call = f"{library.name}.{self.kind.name}"
        calls = [name for name, variant in self.kind.variants().items() if variant.live == call]
        names = [library.name, *calls, library.name.removeprefix("evaluate-")]
        return next((name for name in names if name in self.ours), None)

    @property
    def count(self) -> int:
        """The number of numbers that a system gets."""
        return len(self.live) + len(self.ours)


def answer(job: Job, texts: Texts, how: Sampling | None, tell: Callable[[Number], None]) -> Findings:
    """The comparison of our variants. ``tell`` is called with each number."""
    numbers = []
    for system, segments in texts.items():
        for name, scorer in job.ours.items():
            numbers.append(_of_variant(name, scorer, job.like.primary, system, segments))
            tell(numbers[-1])
    found = {}
    if how:
        primary = {name: narrowed(scorer) for name, scorer in job.ours.items()}
        numbers = with_intervals(numbers, primary, texts, how)
        found = find_winners(numbers, primary, texts, how)
    like, count = job.like, len(next(iter(texts.values())))
    clusters = _clusters(numbers, texts)
    ends = _ends(clusters)
    gaps = _gaps(clusters, job.ours, texts, ends[0].system if ends else None)
    widest = _gap(*ends, job.ours, texts[ends[0].system]) if ends else None
    higher, factor = like.higher_is_better[like.primary], 100.0 if perfect_score(like) is not None else 1.0
    plain = Findings(
        metric=job.kind.name,
        primary=like.primary,
        in_points=perfect_score(like) is not None,
        systems=list(texts),
        segments=count,
        numbers=numbers,
        groups=[],
        explanations=gaps,
        orders=[],
        flips=[],
        higher_is_better=higher,
        widest=widest,
        causes=find_causes([widest], job.ours, texts[widest.system], factor) if widest else [],
        heaviest=_heaviest(job.ours, ends, texts) if ends else [],
        sampling=how,
        no_interval=no_interval(count) if how else None,
        winners=found,
        where=_where(job, numbers, texts, how) if how else None,
    )
    plain = replace(plain, apart=_apart(plain, job.ours, texts, clusters))
    return _ranked(replace(plain, advice=_advice(job, texts, plain)))


def _apart(
    found: Findings, ours: Mapping[str, Scorer], texts: Texts, clusters: Sequence[Sequence[Number]]
) -> list[Gap]:
    """How far the variants are apart for the best system and for the first one, the baseline, of several."""
    gaps = []
    for system in dict.fromkeys([*found.ranking[:1], *found.systems[:1]]) if len(texts) > 1 else ():
        ends = _ends([cluster for cluster in clusters if cluster[0].system == system])
        widest = found.widest if found.widest and found.widest.system == system else None
        if gap := widest or (ends and _gap(*ends, ours, texts[system])):
            gaps.append(gap)
    return gaps


def _where(job: Job, numbers: Sequence[Number], texts: Texts, how: Sampling) -> Where | None:
    """Where one system beats another, under the recommended variant, or the first one that has all numbers."""
    known = [number for number in numbers if number.interval is not None]
    names = [name for name in job.ours if sum(number.name == name for number in known) == len(texts)]
    if len(texts) < 2 or not names:
        return None
    advised = recommended(job.kind.variants())
    name = advised[0] if advised and advised[0] in names else names[0]
    scorer = job.ours[name]
    ranked = sorted((n for n in known if n.name == name), key=lambda n: n.share)
    best, after = ranked[:: -1 if scorer.higher_is_better[scorer.primary] else 1][:2]
    pair = job.between or (best.system, after.system)
    return where(name, scorer, {system: texts[system] for system in pair}, how, perfect_score(scorer) is not None)


def _advice(job: Job, texts: Texts, found: Findings) -> str:
    """What to report where the language has other fields than the recommended variant, or the variant finds no words;
    empty if that variant is right. If no variant is recommended, it is the first one.
    """
    advised = recommended(job.kind.variants())
    name = advised[0] if advised else next(iter(job.ours), "")
    if not (scorer := job.ours.get(name)):
        return ""
    joined = joined_words_of(scorer, next(iter(texts.values())))
    if not (language := job.language or (joined and joined.language)):
        return _of_its_script(job, name, texts, found)
    language = language.here
    fields = fields_for(job.kind, language)
    cause = f"{joined.about}; {name}'s number says nothing of them. " if joined else ""
    if not fields:
        return cause
    other = job.kind.variant(name, **fields)
    numbers = [_of_variant(name, other, found.primary, system, segments) for system, segments in texts.items()]
    if any(number.value is None for number in numbers):
        return cause
    if found.sampling:
        numbers = with_intervals(numbers, {name: narrowed(other)}, texts, found.sampling)
    shown = ", ".join(f"{found.shown(each)}{f' for {each.system}' * (len(texts) > 1)}" for each in numbers)
    return f"{cause}Report {name} with {spelled_fields(fields)}, {shown}: {source_for(job.kind, language)}."


def _of_its_script(job: Job, name: str, texts: Texts, found: Findings) -> str:
    """What to report where the recommended variant drops letters of the texts; empty if it keeps them."""
    dropped = dropped_letters(getattr(job.ours[name], "tokenizer", ""), next(iter(texts.values())))
    if dropped < DROPPED:
        return ""
    others = {other: job.kind.variant(other) for other in job.kind.variants()}
    keeping = [
        other
        for other, scorer in others.items()
        if getattr(scorer, "tokenizer", "") not in ASCII_WORDS
        and scorer.primary == found.primary
        and scorer.variants()[other].library == "metrologue"
    ]
    cause = f"{dropped:.0%} of the letters are outside ASCII, and {name} drops them"
    if not keeping:
        return f"{cause}: its number says nothing of them."
    other = keeping[0]
    numbers = [_of_variant(other, others[other], found.primary, system, segments) for system, segments in texts.items()]
    if any(number.value is None for number in numbers):
        return f"{cause}: its number says nothing of them."
    if found.sampling:
        numbers = with_intervals(numbers, {other: narrowed(others[other])}, texts, found.sampling)
    shown = ", ".join(f"{found.shown(each)}{f' for {each.system}' * (len(texts) > 1)}" for each in numbers)
    return f"{cause}. Report {other} {shown}: it keeps the letters of every script."


def with_libraries(found: Findings, numbers: Sequence[Number], job: Job) -> Findings:
    """The comparison with the numbers of the libraries, which come before ours for each system."""
    order = [("library", library.name) for library in job.live] + [("variant", name) for name in job.ours]
    places = {system: place for place, system in enumerate(found.systems)}
    every = sorted([*numbers, *found.numbers], key=lambda n: (places[n.system], order.index((n.kind, n.name))))
    return _ranked(replace(found, numbers=_share_intervals(every)))


def _share_intervals(numbers: Sequence[Number]) -> list[Number]:
    """The numbers, of which a library's has the interval of the variant with the same number."""
    mirrors = {(n.name, n.system): n for n in numbers if n.kind == "variant" and n.interval}
    shared = []
    for number in numbers:
        mirror = mirrors.get((number.name, number.system))
        if number.kind == "library" and mirror and mirror.interval and number.equals(mirror):
            factor = (number.unit or 1.0) / (mirror.unit or 1.0)
            number = replace(number, interval=_scaled(mirror.interval, factor))
        shared.append(number)
    return shared


def _scaled(interval: Interval, factor: float) -> Interval:
    if factor == 1.0:
        return interval
    return replace(interval, **{name: factor * getattr(interval, name) for name in ("low", "high", "mean", "median")})


def _ranked(found: Findings) -> Findings:
    """The comparison with groups, orders and flips of its numbers."""
    columns = columns_of(found.numbers, found.systems)
    clusters = _clusters(found.numbers, found.systems)
    return replace(
        found,
        groups=[group_of(cluster) for cluster in clusters],
        orders=orders_of(columns, found.higher_is_better),
        flips=tested_flips(flips_of(columns, found.systems, found.higher_is_better), found.winners),
    )


def _clusters(numbers: Sequence[Number], systems: Iterable[str]) -> list[list[Number]]:
    return [cluster for system in systems for cluster in clusters_of(n for n in numbers if n.system == system)]


def _of_variant(name: str, scorer: Scorer, primary: str, system: str, segments: Segments) -> Number:
    value = missing = None
    scores: Mapping[str, float] = {}
    if scorer.primary != primary:
        missing = f"gives {scorer.primary}, which is another quantity"
    else:
        try:
            scores = scorer.corpus(segments).scores
            value = scores[primary]
        except InputError as error:  # where the mirrored library fails, so does its variant
            missing = str(error)
    variant = scorer.variants()[name]
    return Number(
        kind="variant",
        name=name,
        version=variant.version,
        system=system,
        value=value,
        unit=perfect_score(scorer),
        missing=missing,
        signature=scorer.signature,
        mirrors=variant.named() if variant.live else None,
        by_order=numbers_by_order(scorer, scores),
    )


def _ends(clusters: Iterable[Sequence[Number]]) -> tuple[Number, Number] | None:
    """The least and the greatest number of the system whose variants differ most; None if none differ.

    Infinite numbers have no gap. Of equal numbers the first one is taken.
    """
    known: dict[str, list[Number]] = {}
    for number in _mirrored(clusters):
        if math.isfinite(number.share):
            known.setdefault(number.system, []).append(number)
    pairs = [(own[0], own[-1]) for own in known.values() if len(own) > 1]  # the clusters are sorted
    return max(pairs, key=lambda pair: pair[1].share - pair[0].share, default=None)


def _mirrored(clusters: Iterable[Sequence[Number]]) -> list[Number]:
    """The first variant of each cluster that has one."""
    return [variant for cluster in clusters if (variant := next((n for n in cluster if n.kind == "variant"), None))]


def _heaviest(ours: Mapping[str, Scorer], ends: tuple[Number, Number], texts: Texts) -> list[Heavy]:
    system = ends[0].system
    return heaviest_segments(ours, {number.name: number.share for number in ends}, system, texts[system])


def _gaps(
    clusters: Sequence[Sequence[Number]], ours: Mapping[str, Scorer], texts: Texts, widest: str | None
) -> list[Gap]:
    """The gaps between neighbouring groups, each explained once.

    All gaps of the widest system are explained there. Two variants that are neighbours only elsewhere are explained
    for the system where they differ most.
    """
    chosen: dict[frozenset[str], tuple[Number, Number]] = {}
    for a, b in pairwise(_mirrored(clusters)):
        if a.system != b.system or not (math.isfinite(a.share) and math.isfinite(b.share)):
            continue
        best = chosen.setdefault(frozenset((a.name, b.name)), (a, b))
        if best[0].system != widest and (a.system == widest or b.share - a.share > best[1].share - best[0].share):
            chosen[frozenset((a.name, b.name))] = a, b
    gaps = []
    for system, segments in texts.items():
        with segments.forgetting():
            for a, b in chosen.values():
                if a.system == system and (gap := _gap(a, b, ours, segments)):
                    gaps.append(gap)
    return gaps


def _gap(a: Number, b: Number, ours: Mapping[str, Scorer], segments: Segments) -> Gap | None:
    """The explained gap between two variants; None if a mixture of the two has no score, or an infinite one."""
    try:
        found = explain_segments(ours[a.name], ours[b.name], segments, exact=EXACT, values=(a.share, b.share))
    except InputError:
        return None
    values = {field.name: getattr(found, field.name) for field in fields(found)}
    return Gap(**values, system=a.system, variant_a=a.name, variant_b=b.name)

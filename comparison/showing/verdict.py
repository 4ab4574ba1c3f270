"""The verdict of a comparison: which number to report, and what the farthest other one costs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from metrologue.comparison.findings.number import Number
from metrologue.comparison.findings.records import NOTHING, Findings, Gap
from metrologue.comparison.showing.sentences import headline, shown_difference
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.citing import named_paper
from metrologue.scorers.core.options import choices_of
from metrologue.scorers.core.variants import recommended, short_signature

__all__ = ["verdict"]

# A choice with a smaller part of the gap is not named.
_PART = 0.2
# So many systems have their number in the sentence; all are in the table.
_LISTED = 6


def verdict(comparison: Findings, winner: bool = True) -> str:
    """One paragraph: the numbers to report with their intervals, their signature and who recommends it; the variant
    whose number is farthest from it, and why; and with `winner`, whether the choice of library changes the winner.

    In a language for which the recommended variant has another tokenizer, it is the number with that tokenizer alone.
    It is empty if no variant is recommended, or if the recommended one was not run.

    Examples
    --------
    >>> from metrologue import compare
    >>> texts = {"mine": ["a cat, a dog and a bird sat"]}, ["a cat, a dog and a bird sat, too"]
    >>> found = compare(*texts, libraries=[], variants=["nltk", "sacrebleu"], confidence=None)
    >>> verdict(found).partition(" (")[0], verdict(found).partition("; ")[2]
    ('Report sacrebleu 80.07', "not nltk's 74.21: tokenizer=whitespace instead of tokenizer=13a costs 5.86 points.")
    """
    if comparison.advice:
        return comparison.advice
    advised = recommended(get_scorer(comparison.metric).variants())
    known = [number for number in comparison.numbers if number.kind == "variant" and number.value is not None]
    own = {number.system: number for number in known if advised and number.name == advised[0]}
    if advised is None or not own:
        return ""
    first = next(iter(own.values()))
    parts = [f"Report {_listed_numbers(comparison, own)}"]
    signature = short_signature(Scorer.from_signature(first.signature)) if first.signature else ""
    parts.append(f" (signature {signature}): {advised[1].reason} ({named_paper(advised[1].source)})")
    others = [(own[other.system], other) for other in known if other.system in own]
    number, other = max(others, key=lambda pair: abs(pair[1].share - pair[0].share))
    if not other.equals(number):
        parts.append(
            f"; not {other.name}'s{_apart(comparison, own, known, other)}{_because(comparison, number, other)}"
        )
        parts += [f" (for {other.system})"] * (len(own) > 1)
    changes = f" {headline(comparison)}" if winner and comparison.winners else ""
    return f"{''.join(parts)}.{changes}"


def _listed_numbers(comparison: Findings, own: Mapping[str, Number]) -> str:
    """The numbers of all systems, the best first; of many, those of the first ones."""
    name = next(iter(own.values())).name
    if len(comparison.systems) == 1:
        return f"{name} {comparison.shown(next(iter(own.values())))}"
    systems = [system for system in comparison.ranking or own if system in own]
    told = [f"{comparison.shown(own[system])} for {system}" for system in systems[:_LISTED]]
    more = [f"{len(systems) - _LISTED} more"] * (len(systems) > _LISTED)
    return f"{name}: {', '.join([*told, *more])}"


def _apart(comparison: Findings, own: Mapping[str, Number], known: Sequence[Number], other: Number) -> str:
    """Another variant's number, or how far its numbers for several systems are from those to report."""
    if len(own) == 1:
        return f" {comparison.points(other):.2f}"
    theirs = [number for number in known if number.name == other.name and number.system in own]
    gaps = sorted(comparison.factor * (number.share - own[number.system].share) for number in theirs)
    ends = [*dict.fromkeys(shown_difference(gap) for gap in (gaps[0], gaps[-1]))]
    return f", which differ by {' to '.join(ends)}{' points' if comparison.in_points else ''}"


def _because(comparison: Findings, number: Number, other: Number) -> str:
    """The choices behind the gap: their shares in the widest gap if that is the one, or in all gaps on the way."""
    sign, names = (1 if other.share > number.share else -1), {number.name, other.name}
    widest = comparison.widest
    if widest and widest.system == number.system and {widest.variant_a, widest.variant_b} == names:
        gaps = [widest]
    else:
        gaps = [gap for gap in comparison.explanations if gap.system == number.system and _lies(gap, number, other)]
    shares = defaultdict[str, float](float)
    for gap in gaps:
        for part in () if gap.cancelled(comparison.factor) else gap.contributions:
            shares[part.choice] += sign * part.share
    whole = abs(other.share - number.share)
    told = [choice for choice, share in shares.items() if abs(share) >= max(_PART * whole, NOTHING)]
    told.sort(key=lambda choice: -abs(shares[choice]))
    unit = " points" if comparison.in_points else ""
    causes = [
        f"{theirs} instead of {ours} {'adds' if shares[choice] > 0 else 'costs'} "
        f"{comparison.factor * abs(shares[choice]):.2f}{unit}"
        for choice in told
        for ours, theirs in [_values(number, other, choice)]
        if ours
    ]
    return f": {', '.join(causes)}" if causes else ""


def _lies(gap: Gap, number: Number, other: Number) -> bool:
    """Whether both ends of a gap lie between two numbers."""
    low, high = sorted((number.share, other.share))
    return all(_within(end, low, high) for end in (gap.value_a / gap.scale_a, gap.value_b / gap.scale_b))


def _values(number: Number, other: Number, choice: str) -> tuple[str, str]:
    """The values of a choice in which two variants differ, of each of them as text; empty if they do not differ."""
    a, b = (Scorer.from_signature(each.signature) for each in (number, other) if each.signature)
    fields = next(each.fields for each in choices_of(type(a)) if each.name == choice)
    pairs = {name: (getattr(a, name), getattr(b, name)) for name in fields}
    ours, theirs = (
        ", ".join(f"{name}={pair[side]}" for name, pair in pairs.items() if pair[0] != pair[1]) for side in (0, 1)
    )
    return ours, theirs


def _within(value: float, low: float, high: float) -> bool:
    return low <= value <= high or math.isclose(value, low) or math.isclose(value, high)

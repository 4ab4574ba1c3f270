"""The verdict of a comparison: which number to report, and what the farthest other one costs."""

from __future__ import annotations

import math
from collections import defaultdict

from metrologue.comparison.findings import NOTHING, Comparison
from metrologue.comparison.number import Number
from metrologue.comparison.sentences import headline
from metrologue.recommended import RECOMMENDED
from metrologue.scorers import Scorer
from metrologue.scorers.core.citing import named_paper

__all__ = ["verdict"]

# A choice with a smaller part of the gap is not named.
_PART = 0.2


def verdict(comparison: Comparison, winner: bool = True) -> str:
    """One paragraph: the number to report with its interval, its signature and who recommends it; the number that is
    farthest from it, and why; and with `winner`, whether the choice of library changes the winner.

    It is empty if no variant is recommended, or if the recommended one was not run.

    Examples
    --------
    >>> from metrologue import compare
    >>> texts = {"mine": ["a cat, a dog and a bird sat"]}, ["a cat, a dog and a bird sat, too"]
    >>> found = compare(*texts, libraries=[], variants=["nltk", "sacrebleu"], confidence=None)
    >>> verdict(found).partition(" (")[0], verdict(found).partition("; ")[2]
    ('Report sacrebleu 80.07', "not nltk's 74.21: tokenizer=whitespace instead of tokenizer=13a costs 5.86 points.")
    """
    advice = RECOMMENDED.get(comparison.metric)
    known = [number for number in comparison.numbers if number.kind == "variant" and number.value is not None]
    own = {number.system: number for number in known if advice and number.name == advice.variant}
    if advice is None or not own:
        return ""
    system = comparison.widest.system if comparison.widest and comparison.widest.system in own else next(iter(own))
    number = own[system]
    parts = [f"Report {number.name} {_shown(comparison, number)}"]
    parts += [f" for {system}"] * (len(comparison.systems) > 1)
    signature = Scorer.from_signature(number.signature)._short_signature if number.signature else ""
    parts.append(f" (signature {signature}): {advice.reason} ({named_paper(advice.source)})")
    others = [other for other in known if other.system == system and not other.equals(number)]
    if others:
        other = max(others, key=lambda each: abs(each.share - number.share))
        points = comparison.points(other)
        parts.append(f"; not {other.name}'s {points:.2f}{_because(comparison, number, other)}")
    changes = f" {headline(comparison)}" if winner and comparison.winners else ""
    return f"{''.join(parts)}.{changes}"


def _shown(comparison: Comparison, number: Number) -> str:
    points, limits = comparison.points(number), comparison.limits(number)
    return f"{points:.2f}" + (f" [{limits[0]:.2f}, {limits[1]:.2f}]" if limits else "")


def _because(comparison: Comparison, number: Number, other: Number) -> str:
    """The choices behind the gap: the shares of all gaps between neighbouring numbers that lie on the way."""
    low, high = sorted((number.share, other.share))
    sign = 1 if other.share > number.share else -1
    shares, values = defaultdict[str, float](float), dict[str, tuple[str, str]]()
    for gap in comparison.explanations:
        ends = [gap.value_a / gap.scale_a, gap.value_b / gap.scale_b]
        if gap.system != number.system or not all(_within(end, low, high) for end in ends):
            continue
        for part in gap.contributions:
            shares[part.choice] += sign * part.share
            near, far = (part.a, part.b) if sign > 0 else (part.b, part.a)
            first = values.get(part.choice, (near, far))
            values[part.choice] = (first[0], far) if sign > 0 else (near, first[1])
    whole = abs(other.share - number.share)
    told = [choice for choice, share in shares.items() if abs(share) >= max(_PART * whole, NOTHING)]
    told.sort(key=lambda choice: -abs(shares[choice]))
    unit = " points" if comparison.in_points else ""
    causes = [
        f"{values[choice][1]} instead of {values[choice][0]} {'adds' if shares[choice] > 0 else 'costs'} "
        f"{comparison.factor * abs(shares[choice]):.2f}{unit}"
        for choice in told
    ]
    return f": {', '.join(causes)}" if causes else ""


def _within(value: float, low: float, high: float) -> bool:
    return low <= value <= high or math.isclose(value, low) or math.isclose(value, high)

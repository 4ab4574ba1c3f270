"""Why two variants differ, as a list of causes: those that matter, the smaller ones, and the choices without effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metrologue.attribution import Explanation, cancelling
from metrologue.comparison.findings.causes import find_causes
from metrologue.comparison.findings.records import NOTHING, Gap
from metrologue.scorers import Scorer
from metrologue.scorers.core.numbers import perfect_score
from metrologue.segments import Segments

__all__ = ["CAUSES", "ShownCause", "decimals_for", "divided", "why"]

# So many causes stand in a list; the others are folded.
CAUSES = 3


@dataclass(frozen=True)
class ShownCause:
    """A cause as a page shows it: the choice, its share and standard error, and a sentence in pieces."""

    choice: str
    shown: str
    error: str
    pieces: Sequence[tuple[str, bool]]


def decimals_for(gap: float) -> int:
    """How many decimals show a difference.

    Examples
    --------
    >>> decimals_for(12.3), decimals_for(-0.123), decimals_for(0.001)
    (1, 2, 4)
    """
    return next((places for places, least in enumerate((1, 0.1, 0.01), 1) if abs(gap) >= least), 4)


def divided(
    causes: Sequence[tuple[str, float, float, Sequence[tuple[str, bool]]]], decimals: int
) -> tuple[list[ShownCause], list[ShownCause]]:
    """The main causes, and the smaller ones with one more decimal.

    Parameters
    ----------
    causes : sequence of (str, float, float, pieces)
        Choice, share, standard error and sentence of each, the largest share first.
    decimals : int
        Of the shares. A cause whose share is then 0 is none of the main ones.
    """
    main = [each for each in causes[:CAUSES] if round(each[1], decimals)]

    def spelled(cause: tuple[str, float, float, Sequence[tuple[str, bool]]], places: int) -> ShownCause:
        choice, share, error, pieces = cause
        return ShownCause(
            choice, f"{share:+.{places}f}".replace("-", "−"), f"{error:.{places}f}" if error else "", pieces
        )

    return [spelled(each, decimals) for each in main], [spelled(each, decimals + 1) for each in causes[len(main) :]]


def why(gap: Explanation, scorers: Mapping[str, Scorer], segments: Segments) -> dict[str, Any]:
    """What the page of a metric says of the gap between two variants, which `scorers` has by name.

    A choice whose share is tiny beside the largest one is no cause. Shares that cancel out are only named.
    """
    first, second = scorers
    factor, unit = (100.0, " points") if perfect_score(scorers[first]) else (1.0, "")
    named = Gap(**vars(gap), system="", variant_a=first, variant_b=second)
    errors = {part.choice: part.standard_error for part in gap.contributions}
    equal = gap.cancelled(factor)
    found = find_causes([named], scorers, segments, factor) if abs(gap.gap) > NOTHING or any(errors) else []
    decimals = decimals_for(factor * gap.gap)
    told = [(each.choice, factor * each.share, factor * errors[each.choice], each.pieces) for each in found]
    main, smaller = divided(told, decimals)
    shown = f"{factor * gap.gap:+.{decimals}f}"
    causes = {*equal, *(each.choice for each in found)}
    return {
        "first": first,
        "second": second,
        "gap": shown.replace("-", "−") + unit if float(shown) and not equal else "",
        "equal": cancelling(first, second, equal) if equal else "",
        "main": main,
        "smaller": smaller,
        "idle": [part.choice for part in gap.contributions if part.choice not in causes],
    }

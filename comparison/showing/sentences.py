"""What intervals and tests of a comparison say, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from metrologue.comparison.findings.number import ALPHA, Flip
from metrologue.comparison.findings.records import Findings
from metrologue.comparison.findings.where import BY, Part, Where
from metrologue.inference import THRESHOLDS, Interval, PairedResult, human_agreement

__all__ = [
    "FEW",
    "KOCMI",
    "Lead",
    "flip_sentence",
    "headline",
    "leads",
    "people_sentence",
    "sampling_note",
    "where_heading",
    "where_sentence",
    "winner_sentence",
]

KOCMI = "https://aclanthology.org/2024.acl-long.110"
# The metrics that Kocmi et al. have thresholds for are those of this variant.
_THEIRS = "sacrebleu"
# The bootstrap knows no other segments than these. From fewer, its intervals are too narrow.
FEW = 30
_NAMES = {"bleu": "BLEU", "chrf": "chrF"}


@dataclass(frozen=True)
class Lead:
    """The lead of one system over another under one variant, in the unit of the comparison.

    Attributes
    ----------
    winner, other : str
    difference : float
        The winner's number minus the other's. It is negative if less is better.
    limits : (float, float) or None
        Its confidence interval.
    p_value : float
    """

    winner: str
    other: str
    difference: float
    limits: tuple[float, float] | None
    p_value: float

    @property
    def is_significant(self) -> bool:
        """Whether it is significant."""
        return self.p_value < ALPHA

    @property
    def shown(self) -> str:
        """Difference and p-value in brackets: (+0.8, p = 0.003)."""
        if not self.difference:
            return "(the same number)"
        return f"({shown_difference(self.difference)}, {shown_p(self.p_value)})"

    @property
    def sentence(self) -> str:
        """Who beats whom, or only leads."""
        return f"{self.winner} {'beats' if self.is_significant else 'leads'} {self.other}"


def shown_difference(value: float) -> str:
    """A difference with its sign and two decimals, or three digits if it is small."""
    text = f"{value:+.2f}" if abs(value) >= 0.1 or not value else f"{value:+.2g}"
    return text.replace("-", "−")


def shown_p(value: float) -> str:
    """A p-value with three decimals; with four where three would hide on which side of 0.05 it is."""
    if value < 0.0005:
        return "p < 0.001"
    text = f"{value:.3f}"
    return f"p = {value:.4f}" if text == "0.050" else f"p = {text}"


def leads(comparison: Findings) -> dict[str, list[Lead]]:
    """For each variant, the lead of the winner over each other system, in the order of the systems."""
    return {
        name: [_lead(comparison, name, winner.system, test) for test in winner.tests]
        for name, winner in comparison.winners.items()
    }


def _lead(comparison: Findings, name: str, winner: str, test: PairedResult) -> Lead:
    """The lead of a winner over the other system of a test."""
    unit = next(n.unit for n in comparison.numbers if n.kind == "variant" and n.name == name)
    other, sign = (test.system, -1) if winner == test.baseline else (test.baseline, 1)
    factor = sign * comparison.factor / (unit or 1.0)
    interval: Interval | None = test.difference_interval
    ends = sorted((factor * interval.low, factor * interval.high)) if interval else None
    limits = (ends[0], ends[1]) if ends else None
    return Lead(winner, other, factor * test.difference or 0.0, limits, test.corrected_p_value)


def headline(comparison: Findings) -> str:
    """What intervals and tests say about a metric, in a sentence; nothing if they were not asked for."""
    if comparison.sampling is None:
        return ""
    if comparison.no_interval:
        return comparison.no_interval
    if not comparison.winners:
        return _one_interval(comparison)
    best = {winner.system for winner in comparison.winners.values()}
    return _several_best(comparison) if len(best) > 1 else _one_best(comparison, best.pop())


def _one_interval(comparison: Findings) -> str:
    for number in comparison.numbers:
        limits, points = comparison.limits(number), comparison.points(number)
        if limits and points is not None and comparison.sampling:
            whom = f" {number.system}" if len(comparison.systems) > 1 else ""
            return (
                f"{number.name} gives{whom} {points:.2f}; the {comparison.sampling.percent} interval of this number "
                f"goes from {limits[0]:.2f} to {limits[1]:.2f}."
            )
    return ""


def _one_best(comparison: Findings, best: str) -> str:
    found = leads(comparison)
    every = _under(list(found))
    tests = [lead for each in found.values() for lead in each]
    if not any(lead.difference for lead in tests):
        return f"All systems have the same number under {every}."
    open_ = [lead for lead in tests if not lead.is_significant]
    if not any(lead.difference for lead in open_) and open_:
        equal = _listed(dict.fromkeys([best, *(lead.other for lead in open_)]))
        return f"{equal} have the best number under {every}: it is the same."
    if not open_:
        largest = shown_p(max(lead.p_value for lead in tests)).replace("p = ", "p <= ")
        return f"{best} scores highest under {every}, always significantly ({largest})."
    whom = _listed(dict.fromkeys(lead.other for lead in open_))
    clear = [name for name, winner in comparison.winners.items() if winner.is_clear]
    doubtful = [name for name in found if name not in clear]
    if not clear:
        least, most = (shown_p(end(lead.p_value for lead in open_)).removeprefix("p = ") for end in (min, max))
        p_values = f"p = {least}" if least == most else f"p from {least} to {most}"
        return f"{best} has the best number under {every}, but its lead over {whom} may be chance ({p_values})."
    if len(clear) <= len(doubtful):
        return (
            f"{best} has the best number under {every}, but its lead over {whom} is significant only under "
            f"{_listed(clear)}."
        )
    return f"{best} wins under {_under(clear)}; under {_listed(doubtful)} its lead over {whom} may be chance."


def _several_best(comparison: Findings) -> str:
    under: dict[str, list[str]] = {}
    for name, winner in comparison.winners.items():
        under.setdefault(winner.system, []).append(name)
    parts = "; ".join(f"{system} under {_listed(names)}" for system, names in under.items())
    start = f"The choice of library changes which system has the best number: {parts}."
    if any(flip.is_significant for flip in comparison.flips if {flip.first, flip.second} <= {*under}):
        return f"{start} This change is significant."
    return f"{start} This change is not significant: no two libraries contradict each other with p below 0.05."


def flip_sentence(comparison: Findings, flip: Flip) -> str:
    """Whether a change of the order of two systems is significant."""
    found = []
    for first in (True, False):
        if side := flip.strongest(first):
            name, test = side
            lead = _lead(comparison, name, flip.first if first else flip.second, test)
            found.append((f"{lead.sentence} under {name} {lead.shown}", lead.is_significant))
    if len(found) < 2:
        return ""
    verdict = {
        2: "Both are significant: the choice of library decides.",
        1: "Only one of the two is significant, so that the libraries do not clearly contradict each other.",
        0: "Neither is significant: the order may be chance.",
    }[sum(significant for _, significant in found)]
    return f"{', and '.join(text for text, _ in found)}. {verdict}"


def winner_sentence(own: Sequence[Lead]) -> str:
    """Which systems the best one beats under one variant, and which not."""
    won, open_ = ([lead for lead in own if lead.is_significant is clear] for clear in (True, False))
    parts = []
    if won:
        parts.append(f"beats {_listed([f'{lead.other} {lead.shown}' for lead in won])}")
    if open_:
        whom = _listed([f"{lead.other} {lead.shown}" for lead in open_])
        parts.append(f"not {whom}" if won else f"leads {whom}, which may be chance")
    return f"{own[0].winner} {', but '.join(parts)}"


def people_sentence(comparison: Findings) -> str:
    """What a difference of this size has meant to people; nothing for metrics that Kocmi et al. do not cover."""
    found = leads(comparison).get(_THEIRS, []) if comparison.metric in THRESHOLDS else []
    own = [lead for lead in found if lead.difference]
    if not own:
        return ""
    nearest = min(own, key=lambda lead: abs(lead.difference))
    size, thresholds, name = abs(nearest.difference), THRESHOLDS[comparison.metric], _NAMES[comparison.metric]
    share = human_agreement(comparison.metric, size)
    chance = "" if nearest.is_significant else ", which may be chance"
    start = f"Under {_THEIRS}, {nearest.winner} is {size:.2f} points of {name} before {nearest.other}{chance}. "
    start += "In the translations that Kocmi et al. (2024) studied, people agreed with "
    if share is None:
        least = min(thresholds.values())
        return f"{start}a difference below {least:.2f} points no more often than with the toss of a coin."
    larger = [each for each in thresholds if each > share]
    coin = ", as often as with the toss of a coin" if share == 50 else ""
    above = (
        f"; {min(larger)} % would need {thresholds[min(larger)]:.2f} points"
        if larger
        else ", the largest share that is reached"
    )
    return (
        f"{start}a difference of {thresholds[share]:.2f} points or more in an estimated {share} % of pairs of systems"
        f"{coin}{above}."
    )


def sampling_note(comparison: Findings) -> str:
    """How the intervals and p-values were computed."""
    how = comparison.sampling
    if how is None or comparison.no_interval:
        return ""
    made = f"{how.resamples:,} resamples of the segments, seed {how.seed}, the same for all systems and libraries"
    tested = f"; {_tested(comparison)}" if comparison.winners else ""
    rough = "" if comparison.segments >= FEW else f" With only {comparison.segments} segments, all of this is rough."
    return f"{how.percent} intervals: {made}{tested}.{rough}"


def _tested(comparison: Findings) -> str:
    """How the p-values were computed."""
    resamples = next(test.resamples for winner in comparison.winners.values() for test in winner.tests)
    more = "" if comparison.sampling and comparison.sampling.resamples == resamples else f" of {resamples:,} resamples"
    corrected = ", after Holm's correction for all pairs of systems" if len(comparison.systems) > 2 else ""
    return f"p-values by the paired bootstrap{more}{corrected}"


def _under(names: Sequence[str]) -> str:
    return _listed(names) if len(names) < 3 else f"all {len(names)} variants"


def _listed(items: Iterable[str]) -> str:
    *rest, last = items
    return f"{', '.join(rest)} and {last}" if rest else last


def where_heading(where: Where) -> str:
    """What a table of parts is about."""
    return f"Where {where.first} beats {where.second}, by {where.variant}"


def where_sentence(comparison: Findings) -> str:
    """In which parts the lead of one system over another is least and greatest; empty if nothing is known of it."""
    where = comparison.where
    if where is None:
        return ""
    told = [
        f"by {about} from {_shown_part(least)} to {_shown_part(most)}"
        for kind, about in BY.items()
        if (parts := sorted(where.by(kind), key=lambda part: part.difference))
        for least, most in [(parts[0], parts[-1])]
    ]
    return f"{where_heading(where)}: {'; '.join(told)}."


def _shown_part(part: Part) -> str:
    limits = f" [{', '.join(map(shown_difference, part.limits))}]" if part.limits else ""
    return f"{shown_difference(part.difference)}{limits} ({part.name})"

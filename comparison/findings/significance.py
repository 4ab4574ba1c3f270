"""Intervals and paired tests in a comparison, by our variants, which give the libraries' numbers."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from metrologue.comparison.findings.number import ALPHA, Flip, Number, Sampling
from metrologue.errors import InputError
from metrologue.inference import Interval, Winner, confidence_interval, winners
from metrologue.inference.between_systems import enough_resamples
from metrologue.inference.resampling import checked_level, checked_resamples, chosen_seed, told_before, warn_of_few
from metrologue.scorers import Scorer
from metrologue.segments import Segments

__all__ = [
    "checked_sampling",
    "find_winners",
    "no_interval",
    "tested_flips",
    "told_already",
    "warn_of_few_segments",
    "with_intervals",
]

Texts = Mapping[str, Segments]


def checked_sampling(confidence: float | None, resamples: int, seed: int | None, tests: bool) -> Sampling | None:
    """The checked arguments of ``compare``; None if there is no level of confidence.

    Raises
    ------
    InputError
        If an argument is out of range.

    Warns
    -----
    UserWarning
        If there are fewer than 100 resamples.
    """
    if confidence is None:
        return None
    return Sampling(
        level=checked_level(confidence),
        resamples=checked_resamples(resamples),
        seed=chosen_seed(seed, "metrologue"),
        tests=bool(tests),
    )


def warn_of_few_segments(how: Sampling | None, texts: Texts) -> None:
    """Warn once a comparison if its intervals and tests are rough. A single segment has none."""
    if how and (count := len(next(iter(texts.values())))) > 1:
        warn_of_few(count)


def no_interval(segments: int) -> str | None:
    """Why no number can have an interval; None if one can."""
    return "One segment has no interval: resampling needs at least two." if segments < 2 else None


def with_intervals(numbers: Sequence[Number], ours: Mapping[str, Scorer], texts: Texts, how: Sampling) -> list[Number]:
    """The numbers of our variants with their intervals."""
    return [
        replace(number, interval=_interval(ours[number.name], texts[number.system], how))
        if number.value is not None
        else number
        for number in numbers
    ]


def _interval(scorer: Scorer, segments: Segments, how: Sampling) -> Interval | None:
    if len(segments) < 2:
        return None
    with told_already():
        try:
            return confidence_interval(scorer, segments, level=how.level, resamples=how.resamples, seed=how.seed)
        except InputError:  # a resample may have no finite score
            return None


def find_winners(
    numbers: Iterable[Number], ours: Mapping[str, Scorer], texts: Texts, how: Sampling
) -> dict[str, Winner]:
    """The winner under each variant whose numbers have intervals for all systems. All share the draws."""
    if not how.tests or len(texts) < 2:
        return {}
    known: dict[str, set[str]] = {}
    for number in numbers:
        if number.kind == "variant" and number.interval is not None:
            known.setdefault(number.name, set()).add(number.system)
    found: dict[str, Winner] = {}
    resamples = max(how.resamples, enough_resamples(len(texts), ALPHA))
    for name, scorer in ours.items():
        if known.get(name) == {*texts}:
            with told_already():
                try:
                    found |= winners({name: scorer}, texts, level=how.level, resamples=resamples, seed=how.seed)
                except InputError:
                    continue
    return found


def tested_flips(flips: Sequence[Flip], found: Mapping[str, Winner]) -> list[Flip]:
    """The pairs of systems on which columns disagree, with the test of each variant that prefers one of them."""
    tests = {
        name: {frozenset((test.system, test.baseline)): test for test in (*winner.tests, *winner.others)}
        for name, winner in found.items()
    }
    return [
        replace(
            flip,
            tests={
                name: own[frozenset((flip.first, flip.second))] for name, own in tests.items() if _votes(flip, name)
            },
        )
        for flip in flips
    ]


def _votes(flip: Flip, variant: str) -> bool:
    return f"metrologue {variant}" in (*flip.prefer_first, *flip.prefer_second)


@contextmanager
def told_already() -> Iterator[None]:
    """Without the warnings of few resamples and of few segments, which were given before."""
    with told_before():
        warnings.filterwarnings("ignore", message=r"\d+ resamples are few")
        yield

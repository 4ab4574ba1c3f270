"""The choices of a resampling test, as data, and what is said of few segments."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, checked_int, heard, instead_of, number_of, shown, warn_caller
from metrologue.files.values import whole_of_text
from metrologue.inference.draws import DRAWS
from metrologue.inference.metric import Metric
from metrologue.segments import Segments

# The statistics of the segments; or the segments themselves, if they depend on each other.
Sample = Floats | Segments

_FEWEST, _MOST = 2, 10_000_000
_SEED, MOST_SEED = 12345, 2**32 - 1


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """The choices that programs make silently when they resample.

    Attributes
    ----------
    draws : str
        The generator of the draws, one of ``DRAWS``.
    method : str
        How an interval is made from the scores of resamples: "percentile", "bca" or "order-statistics".
    null : str
        What the bootstrap test takes for the distribution of differences under the null hypothesis. "centred": the
        differences of the resamples, moved so that their mean is 0 (Riezler and Maxwell 2005). "centred-absolute":
        their absolute values, moved so that the mean of these is 0 (Moses' script and sacrebleu). The second spread is
        smaller, so that its p-values are too small.
    count_ties : bool
        Whether a difference that is as large as the observed one counts as extreme. If it does, a system that is
        compared with itself has a p-value of 1; otherwise its p-value is the smallest possible one.
    separate : bool
        Whether each type of number has draws of its own, as in rouge_score. Otherwise all numbers share them.
    seed_variable : str
        The environment variable that has the seed if none is given. Its value "none" stands for a new seed each time.

    Examples
    --------
    >>> RESAMPLINGS["sacrebleu"].draws
    'pcg64'
    """

    draws: str = "splitmix64"
    method: str = "percentile"
    null: str = "centred"
    count_ties: bool = True
    separate: bool = False
    seed_variable: str = ""

    @property
    def name(self) -> str:
        """Its name in ``RESAMPLINGS``; the generator of its draws if it has none."""
        return next((name for name, known in RESAMPLINGS.items() if known == self), self.draws)


# What each program does. The names are those of `LIBRARIES`.
RESAMPLINGS: Mapping[str, Resampling] = {
    "metrologue": Resampling(),
    "sacrebleu": Resampling(
        draws="pcg64",
        method="order-statistics",
        null="centred-absolute",
        count_ties=False,
        seed_variable="SACREBLEU_SEED",
    ),
    "rouge_score": Resampling(draws="mt19937", separate=True),
}


def chosen_resampling(given: str | Resampling) -> Resampling:
    """The resampling of that name, or the given one. Raises an InputError for anything else."""
    chosen = RESAMPLINGS[one_of("resampling", given, RESAMPLINGS)] if isinstance(given, str) else given
    if not isinstance(chosen, Resampling):
        raise InputError(f"`resampling` is {shown(given)}; a Resampling or its name is expected.")
    one_of("draws", chosen.draws, DRAWS)
    return chosen


def one_of(argument: str, value: Any, known: Iterable[str]) -> str:
    """The value, if it is one of the known names. Otherwise raises an InputError."""
    if not isinstance(value, str) or value not in known:
        raise InputError(f"`{argument}` is {shown(value)}; {instead_of(value, known)}")
    return value


def checked_level(level: Any) -> float:
    """A level of confidence, above 0 and below 1. Raises an InputError for anything else."""
    if not isinstance(level, Real) or isinstance(level, bool) or not 0 < float(level) < 1:
        raise InputError(f"the level of confidence is {shown(level)}; a number above 0 and below 1 is expected.")
    return float(level)


def checked_resamples(resamples: Any, name: str = "resamples") -> int:
    """A number of resamples. Raises an InputError if it is out of range, and warns if it is small."""
    count = checked_int(name, resamples, _FEWEST, _MOST)
    if count < 100:
        warn_caller(f"{count} {name} are few: the limits change with the seed; use 1000.")
    return count


def chosen_seed(seed: Any, resampling: str | Resampling) -> int:
    """The given seed, 0 to 2^32 - 1; if it is None, that of the resampling's environment variable, otherwise 12345.

    Raises an InputError for anything else.
    """
    if seed is not None:
        return checked_int("seed", seed, 0, MOST_SEED)
    variable = chosen_resampling(resampling).seed_variable
    text = os.environ.get(variable) if variable else None
    if text is None:
        return _SEED
    if text.lower() == "none":
        return secrets.randbits(32)
    number = whole_of_text(text.strip())
    return checked_int(variable, text if number is None else number, 0, MOST_SEED)


def checked_number(scorer: Metric, key: str | None) -> str:
    """The name of a number of the scorer, the primary one by default. Raises an InputError if there is none."""
    return scorer.primary if key is None else one_of("key", key, scorer.range)


def prepared(scorer: Metric, given: Any, name: str = "statistics") -> Sample:
    """What is resampled of `given`: rows (n, k), or segments if the metric needs them.

    Raises
    ------
    InputError
        If there are not at least two segments, or the rows do not fit the scorer or are not finite.
    """
    label = type(scorer).__name__
    if isinstance(given, Segments):
        _require_several(label, name, len(given))
        return scorer.statistics(given) if scorer._separable else given
    if not scorer._separable:
        raise InputError(f"{label}: `{name}` is {shown(given)}; its segments depend on each other, so give Segments.")
    rows = np.asarray(given)
    if rows.ndim != 2 or rows.dtype.kind not in "fiu" or rows.shape[1] != len(scorer.columns):
        raise InputError(
            f"{label}: `{name}` has the shape {rows.shape}; "
            f"Segments, or numbers of the shape (n, {len(scorer.columns)}), are expected."
        )
    _require_several(label, name, len(rows))
    rows = np.ascontiguousarray(rows, float)
    if not np.isfinite(rows).all():
        row, column = np.argwhere(~np.isfinite(rows))[0].tolist()
        raise InputError(f"{label}: `{name}[{row}, {column}]` is {rows[row, column]}; a finite number is expected.")
    return rows


def count_of(scorer: Metric, sample: Sample) -> int:
    """How many segments are scored: all of them, unless the metric draws some."""
    return len(scorer._sampled(sample) if isinstance(sample, Segments) else sample)


def _require_several(label: str, name: str, count: int) -> None:
    if count < 2:
        raise InputError(f"{label}: `{name}` has {count} segment(s); resampling needs at least two.")


def score_of(scorer: Metric, sample: Sample) -> dict[str, Floats]:
    """Every number of the sample, without resampling."""
    if isinstance(sample, Segments):
        return {key: np.asarray(value, float) for key, value in scorer.corpus(sample).scores.items()}
    return scorer.score(scorer.aggregate(sample))


# Below so many segments the bootstrap is rough; docs/significance.md has the rates of its errors.
FEW = 30


class FewSegmentsWarning(UserWarning):
    """The bootstrap has fewer than 30 segments to draw from."""


def few_segments(count: int | None) -> str | None:
    """The hint for an interval or a bootstrap test on this many segments; None if they are enough, or unknown.

    Examples
    --------
    >>> few_segments(30), few_segments(9)[:54]
    (None, '9 segments are few: below 30, intervals are too narrow')
    """
    if count is None or count >= FEW:
        return None
    return (
        f"{number_of(count, 'segment')} {'is' if count == 1 else 'are'} few: below {FEW}, intervals are too narrow, "
        "and the paired bootstrap finds differences that are none; compare systems by approximate randomization "
        "(method='randomization', --paired-ar)."
    )


def warn_of_few(count: int) -> None:
    """Warn of few segments, once per call of the library: ``told_before`` silences the parts of a larger call."""
    if told := few_segments(count):
        warn_caller(told, FewSegmentsWarning)


@contextmanager
def told_before() -> Iterator[None]:
    """A context without warnings of few segments, because the caller has given them."""
    with heard(FewSegmentsWarning):
        yield

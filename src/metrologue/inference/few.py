"""Test sets that are too small for the bootstrap: what is said of them, and when."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from metrologue.errors import heard, number_of, warn_caller

__all__ = ["FEW", "FewSegmentsWarning", "few_segments", "told_before", "warn_of_few"]

# Below so many segments the bootstrap is rough; docs/significance.md has the rates of its errors.
FEW = 30


class FewSegmentsWarning(UserWarning):
    """The bootstrap has fewer than 30 segments to draw from."""


def few_segments(count: int | None) -> str | None:
    """What to say of an interval or of a bootstrap test on so many segments; None if they are enough, or unknown.

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
    """Warn of few segments, once a call of the library: ``told_before`` silences the parts of a larger call."""
    if told := few_segments(count):
        warn_caller(told, FewSegmentsWarning)


@contextmanager
def told_before() -> Iterator[None]:
    """Without warnings of few segments, which were given before."""
    with heard(FewSegmentsWarning):
        yield

"""How many of our numbers have been compared with a live library's: a test's report has its counts."""

from __future__ import annotations

from collections.abc import Generator, Iterable

import pytest

__all__ = ["Counts", "added", "compared", "counted", "counts_of", "told", "totals"]

# All; those whose bits were compared as well; and those of them whose bits are equal.
Counts = tuple[int, int, int]
_numbers: Counts = (0, 0, 0)
_PROPERTY = "compared"


def compared(numbers: int, to_the_bit: int | None = None) -> None:
    """Count comparisons, and in how many of them both numbers have the same bits, where that is known."""
    global _numbers
    _numbers = added([_numbers, (int(numbers), 0 if to_the_bit is None else int(numbers), int(to_the_bit or 0))])


def added(counts: Iterable[Counts]) -> Counts:
    """The sum of counts."""
    first, second, third = map(sum, zip((0, 0, 0), *counts, strict=True))
    return first, second, third


def totals() -> Counts:
    """All three counts so far, in this process."""
    return _numbers


def counted(item: pytest.Item) -> Generator[None, object, object]:
    """Around a test: its report says how many numbers it has compared."""
    before = totals()
    try:
        return (yield)
    finally:
        if (after := totals()) != before:
            counts = [now - then for now, then in zip(after, before, strict=True)]
            item.user_properties.append((_PROPERTY, counts))


def counts_of(report: pytest.TestReport) -> Counts:
    """What the report of a test's call says, which may come from another process."""
    return added(tuple(value) for key, value in report.user_properties if key == _PROPERTY)


def told(counts: Counts) -> str:
    """The counts in words."""
    numbers, with_bits, equal = counts
    return (
        f"{numbers:,} numbers compared with live libraries; "
        f"of {with_bits:,} whose bits were compared, {equal:,} are equal to the bit"
    )

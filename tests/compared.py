"""How many of our numbers have been compared with a live library's: added up over all processes of a run, and told."""

# All; those whose bits were compared as well; and those of them whose bits are equal.
_numbers = [0, 0, 0]


def compared(numbers: int, to_the_bit: int | None = None) -> None:
    """Count comparisons, and in how many of them both numbers have the same bits, where that is known."""
    add(numbers, 0 if to_the_bit is None else numbers, to_the_bit or 0)


def add(*numbers: int) -> None:
    """Add counts, such as those of another process, which only takes plain ints."""
    _numbers[:] = [own + int(more) for own, more in zip(_numbers, numbers, strict=True)]


def totals() -> tuple[int, ...]:
    """All three counts so far."""
    return tuple(_numbers)


def told() -> str:
    """The counts in words."""
    numbers, with_bits, equal = _numbers
    return (
        f"{numbers:,} numbers compared with live libraries; "
        f"of {with_bits:,} whose bits were compared, {equal:,} are equal to the bit"
    )

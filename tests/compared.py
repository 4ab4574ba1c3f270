"""How many of our numbers have been compared with a live library's: added up over all processes of a run, and told."""

_numbers = [0]


def compared(numbers: int) -> None:
    """Count comparisons that have been made."""
    _numbers[0] += numbers


def total() -> int:
    """How many there have been so far."""
    return _numbers[0]

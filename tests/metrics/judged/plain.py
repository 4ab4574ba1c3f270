"""The score of a function that judges texts: the mean of its numbers."""


def judged(numbers: list[float]) -> float:
    """The mean.

    >>> judged([1.0, 0.0])
    0.5
    """
    return sum(numbers) / len(numbers)

"""BARTScore (Yuan et al. 2021), from the log-probabilities of tokens that a model gave."""


def likelihood(logs: list[float]) -> float:
    """The mean log-probability of the tokens of a text."""
    return sum(logs) / len(logs)


def bartscore(forth: list[list[float]], back: list[list[float]]) -> dict[str, float]:
    """Precision, recall and F over segments, from the tokens of each text after its reference, and the other way round.

    >>> bartscore([[-1.0, -3.0]], [[-4.0]])
    {'precision': -2.0, 'recall': -4.0, 'f': -3.0}
    """
    precision, recall = (sum(map(likelihood, rows)) / len(rows) for rows in (forth, back))
    return {"precision": precision, "recall": recall, "f": (precision + recall) / 2}

"""UniEval (Zhong et al. 2022), from the probabilities of "Yes" and "No" that a model gave."""

Pair = tuple[float, float]


def answer(yes: float, no: float) -> float:
    """How probable "Yes" is against "No"."""
    return yes / (yes + no)


def unieval(dimensions: list[tuple[str, list[Pair]]]) -> float:
    """The mean over the dimensions of one text, each with the pairs of its sentences and how they are joined.

    >>> unieval([("mean", [(0.25, 0.25), (0.5, 0.0)]), ("sum", [(0.25, 0.75), (0.5, 0.5)])])
    0.75
    """
    joined = []
    for how, pairs in dimensions:
        answers = [answer(*pair) for pair in pairs]
        joined.append(sum(answers) / (len(answers) if how == "mean" else 1))
    return sum(joined) / len(joined)

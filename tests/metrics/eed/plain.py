"""EED (Stanchev, Wang and Ney 2019, "EED: Extended Edit Distance Measure for Machine Translation").

https://aclanthology.org/W19-5359. Details are those of its program, as torchmetrics has it. A text is a list of words,
whose marks are words of their own.
"""

from math import inf

Words = list[str]


def path(hypothesis: str, reference: str, alpha: float, deletion: float, insertion: float) -> tuple[float, int]:
    """The cost of the cheapest path, and how many characters of the hypothesis it visits never, or again.

    >>> path("ab", "ab", 2.0, 0.2, 1.0)
    (0.0, 1)
    """
    costs = [0.0, *([1.0] * len(hypothesis))]
    visits = [0] * len(costs)
    for character in reference:
        before = costs
        paired = [cost + (one != character) for cost, one in zip(before, hypothesis, strict=False)]
        above = [before[0] + 1.0, *(cost + insertion for cost in before[1:])]
        costs = []
        for up, diagonal in zip(above, [inf, *paired], strict=True):
            costs.append(min(up, diagonal, costs[-1] + deletion if costs else inf))
        visits[costs.index(min(costs))] += 1
        if character == " ":
            jump = alpha + min(costs)
            costs = [min(cost, jump) for cost in costs]
    return costs[-1], sum(abs(count - 1) for count in visits)


def eed(
    hypotheses: list[Words],
    references: list[list[Words]],
    alpha: float = 2.0,
    rho: float = 0.3,
    deletion: float = 0.2,
    insertion: float = 1.0,
) -> float:
    """The mean of the scores, with the best reference of each text. There is a list of references for each.

    >>> round(eed([["a", "cat"]], [[["a", "cab"]]]), 4)
    0.2405
    """
    best = []
    for words, own in zip(hypotheses, references, strict=True):
        scores = []
        for each in own:
            one, other = f" {' '.join(words)} ", f" {' '.join(each)} "
            cost, repeated = path(one, other, alpha, deletion, insertion)
            scores.append(min(1.0, (cost + rho * repeated) / (len(other) + rho * repeated)))
        best.append(min(scores))
    return sum(best) / len(best)

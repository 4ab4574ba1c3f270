"""SQuAD 2.0 (Rajpurkar et al. 2018, https://aclanthology.org/P18-2124), of answers that are lists of tokens.

A question without an answer has the empty answer as its only right one.
"""

from collections import Counter

Tokens = list[str]


def f1(answer: Tokens, right: Tokens) -> float:
    """Twice the shared tokens, divided by all; 1 if there are none.

    >>> f1(["cat", "sat"], ["cat", "sat", "down"])
    0.8
    """
    return 2 * (Counter(answer) & Counter(right)).total() / (len(answer) + len(right)) if answer or right else 1.0


def squad_v2(answers: list[Tokens], references: list[list[Tokens]]) -> float:
    """The mean F1 in per cent. Of several right answers, the best counts; one without tokens, only if all are.

    >>> squad_v2([["cat", "sat"], []], [[["cat", "sat", "down"]], [[]]])
    90.0
    """
    best = [
        max(f1(answer, right) for right in ([each for each in own if each] or [[]]))
        for answer, own in zip(answers, references, strict=True)
    ]
    return 100 * sum(best) / len(best)


def best_threshold(
    scores: list[float], has_answer: list[bool], answered: list[bool], probabilities: list[float]
) -> tuple[float, float]:
    """The best mean score of all thresholds, and the threshold: up to it, questions are answered, in their order.

    >>> best_threshold([1.0, 0.0], [True, False], [True, True], [0.25, 0.75])
    (1.0, 0.25)
    """
    order = sorted(range(len(scores)), key=lambda i: probabilities[i])
    found = []
    for cut in range(len(order) + 1):
        kept = [scores[i] if has_answer[i] else float(not answered[i]) for i in order[:cut]]
        rest = [float(not has_answer[i]) for i in order[cut:]]
        found.append((sum(kept) + sum(rest)) / len(order))
    best = found.index(max(found))
    return found[best], probabilities[order[best - 1]] if best else 0.0

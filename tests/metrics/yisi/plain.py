"""YiSi (Lo 2019, https://aclanthology.org/W19-5358). A text is a list of words; a frame is a list of spans."""

from collections.abc import Callable
from itertools import permutations
from math import log2

Words = list[str]
Similarity = Callable[[str, str], float]
Frame = list[tuple[int, int, int]]  # class of the role, start, stop; the predicate, of class 0, comes first


def substring(one: str, other: str) -> float:
    """Twice the longest run of bytes that two words share, divided by the bytes of both."""
    a, b = one.encode(), other.encode()
    runs = [j - i for i in range(len(a)) for j in range(i + 1, len(a) + 1) if a[i:j] in b]
    return 2 * max(runs, default=0) / (len(a) + len(b))


def weights(texts: list[Words]) -> Callable[[str], float]:
    """The weight of a word, by how few texts have it; one that none has is looked up in lower case."""

    def count(word: str) -> int:
        return sum(word in text for text in texts)

    return lambda word: log2(1 + (len(texts) + 1) / ((count(word) or count(word.lower())) + 1))


def covered(own: Words, its: Words, order: int, similar: Similarity, weight: Callable[[str], float]) -> float:
    """How much of a text another one has: the mean, by weights, of the best matches of its n-grams."""
    n = min(order, len(own), len(its))
    if n == 0:
        return 0.0
    found = total = 0.0
    for x in range(len(own) - n + 1):
        gram = own[x : x + n]
        scores = [
            sum(weight(a) * similar(a, b) for a, b in zip(gram, its[y : y + n], strict=True))
            for y in range(len(its) - n + 1)
        ]
        found, total = found + max(scores), total + sum(map(weight, gram))
    return found / total


def assigned(table: list[list[float]]) -> list[tuple[int, int]]:
    """The pairs of rows and columns with the greatest sum, each in at most one pair."""
    height, width = len(table), len(table[0]) if table else 0
    if height > width:
        return [(i, j) for j, i in assigned([list(column) for column in zip(*table, strict=True)])] if width else []
    ways = [[*enumerate(way)] for way in permutations(range(width), height)]
    return max(ways, key=lambda way: sum(table[i][j] for i, j in way))


def of_frames(
    own: list[Frame], its: list[Frame], role_weights: list[float], similar: Callable[..., float], same: bool
) -> float:
    """How much of the frames of a text another one has. `similar` compares two spans."""
    sims = {(f, 0): 0.0 for f in range(len(own))}
    for f, g in assigned([[similar(one[0], other[0]) for other in its] for one in own]):
        sims[f, 0] = similar(own[f][0], its[g][0])
        for i, j in assigned([[similar(a, b) for b in its[g][1:]] for a in own[f][1:]]):
            if not same or own[f][i + 1][0] == its[g][j + 1][0]:
                sims[f, i + 1] = similar(own[f][i + 1], its[g][j + 1])
    found = total = 0.0
    for f, frame in enumerate(own):
        length = sum(stop - start for _, start, stop in frame)
        parts = sum(role_weights[kind] * sims.get((f, i), 0.0) for i, (kind, _, _) in enumerate(frame))
        found += length * parts / sum(role_weights[kind] for kind, _, _ in frame)
        total += length
    return found / total if total else 0.0


def score(precision: float, recall: float, alpha: float) -> float:
    """The F-measure in which `alpha` is the weight of the recall; 0 if either is 0."""
    return precision * recall / (alpha * precision + (1 - alpha) * recall) if precision and recall else 0.0


def yisi(
    hypotheses: list[Words],
    references: list[list[Words]],
    order: int = 3,
    alpha: float = 0.8,
    similar: Similarity = substring,
) -> list[float]:
    """The score of each segment, with the greatest precision and the greatest recall over its references.

    >>> round(yisi([["a", "cats"]], [[["a", "cat"]]], order=1)[0], 6)
    0.925293
    """
    weight = weights([reference for own in references for reference in own])
    scores = []
    for hypothesis, own in zip(hypotheses, references, strict=True):
        precision = max(covered(hypothesis, reference, order, similar, weight) for reference in own)
        recall = max(covered(reference, hypothesis, order, similar, weight) for reference in own)
        scores.append(score(precision, recall, alpha))
    return scores

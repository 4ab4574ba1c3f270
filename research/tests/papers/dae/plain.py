"""DAE by its definition (Goyal and Durrett 2020, https://aclanthology.org/2020.findings-emnlp.322)."""

import math

Word = tuple[str, str, int]  # lemma, relation, the place of its head or -1
Vector = list[float]

LEFT_OUT = {"punct", "ROOT", "root", "det", "case", "aux", "auxpass", "dep", "cop", "mark"}


def arcs(words: list[Word], most: int = 20) -> list[tuple[int, int]]:
    """A word and its head, by their places; arcs of grammar alone are left out, and at most so many are taken."""
    found = [(place, head) for place, (_, relation, head) in enumerate(words) if head >= 0 and relation not in LEFT_OUT]
    return found[:most]


def overlap(words: list[Word], source: list[Word]) -> list[float]:
    """1 for each arc of a text whose two lemmas are word and head, or head and word, in the source; otherwise 0."""
    edges = {frozenset((lemma, source[head][0])) for lemma, _, head in source if head >= 0}
    return [float(frozenset((words[child][0], words[head][0])) in edges) for child, head in arcs(words)]


def dae(probabilities: list[float], pooling: str = "mean") -> float:
    """The score of a text from the probabilities of its arcs.

    >>> round(dae([0.9, 0.8, 0.1]), 6), dae([0.9, 0.8, 0.1], "min")
    (0.6, 0.1)
    """
    return min(probabilities) if pooling == "min" else sum(probabilities) / len(probabilities)


def features(
    child: Vector, head: Vector, source: list[Vector], found: float, relation_place: int, sharpness: float = 20.0
) -> list[float]:
    """What our classifier reads of an arc: vectors of length 1, those of the source that are like them, and numbers."""
    words, greatest, shares = [], [], []
    for vector in (child, head):
        cosines = [math.fsum(a * b for a, b in zip(vector, other, strict=True)) for other in source]
        powers = [math.exp(sharpness * (cosine - 1)) for cosine in cosines]
        own = [power / sum(powers) for power in powers]
        columns = ([other[place] for other in source] for place in range(len(child)))
        like = [math.fsum(share * each for share, each in zip(own, column, strict=True)) for column in columns]
        words += [*vector, *(abs(a - b) for a, b in zip(vector, like, strict=True))]
        greatest.append(max(cosines, default=-1.0))
        shares.append(own)
    near = [
        math.fsum(
            a * b * math.exp(-abs(i - j) / scale) for i, a in enumerate(shares[0]) for j, b in enumerate(shares[1])
        )
        for scale in (1.0, 3.0, 9.0)
    ]
    return [*words, *greatest, *near, found, *(float(place == relation_place) for place in range(32))]

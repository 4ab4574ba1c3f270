"""Sentence Mover's Similarity (Clark et al. 2019, https://aclanthology.org/P19-1264), by linear programming.

A text is a list of sentences, and a sentence a list of words. Vectors are a dict; a word without one is left out.
"""

from collections import Counter
from math import dist, exp

from metrics.wmd.plain import least_cost

Text = list[list[str]]
Vector = tuple[float, ...]
Part = tuple[Vector, int]  # where it is, and its weight


def mean(points: list[Vector]) -> Vector:
    """The point in the middle of others."""
    return tuple(sum(column) / len(points) for column in zip(*points, strict=True))


def parts(text: Text, vectors: dict[str, Vector], bag: str) -> list[Part]:
    """What moves: each word as often as it occurs, sentences by how many words they have, or both."""
    known = [[word for word in sentence if word in vectors] for sentence in text]
    counts = Counter(word for sentence in known for word in sentence)
    own_words = [(vectors[word], count) for word, count in counts.items()]
    sentences = [(mean([vectors[word] for word in sentence]), len(sentence)) for sentence in known if sentence]
    return {"words": own_words, "sentences": sentences, "both": own_words + sentences}[bag]


def similarity(hypothesis: Text, reference: Text, vectors: dict[str, Vector], bag: str = "sentences") -> float:
    """exp(-d), if d is the least cost of moving all parts of one text to those of the other; 0 without any parts."""
    own, its = (parts(text, vectors, bag) for text in (hypothesis, reference))
    if not own or not its:
        return 0.0
    shares = [[weight / sum(each for _, each in side) for _, weight in side] for side in (own, its)]
    costs = [[dist(a, b) for b, _ in its] for a, _ in own]
    return exp(-least_cost(*shares, costs))


def smd(
    hypotheses: list[Text], references: list[list[Text]], vectors: dict[str, Vector], bag: str = "sentences"
) -> float:
    """The mean of the similarities with the nearest reference of each text.

    >>> vectors = {"obama": (1, 0), "speaks": (0, 1), "media": (0.5, 0.5), "illinois": (0, 0.3)}
    >>> vectors |= {"president": (0.9, 0.1), "greets": (0.1, 0.9), "press": (0.55, 0.5), "chicago": (0.05, 0.25)}
    >>> hypothesis = [["president", "greets"], ["press", "chicago"]]
    >>> round(smd([hypothesis], [[[["obama", "speaks"], ["media", "illinois"]]]], vectors), 6)
    0.972436
    """
    pairs = zip(hypotheses, references, strict=True)
    found = [max(similarity(text, other, vectors, bag) for other in own) for text, own in pairs]
    return sum(found) / len(found)

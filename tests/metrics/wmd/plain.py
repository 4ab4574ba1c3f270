"""Word Mover's Distance (Kusner et al. 2015, https://proceedings.mlr.press/v37/kusnerb15.html), by linear programming.

A text is a list of tokens. Vectors are a dict; a token without one is left out.
"""

from collections import Counter
from math import dist, inf

import numpy as np
from scipy.optimize import linprog

Tokens = list[str]
Vectors = dict[str, tuple[float, ...]]


def weights(text: Tokens, vectors: Vectors, stop_words: set[str]) -> dict[str, float]:
    """The share of each word among the words that have a vector and are no stop words."""
    counts = Counter(word for word in text if word in vectors and word not in stop_words)
    return {word: count / counts.total() for word, count in counts.items()}


def least_cost(own: list[float], its: list[float], costs: list[list[float]]) -> float:
    """The least cost of moving one distribution to the other."""
    n, m = len(own), len(its)
    leaves = [[float(cell // m == row) for cell in range(n * m)] for row in range(n)]
    arrives = [[float(cell % m == column) for cell in range(n * m)] for column in range(m)]
    flat = [cost for row in costs for cost in row]
    return float(linprog(flat, A_eq=np.array(leaves + arrives), b_eq=np.array(own + its), method="highs").fun)


def distance(hypothesis: Tokens, reference: Tokens, vectors: Vectors, stop_words: set[str] = frozenset()) -> float:
    """The distance of two texts; infinite if one of them has no known word."""
    own, its = weights(hypothesis, vectors, stop_words), weights(reference, vectors, stop_words)
    if not own or not its:
        return inf
    costs = [[dist(vectors[a], vectors[b]) for b in its] for a in own]
    return least_cost([*own.values()], [*its.values()], costs)


def wmd(hypotheses: list[Tokens], references: list[list[Tokens]], vectors: Vectors) -> float:
    """The mean of the finite distances from the nearest reference; infinite without any.

    >>> vectors = {"obama": (1, 0), "president": (0.9, 0.1), "speaks": (0, 1), "greets": (0.1, 0.9)}
    >>> round(wmd([["obama", "speaks"]], [[["president", "greets"]]], vectors), 6)
    0.141421
    """
    pairs = zip(hypotheses, references, strict=True)
    found = [min(distance(text, other, vectors) for other in own) for text, own in pairs]
    finite = [value for value in found if value < inf]
    return sum(finite) / len(finite) if finite else inf

"""Greedy matching: each token with the most similar token of the other text, and what it adds to the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats, Offsets
from metrologue.errors import InputError, instead_of, shown

Matrix = NDArray[np.float32]
Indices = NDArray[np.int64]


def filled(counted: NDArray[np.bool_], offsets: Offsets) -> NDArray[np.bool_]:
    """Whether each text has a token that is its own, and not one that the model has added, (n,).

    Examples
    --------
    >>> filled(np.array([False, True, False]), np.array([0, 2, 3, 3]))
    array([ True, False, False])
    """
    ends = np.concatenate([[0], np.cumsum(counted)])
    return ends[offsets[1:]] > ends[offsets[:-1]]


class Weighted:
    """Texts as unit vectors of tokens with weights.

    Parameters
    ----------
    vectors : float32 (tokens, width)
        Of length 1.
    offsets : int64 (n + 1,)
        The tokens of text i are ``offsets[i]:offsets[i + 1]``.
    weights : float64 (tokens,)
    counted : bool (tokens,)
        Whether a token is one of the text. A text without any has no match.
    """

    def __init__(self, vectors: Matrix, offsets: Offsets, weights: Floats, counted: NDArray[np.bool_]) -> None:
        self.vectors, self.offsets, self.weights, self.counted = vectors, offsets, weights, counted
        self.filled = filled(counted, offsets)

    def of_text(self, text: int) -> tuple[Matrix, Floats]:
        """The vectors and the weights of one text."""
        own = slice(self.offsets[text], self.offsets[text + 1])
        return self.vectors[own], self.weights[own]


def matched(texts: Weighted, hypotheses: Indices, references: Indices) -> Floats:
    """The precision and the recall of each pair, (pairs, 2); 0 for a pair with a text without tokens.

    The precision is the mean, by weights, of the greatest cosine of each token of the hypothesis with a token of the
    reference; the recall is that of the reference. It is 0 if the weights of a text sum to 0.

    Parameters
    ----------
    texts : Weighted
    hypotheses, references : int64 (pairs,)

    Examples
    --------
    The tokens (1, 0) and (0, 1) against (1, 0):

    >>> vectors = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    >>> texts = Weighted(vectors, np.array([0, 2, 3]), np.ones(3), np.ones(3, bool))
    >>> matched(texts, np.array([0]), np.array([1]))
    array([[0.5, 1. ]])
    """
    found = np.zeros((len(hypotheses), 2))
    rows = np.flatnonzero(texts.filled[hypotheses] & texts.filled[references])
    for start, stop in _runs(hypotheses[rows], references[rows]):
        own, its = hypotheses[rows[start]], references[rows[start]]
        found[rows[start:stop]] = _run(texts, own, its, stop - start)
    return found


def _runs(hypotheses: Indices, references: Indices) -> Iterator[tuple[int, int]]:
    """Pairs of one hypothesis with references that follow each other, so that one product serves them all."""
    breaks = np.flatnonzero((np.diff(hypotheses) != 0) | (np.diff(references) != 1)) + 1
    limits = [0, *breaks.tolist(), len(hypotheses)] if len(hypotheses) else [0]
    return pairwise(limits)


def _run(texts: Weighted, hypothesis: int, first: int, count: int) -> Floats:
    """Precision and recall of a hypothesis with `count` references from the text `first` on."""
    own, weights = texts.of_text(hypothesis)
    limits = texts.offsets[first : first + count + 1]
    its = slice(limits[0], limits[-1])
    cosines = own @ texts.vectors[its].T
    starts = limits[:-1] - limits[0]
    best = cosines.max(axis=1, keepdims=True) if count == 1 else np.maximum.reduceat(cosines, starts, axis=1)
    recalled = texts.weights[its] * cosines.max(axis=0)
    rows = np.empty((count, 2))
    rows[:, 0] = _ratio(weights @ best, weights.sum())
    rows[:, 1] = _ratio(np.add.reduceat(recalled, starts), np.add.reduceat(texts.weights[its], starts))
    return np.minimum(rows, 1.0, out=rows)  # a cosine in float32 may be 1e-7 above 1


def _ratio(numerator: Floats, denominator: Floats | float) -> Floats:
    # Negative sums of cosines stay; only the weights decide whether there is a mean.
    return np.divide(numerator, denominator, out=np.zeros(len(numerator)), where=np.asarray(denominator) > 0)


_NUMBERS = ("precision", "recall", "f1")


@dataclass(frozen=True)
class TokenShare:
    """What one token adds to the score of a pair.

    Attributes
    ----------
    side : str
        "hypothesis" or "reference"; "baseline" for what rescaling takes away.
    token : str
    match : str
        The most similar token of the other text.
    cosine : float
        Its cosine with the token.
    weight : float
        The token's weight: 1 or its idf, and 0 for a token that the model adds.
    share : float
    """

    side: str
    token: str
    match: str
    cosine: float
    weight: float
    share: float


@dataclass(frozen=True)
class Pair:
    """A hypothesis and one reference: their tokens and weights, the cosines (own, its), and the numbers of the pair."""

    tokens: tuple[list[str], list[str]]
    weights: tuple[Floats, Floats]
    cosines: NDArray[np.float32]
    precision: float
    recall: float
    f1: float


def shares_of(pair: Pair, key: str, baselines: Sequence[float], scale: float) -> tuple[TokenShare, ...]:
    """The shares of all tokens of a pair, and that of the baseline of the number `key`.

    F1 is R/(P + R) of P, and P/(P + R) of R. So a token of the hypothesis adds its part of P times R/(P + R), and one
    of the reference its part of R times P/(P + R). Raises an InputError if there is no number `key`.
    """
    if key not in _NUMBERS:
        raise InputError(f"BertScore: no number is called {shown(key)}; {instead_of(key, _NUMBERS)}")
    whole = pair.precision + pair.recall
    part = (pair.recall / whole, pair.precision / whole) if whole else (0.0, 0.0)
    factors = {"precision": (1.0, 0.0), "recall": (0.0, 1.0), "f1": part}[key]
    baseline = baselines[_NUMBERS.index(key)]
    unit = scale / (1.0 - baseline)
    sides = ("hypothesis", pair.cosines, 0, pair.precision), ("reference", pair.cosines.T, 1, pair.recall)
    found = []
    for side, cosines, index, number in sides:
        weights, total = pair.weights[index], float(pair.weights[index].sum())
        if not factors[index] or not cosines.size:
            continue
        best = cosines.argmax(axis=1)
        for token, (weight, at) in enumerate(zip(weights.tolist(), best.tolist(), strict=True)):
            cosine = min(float(cosines[token, at]), 1.0)
            share = factors[index] * weight * cosine / total * unit if total and number else 0.0
            names = pair.tokens[index][token], pair.tokens[1 - index][at]
            found.append(TokenShare(side, *names, cosine, weight, share))
    if baseline:
        found.append(TokenShare("baseline", "", "", 0.0, 0.0, -baseline * unit))
    return tuple(found)

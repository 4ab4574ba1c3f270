"""What each token adds to a BERTScore: shares that sum to the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, instead_of, shown

if TYPE_CHECKING:
    from metrologue.scorers.bertscore import BertScore
    from metrologue.segments import Segments

__all__ = ["Pair", "TokenShare", "best_pair", "shares_of"]

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


def best_pair(scorer: BertScore, segment: Segments, reference: int | None = None) -> Pair:
    """The pair of a segment's hypothesis with one of its references, by default the one with the best F1."""
    distinct, weighted = scorer._weighted(segment)
    own, its = distinct.pairs(segment)
    rows = scorer._pairs(segment)
    at = int(np.argmax(rows[:, 2])) if reference is None else reference
    at = 0 if scorer.multi_reference == "first" and reference is None else at
    texts = own[at], its[at]
    (mine, my_weights), (theirs, their_weights) = (weighted.of_text(text) for text in texts)
    encoder = scorer._encoder()
    tokens = encoder.tokens(distinct.texts[texts[0]]), encoder.tokens(distinct.texts[texts[1]])
    return Pair(tokens, (my_weights, their_weights), mine @ theirs.T, *(float(rows[at, i]) for i in range(3)))


def shares_of(scorer: BertScore, pair: Pair, key: str) -> tuple[TokenShare, ...]:
    """The shares of all tokens of a pair, and that of the baseline.

    F1 is R/(P + R) of P, and P/(P + R) of R. So a token of the hypothesis adds its part of P times R/(P + R), and one
    of the reference its part of R times P/(P + R).

    Raises
    ------
    InputError
        If there is no number `key`.
    """
    if key not in _NUMBERS:
        raise InputError(f"BertScore: no number is called {shown(key)}; {instead_of(key, _NUMBERS)}")
    whole = pair.precision + pair.recall
    part = (pair.recall / whole, pair.precision / whole) if whole else (0.0, 0.0)
    factors = {"precision": (1.0, 0.0), "recall": (0.0, 1.0), "f1": part}[key]
    baseline = scorer._baselines[_NUMBERS.index(key)]
    unit = scorer.scale / (1.0 - baseline)
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

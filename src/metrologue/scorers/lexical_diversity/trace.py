"""The trace of lexical diversity: how the vocabulary grows, and where and with which n-grams a text repeats itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrologue.scorers.distinct_n.trace import repeated
from metrologue.scorers.lexical_diversity import LexicalDiversity
from metrologue.segments import Segments
from metrologue.tracing import Block, Curve, Trace, scores_trace

# A curve has at most this many points.
MOST_POINTS = 200


def build(scorer: LexicalDiversity, segment: Segments) -> Trace:
    """The trace of one text: its numbers, two curves, and the n-grams that come again most often.

    ``growth`` is the number of types after each number of tokens. Its last value is ``type_count``. ``windows`` is the
    type-token ratio of the window that begins at each token; ``mattr`` is their mean.
    """
    result = scorer.corpus(segment)
    tokens = scorer._view(segment).tokens_of(0)
    plain = scores_trace(scorer.name, result.signature, result.primary, result.scores)
    window = min(scorer.window, max(len(tokens), 1))
    growth, ratios = _growth(tokens), _ratios(tokens, window)
    curves = (
        _curve("types", "tokens", 1, growth),
        _curve(f"type-token ratio of {window} tokens", "from token", 0, ratios),
    )
    blocks: tuple[Block, ...] = (*plain.blocks, *curves, *repeated([tokens]))
    values = {**result.scores, "growth": float(growth[-1]) if len(growth) else 0.0}
    if len(ratios):
        values["windows"] = float(ratios.mean())
    return Trace(
        metric=scorer.name,
        value=result.value,
        signature=result.signature,
        formula=plain.formula,
        blocks=blocks,
        values=values,
    )


def _growth(tokens: Sequence[str]) -> NDArray[np.int64]:
    """The number of types in the first 1, 2, 3 and so on tokens."""
    seen: set[str] = set()
    sizes = np.zeros(len(tokens), np.int64)
    for index, token in enumerate(tokens):
        seen.add(token)
        sizes[index] = len(seen)
    return sizes


def _ratios(tokens: Sequence[str], window: int) -> NDArray[np.float64]:
    """The type-token ratio of each window."""
    starts = range(len(tokens) - window + 1)
    return np.array([len({*tokens[start : start + window]}) / window for start in starts], np.float64)


def _curve(name: str, axis: str, first: int, values: NDArray[np.int64] | NDArray[np.float64]) -> Curve:
    """The curve, thinned to `MOST_POINTS` points at equal distances."""
    chosen = np.unique(np.linspace(0, len(values) - 1, min(MOST_POINTS, len(values))).astype(np.int64))
    return Curve(name=name, axis=axis, places=tuple((chosen + first).tolist()), values=tuple(values[chosen].tolist()))

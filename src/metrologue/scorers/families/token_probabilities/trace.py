"""The trace of token probabilities: the surprisal of each token, as a coloured text, a curve and a table."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from metrologue.scorers.core.result import Result
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.families.token_probabilities import TokenProbabilities
from metrologue.scorers.families.token_probabilities.reading import base_of, log_probabilities
from metrologue.segments import Segments
from metrologue.tracing import Row, Span, Table, Trace, surprisal_curve, surprisal_text

# A table has at most this many tokens, a text at most this many.
MOST_ROWS, MOST_TOKENS = 20, 2000

_UNITS = {"2": "bits", "e": "nats", "10": "decimal digits"}


def build(scorer: TokenProbabilities, segment: Segments) -> Trace:
    """The trace of one text. Its tokens are those of the model, or are numbered from 1 on."""
    result = scorer.corpus(segment)
    scores = log_probabilities(segment, scorer.values, scorer.model, type(scorer).__name__)
    logs, unknown = scores.log_probabilities, scores.unknown
    bits: NDArray[np.float64] = 0.0 - logs * math.log2(scorer._unit)
    count = len(bits)
    names = [str(number) for number in range(1, count + 1)]
    if scorer.model is not None:
        names = scorer.model.model.tokens(segment.texts()[0].as_py())
    remarks = []
    if count > MOST_TOKENS:
        remarks.append(f"The text has {count} tokens; the first {MOST_TOKENS} are shown.")
    if impossible := int(np.isinf(bits).sum()):
        remarks.append(f"Tokens with probability 0: {impossible}. The curve leaves them out.")
    if unknown.any() and scorer.oov != "include":
        counted = "do not count" if scorer.oov == "exclude" else "count in the first perplexity only"
        remarks.append(f"Tokens outside of the vocabulary: {int(unknown.sum())}. They {counted}.")
    text, legend = surprisal_text("tokens", names[:MOST_TOKENS], bits[:MOST_TOKENS].tolist())
    blocks = (text, surprisal_curve("token", 1, bits.tolist()), _table(names, bits, unknown), legend)
    return trace_of(scorer, result, _formula(scorer, result, bits, unknown), blocks, remarks)


def _formula(scorer: TokenProbabilities, result: Result, bits: NDArray[np.float64], unknown: NDArray[np.bool_]) -> str:
    """The metric's formula with its numbers."""
    counted = bits[~unknown] if scorer.oov == "exclude" else bits
    entropy = f"{result.scores['cross_entropy'] / scorer.scale:.6g}"
    length = len(counted) if scorer.per == "token" else result.scores[f"{scorer.per}s"]
    total = f"{counted.sum() / math.log2(base_of(scorer.base)):.6g}"
    parts = {
        "cross_entropy": f"{total} {_UNITS.get(scorer.base, f'base-{scorer.base} digits')} / {length} {scorer.per}s",
        "likelihood": f"{scorer.base}^-{entropy}",
        "perplexity": f"{scorer.base}^{entropy}",
    }
    scale = "" if scorer.scale == 1.0 else f"{scorer.scale:g} · "
    return f"{scorer.primary} = {scale}{parts[scorer.primary]} = {result.value}"


def _table(names: list[str], bits: NDArray[np.float64], unknown: NDArray[np.bool_]) -> Table:
    """The tokens that cost most, with their places, their surprisal and their probability."""
    order = np.argsort(-bits, kind="stable")[:MOST_ROWS].tolist()
    places = ((Span(tokens=(names[i],), note="OOV" if unknown[i] else ""), i + 1, float(bits[i])) for i in order)
    rows = (Row(cells=(token, place, cost, 2.0**-cost)) for token, place, cost in places)
    return Table(
        name="worst", header=("token", "place", "bits", "probability"), rows=tuple(rows),
        caption="the tokens that cost most",
    )  # fmt: skip

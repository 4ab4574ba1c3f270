"""Token F1: the words that an answer shares with the right one, as SQuAD counts them (Rajpurkar et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.kernels.ngrams import equal_texts
from metrologue.scorers.core.crossed import common_counts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["TokenF1", "token_f1"]


def token_f1(match_count: Floats, hypothesis_count: Floats, reference_count: Floats, of_nothing: float) -> Floats:
    """Token F1, the harmonic mean of precision and recall: twice the matches, divided by the tokens of both texts.

    Parameters
    ----------
    match_count, hypothesis_count, reference_count : float64 (...)
    of_nothing : float
        The value of two texts without tokens.

    Returns
    -------
    float64 (...)
        0 to 1.

    Examples
    --------
    "cat sat" and "cat sat down" share two tokens: precision 1, recall 2/3.

    >>> token_f1(np.array(2.0), np.array(2.0), np.array(3.0), 0.0)
    array(0.8)
    """
    # Twice the matches, divided by all tokens, is the same but for the last bit.
    precision, recall = ratio(match_count, hypothesis_count), ratio(match_count, reference_count)
    nothing = np.where(hypothesis_count + reference_count > 0, 0.0, of_nothing)
    return ratio(2 * precision * recall, precision + recall, nothing)


@dataclass(frozen=True, kw_only=True)
class TokenF1(Tokenized, PairScorer):
    """The F1 of the tokens of an answer and of the right one, and the share of exact answers; 0-100, higher is better.

    Tokens are compared as bags: a token matches as often as both texts have it. ``exact_match`` is the share of texts
    that have the same tokens as a reference, in the same order. With several references, each number is the best one.
    The score is the mean over the texts.

    References
    ----------
    Rajpurkar et al. 2016, https://aclanthology.org/D16-1264, and the evaluation script of SQuAD 1.1.

    Examples
    --------
    >>> TokenF1().corpus(["The cat sat."], ["cat sat down"]).value
    80.0
    """

    name: ClassVar[str] = "token_f1"
    _papers: ClassVar[tuple[str, ...]] = ("rajpurkar-etal-2016-squad",)

    # fmt: off
    tokenizer: str = with_default(
        "squad",
        about='One of ``metrologue.text.tokenizers.list_tokenizers()``: "squad" applies the normalization of SQuAD.',
    )
    lowercase: bool = with_default(False, about='Whether to apply ``str.lower()`` first. "squad" does so in any case.')
    # This decides, as the scale does, which of several references is best.
    empty: str = option(
        "zero", stage="join", choice="texts without tokens",
        about="The F1 of two texts without tokens.",
        one_of={
            "zero": "0, as in the script of SQuAD 1.1, although the exact match is 1",
            "equal": "1, as in the script of SQuAD 2.0",
        },
    )
    aggregation: str = "mean"
    scale: float = 100.0
    # fmt: on

    _columns = ("match_count", "hypothesis_count", "reference_count", "exact_count", "text_count")

    numbers: ClassVar = (
        number(
            "token_f1", 0, "scale", better="higher", title="token F1",
            about="harmonic mean of the shares of the tokens of both texts that match",
        ),
        number(
            "exact_match", 0, "scale", better="higher",
            about="share of the texts with the same tokens as a reference, in the same order",
        ),
        counted("match_count", "tokens", about="tokens that both texts have"),
        counted("hypothesis_count", "tokens", about="tokens of the hypotheses"),
        counted("reference_count", "tokens", about="tokens of the references"),
    )  # fmt: skip

    def _symmetric(self, key: str) -> bool:
        return key in ("token_f1", "exact_match")

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Counts of each pair: shared tokens, hypothesis tokens, reference tokens, 1 if all are equal, and a 1."""
        view = self._view(segments)
        hypotheses, references = view.pairs
        matches = common_counts(view, 1, False)[:, 0]
        lengths = np.diff(view.offsets)
        equal = equal_texts(view.paired)
        return np.column_stack([matches, lengths[hypotheses], lengths[references], equal, np.ones(len(equal))])

    def _f1(self, counts: Floats) -> Floats:
        matches, ours, theirs = columns_of(counts[..., :3])
        return token_f1(matches, ours, theirs, float(self.empty == "equal"))

    def _quality(self, rows: Floats) -> Floats:
        # A reference that is equal is the best for both numbers, even where "zero" gives each reference an F1 of 0.
        *_, exact, _ = columns_of(rows)
        quality: Floats = self._f1(rows) + exact
        return quality

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        *counts, exact, texts = columns_of(statistics)
        shares = {"token_f1": self.scale * self._f1(statistics), "exact_match": self.scale * exact / texts}
        return shares | dict(zip(self._columns, counts, strict=False))

    _variants: ClassVar = {
        "squad": Variant("evaluate", "the Hub's `squad`: the first script of SQuAD", live="evaluate-squad.token_f1"),
        "torchmetrics": Variant(
            "torchmetrics", "squad, in float32 there: two texts without tokens have an F1 of 1", {"empty": "equal"},
            live="torchmetrics-squad.token_f1",
        ),
    }  # fmt: skip

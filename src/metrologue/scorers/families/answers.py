"""Answers to questions, compared as bags of words: the counts, and the F1 of the scripts of SQuAD."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.crossed import common_counts
from metrologue.scorers.core.kernels.ngrams import equal_texts
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.segments import Segments


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
class OfAnswers(Tokenized, PairScorer):
    """Base of the metrics that compare an answer with the right ones."""

    # fmt: off
    tokenizer: str = with_default(
        "squad",
        about='How a text is cut, as `metrologue list tokenizers` shows: "squad" applies the normalization of SQuAD.',
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
    # fmt: on

    def _compared_counts(self, segments: Segments) -> Floats:
        """Counts of each pair, (n_pairs, 4): shared tokens, hypothesis tokens, reference tokens, 1 if all are equal."""
        view = self._view(segments)
        hypotheses, references = view.pairs
        matches = common_counts(view, 1, False)[:, 0]
        lengths = np.diff(view.offsets)
        return np.column_stack([matches, lengths[hypotheses], lengths[references], equal_texts(view.paired)])

    def _f1(self, counts: Floats) -> Floats:
        matches, ours, theirs = columns_of(counts[..., :3])
        return token_f1(matches, ours, theirs, float(self.empty == "equal"))

"""GLEU, Google's substitute for BLEU on single sentences (Wu et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About
from metrologue.scorers.core.crossed import common_counts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["GoogleBleu", "google_bleu"]


def google_bleu(match_count: Floats, ngram_count: Floats) -> Floats:
    """GLEU: the matched n-grams, divided by the n-grams of the longer text; the lesser of precision and recall.

    Parameters
    ----------
    match_count, ngram_count : float64 (...)
        Matched n-grams, and n-grams of the text that has more. Each is the sum over all orders.

    Returns
    -------
    float64 (...)
        0 to 1; 0 without n-grams.

    Examples
    --------
    "the cat sat" has six n-grams and "the cat" has three, all of which match.

    >>> google_bleu(np.array(3.0), np.array(6.0))
    array(0.5)
    """
    return ratio(match_count, ngram_count)


@dataclass(frozen=True, kw_only=True)
class GoogleBleu(Tokenized, PairScorer):
    """Matched n-grams, divided by those of the text that has more, hypothesis or reference; higher is better, 0-1.

    With several references, the one with the best score counts; if several are equally good, the first of them. A
    reference counts last if neither it nor the hypothesis has an n-gram. The counts of a corpus are the sums over its
    segments. The defaults are those of the Hub's `google_bleu`.

    References
    ----------
    Wu et al. 2016, https://arxiv.org/abs/1609.08144, as nltk's ``gleu_score`` computes it. This is not the GLEU of
    grammatical error correction (Napoles et al. 2015).

    Examples
    --------
    >>> GoogleBleu().corpus(["the cat sat"], ["the cat"]).value
    0.5
    """

    name: ClassVar[str] = "google_bleu"
    about: ClassVar = About(papers=("wu-etal-2016-google",))

    tokenizer: str = "13a-unstripped"
    # fmt: off
    min_order: int = option(
        1, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM,
        about="Shortest n-gram. If it is above `max_order`, there are no n-grams.",
    )
    max_order: int = option(4, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM, about="Longest n-gram.")
    # fmt: on

    _columns = ("match_count", "ngram_count", "hypothesis_count", "reference_count")

    numbers: ClassVar = (
        number(
            "google_bleu", 0, "scale", better="higher", title="Google BLEU",
            about="matching n-grams, divided by the n-grams of the text that has more",
        ),
        counted("match_count", "n-grams", about="n-grams that both texts have"),
        counted("ngram_count", "n-grams", about="n-grams of the text that has more"),
        counted("hypothesis_count", "n-grams", about="n-grams of the hypotheses"),
        counted("reference_count", "n-grams", about="n-grams of the references"),
    )  # fmt: skip

    def _symmetric(self, key: str) -> bool:
        return key == "google_bleu"

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Counts of each pair over all orders: matches, n-grams of the longer text, the hypothesis, the reference."""
        view = self._view(segments)
        hypotheses, references = view.pairs
        orders = np.arange(self.min_order, self.max_order + 1)
        ngrams = np.maximum(np.diff(view.offsets)[:, None] - orders + 1, 0).sum(axis=1)
        matches = common_counts(view, self.max_order, False)
        ours, theirs = ngrams[hypotheses], ngrams[references]
        return np.column_stack([matches[:, self.min_order - 1 :].sum(axis=1), np.maximum(ours, theirs), ours, theirs])

    def _quality(self, rows: Floats) -> Floats:
        counts = by_name(self._columns, rows)
        return ratio(counts["match_count"], counts["ngram_count"], -1.0)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(self._columns, statistics)
        return {"google_bleu": self.scale * google_bleu(counts["match_count"], counts["ngram_count"]), **counts}

    _variants: ClassVar = {
        "evaluate": Variant(
            "evaluate", "the Hub's `google_bleu`: nltk's corpus_gleu over 13a tokens", live="evaluate.google_bleu"
        ),
        "nltk": Variant("nltk", "corpus_gleu over str.split()", {"tokenizer": "whitespace"}, live="nltk.google_bleu"),
    }

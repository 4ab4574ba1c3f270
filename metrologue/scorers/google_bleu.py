"""GLEU, Google's substitute for BLEU on single sentences (Wu et al. 2016)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.reading import words
from metrologue.scorers.core.crossed import common_counts
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["GoogleBleu", "google_bleu"]

Floats = NDArray[np.float64]

_COLUMNS = ("match_count", "ngram_count", "hypothesis_count", "reference_count")


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
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(ngram_count > 0, match_count / ngram_count, 0.0)


@dataclass(frozen=True, kw_only=True)
class GoogleBleu(PairScorer):
    """Matched n-grams, divided by those of the text that has more, hypothesis or reference; higher is better, 0-1.

    With several references, the one with the best score counts; if several are equally good, the first of them. A
    reference counts last if neither it nor the hypothesis has an n-gram. The counts of a corpus are the sums over its
    segments. The defaults are those of the Hub's `google_bleu`.

    Parameters
    ----------
    tokenizer : str
        One of ``metrologue.tokenizers.list_tokenizers()``.
    lowercase : bool
        Whether to apply ``str.lower()`` first.
    min_order, max_order : int
        Shortest and longest n-gram, 1 to 100. If `min_order` is above `max_order`, there are no n-grams.

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
    papers: ClassVar[tuple[str, ...]] = ("wu-etal-2016-google",)

    tokenizer: str = option("13a-unstripped", stage="read", choice="tokenizer", kind="tokenizer")
    lowercase: bool = option(False, stage="read", choice="case")
    min_order: int = option(1, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM)
    max_order: int = option(4, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM)

    _columns = _COLUMNS

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """Least and greatest value of each number: GLEU is at most the scale, counts have no limit."""
        return {"google_bleu": (0.0, self.scale), **dict.fromkeys(_COLUMNS, (0.0, math.inf))}

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """True for GLEU."""
        return {"google_bleu": True}

    def _symmetric(self, key: str) -> bool:
        return key == "google_bleu"

    def pair_statistics(self, segments: Segments) -> Floats:
        """Counts of each pair over all orders: matches, n-grams of the longer text, the hypothesis, the reference."""
        view = segments.read(words(self.tokenizer, self.lowercase))
        hypotheses, references = view.pairs
        orders = np.arange(self.min_order, self.max_order + 1)
        ngrams = np.maximum(np.diff(view.offsets)[:, None] - orders + 1, 0).sum(axis=1)
        matches = common_counts(view, self.max_order, False)
        own, its = ngrams[hypotheses], ngrams[references]
        return np.column_stack([matches[:, self.min_order - 1 :].sum(axis=1), np.maximum(own, its), own, its])

    def _quality(self, rows: Floats) -> Floats:
        return np.where(rows[:, 1] > 0, google_bleu(rows[:, 0], rows[:, 1]), -1.0)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = dict(zip(_COLUMNS, np.moveaxis(statistics, -1, 0), strict=True))
        return {"google_bleu": self.scale * google_bleu(counts["match_count"], counts["ngram_count"]), **counts}

    _variants: ClassVar = {
        "evaluate": Variant(
            "evaluate", "the Hub's `google_bleu`: nltk's corpus_gleu over 13a tokens", live="evaluate.google_bleu"
        ),
        "nltk": Variant("nltk", "corpus_gleu over str.split()", {"tokenizer": "whitespace"}, live="nltk.google_bleu"),
    }

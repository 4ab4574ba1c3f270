"""RIBES (Isozaki et al. 2010; Hirao et al. 2014): how well the order of the words is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Offsets
from metrologue.errors import InputError
from metrologue.scorers.core.about import About
from metrologue.scorers.core.hints import refuse_empty
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import by_name
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.kernels.c_math import powers
from metrologue.scorers.ribes.kernels import KENDALL, RUNS, SPEARMAN, numbers_of, order_rows, word_ranks
from metrologue.segments import Segments
from metrologue.text.reading import View

__all__ = ["Ranks", "Ribes", "ribes"]


_CORRELATIONS = {"kendall": KENDALL, "kendall-runs": RUNS, "spearman": SPEARMAN}
_NLTK = {
    "lowercase": False,
    "first_context": "right",
    "whole_left_context": False,
    "single_word_matches": False,
    "empty_reference": "zero",
    "arithmetic": "from-tau",
}


def ribes(correlation: Floats, precision: Floats, penalty: Floats, alpha: float, beta: float) -> Floats:
    """RIBES: the correlation of the word order, times powers of the precision and of the brevity penalty.

    Parameters
    ----------
    correlation : float64 (...)
        0 for the opposite order, 1 for the same.
    precision : float64 (...)
        The share of the hypothesis' words that stand for a word of the reference.
    penalty : float64 (...)
    alpha, beta : float
        The exponents of `precision` and `penalty`.

    Returns
    -------
    float64 (...)
        0 to 1.

    Examples
    --------
    >>> float(ribes(np.array(1.0), np.array(0.8), np.array(1.0), 0.25, 0.1).round(6))
    0.945742
    """
    score: Floats = correlation * powers(precision, alpha) * powers(penalty, beta)
    return score


class Ranks(NamedTuple):
    """The words of a hypothesis in one reference, as ``Ribes.ranks`` gives them; n words each.

    Attributes
    ----------
    hypothesis, reference : list of str
        The words of both texts.
    ranks : int64 (n,)
        The place of each word of the hypothesis in the reference, from 0 on; -1 for none.
    contexts : int64 (n,)
        The number of words of the n-gram that told the place: 1 for the word alone. It is below 0 if the n-gram ends
        with the word, and 0 if there is none.
    """

    hypothesis: list[str]
    reference: list[str]
    ranks: Offsets
    contexts: Offsets


@dataclass(frozen=True, kw_only=True)
class Ribes(Tokenized, PairScorer):
    """The rank correlation of the words' order with that of a reference, for precise and long texts; higher is better.

    A word that occurs once in both texts stands for itself. Any other word is identified by its context: the shortest
    n-gram that ends or begins with it, and occurs once in both texts. The places of these words in the reference, in
    the order of the hypothesis, are a list of ranks. The score is a correlation of this list, times powers of the share
    of words that are in it and of BLEU's brevity penalty. It is 0 to 1. Two words may stand for the same word.

    With several references, the one with the best score counts. The score of a corpus is the mean of its segments.
    The defaults are those of RIBES.py. nltk raises an error for texts of more than 2000 words. There is no limit here.

    Raises
    ------
    InputError
        If a value is out of range; when scoring, if a text without words has no score.

    References
    ----------
    Isozaki et al. 2010, https://aclanthology.org/D10-1092, without brevity penalty: `beta` 0; Hirao et al. 2014,
    https://doi.org/10.5715/jnlp.21.421; RIBES.py, https://github.com/nttcslab-nlp/RIBES; nltk's ``ribes_score``.

    Examples
    --------
    >>> Ribes().corpus(["Bob hit John yesterday"], ["John hit Bob yesterday"]).value
    0.5
    """

    name: ClassVar[str] = "ribes"
    about: ClassVar = About(papers=("isozaki-etal-2010-automatic", "hirao-etal-2014-evaluating"))

    lowercase: bool = True
    # fmt: off
    first_context: str = option(
        "left", stage="pairs", choice="contexts",
        about="Which n-gram counts if two are equally short.",
        one_of={"left": "the one that ends with the word", "right": "the one that begins with the word"},
    )
    whole_left_context: bool = option(
        True, stage="pairs", choice="contexts",
        about="Whether the n-gram may begin with the first word of the hypothesis, if it ends in the second half. nltk "
        "does not look for these.",
    )
    correlation: str = option(
        "kendall", stage="pairs", choice="correlation",
        about="The correlation of the ranks.",
        one_of={
            "kendall": "the share of pairs with ascending ranks",
            "kendall-runs": "only pairs inside runs of ranks that rise by 1 count (nltk up to 3.10.0)",
            "spearman": "Spearman's rho of the ranks, from 0 to 1; equal ranks have their mean",
        },
    )
    single_word_matches: bool = option(
        True, stage="pairs", choice="single word",
        about="Whether one word that matches a reference of one word has the correlation 1. Otherwise it is 0 for "
        "fewer than two words.",
    )
    # The best reference depends on these.
    alpha: float = option(0.25, stage="join", choice="exponents", about="The exponent of the precision.")
    beta: float = option(0.1, stage="join", choice="exponents", about="The exponent of the brevity penalty.")
    arithmetic: str = option(
        "share", stage="join", choice=None,
        about="How the correlation is mapped to the range from 0 to 1, which changes the last bit only.",
        one_of={
            "share": "the agreement, divided by the greatest one",
            "from-tau": "the same as Kendall's tau, 2 * share - 1, of which half is added to 1/2 (nltk)",
        },
    )
    empty_reference: str = option(
        "error", stage="join", choice="empty texts",
        about="A reference without words.",
        one_of={
            "error": "it is refused (RIBES.py)",
            "zero": "it scores 0, and any other reference of the segment counts first (nltk)",
            "skip": 'as "zero", and a segment without any other reference is left out of the mean (RIBES.py -z). The '
                "program prints minus infinity for such a segment, and its own score is 0 here",
        },
    )
    empty_hypothesis: str = option(
        "zero", stage="score", choice="empty texts",
        about="A hypothesis without words.",
        one_of={"zero": "it scores 0", "error": "it is refused (nltk 3.8.1 divides by zero)"},
    )
    aggregation: str = "mean"
    # fmt: on

    _columns = ("agreement", "full_agreement", "match_count", "hypothesis_length", "reference_length")

    numbers: ClassVar = (
        number(
            "ribes", 0, "scale", better="higher", title="RIBES",
            about="rank correlation, times precision ** alpha, times brevity penalty ** beta",
        ),
        number(
            "rank_correlation", 0, 1, better="higher",
            about="how similar the order of the matching words is to that of the reference",
        ),
        number("precision", 0, 1, better="higher", about="matching words, divided by the words of the hypothesis"),
        number(
            "brevity_penalty", 0, 1, better="higher",
            about="exp(1 - reference length / hypothesis length) if the hypothesis is shorter, otherwise 1",
        ),
        number("agreement", 0, math.inf, about="sum over the segments of the agreement of the ranks"),
        number("full_agreement", 0, math.inf, about="agreement of the ranks if all of them were in ascending order"),
        counted("match_count", "words", about="words of the hypotheses that stand for a word of the reference"),
        counted("hypothesis_length", "words", about="words of the hypotheses"),
        counted("reference_length", "words", about="words of the references"),
    )  # fmt: skip

    def ranks(self, prediction: str, reference: str) -> Ranks:
        """The list of ranks of one pair.

        Examples
        --------
        >>> Ribes().ranks("Bob hit John yesterday", "John hit Bob yesterday").ranks
        array([2, 1, 0, 3])
        """
        view = self._view(Segments([prediction], [reference], owner=self._label))
        return Ranks(view.tokens_of(0), view.tokens_of(1), *self._ranks(view))

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Counts of each pair: agreement of the ranks, its greatest value, ranks, and the words of both texts."""
        view = self._view(segments)
        ranks, _ = self._ranks(view)
        return order_rows(ranks, view.paired, _CORRELATIONS[self.correlation], self.single_word_matches)

    def _ranks(self, view: View) -> tuple[Offsets, Offsets]:
        return word_ranks(view.paired, view.type_count, self.first_context == "left", self.whole_left_context)

    def _quality(self, rows: Floats) -> Floats:
        """The score. A reference without words comes first if it is an error, and last otherwise."""
        empty = math.inf if self.empty_reference == "error" else -1.0
        return np.where(by_name(self._columns, rows)["reference_length"] > 0, self._score(rows)["ribes"], empty)

    def _rows(self, segments: Segments, threads: int | None) -> Floats:
        rows = super()._rows(segments, threads)
        length, reference_length = rows[:, 3], rows[:, 4]
        if self.empty_reference == "error":
            reason = "has no words, and so no score; choose empty_reference='zero' or 'skip'"
            refuse_empty(self._label, "references", reference_length == 0, reason, segments.first)
        if self.empty_reference == "skip":
            rows = np.where(reference_length[:, None] == 0, 0.0, rows)
        if self.empty_hypothesis == "error":
            reason = "has no words, and so no score; choose empty_hypothesis='zero'"
            refuse_empty(self._label, "predictions", length == 0, reason, segments.first)
        return rows

    @property
    def _skips(self) -> bool:
        return self.empty_reference == "skip" and self.aggregation == "mean"

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics. The last one counts fewer segments than there are, if some are left out."""
        return (*super().columns[:-1], "counted_segments") if self._skips else super().columns

    def statistics(self, segments: Segments, threads: int | None = None) -> Floats:
        """As for every scorer; all 0 for a segment that `empty_reference` "skip" leaves out."""
        rows = super().statistics(segments, threads)
        if self._skips:
            rows[by_name(self._columns, self._rows(segments, threads))["reference_length"] == 0] = 0.0
        return rows

    def score(self, totals: Floats) -> dict[str, Floats]:
        """As for every scorer. Raises an InputError if all segments are left out."""
        if self._skips and (totals[..., -1] == 0).any():
            raise InputError("Ribes: `references` have no words in any segment, so that no segment is left to score.")
        return super().score(totals)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        from_tau = self.arithmetic == "from-tau"
        numbers = numbers_of(statistics, from_tau, self.scale, self.alpha, self.beta)
        return dict(zip(self._reported, numbers, strict=True))

    _variants: ClassVar = {
        "ribes-1.03": Variant(
            "RIBES.py", "the program, on words between whitespace, in lower case",
            recommended=Recommended("it is the authors' program", "isozaki-etal-2010-automatic"),
        ),
        "nltk": Variant("nltk", "corpus_ribes over str.split()", _NLTK, live="nltk.ribes"),
        "nltk-3.8.1": Variant(
            "nltk", "corpus_ribes up to 3.10.0: only pairs inside runs of words that follow each other count",
            {**_NLTK, "correlation": "kendall-runs", "empty_hypothesis": "error"}, version="3.8.1",
        ),
    }  # fmt: skip

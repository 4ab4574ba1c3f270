"""ROUGE-WE (Ng and Abrecht 2015), as S3 and SummEval compute it: n-grams match if their vectors are similar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Ids, Offsets
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import LONGEST_NGRAM, option, with_default
from metrologue.scorers.core.rows import join, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.kernels.transport import Bags
from metrologue.scorers.families.known_words import WordTable, WordVectorScorer, bags_of, word_table
from metrologue.scorers.families.means import MEANS, OfMeans
from metrologue.scorers.rouge_we.kernels import SoftMatches, soft_matches
from metrologue.segments import Segments
from metrologue.text.reading import LowerTokens, Reading, Tokenize
from metrologue.text.reading.view import View

__all__ = ["NGrams", "RougeWe", "f_measure"]


def f_measure(precision: Floats, recall: Floats, alpha: float) -> Floats:
    """P R / ((1 - alpha) P + alpha R): the greater `alpha`, the more the precision counts; 0 if either is 0.

    Examples
    --------
    >>> f_measure(np.array([0.5, 0.0]), np.array([1.0, 1.0]), 0.5).round(6)
    array([0.666667, 0.      ])
    """
    return ratio(precision * recall, (1 - alpha) * precision + alpha * recall)


class NGrams(NamedTuple):
    """The n-grams of all texts."""

    table: WordTable  # the vectors of the words
    places: Offsets  # (n_ngrams,): a token where each n-gram begins
    bags: Bags  # the n-grams of each text, in the order in which the text has them


@dataclass(frozen=True, kw_only=True)
class RougeWe(OfMeans, WordVectorScorer):
    """Overlap of n-grams, of which two match if the vectors of their words are similar; higher is better, 0-1.

    The vector of an n-gram is the sum of those of its words. Each distinct n-gram of a text takes the most similar one
    that is left of the reference, in the order of the text, if the cosine is `threshold` or more; ties go to the first.
    Equal n-grams have the similarity 1. An n-gram with a word that has no vector matches an equal one only. The hits
    are counts: a match counts 1, however similar it is. They are divided by the n-grams of the text (precision) and of
    the reference (recall). Of several references, hits and n-grams are summed. The score of a corpus is the mean of the
    F-measures of its segments.

    This is what the programs of S3 and of SummEval compute. The paper multiplies the vectors of the words instead, and
    sums similarities; that form is not here.

    Raises
    ------
    InputError
        If there are no `vectors`, or one of them holds NaN.

    References
    ----------
    Ng and Abrecht 2015, https://aclanthology.org/D15-1222; Peyrard et al. 2017, https://aclanthology.org/W17-4510;
    ``rouge_n_we`` of https://github.com/Yale-LILY/SummEval.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "small.txt"
    >>> _ = path.write_text("cat 1 0\\nkitten .9 .1\\ndog 0 1\\n")
    >>> RougeWe(vectors=path, order=1).corpus(["A cat, a dog."], ["A kitten, a dog."]).value
    1.0
    >>> RougeWe(vectors=path, order=1, threshold=0.995).corpus(["cat dog"], ["kitten dog"]).value
    0.5
    """

    name: ClassVar[str] = "rouge_we"
    title: ClassVar[str] = "ROUGE-WE"
    about: ClassVar = About(
        papers=("ng-abrecht-2015-better", "peyrard-etal-2017-learning"),
        growth=Growth("words", 2, 20_000),
    )

    tokenizer: str = with_default("unicode-words")
    lowercase: bool = with_default(True, about="Whether each token is put into lower case.")
    order: int = option(
        3, stage="pairs", choice="n-grams", least=1, greatest=LONGEST_NGRAM, about="The length of n-grams."
    )
    threshold: float = option(
        0.8, stage="pairs", choice="threshold", greatest=1.0, about="The least similarity of a match."
    )
    # fmt: off
    multi_reference: str = option(
        "pooled", stage="join", choice="several references",
        about="How several references join.",
        one_of={
            "pooled": "the hits and the n-grams of all are summed",
            "best": "the one with the best score counts; ties: the first",
        },
    )
    alpha: float = option(
        0.5, stage="join", choice="alpha", greatest=1.0,
        about="The weight of the precision; that of the recall is the rest. S3 takes the recall alone, which is 0.",
    )
    # fmt: on

    numbers: ClassVar = (
        number(
            "rouge_we", 0, "scale", better="higher", title="ROUGE-WE", about="mean of the F-measures of the segments"
        ),
        *MEANS,
    )  # fmt: skip

    @property
    def _reading(self) -> Reading:
        lower = (LowerTokens(),) if self.lowercase else ()
        return (Tokenize(self.tokenizer), *lower)

    def _texts(self, segments: Segments) -> tuple[View, NGrams]:
        """The words of all texts, and their n-grams."""
        view = segments.read(self._reading)

        def make() -> NGrams:
            places, rows, ends = _ngrams(view.ids, view.offsets, self.order)
            return NGrams(
                word_table(self._label, view, self.vectors, False, None),
                places,
                bags_of(rows, ends, np.ones(len(places), np.bool_)),
            )

        return view, of_texts(segments, ("n-grams", self._reading, self.vectors, self.order), make)

    def _matches(self, segments: Segments) -> SoftMatches:
        """What the n-grams of each text match in each of its references."""
        view, ngrams = self._texts(segments)
        table = ngrams.table
        return soft_matches(
            table.vectors, table.known, view.ids, ngrams.places, self.order, ngrams.bags, *view.pairs, self.threshold
        )

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The hits of each pair, and the n-grams of both texts."""
        view, _ = self._texts(segments)
        counts = np.maximum(np.diff(view.offsets) - self.order + 1, 0)
        return np.column_stack([self._matches(segments).hits, *(counts[side] for side in view.pairs)])

    def _measures(self, rows: Floats) -> Floats:
        """F-measure, precision and recall of pairs or segments, (n, 3)."""
        precision, recall = ratio(rows[:, 0], rows[:, 1]), ratio(rows[:, 0], rows[:, 2])
        return np.column_stack([f_measure(precision, recall, self.alpha), precision, recall])

    def _quality(self, rows: Floats) -> Floats:
        return self._measures(rows)[:, 0]

    def _statistics(self, segments: Segments) -> Floats:
        rows = join(self.multi_reference, self._pairs(segments), segments.reference_offsets, self._quality)
        return np.column_stack([self._measures(rows), np.ones(len(rows))])

    _variants: ClassVar = {
        "summ-eval": Variant("summ-eval", "RougeWeMetric, whose F-measure is of n-grams of three words"),
        "s3": Variant("summ-eval", "the recall of two words, a feature of S3", {"order": 2, "alpha": 0.0}),
    }


def _ngrams(ids: Ids, offsets: Offsets, order: int) -> tuple[Offsets, Offsets, Offsets]:
    """The n-grams of texts: a token where each distinct one begins, the number of each, and where texts begin in these.

    Examples
    --------
    >>> _ngrams(np.array([1, 0, 1, 0, 1]), np.array([0, 4, 5]), 2)
    (array([1, 0]), array([1, 0, 1]), array([0, 3, 3]))
    """
    sizes = np.maximum(np.diff(offsets) - order + 1, 0)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    starts = np.repeat(offsets[:-1] - ends[:-1], sizes) + np.arange(ends[-1])
    numbers, places = np.zeros(len(starts), np.int64), np.zeros(0, np.int64)
    for k in range(order):  # the number of the first k + 1 words
        pairs = numbers * (int(ids.max(initial=0)) + 1) + ids[starts + k]
        _, first, numbers = np.unique(pairs, return_index=True, return_inverse=True)
        places = starts[first]
    return places, numbers, ends

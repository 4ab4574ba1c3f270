"""Word Mover's Distance (Kusner et al. 2015): how far words move to become those of another text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_means, option, with_default
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.kernels.transport import Bags, transport_costs
from metrologue.scorers.families.known_words import KnownWords, WordTable, bags_of, means_of
from metrologue.segments import Segments
from metrologue.text.reading import words
from metrologue.text.reading.view import View

__all__ = ["Wmd", "mean_distance"]

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]
_NO_COST = 1e-8  # gensim takes a sum of costs below this for 0


def mean_distance(distance_sum: Floats, finite: Floats) -> Floats:
    """The sum of finite distances divided by their number; infinite if there is none.

    Examples
    --------
    >>> mean_distance(np.array([3.0, 0.0]), np.array([2.0, 0.0]))
    array([1.5, inf])
    """
    mean: Floats = np.divide(distance_sum, finite, out=np.full(np.shape(finite), np.inf), where=finite > 0)
    return mean


@dataclass(frozen=True, kw_only=True)
class Wmd(KnownWords):
    """The least distance by which a text's words move to become those of its reference; lower is better, 0 or more.

    Each text is a bag of words whose weights sum to 1. Words without a vector and stop words are left out before the
    weights are computed. The cost of moving a word to another one is the Euclidean distance of their vectors, and the
    distance of two texts is the least cost of moving all weight, by exact optimal transport in float64. Of several
    references, the nearest one counts. The score of a corpus is the mean of its segments' finite distances; `infinite`
    counts the others.

    The distance is the same if the two texts are swapped, it does not depend on the order of words, and that of equal
    texts is 0. Distances under different vectors are not comparable, nor are those with and without `normalize`.

    Raises
    ------
    InputError
        If there are no `vectors`, one of them holds NaN, a list of stop words is not there, or a text has no known word
        and `empty` is "error".

    References
    ----------
    Kusner et al. 2015, https://proceedings.mlr.press/v37/kusnerb15.html; ``wmdistance`` of gensim.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "small.txt"
    >>> _ = path.write_text("obama 1 0\\npresident .9 .1\\nspeaks 0 1\\ngreets .1 .9\\n")
    >>> wmd = Wmd(vectors=path)
    >>> round(wmd.corpus(["Obama speaks."], ["The President greets."]).value, 6)
    0.141421
    """

    name: ClassVar[str] = "wmd"
    title: ClassVar[str] = "Word Mover's Distance"
    about: ClassVar = About(papers=("kusner-etal-2015-word",), growth=Growth("words", 3, 4_000))

    # fmt: off
    transport: str = option(
        "exact", stage="pairs", choice="transport",
        about="How the weight is moved.",
        one_of={
            "exact": "at the least cost",
            "relaxed": "each word goes to the nearest word of the other text, from the text where this costs more "
            "(RWMD, at most the exact cost)",
            "centroids": "the mean of one text's vectors goes to that of the other (WCD, at most the exact cost)",
        },
    )
    all_zero: str = option(
        "zero", stage="pairs", choice="all costs zero",
        about="The distance of two texts whose words all have the same vector; not for centroids.",
        one_of={"zero": "0", "infinite": "infinite, unless it is one and the same word, as in gensim"},
    )
    empty: str = option(
        "infinite", stage="pairs", choice="empty text",
        about="The distance of a text without known words.",
        one_of={
            "infinite": "infinite",
            "equal": "0 from another such text, infinite from others",
            "error": "it is refused",
        },
    )
    # fmt: on
    aggregation: str = of_means("the mean of the segments' finite distances")
    scale: float = with_default(1.0, about="What the distance is multiplied by.")

    numbers: ClassVar = (
        number(
            "wmd", 0, np.inf, better="lower", title="Word Mover's Distance", infinite=True,
            about="mean of the least distances by which words move; infinite if no segment has a finite one",
        ),
        counted("infinite", "segments", about="segments of which a text has no known word, which the mean leaves out"),
        counted("segments", "segments", about="all segments"),
    )  # fmt: skip

    _columns = ("distance_sum", "infinite", "segments")

    def _texts(self, segments: Segments) -> tuple[View, WordTable, Bags]:
        """The words of all texts, their vectors, and each text as a bag."""
        view = segments.read(words(self.tokenizer, self.lowercase))

        def make() -> tuple[WordTable, Bags]:
            table = self._table(view)
            return table, bags_of(view.ids, view.offsets, self._used(view, table))

        return view, *of_texts(segments, ("word bags", *self._word_settings), make)

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The distance of each pair, whether it is infinite, and a 1."""
        view, table, bags = self._texts(segments)
        hypotheses, references = view.pairs
        filled, infinite = self._filled(view, bags, self.empty)
        rows = np.ones((len(hypotheses), 3))
        rows[:, 0], every = self._distances(table.vectors, bags, hypotheses, references)
        rows[:, 1] = infinite
        if self.all_zero == "infinite":
            rows[(every < _NO_COST) & ~_of_one_word(bags, hypotheses, references), 1] = 1.0
        rows[(rows[:, 1] > 0) | ~filled[hypotheses], 0] = 0.0
        return rows

    def _distances(
        self, vectors: Floats, bags: Bags, hypotheses: Indices, references: Indices
    ) -> tuple[Floats, Floats]:
        """The distance of each pair, NaN for one with an empty bag, and the sum of all costs."""
        if self.transport == "centroids":
            means = means_of(vectors, bags)
            apart = means[hypotheses] - means[references]
            return np.sqrt(np.einsum("ij,ij->i", apart, apart)), np.full(len(hypotheses), np.inf)
        costs = transport_costs(vectors, bags, hypotheses, references, self.transport == "relaxed")
        return costs[:, 0], costs[:, 1]

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        distance_sum, infinite, segments = (statistics[..., i] for i in range(3))
        wmd = self.scale * mean_distance(distance_sum, segments - infinite)
        return {"wmd": wmd, "infinite": infinite, "segments": segments}

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings of texts without known words, and of words that have no vector."""
        if self.vectors is None or not len(segments):
            return []
        view, table, bags = self._texts(segments)
        return self._word_hints(view, ~table.known, int((np.diff(bags.offsets) == 0).sum()))

    _variants: ClassVar = {
        "gensim": Variant(
            "gensim", "wmdistance(), which scales vectors to length 1; texts are cut at whitespace, as its callers do",
            {"tokenizer": "whitespace", "lowercase": False, "normalize": True, "all_zero": "infinite"},
            live="gensim.wmd",
        ),
        "gensim-raw": Variant(
            "gensim", "wmdistance(norm=False), with the vectors as they are",
            {"tokenizer": "whitespace", "lowercase": False, "all_zero": "infinite"}, live="gensim.wmd",
            options={"norm": False},
        ),
    }  # fmt: skip


def _of_one_word(bags: Bags, hypotheses: Indices, references: Indices) -> Flags:
    """Whether both texts of each pair consist of one and the same word."""
    alone = np.diff(bags.offsets) == 1
    word = np.full(len(alone), -1)
    word[alone] = bags.rows[bags.offsets[:-1][alone]]
    same: Flags = alone[hypotheses] & alone[references] & (word[hypotheses] == word[references])
    return same

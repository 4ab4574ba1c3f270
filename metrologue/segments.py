"""Text and its views: what every metric reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, NoReturn, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.errors import InputError
from metrologue.tokenizers import canonical_name, get_tokenizer

__all__ = ["Segments", "View"]

T = TypeVar("T")

_TEXT = pa.large_string()


@dataclass(frozen=True)
class View:
    """The tokens of all hypotheses and references under one tokenizer, as int32 ids of one vocabulary.

    Attributes
    ----------
    key : tuple
        How the texts were read.
    ids : int32 (n_tokens,)
        Tokens of the hypotheses, then of the references.
    offsets : int64 (n_hypotheses + n_references + 1,)
        Text t is ``ids[offsets[t]:offsets[t + 1]]``.
    reference_offsets : int64 (n_hypotheses + 1,)
        The references of segment s are the texts ``n_hypotheses + reference_offsets[s:s + 1]``.
    sentences, sentence_offsets : int64 (n_hypotheses + n_references + 1,), int64 (n_sentences + 1,)
        Text t is the sentences ``sentences[t]:sentences[t + 1]``, sentence i is
        ``ids[sentence_offsets[i]:sentence_offsets[i + 1]]``.
    """

    key: tuple[object, ...]
    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    reference_offsets: NDArray[np.int64]
    sentences: NDArray[np.int64]
    sentence_offsets: NDArray[np.int64]
    _tokens: Any

    def __len__(self) -> int:
        return len(self.reference_offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of tokens of each hypothesis, (n_hypotheses,)."""
        return np.diff(self.offsets[: len(self) + 1])

    @property
    def reference_lengths(self) -> NDArray[np.int64]:
        """Number of tokens of each reference, (n_references,)."""
        return np.diff(self.offsets[len(self) :])

    @property
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Each hypothesis with each of its references, as numbers of texts, (n_references,) each."""
        n, offsets = len(self), self.reference_offsets
        return np.repeat(np.arange(n), np.diff(offsets)), n + np.arange(offsets[-1])

    @property
    def types(self) -> int:
        """Size of the vocabulary."""
        return len(self._tokens.starts)

    def spelling(self, type_id: int) -> str:
        """The text of a type."""
        return str(self._tokens.spelling(type_id))

    def spellings(self) -> list[str]:
        """The texts of all types, by their numbers."""
        words: list[str] = self._tokens.spellings()
        return words

    def text(self, index: int) -> list[str]:
        """The tokens of a text: hypotheses first, then references."""
        return [self.spelling(type_id) for type_id in self.ids[self.offsets[index] : self.offsets[index + 1]]]

    def tokens(self, segment: int) -> tuple[list[str], list[list[str]]]:
        """The tokens of a segment's hypothesis and of each of its references."""
        first, last = len(self) + self.reference_offsets[segment : segment + 2]
        return self.text(segment), [self.text(index) for index in range(first, last)]


@dataclass(eq=False)
class Segments:
    """Predictions with their references, checked and held as Arrow text.

    Parameters
    ----------
    predictions : sequence of n str
        A list, tuple, NumPy array, pandas Series, `datasets` column, Arrow array (chunked or not) or any iterable.
    references : sequence of n str, or of n sequences of str
        All strings (one reference each) or all lists of strings (their lengths may differ).
    owner : str
        Who asks, as messages name it.

    Raises
    ------
    InputError
        If the counts differ, an item is not a string or not a list of strings, or a segment has no reference.

    Examples
    --------
    >>> segments = Segments(["a cat", "a dog"], [["the cat", "one cat"], ["a dog"]])
    >>> len(segments), segments.pair(0)
    (2, ('a cat', ['the cat', 'one cat']))
    >>> segments.view("whitespace").tokens(1)
    (['a', 'dog'], [['a', 'dog']])
    """

    texts: pa.LargeStringArray = field(repr=False)
    reference_offsets: NDArray[np.int64] = field(repr=False)

    def __init__(self, predictions: Any, references: Any, owner: str = "Segments") -> None:
        hypotheses = _text(_items(predictions, "predictions", owner), "predictions", owner)
        flat, offsets = _nested_text(_items(references, "references", owner), len(hypotheses), owner)
        if len(offsets) - 1 != len(hypotheses):
            raise InputError(
                f"{owner}: {len(hypotheses)} predictions but {len(offsets) - 1} references; "
                "each prediction needs its references."
            )
        self._hold(pa.concat_arrays([hypotheses, flat]), offsets)

    def _hold(self, texts: pa.LargeStringArray, reference_offsets: NDArray[np.int64]) -> None:
        self.texts = texts
        self.reference_offsets = reference_offsets
        self._remembered: dict[tuple[object, ...], Any] = {}

    def __len__(self) -> int:
        return len(self.reference_offsets) - 1

    def pair(self, segment: int) -> tuple[str, list[str]]:
        """A segment's prediction and its references."""
        first, last = len(self) + self.reference_offsets[segment : segment + 2]
        return self.texts[segment].as_py(), self.texts[first:last].to_pylist()

    def slice(self, start: int, stop: int) -> Segments:
        """Segments `start` to `stop`, without a copy where Arrow needs none."""
        count = len(self)
        start, stop, _ = slice(start, stop).indices(count)
        first, last = self.reference_offsets[start], self.reference_offsets[stop]
        part = object.__new__(Segments)
        part._hold(
            pa.concat_arrays([self.texts[start:stop], self.texts[count + first : count + last]]),
            self.reference_offsets[start : stop + 1] - first,
        )
        return part

    def take(self, indices: Iterable[int]) -> Segments:
        """The segments of these indices, in this order, as often as they are named."""
        chosen = np.fromiter(indices, np.int64)
        first, last = self.reference_offsets[chosen], self.reference_offsets[chosen + 1]
        offsets = np.concatenate([[0], np.cumsum(last - first)])
        rows = np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], last - first) + len(self)
        part = object.__new__(Segments)
        part._hold(self.texts.take(pa.array(np.concatenate([chosen, rows]))), offsets)
        return part

    def shards(self, count: int) -> list[Segments]:
        """At most `count` parts of about equal length, in order."""
        limits = np.linspace(0, len(self), min(count, len(self)) + 1).astype(np.int64)
        return [self.slice(start, stop) for start, stop in pairwise(limits)]

    def view(
        self,
        tokenizer: str = "whitespace",
        lowercase: bool = False,
        *,
        sentences: str = "none",
        max_words: int | None = None,
        max_bytes: int | None = None,
        bytes_of_each: bool = False,
        stop_words: bool = False,
        stemmer: str | None = None,
        stem_longer_than: int = 3,
    ) -> View:
        """The tokens under a tokenizer and what goes before and after it; made once and kept.

        Parameters
        ----------
        tokenizer : str
            One of ``metrologue.tokenizers.list_tokenizers()``.
        lowercase : bool
            Whether to apply ``str.lower()`` to each text first.
        sentences : str
            Where sentences end: see ``metrologue.tokenizers.sentences.split_sentences``.
        max_words, max_bytes, bytes_of_each
            What is read of each text: see ``first_words`` and ``first_bytes`` there.
        stop_words : bool
            Whether to drop the stop words of ROUGE-1.5.5.
        stemmer, stem_longer_than
            See ``metrologue.vocabulary.stemmed``.

        Raises
        ------
        InputError
            If there is no such tokenizer, rule or stemmer, or what it needs is not installed.
        """
        key = (
            canonical_name(tokenizer), lowercase, sentences, max_words, max_bytes, bytes_of_each, stop_words, stemmer,
            stem_longer_than,
        )  # fmt: skip

        def make() -> View:
            # numba takes a quarter of a second to import.
            from metrologue.tokenizers.sentences import first_bytes, first_words, split_sentences
            from metrologue.tokenizers.spans import lower
            from metrologue.vocabulary import stemmed, without
            from metrologue.vocabulary import stop_words as words

            parts = split_sentences(lower(self.texts) if lowercase else self.texts, sentences)
            if max_words is not None:
                parts = first_words(parts, max_words)
            if max_bytes is not None:
                parts = first_bytes(parts, max_bytes, bytes_of_each)
            tokens = get_tokenizer(tokenizer)(parts.texts)
            if stop_words:
                tokens = without(tokens, words())
            if stemmer:
                tokens = stemmed(tokens, stemmer, stem_longer_than)
            offsets = tokens.offsets if sentences == "none" else tokens.offsets[parts.offsets]
            return View(key, tokens.ids, offsets, self.reference_offsets, parts.offsets, tokens.offsets, tokens)

        return self.remember(key, make)

    def remember(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What `make` gives for these texts, made once and kept under `key`: views, and what is counted on them."""
        if key not in self._remembered:
            self._remembered[key] = make()
        value: T = self._remembered[key]
        return value


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {value!r:.40}" if value is not None else "None"


def _items(value: Any, argument: str, owner: str) -> Sequence[Any] | pa.Array:
    """The argument as a list or an Arrow array; a bare string and a thing without items are refused."""
    if isinstance(value, (list, pa.Array)):
        return value
    if isinstance(value, pa.ChunkedArray):
        # Widened first: chunks of `string` could be over its 2 GiB once they are one.
        return value.cast(_widened(value.type)).combine_chunks() if value.num_chunks != 1 else value.chunk(0)
    if isinstance(value, (str, bytes, bytearray)):
        raise InputError(f"{owner}: `{argument}` is a bare {_shown(value)}; wrap it in a list.")
    if isinstance(value, (dict, set, frozenset)) or not isinstance(value, Iterable):
        raise InputError(f"{owner}: `{argument}` is a {type(value).__name__}; a list of strings is expected.")
    if isinstance(value, Sequence):
        with suppress(TypeError):
            value = value[:]  # a `datasets` column is decoded at once when sliced, and row by row when iterated
    return value.tolist() if hasattr(value, "tolist") else list(value)


def _widened(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.large_list(_widened(kind.value_type))
    return _TEXT if pa.types.is_string(kind) or pa.types.is_string_view(kind) else kind


def _text(items: Sequence[Any] | pa.Array, argument: str, owner: str, where: NDArray[np.int64] | None = None) -> Any:
    """The items as an Arrow array of text. `where` gives the segment of each item if they lay in inner lists."""
    if isinstance(items, pa.Array):
        if pa.types.is_dictionary(items.type):
            items = items.dictionary_decode()
        kind = _widened(items.type)
        if kind == _TEXT and items.null_count == 0:
            # A cast to the same type would import pyarrow.compute for nothing.
            return items if items.type == _TEXT else items.cast(_TEXT)
    # One set is quicker than a check of each item, and says as much when all is well.
    elif set(map(type, items)) <= {str}:
        try:
            return pa.array(items, _TEXT)
        except UnicodeEncodeError:
            pass
    values = items.to_pylist() if isinstance(items, pa.Array) else items
    for index, value in enumerate(values):
        if not isinstance(value, str):
            _refuse(value, argument, index, owner, where)
        if any("\ud800" <= character <= "\udfff" for character in value):
            place = _place(argument, index, where)
            raise InputError(f"{owner}: {place} holds a lone surrogate, which is no text: {value!r:.40}.")
    return pa.array([str(value) for value in values], _TEXT)


def _place(argument: str, index: int, where: NDArray[np.int64] | None) -> str:
    if where is None:
        return f"`{argument}[{index}]`"
    segment = int(where[index])
    return f"`{argument}[{segment}][{index - int(np.searchsorted(where, segment))}]`"


def _refuse(value: Any, argument: str, index: int, owner: str, where: NDArray[np.int64] | None) -> NoReturn:
    place = _place(argument, index, where)
    if _is_list(value) and argument == "references" and where is None:
        raise InputError(
            f"{owner}: {place} is a {type(value).__name__} but earlier items are strings; "
            "give every segment a list of references, or none."
        )
    missing = value is None or (isinstance(value, float) and value != value)
    cure = "drop the segment or give it a text" if missing else "a str is expected"
    raise InputError(f"{owner}: {place} is {_shown(value)}; {cure}.")


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, np.ndarray, pa.Array)) or (
        not isinstance(value, (str, bytes, dict, set)) and isinstance(value, Sequence)
    )


def _nested_text(
    items: Sequence[Any] | pa.Array, predictions: int, owner: str
) -> tuple[pa.LargeStringArray, NDArray[np.int64]]:
    """All references in one array, and where each segment's begin."""
    if isinstance(items, pa.Array) and (pa.types.is_list(items.type) or pa.types.is_large_list(items.type)):
        if items.null_count:
            index = items.is_null().index(True).as_py()
            raise InputError(f"{owner}: `references[{index}]` is None; a list of strings is expected.")
        counts = items.value_lengths().to_numpy().astype(np.int64)
        flat: Sequence[Any] | pa.Array = items.flatten()
    elif isinstance(items, pa.Array) or not len(items) or not _is_list(items[0]):
        return _text(items, "references", owner), np.arange(len(items) + 1)
    else:
        for index in _no_lists(items):
            raise InputError(
                f"{owner}: `references[{index}]` is {_shown(items[index])} but earlier items are lists; "
                "wrap it in a list."
            )
        counts = np.fromiter(map(len, items), np.int64, len(items))
        flat = list(chain.from_iterable(items))
    if len(counts) != predictions and len(counts) and (counts == predictions).all():
        raise InputError(
            f"{owner}: `references` are {len(counts)} lists of {predictions} strings for {predictions} predictions, "
            "which is sacrebleu's [stream][segment] layout; give each segment its own list: list(zip(*references))."
        )
    if (counts == 0).any():
        index = int(np.flatnonzero(counts == 0)[0])
        raise InputError(f"{owner}: `references[{index}]` is an empty list; a segment needs at least one reference.")
    where = np.repeat(np.arange(len(counts)), counts)
    return _text(flat, "references", owner, where), np.concatenate([[0], np.cumsum(counts)])


def _no_lists(items: Sequence[Any]) -> Iterator[int]:
    """Indices of the items that are no lists."""
    if len(set(map(type, items))) > 1:
        yield from (index for index, item in enumerate(items) if not _is_list(item))

"""Segments: predictions with their references, and their tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, NoReturn, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.data.text import buffers
from metrologue.errors import InputError
from metrologue.reading import Column, Reading, Vocabulary
from metrologue.reading.steps import read
from metrologue.tokenizers.base import Tokens

__all__ = ["Segments", "View"]

T = TypeVar("T")

_TEXT = pa.large_string()
# What each type of text is when it is not yet known to be text, and how types of lists are made.
_BYTES = {_TEXT: pa.large_binary(), pa.string(): pa.binary(), pa.string_view(): pa.binary_view()}
_LISTS: dict[type, Callable[..., pa.DataType]] = {
    pa.ListType: pa.list_,
    pa.LargeListType: pa.large_list,
    pa.ListViewType: pa.list_view,
    pa.LargeListViewType: pa.large_list_view,
    pa.FixedSizeListType: pa.list_,
}
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class View:
    """The tokens of all hypotheses and references under one tokenizer, as int32 ids of one vocabulary.

    Attributes
    ----------
    ids : int32 (n_tokens,)
        Tokens of the hypotheses, then of the references.
    offsets : int64 (n_hypotheses + n_references + 1,)
        Text t is ``ids[offsets[t]:offsets[t + 1]]``.
    reference_offsets : int64 (n_hypotheses + 1,)
        The references of segment s are the texts ``n_hypotheses + reference_offsets[s:s + 1]``.
    sentences, sentence_offsets : int64 (n_hypotheses + n_references + 1,), int64 (n_sentences + 1,)
        Text t is the sentences ``sentences[t]:sentences[t + 1]``, sentence i is
        ``ids[sentence_offsets[i]:sentence_offsets[i + 1]]``.
    type_count : int
        All ids are below it.
    vocabulary : Vocabulary or Tokens
        The spelling of each type; a vocabulary that is shared may hold more by now than these texts have.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    reference_offsets: NDArray[np.int64]
    sentences: NDArray[np.int64]
    sentence_offsets: NDArray[np.int64]
    type_count: int
    vocabulary: Vocabulary | Tokens = field(repr=False)

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

    def spelling(self, type_id: int) -> str:
        """The text of a type."""
        return self.vocabulary.spelling(type_id)

    def spellings(self) -> list[str]:
        """The texts of all types below `type_count`, by their numbers."""
        return self.vocabulary.spellings(0, self.type_count)

    def tokens_of(self, index: int) -> list[str]:
        """The tokens of a text: hypotheses first, then references."""
        index = _index(index, len(self.offsets) - 1, "View.tokens_of: `index`")
        return [self.spelling(type_id) for type_id in self.ids[self.offsets[index] : self.offsets[index + 1]]]

    def tokens(self, segment: int) -> tuple[list[str], list[list[str]]]:
        """The tokens of a segment's hypothesis and of each of its references."""
        segment = _index(segment, len(self), "View.tokens: `segment`")
        first, last = len(self) + self.reference_offsets[segment : segment + 2]
        return self.tokens_of(segment), [self.tokens_of(index) for index in range(first, last)]


@dataclass(eq=False)
class Segments:
    """Predictions with their references, checked and held as Arrow text.

    Parameters
    ----------
    predictions : sequence of n str
        A list, tuple, NumPy array, pandas Series, `datasets` column, Arrow array (chunked or not, of any type of
        string) or any iterable. Of a subclass of str, the text counts, not what ``str()`` makes of it.
    references : sequence of n str, or of n sequences of str
        All strings (one reference each) or all lists of strings (their lengths may differ), each of any such kind; or
        None, for metrics that need none.
    owner : str
        Who asks, as messages name it.
    shared : bool
        Whether other predictions will be compared with the references (``with_predictions``), which are then read so
        that they need not be read again. Without it, that is so from the first ``with_predictions`` on.

    Raises
    ------
    InputError
        If the counts differ, an item is not a string or not a list of strings, or a segment has no reference; if a
        table comes where a column is expected; if an Arrow array holds bytes that are not UTF-8 or is not sound.

    Examples
    --------
    >>> from metrologue.reading import Tokenize
    >>> segments = Segments(["a cat", "a dog"], [["the cat", "one cat"], ["a dog"]])
    >>> len(segments), segments.pair(0)
    (2, ('a cat', ['the cat', 'one cat']))
    >>> segments.read((Tokenize("whitespace"),)).tokens(1)
    (['a', 'dog'], [['a', 'dog']])
    """

    predictions: Column = field(repr=False)
    references: Column | None = field(repr=False)
    reference_offsets: NDArray[np.int64] = field(repr=False)
    first: int = 0  # index of the first segment in what they were cut from, for messages

    def __init__(self, predictions: Any, references: Any = None, owner: str = "Segments", shared: bool = False) -> None:
        hypotheses = _text(_items(predictions, "predictions", owner), "predictions", owner)
        if references is None:
            self._keep(Column(hypotheses), None, np.zeros(len(hypotheses) + 1, np.int64))
            return
        flat, offsets = _nested_text(_items(references, "references", owner), len(hypotheses), owner)
        if len(offsets) - 1 != len(hypotheses):
            raise InputError(
                f"{owner}: {len(hypotheses)} predictions but {len(offsets) - 1} references; "
                "each prediction needs its references."
            )
        self._keep(Column(hypotheses), Column(flat), offsets)
        if self.references:
            self.references.shared = shared

    def _keep(self, predictions: Column, references: Column | None, reference_offsets: NDArray[np.int64]) -> None:
        self.predictions = predictions
        self.references = references
        self.reference_offsets = reference_offsets
        self._memo: dict[tuple[object, ...], Any] = {}

    @classmethod
    def _from_columns(
        cls, predictions: Column, references: Column | None, reference_offsets: NDArray[np.int64], first: int = 0
    ) -> Segments:
        """Segments of texts that are checked already."""
        segments = object.__new__(cls)
        segments._keep(predictions, references, reference_offsets)
        segments.first = first
        return segments

    def with_predictions(self, predictions: Any, owner: str = "Segments") -> Segments:
        """Other predictions with the same references, which are read once for all of them.

        Parameters
        ----------
        predictions : sequence of n str
        owner : str

        Raises
        ------
        InputError
            As for ``Segments``.

        Examples
        --------
        >>> first = Segments(["a cat"], ["the cat"])
        >>> first.with_predictions(["one cat"]).pair(0)
        ('one cat', ['the cat'])
        """
        texts = _text(_items(predictions, "predictions", owner), "predictions", owner)
        if len(texts) != len(self):
            raise InputError(
                f"{owner}: {len(texts)} predictions but {len(self)} references; each prediction needs its references."
            )
        if self.references:
            self.references.shared = True
        return self._from_columns(Column(texts), self.references, self.reference_offsets, self.first)

    def __len__(self) -> int:
        return len(self.reference_offsets) - 1

    @property
    def has_references(self) -> bool:
        """Whether there are references; nothing has them all."""
        return len(self) == 0 or bool(self.reference_offsets[-1])

    def pair(self, segment: int) -> tuple[str, list[str]]:
        """A segment's prediction and its references.

        Raises
        ------
        InputError
            If `segment` is no int in range(n).
        """
        segment = _index(segment, len(self), "Segments.pair: `segment`")
        first, last = self.reference_offsets[segment : segment + 2]
        references = self.references.texts[first:last].to_pylist() if self.references else []
        return self.predictions.texts[segment].as_py(), references

    def slice(self, start: int | None, stop: int | None) -> Segments:
        """Segments `start` to `stop` as a list is sliced, without a copy where Arrow needs none.

        Raises
        ------
        InputError
            If a limit is neither an int nor None.
        """
        try:
            start, stop, _ = slice(start, stop).indices(len(self))
        except TypeError:
            raise InputError(
                f"Segments.slice: `start`, `stop` are {_shown(start)}, {_shown(stop)}; ints or None are expected."
            ) from None
        stop = max(start, stop)
        first, last = self.reference_offsets[start], self.reference_offsets[stop]
        return self._from_columns(
            self.predictions.part(start, stop),
            self.references.part(int(first), int(last)) if self.references else None,
            self.reference_offsets[start : stop + 1] - first,
            self.first + start,
        )

    def parts(self, most_bytes: int) -> Iterator[Segments]:
        """Consecutive parts of at most so many bytes of text each, or of one segment."""
        count = len(self)
        limits = buffers(self.predictions.texts)[1]
        ends = limits[1:] - limits[0]
        if self.references:
            limits = buffers(self.references.texts)[1]
            ends = ends + limits[self.reference_offsets[1:]] - limits[0]
        start, done = 0, 0
        while start < count:
            stop = max(start + 1, int(np.searchsorted(ends, done + most_bytes, "right")))
            yield self.slice(start, stop)
            start, done = stop, int(ends[stop - 1])

    def take(self, indices: Iterable[int]) -> Segments:
        """The segments of these indices, in this order, as often as they are named.

        Raises
        ------
        InputError
            If an index is no int in range(n).
        """
        numbers = enumerate(_items(indices, "indices", "Segments.take", of="ints"))
        chosen = np.array([_index(i, len(self), f"Segments.take: `indices[{at}]`") for at, i in numbers], np.int64)
        first, last = self.reference_offsets[chosen], self.reference_offsets[chosen + 1]
        offsets = np.concatenate([[0], np.cumsum(last - first)])
        rows = np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], last - first)
        references = Column(self.references.texts.take(pa.array(rows))) if self.references else None
        return self._from_columns(Column(self.predictions.texts.take(pa.array(chosen))), references, offsets)

    def shards(self, count: int) -> list[Segments]:
        """At most `count` parts of about equal length, in order.

        Raises
        ------
        InputError
            If `count` is no int of 1 or more.
        """
        if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < 1:
            raise InputError(f"Segments.shards: `count` is {_shown(count)}; an int of 1 or more is expected.")
        limits = np.linspace(0, len(self), min(count, len(self)) + 1).astype(np.int64)
        return [self.slice(start, stop) for start, stop in pairwise(limits)]

    @property
    def nbytes(self) -> int:
        """Bytes of text, with the offsets of the texts."""
        return sum(column.texts.nbytes for column in self._columns)

    @property
    def _columns(self) -> list[Column]:
        return [column for column in (self.predictions, self.references) if column is not None]

    def read(self, reading: Reading, of_references: Reading | None = None) -> View:
        """The tokens under a reading; each column is read once, and references once for all predictions.

        Parameters
        ----------
        reading : tuple of steps
            See ``metrologue.reading``.
        of_references : tuple of steps, optional
            How references are read, where that is in another way.

        Raises
        ------
        InputError
            If the reading has not one `Tokenize`, after its steps on texts; if a tokenizer, a rule or a stemmer does
            not exist, or needs what is not installed.
        """
        readings = reading, of_references or reading
        return self.memoize(("view", *readings), lambda: self._read(readings))

    def _read(self, readings: tuple[Reading, Reading]) -> View:
        columns = self._columns
        if readings[0] == readings[1] and not columns[-1].shared:
            # What nobody else will read is read at once: no vocabulary has to be brought together.
            texts = pa.concat_arrays([column.texts for column in columns]) if len(columns) > 1 else columns[0].texts
            found, parts = read(texts, readings[0])
            limits = found.offsets[parts]
            return View(found.ids, limits, self.reference_offsets, parts, found.offsets, len(found.starts), found)
        vocabulary = columns[-1].vocabulary(readings[0])
        reads = [column.read(reading, vocabulary) for column, reading in zip(columns, readings, strict=False)]
        tokens = _chained([read.sentence_offsets for read in reads])
        sentences = _chained([read.sentences for read in reads])
        ids = reads[0].ids if len(reads) == 1 else np.concatenate([read.ids for read in reads])
        offsets = tokens[sentences]
        return View(ids, offsets, self.reference_offsets, sentences, tokens, len(vocabulary), vocabulary)

    def memoize(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What `make` gives for these texts, made once and kept under `key`: views, and what is counted on them."""
        if key not in self._memo:
            self._memo[key] = make()
        value: T = self._memo[key]
        return value


def _chained(offsets: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Offsets into arrays as offsets into all of them, one after another."""
    ends = np.cumsum([0, *(each[-1] for each in offsets)])
    return np.concatenate([*(each[:-1] + end for each, end in zip(offsets, ends[:-1], strict=True)), ends[-1:]])


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {value!r:.40}" if value is not None else "None"


def _index(value: Any, count: int, name: str) -> int:
    """The value, if it is the number of one of `count` things, counted from 0."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 0 <= value < count:
        return int(value)
    raise InputError(f"{name} is {_shown(value)}; an int in range({count}) is expected.")


def _is_list(value: Any) -> bool:
    """Whether the value has items in an order that it was given."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, bytearray, Mapping, set, frozenset))


def _is_table(value: Any) -> bool:
    """Whether the value has columns: as data frames and Arrow tables do, data sets, or NumPy records."""
    names = getattr(getattr(value, "dtype", None), "names", None)
    return bool(names) or hasattr(value, "columns") or hasattr(value, "column_names")


def _items(value: Any, argument: str, owner: str, of: str = "strings") -> list[Any] | pa.Array:
    """The argument as a list, or as an Arrow array of large_string or of large_list of large_string."""
    if isinstance(value, list):
        return value
    if isinstance(value, (pa.Array, pa.ChunkedArray)):
        try:
            return _joined([_arrow(chunk) for chunk in getattr(value, "chunks", [value])])
        except (pa.ArrowInvalid, pa.ArrowIndexError) as error:
            raise InputError(f"{owner}: `{argument}` is no sound Arrow array: {error}.") from error
        except pa.ArrowNotImplementedError as error:  # by pyarrow 16, for views
            raise InputError(
                f"{owner}: `{argument}` is of type {value.type}; cast it to string or to lists of it. ({error})"
            ) from error
    if isinstance(value, (str, bytes, bytearray)):
        raise InputError(f"{owner}: `{argument}` is a bare {_shown(value)}; wrap it in a list.")
    kind = type(value).__name__
    if _is_table(value):
        raise InputError(f"{owner}: `{argument}` is a {kind}; give one of its columns.")
    single = getattr(value, "ndim", 1) == 0
    if single or not _is_list(value):
        raise InputError(f"{owner}: `{argument}` is a {'0-d ' * single}{kind}; a list of {of} is expected.")
    if isinstance(value, Sequence):
        with suppress(TypeError):
            value = value[:]  # a `datasets` column is decoded at once when sliced, and row by row when iterated
    return value.tolist() if hasattr(value, "tolist") else list(value)


def _joined(parts: list[list[Any] | pa.Array]) -> list[Any] | pa.Array:
    if len(parts) == 1:
        return parts[0]
    arrays = bool(parts) and isinstance(parts[0], pa.Array)
    return pa.concat_arrays(parts) if arrays else list(chain.from_iterable(parts))


def _arrow(array: pa.Array) -> list[Any] | pa.Array:
    """The array as large_string or large_list of it, its offsets checked; as a list if it holds anything else."""
    kind = array.type
    if isinstance(array, pa.ExtensionArray):
        return _arrow(array.storage)
    if pa.types.is_dictionary(kind) and kind.value_type in _BYTES:
        array.indices.validate(full=True)
        return _arrow(array.dictionary).take(array.indices)  # type: ignore[union-attr]  # it is an array, as of text
    if kind in _BYTES:
        return _widened(_offsets_checked(array, _BYTES[kind]))
    item = kind.value_type if type(kind) in _LISTS else None
    if item not in _BYTES:
        array.validate(full=True)
        values: list[Any] = array.to_pylist()
        return values
    size = (kind.list_size,) if pa.types.is_fixed_size_list(kind) else ()
    lists = _offsets_checked(array, _LISTS[type(kind)](_BYTES[item], *size))
    if kind == pa.large_list(_TEXT):
        return array
    import pyarrow.compute as pc  # takes long, and is not needed for the types above

    # Not with Arrow's own cast, which loses items of list views.
    offsets = np.concatenate([[0], np.cumsum(pc.list_value_length(lists).fill_null(0))])
    return pa.LargeListArray.from_arrays(offsets, _widened(lists.flatten()), mask=lists.is_null())


def _offsets_checked(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """The array as one of bytes, so that Arrow checks where items begin and end but not yet what they hold.

    What no row reads may be no text, and what is wrong with a row is better told once the row is known.
    """
    held = array.view(kind)
    held.validate(full=True)
    return held


def _widened(held: pa.Array) -> pa.LargeStringArray:
    """Bytes as text. A cast to the same type would import pyarrow.compute for nothing."""
    return (held if held.type == pa.large_binary() else held.cast(pa.large_binary())).view(_TEXT)


def _text(
    items: list[Any] | pa.Array, argument: str, owner: str, where: NDArray[np.int64] | None = None
) -> pa.LargeStringArray:
    """The items as an Arrow array of text. `where` gives the segment of each item if they lay in inner lists."""
    if isinstance(items, pa.Array):
        _check_text(items, argument, owner, where)
        return items
    # One set is quicker than a check of each item. Arrow takes a subclass of str by its text, whatever it prints.
    if all(issubclass(kind, str) for kind in set(map(type, items))):
        with suppress(UnicodeEncodeError):
            return pa.array(items, _TEXT)
    index = next(i for i, value in enumerate(items) if not issubclass(type(value), str) or _SURROGATE.search(value))
    _refuse(items[index], argument, index, owner, where)


def _check_text(texts: pa.Array, argument: str, owner: str, where: NDArray[np.int64] | None) -> None:
    if texts.type != _TEXT:
        raise InputError(f"{owner}: `{argument}` is an Arrow array of lists; one of strings is expected.")
    if texts.null_count:
        _refuse(None, argument, texts.is_null().index(True).as_py(), owner, where)
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        for index, value in enumerate(texts.view(pa.large_binary())):
            try:
                value.as_py().decode()
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{owner}: {_place(argument, index, where)} is no text: its byte {error.start + 1} "
                    f"(0x{error.object[error.start]:02x}) is not UTF-8; decode it as what it is."
                ) from None
        raise


def _place(argument: str, index: int, where: NDArray[np.int64] | None) -> str:
    if where is None:
        return f"`{argument}[{index}]`"
    segment = int(where[index])
    return f"`{argument}[{segment}][{index - int(np.searchsorted(where, segment))}]`"


def _refuse(value: Any, argument: str, index: int, owner: str, where: NDArray[np.int64] | None) -> NoReturn:
    place = _place(argument, index, where)
    if isinstance(value, str):
        raise InputError(f"{owner}: {place} holds a lone surrogate, which is no text: {value!r:.40}.")
    if _is_list(value) and argument == "references" and where is None:
        raise InputError(
            f"{owner}: {place} is a {type(value).__name__} but earlier items are strings; "
            "give every segment a list of references, or none."
        )
    missing = value is None or (isinstance(value, float) and value != value)
    cure = "drop the segment or give it a text" if missing else "a str is expected"
    raise InputError(f"{owner}: {place} is {_shown(value)}; {cure}.")


def _nested_text(
    items: list[Any] | pa.Array, predictions: int, owner: str
) -> tuple[pa.LargeStringArray, NDArray[np.int64]]:
    """All references in one array, and where each segment's begin."""
    flat: list[Any] | pa.Array
    if isinstance(items, pa.LargeListArray):
        if items.null_count:
            index = items.is_null().index(True).as_py()
            raise InputError(f"{owner}: `references[{index}]` is None; a list of strings is expected.")
        counts = np.diff(items.offsets.to_numpy())
        flat = items.flatten()
    elif isinstance(items, pa.Array) or not items or not _is_list(items[0]):
        return _text(items, "references", owner), np.arange(len(items) + 1)
    else:
        rows = _rows(items, owner)
        counts = np.fromiter(map(len, rows), np.int64, len(rows))
        flat = list(chain.from_iterable(rows))
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


def _rows(items: list[Any], owner: str) -> list[Any]:
    """The references of each segment as a list or tuple; an item that is no list is refused."""
    if set(map(type, items)) <= {list, tuple}:
        return items
    rows = []
    for index, item in enumerate(items):
        if not _is_list(item):
            raise InputError(
                f"{owner}: `references[{index}]` is {_shown(item)} but earlier items are lists; wrap it in a list."
            )
        argument = f"references[{index}]"
        row = _items(item, argument, owner)
        rows.append(row if isinstance(row, list) else _text(row, argument, owner).to_pylist())
    return rows

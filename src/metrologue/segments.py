"""Segments: predictions with their references, and their tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrow import pa
from metrologue.data.columns import Column, Items
from metrologue.data.intake import as_strings, checked_index, holds_lists, listed, nested_text, with_type
from metrologue.data.strings import Form, Strings
from metrologue.errors import InputError, checked_int, number_of
from metrologue.text.reading.pages import Reading
from metrologue.text.reading.slices import chained, read_slices
from metrologue.text.reading.steps import read
from metrologue.text.reading.text import Text
from metrologue.text.reading.view import View
from metrologue.text.reading.vocabulary import ItemTypes, Vocabulary
from metrologue.threads import Memo

__all__ = ["Segments", "View"]

T = TypeVar("T")
_NBYTES = attrgetter("nbytes")
ColumnT = TypeVar("ColumnT", bound=Column)


class Segments:
    """Predictions with their references, checked and stored as columns: Arrow text, items or numbers.

    Parameters
    ----------
    predictions : sequence of n str
        A list, tuple, NumPy array, pandas Series, `datasets` column, Arrow array (chunked or not, of any string type)
        or any iterable. An instance of a subclass of str counts as its text, not as the result of ``str()``.
    references : sequence of n str, or of n sequences of str
        Either all strings (one reference each) or all lists of strings (their lengths may differ). The types are those
        of `predictions`. None for metrics that need no references.
    owner : str
        The caller's name for messages.
    shared : bool
        Whether other predictions will be compared with the same references (``with_predictions``). The references are
        then read only once. If False, this starts with the first ``with_predictions``.

    Raises
    ------
    InputError
        If the counts differ, an item is not a string or not a list of strings, or a segment has no reference; if a
        table is given instead of a column; if an Arrow array is invalid or holds bytes that are not UTF-8.

    Examples
    --------
    >>> from metrologue.text.reading import Tokenize
    >>> segments = Segments(["a cat", "a dog"], [["the cat", "one cat"], ["a dog"]])
    >>> len(segments), segments.pair(0)
    (2, ('a cat', ['the cat', 'one cat']))
    >>> segments.read((Tokenize("whitespace"),)).tokens(1)
    (['a', 'dog'], [['a', 'dog']])
    """

    # The columns by name: "predictions", perhaps "references", and other inputs of a metric.
    columns: Mapping[str, Column]
    first: int  # index of the first segment in the segments that these were cut from, for messages

    def __init__(self, predictions: Any, references: Any = None, owner: str = "Segments", shared: bool = False) -> None:
        hypotheses = as_strings(listed(predictions, "predictions", owner), "predictions", owner)
        columns: dict[str, Column] = {"predictions": Text(hypotheses)}
        if references is not None:
            flat, offsets = nested_text(listed(references, "references", owner), len(hypotheses), owner)
            columns["references"] = Text(flat, offsets)
            columns["references"].shared = shared
        self._keep(columns, owner)

    def _keep(self, columns: Mapping[str, Column], owner: str) -> None:
        predictions = columns["predictions"]
        count = len(predictions)
        for name, column in columns.items():
            if column is not predictions and len(column) != count:
                each = f"each prediction needs its {name}"
                raise InputError(
                    f"{owner}: {number_of(count, 'prediction')} but "
                    f"{number_of(len(column), name.removesuffix('s'))}; {each}."
                )
        self.columns = columns
        self._count = count
        self.first = 0
        self._memo = Memo()

    @classmethod
    def of_columns(cls, columns: Mapping[str, Column], owner: str = "Segments", first: int = 0) -> Segments:
        """Segments made from columns that are already checked: "predictions", and any others with as many segments.

        `first` is the index of the first segment in those that these were cut from, for messages.

        Raises
        ------
        InputError
            If there are no predictions, or the counts differ.

        Examples
        --------
        >>> from metrologue.data.columns import Numbers
        >>> segments = Segments.of_columns({"predictions": Numbers([[0.5], []]), "mask": Numbers([[1], []])})
        >>> len(segments), segments.columns["mask"].entries(0)
        (2, [1.0])
        """
        if "predictions" not in columns:
            raise InputError(f"{owner}: `predictions` are missing.")
        segments = object.__new__(cls)
        segments._keep(columns, owner)
        segments.first = first
        return segments

    @classmethod
    def of_items(cls, predictions: Any, references: Any = None, owner: str = "Segments") -> Segments:
        """Segments of labels, or of texts that are already tokenized.

        Parameters
        ----------
        predictions : n lists or sets of hashable
            Or n tuples. A tuple inside of a list is an item.
        references : n lists or sets of hashable, or n lists of them, optional
            Tuples inside of a list are references of their own, unless some prediction has a tuple as an item.
        owner : str

        Raises
        ------
        InputError
            If the counts differ, a row is neither a list nor a set, or an item is not hashable.

        Examples
        --------
        >>> segments = Segments.of_items([{"a"}, ["b", "c"]], [["a", "b"], [["c"], ["b"]]])
        >>> segments.items().tokens(1)
        (['b', 'c'], [['c'], ['b']])
        """
        columns = {"predictions": Items.of(predictions, "predictions", owner)}
        if references is not None:
            tuples = any(isinstance(item, tuple) for item in columns["predictions"].types)
            columns["references"] = Items.of(references, "references", owner, several=True, tuples=tuples)
        return cls.of_columns(columns, owner)

    @classmethod
    def of_either(cls, predictions: Any, references: Any = None, owner: str = "Segments") -> Segments:
        """Segments of items if the first prediction is a list or a set, and of texts otherwise.

        Examples
        --------
        >>> Segments.of_either([{"a"}], [["b"]]).pair(0), Segments.of_either(["a"], [["b"]]).pair(0)
        ((['a'], [['b']]), ('a', ['b']))
        """
        predictions = listed(predictions, "predictions", owner)
        return (cls.of_items if holds_lists(predictions) else cls)(predictions, references, owner)

    def with_predictions(self, predictions: Any, owner: str = "Segments") -> Segments:
        """Segments of other predictions with the same references. The references are read only once.

        The predictions are n str; n lists, if the others are items, numbers or groups of texts. Errors are those of
        ``Segments`` and ``of_items``.

        Examples
        --------
        >>> first = Segments(["a cat"], ["the cat"])
        >>> first.with_predictions(["one cat"]).pair(0)
        ('one cat', ['the cat'])
        """
        others = self.predictions.others(predictions, owner)
        if len(others) != len(self):
            raise InputError(
                f"{owner}: {number_of(len(others), 'prediction')} but {number_of(len(self), 'reference')}; each "
                "prediction needs its references."
            )
        for name, column in self.columns.items():
            column.shared = column.shared or name != "predictions"
        return self.of_columns({**self.columns, "predictions": others}, owner, self.first)

    def in_form(self, form: Form) -> Segments:
        """The segments with all texts in a Unicode form, such as "NFC"; these themselves if they have it."""
        columns = {name: each.in_form(form) if isinstance(each, Text) else each for name, each in self.columns.items()}
        if all(each is self.columns[name] for name, each in columns.items()):
            return self
        return self.memoize(("form", form), lambda: self.of_columns(columns, first=self.first))

    def placed(self, first: int) -> Segments:
        """The same segments; the first has the index `first`. Raises an InputError unless that is from 0 to 2^62."""
        return self.of_columns(self.columns, first=checked_int("`first`", first, 0, 1 << 62))

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Segments({len(self)} of {', '.join(self.columns)})"

    @property
    def predictions(self) -> Column:
        """The column of predictions."""
        return self.columns["predictions"]

    @property
    def references(self) -> Column | None:
        """The column of references, if there are any."""
        return self.columns.get("references")

    @property
    def reference_offsets(self) -> NDArray[np.int64]:
        """Offsets (n + 1,): the references of segment s are ``offsets[s]:offsets[s + 1]``."""
        references = self.columns.get("references")
        return np.zeros(len(self) + 1, np.int64) if references is None else references.offsets

    def has(self, name: str) -> bool:
        """Whether there is something in a column, such as "references"; True if there are no segments."""
        column = self.columns.get(name)
        return self._count == 0 or (column is not None and column.offsets.item(-1) > 0)

    def pair(self, segment: int) -> tuple[Any, list[Any]]:
        """A segment's prediction, or all texts of its group, and its references.

        Raises an InputError if `segment` is not an int in range(n).
        """
        segment = checked_index(segment, len(self), "Segments.pair: `segment`")
        references = self.references.entries(segment) if self.references else []
        return self.predictions.prediction(segment), references

    def slice(self, start: int | None, stop: int | None) -> Segments:
        """Segments `start` to `stop`, with the rules of a list slice. Arrow copies the texts only if it must.

        Raises an InputError if a limit is neither an int nor None.
        """
        try:
            start, stop, _ = slice(start, stop).indices(len(self))
        except TypeError:
            raise InputError(
                f"Segments.slice: `start`, `stop` are {with_type(start)}, {with_type(stop)}; ints or None are expected."
            ) from None
        stop = max(start, stop)
        columns = {name: column.part(start, stop) for name, column in self.columns.items()}
        return self.of_columns(columns, first=self.first + start)

    def parts(self, most_bytes: int) -> Iterator[Segments]:
        """Consecutive parts, each of at most `most_bytes` bytes of text or of a single segment."""
        ends = np.sum([column.ends for column in self.columns.values()], axis=0)
        start, done = 0, 0
        while start < len(self):
            stop = max(start + 1, int(np.searchsorted(ends, done + most_bytes, "right")))
            yield self.slice(start, stop)
            start, done = stop, int(ends[stop - 1])

    def take(self, indices: Iterable[int]) -> Segments:
        """The segments with these indices, in this order. An index may be repeated.

        Raises an InputError if an index is not an int in range(n).
        """
        numbers = enumerate(listed(indices, "indices", "Segments.take", of="ints"))
        chosen = [checked_index(i, len(self), f"Segments.take: `indices[{at}]`") for at, i in numbers]
        return self.of_columns({n: column.take(np.array(chosen, np.int64)) for n, column in self.columns.items()})

    def shards(self, count: int) -> list[Segments]:
        """At most `count` consecutive parts of about equal length. Raises an InputError unless `count` is 1 or more."""
        if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < 1:
            raise InputError(f"Segments.shards: `count` is {with_type(count)}; an int of 1 or more is expected.")
        limits = np.linspace(0, len(self), min(count, len(self)) + 1).astype(np.int64)
        return [self.slice(start, stop) for start, stop in pairwise(limits)]

    @property
    def nbytes(self) -> int:
        """Size of all entries and their offsets, in bytes."""
        return sum(map(_NBYTES, self.columns.values()))

    def _column(self, name: str, kind: type[ColumnT]) -> ColumnT:
        column = self.columns[name]
        if not isinstance(column, kind):
            raise InputError(f"Segments: `{name}` are {type(column).__name__}; {kind.__name__} is expected.")
        return column

    def _compared(self, kind: type[ColumnT]) -> list[ColumnT]:
        columns = [self._column("predictions", kind)]
        return [*columns, self._column("references", kind)] if "references" in self.columns else columns

    def texts(self, name: str = "predictions") -> pa.LargeStringArray:
        """All texts of a column, one after another. Raises an InputError if the column does not hold text."""
        return self.text(name).texts

    def text(self, name: str) -> Text:
        """A column of text. Raises an InputError if the column does not hold text."""
        return self._column(name, Text)

    def strings(self, name: str = "predictions") -> Strings:
        """``texts`` without an Arrow array, which takes time to make for few texts; with its errors."""
        return self.text(name).strings

    @property
    def holds_items(self) -> bool:
        """Whether the predictions are items, not texts."""
        return isinstance(self.predictions, Items)

    def units(self, reading: Reading) -> View:
        """The items, or the tokens of texts under a reading. Errors as for ``items`` and ``read``."""
        return self.items() if self.holds_items else self.read(reading)

    def items(self) -> View:
        """The items of predictions and references, as ids in one vocabulary. Raises an InputError for other columns."""
        return self.memoize(("items",), lambda: _items_view(self._compared(Items), self.reference_offsets))

    def read(self, reading: Reading, of_references: Reading | None = None, threads: int = 1) -> View:
        """The tokens under a reading. Each column is read only once.

        Parameters
        ----------
        reading : tuple of steps
            See ``metrologue.text.reading``.
        of_references : tuple of steps, optional
            The reading of the references, if it is another one.
        threads : int
            Columns that no other segments share are read in so many slices at once. The result is the same.

        Raises
        ------
        InputError
            If the reading does not have exactly one `Tokenize`, after its steps on texts; if a tokenizer, a rule or a
            stemmer does not exist, or needs something that is not installed; if a column does not hold text.
        """
        if of_references == reading:
            of_references = None
        return self.memoize(("view", reading, of_references), lambda: self._read(reading, of_references, threads))

    def _read(self, reading: Reading, of_references: Reading | None, threads: int) -> View:
        columns = self._compared(Text)
        if of_references is None and not columns[-1].shared:
            if threads > 1 and len(self) > 1:
                return self._read_slices(reading, threads)
            # No other segments share these columns. They are read together, so no vocabularies have to be merged.
            texts = columns[0].strings
            for column in columns[1:]:
                texts = texts.joined(column.strings)
            tokens, parts = read(texts, reading)
            limits, count = tokens.offsets[parts], len(tokens.starts)
            return View(tokens.ids, limits, self.reference_offsets, parts, tokens.offsets, count, Vocabulary(tokens))
        vocabulary, readings = columns[-1].vocabulary(reading), (reading, of_references or reading)
        reads = [
            column.read(column_reading, vocabulary) for column, column_reading in zip(columns, readings, strict=False)
        ]
        token_offsets = chained([read.sentence_offsets for read in reads])
        sentences = chained([read.sentences for read in reads])
        ids = reads[0].ids if len(reads) == 1 else np.concatenate([read.ids for read in reads])
        offsets = token_offsets[sentences]
        return View(ids, offsets, self.reference_offsets, sentences, token_offsets, len(vocabulary), vocabulary)

    def _read_slices(self, reading: Reading, threads: int) -> View:
        slices = [[column.strings for column in part._compared(Text)] for part in self.shards(threads)]
        texts_read = read_slices(slices, reading, threads)
        limits, types = texts_read.sentence_offsets[texts_read.sentences], texts_read.vocabulary
        sentences, tokens = texts_read.sentences, texts_read.sentence_offsets
        return View(texts_read.ids, limits, self.reference_offsets, sentences, tokens, len(types), types)

    def memoize(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """The result of `make`, computed once and kept under `key`: views of these texts, and counts from them."""
        return self._memo.get(key, make)

    def forgetting(self) -> AbstractContextManager[None]:
        """Forget afterwards what was memoized inside, such as the counts of scorers that nobody asks for again."""
        return self._memo.forgetting()


def _items_view(columns: Sequence[Items], reference_offsets: NDArray[np.int64]) -> View:
    numbers: dict[Any, int] = {}
    ids = []
    for column in columns:
        layer = np.array([numbers.setdefault(item, len(numbers)) for item in column.types], np.int32)
        ids.append(layer[column.ids])
    offsets = chained([column.item_offsets for column in columns])
    sentences = np.arange(len(offsets))
    types = ItemTypes([*numbers])
    return View(np.concatenate(ids), offsets, reference_offsets, sentences, offsets, len(numbers), types)

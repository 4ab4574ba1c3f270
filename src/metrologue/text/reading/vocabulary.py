"""Types of tokens with their ids: of texts that are read alone, or of all columns that are compared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import Strings
from metrologue.kernels.interning import TypeTable
from metrologue.text.tokenizers.base import Tokens
from metrologue.text.tokenizers.spans import intern_texts
from metrologue.threads import Lock

T = TypeVar("T")


class Derived(NamedTuple):
    """Another text for each type, such as its stem.

    Attributes
    ----------
    types : Types
        The distinct derived texts, with layers of their own.
    numbers : int32 (n_types,)
        For each type, the id of its derived text in `types`.
    """

    types: Types
    numbers: NDArray[np.int32]


class Types(ABC):
    """Types of tokens with their ids, and layers: data that are derived once from the text of each type.

    Columns that are compared share their types, so that several threads can add to them and derive from them.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        # For each layer, the number of types that it covers, and its value.
        self._layers: dict[Hashable, tuple[int, Any]] = {}
        self._derived: dict[Hashable, Vocabulary] = {}

    @abstractmethod
    def __len__(self) -> int:
        """The number of types."""

    @abstractmethod
    def spellings(self, start: int = 0, stop: int | None = None) -> list[str]:
        """The texts of all types, or of the types `start` to `stop`, in the order of their ids."""

    def texts(self, start: int, stop: int) -> Strings:
        """The texts of the types `start` to `stop` as bytes."""
        return Strings.of(self.spellings(start, stop))

    def spelling(self, number: int) -> str:
        """The text of a type."""
        return self.spellings(number, number + 1)[0]

    def find(self, text: str) -> int:
        """The id of the type with this text, or -1."""
        spellings = self.spellings()
        return spellings.index(text) if text in spellings else -1

    def layer(
        self, key: Hashable, make: Callable[[list[str]], T], join: Callable[[list[Any]], Any] = np.concatenate
    ) -> T:
        """The results of `make` for all types. It runs once for each type, even if more types come later.

        Parameters
        ----------
        key : hashable
            Identifies this layer.
        make : callable
            Takes the texts of n types and gives data for them, such as an array of n numbers. The data of a type may
            depend only on its text.
        join : callable
            Joins a list of results of `make` into one.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from metrologue.text.tokenizers import get_tokenizer
        >>> types = Vocabulary(get_tokenizer("whitespace")(pa.array(["a bb a"], pa.large_string())))
        >>> types.layer("length", lambda spellings: np.array([len(text) for text in spellings]))
        array([1, 2])
        """
        return self._layer(key, lambda start, stop: make(self.spellings(start, stop)), join)

    def layer_of_texts(
        self, key: Hashable, make: Callable[[Strings], T], join: Callable[[list[Any]], Any] = np.concatenate
    ) -> T:
        """As ``layer``, for a function that takes the texts as bytes: no type becomes an object of Python."""
        return self._layer(key, lambda start, stop: make(self.texts(start, stop)), join)

    def _layer(self, key: Hashable, make: Callable[[int, int], T], join: Callable[[list[Any]], Any]) -> T:
        with self._lock:
            covered, value = self._layers.get(key, (0, None))
            count = len(self)
            if value is None or covered < count:
                more = make(covered, count)
                value = join([value, more]) if covered else more
                self._layers[key] = count, value
        made: T = value
        return made

    def unchanged(self) -> Lock:
        """A context manager inside of which no other thread adds types: all layers are equally long."""
        return self._lock

    def derived(self, key: Hashable, make: Callable[[Strings], Strings]) -> Derived:
        """A derived text for each type, as new types with their own ids; `key` and `make` as for ``layer_of_texts``.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from metrologue.data.strings import lower
        >>> from metrologue.text.tokenizers import get_tokenizer
        >>> types = Vocabulary(get_tokenizer("whitespace")(pa.array(["Cat cat"], pa.large_string())))
        >>> lowered = types.derived("lower case", lower)
        >>> lowered.types.spellings(), lowered.numbers
        (['cat'], array([0, 0], dtype=int32))
        """
        types = self._derived.setdefault(key, Vocabulary())
        return Derived(types, self.layer_of_texts(("derived", key), lambda texts: types.ids(intern_texts(make(texts)))))


class ItemTypes(Types):
    """Items with their ids. The text of an item that is not a str is ``str(item)``."""

    def __init__(self, items: list[Hashable]) -> None:
        super().__init__()
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def spellings(self, start: int = 0, stop: int | None = None) -> list[str]:
        return [*map(str, self.items[start:stop])]


class Vocabulary(Types):
    """Types of tokens. More columns can add types; an id never changes. The types of the first `tokens` keep their ids.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from metrologue.text.tokenizers import get_tokenizer
    >>> cut = get_tokenizer("whitespace")
    >>> vocabulary = Vocabulary(cut(pa.array(["a b"], pa.large_string())))
    >>> vocabulary.ids(cut(pa.array(["c b"], pa.large_string())))
    array([2, 1], dtype=int32)
    >>> vocabulary.spellings()
    ['a', 'b', 'c']
    """

    def __init__(self, tokens: Tokens | None = None) -> None:
        super().__init__()
        # A table is needed only after other tokens have been added to the first ones.
        self._first = tokens
        self._table: TypeTable | None = None

    def __len__(self) -> int:
        if self._table:
            return self._table.known
        return len(self._first.starts) if self._first else 0

    def ids(self, tokens: Tokens) -> NDArray[np.int32]:
        """The ids of these tokens in the vocabulary. New types get the next ids."""
        with self._lock:
            if self._first is None:
                self._first = tokens
                return tokens.ids
        return self.numbers(tokens)[tokens.ids]

    def numbers(self, tokens: Tokens, start: int = 0, stop: int | None = None) -> NDArray[np.int32]:
        """The id of each type of these tokens, or of the types `start` to `stop`. New types get the next ids."""
        with self._lock:
            table = self._table or TypeTable()
            if self._table is None and self._first is not None:
                table.add(self._first.buffer, self._first.starts, self._first.lengths)
            self._table = table  # with the first types, for those who only read it
            return table.add(tokens.buffer, tokens.starts[start:stop], tokens.lengths[start:stop])

    def texts(self, start: int, stop: int) -> Strings:
        if self._table:
            return Strings(*self._table.strings(start, stop))
        return self._first.texts(start, stop) if self._first else super().texts(start, stop)

    def spelling(self, number: int) -> str:
        # Several texts are spelled from a copy of the buffer, which would cost too much for one of them.
        return super().spelling(number) if self._table or not self._first else self._first.spelling(number)

    def spellings(self, start: int = 0, stop: int | None = None) -> list[str]:
        if self._table:
            return self.texts(start, len(self) if stop is None else stop).to_pylist()
        return self._first.spellings(start, stop) if self._first else []

    def find(self, text: str) -> int:
        if self._table:
            with self._lock:
                return _find_text(*self._table.spans, text.encode())
        first = self._first
        return _find_text(first.buffer, first.starts, first.lengths, text.encode()) if first else -1


def _find_text(buffer: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64], text: bytes) -> int:
    """The first of the texts ``buffer[starts[i]:starts[i] + lengths[i]]`` that is `text`, or -1."""
    as_long = (lengths == len(text)).nonzero()[0]
    same = (buffer[starts[as_long, None] + np.arange(len(text))] == np.frombuffer(text, np.uint8)).all(axis=1)
    return as_long[same].item(0) if same.any() else -1

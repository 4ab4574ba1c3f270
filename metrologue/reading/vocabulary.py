"""A vocabulary that only grows: one number for each distinct token of all the columns that are compared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.interning import TypeTable
from metrologue.tokenizers.base import Tokens

__all__ = ["Vocabulary"]


class Vocabulary:
    """Types of tokens and their numbers; a number, once given, stays.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from metrologue.tokenizers import get_tokenizer
    >>> cut = get_tokenizer("whitespace")
    >>> vocabulary = Vocabulary()
    >>> vocabulary.ids(cut(pa.array(["a b"], pa.large_string())))
    array([0, 1], dtype=int32)
    >>> vocabulary.ids(cut(pa.array(["c b"], pa.large_string())))
    array([2, 1], dtype=int32)
    >>> vocabulary.spellings()
    ['a', 'b', 'c']
    """

    def __init__(self) -> None:
        self._table = TypeTable()
        self._layers: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return self._table.known

    def ids(self, tokens: Tokens) -> NDArray[np.int32]:
        """The numbers of tokens here; types that are new get the next ones."""
        first = not len(self)
        numbers = self._table.add(tokens.buffer, tokens.starts, tokens.lengths)
        # The first column keeps the numbers that it has, unless a type is in it twice.
        return tokens.ids if first and len(numbers) == len(self) else numbers[tokens.ids]

    def spelling(self, number: int) -> str:
        """The text of a type."""
        return self.spellings(number, number + 1)[0]

    def spellings(self, start: int = 0, stop: int | None = None) -> list[str]:
        """The texts of types by their numbers, all or those of a range."""
        return [text.decode() for text in self._table.texts(start, len(self) if stop is None else stop)]

    def layer(self, key: Hashable, make: Callable[[Sequence[str]], Sequence[Any]]) -> list[Any]:
        """What `make` gives for each type, made once for each, also when there are more types later.

        Parameters
        ----------
        key : hashable
            What tells this layer from others.
        make : callable
            From n spellings to n values, each of which depends on its spelling only.
        """
        values: list[Any] = self._layers.setdefault(key, [])
        if len(values) < len(self):
            values.extend(make(self.spellings(len(values))))
        return values

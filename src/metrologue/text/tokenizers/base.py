"""What a tokenizer is, and what it gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrow import is_arrow, pa
from metrologue.data.intake import as_strings, listed
from metrologue.data.strings import AnyTexts, Strings
from metrologue.kernels.utf8 import joined


class Tokens(NamedTuple):
    """Tokens of many texts under one vocabulary.

    Attributes
    ----------
    ids : int32 (n_tokens,)
        The type of each token.
    offsets : int64 (n_texts + 1,)
        The tokens of text t are ``ids[offsets[t]:offsets[t + 1]]``.
    buffer, starts, lengths : uint8 (n_bytes,), int64 (n_types,), int64 (n_types,)
        The text of type i is ``buffer[starts[i]:starts[i] + lengths[i]]``, in UTF-8. No two types have the same text.
    """

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    buffer: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def spelling(self, type_id: int) -> str:
        """The text of a type."""
        start = self.starts[type_id]
        return self.buffer[start : start + self.lengths[type_id]].tobytes().decode()

    def spellings(self, start: int = 0, stop: int | None = None) -> list[str]:
        """The texts of all types, or of the types `start` to `stop`, in the order of their ids."""
        return self.spellings_of(np.arange(len(self.starts))[start:stop])

    def spellings_of(self, types: NDArray[np.int64]) -> list[str]:
        """The texts of these types."""
        buffer, starts = self.buffer.tobytes(), self.starts[types]
        stops = starts + self.lengths[types]
        return [buffer[i:j].decode() for i, j in zip(starts.tolist(), stops.tolist(), strict=True)]

    def texts(self, start: int = 0, stop: int | None = None) -> Strings:
        """The texts of all types, or of the types `start` to `stop`, as bytes."""
        return Strings(*joined(self.buffer, self.starts[start:stop], self.lengths[start:stop]))

    def lists(self) -> list[list[str]]:
        """The tokens of each text."""
        types = self.spellings()
        tokens = [types[type_id] for type_id in self.ids.tolist()]
        return [tokens[start:stop] for start, stop in pairwise(self.offsets.tolist())]

    def of_text(self, text: int) -> list[str]:
        """The tokens of one text."""
        return [self.spelling(type_id) for type_id in self.ids[self.offsets[text] : self.offsets[text + 1]]]


class Tokenizer(ABC):
    """Cuts texts into tokens: a string into a list of strings, and a list of strings into a list of such lists.

    Examples
    --------
    >>> from metrologue.text.tokenizers import get_tokenizer
    >>> tokenizer = get_tokenizer("13a")
    >>> tokenizer("It's late."), tokenizer(["Yes, sir.", ""])
    (["It's", 'late', '.'], [['Yes', ',', 'sir', '.'], []])
    """

    @abstractmethod
    def tokenize(self, texts: AnyTexts) -> Tokens:
        """Tokens of all texts of a column, under one vocabulary."""

    @overload
    def __call__(self, texts: str) -> list[str]: ...
    @overload
    def __call__(self, texts: list[str] | tuple[str, ...]) -> list[list[str]]: ...
    @overload
    def __call__(self, texts: AnyTexts) -> Tokens: ...
    def __call__(self, texts: str | AnyTexts | Iterable[str]) -> list[str] | Tokens | list[list[str]]:
        """The tokens of one text or of several.

        Parameters
        ----------
        texts : str, or n strings
            A list or any other sequence that ``Segments`` takes. An Arrow array of large strings gives ``Tokens``.

        Returns
        -------
        list of str, n lists of str, or Tokens

        Raises
        ------
        InputError
            If a text is not a string.
        """
        if isinstance(texts, Strings) or (is_arrow(texts) and isinstance(texts, pa.LargeStringArray)):
            return self.tokenize(texts)
        owner = "tokenizer"
        given = [texts] if isinstance(texts, str) else listed(texts, "texts", owner)
        lists = self.tokenize(as_strings(given, "texts", owner)).lists()
        return lists[0] if isinstance(texts, str) else lists

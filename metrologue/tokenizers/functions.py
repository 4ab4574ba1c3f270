"""Tokenizers that are Python functions, from one text to its list of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import AnyTexts, arrow
from metrologue.errors import InputError
from metrologue.kernels.parts import replaced_by_parts
from metrologue.tokenizers.base import Tokenizer, Tokens
from metrologue.tokenizers.spans import intern

__all__ = ["Function", "from_lists", "retokenize"]


class Function(Tokenizer):
    """A tokenizer made from a function, which is called once for each distinct text.

    Raises
    ------
    InputError
        If the function gives something other than a list of strings.
    """

    def __init__(self, name: str, function: Callable[[str], Sequence[str]]) -> None:
        self.name = name
        self.function = function

    def __call__(self, texts: AnyTexts) -> Tokens:
        encoded = arrow(texts).dictionary_encode()
        tokens = [self.function(text) for text in encoded.dictionary.to_pylist()]
        for text, cut in zip(encoded.dictionary, tokens, strict=True):
            if isinstance(cut, str) or not all(isinstance(token, str) for token in cut):
                raise InputError(
                    f"tokenizer {self.name!r} gave {cut!r:.80} for {text.as_py()!r:.40}; it must give a list of str."
                )
        numbers = np.asarray(np.from_dlpack(encoded.indices), np.int32)
        return from_lists(tokens, numbers)


def from_lists(tokens: Sequence[Sequence[str]], texts: NDArray[np.int32]) -> Tokens:
    """``Tokens`` of texts that are already cut: text t has the tokens ``tokens[texts[t]]``."""
    flat = intern(chain.from_iterable(tokens))
    first = np.cumsum([0, *map(len, tokens)])
    ids, offsets = replaced_by_parts(texts, first, flat.ids)
    return Tokens(ids, offsets, flat.buffer, flat.starts, flat.lengths)


def retokenize(tokens: Tokens, cut: Callable[[str], Sequence[str]]) -> Tokens:
    """Tokens that are cut into smaller ones, or replaced by others. `cut` is called once for each type."""
    parts = from_lists([cut(token) for token in tokens.spellings()], tokens.ids)
    return Tokens(parts.ids, parts.offsets[tokens.offsets], parts.buffer, parts.starts, parts.lengths)

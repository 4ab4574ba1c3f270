"""Tokenizers that are Python functions, from one text to its list of tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrow import pa
from metrologue.data.strings import AnyTexts, Strings, arrow
from metrologue.errors import InputError, shown
from metrologue.kernels.interning import TypeTable
from metrologue.kernels.utf8 import ascii_lower, spans_with
from metrologue.text.tokenizers.base import Tokenizer, Tokens
from metrologue.text.tokenizers.kernels.tokens import replaced_by_parts
from metrologue.text.tokenizers.spans import intern


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

    def tokenize(self, texts: AnyTexts) -> Tokens:
        encoded = arrow(texts).dictionary_encode()
        tokens = [self.function(text) for text in encoded.dictionary.to_pylist()]
        for text, cut in zip(encoded.dictionary, tokens, strict=True):
            if isinstance(cut, str) or not all(issubclass(kind, str) for kind in {*map(type, cut)}):
                raise InputError(
                    f"tokenizer {self.name!r} gave {shown(cut, 80)} for {shown(text.as_py(), 40)}; it must give a list "
                    "of str."
                )
        numbers = np.asarray(np.from_dlpack(encoded.indices), np.int32)
        return from_lists(tokens, numbers)


def from_lists(tokens: Sequence[Sequence[str]], texts: NDArray[np.int32]) -> Tokens:
    """``Tokens`` of texts that are already cut: text t has the tokens ``tokens[texts[t]]``."""
    flat = intern(chain.from_iterable(tokens))
    first = np.cumsum([0, *map(len, tokens)])
    ids, offsets = replaced_by_parts(texts, first, flat.ids)
    return Tokens(ids, offsets, flat.buffer, flat.starts, flat.lengths)


def of_distinct(texts: AnyTexts, cut: Callable[[pa.LargeStringArray], Tokens]) -> Tokens:
    """``Tokens`` of texts by a function that is called for the distinct texts only."""
    encoded = arrow(texts).dictionary_encode()
    tokens, numbers = cut(encoded.dictionary), np.asarray(np.from_dlpack(encoded.indices), np.int32)
    ids, offsets = replaced_by_parts(numbers, tokens.offsets, tokens.ids)
    return Tokens(ids, offsets, tokens.buffer, tokens.starts, tokens.lengths)


def beyond_ascii(tokens: Tokens) -> NDArray[np.bool_]:
    """Which types have a character beyond ASCII, (n_types,)."""
    return spans_with(tokens.buffer, tokens.starts, tokens.lengths, np.arange(129) == 128)


def lowered(tokens: Tokens, lower: Callable[[str], str] = str.lower) -> Tokens:
    """Tokens in lower case, as `lower` has it, which changes ASCII letters as ``str.lower()`` does."""
    return retokenize(tokens, lambda token: [lower(token)], beyond_ascii(tokens), ascii_lower(tokens.buffer))


def not_alnum(tokens: Tokens) -> NDArray[np.bool_]:
    """Which types have a character that is neither a letter nor a digit, (n_types,). Few scripts are known to it.

    Most rules for words leave the others alone, so that no function has to be called for them.
    """
    return spans_with(tokens.buffer, tokens.starts, tokens.lengths, _not_alnum())


@cache
def _not_alnum() -> NDArray[np.bool_]:
    # Latin, Greek, Cyrillic. The last entry stands for all other characters.
    return np.array([*(not chr(point).isalnum() for point in range(0x530)), True])


def retokenize(
    tokens: Tokens,
    cut: Callable[[str], Sequence[str]],
    changed: NDArray[np.bool_] | None = None,
    buffer: NDArray[np.uint8] | None = None,
) -> Tokens:
    """Tokens that are cut into smaller ones, or replaced by others. `cut` is called at most once for each type.

    Parameters
    ----------
    changed : bool (n_types,), optional
        Which types `cut` is called for. The others stay as they are, or become what stands in their place in `buffer`.
    buffer : uint8 (n_bytes,), optional
        As many bytes as `tokens` have.
    """
    changed = np.ones(len(tokens.starts), np.bool_) if changed is None else changed
    places = changed.nonzero()[0]
    parts = [cut(token) for token in tokens.spellings_of(places)]
    cuts = Strings.of([*map(str.__str__, chain.from_iterable(parts))])
    counts = np.ones(len(changed), np.int64)
    counts[places] = [*map(len, parts)]
    is_new = np.repeat(changed, counts)
    starts, lengths = np.empty((2, len(is_new)), np.int64)
    starts[~is_new], lengths[~is_new] = tokens.starts[~changed], tokens.lengths[~changed]
    source = tokens.buffer if buffer is None else buffer
    starts[is_new], lengths[is_new] = cuts.offsets[:-1] + len(source), np.diff(cuts.offsets)
    return replaced_by_spans(tokens, counts, np.concatenate([source, cuts.buffer]), starts, lengths)


def replaced_by_spans(
    tokens: Tokens,
    counts: NDArray[np.int64],
    buffer: NDArray[np.uint8],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int64],
) -> Tokens:
    """Tokens, each replaced by `counts` spans of a buffer, as its type has: spans of the types one after another."""
    types = TypeTable()
    numbers = types.add(buffer, starts, lengths)
    ids, offsets = replaced_by_parts(tokens.ids, np.concatenate([[0], np.cumsum(counts)]), numbers)
    return Tokens(ids, offsets[tokens.offsets], *types.spans)


_COMPOUND = re.compile(r"(\S)-(\S)")


def split_compounds(text: str) -> str:
    """The text, with hyphens between two characters as tokens of their own."""
    return _COMPOUND.sub(r"\1 ##AT##-##AT## \2", text)

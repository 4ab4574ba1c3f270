"""Tokenizers into characters: code points, or grapheme clusters, which readers see as single characters."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import AnyTexts, buffers
from metrologue.errors import InputError
from metrologue.origin import pip_install
from metrologue.text.tokenizers.base import Tokenizer, Tokens
from metrologue.text.tokenizers.functions import Function
from metrologue.text.tokenizers.kernels.characters import DROPPED, DROPPED_AT_ENDS, KEPT, characters
from metrologue.text.tokenizers.spans import PYTHON_BLANKS, WHITE_SPACE
from metrologue.text.tokenizers.unicode import CODE_POINTS


@dataclass(frozen=True, eq=False)
class Characters(Tokenizer):
    """Every code point of a text, except those of `dropped`, and except those of `stripped` at both ends."""

    dropped: tuple[int, ...] = ()
    stripped: tuple[int, ...] = ()

    def tokenize(self, texts: AnyTexts) -> Tokens:
        buffer, offsets = buffers(texts)
        classes = _classes(self.dropped, self.stripped)
        ids, token_offsets, starts, lengths = characters(buffer, offsets, classes)
        return Tokens(ids, token_offsets, buffer, starts, lengths)


@cache
def _classes(dropped: tuple[int, ...], stripped: tuple[int, ...]) -> NDArray[np.uint8]:
    classes = np.full(CODE_POINTS, KEPT, np.uint8)
    classes[list(stripped)] = DROPPED_AT_ENDS
    classes[list(dropped)] = DROPPED
    return classes


def _graphemes() -> Tokenizer:
    """Extended grapheme clusters (Unicode's annex 29), as the package `regex` finds them."""
    try:
        import regex
    except ImportError as error:
        raise InputError(f"tokenizer 'graphemes' needs the package regex: {pip_install('graphemes')}.") from error
    clusters = regex.compile(r"\X").findall

    def cut(text: str) -> list[str]:
        ends = [0, *(match.end() for match in _FLAGS.finditer(text)), len(text)]
        return [cluster for start, stop in pairwise(ends) for cluster in clusters(text[start:stop])]

    return Function("graphemes", cut)


# A flag is a pair of these, counted from the start of a run. `regex` counts again for each flag, so long runs are cut.
_FLAG = "[\U0001f1e6-\U0001f1ff]"
_FLAGS = re.compile(f"(?:{_FLAG}{_FLAG}){{16}}(?={_FLAG})")


CHARACTERS: dict[str, Callable[[], Tokenizer]] = {
    "characters": Characters,
    "characters-stripped": lambda: Characters(stripped=PYTHON_BLANKS),
    "char": lambda: Characters(dropped=PYTHON_BLANKS),
    "char-nltk": lambda: Characters(dropped=WHITE_SPACE),
    "char-torchmetrics": lambda: Characters(dropped=(0x20,), stripped=PYTHON_BLANKS),
    "graphemes": _graphemes,
}

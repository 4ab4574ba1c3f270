"""What is done to texts before they are cut into words: the transforms of jiwer that change text."""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

# In this order: a later one sees what the earlier ones have left.
_CONTRACTIONS = {
    "won't": "will not", "can't": "can not", "let's": "let us", "n't": " not", "'re": " are", "'s": " is",
    "'d": " would", "'ll": " will", "'t": " not", "'ve": " have", "'m": " am",
}  # fmt: skip
_SPACES = {ord(each): " " for each in string.whitespace}
_NO_SPACES = dict.fromkeys(map(ord, string.whitespace))


class Transformation(NamedTuple):
    """A change of a text, and what it does."""

    apply: Callable[[str], str]
    about: str


def _expanded(text: str) -> str:
    if "'" in text:
        for short, full in _CONTRACTIONS.items():
            text = text.replace(short, full)
    return text


def _without_brackets(text: str) -> str:
    """The text without what stands in brackets. One that is never closed takes the rest, once, and gives it back."""
    return re.sub(r"[<\[][^>\]]*([>\]]?)", lambda found: "" if found[1] else found[0], text)


@cache
def _punctuation() -> dict[int, None]:
    """The characters whose category in Unicode begins with P, as Python has it."""
    return dict.fromkeys(each for each in range(sys.maxunicode + 1) if unicodedata.category(chr(each))[0] == "P")


TRANSFORMS: Mapping[str, Transformation] = {
    "contractions": Transformation(
        _expanded, 'common English contractions are written out, as in "won\'t" (ExpandCommonEnglishContractions)'
    ),
    "punctuation": Transformation(
        lambda text: text.translate(_punctuation()), "punctuation of any script is removed (RemovePunctuation)"
    ),
    "kaldi": Transformation(
        _without_brackets, 'what stands in [] or <> is removed, such as "<unk>" (RemoveKaldiNonWords)'
    ),
    "spaces": Transformation(
        lambda text: text.translate(_SPACES), "whitespace of ASCII becomes spaces (RemoveWhiteSpace, replace_by_space)"
    ),
    "no-whitespace": Transformation(
        lambda text: text.translate(_NO_SPACES), "whitespace of ASCII is removed (RemoveWhiteSpace)"
    ),
    "one-space": Transformation(
        lambda text: re.sub(r"\s\s+", " ", text),
        "two whitespace characters or more become a space (RemoveMultipleSpaces)",
    ),
    "strip": Transformation(str.strip, "whitespace at both ends is removed (Strip)"),
}

"""What is done to texts before they are cut: the transforms of jiwer that change text, and those of EED."""

from __future__ import annotations

import re
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
_BLANKS = " \t\n\r\v\f"  # ASCII's
_SPACES = {ord(each): " " for each in _BLANKS}
_NO_SPACES = dict.fromkeys(map(ord, _BLANKS))


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

# EED's program puts spaces before marks, and takes some of them back. The dot after a title stands for any character.
_NUMBER = re.compile(r"(\d) ([.,]) (\d)")
_TITLE = re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) .")


def _prepared_english(text: str) -> str:
    text = re.sub(r"\s+", " ", re.sub("([.!?,])", r" \1", text.rstrip()))
    text = _TITLE.sub(r"\1.", _NUMBER.sub(r"\1\2\3", text))
    for short in ("e.g.", "i.e.", "U.S."):
        text = text.replace(" ".join(short), short)
    return f" {text} "


EED_TRANSFORMS: Mapping[str, Transformation] = {
    "eed-en": Transformation(
        _prepared_english,
        "marks after words are split off, abbreviations and numbers stay whole, and a space stands at both ends",
    ),
    "eed-ja": Transformation(
        lambda text: unicodedata.normalize("NFKC", text.rstrip()), "NFKC, without whitespace at the end"
    ),
}

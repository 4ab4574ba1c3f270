"""The tokenizers of METEOR 1.5, which run before words are aligned: Java's words and lower case, and the Normalizer.

The Normalizer is the Moses tokenizer of 2010 with changes by METEOR. Its rules are substitutions that run one after
another, each over the whole text from left to right. A match includes the neighbouring characters, so the next match
cannot use them. Here each rule is one substitution for all texts at once, joined by newlines. No rule matches across
texts, because METEOR puts a space at both ends of a text. The jar lists the abbreviations that keep their period.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrow import pa
from metrologue.data.strings import AnyTexts
from metrologue.kernels.spans import BLANK, ORDINARY
from metrologue.text.lexicon.locate import jar_file, long_name
from metrologue.text.tokenizers.base import Tokenizer, Tokens
from metrologue.text.tokenizers.functions import lowered, of_distinct
from metrologue.text.tokenizers.java_case import java_lower
from metrologue.text.tokenizers.spans import Spans, table

# Java's StringTokenizer cuts at these.
BLANKS = tuple(b"\t\n\f\r ")

_LETTERS = "A-Za-zŠŽšžŸÀ-ÖØ-öø-žЀ-ӿԀ-ԧꙀ-ꙮ꙾-ꚗᴀ-ᵿ"
_ALPHANUMERIC = f"0-9{_LETTERS}"
# The Normalizer turns these, too, into spaces at the end.
_SPACES = (0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)

# Patterns for the neighbours of a mark.
_NO_DIGIT, _DIGIT = "[^0-9]", "[0-9]"
_NO_LETTER, _LETTER = f"[^{_LETTERS}]", f"[{_LETTERS}]"

_Rule = Callable[[str], str]


def _beside(mark: str, left: str, right: str, new: str) -> _Rule:
    """A rule that writes `new` for a mark between two characters.

    A match includes the character to its right. A mark after that character then has no left neighbour any more.
    """
    # A pattern that begins with a literal character is found fast.
    search = re.compile(f"{mark}(?<={left}{mark})({right}{mark}?)")

    def rule(text: str) -> str:
        parts = search.split(text)
        parts[1::2] = map(new.__add__, parts[1::2])  # a template for each match would take much longer
        return "".join(parts)

    return rule


_COMMAS = [
    _beside(",", left, right, " , ")
    for left, right in ((_NO_DIGIT, _NO_DIGIT), (_DIGIT, _NO_DIGIT), (_NO_DIGIT, _DIGIT))
]
_HYPHENS = [_beside("-", f"[{_ALPHANUMERIC}.]", f"[{_ALPHANUMERIC}]", " ")]
_APOSTROPHES = {
    "en": [
        _beside("'", _NO_LETTER, _NO_LETTER, " ' "),
        _beside("'", f"[^{_LETTERS}0-9]", _LETTER, " ' "),
        _beside("'", _LETTER, _NO_LETTER, " ' "),
        _beside("'", _LETTER, _LETTER, " '"),
        _beside("'", _DIGIT, "s", " '"),
    ],
    "fr": [
        _beside("'", _NO_LETTER, _NO_LETTER, " ' "),
        _beside("'", _NO_LETTER, _LETTER, " ' "),
        _beside("'", _LETTER, _NO_LETTER, " ' "),
        _beside("'", _LETTER, _LETTER, "' "),
    ],
}
_OTHERS = re.compile(f"([^{_ALPHANUMERIC} \t\n\v\f\r.'`,\\-‘’])")
_MANY_PERIODS = re.compile(r"\.(\.+)")
_ESCAPED_PERIOD = re.compile(r"DOTMULTI\.([^.])")
# From the first DOT of a row, and all of the row at once: otherwise each DOT of a long row would be tried in turn.
_ESCAPED_PERIODS = re.compile(r"DOT(?<!DOTDOT)((?:DOT)*+)MULTI")
_LAST_PERIOD = re.compile(r"\.(?= +([^ ]))")
_ANY_LETTER = re.compile(_LETTER)
_ANY_ALPHANUMERIC = re.compile(f"[{_ALPHANUMERIC}]")
_CONTROLS = re.compile(r"[\x00-\t\v-\x1f]")
_AT_ENDS = "".join(map(chr, (*range(10), *range(11, 33), *_SPACES)))


def _periods_escaped(text: str) -> str:
    """The text with runs of periods written as words of letters, which the other rules do not change."""
    text = _MANY_PERIODS.sub(lambda match: f" {'DOT' * len(match[1])}DOTMULTI ", text)
    while "DOTMULTI." in text:  # the text itself contained such a word
        text = _ESCAPED_PERIOD.sub(r"DOTDOTMULTI \1", text).replace("DOTMULTI.", "DOTDOTMULTI")
    return text


def _without_last_periods(text: str, abbreviations: dict[str, bool]) -> str:
    """Separate the period at the end of a word, unless the word is an abbreviation."""
    parts = []
    done = 0
    for match in _LAST_PERIOD.finditer(text):
        start, stop = text.rindex(" ", 0, match.start()) + 1, match.start()
        word, following = text[start:stop], match[1]
        only_before_digits = abbreviations.get(word)
        if "." in word and _ANY_LETTER.search(word):
            parts += [text[done:start], word.replace(".", "")]
            done = stop + 1
        elif not (
            not word
            or only_before_digits is False
            or "a" <= following <= "z"
            or (only_before_digits and "0" <= following <= "9")
        ):
            parts += [text[done:stop], " "]
            done = stop
    return "".join([*parts, text[done:]])


def _abbreviations(language: str) -> dict[str, bool]:
    """The abbreviations, which keep their period. The value says whether they keep it only before a digit."""
    lines = jar_file(f"nonbreaking/{long_name(language)}.prefixes").read_text("utf-8").split("\n")
    words = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return {word: rest[:1] == ["#NUMERIC_ONLY#"] for word, *rest in words}


def _normalized(text: str, language: str, abbreviations: dict[str, bool]) -> str:
    """METEOR's Normalizer on lines that begin and end with a space."""
    text = _periods_escaped(" ".join(_OTHERS.split(text)))
    for rule in _COMMAS:
        text = rule(text)
    for quote in "`‘’":
        text = text.replace(quote, "'")
    for quote in ("''", "“", "”"):
        text = text.replace(quote, ' " ')
    text = text.replace("–", "-").replace("--", "-")
    for rule in _HYPHENS:
        text = rule(text)
    if language in _APOSTROPHES:
        for rule in _APOSTROPHES[language]:
            text = rule(text)
    else:
        text = text.replace("'", " ' ")
    text = _without_last_periods(text, abbreviations)
    return _ESCAPED_PERIODS.sub(lambda match: "." * (1 + len(match[1]) // 3), text)


@dataclass(frozen=True, eq=False)
class Normalized(Tokenizer):
    """METEOR 1.5 with ``-norm``, with or without ``-noPunct``. Tokens are in lower case.

    With `ptb`, METEOR gets the tokens of `ptb` between spaces, as pycocoevalcap gives them to it.
    """

    language: str = "en"
    no_punct: bool = False
    ptb: bool = False

    def tokenize(self, texts: AnyTexts) -> Tokens:
        if self.ptb:
            from metrologue.text.tokenizers.ptb import PennTreebank

            texts = PennTreebank(cut="blank").lines(texts)
        return of_distinct(texts, self._cut)

    def _cut(self, texts: pa.LargeStringArray) -> Tokens:
        lines = " \n ".join([text.replace("\n", " ") for text in texts.to_pylist()])
        for blank in "\t\r\f":
            lines = lines.replace(blank, " ")
        lines = _normalized(f" {lines} \n", self.language, _abbreviations(self.language))
        if not self.no_punct and _CONTROLS.search(lines):
            lines = "\n".join([line.strip(_AT_ENDS) for line in lines.split("\n")])
        content = lines.encode()
        ends = np.flatnonzero(np.frombuffer(content, np.uint8) == ord("\n")) + 1
        limits = pa.py_buffer(np.concatenate([[0], ends]))
        cut = Spans(_classes(self.no_punct))(
            pa.LargeStringArray.from_buffers(len(ends), limits, pa.py_buffer(content)).slice(0, len(texts))
        )
        return lowered(cut, java_lower)


@cache
def _classes(no_punct: bool) -> NDArray[np.uint8]:
    if not no_punct:
        return table((*BLANKS, *_SPACES))
    classes = np.full_like(table(BLANKS), BLANK)
    # All characters of the pattern are in the first plane of Unicode.
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x10000)]))
    classes[[ord(character) for character in _ANY_ALPHANUMERIC.findall(every)]] = ORDINARY
    return classes


@dataclass(frozen=True, eq=False)
class Split(Tokenizer):
    """METEOR 1.5 without ``-norm``: Java's StringTokenizer. With ``-lower``, tokens are in lower case."""

    lowercase: bool = False

    def tokenize(self, texts: AnyTexts) -> Tokens:
        tokens = Spans(table(BLANKS))(texts)
        return lowered(tokens, java_lower) if self.lowercase else tokens


METEOR: dict[str, Callable[..., Tokenizer]] = {"meteor-1.5": Split, "meteor-1.5-norm": Normalized}

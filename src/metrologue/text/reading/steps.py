"""The steps of a reading, which turn a column of texts into tokens."""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import up_to
from metrologue.data.strings import (
    AnyTexts,
    changed,
    changed_all,
    lower,
    of_strings,
    without_characters,
    without_matches,
    without_string,
)
from metrologue.text.normalizers import NORMALIZERS, is_normalizer, normalizer_of
from metrologue.text.reading.kept import KEPT
from metrologue.text.reading.pages import Page, Reading, Step
from metrologue.text.reading.transforms import EED_TRANSFORMS, TRANSFORMS
from metrologue.text.tokenizers import canonical_name, get_tokenizer
from metrologue.text.tokenizers.base import Tokens
from metrologue.text.tokenizers.functions import from_lists
from metrologue.text.tokenizers.sentences import (
    SENTENCE_RULES,
    first_bytes,
    first_of_stripped,
    first_words,
    split_sentences,
)
from metrologue.text.tokenizers.sentences import Sentences as Parts
from metrologue.text.tokenizers.spans import intern_texts


class _OfTexts(Step):
    """A step that changes each text, before there are tokens."""

    def __call__(self, page: Page) -> Page:
        parts = page.uncut()
        return Page(Parts(self.change(parts.texts), parts.offsets))

    @abstractmethod
    def change(self, texts: AnyTexts) -> AnyTexts:
        """The texts after the step."""


class Lower(_OfTexts):
    """``str.lower()`` of each text."""

    def change(self, texts: AnyTexts) -> AnyTexts:
        return lower(texts)


@dataclass(frozen=True)
class EraseMatches(_OfTexts):
    """``re.sub(pattern, "", text)`` of each text, for one pattern after another."""

    patterns: tuple[str, ...]

    def change(self, texts: AnyTexts) -> AnyTexts:
        for pattern in self.patterns:
            if _is_literal(pattern):
                texts = without_string(texts, pattern)
            elif characters := _characters_of(pattern):
                texts = without_characters(texts, characters)
            else:
                texts = without_matches(texts, pattern)
        return texts


def _is_literal(pattern: str) -> bool:
    """Whether a regular expression is text that matches itself only."""
    return bool(pattern) and not {*pattern} & {*".^$*+?{}[]\\|()"}


# A set of letters, digits, ranges of these, and marks without a meaning in a set; once, or once and more.
_SET = re.compile(r"""\[((?:[0-9A-Za-z](?:-[0-9A-Za-z])?|[ _.,:;!?'"])+)\]\+?""")
_OF_SET = re.compile("(.)(?:-(.))?")


def _characters_of(pattern: str) -> str:
    """The characters that a regular expression erases wherever they are, or "" if it is another one."""
    match = _SET.fullmatch(pattern)
    ranges = [(ord(first), ord(last or first)) for first, last in _OF_SET.findall(match[1])] if match else []
    if any(first > last for first, last in ranges):  # re refuses it
        return ""
    return "".join(chr(point) for first, last in ranges for point in range(first, last + 1))


@dataclass(frozen=True)
class EraseCharacters(_OfTexts):
    """Each text without these characters of ASCII."""

    characters: str

    def __post_init__(self) -> None:
        is_ascii = isinstance(self.characters, str) and self.characters.isascii()
        self._require("characters", is_ascii, "a str of ASCII characters")

    def change(self, texts: AnyTexts) -> AnyTexts:
        return without_characters(texts, self.characters)


_CHANGES = {**TRANSFORMS, **EED_TRANSFORMS}


@dataclass(frozen=True)
class Transform(_OfTexts):
    """Each text after a change of ``metrologue.text.reading.transforms``."""

    name: str

    def __post_init__(self) -> None:
        self._require_one_of("name", _CHANGES)

    def change(self, texts: AnyTexts) -> AnyTexts:
        return changed(texts, _CHANGES[self.name].apply)


@dataclass(frozen=True)
class Normalize(_OfTexts):
    """Each text after a normalizer of ``metrologue.text.normalizers``."""

    name: str

    def __post_init__(self) -> None:
        known = isinstance(self.name, str) and is_normalizer(self.name)
        self._require("name", known, f"{' or '.join(NORMALIZERS)}, or a function")

    def change(self, texts: AnyTexts) -> AnyTexts:
        return changed_all(texts, normalizer_of(self.name))


@dataclass(frozen=True)
class Sentences(Step):
    """Sentences by a rule of ``metrologue.text.tokenizers.sentences.split_sentences``. It comes before any limit."""

    rule: str

    def __post_init__(self) -> None:
        self._require_one_of("rule", SENTENCE_RULES)

    def __call__(self, page: Page) -> Page:
        return Page(split_sentences(page.uncut().texts, self.rule))


@dataclass(frozen=True)
class FirstWords(Step):
    """The first words of each text, as ROUGE-1.5.5 counts them."""

    limit: int

    def __post_init__(self) -> None:
        self._require_count("limit", 1)

    def __call__(self, page: Page) -> Page:
        return Page(first_words(page.uncut(), self.limit))


@dataclass(frozen=True)
class FirstBytes(Step):
    """The first bytes of each text, or with `each` of each sentence, as ROUGE-1.5.5 counts; see ``first_bytes``."""

    limit: int
    each: bool = False

    def __post_init__(self) -> None:
        self._require_count("limit", 1)

    def __call__(self, page: Page) -> Page:
        return Page(first_bytes(page.uncut(), self.limit, self.each))


@dataclass(frozen=True)
class FirstOfStripped(Step):
    """The first words or characters of each text, as py-rouge counts them; see ``first_of_stripped``."""

    words: int | None = None
    characters: int | None = None

    def __call__(self, page: Page) -> Page:
        return Page(first_of_stripped(page.uncut(), self.words, self.characters))


@dataclass(frozen=True)
class Tokenize(Step):
    """The tokens from a tokenizer of ``metrologue.text.tokenizers``."""

    tokenizer: str

    def __post_init__(self) -> None:
        self._require("tokenizer", isinstance(self.tokenizer, str), "a str")
        object.__setattr__(self, "tokenizer", canonical_name(self.tokenizer))

    def __call__(self, page: Page) -> Page:
        parts = page.uncut()
        return Page(parts, get_tokenizer(self.tokenizer).tokenize(parts.texts))


class LowerTokens(Step):
    """``str.lower()`` of each token. A capital sigma is final at the end of a token, even within a word."""

    def __call__(self, page: Page) -> Page:
        tokens = page.cut()
        types = intern_texts(lower(tokens.texts()))
        lowered = Tokens(types.ids[tokens.ids], tokens.offsets, types.buffer, types.starts, types.lengths)
        return page._replace(tokens=lowered)


class Retokenize(Tokenize):
    """The tokens after each one is tokenized again, as a text of its own."""

    def __call__(self, page: Page) -> Page:
        tokens = page.cut()
        again = get_tokenizer(self.tokenizer)(of_strings(tokens.spellings()))
        parts = from_lists([again.of_text(number) for number in range(len(tokens.starts))], tokens.ids)
        return page._replace(tokens=parts._replace(offsets=parts.offsets[tokens.offsets]))


class Drop(Step):
    """The tokens without the stop words of ROUGE-1.5.5."""

    def __call__(self, page: Page) -> Page:
        from metrologue.text.lexicon.word_lists import rouge_words  # most readings need neither
        from metrologue.text.reading.maps import without

        return page._replace(tokens=without(page.cut(), rouge_words()))


@dataclass(frozen=True)
class Stem(Step):
    """The stems of tokens with more than `longer_than` characters; see ``metrologue.text.reading.maps.stemmed``."""

    stemmer: str
    longer_than: int = 3

    def __post_init__(self) -> None:
        from metrologue.text.stemmers import STEMMERS

        self._require_one_of("stemmer", STEMMERS)
        self._require_count("longer_than", 0)

    def __call__(self, page: Page) -> Page:
        from metrologue.text.reading.maps import stemmed

        return page._replace(tokens=stemmed(page.cut(), self.stemmer, self.longer_than))


def words(tokenizer: str, lowercase: bool = False) -> Reading:
    """The reading of most metrics: the tokens of texts, or with `lowercase` of texts in lower case.

    Examples
    --------
    >>> words("13a", lowercase=True)
    (Lower(), Tokenize(tokenizer='13a'))
    """
    return (Lower(), Tokenize(tokenizer)) if lowercase else (Tokenize(tokenizer),)


def read(texts: AnyTexts, reading: Reading) -> tuple[Tokens, NDArray[np.int64]]:
    """The tokens of texts, and the offsets of each text among all sentences, (n_texts + 1,).

    Raises an InputError if the reading does not have exactly one `Tokenize`, after its steps on texts; if a tokenizer,
    a rule or a stemmer does not exist, or needs something that is not installed.
    """
    page, kept = Page(Parts(texts, up_to(len(texts) + 1))), KEPT.get()
    for step in reading:
        page = kept.after(page, step) if kept else step(page)
    return page.cut(), page.parts.offsets

"""Tokenizers that refine the tokens of another tokenizer."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import chain, dropwhile, groupby
from string import punctuation
from unicodedata import category, combining, normalize

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import AnyTexts, Strings, buffers, lower, replaced, without_characters
from metrologue.kernels.spans import BLANK
from metrologue.kernels.utf8 import ascii_lower
from metrologue.text.tokenizers.base import Tokenizer, Tokens
from metrologue.text.tokenizers.functions import (
    Function,
    beyond_ascii,
    not_alnum,
    replaced_by_spans,
    retokenize,
    split_compounds,
)
from metrologue.text.tokenizers.sentences import split_sentences
from metrologue.text.tokenizers.spans import SPANS, Spans, table
from metrologue.text.tokenizers.tercom import Tercom
from metrologue.text.tokenizers.unicode import category as symbols_of


class Periods(Tokenizer):
    """The tokens of ``Rouge.get_scores`` in `rouge` 1.0.1: sentences end at ".", and ``str.split()`` cuts each.

    A sentence that is only whitespace, such as the one after the last ". ", is one empty token.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        sentences = split_sentences(texts, "period")
        tokens = SPANS["whitespace"]()(sentences.texts)
        counts = np.diff(tokens.offsets)
        empty_token = len(tokens.starts)
        offsets = np.concatenate([[0], np.cumsum(np.maximum(counts, 1))])
        return Tokens(
            np.insert(tokens.ids, tokens.offsets[:-1][counts == 0], empty_token),
            offsets[sentences.offsets],
            tokens.buffer,
            np.append(tokens.starts, 0),
            np.append(tokens.lengths, 0),
        )


class ContractedWords(Tokenizer):
    """The words of ``rouge-score``, with five contractions cut as nltk's ``word_tokenize`` cuts them: "gonna" is two.

    Its other rules are about marks, and there are none left.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        tokens = SPANS["rouge-score"]()(texts)
        spellings = tokens.spellings()
        return retokenize(tokens, _CONTRACTED.__getitem__, np.array([word in _CONTRACTED for word in spellings], bool))


_CONTRACTED = {
    "gimme": ["gim", "me"], "gonna": ["gon", "na"], "gotta": ["got", "ta"], "lemme": ["lem", "me"],
    "wanna": ["wan", "na"],
}  # fmt: skip


def _chinese_words(text: str) -> list[str]:
    """The words of rouge-chinese: its sentences are cut first, so that a mark that ends one also ends its word.

    A sentence that is only whitespace, such as an indented line that is empty, is one empty token.
    """
    for pattern in _CHINESE_ENDS:
        text = pattern.sub(lambda match: f"{match[0][:-1]}\n{match[0][-1]}", text)
    return [word for sentence in text.rstrip().split("\n") if sentence for word in sentence.split() or [""]]


# Each takes the first character of the next sentence too, which then ends no sentence in the same pass.
_CHINESE_ENDS = [re.compile(one) for one in ("[。！？?][^”’]", r"\.{6}[^”’]", "……[^”’]", "[。！？?][”’][^，。！？?]")]


# Unicode's Default_Ignorable_Code_Point: joiners, direction marks, soft hyphens, variation selectors.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
# Han, kana, bopomofo, Yi, Tangut, Khitan, Nüshu.
_IDEOGRAPHS = (
    "\u3000-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uf900-\ufaff"
    "\U00016fe0-\U00018dff\U0001aff0-\U0001b2ff\U00020000-\U0003fffd"
)
# In these blocks, only a dictionary finds words (line breaking class SA): Thai, Lao, Myanmar, Khmer, Tai, Ahom.
_SOUTH_EAST_ASIAN = (
    range(0x0E00, 0x0F00),
    range(0x1000, 0x10A0),
    range(0x1780, 0x1800),
    range(0x1950, 0x19E0),
    range(0x1A20, 0x1AB0),
    range(0xA9E0, 0xAA00),
    range(0xAA60, 0xAAE0),
    range(0x116D0, 0x11700),
    range(0x11700, 0x11750),
)


@cache
def _cut() -> Callable[[str], list[str]]:
    characters = [chr(point) for block in _SOUTH_EAST_ASIAN for point in block]
    letters = "".join(c for c in characters if category(c)[0] == "L")
    marks = "".join(c for c in characters if category(c)[0] == "M")
    alone = _IDEOGRAPHS + letters
    return re.compile(rf"[{alone}][{marks}\u0300-\u036f\u302a-\u302f\u3099\u309a]*|[^{alone}\s]+").findall


def _words(run: str) -> list[str]:
    """The words of a run of letters, digits and marks."""
    if run.isascii():
        return [run.lower()]
    # A mark at the beginning belongs to the symbol before the run.
    characters = dropwhile(lambda c: category(c)[0] == "M", _IGNORABLE.sub("", run))
    folded = _normalized("".join(characters)).casefold()
    return _cut()(_normalized(folded))  # case-folding may have split a letter into several characters


def _normalized(text: str) -> str:
    """The text in NFKC. Python's sort of marks is slow for long runs, so the marks of long texts are sorted first."""
    if len(text) > 100:
        apart = "".join([normalize("NFKD", character) for character in text])
        runs = groupby(apart, lambda character: combining(character) > 0)
        text = "".join(chain.from_iterable(sorted(run, key=combining) if marks else run for marks, run in runs))
    return normalize("NFKC", text)


class UnicodeWords(Tokenizer):
    """Words of any script: runs of letters, digits and marks, in NFKC and case-folded.

    Punctuation and symbols separate words and are dropped. Some scripts have no spaces between words, such as Han, kana
    and Thai. There, each character with its marks is a word. Canonically equivalent texts have equal tokens. Characters
    that are newer than Python's Unicode tables are neither normalized nor folded.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        tokens = Spans(_between_words())(texts)
        return retokenize(tokens, _words, beyond_ascii(tokens), ascii_lower(tokens.buffer))


@cache
def _between_words() -> NDArray[np.uint8]:
    classes = table().copy()
    # Everything else is part of a word: letters, digits, marks, joiners, and characters that Unicode will add.
    for between in (symbols_of("P"), symbols_of("S"), range(0x20), range(0x7F, 0xA0), [0x200B]):
        classes[list(between)] = BLANK
    return classes


class ChrfWords(Tokenizer):
    """The words of chrF++: ``str.split()``, then one ASCII punctuation mark is split off each longer word.

    It is the last character, or otherwise the first: "(hi)" becomes "(hi" and ")". A word of one character stays.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        tokens = SPANS["whitespace"]()(texts)
        starts, lengths, is_mark = tokens.starts, tokens.lengths, _is_mark()
        longer = lengths > 1
        at_end = longer & is_mark[tokens.buffer[starts + lengths - 1]]
        at_start = longer & ~at_end & is_mark[tokens.buffer[starts]]
        counts = 1 + (at_end | at_start)
        first = np.cumsum(counts) - counts
        second = (first + 1)[counts > 1]
        spans = np.repeat(starts, counts), np.repeat(lengths, counts)
        begins = np.where(at_end, lengths - 1, 1)[counts > 1]  # where the second part of a word is
        spans[0][second] += begins
        spans[1][second] -= begins
        spans[1][first[counts > 1]] = begins
        return replaced_by_spans(tokens, counts, tokens.buffer, *spans)


@cache
def _is_mark() -> NDArray[np.bool_]:
    """Which bytes are punctuation marks of ASCII."""
    is_mark = np.zeros(256, np.bool_)
    is_mark[[*map(ord, punctuation)]] = True
    return is_mark


_ARTICLES = re.compile(r"\b(a|an|the)\b")


class SquadWords(Tokenizer):
    """The words of SQuAD's evaluation script: lower case, without ASCII punctuation, without English articles.

    Without its punctuation, a word closes up: "it's" is "its". An article may be part of a longer word, next to a
    character that is neither a letter nor a digit, such as a dash beyond ASCII. It then separates the rest.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        tokens = SPANS["whitespace"]()(without_characters(lower(texts), punctuation))
        return retokenize(tokens, _without_articles, not_alnum(tokens) | (tokens.lengths <= len("the")))


def _without_articles(word: str) -> list[str]:
    if word.isalnum():
        return [] if word in ("a", "an", "the") else [word]
    return _ARTICLES.sub(" ", word).split()


class CompoundWords(Tokenizer):
    """The words between whitespace, with compounds cut as get_ende_bleu.sh of tensor2tensor cuts them.

    "well-known" is "well ##AT##-##AT## known". Of "a-b-c", the second hyphen stays: its letter before was used.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        return retokenize(SPANS["whitespace"]()(texts), lambda word: split_compounds(word).split())


class LexicalRichnessWords(Tokenizer):
    """The words of lexicalrichness: lower case, without digits, hyphens and dashes; ASCII punctuation separates.

    "state-of-the-art" is one word, "stateoftheart"; "don't" is two, "don" and "t".
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        return _between_marks()(without_characters(lower(texts), "0123456789-"))


@cache
def _between_marks() -> Spans:
    classes = table().copy()
    classes[[ord(mark) for mark in punctuation]] = BLANK
    dashes = str.maketrans("", "", "\u2013\u2014")
    return Spans(classes, replace=lambda text: text.translate(dashes), triggers=b"\xe2")


class LexicalDiversityWords(Tokenizer):
    """The words of lexical-diversity's ``tokenize``: punctuation is removed, and what is left is in lower case.

    Whitespace at either end of the text leaves an empty token there. A text without a word is one empty token.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        cleaned = Strings(*replaced(*buffers(texts), np.arange(len(texts)), _without_marks))
        return SPANS["blank"]()(lower(cleaned))


def _without_marks(text: str) -> str:
    """The text without the package's marks, in their order, each run of whitespace as one space."""
    erased = text.replace("``", "").translate(_FIRST_MARKS).replace("SYM", "").translate(_LAST_MARKS)
    return (
        " " * erased[:1].isspace() + " ".join(erased.split()) + " " * (erased[-1:].isspace() and not erased.isspace())
    )


_FIRST_MARKS, _LAST_MARKS = str.maketrans("", "", "'.,?!)(%/-_"), str.maketrans("", "", ":;")


class ScikitLearnWords(Tokenizer):
    """The words of scikit-learn's ``CountVectorizer``, case kept: two or more letters, digits and underscores.

    Everything else separates words, and words of one character are dropped.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        tokens = SPANS["whitespace"]()(texts)
        return retokenize(tokens, _LONG_WORDS, not_alnum(tokens) | (tokens.lengths <= 4))  # perhaps one character


class DropWords(Tokenizer):
    """The words of DROP's evaluation script, as SQuAD's has them, but a hyphen separates, and numbers are compared.

    What Python reads as a number becomes a float, "7" and "7.0" alike, and keeps its sign of the exponent and its
    point. U+0020 and "-" separate what is looked at.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        return Function("drop", _drop_words).tokenize(texts)


def _drop_words(text: str) -> list[str]:
    parts = re.split("[ -]", text.lower())
    numbers = (_ARTICLES.sub(" ", _as_number(part) or _as_number(part.translate(_UNMARKED), True)) for part in parts)
    return " ".join(numbers).split()


def _as_number(text: str, or_text: bool = False) -> str:
    """A number as Python prints the float; for any other text "", or itself."""
    try:
        return str(float(text))
    except ValueError:
        return text if or_text else ""


class MathAnswer(Tokenizer):
    r"""An answer in LaTeX, as the MATH benchmark compares it: one token; ``\frac12``, ``1/2`` and ``0.5`` are the same.

    A text that the benchmark's script fails on equals only itself: an empty token stands before it.
    """

    def tokenize(self, texts: AnyTexts) -> Tokens:
        return Function("math", _math_answer).tokenize(texts)


def _math_answer(text: str) -> list[str]:
    answer = text
    for spelled, instead in _SPELLINGS:
        answer = answer.replace(spelled, instead)
    answer, *units = answer.split(r"\text{ ")
    for spelled, instead in _AMOUNTS:
        answer = answer.replace(spelled, instead)
    answer = f"0{answer}" if answer.startswith(".") else answer
    left, *right = answer.split("=")
    answer = right[0] if len(right) == 1 and len(left) <= 2 else answer  # "x=", "k "
    before, *roots = answer.split(r"\sqrt")
    if len(units) > 1 or "" in roots:
        return ["", text]
    answer = "".join([before, *(rf"\sqrt{_braced(root[0])}{root[1:]}" for root in roots)]).replace(" ", "")
    before, *fractions = answer.split(r"\frac")
    lacking = next((part for part in fractions if len(part) < 2 and part != "{"), None)
    if lacking == "":
        return ["", text]
    if lacking is None:  # otherwise all fractions stay as they are written
        answer = "".join([before, *map(_fraction, fractions)])
    answer = r"\frac{1}{2}" if answer == "0.5" else answer
    return [_RATIO.sub(r"\\frac{\1}{\2}", answer)]


def _braced(character: str) -> str:
    return character if character == "{" else f"{{{character}}}"


def _fraction(part: str) -> str:
    return rf"\frac{part}" if part.startswith("{") else rf"\frac{_braced(part[0])}{_braced(part[1])}{part[2:]}"


# One after another, as in the script: what one leaves can be what the next replaces, even the same one.
_SPELLINGS = (
    ("\n", ""), (r"\!", ""), (r"\\", "\\"), ("tfrac", "frac"), ("dfrac", "frac"), (r"\left", ""), (r"\right", ""),
    (r"^{\circ}", ""), (r"^\circ", ""), (r"\$", ""),
)  # fmt: skip
_AMOUNTS = ((r"\%", ""), (r"\%", ""), (" .", " 0."), ("{.", "{0."))
_RATIO = re.compile(r"\A(0|-?[1-9][0-9]{0,4299})/(0|-?[1-9][0-9]{0,4299})\Z")  # of ints that Python prints alike
_UNMARKED = str.maketrans("", "", punctuation)
_LONG_WORDS = re.compile(r"\w\w+").findall


COMPOSED: dict[str, Callable[..., Tokenizer]] = {
    "rouge": Periods,
    "rouge-score": lambda contractions=False: ContractedWords() if contractions else SPANS["rouge-score"](),
    "rouge-chinese": lambda: Function("rouge-chinese", _chinese_words),
    "unicode-words": UnicodeWords,
    "chrf": ChrfWords,
    "tercom": Tercom,
    "squad": SquadWords,
    "compounds": CompoundWords,
    "lexicalrichness": LexicalRichnessWords,
    "lexical-diversity": LexicalDiversityWords,
    "scikit-learn": ScikitLearnWords,
    "drop": DropWords,
    "math": MathAnswer,
}

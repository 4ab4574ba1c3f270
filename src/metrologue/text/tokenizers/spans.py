"""Tokenizers with tokens that are spans of the text, so that one byte kernel serves them all.

Each tokenizer is a table of character classes (see `metrologue.kernels.spans`). If the library first replaces some
strings, the tokenizer also does so, for the few texts that contain one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import AnyTexts, Strings, arrow, buffers, replaced
from metrologue.kernels.spans import BLANK, DASH, DIGIT, LONE, ORDINARY, POINT, SYMBOL
from metrologue.kernels.utf8 import ascii_lower, rows_with
from metrologue.text.tokenizers.base import Tokenizer, Tokens
from metrologue.text.tokenizers.kernels.tokens import cut_and_named
from metrologue.text.tokenizers.unicode import CODE_POINTS, category

# The characters of str.isspace(), which str.split() and str.rstrip() use. They are the same since Unicode 6.3.
PYTHON_BLANKS = (
    *range(0x09, 0x0E), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F,
    0x3000,
)  # fmt: skip
# Unicode's property White_Space: the whitespace of Rust, and \s of the package regex.
WHITE_SPACE = tuple(blank for blank in PYTHON_BLANKS if not 0x1C <= blank <= 0x1F)
_MTEVAL_REPLACEMENTS = (
    ("<skipped>", ""), ("-\n", ""), ("\n", " "), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"),
)  # fmt: skip
_INTERNATIONAL = (
    ("<skipped>", ""), ("\u2028", " "), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"),
)  # fmt: skip
_NLTK_REPLACEMENTS = (
    ("<skipped>", ""), ("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"), ("&quot;", '"'), ("&#124;", "|"), ("&#91;", "["),
    ("&#93;", "]"), ("&amp;", "&"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Spans(Tokenizer):
    """A tokenizer that is defined by a table of character classes.

    Attributes
    ----------
    classes : uint8 (0x110000,)
        The class of each code point.
    edge : int
        The class that is assumed beyond both ends of a text.
    keep_empty, strip, strip_both : bool
        Whether a token may be empty; whether whitespace at the end, or at both ends, is removed before anything else.
    replace, triggers, beyond_ascii
        A replacement that is made first. It changes only texts with one of the bytes `triggers`, or, if `beyond_ascii`
        is True, with a character beyond ASCII.
    lowercase : bool
        Whether A to Z become a to z after the replacement.
    """

    classes: NDArray[np.uint8]
    edge: int = ORDINARY
    keep_empty: bool = False
    strip: bool = False
    strip_both: bool = False
    replace: Callable[[str], str] | None = None
    triggers: bytes = b""
    beyond_ascii: bool = False
    lowercase: bool = False

    def tokenize(self, texts: AnyTexts) -> Tokens:
        if self.strip_both:
            import pyarrow.compute as pc  # slow to import, and seldom needed

            texts = pc.utf8_trim(arrow(texts), "".join(map(chr, PYTHON_BLANKS)))
        buffer, offsets = buffers(texts)
        if self.replace is not None:
            rows = rows_with(buffer, offsets, self.triggers, self.beyond_ascii).nonzero()[0]
            buffer, offsets = replaced(buffer, offsets, rows, self.replace)
        if self.lowercase:
            buffer = ascii_lower(buffer)
        if len(buffer) < 8:  # the kernel reads eight bytes at a time
            buffer = np.concatenate([buffer, np.zeros(8, np.uint8)])
        rules = self.classes, self.edge, self.keep_empty, self.strip
        ids, token_offsets, starts, lengths = cut_and_named(buffer, offsets, *rules)
        return Tokens(ids, token_offsets, buffer, starts, lengths)


@cache
def table(blanks: tuple[int, ...] = PYTHON_BLANKS) -> NDArray[np.uint8]:
    """The classes of all code points: BLANK for `blanks`, by default those of str.split(), ORDINARY for all others."""
    classes = np.full(CODE_POINTS, ORDINARY, np.uint8)
    classes[list(blanks)] = BLANK
    return classes


def intern(tokens: Iterable[str]) -> Tokens:
    """``Tokens`` for tokens that are already cut. Each token is a text of its own."""
    return intern_texts(Strings.of([*map(str.__str__, tokens)]))


def intern_texts(texts: AnyTexts) -> Tokens:
    """``Tokens`` of which each is a text of its own."""
    return _whole()(texts)


@cache
def _whole() -> Spans:
    """Each text is a token."""
    return Spans(table(()), keep_empty=True)


def _alphanumeric() -> NDArray[np.uint8]:
    classes = np.full(CODE_POINTS, BLANK, np.uint8)
    classes[[ord(c) for c in "abcdefghijklmnopqrstuvwxyz0123456789"]] = ORDINARY
    return classes


def _mteval_13a(blanks: tuple[int, ...]) -> NDArray[np.uint8]:
    classes = table(blanks).copy()
    classes[[ord(c) for c in '!"#$%&()*+/:;<=>?@[\\]^_`{|}~']] = SYMBOL
    classes[[ord(c) for c in ".,"]] = POINT
    classes[[ord(c) for c in "0123456789"]] = DIGIT
    classes[ord("-")] = DASH
    return classes


# Han, its marks and radicals, full-width forms: each character is a token of sacrebleu's `zh`, after its table.
_HAN = (
    (0x2E80, 0x2EFF), (0x2F00, 0x2FDF), (0x2FF0, 0x303F), (0x3100, 0x312F), (0x31A0, 0x31BF), (0x31C0, 0x31EF),
    (0x3200, 0x33FF), (0x3400, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A), (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF),
)  # fmt: skip
# Its table spells the planes beyond U+FFFF with four digits. So it splits these instead, and no character beyond.
_MISSPELLED = ((0x2001, 0x2A6D),)
_KANA_AND_BEYOND = ((0x3040, 0x30FF), (0x31F0, 0x31FF), (0x4DB6, 0x4DBF), (0x9FBC, 0x9FFF), (0x20000, 0x3FFFD))


def _each_alone(*ranges: tuple[int, int]) -> NDArray[np.uint8]:
    """13a's classes, but each character of these ranges is a token; whitespace among them stays whitespace."""
    classes = _mteval_13a(PYTHON_BLANKS)
    for first, last in ranges:
        part = classes[first : last + 1]
        part[part != BLANK] = SYMBOL
    return classes


def _mteval_14(blanks: tuple[int, ...] = PYTHON_BLANKS, numbers: str = "N") -> NDArray[np.uint8]:
    classes = table(blanks).copy()
    for name, kind in ((numbers, DIGIT), ("P", POINT), ("S", SYMBOL)):
        classes[category(name)] = kind
    return classes


def _replaced(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for old, new in pairs:
        text = text.replace(old, new)
    return text


_unescape = partial(_replaced, pairs=_MTEVAL_REPLACEMENTS)
_unescape_xml = partial(_replaced, pairs=_NLTK_REPLACEMENTS)


def _jiwer() -> NDArray[np.uint8]:
    classes = table().copy()
    classes[classes == BLANK] = LONE
    classes[0x20] = BLANK
    return classes


SPANS: dict[str, Callable[..., Spans]] = {
    "whitespace": lambda: Spans(table()),
    # As Java's StringTokenizer and HTML's rules have it: tab, line feed, form feed, carriage return, space.
    "ascii-whitespace": lambda lowercase=False: Spans(
        table(blanks=(0x09, 0x0A, 0x0C, 0x0D, 0x20)), lowercase=lowercase
    ),
    "13a": lambda: Spans(_mteval_13a(PYTHON_BLANKS), replace=lambda text: _unescape(text.rstrip()), triggers=b"<&\n"),
    "13a-unstripped": lambda: Spans(_mteval_13a(PYTHON_BLANKS), replace=_unescape, triggers=b"<&\n"),
    "13a-rust": lambda: Spans(_mteval_13a(WHITE_SPACE), replace=_unescape, triggers=b"<&\n"),
    "mteval-v13a": lambda preserve_case=False: Spans(
        _mteval_13a(WHITE_SPACE), replace=_unescape, triggers=b"<&\n", lowercase=not preserve_case
    ),
    "nist": lambda western=True, lowercase=False: Spans(
        _mteval_13a(PYTHON_BLANKS) if western else table(),
        replace=(lambda text: _unescape_xml(text).lower()) if lowercase else _unescape_xml,
        triggers=b"<&",
        beyond_ascii=lowercase,
        lowercase=lowercase,
    ),
    # At the ends of a text, mteval-v14 and zh find nothing to match. They leave a point there, as next to a digit.
    "zh": lambda: Spans(_each_alone(*_HAN, *_MISSPELLED), edge=DIGIT, strip_both=True),
    "cjk": lambda: Spans(
        _each_alone(*_HAN, *_KANA_AND_BEYOND), replace=lambda text: _unescape(text.rstrip()), triggers=b"<&\n"
    ),
    "intl": lambda: Spans(_mteval_14(), edge=DIGIT, strip=True),
    "mteval-intl": lambda: Spans(
        _mteval_14(WHITE_SPACE), edge=DIGIT, replace=partial(_replaced, pairs=_INTERNATIONAL), triggers=b"<&\xe2"
    ),
    "t2t": lambda: Spans(_mteval_14(numbers="Nd"), edge=DIGIT),
    "blank": lambda stripped=False: Spans(table(blanks=(0x20,)), keep_empty=True, strip_both=stripped),
    # jiwer strips whitespace at the ends of a text, and collapses whitespace next to whitespace.
    "text": lambda stripped=False: Spans(table(()), keep_empty=True, strip_both=True) if stripped else _whole(),
    "jiwer": lambda: Spans(_jiwer(), edge=BLANK),
    "rouge-1.5.5": lambda: Spans(_alphanumeric(), lowercase=True),
    # Beyond ASCII, str.lower() turns only the Kelvin sign and İ into ASCII letters. Their last bytes are these.
    "rouge-score": lambda: Spans(_alphanumeric(), lowercase=True, replace=str.lower, triggers=b"\xaa\xb0"),
}

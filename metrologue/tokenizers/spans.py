"""Tokenizers whose tokens are spans of the text, so that one byte kernel serves them all.

Each is a table of character classes (see `metrologue.kernels.spans`) and, where the library replaces some strings
first, that replacement for the few texts that hold one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.data.text import ascii_lower, buffers, replaced
from metrologue.kernels.interning import tokenize
from metrologue.kernels.spans import (
    BLANK,
    DASH,
    DIGIT,
    LONE,
    ORDINARY,
    POINT,
    SYMBOL,
    punctuation_spans,
    word_spans,
)
from metrologue.kernels.utf8 import rows_with
from metrologue.tokenizers.base import Tokenizer, Tokens
from metrologue.tokenizers.unicode import CODE_POINTS, category

__all__ = ["PYTHON_BLANKS", "SPANS", "WHITE_SPACE", "Spans", "intern", "table"]

# str.isspace(), which str.split() and str.rstrip() go by; the same in every Unicode version since 6.3.
PYTHON_BLANKS = (
    *range(0x09, 0x0E), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F,
    0x3000,
)  # fmt: skip
# Unicode's property of that name: Rust's blanks, and \s of the package regex.
WHITE_SPACE = tuple(blank for blank in PYTHON_BLANKS if not 0x1C <= blank <= 0x1F)
_MTEVAL_REPLACEMENTS = (
    ("<skipped>", ""), ("-\n", ""), ("\n", " "), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"),
)  # fmt: skip
_NLTK_REPLACEMENTS = (
    ("<skipped>", ""), ("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"), ("&quot;", '"'), ("&#124;", "|"), ("&#91;", "["),
    ("&#93;", "]"), ("&amp;", "&"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Spans(Tokenizer):
    """A tokenizer as a table.

    Attributes
    ----------
    classes : uint8 (0x110000,)
        The class of each code point.
    edge : int
        The class that stands beyond both ends of a text.
    keep_empty, strip : bool
        Whether a token may be empty; whether blanks at the end go before anything else.
    replace, triggers, beyond_ascii
        A replacement made first, and the bytes without one of which it changes nothing; whether characters beyond ASCII
        count among them.
    lowercase : bool
        Whether A to Z become a to z after that.
    """

    classes: NDArray[np.uint8]
    edge: int = ORDINARY
    keep_empty: bool = False
    strip: bool = False
    replace: Callable[[str], str] | None = None
    triggers: bytes = b""
    beyond_ascii: bool = False
    lowercase: bool = False

    @cached_property
    def punctuation(self) -> bool:
        """Whether some characters are tokens of their own."""
        return bool(np.isin(self.classes, (SYMBOL, POINT, DASH)).any())

    def __call__(self, texts: pa.LargeStringArray) -> Tokens:
        buffer, offsets = buffers(texts)
        if self.replace is not None:
            rows = np.flatnonzero(rows_with(buffer, offsets, self.triggers, self.beyond_ascii))
            if len(rows):
                buffer, offsets = replaced(buffer, offsets, rows, self.replace)
        if self.lowercase:
            buffer = ascii_lower(buffer)
        if len(buffer) < 8:  # the kernel reads eight bytes at a time
            buffer = np.concatenate([buffer, np.zeros(8, np.uint8)])
        spans = punctuation_spans if self.punctuation else word_spans
        rules = self.classes, self.edge, self.keep_empty, self.strip
        ids, token_offsets, starts, lengths = tokenize(buffer, offsets, spans, rules)
        return Tokens(ids, token_offsets, buffer, starts, lengths)


@cache
def table(blanks: tuple[int, ...] = PYTHON_BLANKS) -> NDArray[np.uint8]:
    """Classes of all code points: those of `blanks`, by default str.split()'s, and all others."""
    classes = np.full(CODE_POINTS, ORDINARY, np.uint8)
    classes[list(blanks)] = BLANK
    return classes


def intern(tokens: Iterable[str]) -> Tokens:
    """Ids for tokens that are cut already, each of them a text of its own."""
    return Spans(table(()), keep_empty=True)(pa.array(tokens, pa.large_string()))


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


def _mteval_14() -> NDArray[np.uint8]:
    classes = table().copy()
    for name, kind in (("N", DIGIT), ("P", POINT), ("S", SYMBOL)):
        classes[category(name)] = kind
    return classes


def _replaced(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for old, new in pairs:
        text = text.replace(old, new)
    return text


def _unescape(text: str) -> str:
    return _replaced(text, _MTEVAL_REPLACEMENTS)


def _unescape_xml(text: str) -> str:
    return _replaced(text, _NLTK_REPLACEMENTS)


def _unescape_xml_lower(text: str) -> str:
    return _unescape_xml(text).lower()


def _unescape_stripped(text: str) -> str:
    return _unescape(text.rstrip())


def _jiwer() -> NDArray[np.uint8]:
    classes = table().copy()
    classes[classes == BLANK] = LONE
    classes[0x20] = BLANK
    return classes


SPANS: dict[str, Callable[..., Spans]] = {
    "whitespace": lambda: Spans(table()),
    "13a": lambda: Spans(_mteval_13a(PYTHON_BLANKS), replace=_unescape_stripped, triggers=b"<&\n"),
    "13a-unstripped": lambda: Spans(_mteval_13a(PYTHON_BLANKS), replace=_unescape, triggers=b"<&\n"),
    "13a-rust": lambda: Spans(_mteval_13a(WHITE_SPACE), replace=_unescape, triggers=b"<&\n"),
    "mteval-v13a": lambda preserve_case=False: Spans(
        _mteval_13a(WHITE_SPACE), replace=_unescape, triggers=b"<&\n", lowercase=not preserve_case
    ),
    "nist": lambda western=True, lowercase=False: Spans(
        _mteval_13a(PYTHON_BLANKS) if western else table(),
        replace=_unescape_xml_lower if lowercase else _unescape_xml,
        triggers=b"<&",
        beyond_ascii=lowercase,
        lowercase=lowercase,
    ),
    # Beyond the text mteval-v14 finds nothing to match, which leaves a point there as a digit would.
    "intl": lambda: Spans(_mteval_14(), edge=DIGIT, strip=True),
    "blank": lambda: Spans(table(blanks=(0x20,)), keep_empty=True),
    # What is stripped or collapsed there: blanks at an edge, or beside each other.
    "jiwer": lambda: Spans(_jiwer(), edge=BLANK),
    "rouge-1.5.5": lambda: Spans(_alphanumeric(), lowercase=True),
    # Beyond ASCII, str.lower() makes an ASCII letter of the Kelvin sign and of İ only: their last bytes are these.
    "rouge-score": lambda: Spans(_alphanumeric(), lowercase=True, replace=str.lower, triggers=b"\xaa\xb0"),
}

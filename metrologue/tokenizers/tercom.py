"""The words that tercom compares under its options.

As sacrebleu 2.6 has them. None of its rules looks across a space of U+0020, so that each distinct stretch between such
spaces is cut once, however often it comes. Case is folded before, where it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import pyarrow as pa

from metrologue.tokenizers.base import Tokenizer, Tokens
from metrologue.tokenizers.functions import retokenize
from metrologue.tokenizers.spans import Spans, table

__all__ = ["Tercom"]

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
# In this order; a period or comma stays with a digit on either side only if there are digits on both.
_WESTERN = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"[ -&(-+/:-@\[-`{-~]", r" \g<0> "),
        (r"'s ", r" 's "),
        (r"([^0-9])([.,])", r"\1 \2 "),
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])-", r"\1 - "),
    )
)
_PUNCTUATION = re.compile(r'[.,?:;!"()]')
_ASIAN_PUNCTUATION = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
)
_ASIAN_MARKS = re.compile(f"[{_ASIAN_PUNCTUATION}]")
# Han, strokes, radicals and compatibility forms; U+3200 to U+3F22 was to be U+32FF. sacrebleu's rules for kana never
# match: they ask for the beginning of a text, where a blank has been put by then.
_ASIAN = re.compile(
    f"[\u2e80-\u2eff\u31c0-\u31ef\u3200-\u3f22\u3300-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    f"{_ASIAN_PUNCTUATION}]"
)
_BLANK_LEADS = b"\n\t\v\f\r\x1c\x1d\x1e\x1f\xc2\xe1\xe2\xe3"


def _joined(text: str) -> str:
    """The lines of a text as one, a hyphen at the beginning of a line dropped."""
    return text.rstrip().replace("\n-", "").replace("\n", " ")


@dataclass(frozen=True)
class Tercom(Tokenizer):
    """tercom's words under its options, case kept.

    Attributes
    ----------
    normalized, no_punct, asian_support : bool
        Its -N, -P and -A: see ``metrologue.scorers.Ter``.
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False

    def __call__(self, texts: pa.LargeStringArray) -> Tokens:
        stretches = _between_spaces()(texts) if self.normalized else Spans(table())(texts)
        return retokenize(stretches, self._words)

    def _words(self, text: str) -> list[str]:
        if self.normalized:
            for entity, character in _ENTITIES:
                text = text.replace(entity, character)
            text = f" {text} "
            for pattern, replacement in _WESTERN:
                text = pattern.sub(replacement, text)
            if self.asian_support:
                text = _ASIAN.sub(r" \g<0> ", text)
        if self.no_punct:
            text = _PUNCTUATION.sub("", text)
            if self.asian_support:
                text = _ASIAN_MARKS.sub("", text)
        return text.split()


@cache
def _between_spaces() -> Spans:
    # Other blanks are told apart from a space by the rule for 's, except at the end of a text.
    return Spans(table((0x20,)), replace=_joined, triggers=_BLANK_LEADS)

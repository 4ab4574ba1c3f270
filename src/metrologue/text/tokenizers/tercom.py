"""The words that tercom compares under its options, as in sacrebleu 2.6.

No rule of tercom looks across a space (U+0020). Each distinct stretch between such spaces is therefore cut only once,
however often it occurs. If case is ignored, the text is in lower case before this step.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from metrologue.data.strings import AnyTexts
from metrologue.text.tokenizers.base import Tokenizer, Tokens
from metrologue.text.tokenizers.functions import not_alnum, retokenize
from metrologue.text.tokenizers.spans import Spans, table

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
# The rules run in this order. A period or comma stays with its neighbours only if there are digits on both sides.
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
# Han, strokes, radicals and compatibility forms. U+3200 to U+3F22 was meant to end at U+32FF. sacrebleu's rules for
# kana never match: they require the beginning of a text, but there is already a space at that time.
_ASIAN = re.compile(
    f"[\u2e80-\u2eff\u31c0-\u31ef\u3200-\u3f22\u3300-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    f"{_ASIAN_PUNCTUATION}]"
)
_BLANK_LEADS = b"\n\t\v\f\r\x1c\x1d\x1e\x1f\xc2\xe1\xe2\xe3"


def _joined(text: str) -> str:
    """The lines of a text as one line. A hyphen at the beginning of a line is dropped."""
    return text.rstrip().replace("\n-", "").replace("\n", " ")


@dataclass(frozen=True)
class Tercom(Tokenizer):
    """The words of tercom under its options. Case is kept.

    Attributes
    ----------
    normalized, no_punct, asian_support : bool
        The options -N, -P and -A of tercom: see ``metrologue.scorers.Ter``.
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False

    def tokenize(self, texts: AnyTexts) -> Tokens:
        stretches = _between_spaces()(texts) if self.normalized else Spans(table())(texts)
        if not (self.normalized or self.no_punct):
            return stretches
        return retokenize(stretches, self._words, not_alnum(stretches))

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
    # The rule for 's treats other whitespace differently from a space, except at the end of a text.
    return Spans(table((0x20,)), replace=_joined, triggers=_BLANK_LEADS)

"""The two options of metrics that compare the tokens of texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from metrologue.scorers.core.options import option
from metrologue.segments import Segments, View
from metrologue.text.reading import Reading, words

__all__ = ["Tokenized"]


@dataclass(frozen=True, kw_only=True)
class Tokenized:
    """The part of a scorer that says how texts become tokens. It stands before the scorer's kind among the bases."""

    tokenizer: str = option(
        "whitespace", stage="read", choice="tokenizer", kind="tokenizer",
        about="One of ``metrologue.text.tokenizers.list_tokenizers()``.",
    )  # fmt: skip
    lowercase: bool = option(False, stage="read", choice="case", about="Whether to apply ``str.lower()`` first.")

    @cached_property
    def _words(self) -> Reading:
        return words(self.tokenizer, self.lowercase)

    def _view(self, segments: Segments) -> View:
        """The tokens that are compared."""
        return segments.read(self._words)

"""What a model's tokenizer does not know: all such tokens are one, [UNK], so that different words are equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metrologue.scorers.core.crossed import of_texts
from metrologue.segments import Segments

__all__ = ["unknown_hints"]

# A share of unknown tokens that is told.
_SHARE = 0.05


def unknown_hints(label: str, model: Any, texts: Sequence[str], segments: Segments) -> list[str]:
    """A warning of the tokens that a model's tokenizer does not know, if `model` can count them.

    Examples
    --------
    >>> class Model:
    ...     def unknown(self, texts):
    ...         return 3, 4
    >>> unknown_hints("BertScore", Model(), ["a b", "c d"], Segments(["a b"], ["c d"]))[0].partition(";")[0]
    "BertScore: 75% of the tokens (3 of 4) are unknown to the model's tokenizer"
    """
    count = getattr(model, "unknown", None)
    if count is None:
        return []
    unknown, tokens = of_texts(segments, ("unknown tokens", model), lambda: count([*texts]))
    if unknown < _SHARE * max(tokens, 1):
        return []
    share = f"{unknown / tokens:.0%} of the tokens ({unknown:,} of {tokens:,})"
    return [
        f"{label}: {share} are unknown to the model's tokenizer; all of these are one token to the model, so that "
        "different words are equal. Take a model of this language."
    ]

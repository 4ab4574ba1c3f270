"""Pairs of texts, as kernels take them."""

from __future__ import annotations

from typing import NamedTuple

from metrologue.kernels.arrays import Ids, Number, Offsets
from metrologue.native import helper

__all__ = ["Pairs", "places"]


class Pairs(NamedTuple):
    """Texts, and which of them are compared.

    Attributes
    ----------
    ids : int32 (n_tokens,)
    offsets : int64 (n_texts + 1,)
        Text t is ``ids[offsets[t]:offsets[t + 1]]``.
    hypotheses, references : int64 (n_pairs,)
        The texts of each pair.
    """

    ids: Ids
    offsets: Offsets
    hypotheses: Offsets
    references: Offsets


@helper
def places(texts: Pairs, p: Number) -> tuple[Number, Number, Number, Number]:
    """Where the hypothesis of a pair begins among the tokens, and its length; then both for the reference."""
    h, r = texts.hypotheses[p], texts.references[p]
    start, other = texts.offsets[h], texts.offsets[r]
    return start, texts.offsets[h + 1] - start, other, texts.offsets[r + 1] - other

"""Text duplicates: the share of texts that repeat another one (Lee et al. 2022 say why they are removed)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from metrologue.data.arrays import Floats
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import with_default
from metrologue.scorers.core.rows import columns_of, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.counts import OfTypes

__all__ = ["TextDuplicates", "text_duplicates"]


def text_duplicates(distinct_count: Floats, text_count: Floats) -> Floats:
    """The share of texts that repeat another one: 1 less the different texts, divided by all texts.

    Parameters
    ----------
    distinct_count, text_count : float64 (...)

    Returns
    -------
    float64 (...)
        0 to 1.

    Examples
    --------
    Of three texts, two are the same.

    >>> import numpy as np
    >>> text_duplicates(np.array(2.0), np.array(3.0)).round(4)
    np.float64(0.3333)
    """
    return 1.0 - ratio(distinct_count, text_count, 1.0)


@dataclass(frozen=True, kw_only=True)
class TextDuplicates(OfTypes):
    """The share of texts that are repetitions of another one; lower is better, 0-1. There are no references.

    Of several equal texts, all but one are repetitions. Whitespace at both ends of a text does not count. Texts are
    compared by a hash of 128 bits, so that batches can be merged.

    References
    ----------
    The Hub's measurement `text_duplicates`; Lee et al. 2022, https://aclanthology.org/2022.acl-long.577.

    Examples
    --------
    >>> round(TextDuplicates().corpus(["hello sun", "hello moon", "hello sun"]).value, 4)
    0.3333
    >>> TextDuplicates(lowercase=True).corpus(["Hello sun", "hello sun "]).value
    0.5
    """

    name: ClassVar[str] = "text_duplicates"
    about: ClassVar = replace(
        OfTypes.about,
        papers=("lee-etal-2022-deduplicating",),
    )

    # fmt: off
    tokenizer: str = with_default(
        "text:stripped=true",
        about="How a text is cut, as `metrologue list tokenizers` shows. Whole texts are compared by default. Another "
        "tokenizer gives the share of its tokens that repeat another one.",
    )
    # fmt: on

    _columns = ("token_count", "distinct_count", "text_count")

    numbers: ClassVar = (
        number(
            "text_duplicates",
            0,
            "scale",
            better="lower",
            about="share of the texts that are repetitions of another one",
        ),
        counted("distinct_count", "texts", about="different texts"),
        counted("text_count", "texts", about="all texts"),
    )

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        tokens, distinct, texts = columns_of(statistics)
        share = self.scale * text_duplicates(distinct, tokens)
        return {"text_duplicates": share, "distinct_count": distinct, "text_count": texts}

    _variants: ClassVar = {
        "evaluate": Variant(
            "evaluate", "the Hub's `text_duplicates`: equal after str.strip()", live="evaluate.text_duplicates"
        ),
    }

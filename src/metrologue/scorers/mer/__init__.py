"""The match error rate."""

from typing import ClassVar

from metrologue.scorers.families.error_rates import WORDS, ErrorRate, variants_of

__all__ = ["MatchErrorRate"]


class MatchErrorRate(ErrorRate):
    """The share of edits among all steps of the alignment, hits included; lower is better, 0-1.

    See ``ErrorRate`` for the fields and for all reported numbers.

    Examples
    --------
    >>> MatchErrorRate().corpus(["a b c d"], ["a x c"]).value
    0.5
    """

    name: ClassVar[str] = "mer"
    _variants: ClassVar = variants_of("mer", *WORDS)

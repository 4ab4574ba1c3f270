"""The word information preserved."""

from typing import ClassVar

from metrologue.scorers.families.error_rates import WORDS, ErrorRate, variants_of

__all__ = ["WordInformationPreserved"]


class WordInformationPreserved(ErrorRate):
    """Hits per word of the reference, times hits per word of the hypothesis; higher is better, 0-1.

    See ``ErrorRate`` for the fields and for all reported numbers.

    Examples
    --------
    >>> WordInformationPreserved().corpus(["a b c d"], ["a x c"]).value
    0.3333333333333333
    """

    name: ClassVar[str] = "wip"
    _variants: ClassVar = variants_of("wip", *WORDS)

"""The word information lost."""

from typing import ClassVar

from metrologue.scorers.families.error_rates import WORDS, ErrorRate, variants_of

__all__ = ["WordInformationLost"]


class WordInformationLost(ErrorRate):
    """1 minus ``WordInformationPreserved``; lower is better, 0-1.

    See ``ErrorRate`` for the fields and for all reported numbers.

    Examples
    --------
    >>> WordInformationLost().corpus(["a b c d"], ["a x c"]).value
    0.6666666666666667
    """

    name: ClassVar[str] = "wil"
    _variants: ClassVar = variants_of("wil", *WORDS)

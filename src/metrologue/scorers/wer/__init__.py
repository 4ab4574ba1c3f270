"""The word error rate."""

from typing import ClassVar

from metrologue.scorers.core.variants import Recommended
from metrologue.scorers.families.error_rates import WORDS, ErrorRate, geval, hub, variants_of

__all__ = ["WordErrorRate"]


class WordErrorRate(ErrorRate):
    """Insertions, deletions and substitutions of words per word of the reference; lower is better, 0 or more.

    See ``ErrorRate`` for the fields and for all reported numbers.

    Examples
    --------
    >>> result = WordErrorRate().corpus(["the cat sit on mat today"], ["the cat sat on the mat"])
    >>> result.value, result.scores["hits"], result.scores["substitutions"]
    (0.5, 3, 3)
    >>> WordErrorRate(hits="most").corpus(["the cat sit on mat today"], ["the cat sat on the mat"]).scores["hits"]
    4
    """

    name: ClassVar[str] = "wer"
    _variants: ClassVar = {
        **variants_of(
            "wer", *WORDS,
            Recommended("it follows the definition; say how both texts were normalized", "morris-etal-2004-wer"),
        ),
        "evaluate": hub("wer"), "geval": geval("whitespace"),
    }  # fmt: skip

"""The hashed perplexity."""

from typing import ClassVar

from metrologue.scorers.families.hashed_words import HashedWords

__all__ = ["PerplexityHashed"]


class PerplexityHashed(HashedWords):
    """The inverse of the geometric mean of the right words' probabilities; lower is better, 1 or more.

    See ``HashedWords``.

    Examples
    --------
    >>> PerplexityHashed().corpus(["cat:1"], ["dog"]).value
    inf
    """

    name: ClassVar[str] = "perplexity_hashed"

"""The hashed likelihood."""

from typing import ClassVar

from metrologue.scorers.families.hashed_words import HashedWords

__all__ = ["LikelihoodHashed"]


class LikelihoodHashed(HashedWords):
    """The geometric mean of the probabilities of the right words; higher is better, 0-1. See ``HashedWords``.

    Examples
    --------
    >>> result = LikelihoodHashed().corpus(["cat:0.5 dog:0.3", "a:0.9 the:0.1"], ["cat", "a"])
    >>> round(result.value, 6), result.scores["impossible"]
    (0.670951, 0)
    """

    name: ClassVar[str] = "likelihood_hashed"

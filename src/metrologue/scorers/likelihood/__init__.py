"""The mean likelihood of tokens under a model."""

from typing import ClassVar

from metrologue.scorers.families.token_probabilities import TokenProbabilities

__all__ = ["Likelihood"]


class Likelihood(TokenProbabilities):
    """The geometric mean of the probabilities of the tokens; higher is better, 0-1. See ``TokenProbabilities``.

    Examples
    --------
    >>> Likelihood().corpus([[0.5, 0.25, 0.125]]).value
    0.25
    >>> Likelihood().corpus([[0.5, 0.0]]).value
    0.0
    """

    name: ClassVar[str] = "likelihood"

"""Cross-entropy, likelihood and perplexity as they are defined, from the probabilities of tokens."""

from math import fsum, inf, log


def cross_entropy(texts: list[list[float]], base: float = 2.0, length: int | None = None) -> float:
    """The sum of -log p over all tokens of all texts, divided by their number, or by another length of the texts.

    >>> cross_entropy([[0.5, 0.25], [0.125]])
    2.0

    The bits per character of "a cat" and "the":

    >>> cross_entropy([[0.5, 0.25], [0.125]], length=len("a cat") + len("the"))
    0.75
    """
    tokens = [probability for text in texts for probability in text]
    if 0 in tokens:
        return inf
    return fsum(-log(probability) for probability in tokens) / (length or len(tokens)) / log(base)


def likelihood(texts: list[list[float]]) -> float:
    """The geometric mean of the probabilities.

    >>> likelihood([[0.5, 0.25], [0.125]])
    0.25
    """
    return 2.0 ** -cross_entropy(texts)


def perplexity(texts: list[list[float]]) -> float:
    """The number of tokens that a model that guesses as well has to choose from: the inverse of the likelihood.

    >>> perplexity([[0.5, 0.25], [0.125]])
    4.0
    """
    return 2.0 ** cross_entropy(texts)

"""Self-BLEU (Zhu et al. 2018, https://arxiv.org/abs/1802.01886). A text is a list of tokens.

BLEU is that of Papineni et al. 2002, https://aclanthology.org/P02-1040, with method 1 of Chen and Cherry 2014,
https://aclanthology.org/W14-3346: an order without a match has epsilon matches.
"""

from collections import Counter
from math import exp, log

Tokens = list[str]


def ngrams(tokens: Tokens, order: int) -> Counter[tuple[str, ...]]:
    """How often the text has each n-gram."""
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def clipped(text: Tokens, others: list[Tokens], order: int) -> int:
    """The n-grams of the text, each counted at most as often as in the other text that has it most often."""
    counts = [ngrams(other, order) for other in others]
    return sum(min(count, max(other[gram] for other in counts)) for gram, count in ngrams(text, order).items())


def closest_length(text: Tokens, others: list[Tokens]) -> int:
    """The length nearest to the text's; the shorter one of two equally near."""
    return min((len(other) for other in others), key=lambda length: (abs(length - len(text)), length))


def bleu(text: Tokens, others: list[Tokens], max_order: int = 4, epsilon: float = 0.1) -> float:
    """Sentence BLEU; 0 if no token matches."""
    if not clipped(text, others, 1):
        return 0.0
    orders = range(1, max_order + 1)
    matches = [clipped(text, others, order) or epsilon for order in orders]
    totals = [max(len(text) - order + 1, 1) for order in orders]
    mean = exp(sum(log(match / total) for match, total in zip(matches, totals, strict=True)) / max_order)
    return mean * exp(min(0.0, 1 - closest_length(text, others) / len(text)))


def self_bleu(texts: list[Tokens], max_order: int = 4) -> float:
    """The mean BLEU of each text with all other texts as its references.

    >>> self_bleu([["a", "b"], ["a", "b"]], max_order=2)
    1.0
    """
    scores = [bleu(text, texts[:index] + texts[index + 1 :], max_order) for index, text in enumerate(texts)]
    return sum(scores) / len(scores)

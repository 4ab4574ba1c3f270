"""Dae (Author et al., year, where to find it). A text is a list of tokens."""

from collections import Counter

Tokens = list[str]


def counts(hypothesis: Tokens, reference: Tokens) -> tuple[int, int]:
    """Tokens in common, each as often as both texts have it, and those of the longer text."""
    return (Counter(hypothesis) & Counter(reference)).total(), max(len(hypothesis), len(reference))


def score(matches: int, tokens: int) -> float:
    """Matched tokens divided by all tokens; 0 without any."""
    return matches / tokens if tokens else 0.0


def dae(hypotheses: list[Tokens], references: list[list[Tokens]]) -> float:
    """Matched tokens by tokens, with the best reference of each text.

    There is a list of references for each hypothesis.

    >>> dae([["a", "b", "c", "d"]], [[["a", "b"]]])
    0.5
    """
    best = [
        max((counts(hypothesis, reference) for reference in own), key=lambda pair: score(*pair))
        for hypothesis, own in zip(hypotheses, references, strict=True)
    ]
    return score(sum(matches for matches, _ in best), sum(tokens for _, tokens in best))

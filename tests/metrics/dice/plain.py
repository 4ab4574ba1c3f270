"""Dice (Dice 1945, "Measures of the Amount of Ecologic Association Between Species"). A text is a list of tokens."""

from collections import Counter
from statistics import fmean

Tokens = list[str]
Grams = Counter[tuple[str, ...]]


def ngrams(tokens: Tokens, order: int, binary: bool) -> Grams:
    """The n-grams of a text, each with its count, or with 1."""
    found = Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))
    return Counter([*found]) if binary else found


def dice_of_two(ours: Grams, theirs: Grams) -> float:
    """2|A∩B| / (|A|+|B|); 1 for two empty bags."""
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 1.0


def dice(hypotheses: list[Tokens], references: list[list[Tokens]], order: int = 1, binary: bool = True) -> float:
    """The mean over the texts, each with its best reference.

    There is a list of references for each hypothesis.

    >>> dice([[*"night"]], [[[*"nacht"]]], order=2)
    0.25
    """
    return fmean(
        max(dice_of_two(ngrams(hypothesis, order, binary), ngrams(reference, order, binary)) for reference in own)
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )

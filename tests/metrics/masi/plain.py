"""MASI (Passonneau 2006, "Measuring Agreement on Set-valued Items"). A text is a list of tokens."""

from collections.abc import Collection, Hashable
from statistics import fmean

Labels = Collection[Hashable]


def monotonicity(ours: set[Hashable], theirs: set[Hashable]) -> str:
    """How two sets lie to each other."""
    if ours == theirs:
        return "equal"
    if ours <= theirs or theirs <= ours:
        return "subset"
    return "overlap" if ours & theirs else "disjoint"


def masi_of_two(ours: set[Hashable], theirs: set[Hashable], subset: float = 2 / 3, overlap: float = 1 / 3) -> float:
    """What is in both by what is in any, times the weight of the case; two empty sets are equal."""
    weight = {"equal": 1.0, "subset": subset, "overlap": overlap, "disjoint": 0.0}[monotonicity(ours, theirs)]
    union = ours | theirs
    return len(ours & theirs) / len(union) * weight if union else 1.0


def masi(
    hypotheses: list[Labels], references: list[list[Labels]], subset: float = 2 / 3, overlap: float = 1 / 3
) -> float:
    """The mean over the texts, each with its best reference.

    There is a list of references for each hypothesis.

    >>> round(masi([[1, 2]], [[[1, 2, 3, 4]]]), 4)
    0.3333
    """
    return fmean(
        max(masi_of_two(set(hypothesis), set(reference), subset, overlap) for reference in own)
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )

"""SARI (Xu et al. 2016, https://aclanthology.org/Q16-1029, section 4), and what scripts make of it.

A text is a list of tokens.
"""

from collections import Counter
from fractions import Fraction
from statistics import fmean

Tokens = list[str]
Counts = Counter[tuple[str, ...]]
Triple = tuple[Counts, Counts, Counts]  # what is right, what is done, what is asked for


def ngrams(tokens: Tokens, n: int, once: bool) -> Counts:
    found = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return Counter({*found} if once else found)


def operations(
    source: Tokens, hypothesis: Tokens, references: list[Tokens], n: int, once: bool, remainder: bool, only_long: bool
) -> list[Triple]:
    """Additions, what is kept, and deletions."""
    before, after = ngrams(source, n, once), ngrams(hypothesis, n, once)
    total = sum((ngrams(reference, n, once) for reference in references), Counter())
    voters = sum(len(reference) >= n for reference in references) if only_long else len(references)
    asked = Counter({ngram: Fraction(count, voters) for ngram, count in total.items()})
    added, to_add = Counter({*after} - {*before}), Counter({*total} - {*before})
    kept, to_keep = before & after, before & asked
    deleted, to_delete = before - after, before - asked
    right = deleted - asked if remainder else deleted & to_delete
    return [(added & to_add, added, to_add), (kept & to_keep, kept, to_keep), (right, deleted, to_delete)]


def fraction(right: Counts, of: Counts, mean: bool) -> tuple[float, float]:
    """Numerator and denominator of a ratio: of sums, or of a mean over the n-grams."""
    if mean:
        return sum(float(Fraction(right[ngram]) / of[ngram]) for ngram in of), len(of)
    return float(right.total()), float(of.total())


def sari(
    hypotheses: list[Tokens],
    references: list[list[Tokens]],
    sources: list[Tokens],
    orders: int = 4,
    once: bool = False,
    means: tuple[bool, bool] = (True, False),
    remainder: bool = True,
    only_long: bool = False,
    f1: bool = False,
    of_means: bool = False,
    zero: float = 1,
    corpus: bool = False,
) -> float:
    """The mean of add, keep and delete, times 100; of the segments, or with `corpus` of all counts.

    `means` are those of precision and recall, `of_means` is the F1 of the mean precision and recall.

    >>> round(sari(["a b c".split()], [["a b d".split()]], ["a b e".split()]), 4)
    75.0
    """
    if not corpus and len(hypotheses) > 1:
        rows = zip(hypotheses, references, sources, strict=True)
        options = orders, once, means, remainder, only_long, f1, of_means, zero
        return fmean(sari([text], [own], [source], *options) for text, own, source in rows)
    parts = []
    for kind in range(3):
        ratios = []
        for n in range(1, orders + 1):
            triples = [
                operations(source, text, own, n, once, remainder, only_long)[kind]
                for text, own, source in zip(hypotheses, references, sources, strict=True)
            ]
            both = []
            for of, mean in ((1, means[0]), (2, means[1])):
                tops, bottoms = zip(*(fraction(triple[0], triple[of], mean) for triple in triples), strict=True)
                both.append(sum(tops) / sum(bottoms) if sum(bottoms) else zero)
            ratios.append(both)
        precision, recall = (fmean(column) for column in zip(*ratios, strict=True))
        if kind == 2 and not f1:
            parts.append(precision)
        else:
            pairs = [(precision, recall)] if of_means else ratios
            parts.append(fmean(2 * p * r / (p + r) if p + r else 0.0 for p, r in pairs))
    return 100 * fmean(parts)

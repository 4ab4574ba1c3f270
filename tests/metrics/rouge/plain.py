"""ROUGE (Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", https://aclanthology.org/W04-1013).

A sentence is a list of tokens, and a summary a list of sentences. Every ROUGE is a precision, a recall and an F.
"""

from collections import Counter
from itertools import combinations
from typing import Any

Tokens = list[str]
Score = tuple[float, float, float]


def ngrams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    """The n-grams of a text, each with its count."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def skip_bigrams(tokens: Tokens, gap: int | None, unigrams: bool = False) -> Counter[tuple[str | None, str]]:
    """Pairs of words with at most `gap` others between them, or any; with unigrams a marker is the first word."""
    words = enumerate([None, *tokens] if unigrams else tokens)
    return Counter((a, b) for (i, a), (j, b) in combinations(words, 2) if gap is None or j - i <= gap + 1)


def score(matches: float, hypothesis: float, reference: float, beta: float = 1, root: float = 1) -> Score:
    """Precision, recall and F: what matches by what there is in the hypothesis and in the reference."""
    precision = (matches / hypothesis) ** (1 / root) if hypothesis else 0.0
    recall = (matches / reference) ** (1 / root) if reference else 0.0
    if not matches:
        return 0.0, 0.0, 0.0
    return precision, recall, (1 + beta**2) * precision * recall / (recall + beta**2 * precision)


def overlap(ours: Counter[Any], theirs: Counter[Any], beta: float = 1) -> Score:
    """ROUGE-N of n-grams (section 2), ROUGE-S and ROUGE-SU of skip-bigrams (section 4): what both texts have.

    >>> hypothesis, reference = "police kill the gunman".split(), "police killed the gunman".split()
    >>> overlap(skip_bigrams(hypothesis, None), skip_bigrams(reference, None))
    (0.5, 0.5, 0.5)
    """
    return score((ours & theirs).total(), ours.total(), theirs.total(), beta)


def lcs_table(a: Tokens, b: Tokens, weight: float = 1) -> list[list[float]]:
    """The weight of a common subsequence of the first i tokens and the first j: a run of k matches weighs k^weight.

    With a weight of 1 it is the length of the longest one.
    """
    values = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    runs = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                run = runs[i - 1][j - 1]
                values[i][j] = values[i - 1][j - 1] + (run + 1) ** weight - run**weight
                runs[i][j] = run + 1
            else:
                values[i][j] = max(values[i - 1][j], values[i][j - 1])
    return values


def lcs_positions(reference: Tokens, hypothesis: Tokens) -> set[int]:
    """The positions of a longest common subsequence in the reference, from the end of the table back."""
    values = lcs_table(reference, hypothesis)
    i, j, found = len(reference), len(hypothesis), set()
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif values[i - 1][j] >= values[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def rouge_l(hypothesis: Tokens, reference: Tokens, beta: float = 1) -> Score:
    """ROUGE-L of a sentence (section 3.1): the longest common subsequence."""
    return score(lcs_table(reference, hypothesis)[-1][-1], len(hypothesis), len(reference), beta)


def rouge_l_summary(hypothesis: list[Tokens], reference: list[Tokens], beta: float = 1) -> Score:
    """ROUGE-L of a summary (section 3.2): the union of what a sentence has in common with each of the hypothesis.

    No token of the hypothesis matches more often than it is there.
    """
    ours = Counter(token for sentence in hypothesis for token in sentence)
    matched: Counter[str] = Counter()
    for sentence in reference:
        union = {i for other in hypothesis for i in lcs_positions(sentence, other)}
        matched.update(sentence[i] for i in union)
    return score((matched & ours).total(), ours.total(), sum(map(len, reference)), beta)


def rouge_w(hypothesis: Tokens, reference: Tokens, weight: float = 1.2, beta: float = 1) -> Score:
    """ROUGE-W (section 3.3): the weighted common subsequence, of which the inverse of the weight is taken."""
    value = lcs_table(reference, hypothesis, weight)[-1][-1]
    return score(value, len(hypothesis) ** weight, len(reference) ** weight, beta, root=weight)


def jackknife(scores: list[Score]) -> Score:
    """The score with several references (section 2.1): the mean of the best by F over all sets that leave one out."""
    sets = [scores[:i] + scores[i + 1 :] for i in range(len(scores))] if len(scores) > 1 else [scores]
    best = [max(some, key=lambda each: each[2]) for some in sets]
    precision, recall, fmeasure = (sum(values) / len(best) for values in zip(*best, strict=True))
    return precision, recall, fmeasure

"""cpWER (Watanabe et al. 2020, "CHiME-6 Challenge"). A session is a list of texts, one of each speaker."""

from itertools import permutations

Tokens = list[str]


def edits(hypothesis: Tokens, reference: Tokens) -> int:
    """The fewest insertions, deletions and substitutions."""
    row = [*range(len(reference) + 1)]
    for i, word in enumerate(hypothesis):
        above, row = row, [i + 1]
        for j, other in enumerate(reference):
            row.append(min(above[j] + (word != other), above[j + 1] + 1, row[j] + 1))
    return row[-1]


def errors(hypotheses: list[Tokens], references: list[Tokens]) -> int:
    """The fewest edits of a session, whichever speaker is compared with whichever."""
    size = max(len(hypotheses), len(references))
    ours, theirs = (texts + [[]] * (size - len(texts)) for texts in (hypotheses, references))
    return min(sum(map(edits, order, theirs)) for order in permutations(ours))


def cpwer(hypotheses: list[list[Tokens]], references: list[list[Tokens]]) -> float:
    """The edits of all sessions by the words of their references.

    >>> cpwer([[["c", "d"], ["a", "x"]]], [[["a", "b"], ["c", "d"]]])
    0.25
    """
    words = sum(len(text) for session in references for text in session)
    return sum(map(errors, hypotheses, references)) / words

"""GTM 1.4 (Melamed, Green and Turian 2003; Turian, Shen and Melamed 2003). A text is a list of tokens."""

from statistics import fmean

Tokens = list[str]


def runs(hypothesis: Tokens, references: list[Tokens], budget: float) -> list[tuple[int, int, float]]:
    """The chosen runs: place in the hypothesis, place in the references, length. A None ends each reference."""
    row = [token for reference in references for token in (*reference, None)]
    candidates = []
    for i in range(len(hypothesis)):
        for j in range(len(row)):
            length = 0
            while i + length < len(hypothesis) and hypothesis[i + length] == row[j + length]:
                length += 1
                candidates.append((length, i, j))
    chosen = []
    rows, columns = set[int](), set[int]()
    for length, i, j in sorted(candidates, reverse=True):
        if budget <= 0:
            break
        counted = min(length, budget)
        places = [k for k in range(length) if k < counted]
        if rows.isdisjoint(i + k for k in places) and columns.isdisjoint(j + k for k in places):
            rows.update(i + k for k in places)
            columns.update(j + k for k in places)
            budget -= counted
            chosen.append((i, j, counted))
    return chosen


def counts(hypothesis: Tokens, references: list[Tokens], exponent: float) -> tuple[float, int, float]:
    """The maximum match size, the length of the hypothesis, and the mean length of the references."""
    length, mean = len(hypothesis), fmean(map(len, references))
    chosen = runs(hypothesis, references, min(length, mean))
    return sum(size**exponent for _, _, size in chosen) ** (1 / exponent), length, mean


def f_measure(matched: float, length: float, mean: float) -> float:
    """The harmonic mean of precision and recall; 0 if there is none."""
    precision, recall = (matched / size if size else 0.0 for size in (length, mean))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def gtm(
    hypotheses: list[Tokens],
    references: list[list[Tokens]],
    exponent: float = 1.0,
    multi_reference: str = "concatenated",
) -> float:
    """GTM of a corpus, from the sums of match sizes and lengths.

    There is a list of references for each hypothesis.

    >>> round(gtm([["police", "killed", "the", "gunman"]], [[["police", "kill", "the", "gunman"]]], 2), 6)
    0.559017
    """
    rows = []
    for hypothesis, own in zip(hypotheses, references, strict=True):
        groups = [own] if multi_reference == "concatenated" else [[reference] for reference in own]
        rows.append(max((counts(hypothesis, group, exponent) for group in groups), key=lambda row: f_measure(*row)))
    return f_measure(*map(sum, zip(*rows, strict=True)))

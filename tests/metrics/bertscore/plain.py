"""BERTScore (Zhang et al. 2020, https://arxiv.org/abs/1904.09675). A text is a list of types and vectors of tokens."""

from collections import Counter
from math import log, sqrt

Token = tuple[str, list[float]]
Text = list[Token]


def cosine(one: list[float], other: list[float]) -> float:
    """The cosine of two vectors; 0 if one of them is all zeros."""
    norm = sqrt(sum(x * x for x in one)) * sqrt(sum(x * x for x in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / norm if norm else 0.0


def weights(references: list[list[Text]]) -> dict[str, float]:
    """The inverse document frequency of each type, over all references."""
    texts = [text for own in references for text in own]
    frequency = Counter(kind for text in texts for kind in {kind for kind, _ in text})
    return {kind: log((len(texts) + 1) / (count + 1)) for kind, count in frequency.items()} | {"": log(len(texts) + 1)}


def matched(text: Text, other: Text, idf: dict[str, float] | None) -> float:
    """The mean of the greatest cosines of the tokens of a text, by their weights."""
    if not text or not other:
        return 0.0
    own = [1.0 if idf is None else idf.get(kind, idf[""]) for kind, _ in text]
    best = [max(cosine(vector, its) for _, its in other) for _, vector in text]
    return sum(w * b for w, b in zip(own, best, strict=True)) / sum(own) if sum(own) else 0.0


def pair(hypothesis: Text, reference: Text, idf: dict[str, float] | None = None) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    precision, recall = matched(hypothesis, reference, idf), matched(reference, hypothesis, idf)
    whole = precision + recall
    return precision, recall, 2 * precision * recall / whole if whole else 0.0


def bertscore(
    hypotheses: list[Text], references: list[list[Text]], by_idf: bool = False
) -> list[tuple[float, float, float]]:
    """Precision, recall and F1 of each segment: of several references, the greatest of each number."""
    idf = weights(references) if by_idf else None
    rows = [[pair(text, other, idf) for other in own] for text, own in zip(hypotheses, references, strict=True)]
    return [(max(p for p, _, _ in row), max(r for _, r, _ in row), max(f for _, _, f in row)) for row in rows]

"""MoverScore (Zhao et al. 2019, https://aclanthology.org/D19-1053). A text is a list of words and their vectors."""

from collections import Counter
from math import dist, hypot, log
from string import punctuation

from metrics.wmd.plain import least_cost

Token = tuple[str, list[float]]
Text = list[Token]
Weights = dict[str, float]


def idf(texts: list[Text]) -> Weights:
    """The inverse document frequency of each word of some texts, and under "" that of a word of none."""
    frequency = Counter(word for text in texts for word in {word for word, _ in text})
    return {word: log((len(texts) + 1) / (count + 1)) for word, count in frequency.items()} | {"": log(len(texts) + 1)}


def bag(text: Text, weights: Weights | None) -> list[tuple[float, list[float]]]:
    """The tokens that count, with their shares of the weight and their directions."""
    kept = [(word, vector) for word, vector in text if "##" not in word and word not in {*punctuation}]
    own = [1.0 if weights is None else weights.get(word, weights[""]) for word, _ in kept]
    return [
        (weight / sum(own), [x / (hypot(*vector) or 1.0) for x in vector])
        for weight, (_, vector) in zip(own, kept, strict=True)
        if weight
    ]


def pair(hypothesis: Text, reference: Text, weights: tuple[Weights, Weights] | None = None) -> float:
    """1 less the least cost of moving all weight; 0 if a text has no weight."""
    own, its = (bag(text, weights[i] if weights else None) for i, text in enumerate((hypothesis, reference)))
    if not own or not its:
        return 0.0
    costs = [[dist(a, b) for _, b in its] for _, a in own]
    return 1.0 - least_cost([weight for weight, _ in own], [weight for weight, _ in its], costs)


def moverscore(hypotheses: list[Text], references: list[list[Text]], by_idf: bool = False) -> list[float]:
    """The score of each segment, with its best reference.

    >>> a, b, c = ("a", [1, 0]), ("b", [0, 2]), ("##c", [1, 1])
    >>> [round(score, 6) for score in moverscore([[a, b, c], [a]], [[[a, b]], [[b], [a, b]]])]
    [1.0, 0.292893]
    """
    weights = (idf(hypotheses), idf([text for own in references for text in own])) if by_idf else None
    segments = zip(hypotheses, references, strict=True)
    return [max(pair(text, other, weights) for other in own) for text, own in segments]

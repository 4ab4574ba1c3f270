"""CUAD (Hendrycks et al. 2021, https://arxiv.org/abs/2103.06268). A text is a span, or none."""

import re


def words(span: str) -> set[str]:
    """The words of a span in lower case, without some marks.

    >>> sorted(words("The seller: X/Y"))
    ['seller', 'the', 'x', 'y']
    """
    return {*re.sub("[.,;:]", "", span).replace("/", " ").lower().split(" ")}


def scores(spans: list[str], right: list[str], overlap: float = 0.5) -> tuple[float, float] | None:
    """Precision and recall of a question; None where one is 0 divided by 0."""

    def alike(one: str, other: str) -> bool:
        return len(words(one) & words(other)) / len(words(one) | words(other)) >= overlap

    found = sum(any(alike(one, other) for other in spans) for one in right)
    wrong = sum(not any(alike(one, other) for one in right) for other in spans)
    return (found / (found + wrong), found / len(right)) if found + wrong and right else None


def cuad(predictions: list[str] | list[list[str]], references: list[list[str]]) -> float:
    """The mean F1 of the questions that have one, in per cent.

    >>> cuad([["the buyer", "any goods"]], [["the buyer"]]).__round__(2)
    66.67
    """
    found = []
    for prediction, own in zip(predictions, references, strict=True):
        spans = [prediction] if isinstance(prediction, str) else prediction
        pair = scores([text for text in spans if text], [text for text in own if text])
        if pair is not None:
            found.append(200 * pair[0] * pair[1] / sum(pair) if sum(pair) else 0.0)
    return sum(found) / len(found) if found else 0.0

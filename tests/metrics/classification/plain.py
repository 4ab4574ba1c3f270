"""Metrics of classification: accuracy, precision, recall, F1, the confusion matrix and Matthews'
correlation.

A segment has a predicted label and a right one. The definitions are those of scikit-learn; Pedregosa et al. 2011,
"Scikit-learn: Machine Learning in Python". Weights are numbers of segments.
"""

import math
from fractions import Fraction

Label = int | str
Labels = list[Label]


def accuracy(predictions: Labels, references: Labels) -> Fraction:
    """The share of segments whose predicted label is the right one.

    >>> accuracy(["cat", "cat"], ["cat", "dog"])
    Fraction(1, 2)
    """
    return Fraction(sum(ours == right for ours, right in zip(predictions, references, strict=True)), len(predictions))


def confusion_matrix(predictions: Labels, references: Labels, labels: Labels) -> list[list[int]]:
    """How often each label was predicted (columns) for each right label (rows).

    >>> confusion_matrix(["cat", "cat"], ["cat", "dog"], ["cat", "dog"])
    [[1, 0], [1, 0]]
    """
    pairs = [*zip(references, predictions, strict=True)]
    return [[pairs.count((right, ours)) for ours in labels] for right in labels]


def scores(both: int, predicted: int, actual: int, zero: int) -> list[Fraction]:
    """Precision, recall and F1, from the segments that have a label in both, in the prediction, in the reference.

    >>> scores(2, 3, 5, 0)
    [Fraction(2, 3), Fraction(2, 5), Fraction(1, 2)]
    """
    ratios = (both, predicted), (both, actual), (2 * both, predicted + actual)
    return [Fraction(part, whole) if whole else Fraction(zero) for part, whole in ratios]


def averaged(predictions: Labels, references: Labels, labels: Labels, average: str, zero: int = 0) -> list[Fraction]:
    """Precision, recall and F1 over labels: "micro", "macro" or "weighted".

    >>> averaged(["cat", "cat"], ["cat", "dog"], ["cat", "dog"], "macro")
    [Fraction(1, 4), Fraction(1, 2), Fraction(1, 3)]
    """
    pairs = [*zip(predictions, references, strict=True)]
    counts = [(pairs.count((label, label)), predictions.count(label), references.count(label)) for label in labels]
    if average == "micro":
        return scores(*map(sum, zip(*counts, strict=True)), zero)
    weights = [actual if average == "weighted" else 1 for _, _, actual in counts]
    if not any(weights):
        weights = [1] * len(labels)
    each = [scores(*count, zero) for count in counts]
    return [
        sum(weight * score[i] for weight, score in zip(weights, each, strict=True)) / sum(weights) for i in range(3)
    ]


def matthews_correlation(predictions: Labels, references: Labels) -> float:
    """The correlation of both sides, each as a column of 0 and 1 for each label; 0 if one side has a single label.

    >>> matthews_correlation(["cat", "dog"], ["cat", "dog"])
    1.0
    """
    labels, n = {*predictions, *references}, len(predictions)

    def covariance(one: Labels, other: Labels) -> Fraction:
        shares = ((Fraction(one.count(label), n), Fraction(other.count(label), n)) for label in labels)
        both = sum(first == second for first, second in zip(one, other, strict=True))
        return Fraction(both, n) - sum(first * second for first, second in shares)

    spread = covariance(predictions, predictions) * covariance(references, references)
    return float(covariance(predictions, references)) / math.sqrt(spread) if spread else 0.0

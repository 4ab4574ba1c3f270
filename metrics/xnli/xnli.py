"""XNLI's numbers for `evaluate`, by its tasks, as the Hub's module of this name gives them."""

import evaluate

from metrologue.bridge import BenchmarkModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.bridge.benchmark_module import accuracy  # From: -e CHECKOUT-OF-METROLOGUE


class Xnli(BenchmarkModule, evaluate.Metric):
    """XNLI's numbers with the result of the Hub's module of this name.

    XNLI (Conneau et al. 2018) is natural language inference in 15 languages. Its number is the accuracy of the labels
    entailment, neutral and contradiction.

    Args:
        predictions: list of ints, the predicted labels.
        references: list of ints, the right labels.

    Returns:
        accuracy: the share of labels that are right, 0 to 1.

    Examples:

        >>> import metrologue
        >>> xnli = metrologue.load("xnli")
        >>> xnli.compute(predictions=[0, 1, 2, 2], references=[0, 1, 2, 1])
        {'accuracy': 0.75}
    """

    tasks = {"default": {"accuracy": accuracy}}
    papers = ("conneau-etal-2018-xnli",)
    pages = ("https://github.com/facebookresearch/XNLI",)

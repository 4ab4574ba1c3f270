"""GLUE's numbers for `evaluate`, by its tasks, as the Hub's module of this name gives them."""

import evaluate

from metrologue.bridge import BenchmarkModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.bridge import benchmark_module as numbers  # From: -e CHECKOUT-OF-METROLOGUE

_ACCURACY = {"accuracy": numbers.accuracy}


class Glue(BenchmarkModule, evaluate.Metric):
    """GLUE's numbers with the result of the Hub's module of this name.

    GLUE (Wang et al. 2019) is a benchmark of nine tasks of language understanding. `config_name` is the task: "mrpc"
    and "qqp" give accuracy and F1, "cola" Matthews' correlation, "stsb" the correlations with people's scores; "sst2",
    "mnli", "mnli_mismatched", "mnli_matched", "qnli", "rte", "wnli" and "hans" give accuracy.

    Args:
        predictions: list of ints, the predicted labels; of numbers for "stsb".
        references: list of ints, the right labels; of numbers for "stsb".

    Returns:
        by the task: accuracy, f1 (of the label 1), matthews_correlation, pearson, spearmanr.

    Examples:

        >>> import metrologue
        >>> metrologue.load("glue", "mrpc").compute(predictions=[0, 1, 1, 1], references=[0, 1, 1, 0])
        {'accuracy': 0.75, 'f1': 0.8}
        >>> metrologue.load("glue", "stsb").compute(predictions=[0, 1, 2.5], references=[0, 1, 5])["spearmanr"]
        1.0
    """

    tasks = {
        **dict.fromkeys(("sst2", "mnli", "mnli_mismatched", "mnli_matched"), _ACCURACY),
        "cola": {"matthews_correlation": numbers.matthews},
        "stsb": {"pearson": numbers.pearson, "spearmanr": numbers.spearman},
        "mrpc": {"accuracy": numbers.accuracy, "f1": numbers.f1},
        "qqp": {"accuracy": numbers.accuracy, "f1": numbers.f1},
        **dict.fromkeys(("qnli", "rte", "wnli", "hans"), _ACCURACY),
    }
    holds = {"stsb": "number"}
    papers = ("wang-etal-2019-glue",)
    pages = ("https://gluebenchmark.com",)

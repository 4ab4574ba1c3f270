"""IndicGLUE's numbers for `evaluate`, by its tasks, as the Hub's module of this name gives them."""

import evaluate

from metrologue.bridge import BenchmarkModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.bridge.benchmark_module import accuracy, f1, precision_at_10  # From: -e CHECKOUT-OF-METROLOGUE

_ACCURACY = {"accuracy": accuracy}


class IndicGlue(BenchmarkModule, evaluate.Metric):
    """IndicGLUE's numbers with the result of the Hub's module of this name.

    IndicGLUE (Kakwani et al. 2020) is a benchmark of tasks in languages of India. `config_name` is the task: "wiki-ner"
    gives accuracy and F1, "cvit-mkb-clsr" how often a sentence is among the ten nearest of its translation; "wnli",
    "copa", "sna", "csqa", "wstp", "inltkh", "bbca", "iitp-mr", "iitp-pr", "actsa-sc" and "md" give accuracy.

    Args:
        predictions: list of ints, the predicted labels; of vectors for "cvit-mkb-clsr".
        references: list of ints, the right labels; of vectors for "cvit-mkb-clsr".

    Returns:
        by the task: accuracy, f1 (of the label 1), precision@10.

    Examples:

        >>> import metrologue
        >>> metrologue.load("indic_glue", "wiki-ner").compute(predictions=[0, 1, 1], references=[0, 1, 0])
        {'accuracy': 0.6666666666666666, 'f1': 0.6666666666666666}
        >>> vectors = [[0.5, 0.5, 0.5], [0.1, 0.2, 0.3]]
        >>> metrologue.load("indic_glue", "cvit-mkb-clsr").compute(predictions=vectors, references=vectors)
        {'precision@10': 1.0}
    """

    tasks = {
        **dict.fromkeys(("wnli", "copa", "sna", "csqa", "wstp", "inltkh", "bbca"), _ACCURACY),
        "cvit-mkb-clsr": {"precision@10": precision_at_10},
        **dict.fromkeys(("iitp-mr", "iitp-pr", "actsa-sc", "md"), _ACCURACY),
        "wiki-ner": {"accuracy": accuracy, "f1": f1},
    }
    holds = {"cvit-mkb-clsr": "row"}
    papers = ("kakwani-etal-2020-indicnlpsuite",)
    pages = ("https://indicnlp.ai4bharat.org",)

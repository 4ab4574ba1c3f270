"""SuperGLUE's numbers for `evaluate`, by its tasks, as the Hub's module of this name gives them."""

import evaluate

from metrologue.bridge import PassageModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.bridge.benchmark_module import accuracy, macro_f1, matthews  # From: -e CHECKOUT-OF-METROLOGUE

_ACCURACY = {"accuracy": accuracy}
_NONE: dict = {}


class SuperGlue(PassageModule, evaluate.Metric):
    """SuperGLUE's numbers with the result of the Hub's module of this name.

    SuperGLUE (Wang et al. 2019) is a benchmark of harder tasks than GLUE's. `config_name` is the task: "cb" gives
    accuracy and macro F1, "axb" Matthews' correlation, "record" exact match and F1 of answers, "multirc" exact match
    of questions, the mean of their macro F1, and F1 of all answers; "copa", "rte", "wic", "wsc", "wsc.fixed", "boolq"
    and "axg" give accuracy.

    Args:
        predictions: list of ints, the predicted labels. For "record", of dicts with idx (a dict with passage and query)
            and prediction_text; for "multirc", of dicts with idx (answer, paragraph, question) and prediction, a label.
        references: list of ints, the right labels. For "record", of dicts with idx and answers, a list of texts.

    Returns:
        by the task: accuracy, f1, matthews_correlation, exact_match, f1_m, f1_a; 0 to 1.

    Examples:

        >>> import metrologue
        >>> metrologue.load("super_glue", "cb").compute(predictions=[0, 1, 2], references=[0, 1, 1])["accuracy"]
        0.6666666666666666
        >>> record = metrologue.load("super_glue", "record")
        >>> place = {"passage": 0, "query": 0}
        >>> predictions = [{"idx": place, "prediction_text": "the answer"}]
        >>> record.compute(predictions=predictions, references=[{"idx": place, "answers": ["answer", "another"]}])
        {'exact_match': 1.0, 'f1': 1.0}
    """

    tasks = {
        "boolq": {"accuracy": accuracy},
        "cb": {"accuracy": accuracy, "f1": macro_f1},
        "copa": {"accuracy": accuracy},
        **dict.fromkeys(("multirc", "record"), _NONE),  # of questions about a passage, as PassageModule has them
        **dict.fromkeys(("rte", "wic", "wsc", "wsc.fixed"), _ACCURACY),
        "axb": {"matthews_correlation": matthews},
        "axg": {"accuracy": accuracy},
    }
    papers = ("wang-etal-2019-superglue",)
    pages = ("https://super.gluebenchmark.com",)

"""A metric of MLflow whose number is that of the whole corpus, beside the mean of rows that MLflow shows by itself.

python examples/mlflow_metric.py        (pip install mlflow)
"""

import tempfile

import mlflow
import pandas as pd
from mlflow.metrics import MetricValue, make_metric

from metrologue.scorers import Bleu

BLEU = Bleu.variant("sacrebleu", effective_order=True)


def evaluated(predictions, targets):
    """The score of each row, and the score of the corpus, which is not their mean."""
    rows, references = list(predictions), list(targets)
    whole = BLEU.corpus(rows, references).value
    return MetricValue(list(BLEU.segments(rows, references)), aggregate_results={"corpus": whole})


corpus_bleu = make_metric(eval_fn=evaluated, greater_is_better=True, name="corpus_bleu")

if __name__ == "__main__":
    data = pd.DataFrame({
        "output": ["the cat sat on a mat", "we saw it go home again", "a dog ran off"],
        "reference": ["the cat sat on the mat", "we saw it go home again", "the dog ran away"],
    })  # fmt: skip
    mlflow.set_tracking_uri(f"sqlite:///{tempfile.mkdtemp()}/mlflow.db")
    with mlflow.start_run():
        found = mlflow.models.evaluate(
            data=data, predictions="output", targets="reference", extra_metrics=[corpus_bleu],
            evaluator_config={"default": {"log_model_explainability": False}},
        )  # fmt: skip
    scores = found.tables["eval_results_table"]["corpus_bleu/score"]
    print(f"BLEU of the corpus {found.metrics['corpus_bleu/corpus']:.2f}, mean of rows {scores.mean():.2f}")
    print(BLEU.signature)

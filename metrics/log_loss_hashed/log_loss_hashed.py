"""Log Loss Hashed for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The hashed log loss is the mean of -ln p, where p is the probability that a model gives to the right word.
"""

_INPUTS = """
Args:
    predictions (list[str]): lines in GEval's layout. Items are separated by single spaces, and the last colon of an
        item ends its word: `cat:0.5 dog:0.25 :0.25`. The empty word stands for all words. A line without a colon has a
        log-probability for each of the 2^bits buckets.
    references (list[str]): the right word of each line.
    aggregation ("corpus" or "mean", default "corpus"): How the segments of a corpus make one score. `corpus`: the score
        of the summed statistics. `mean`: the mean of the segments' own scores.
    scale (float, default 1.0): The value of a perfect score.
    bits (int, default 10): There are 2^bits buckets.
    first_line (int, default 1): The number of the first line.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single lines.

    An argument that is left out has the variant's value. The defaults shown are those of "geval".
Returns:
    log_loss_hashed (`float`): the mean of -ln p in nats, 0 or more; lower is better. It is infinite if a right word has
        probability 0.
Examples:

    >>> import metrologue
    >>> log_loss_hashed = metrologue.load("log_loss_hashed")
    >>> log_loss_hashed.compute(predictions=["cat:0.5 dog:0.3", "a:0.9 the:0.1"], references=["cat", "a"])
    {'log_loss_hashed': 0.39905857374592724}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class LogLossHashed(MetricModule, evaluate.Metric):
    """The mean of -ln p of the right words, by hash."""

    metric = "log_loss_hashed"
    default_variant = "geval"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://gitlab.com/filipg/geval"],
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        bits=None,
        first_line=None,
        signature=False,
        per_segment=False,
    ):
        return self._result(
            predictions,
            references,
            signature,
            per_segment,
            aggregation=aggregation,
            scale=scale,
            bits=bits,
            first_line=first_line,
        )

"""GTM for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
GTM, the General Text Matcher: an F-measure of the words that a text shares with its references, where long runs may
count more.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    references (list[str] or list[list[str]]): one reference for each prediction, or a list of references for each. The
        lists may differ in length.
    aggregation ("corpus" or "mean", default "corpus"): How the segments of a corpus make one score. `corpus`: the score
        of the summed statistics. `mean`: the mean of the segments' own scores.
    scale (float, default 1.0): The value of a perfect score.
    multi_reference ("concatenated" or "best", default "concatenated"): How several references are searched.
        `concatenated`: all together, end to end. `best`: each alone, and the one with the best score counts; ties: the
        first.
    tokenizer (str or function, default "ascii-whitespace"): One of `metrologue.tokenizers.list_tokenizers()`.
    lowercase (bool, default False): Whether to apply `str.lower()` first.
    exponent (float, default 1.0): With 1, a run of n tokens counts as much as n single tokens. Above 1, it counts more.
        Below 1, it counts less, and scores may exceed 1.
    signature (bool): adds `"signature"`, every choice behind the numbers on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "gtm-1.4".
Returns:
    gtm (`float`): the F-measure, 0 to 1; higher is better. 1 means equal texts, or with an exponent of 1 equal words.
    precision, recall (`float`): the match size by the length of the text and of the references, 0 to 1.
Examples:

    >>> import metrologue
    >>> gtm = metrologue.load("gtm")
    >>> gtm.compute(predictions=["on the mat sat the cat"], references=["the cat sat on the mat"])
    {'gtm': 1.0, 'precision': 1.0, 'recall': 1.0}
    >>> gtm.compute(predictions=["on the mat sat the cat"], references=["the cat sat on the mat"], exponent=2)["gtm"]
    0.6236095644623235
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Gtm(MetricModule, evaluate.Metric):
    """F-measure of words, where long runs may count more."""

    metric = "gtm"
    default_variant = "gtm-1.4"
    reported = ("gtm", "precision", "recall")

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            reference_urls=self._paper_urls(),
        )

    def _compute(
        self,
        predictions,
        references,
        aggregation=None,
        scale=None,
        multi_reference=None,
        tokenizer=None,
        lowercase=None,
        exponent=None,
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
            multi_reference=multi_reference,
            tokenizer=tokenizer,
            lowercase=lowercase,
            exponent=exponent,
        )

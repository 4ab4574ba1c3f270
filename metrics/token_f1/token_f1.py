"""Token F1 for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The F1 of the words that an answer shares with the right one, after SQuAD's normalization, and the share of exact
answers.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    references (list[str] or list[list[str]]): one reference for each prediction, or a list of references for each. The
        lists may differ in length.
    aggregation ("corpus" or "mean", default "mean"): How the segments of a corpus make one score. `corpus`: the score
        of the summed statistics. `mean`: the mean of the segments' own scores.
    scale (float, default 100.0): The value of a perfect score.
    multi_reference ("best", default "best"): Which of several references counts. `best`: the one with the best score;
        ties: the first.
    tokenizer (str or function, default "squad"): One of `metrologue.tokenizers.list_tokenizers()`: "squad" applies the
        normalization of SQuAD.
    lowercase (bool, default False): Whether to apply `str.lower()` first. "squad" does so in any case.
    empty ("zero" or "equal", default "zero"): The F1 of two texts without tokens. `zero`: 0, as in the script of SQuAD
        1.1, although the exact match is 1. `equal`: 1, as in the script of SQuAD 2.0.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "squad".
Returns:
    token_f1 (`float`): the mean F1, 0 to 100; higher is better. 100 means that each answer has exactly the words of a
        right one.
    exact_match (`float`): the share of answers that have the words of a right one in the same order, 0 to 100; higher
        is better.
Examples:

    >>> import metrologue
    >>> token_f1 = metrologue.load("token_f1")
    >>> token_f1.compute(predictions=["The cat sat.", "a dog"], references=[["cat sat down", "cats"], ["the dog"]])
    {'token_f1': 90.0, 'exact_match': 50.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class TokenF1(MetricModule, evaluate.Metric):
    """The words that an answer shares with the right one."""

    metric = "token_f1"
    default_variant = "squad"
    reported = ("token_f1", "exact_match")

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
        empty=None,
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
            empty=empty,
        )

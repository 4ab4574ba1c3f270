"""Dice for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
The Dice coefficient: twice the words or n-grams that a text shares with its reference, divided by those of both.
"""

_INPUTS = """
Args:
    predictions (list[str], or list of sets or lists of labels): the texts or sets to score. A label is a `str`, a
        number or a tuple of these.
    references (list[str] or list[list[str]], or the same of sets or lists): one reference for each prediction, or a
        list of references for each. The lists may differ in length.
    aggregation ("corpus" or "mean", default "mean"): How the segments of a corpus make one score. `corpus`: the score
        of the summed statistics. `mean`: the mean of the segments' own scores.
    scale (float, default 1.0): The value of a perfect score.
    multi_reference ("best", default "best"): Which of several references counts. `best`: the one with the best score;
        ties: the first.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`. It does not
        apply to labels.
    lowercase (bool, default False): Whether to apply `str.lower()` to texts first. It does not apply to labels.
    order (int, default 1): The n of the n-grams. It does not apply to labels, which need have no order.
    binary (bool, default True): Whether each distinct unit counts once: texts are sets, not bags.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    dice (`float`): the score, 0 to 1; higher is better. 1 means that both texts have the same n-grams.
    accuracy (`float`): the share of texts that have exactly the n-grams of a reference, 0 to 1; higher is better.
Examples:

    >>> import metrologue
    >>> dice = metrologue.load("dice")
    >>> dice.compute(predictions=["the cat sat", "a dog"], references=["the cat sat down", "a dog"])
    {'dice': 0.9285714285714286, 'accuracy': 0.5}
    >>> dice.compute(predictions=[{"desk", "red"}], references=[{"desk", "red", "large"}])
    {'dice': 0.8, 'accuracy': 0.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Dice(MetricModule, evaluate.Metric):
    """Words or n-grams that two texts share, by those of both."""

    metric = "dice"
    default_variant = "metrologue"
    reported = ("dice", "accuracy")

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
        order=None,
        binary=None,
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
            order=order,
            binary=binary,
        )

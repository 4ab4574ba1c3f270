"""MASI for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
MASI, Measuring Agreement on Set-valued Items: the Jaccard index of two sets, less where neither contains the other.
"""

_INPUTS = """
Args:
    predictions (list[str], or list of sets or lists of labels): the texts or sets to score. A label is a `str`, a
        number or a tuple of these.
    references (list[str] or list[list[str]], or the same of sets or lists): one reference for each prediction, or a
        list of references for each. The lists may differ in length.
    aggregation ("corpus", default "corpus"): How the segments of a corpus make one score. `corpus`: the mean of the
        texts' own scores.
    scale (float, default 1.0): The value of a perfect score.
    multi_reference ("best" or "mean", default "best"): Which of several references counts. `best`: the one with the
        best score; ties: the first. `mean`: the mean of all.
    tokenizer (str or function, default "whitespace"): One of `metrologue.tokenizers.list_tokenizers()`. It does not
        apply to labels.
    lowercase (bool, default False): Whether to apply `str.lower()` to texts first. It does not apply to labels.
    subset_weight (float, default 0.6666666666666666): The weight of a set and its proper subset. nltk up to 3.8.1 has
        0.67.
    overlap_weight (float, default 0.3333333333333333): The weight of sets that overlap. nltk up to 3.8.1 has 0.33.
    empty ("equal" or "error", default "equal"): Two empty sets. `equal`: they are equal, with a MASI of 1. `error`:
        they are refused (nltk divides by zero).
    signature (bool): adds `"signature"`, every choice behind the numbers on one line.
    per_segment (bool): adds `"segments"`: for each number, a list of its values for the single predictions.

    An argument that is left out has the variant's value. The defaults shown are those of "metrologue".
Returns:
    masi (`float`): the score, 0 to 1; higher is better. 1 means equal sets.
    masi_distance (`float`): 1 minus MASI; lower is better.
    jaccard (`float`): the mean Jaccard index, 0 to 1; higher is better.
Examples:

    >>> import metrologue
    >>> masi = metrologue.load("masi")
    >>> masi.compute(predictions=["the cat sat", "a dog"], references=["the cat sat down", "a dog"])
    {'masi': 0.75, 'masi_distance': 0.25, 'jaccard': 0.875}
    >>> masi.compute(predictions=[["desk", "red"]], references=[[["desk", "red", "large"], ["chair"]]])
    {'masi': 0.4444444444444444, 'masi_distance': 0.5555555555555556, 'jaccard': 0.6666666666666666}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Masi(MetricModule, evaluate.Metric):
    """Overlap of two sets; more where one contains the other."""

    metric = "masi"
    default_variant = "metrologue"
    reported = ("masi", "masi_distance", "jaccard")

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
        subset_weight=None,
        overlap_weight=None,
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
            subset_weight=subset_weight,
            overlap_weight=overlap_weight,
            empty=empty,
        )

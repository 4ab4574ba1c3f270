"""Edit Distance for `evaluate`, made by `make docs`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
Levenshtein's distance over characters, grapheme clusters or words, with costs, transpositions and normalizations, as
rapidfuzz, nltk and torchmetrics compute it.
"""

_INPUTS = """
Args:
    predictions (list[str]): the texts to score. Tuples, NumPy arrays, pandas Series, `datasets` columns and Arrow
        arrays are fine too.
    references (list[str] or list[list[str]]): one reference for each prediction, or a list of references for each. The
        lists may differ in length. With several references, the one with the least distance counts.
    aggregation ("corpus" or "mean", default "mean"): How the segments of a corpus make one score. `corpus`: the sum of
        the distances, divided by the sum of the divisors. `mean`: the mean of the segments.
    scale (float, default 1.0): The factor of `normalized_distance` and `normalized_similarity`.
    multi_reference ("best" or "mean", default "best"): How several references join. `best`: the reference with the
        least distance counts; ties: the first. `mean`: the mean over all references.
    tokenizer (str or function, default "characters"): What the units are: "characters" (code points), "graphemes" (what
        a reader sees as one character), "whitespace" (words), or any other tokenizer.
    lowercase (bool, default False): Whether to apply `str.lower()` first.
    insertion_cost (float, default 1.0): Cost of a unit that only the hypothesis has.
    deletion_cost (float, default 1.0): Cost of a unit that only the reference has.
    substitution_cost (float, default 1.0): Cost of one unit in place of another. With `math.inf` there are no
        substitutions.
    transpositions ("none" or "adjacent" or "any", default "none"): Whether two neighbours may change places at a cost
        of 1. `none`: never. `adjacent`: if no other edit touches them (optimal string alignment). `any`: also with
        edits between the two (Damerau's distance).
    beam (int, default None): How far from the diagonal of the table the search looks; None for the whole table. With a
        beam, distances of long texts may come out too large (torchmetrics: 25).
    max_length (int, default None): Refuse texts with more units than this. nltk does so from version 3.10 on, because
        its table has a cell for each pair of characters.
    normalization ("none" or "maximum" or "longer" or "reference" or "sum", default "none"): What the distance is
        divided by. Two empty texts have the distance 0. `none`: nothing. `maximum`: the greatest distance of texts of
        these lengths (rapidfuzz). `longer`: the length of the longer text. `reference`: the length of the reference.
        `sum`: the sum of both lengths.
    signature (bool): adds `"signature"`, every choice behind the number on one line.
    per_segment (bool): adds `"segments"`: for each single prediction, the distances and the lengths.

    An argument that is left out has the variant's value. The defaults shown are those of "rapidfuzz".
Returns:
    edit_distance (`float`): the mean distance; 0 if all texts equal their references. There is no upper limit.
    normalized_distance (`float`): reported instead if a `normalization` is chosen; from 0 to 1 with `"maximum"`.
Examples:

    >>> import metrologue
    >>> edit_distance = metrologue.load("edit_distance")
    >>> edit_distance.compute(predictions=["ros", "adc"], references=["horse", "abc"])
    {'edit_distance': 2.0}
    >>> results = edit_distance.compute(predictions=["ros", "adc"], references=["horse", "abc"], per_segment=True)
    >>> results["segments"]["edit_distance"]
    [3.0, 1.0]
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class EditDistance(MetricModule, evaluate.Metric):
    """Levenshtein's distance of characters or words."""

    metric = "edit_distance"
    default_variant = "rapidfuzz"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(self._papers()),
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=["https://github.com/rapidfuzz/RapidFuzz"],
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
        insertion_cost=None,
        deletion_cost=None,
        substitution_cost=None,
        transpositions=None,
        beam=None,
        max_length=None,
        normalization=None,
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
            insertion_cost=insertion_cost,
            deletion_cost=deletion_cost,
            substitution_cost=substitution_cost,
            transpositions=transpositions,
            beam=beam,
            max_length=max_length,
            normalization=normalization,
        )

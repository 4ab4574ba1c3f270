"""Edit distance for `evaluate`: rapidfuzz's by default, nltk's and torchmetrics' by `config_name`."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
The edit distance (Levenshtein's) is the least number or the least cost of the insertions, deletions and substitutions
that turn a text into its reference. The units are characters, grapheme clusters or words. Neighbours may be allowed to
change places, and the distance may be divided by the length of the texts.
"""

_CITATION = """
@article{levenshtein-1966-binary,
    title = "Binary Codes Capable of Correcting Deletions, Insertions and Reversals",
    author = "Levenshtein, Vladimir I.",
    journal = "Soviet Physics Doklady",
    volume = "10",
    number = "8",
    year = "1966",
    pages = "707--710"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    tokenizer: what the units are: "characters", "graphemes", "whitespace" for words, the name of another tokenizer, or
        a function from a text to its list of tokens.
    insertion_cost: cost of a unit that only the prediction has.
    deletion_cost: cost of a unit that only the reference has.
    substitution_cost: cost of a unit in place of another.
    transpositions: whether neighbours may change places at a cost of 1: "none", "adjacent" or "any" (also with edits
        between them).
    normalization: what the distance is divided by: "none", "maximum" (the greatest distance of texts of these lengths),
        "longer" (the length of the longer text), "reference" (its length) or "sum" (of both lengths).
    aggregation: "mean", the mean over the predictions, or "corpus", the sum of the distances divided by the sum of the
        divisors.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers for each prediction.

    An argument that is left out has the variant's value.
Returns:
    the distance under "edit_distance", or with a `normalization` under "normalized_distance".
Examples:

    >>> import metrologue
    >>> edit_distance = metrologue.load("edit_distance")
    >>> edit_distance.compute(predictions=["ros", "adc"], references=["horse", "abc"])
    {'edit_distance': 2.0}
    >>> edit_distance.compute(predictions=["ros"], references=["horse"], normalization="maximum")
    {'normalized_distance': 0.6}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class EditDistance(MetricModule, evaluate.Metric):
    """The edit distance; the Hub has no module of this name."""

    metric = "edit_distance"
    default_variant = "rapidfuzz"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
            codebase_urls=["https://github.com/rapidfuzz/RapidFuzz"],
            reference_urls=["https://nymity.ch/sybilhunting/pdf/Levenshtein1966a.pdf"],
        )

    def _compute(
        self,
        predictions,
        references,
        tokenizer=None,
        insertion_cost=None,
        deletion_cost=None,
        substitution_cost=None,
        transpositions=None,
        normalization=None,
        aggregation=None,
        signature=False,
        per_segment=False,
    ):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(
                tokenizer=name,
                insertion_cost=insertion_cost,
                deletion_cost=deletion_cost,
                substitution_cost=substitution_cost,
                transpositions=transpositions,
                normalization=normalization,
                aggregation=aggregation,
            )
            return self._value(scorer, predictions, references, signature, per_segment)

"""MASI for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
MASI (Passonneau 2006) compares two sets. It is the Jaccard index of the sets, times a weight: 1 if they are equal, 2/3
if one of them contains the other, 1/3 if they overlap otherwise, and 0 if they share nothing. The sets are the words of
texts, or labels. The score is the mean over the texts.
"""

_CITATION = """
@inproceedings{passonneau-2006-measuring,
    title = "Measuring Agreement on Set-valued Items ({MASI}) for Semantic and Pragmatic Annotation",
    author = "Passonneau, Rebecca",
    booktitle = "Proceedings of the Fifth International Conference on Language Resources and Evaluation ({LREC}'06)",
    year = "2006",
    url = "https://aclanthology.org/L06-1392"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score, or list of sets or lists of labels.
    references: list of texts, or list of lists of texts if a prediction has several references; or the same of labels.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    lowercase: whether to ignore case.
    multi_reference: "best" or "mean": which of several references counts.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    masi, masi_distance: 1 minus MASI, and jaccard: the mean Jaccard index.
Examples:

    >>> import metrologue
    >>> masi = metrologue.load("masi")
    >>> masi.compute(predictions=["a b", "c d"], references=[["a b c d"], ["d c"]])
    {'masi': 0.6666666666666666, 'masi_distance': 0.33333333333333337, 'jaccard': 0.75}
    >>> masi.compute(predictions=[["a", "b"]], references=[[["a", "b"], ["a"]]])
    {'masi': 1.0, 'masi_distance': 0.0, 'jaccard': 1.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Masi(MetricModule, evaluate.Metric):
    """MASI of predictions and their references."""

    metric = "masi"
    default_variant = "metrologue"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(labels=True),
            reference_urls=["https://aclanthology.org/L06-1392"],
        )

    def _compute(
        self,
        predictions,
        references,
        tokenizer=None,
        lowercase=None,
        multi_reference=None,
        signature=False,
        per_segment=False,
    ):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(tokenizer=name, lowercase=lowercase, multi_reference=multi_reference)
            scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        return {**{key: scores[key] for key in ("masi", "masi_distance", "jaccard")}, **extras}

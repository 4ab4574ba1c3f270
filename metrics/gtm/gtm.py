"""GTM for `evaluate`; the Hub has no module of this name."""

import evaluate

from metrologue.bridge.evaluate_module import MetricModule, named_tokenizer, text_features

_DESCRIPTION = """
GTM, the General Text Matcher (Melamed et al. 2003; Turian et al. 2003), is an F-measure of the words that a text shares
with its references. No word counts twice. With an exponent above 1, words that follow each other in both texts count
more than single words.
"""

_CITATION = """
@inproceedings{melamed-etal-2003-precision,
    title = "Precision and Recall of Machine Translation",
    author = "Melamed, I. Dan and Green, Ryan and Turian, Joseph P.",
    booktitle = "Companion Volume of the Proceedings of HLT-NAACL 2003 - Short Papers",
    year = "2003",
    url = "https://aclanthology.org/N03-2021"
}
@inproceedings{turian-etal-2003-evaluation,
    title = "Evaluation of Machine Translation and its Evaluation",
    author = "Turian, Joseph P. and Shen, Luke and Melamed, I. Dan",
    booktitle = "Proceedings of Machine Translation Summit IX: Papers",
    year = "2003",
    url = "https://aclanthology.org/2003.mtsummit-papers.51"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    exponent: how much more long runs of words count; with 1, they count as single words.
    multi_reference: "concatenated", as in GTM, or "best": which of several references counts.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    lowercase: whether to ignore case.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    gtm, precision, recall.
Examples:

    >>> import metrologue
    >>> gtm = metrologue.load("gtm")
    >>> gtm.compute(predictions=["police killed the gunman"], references=[["police kill the gunman"]])
    {'gtm': 0.75, 'precision': 0.75, 'recall': 0.75}
    >>> metrologue.load("gtm", "gtm-1.4-e2").compute(predictions=["c d a b"], references=["a b c d e"])["recall"]
    0.565685424949238
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Gtm(MetricModule, evaluate.Metric):
    """GTM of predictions and their references."""

    metric = "gtm"
    default_variant = "gtm-1.4"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=text_features(),
            reference_urls=["https://aclanthology.org/N03-2021", "https://aclanthology.org/2003.mtsummit-papers.51"],
        )

    def _compute(
        self,
        predictions,
        references,
        exponent=None,
        multi_reference=None,
        tokenizer=None,
        lowercase=None,
        signature=False,
        per_segment=False,
    ):
        with named_tokenizer(tokenizer) as name:
            scorer = self._variant(
                exponent=exponent, multi_reference=multi_reference, tokenizer=name, lowercase=lowercase
            )
            scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        return {**{key: scores[key] for key in ("gtm", "precision", "recall")}, **extras}

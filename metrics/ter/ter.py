"""TER for `evaluate`: the Hub's `ter`, number for number, without the sacrebleu library."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
TER (translation edit rate) is the number of edits that turn a text into its reference, divided by the words of the
reference. An edit inserts, deletes or substitutes a word, or shifts a run of words to another place. 0 is perfect. This
module gives the numbers of the sacrebleu library on its scale, and torchmetrics' by `config_name`.
"""

_CITATION = """
@inproceedings{snover-etal-2006-study,
    title = "A Study of Translation Edit Rate with Targeted Human Annotation",
    author = "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
    booktitle = "Proceedings of the 7th Conference of the Association for Machine Translation in the Americas",
    year = "2006",
    address = "Cambridge, Massachusetts, USA",
    url = "https://aclanthology.org/2006.amta-papers.25",
    pages = "223--231"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references (as many as it has).
    normalized: whether to split off punctuation, which otherwise is part of a word.
    ignore_punct: whether to drop punctuation.
    support_zh_ja_chars: whether `normalized` also splits Chinese characters, and whether `ignore_punct` also drops
        Chinese and Japanese punctuation.
    case_sensitive: whether case counts.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    score, num_edits and ref_length (in words; for several references their mean).
Examples:

    >>> import metrologue
    >>> ter = metrologue.load("ter")
    >>> predictions = ["does this sentence match??", "on the mat the cat sat"]
    >>> references = [["does this sentence match", "does this sentence match!?!"], ["the cat sat on the mat"]]
    >>> ter.compute(predictions=predictions, references=references)
    {'score': 20.0, 'num_edits': 2, 'ref_length': 10.0}
    >>> ter.compute(predictions=predictions, references=references, ignore_punct=True)
    {'score': 10.0, 'num_edits': 1, 'ref_length': 10.0}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Ter(MetricModule, evaluate.Metric):
    """TER with the arguments and the result of the Hub's module of this name."""

    metric = "ter"
    default_variant = "sacrebleu"
    renamed = (("no_punct", "ignore_punct"), ("asian_support", "support_zh_ja_chars"))

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            homepage="https://www.cs.umd.edu/~snover/tercom/",
            codebase_urls=["https://github.com/mjpost/sacrebleu"],
            reference_urls=["https://github.com/jhclark/tercom", "https://aclanthology.org/2006.amta-papers.25"],
        )

    def _compute(
        self,
        predictions,
        references,
        normalized=None,
        ignore_punct=None,
        support_zh_ja_chars=None,
        case_sensitive=None,
        signature=False,
        per_segment=False,
    ):
        scorer = self._variant(
            normalized=normalized,
            no_punct=ignore_punct,
            asian_support=support_zh_ja_chars,
            case_sensitive=case_sensitive,
        )
        scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        return {
            "score": scores["ter"],
            "num_edits": scores["edits"],
            "ref_length": float(scores["reference_length"]),
            **extras,
        }

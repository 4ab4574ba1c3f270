"""GLEU for `evaluate`: the Hub's `google_bleu`, number for number, and nltk's by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
GLEU (Wu et al. 2016) was made to score single sentences. It is the number of n-grams that a text shares with its
reference, divided by the n-grams of the longer of the two. This is the lesser of precision and recall over all n-grams
of one to four tokens.
"""

_CITATION = """
@misc{wu-etal-2016-gnmt,
    title = "Google's Neural Machine Translation System: Bridging the Gap between Human and Machine Translation",
    author = "Wu, Yonghui and Schuster, Mike and Chen, Zhifeng and Le, Quoc V. and Norouzi, Mohammad and others",
    year = "2016",
    eprint = "1609.08144",
    archivePrefix = "arXiv",
    url = "https://arxiv.org/abs/1609.08144"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    tokenizer: a function from a text to its list of tokens, or the name of one (`metrologue.tokenizers`).
    min_len: shortest n-gram that counts.
    max_len: longest n-gram that counts.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
Returns:
    google_bleu.
Examples:

    >>> import metrologue
    >>> google_bleu = metrologue.load("google_bleu")
    >>> google_bleu.compute(predictions=["the cat sat"], references=[["the cat"]])
    {'google_bleu': 0.5}
    >>> google_bleu.compute(predictions=["the cat sat"], references=[["the cat"]], max_len=1)["google_bleu"]
    0.6666666666666666
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class GoogleBleu(MetricModule, evaluate.Metric):
    """GLEU with the arguments and the result of the Hub's module of this name."""

    metric = "google_bleu"
    default_variant = "evaluate"
    renamed = (("min_order", "min_len"), ("max_order", "max_len"))

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            reference_urls=[
                "https://arxiv.org/abs/1609.08144",
                "https://www.nltk.org/_modules/nltk/translate/gleu_score",
            ],
        )

    def _compute(
        self, predictions, references, tokenizer=None, min_len=None, max_len=None, signature=False, per_segment=False
    ):
        fields = {"tokenizer": tokenizer, "min_order": min_len, "max_order": max_len}
        return self._result(predictions, references, signature, per_segment, **fields)

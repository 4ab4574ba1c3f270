"""NIST for `evaluate`: the Hub's `nist_mt`, number for number, and mteval's and nltk's by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.errors import InputError  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
NIST (Doddington 2002) is BLEU with weights. The weight of a matching n-gram is its information in bits: how much rarer
it is in the references than its first n - 1 words. The bits of each order are divided by the number of n-grams, and
summed over the orders.
"""

_CITATION = """
@inproceedings{doddington-2002-nist,
    title = "Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics",
    author = "Doddington, George",
    booktitle = "Proceedings of the Second International Conference on Human Language Technology Research",
    year = "2002",
    pages = "138--145",
    url = "https://dl.acm.org/doi/10.5555/1289189.1289273"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references.
    n: longest n-gram that counts.
    lowercase: whether letters are compared in lower case. With the Hub's tokens, this needs `western_lang`.
    western_lang: whether to split off punctuation as in Western languages. Otherwise text is split at whitespace only.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction. They use the information of all
        references.

    An argument that is left out has the variant's value.
Returns:
    nist_mt.
Examples:

    >>> import metrologue
    >>> nist_mt = metrologue.load("nist_mt")
    >>> prediction = "It is a guide to action which ensures that the military always obeys the commands of the party"
    >>> reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    >>> nist_mt.compute(predictions=[prediction], references=[reference])
    {'nist_mt': 2.4477124183006533}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class NistMt(MetricModule, evaluate.Metric):
    """NIST with the arguments and the result of the Hub's module of this name."""

    metric = "nist_mt"
    default_variant = "evaluate"
    renamed = (("max_order", "n"),)

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            reference_urls=["https://en.wikipedia.org/wiki/NIST_(metric)"],
        )

    def _compute(
        self,
        predictions,
        references,
        n=None,
        lowercase=None,
        western_lang=None,
        signature=False,
        per_segment=False,
    ):
        fields = {"max_order": n, **self._text_fields(lowercase, western_lang)}
        return self._result(predictions, references, signature, per_segment, **fields)

    def _text_fields(self, lowercase, western_lang):
        """The fields of the variant's scorer that these two arguments set."""
        if self.config_name == "evaluate":
            western = western_lang is not False
            return {"tokenizer": f"nist:western={western},lowercase={bool(western and lowercase)}".lower()}
        if western_lang is not None:
            raise InputError(f"NistMt: the variant {self.config_name!r} has no `western_lang`; only 'evaluate' has it.")
        if self.config_name == "mteval-v13a" and lowercase is not None:
            return {"tokenizer": f"mteval-v13a:preserve_case={not lowercase}".lower()}
        return {"lowercase": lowercase}

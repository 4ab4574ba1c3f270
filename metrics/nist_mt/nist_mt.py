"""NIST for `evaluate`: the Hub's `nist_mt`, number for number, and mteval's and nltk's by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.errors import InputError  # From: -e CHECKOUT-OF-METROLOGUE


class NistMt(MetricModule, evaluate.Metric):
    """NIST with the arguments and the result of the Hub's module of this name.

    NIST (Doddington 2002) is BLEU with weights. The weight of a matching n-gram is its information in bits: how much
    rarer it is in the references than its first n - 1 words. The bits of each order are divided by the number of
    n-grams, and summed over the orders.

    Args:
        lowercase: whether letters are compared in lower case. With the Hub's tokens, this needs `western_lang`.
        western_lang: whether to split off punctuation as in Western languages. Otherwise text is split at whitespace
            only.

    Returns:
        nist_mt.

    Examples:

        >>> import metrologue
        >>> nist_mt = metrologue.load("nist_mt")
        >>> prediction = (
        ...     "It is a guide to action which ensures that the military always obeys the commands of the party"
        ... )
        >>> reference = "It is a guide to action that ensures that the military will forever heed Party commands"
        >>> nist_mt.compute(predictions=[prediction], references=[reference])
        {'nist_mt': 2.4477124183006533}
    """

    metric = "nist_mt"
    default_variant = "evaluate"
    arguments = {"n": "max_order"}
    pages = ("https://en.wikipedia.org/wiki/NIST_(metric)",)

    def _fields(self, lowercase=None, western_lang=None):
        if self.config_name == "evaluate":
            western = western_lang is not False
            return {"tokenizer": f"nist:western={western},lowercase={bool(western and lowercase)}".lower()}
        if western_lang is not None:
            raise InputError(f"NistMt: the variant {self.config_name!r} has no `western_lang`; only 'evaluate' has it.")
        if self.config_name == "mteval-v13a" and lowercase is not None:
            return {"tokenizer": f"mteval-v13a:preserve_case={not lowercase}".lower()}
        return {"lowercase": lowercase}

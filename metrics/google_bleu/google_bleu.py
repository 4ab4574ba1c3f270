"""GLEU for `evaluate`: the Hub's `google_bleu`, number for number, and nltk's by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class GoogleBleu(MetricModule, evaluate.Metric):
    """GLEU with the arguments and the result of the Hub's module of this name.

    GLEU (Wu et al. 2016) was made to score single sentences. It is the number of n-grams that a text shares with its
    reference, divided by the n-grams of the longer of the two. This is the lesser of precision and recall over all
    n-grams of one to four tokens.

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

    metric = "google_bleu"
    default_variant = "evaluate"
    arguments = {"min_len": "min_order", "max_len": "max_order"}
    pages = ("https://www.nltk.org/_modules/nltk/translate/gleu_score",)

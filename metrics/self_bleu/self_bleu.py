"""Self-BLEU for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class SelfBleu(MetricModule, evaluate.Metric):
    """BLEU of each text against all other texts.

    Self-BLEU, the mean BLEU of each generated text against all other texts, as nltk, Texygen, fast-bleu and sacrebleu
    give it, in one pass over the texts.

    Returns:
        self_bleu (`float`): the mean BLEU, 0 to 1; with the variant `sacrebleu` 0 to 100. Lower is more diverse. A text
            without words has the score 0. Fewer than two texts, or a text that is not a string, raise a
            `metrologue.InputError`. With the variant `fast-bleu`, a single text has 0.

    Examples:

        >>> import metrologue
        >>> self_bleu = metrologue.load("self_bleu")
        >>> predictions = ["the cat sat", "the cat ran", "a dog ran fast"]
        >>> results = self_bleu.compute(predictions=predictions, max_order=2)
        >>> round(results["self_bleu"], 4)
        0.4586
    """

    metric = "self_bleu"
    default_variant = "nltk"
    takes_data = True
    grouping = ("others", "group")
    programs = ("https://github.com/geek-ai/Texygen", "https://github.com/Danial-Alh/fast-bleu")

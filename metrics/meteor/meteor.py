"""METEOR for `evaluate`: the Hub's `meteor`, number for number, and every other program's METEOR by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Meteor(MetricModule, evaluate.Metric):
    """METEOR with the arguments and the result of the Hub's module of this name.

    METEOR aligns the words of a text with those of a reference by spelling, stem and synonym, and in METEOR 1.5 also by
    paraphrase. It weighs recall more than precision, and has a penalty for words in scattered order. Programs differ in
    tokens, stages, the search for the alignment, function words and parameters; `config_name` chooses the program.

    Returns:
        meteor, from 0 to 1.

    Examples:

        >>> import metrologue
        >>> meteor = metrologue.load("meteor")
        >>> one = "It is a guide to action which ensures that the military always obeys the commands of the party"
        >>> other = "It is a guide to action that ensures that the military will forever heed Party commands"
        >>> results = meteor.compute(predictions=[one], references=[other])
        >>> print(round(results["meteor"], 4))
        0.6944
    """

    metric = "meteor"
    default_variant = "evaluate"
    programs = (
        "https://github.com/nltk/nltk/blob/develop/nltk/translate/meteor_score.py",
        "https://github.com/cmu-mtlab/meteor",
    )

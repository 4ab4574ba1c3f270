"""hLEPOR for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Hlepor(MetricModule, evaluate.Metric):
    """Lengths, positions, precision and recall of words.

    hLEPOR, LEPOR and nLEPOR: the lengths, the positions, the precision and the recall of the words in one number.

    Returns:
        hlepor (`float`): the score, 0 to 1; higher is better. With `nltk` it can be above 1.
        length_penalty, position_penalty, harmonic_mean (`float`): the means of the three factors over the texts; higher
            is better.

    Examples:

        >>> import metrologue
        >>> hlepor = metrologue.load("hlepor")
        >>> scores = hlepor.compute(predictions=["the cat sat", "a dog"], references=["the cat", "a dog"])
        >>> {key: round(value, 4) for key, value in scores.items()}
        {'hlepor': 0.9227, 'length_penalty': 0.8033, 'position_penalty': 0.9232, 'harmonic_mean': 0.9762}
    """

    metric = "hlepor"
    default_variant = "hlepor"
    reported = ("hlepor", "length_penalty", "position_penalty", "harmonic_mean")
    programs = ("https://github.com/poethan/LEPOR",)

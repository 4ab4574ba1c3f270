"""SPICE for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Spice(MetricModule, evaluate.Metric):
    """Objects, attributes and relations that captions share.

    SPICE is the F1 of the objects, attributes and relations in the scene graphs of a caption and of its references. It
    needs scene graphs, or a parser.

    Returns:
        spice (`float`): the mean F1 of the tuples, over the segments; 0 to 1 unless several tuples match the same one;
            higher is better.
        precision (`float`): the mean share of a caption's tuples that match.
        recall (`float`): the mean of matches per tuple of the references. It can be above 1, as in the authors'
            program, where several tuples may match the same one.
        object, attribute, relation (`float`): the mean F1 of tuples with one, two and three words, over the segments
            whose references have such tuples; 0 if there are none.
        color, count, size (`float`): the same of attributes from lists of words: 18 colors, the numbers from "one" to
            "ten", and 105 sizes.

    Examples:

        >>> import metrologue
        >>> spice = metrologue.load("spice")
        >>> prediction = [("dog",), ("dog", "brown"), ("park",), ("dog", "run in", "park")]
        >>> reference = [("dog",), ("dog", "big"), ("park",), ("grass",), ("dog", "run in", "park")]
        >>> results = spice.compute(predictions=[prediction], references=[reference])
        >>> print({name: round(value, 4) for name, value in results.items() if value})
        {'spice': 0.6667, 'precision': 0.75, 'recall': 0.6, 'object': 0.8, 'relation': 1.0}
    """

    metric = "spice"
    default_variant = "spice"
    reported = ("spice", "precision", "recall", "object", "attribute", "relation", "color", "count", "size")
    programs = ("https://github.com/peteanderson80/SPICE",)

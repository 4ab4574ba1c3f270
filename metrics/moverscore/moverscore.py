"""MoverScore for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Moverscore(MetricModule, evaluate.Metric):
    """How far tokens move to become those of a reference.

    MoverScore is 1 less the least distance by which the tokens of a text must move, as the vectors that a language
    model gives them in their context, to become those of its reference. It needs an encoder.

    Returns:
        moverscore (`float`): the mean score of the segments, -1 to 1; higher is better. 1 means that nothing moves.
            Scores of different models are not comparable, because unrelated tokens are nearer to each other in some
            than in others.

    Examples:

        >>> import metrologue
        >>> from metrologue.representations import FunctionEncoder
        >>> def letters(texts):
        ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
        >>> encoder = FunctionEncoder("letters", letters, digest="1")
        >>> moverscore = metrologue.load("moverscore")
        >>> results = moverscore.compute(predictions=["a bad cab"], references=["a cab"], model=encoder)
        >>> print(round(results["moverscore"], 4))
        0.7107
    """

    metric = "moverscore"
    default_variant = "moverscore"
    programs = ("https://github.com/AIPHES/emnlp19-moverscore",)

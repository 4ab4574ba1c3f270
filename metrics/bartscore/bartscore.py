"""BARTScore for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Bartscore(MetricModule, evaluate.Metric):
    """How probable BART finds a text after another one.

    BARTScore is the mean log-probability of a text's tokens, as a sequence-to-sequence model expects them after it has
    read a source, a reference or the text. It needs a released checkpoint.

    Returns:
        bartscore (`float`): at most 0; higher is better. For the F score, precision and recall are there too.
        segments (`int`): the segments.

    Examples:

        >>> import metrologue
        >>> from metrologue.representations import FunctionSequence
        >>> def said(source, target):
        ...     return [-1.0 if word in source.split() else -5.0 for word in target.split()]
        >>> model = FunctionSequence("said", said, digest="1")
        >>> bartscore = metrologue.load("bartscore", "bart-score-f")
        >>> results = bartscore.compute(predictions=["a cat sat"], references=["a cat"], model=model)
        >>> print({name: round(value, 4) for name, value in results.items()})
        {'bartscore': -1.6667, 'precision': -2.3333, 'recall': -1.0, 'segments': 1}
    """

    metric = "bartscore"
    default_variant = "bart-score"
    reported = None
    programs = ("https://github.com/neulab/BARTScore",)

"""MEANT for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Meant(MetricModule, evaluate.Metric):
    """Who did what to whom, in a text and in its reference.

    MEANT says how much of the semantic frames of a reference, who did what to whom, a text has. It needs semantic
    frames and word vectors.

    Returns:
        meant (`float`): the mean of the scores of the segments, 0 to 1; higher is better. Equal texts score 1.
        precision (`float`): the mean of the precisions, 0 to 1.
        recall (`float`): the mean of the recalls, 0 to 1.

    Examples:

        >>> import metrologue
        >>> from metrologue.representations.frames import FunctionLabeller
        >>> def label(texts):
        ...     return [[{"pred": (2, 3), "args": [("A0", 0, 2), ("A1", 3, 5)]}] for _ in texts]
        >>> frames = FunctionLabeller("middle", label, "1")
        >>> meant = metrologue.load("meant")
        >>> predictions, references = ["the cat chased a mouse"], ["the cat chased the mouse"]
        >>> results = meant.compute(predictions=predictions, references=references, frames=frames)
        >>> print(round(results["meant"], 6))
        0.777778
    """

    metric = "meant"
    default_variant = "frames"
    reported = ("meant", "precision", "recall")
    programs = ("https://github.com/chikiulo/yisi",)

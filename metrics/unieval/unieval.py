"""UniEval for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Unieval(MetricModule, evaluate.Metric):
    """A model's answers to questions about a text.

    UniEval asks a sequence-to-sequence model questions about a text, one for each dimension of quality. The score is
    how probably it answers yes, and not no. It needs a released checkpoint.

    Args:
        references (list[str] or list[list[str]]): one reference for each prediction, or several, of which the one with
            the best answer counts. `metrologue.score` needs them only for relevance and informativeness.
        sources (list[str]): the document of each prediction, or the turns of the dialogue before it as one text.
            Without them, the references stand in their place.
        facts (list[str]): what a response may use; otherwise the sources.

    Returns:
        unieval (`float`): the mean of the dimensions, 0 to 1, with engagingness 0 or more; higher is better.
        A number for each dimension of the task, such as coherence, 0 to 1; engagingness has no limit.
        segments (`int`): the segments.

    Examples:

        >>> import metrologue
        >>> from metrologue.representations import FunctionSequence
        >>> def short(source, target):
        ...     return [-len(source) / 100 if target == "Yes" else -1.0]
        >>> model = FunctionSequence("short", short, digest="1")
        >>> unieval = metrologue.load("unieval", "unieval-d2t")
        >>> results = unieval.compute(predictions=["It rains."], references=["Rain falls."], model=model)
        >>> print({name: round(value, 4) for name, value in results.items()})
        {'unieval': 0.5221, 'naturalness': 0.5915, 'informativeness': 0.4526, 'segments': 1}
    """

    metric = "unieval"
    default_variant = "unieval-sum"
    reported = None
    programs = ("https://github.com/maszhongming/UniEval",)

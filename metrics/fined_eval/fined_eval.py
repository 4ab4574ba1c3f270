"""FineD-Eval for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class FinedEval(MetricModule, evaluate.Metric):
    """How coherent, likable and deep a dialogue is.

    FineD-Eval scores a whole dialogue for its coherence, its likability and the depth of its topics, without a
    reference. It needs a training. Research: made anew from a paper; no released model is read. FED's Coherent: rho
    .308; the cosine of neighbours has .325. Depth points the wrong way: −.329; the cosine has .220.

    Args:
        contexts (list[str] or list[list[str]]): the turns before each prediction, in the same forms; they may be left
            out, and may be empty.

    Returns:
        fined_eval (`float`): the mean of the three heads; 0 to 1, higher is better.
        coherence, likability, topic_depth (`float`): 0 to 1; higher is better. They order dialogues; a value has no
            meaning of its own.
        neighbours (`float`): the mean cosine of neighbouring turns; -1 to 1, higher is better, 0 for a single turn.
        segments (`int`): the number of dialogues.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> fined = metrologue.load("fined_eval")
        >>> model = sample_model("fined_eval")
        >>> dialogue = ["Do you like cats?", "Yes, I have two cats.", "What are their names?", "Tom and Kitty."]
        >>> other = ["Tom and Kitty.", "Yes, I have two cats.", "Do you like cats?", "What are their names?"]
        >>> results = fined.compute(predictions=[dialogue, other], model=model, per_segment=True)
        >>> one, two = results["segments"]["coherence"]
        >>> print(one > two)
        True
    """

    metric = "fined_eval"
    default_variant = "metrologue"
    reported = None
    programs = ("https://github.com/e0397123/FineD-Eval",)

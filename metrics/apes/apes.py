"""APES for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Apes(MetricModule, evaluate.Metric):
    """Questions about entities that a text answers.

    APES is the share of questions about the entities of reference summaries that a reader answers from a summary. It
    needs a training; apes:lexical: nothing. Research: made anew from a paper; no released model is read. SummEval's
    consistency: rho .099; arc overlap has .112. Pairs of Falke et al., right: .086; its own lexical rule has .142.

    Returns:
        apes (`float`): 0 to 1, the share of the questions that are answered right; higher is better. It is 0 if there
            are no questions.
        lexical (`float`): 0 to 1, the share that the rule answers right; higher is better. It is the rival.
        present (`float`): 0 to 1, the share of the questions whose answer the summary has; higher is better. No reader
            can be above it.
        correct (`int`): the questions that are answered right.
        questions (`int`): all questions.

    Examples:

        >>> import metrologue
        >>> apes = metrologue.load("apes", "lexical")
        >>> results = apes.compute(
        ...     predictions=["Later Anna met Bo.", "Nothing is said here."],
        ...     references=["Yesterday Anna met Bo in Rome.", "They saw Clara and Dan there."],
        ... )
        >>> print(results["apes"], results["correct"], results["questions"])
        0.4 2 5
    """

    metric = "apes"
    default_variant = "metrologue"
    reported = ("apes", "lexical", "present", "correct", "questions")
    programs = ("https://github.com/mataney/APES",)

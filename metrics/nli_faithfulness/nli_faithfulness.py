"""NLI faithfulness for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class NliFaithfulness(MetricModule, evaluate.Metric):
    """Does the source entail the text? By any NLI model.

    NLI faithfulness is how probably a source entails the sentences of a text, as a model of natural language inference
    sees it. It has the aggregations of three papers, one of them for texts from data. It needs a released checkpoint.

    Returns:
        nli_faithfulness (`float`): the mean of the segments' scores, 0 to 1; higher is better.
        entailed (`float`): the share of the hypotheses whose best premise entails them, 0 to 1.
        contradicted (`float`): the share of the hypotheses that even their best premise contradicts, 0 to 1.
        ok, hallucination, omission, hallucination_and_omission (`float`): for `data-to-text`, the shares of the
            verdicts, 0 to 1.
        segments (`int`): the texts.

    Examples:

        >>> import metrologue
        >>> faithfulness = metrologue.load("nli_faithfulness")
        >>> from metrologue.representations import FunctionEntailment
        >>> given = {
        ...     ("It rained.", "Rain fell."): (0.0, 0.1, 0.9), ("Bo slept.", "Rain fell."): (0.5, 0.4, 0.1),
        ...     ("It rained.", "Bo left."): (0.2, 0.5, 0.3), ("Bo slept.", "Bo left."): (0.4, 0.4, 0.2),
        ... }
        >>> model = FunctionEntailment.of_table("given", given)
        >>> texts, sources = ["Rain fell. Bo left."], ["It rained. Bo slept."]
        >>> results = faithfulness.compute(predictions=texts, references=sources, model=model)
        >>> round(results["nli_faithfulness"], 4), results["entailed"]
        (0.6, 0.5)
    """

    metric = "nli_faithfulness"
    default_variant = "falke"
    reported = None

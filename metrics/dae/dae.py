"""DAE for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Dae(MetricModule, evaluate.Metric):
    """Which parts of a text follow from its source.

    DAE says how probably each dependency arc of a text, a word with the word on which it depends, follows from its
    source. It needs a parser and a training; dae:overlap: a parser. Research: made anew from a paper; no released model
    is read. Pairs of Falke et al., right: .692; arc overlap has .670, BERTScore .727.

    Returns:
        dae (`float`): 0 to 1, the mean probability that the arcs follow from the source; higher is better. It is 0 if
            no text has an arc.
        arc_overlap (`float`): 0 to 1, the share of the arcs that the source's parse has: two words with these lemmas,
            one the head of the other. Higher is better. It is the rival.

    Examples:

        >>> import metrologue
        >>> from metrologue.learned import sample_model
        >>> dae = metrologue.load("dae")
        >>> model = sample_model("dae")
        >>> texts, sources = ["A cat slept on the sofa.", "A dog sold the car."], ["The cat slept on a sofa."] * 2
        >>> results = dae.compute(predictions=texts, references=sources, model=model, per_segment=True)
        >>> print([round(value, 1) for value in results["segments"]["dae"]])
        [1.0, 0.1]
    """

    metric = "dae"
    default_variant = "metrologue"
    reported = ("dae", "arc_overlap")
    programs = ("https://github.com/tagoyal/dae-factuality",)

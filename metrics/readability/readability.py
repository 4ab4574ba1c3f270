"""Readability for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Readability(MetricModule, evaluate.Metric):
    """FKGL, Flesch, fog, SMOG, ARI and others.

    How hard English texts are to read: FKGL, Flesch's reading ease, Gunning fog, SMOG, ARI, Coleman-Liau and
    Dale-Chall, as EASSE, textstat and two packages called readability count them.

    Returns:
        fkgl, gunning_fog, smog, ari, coleman_liau (`float`): school grades; lower is easier to read. EASSE's `fkgl` is
            0 or more.
        flesch (`float`): of usual texts 0 to 100; higher is easier to read.
        dale_chall (`float`): below 5 for the fourth grade, 9 or more for college, if `measures` has it; lower is easier
            to read.
        sentence_count, word_count, syllable_count (`int`, or a mean): what was counted.

    Examples:

        >>> import metrologue
        >>> readability = metrologue.load("readability")
        >>> results = readability.compute(predictions=["The physician prescribed a medication that alleviates pain."])
        >>> round(results["fkgl"], 2), round(results["flesch"], 2)
        (14.14, 9.7)
        >>> results["sentence_count"], results["word_count"], results["syllable_count"]
        (1, 9, 20)
    """

    metric = "readability"
    default_variant = "easse"
    reported = None
    programs = (
        "https://github.com/feralvam/easse",
        "https://github.com/textstat/textstat",
        "https://github.com/andreasvc/readability",
        "https://github.com/cdimascio/py-readability-metrics",
    )

"""WikiSplit's numbers for `evaluate`: the Hub's `wiki_split`, number for number."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class WikiSplit(MetricModule, evaluate.Metric):
    """SARI, sacrebleu's BLEU and exact match, with the result of the Hub's module of this name.

    Each number is that of its own metric. The exact match ignores case, punctuation, articles and extra whitespace.

    Returns:
        sari, sacrebleu and exact, in per cent.

    Examples:

        >>> import metrologue
        >>> wiki_split = metrologue.load("wiki_split")
        >>> results = wiki_split.compute(sources=["a b c"], predictions=["A b."], references=[["a b", "b c"]])
        >>> [*results], results["exact"]
        (['sari', 'sacrebleu', 'exact'], 100.0)
    """

    metric = "wiki_split"
    default_variant = "evaluate"
    reported = ("sari", "sacrebleu", "exact")
    pages = (
        "https://github.com/mjpost/sacreBLEU",
        "https://www.aclweb.org/anthology/Q16-1029.pdf",
    )

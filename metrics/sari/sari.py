"""SARI for `evaluate`: the Hub's `sari`, number for number, and that of EASSE and others by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Sari(MetricModule, evaluate.Metric):
    """SARI with the arguments and the result of the Hub's module of this name.

    SARI (Xu et al. 2016) compares a simplified text with its source and its references: which n-grams it adds, keeps
    and deletes. It is the mean of the F1 of additions, the F1 of what is kept and the precision of deletions, in per
    cent.

    Returns:
        sari.

    Examples:

        >>> import metrologue
        >>> sari = metrologue.load("sari")
        >>> sari.compute(sources=["a b c d e"], predictions=["a b c"], references=[["a b c", "a b d"]])["sari"]
        75.89285714285715
    """

    metric = "sari"
    default_variant = "evaluate"
    pages = ("https://www.aclweb.org/anthology/Q16-1029.pdf",)

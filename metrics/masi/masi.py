"""MASI for `evaluate`, generated; the Hub has no module of this name."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class Masi(MetricModule, evaluate.Metric):
    """Overlap of two sets; more where one contains the other.

    MASI, Measuring Agreement on Set-valued Items: the Jaccard index of two sets, less where neither contains the other.

    Returns:
        masi (`float`): the score, 0 to 1; higher is better. 1 means equal sets.
        masi_distance (`float`): 1 minus MASI; lower is better.
        jaccard (`float`): the mean Jaccard index, 0 to 1; higher is better.

    Examples:

        >>> import metrologue
        >>> masi = metrologue.load("masi")
        >>> masi.compute(predictions=["the cat sat", "a dog"], references=["the cat sat down", "a dog"])
        {'masi': 0.75, 'masi_distance': 0.25, 'jaccard': 0.875}
        >>> masi.compute(predictions=[["desk", "red"]], references=[[["desk", "red", "large"], ["chair"]]])
        {'masi': 0.4444444444444444, 'masi_distance': 0.5555555555555556, 'jaccard': 0.6666666666666666}
    """

    metric = "masi"
    default_variant = "metrologue"
    reported = ("masi", "masi_distance", "jaccard")

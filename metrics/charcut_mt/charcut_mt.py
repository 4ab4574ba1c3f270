"""CharCut for `evaluate`, with the result key and the numbers of the Hub's `charcut_mt`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE


class CharcutMt(MetricModule, evaluate.Metric):
    """CharCut with the result of the Hub's module of this name.

    CharCut (Lardilleux and Lepage 2017) takes the longest part that a text and its reference share out of both texts,
    then the longest part of what is left, and so on. The score is the number of characters that are left or have moved,
    divided by all characters. 0 is perfect, and 1 the worst score.

    Returns:
        charcut_mt.

    Examples:

        >>> import metrologue
        >>> charcut_mt = metrologue.load("charcut_mt")
        >>> predictions = ["this week the saudis denied it", "this is in fact an estimate"]
        >>> references = ["the saudis denied it this week", "this is actually an estimate"]
        >>> round(charcut_mt.compute(predictions=predictions, references=references)["charcut_mt"], 4)
        0.1739
    """

    metric = "charcut_mt"
    default_variant = "charcut"
    programs = ("https://github.com/BramVanroy/CharCut", "https://github.com/alardill/CharCut")

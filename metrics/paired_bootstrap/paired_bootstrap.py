"""The paired bootstrap test for `evaluate`: whether two systems differ under any metric of metrologue."""

import evaluate

from metrologue.bridge import ComparisonModule  # From: -e CHECKOUT-OF-METROLOGUE


class PairedBootstrap(ComparisonModule, evaluate.Comparison):
    """The paired bootstrap test of two systems.

    The paired bootstrap test (Koehn 2004; Riezler and Maxwell 2005) draws test sets from the segments, with
    replacement, and scores both systems on each of them. It says how often a difference as large as the observed one
    comes about by chance, if both systems are equally good.

    Args:
        predictions1: list of texts of the first system, the baseline.
        predictions2: list of texts of the second system.
        references: list of texts, or list of lists of texts; none for a metric that needs none.
        metric: name of the metric, such as "bleu"; name with variant, such as "bleu:nltk"; or a signature.
        variant: the variant, if the name has none.
        resamples: number of test sets.
        level: level of confidence of the interval of the difference.
        resampling: whose draws and rules, "metrologue" or "sacrebleu".
        signature: whether to add "signature", every choice behind the numbers on one line.

    Returns:
        stat: score of the second system minus score of the first.
        p: the p-value.
        score1, score2: the scores.
        low, high: limits of the confidence interval of the difference.

    Examples:

        >>> import metrologue
        >>> test = metrologue.load("paired_bootstrap")
        >>> references = ["the cat sat on the mat", "a dog ran home", "rain fell all day", "we met at noon"] * 5
        >>> first = ["the cat sat on a mat", "a dog ran home", "rain fell each day", "we met at one"] * 5
        >>> second = ["the cat sat on the mat", "a dog ran home", "rain fell all day", "we meet at noon"] * 5
        >>> result = test.compute(predictions1=first, predictions2=second, references=references, metric="wer")
        >>> round(result["stat"], 4), result["p"] < 0.05
        (-0.1111, True)
    """

    method = "bootstrap"
    papers = ("koehn-2004-statistical",)
    pages = ("https://aclanthology.org/W04-3250", "https://aclanthology.org/W05-0908")

    def _compute(
        self,
        predictions1,
        predictions2,
        references,
        metric="bleu:sacrebleu",
        variant=None,
        resamples=1000,
        level=0.95,
        resampling="metrologue",
        signature=False,
    ):
        columns = predictions1, predictions2, references
        options = {"resamples": resamples, "level": level, "resampling": resampling}
        return self._tested(columns, metric, variant, signature, **options)

"""Approximate randomization for `evaluate`: whether two systems differ under any metric of metrologue."""

import evaluate

from metrologue.bridge import ComparisonModule  # From: -e CHECKOUT-OF-METROLOGUE


class ApproximateRandomization(ComparisonModule, evaluate.Comparison):
    """Approximate randomization of two systems.

    Approximate randomization (Noreen 1989; Riezler and Maxwell 2005) exchanges a random half of the segments between
    two systems, many times. It says how often a difference as large as the observed one comes about by chance, if it
    does not matter which system a segment comes from.

    Args:
        predictions1: list of texts of the first system, the baseline.
        predictions2: list of texts of the second system.
        references: list of texts, or list of lists of texts; none for a metric that needs none.
        metric: name of the metric, such as "bleu"; name with variant, such as "bleu:nltk"; or a signature.
        variant: the variant, if the name has none.
        resamples: number of exchanges.
        resampling: whose draws and rules, "metrologue" or "sacrebleu".
        signature: whether to add "signature", every choice behind the numbers on one line.

    Returns:
        stat: score of the second system minus score of the first.
        p: the p-value.
        score1, score2: the scores.

    Examples:

        >>> import metrologue
        >>> test = metrologue.load("approximate_randomization")
        >>> references = ["the cat sat on the mat", "a dog ran home", "rain fell all day", "we met at noon"] * 5
        >>> first = ["the cat sat on a mat", "a dog ran home", "rain fell each day", "we met at one"] * 5
        >>> second = ["the cat sat on the mat", "a dog ran home", "rain fell all day", "we meet at noon"] * 5
        >>> result = test.compute(predictions1=first, predictions2=second, references=references, metric="wer")
        >>> round(result["stat"], 4), result["p"] < 0.05
        (-0.1111, True)
    """

    method = "randomization"
    papers = ("riezler-maxwell-2005-pitfalls",)
    pages = ("https://aclanthology.org/W05-0908",)

    def _compute(
        self,
        predictions1,
        predictions2,
        references,
        metric="bleu:sacrebleu",
        variant=None,
        resamples=10_000,
        resampling="metrologue",
        signature=False,
    ):
        columns = predictions1, predictions2, references
        options = {"resamples": resamples, "resampling": resampling}
        return self._tested(columns, metric, variant, signature, **options)

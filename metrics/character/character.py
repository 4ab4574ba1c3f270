"""CharacTER for `evaluate`, with the arguments, the result keys and the numbers of the Hub's `character`."""

from statistics import median

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE
from metrologue.errors import InputError, shown  # From: -e CHECKOUT-OF-METROLOGUE


class Character(MetricModule, evaluate.Metric):
    """CharacTER with the arguments and the result of the Hub's module of this name.

    CharacTER (Wang et al. 2016) is the number of characters to edit until a text equals its reference, divided by the
    characters of the text. First, runs of words are shifted as long as this brings the text nearer to its reference. A
    shift costs the mean length of the words that moved. 0 is perfect, and 1 the worst score.

    Args:
        aggregate: "mean", "sum" or "median" of the scores of the single predictions.
        return_all_scores: whether to add "cer_scores", the scores of the single predictions.

    Returns:
        cer_score: the mean, the sum or the median.
        cer_scores: with `return_all_scores`, a list of the scores.

    Examples:

        >>> import metrologue
        >>> character = metrologue.load("character")
        >>> predictions = ["this week the saudis denied it", "this is in fact an estimate"]
        >>> references = ["the saudis denied it this week", "this is actually an estimate"]
        >>> results = character.compute(predictions=predictions, references=references, return_all_scores=True)
        >>> [round(score, 4) for score in results["cer_scores"]], round(results["cer_score"], 4)
        ([0.1333, 0.2593], 0.1963)
    """

    metric = "character"
    default_variant = "cer"
    programs = ("https://github.com/bramvanroy/CharacTER", "https://github.com/rwth-i6/CharacTER")

    def _fields(self, aggregate="mean", return_all_scores=False):
        if aggregate not in ("mean", "sum", "median"):
            raise InputError(f"Character: `aggregate` is {shown(aggregate)}; mean, sum or median is expected.")
        return {}

    def _answer(self, scorer, segments, call):
        aggregate, every = call.hub.get("aggregate", "mean"), call.hub.get("return_all_scores", False)
        if aggregate == "mean" and not every:
            scores, extras = self._scored(scorer, segments, call)
            return {"cer_score": scores["character"], **extras}
        scores, each, extras = self._each(scorer, segments, call)
        rates = each["character"]
        total = {"mean": lambda _: scores["character"], "sum": sum, "median": median}[aggregate](rates)
        return {"cer_score": total, **({"cer_scores": rates} if every else {}), **extras}

"""Exact match and F1 of SQuAD 2.0, with the input, the result keys and the numbers of the Hub's `squad_v2`."""

import evaluate

from metrologue.bridge import UnansweredModule  # From: -e CHECKOUT-OF-METROLOGUE


class SquadV2(UnansweredModule, evaluate.Metric):
    """Exact match and F1 with the arguments and the result of the Hub's module of this name.

    The script of SQuAD 2.0 (Rajpurkar et al. 2018) compares the answer to a question with the right answers, without
    case, ASCII punctuation, the articles a, an and the, and extra whitespace. Some questions have no answer. It gives
    the share of exact answers and the mean F1 of words, of all questions, of those with and of those without an answer,
    and what the best threshold of the probability of no answer would give. All are in per cent.

    Returns:
        exact, f1 and total; the same with HasAns_ and NoAns_, if there are such questions; best_exact,
        best_exact_thresh, best_f1 and best_f1_thresh.

    Examples:

        >>> import metrologue
        >>> squad_v2 = metrologue.load("squad_v2")
        >>> predictions = [
        ...     {"id": "1", "prediction_text": "the year 1976", "no_answer_probability": 0.25},
        ...     {"id": "2", "prediction_text": "", "no_answer_probability": 0.75},
        ... ]
        >>> references = [
        ...     {"id": "1", "answers": {"text": ["1976"], "answer_start": [97]}},
        ...     {"id": "2", "answers": {"text": [], "answer_start": []}},
        ... ]
        >>> results = squad_v2.compute(predictions=predictions, references=references)
        >>> results["exact"], round(results["f1"], 4), results["NoAns_exact"], results["best_f1_thresh"]
        (50.0, 83.3333, 100.0, 0.25)
    """

    metric = "squad_v2"
    default_variant = "evaluate"

    def _answer(self, scorer, segments, call):
        scores, extras = self._scored(scorer, segments, call)
        groups = [("", scores["total"]), ("HasAns_", scores["HasAns_total"]), ("NoAns_", scores["NoAns_total"])]
        names = [f"{group}{name}" for group, count in groups if count for name in ("exact", "f1", "total")]
        return {**{name: scores[name] for name in names}, **scorer.best_thresholds(segments), **extras}

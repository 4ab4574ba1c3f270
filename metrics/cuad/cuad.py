"""The numbers of CUAD, with the input, the result keys and the numbers of the Hub's `cuad`."""

import math

import evaluate

from metrologue.bridge import SpanModule  # From: -e CHECKOUT-OF-METROLOGUE


class Cuad(SpanModule, evaluate.Metric):
    """Exact match, F1 and precision at recalls, with the input and the result of the Hub's module of this name.

    The script of CUAD (Hendrycks et al. 2021) compares the spans of a contract that answer a question with the right
    ones. A right span is found if half of the words of both are common.

    Returns:
        exact_match and f1, 0 to 100; aupr, prec_at_80_recall and prec_at_90_recall, 0 to 1. f1 is NaN if a question has
        no spans on one side.

    Examples:

        >>> import metrologue
        >>> cuad = metrologue.load("cuad")
        >>> predictions = [{"id": "1__Parties", "prediction_text": ["The seller:", "The buyer: Lohas Ltd."]}]
        >>> references = [{"id": "1__Parties", "answers": {"text": ["The seller:"], "answer_start": [143]}}]
        >>> results = cuad.compute(predictions=predictions, references=references)
        >>> results["exact_match"], round(results["f1"], 4), results["prec_at_80_recall"]
        (100.0, 66.6667, 0.5)
    """

    metric = "cuad"
    default_variant = "evaluate"

    def _answer(self, scorer, segments, call):
        scores, extras = self._scored(scorer, segments, call)
        f1 = math.nan if scores["undefined_count"] else scores["f1"]
        return {"exact_match": scores["exact_match"], "f1": f1, **scorer.curve(segments), **extras}

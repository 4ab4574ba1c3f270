"""SQuAD's exact match and F1 for `evaluate`, with the input, the result keys and the numbers of the Hub's `squad`."""

import evaluate

from metrologue.bridge import QuestionModule  # From: -e CHECKOUT-OF-METROLOGUE


class Squad(QuestionModule, evaluate.Metric):
    """Exact match and F1 with the arguments and the result of the Hub's module of this name.

    The script of SQuAD 1.1 (Rajpurkar et al. 2016) compares the answer to a question with the right answers, without
    case, ASCII punctuation, the articles a, an and the, and extra whitespace. It gives the share of answers that equal
    a right one, and the mean F1 of their words, both in per cent.

    Returns:
        exact_match and f1, 0 to 100.

    Examples:

        >>> import metrologue
        >>> squad = metrologue.load("squad")
        >>> predictions = [{"id": "1", "prediction_text": "the year 1976"}, {"id": "2", "prediction_text": "Rome."}]
        >>> references = [
        ...     {"id": "1", "answers": {"text": ["1976", "in 1976"], "answer_start": [97, 94]}},
        ...     {"id": "2", "answers": {"text": ["Rome"], "answer_start": [3]}},
        ... ]
        >>> squad.compute(predictions=predictions, references=references)
        {'exact_match': 50.0, 'f1': 83.33333333333333}
    """

    metric = "token_f1"
    default_variant = "squad"

    def _numbers(self, scores, scorer):
        return {"exact_match": scores["exact_match"], "f1": scores["token_f1"]}

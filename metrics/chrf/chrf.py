"""chrF for `evaluate`: the Hub's `chrf`, number for number, and every other library's chrF by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

# sacrebleu's eps_smoothing follows chrF++.py in all three of these choices.
_SMOOTHINGS = {
    None: {},
    False: {"average": "precision-recall", "effective_order": True, "smoothing": "none"},
    True: {"average": "fscore", "effective_order": False, "smoothing": "epsilon"},
}


class ChrF(MetricModule, evaluate.Metric):
    """chrF with the arguments and the result of the Hub's module of this name.

    chrF compares a text with its references by the character n-grams that they share. chrF++ also uses words and word
    bigrams. It needs no tokenizer, and a wrong ending costs less than a wrong word. Libraries differ in what they
    average, in what whitespace is, in short texts and in the weight of recall; `config_name` chooses the library.

    Args:
        eps_smoothing: True averages the F-scores of all orders. False computes one F-score from the mean precision and
            the mean recall, over the orders that both texts have.

    Returns:
        score, char_order, word_order and beta.

    Examples:

        >>> import metrologue
        >>> chrf = metrologue.load("chrf")
        >>> predictions = ["the cat sat on the mat", "it was unexpected"]
        >>> references = [["the cat is on the mat", "a cat sat on the mat"], ["it was not expected"]]
        >>> results = chrf.compute(predictions=predictions, references=references)
        >>> list(results)
        ['score', 'char_order', 'word_order', 'beta']
        >>> results["beta"], chrf.compute(predictions=predictions, references=references, word_order=2)["word_order"]
        (2, 2)
    """

    metric = "chrf"
    default_variant = "sacrebleu"
    programs = ("https://github.com/mjpost/sacrebleu",)
    pages = ("https://github.com/m-popovic/chrF",)

    def _fields(self, eps_smoothing=None):
        return _SMOOTHINGS[eps_smoothing]

    def _numbers(self, scores, scorer):
        beta = int(scorer.beta) if scorer.beta.is_integer() else scorer.beta
        return {"score": scores["chrf"], "char_order": scorer.char_order, "word_order": scorer.word_order, "beta": beta}

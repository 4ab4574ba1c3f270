"""chrF for `evaluate`: the Hub's `chrf`, number for number, and every other library's chrF by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
chrF compares a text with its references by the character n-grams that they share. chrF++ also uses words and word
bigrams. It needs no tokenizer, and a wrong ending costs less than a wrong word. Libraries differ in what they average,
in what whitespace is, in short texts and in the weight of recall; `config_name` chooses the library.
"""

_CITATION = """
@inproceedings{popovic-2015-chrf,
    title = "chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
    author = "Popovi{\\'c}, Maja",
    booktitle = "Proceedings of the Tenth Workshop on Statistical Machine Translation",
    year = "2015",
    address = "Lisbon, Portugal",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/W15-3049",
    doi = "10.18653/v1/W15-3049",
    pages = "392--395"
}
@inproceedings{popovic-2017-chrf,
    title = "chr{F}++: words helping character n-grams",
    author = "Popovi{\\'c}, Maja",
    booktitle = "Proceedings of the Second Conference on Machine Translation",
    year = "2017",
    address = "Copenhagen, Denmark",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/W17-4770",
    doi = "10.18653/v1/W17-4770",
    pages = "612--618"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score, not tokenized.
    references: list of texts, or list of lists of texts if a prediction has several references (as many as it has).
    char_order: longest character n-gram.
    word_order: longest word n-gram; 2 gives chrF++, 0 leaves words out.
    beta: weight of recall; recall counts `beta` times as much as precision.
    lowercase: whether to ignore case.
    whitespace: whether whitespace counts as characters.
    eps_smoothing: True averages the F-scores of all orders. False computes one F-score from the mean precision and the
        mean recall, over the orders that both texts have.
    signature: whether to add "signature", every choice behind the numbers on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value.
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

# sacrebleu's eps_smoothing follows chrF++.py in all three of these choices.
_SMOOTHINGS = {
    None: {},
    False: {"average": "precision-recall", "effective_order": True, "smoothing": "none"},
    True: {"average": "fscore", "effective_order": False, "smoothing": "epsilon"},
}


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class ChrF(MetricModule, evaluate.Metric):
    """chrF with the arguments and the result of the Hub's module of this name."""

    metric = "chrf"
    default_variant = "sacrebleu"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            homepage="https://github.com/mjpost/sacrebleu",
            codebase_urls=["https://github.com/mjpost/sacrebleu"],
            reference_urls=["https://github.com/m-popovic/chrF", "https://aclanthology.org/W15-3049"],
        )

    def _compute(
        self,
        predictions,
        references,
        char_order=None,
        word_order=None,
        beta=None,
        lowercase=None,
        whitespace=None,
        eps_smoothing=None,
        signature=False,
        per_segment=False,
    ):
        scorer = self._variant(
            char_order=char_order,
            word_order=word_order,
            beta=beta,
            lowercase=lowercase,
            whitespace=whitespace,
            **_SMOOTHINGS[eps_smoothing],
        )
        scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        return {
            "score": scores["chrf"],
            "char_order": scorer.char_order,
            "word_order": scorer.word_order,
            "beta": int(scorer.beta) if scorer.beta.is_integer() else scorer.beta,
            **extras,
        }

"""METEOR for `evaluate`: the Hub's `meteor`, number for number, and every other program's METEOR by `config_name`."""

import evaluate

from metrologue.bridge import MetricModule  # From: -e CHECKOUT-OF-METROLOGUE

_DESCRIPTION = """
METEOR aligns the words of a text with those of a reference by spelling, stem and synonym, and in METEOR 1.5 also by
paraphrase. It weighs recall more than precision, and has a penalty for words in scattered order. Programs differ in
tokens, stages, the search for the alignment, function words and parameters; `config_name` chooses the program.
"""

_CITATION = """
@inproceedings{banerjee-lavie-2005-meteor,
    title = "{METEOR}: An Automatic Metric for {MT} Evaluation with Improved Correlation with Human Judgments",
    author = "Banerjee, Satanjeev and Lavie, Alon",
    booktitle = "Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine
        Translation and/or Summarization",
    year = "2005",
    address = "Ann Arbor, Michigan",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/W05-0909",
    pages = "65--72"
}
@inproceedings{denkowski-lavie-2014-meteor,
    title = "Meteor Universal: Language Specific Translation Evaluation for Any Target Language",
    author = "Denkowski, Michael and Lavie, Alon",
    booktitle = "Proceedings of the Ninth Workshop on Statistical Machine Translation",
    year = "2014",
    address = "Baltimore, Maryland, USA",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/W14-3348",
    pages = "376--380"
}
"""

_INPUTS = """
Args:
    predictions: list of texts to score.
    references: list of texts, or list of lists of texts if a prediction has several references; the best one counts.
    alpha: weight of recall, from 0 to 1.
    beta: shape of the penalty for scattered order.
    gamma: the greatest penalty for scattered order, from 0 to 1.
    signature: whether to add "signature", every choice behind the number on one line.
    per_segment: whether to add "segments", all numbers of each single prediction.

    An argument that is left out has the variant's value: 0.9, 3 and 0.5 for the Hub's and nltk's METEOR.
Returns:
    meteor, from 0 to 1.
Examples:

    >>> import metrologue
    >>> meteor = metrologue.load("meteor")
    >>> predictions = ["It is a guide to action which ensures that the military always obeys the commands of the party"]
    >>> references = ["It is a guide to action that ensures that the military will forever heed Party commands"]
    >>> results = meteor.compute(predictions=predictions, references=references)
    >>> print(round(results["meteor"], 4))
    0.6944
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class Meteor(MetricModule, evaluate.Metric):
    """METEOR with the arguments and the result of the Hub's module of this name."""

    metric = "meteor"
    default_variant = "evaluate"

    def _info(self):
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=self._features(),
            codebase_urls=[
                "https://github.com/nltk/nltk/blob/develop/nltk/translate/meteor_score.py",
                "https://github.com/cmu-mtlab/meteor",
            ],
            reference_urls=["https://aclanthology.org/W05-0909", "https://aclanthology.org/W14-3348"],
        )

    def _compute(self, predictions, references, alpha=None, beta=None, gamma=None, signature=False, per_segment=False):
        scorer = self._variant(alpha=alpha, beta=beta, gamma=gamma)
        scores, extras = self._score(scorer, predictions, references, signature, per_segment)
        return {"meteor": scores["meteor"], **extras}

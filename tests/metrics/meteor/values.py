"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

import small_vectors  # noqa: F401  # the word lists "pairs"

from metrologue.scorers import Meteor
from metrologue.text.lexicon import register_paraphrases, register_synonyms

VALUES = {
    "language": "de",
    "stages": ("paraphrase", "exact", "stem", "synonym"),
    "weights": (0.1, 0.2, 0.3, 0.4),
    "beam": 2,
    "stemmer": "porter",
    "synonyms": register_synonyms("pairs", [["a", "b"]]),
    "paraphrases": register_paraphrases("pairs", [["a b", "c"]]),
    "function_words": None,
    "alpha": 0.1,
    "beta": 2.0,
    "gamma": 0.5,
    "delta": 0.1,
}
SETTINGS = {
    "meteor-paper": Meteor.variant(
        "nltk",
        aligner="paper",
        stages=("stem", "synonym", "paraphrase"),
        unit="characters",
        aggregation="corpus",
        synonyms="pairs",
        paraphrases="pairs",
        function_words="pairs",
        delta=0.8,
    ),
    "meteor-percent": Meteor.variant("nltk", stages=("exact", "stem"), weights=(0.9, 0.5), scale=100.0),
}

REPORTING = [{"stages": ("exact",), "weights": (1.0,), "function_words": None}]
LOOSE = {("penalty", 1)}

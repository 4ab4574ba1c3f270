"""The variants of METEOR: the programs and libraries that are mirrored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.meteor.tasks import STAGES

__all__ = ["VARIANTS"]

# The parameters of the first papers, which nltk kept: all stages have the same weight, and so have all words.
_FIRST: dict[str, Any] = {
    "stages": STAGES[:3],
    "weights": (1.0, 1.0, 1.0),
    "function_words": None,
    "alpha": 0.9,
    "beta": 3.0,
    "gamma": 0.5,
    "penalize_whole": True,
    "delta": 1.0,
}
_NLTK: dict[str, Any] = {
    "lowercase": True,
    "aligner": "greedy",
    "stemmer": "porter",
    "synonyms": "wordnet",
    "arithmetic": "product",
    **_FIRST,
    "aggregation": "mean",
}

VARIANTS: Mapping[str, Variant] = {
    "meteor-1.5": Variant(
        "meteor",
        "the jar with -l en: parameters for ranking in English, words as they are, summed counts",
        live="meteor-1.5.meteor",
        needs=("meteor-1.5", "java"),
        recommended=Recommended("it is the authors' program", "denkowski-lavie-2014-meteor"),
    ),
    "pycocoevalcap": Variant(
        "pycocoevalcap",
        "the same jar with -l en -norm, by its line protocol",
        {"tokenizer": "meteor-1.5-norm", "protocol": True},
        live="pycocoevalcap.meteor",
        needs=("meteor-1.5", "java"),
    ),
    "coco": Variant(
        "pycocoevalcap",
        "METEOR of COCO's table: the same jar after pycocoevalcap's PTB tokenizer",
        {"tokenizer": "meteor-1.5-norm:ptb=true"},
        live="pycocoevalcap.coco_meteor",
        needs=("meteor-1.5", "java"),
    ),
    "meteor-1.0": Variant(
        "meteor",
        "by definition, checked against one published score: three stages of equal weight, normalized English",
        {"tokenizer": "meteor-1.5-norm", "aligner": "paper", **_FIRST},
        needs=("meteor-1.5",),
        version="1.0",
    ),
    "nltk": Variant(
        "nltk",
        "meteor_score over text.split(): greedy matches, synonyms of stems, the mean of the segments",
        {"tokenizer": "whitespace", **_NLTK},
        live="nltk.meteor",
        needs=("wordnet",),
    ),
    "evaluate": Variant(
        "evaluate",
        "the Hub's `meteor`: nltk's meteor_score over tokens of word_tokenize",
        {"tokenizer": "nltk-words", **_NLTK},
        live="evaluate.meteor",
        needs=("wordnet", "punkt"),
    ),
}

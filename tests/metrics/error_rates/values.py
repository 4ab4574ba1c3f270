"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import WordErrorRate, WordInformationPreserved

VALUES = {"transforms": ("punctuation",), "empty": "error"}
SETTINGS = {
    "wer-words": WordErrorRate(
        tokenizer="whitespace", hits="most", multi_reference="fewest-errors", aggregation="mean"
    ),
    "wip-percent": WordInformationPreserved(scale=100.0, hits="fewest", tokenizer="unicode-words"),
}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import Chrf

SETTINGS = {
    "chrf-words": Chrf(char_order=0, word_order=3, word_tokenizer="13a", beta=0, smoothing="epsilon", scale=1.0),
    "chrf-mixed": Chrf(average="fscore", drop_unmatched=True, min_char_order=2, whitespace=True, aggregation="mean"),
}

REPORTING = [{"word_order": 2}]

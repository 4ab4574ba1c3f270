"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import Rouge

VALUES = {
    "types": ("rougeSU*", "rougeW"),
    "max_words": 3,
    "max_bytes": 20,
    "sentences": "period",
    "skip_unigrams": "begin",
    "multi_reference": "jackknife",
    "round_digits": 5,
    "aggregation": "bootstrap-median",
    "samples": 10,
    "seed": 7,
}
SETTINGS = {
    "rouge-percent": Rouge.variant("rouge-1.5.5", scale=100.0, aggregation="mean", multi_reference="best-recall"),
    "rouge-mean": Rouge(
        types=("rouge3", "rougeW", "rougeS*"), multi_reference="mean", weight_rule="paper", round_digits=3
    ),
}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import Readability
from metrologue.scorers.readability.measures import MEASURES

VALUES = {"measures": ("flesch", "smog", "fkgl"), "fkgl_length": 0.38}
SETTINGS = {
    "readability-mean": Readability(aggregation="mean", sentences="lines", measures=("ari", "flesch")),
    "readability-steps": Readability(rounding="steps", sentences="endings", tokenizer="whitespace", marks="removed"),
}

EASY = "The cat sat on the mat. The dog ran to the park.\n"
HARD = (
    "Notwithstanding considerable methodological criticism of readability, international organizations require it, "
    "unfortunately, and particularly so in administrative communication.\n"
)
LADDER = {
    "easy": ([EASY * 9], [["."]]),
    "mixed": ([(EASY + HARD) * 5], [["."]]),
    "hard": ([HARD * 9], [["."]]),
}
FURTHER = [([text], [["."]]) for text in ("", "...", "a", "a " * 9999, "unbelievable " * 500)]
REPORTING = [{"measures": (*MEASURES,)}]

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from small_model import WordModel

VALUES = {
    "log_base": "10",
    "base": "e",
    "oov": "both",
    "per": "byte",
    "model": WordModel("words@1", 10.0, {"0.5": -0.25, "1.0": 0.0}, -2.0),
}

LADDER = {
    "certain": (["1 1", "1"], [["."]] * 2),
    "half": (["0.5 0.5"], [["."]]),
    "low": (["0.001 0.002"], [["."]]),
    "impossible": (["0 0.5"], [["."]]),
}
REPORTING = [{"oov": "both"}]
# The length of a text that a language model scores.
ELSEWHERE = {"words", "characters", "bytes"}

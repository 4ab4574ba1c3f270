"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import F1

VALUES = {"labels": (1, "a b, c"), "average": "macro", "pos_label": "a|b=%"}
SETTINGS = {
    "f1-weighted": F1(average="weighted", zero_division="nan"),
    "f1-labels": F1(average="macro", labels=("1", "2"), scale=100.0),
}

LADDER = {
    "right": (["1", "0", "1"], [["1"], ["0"], ["1"]]),
    "near": (["1", "0", "0"], [["1"], ["0"], ["1"]]),
    "wrong": (["1", "0"], [["0"], ["1"]]),
}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import ConfusionMatrix

VALUES = {"labels": ("1", "a b, c")}
SETTINGS = {"confusion-matrix-labels": ConfusionMatrix(labels=("0", "1"))}

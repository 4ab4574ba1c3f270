"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrics.lexical_diversity.values import LADDER as LADDER

VALUES = {"orders": (1, 3), "vocabulary": 100}

FURTHER = [([text], [["."]]) for text in ("", "a " * 99, " ".join(map(str, range(99))))]

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

VALUES = {"orders": (1, 3), "vocabulary": 100}

"""Other values of the fields, which the tests of all metrics cannot derive."""

VALUES = {"threshold": 0.5}

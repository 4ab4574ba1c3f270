"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

VALUES = {"vocabulary": 3}

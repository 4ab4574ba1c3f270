"""Other values of the fields, which the tests of all metrics cannot derive."""

VALUES = {"transforms": ("punctuation",), "empty": "one"}

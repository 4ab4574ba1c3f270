"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

VALUES = {"average": "exact", "ideal": "both"}

FURTHER = [(["a b"], [["a", "b"]])]

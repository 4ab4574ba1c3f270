"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from needs import CLAUSES

VALUES = {"parser": CLAUSES, "average": "exact", "ideal": "both"}

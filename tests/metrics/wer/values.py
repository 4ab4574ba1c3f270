"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import against

VALUES = {"focus": [("cat", "animal"), "the mat"]}
REPORTING = [{}, {"focus": [("cat", "animal"), "mat"]}]
FURTHER = (against("-cat", "cat"), against("cat mat " * 300, "a cat"))

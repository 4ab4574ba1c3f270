"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

VALUES = {"regexes_to_ignore": (r"[a|b],\s", "é")}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

VALUES = {"weights": (1.0, 1.0, 1.0)}

LOOSE = {("position_penalty", 0)}

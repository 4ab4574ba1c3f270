"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

LOOSE = {("spread", 1)}

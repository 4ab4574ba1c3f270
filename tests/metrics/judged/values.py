"""Other values of the fields, which the tests of all metrics cannot derive."""

from needs import COMMON

VALUES = {"judge": COMMON}

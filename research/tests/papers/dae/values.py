"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from needs import PARSER

VALUES = {"parser": PARSER, "left_out": ("dep",)}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import against
from needs import PARSER

VALUES = {"parser": PARSER, "kinds": ("name",), "window": 2}

LADDER = {
    "perfect": against("then Anna ran", "later Anna slept"),
    "other": against("then Bo ran", "later Anna slept"),
    "none": against("then nobody ran", "later Anna slept"),
}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import Sari

VALUES = {"zero_division": 0.0}
SETTINGS = {
    "sari-f1": Sari(shares="mean", counted_references="long", use_f1_for_deletion=True, use_paper_version=True),
    "sari-legacy": Sari.variant("easse", legacy=True, max_order=2, binary=True),
}

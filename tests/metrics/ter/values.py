"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import Ter

VALUES = {"max_shift_length": 9, "max_shift_distance": 5, "beam": 20, "max_candidates": 10}
SETTINGS = {
    "ter-options": Ter(normalized=True, no_punct=True, asian_support=True, max_candidates=3, aggregation="mean")
}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import Accuracy

SETTINGS = {"accuracy-count": Accuracy(normalize=False)}

REPORTING = [{}, {"normalize": False}, {"lists": "sequences"}]

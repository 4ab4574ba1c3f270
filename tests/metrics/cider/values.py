"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import TABLE

from metrologue.scorers import Cider
from metrologue.segments import Segments

VALUES = {"document_frequency": Cider().fit(Segments(["a b"] * 2, ["a b", "b c"])).document_frequency}

REPORTING = [{"document_frequency": Cider().fit(TABLE).document_frequency}]

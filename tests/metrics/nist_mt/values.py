"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import TABLE

from metrologue.scorers import NistMt
from metrologue.segments import Segments

VALUES = {"information": NistMt().fit(Segments(["a b"], ["a b c"])).information}

REPORTING = [{"information": NistMt().fit(TABLE).information}]

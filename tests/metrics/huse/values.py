"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import Huse
from metrologue.segments import Segments

VALUES = {"points": Huse().fit(Segments(["4 -8", "3 -2"], ["human", "model"])).points}

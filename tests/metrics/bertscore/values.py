"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from needs import made
from small_encoder import Letters

from metrologue.segments import Segments

VALUES = {
    "model": Letters(),
    "layer": 0,
    "document_frequency": made("bertscore").fit(Segments(["a b"] * 2, ["a b", "b c"])).document_frequency,
    "baseline": (0.5, 0.25, 0.4),
}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from needs import FRAMES
from small_vectors import OTHERS, WORDS

from metrologue.scorers import Yisi
from metrologue.segments import Segments

VALUES = {
    "vectors": WORDS,
    "source_vectors": OTHERS,
    "layer": 0,
    "order": 2,
    "weights": "uniform",
    "frames": FRAMES,
    "role_weights": (1.0,) * 8,
    "beta": 0.5,
    "alpha": 0.5,
    "counts": Yisi().fit(Segments(["a b"], ["a c"])).counts,
}

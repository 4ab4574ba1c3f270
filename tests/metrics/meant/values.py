"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from needs import FRAMES
from small_vectors import OTHERS, WORDS

from metrologue.scorers import Meant
from metrologue.segments import Segments

VALUES = {
    "vectors": WORDS,
    "source_vectors": OTHERS,
    "layer": 0,
    "order": 2,
    "weights": "each",
    "frames": FRAMES,
    "role_weights": None,
    "beta": 0.5,
    "alpha": 0.8,
    "counts": Meant(weights="references", beta=0.0).fit(Segments(["a b"], ["a c"])).counts,
}

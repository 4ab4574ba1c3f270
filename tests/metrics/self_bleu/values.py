"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.scorers import SelfBleu
from metrologue.segments import Segments

VALUES = {
    "reference_length": "shortest",
    "weights": (0.1, 0.2, 0.3, 0.4),
    "smoothing": "add-k",
    "precision_weight": 0.25,
    "epsilons": (1e-9, 1e-9),
    "zero_when": "never",
    "sample": 2,
    "seed": 3,
    "pool": SelfBleu().fit(Segments(["a b", "a c"])).pool,
}

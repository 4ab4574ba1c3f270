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

LADDER = {
    "unlike": (["a b c d e", "f g h i j"], [["."]] * 2),
    "near": (["a b c d e", "a b c d f"], [["."]] * 2),
    "equal": (["a b c d e"] * 2, [["."]] * 2),
}
FURTHER = [(["a", "b c d e f g h i", "b c d e f g h i j k l m n o p"], [["."]] * 3)]
LOOSE = {("brevity_penalty", 0), ("length_ratio", 0)}

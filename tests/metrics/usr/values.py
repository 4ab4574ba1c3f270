"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from small_model import WordModel
from small_vectors import OTHERS, WORDS

VALUES = {
    "model": WordModel("others@1", 2.0, {"the": -1.0}, -4.0),
    "context_encoder": OTHERS,
    "fact_encoder": WORDS,
    "means": (0.0, 1.0, 2.0),
    "deviations": (1.0, 2.0, 3.0),
    "weights": (1.0, 1.0, 1.0),
}

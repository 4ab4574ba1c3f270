"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from small_model import WordModel

VALUES = {
    "log_base": "10",
    "base": "e",
    "oov": "both",
    "per": "byte",
    "model": WordModel("words@1", 10.0, {"0.5": -0.25, "1.0": 0.0}, -2.0),
}

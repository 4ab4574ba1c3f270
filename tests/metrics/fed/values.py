"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from small_model import WordModel

VALUES = {"model": WordModel("others@1", 2.0, {"the": -1.0}, -4.0), "last_turns": 2}

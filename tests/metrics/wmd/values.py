"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

import small_vectors  # noqa: F401  # the word lists "pairs"
from small_encoder import Letters

VALUES = {"vectors": Letters(), "stop_words": "pairs"}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

import small_vectors  # noqa: F401  # the word lists "pairs"
from needs import made
from small_encoder import Letters

from metrologue.segments import Segments

VALUES = {
    "model": Letters(),
    "layer": 0,
    "stop_words": "pairs",
    **{
        name: getattr(made("moverscore").fit(Segments(["a b"] * 2, ["a b", "b c"])), name)
        for name in ("document_frequency", "hypothesis_frequency")
    },
}

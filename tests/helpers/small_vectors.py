"""Word vectors of two languages, and the word lists "pairs", for fields that name one."""

from types import SimpleNamespace

import numpy as np

from metrologue.representations import WordVectors
from metrologue.text.lexicon import register_function_words, register_stop_words

__all__ = ["OTHERS", "WORDS"]

register_function_words("pairs", ["a", "the"])
register_stop_words("pairs", ["a", "the"])

WORDS, OTHERS = (
    WordVectors.of_keyed_vectors(SimpleNamespace(index_to_key=["a", "b"], vectors=vectors), name)
    for name, vectors in (("some", np.eye(2)), ("others", 1 - np.eye(2)))
)

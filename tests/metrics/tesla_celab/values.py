"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from metrologue.text.lexicon import register_synonyms

VALUES = {"synonyms": register_synonyms("others", [["a", "b"]])}

"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from needs import PARSER

from metrologue.text.lexicon import register_synonyms

VALUES = {
    "parser": PARSER,
    "synonyms": register_synonyms("others", [["a", "b"]]),
    "function_tags": ("X",),
    "similarities": ("lemmas", "tags"),
}

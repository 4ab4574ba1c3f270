"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from needs import JUDGE

VALUES = {
    "model": JUDGE,
    "window": 0,
    "templates": ("a: {subject} {object}",),
    "optional_facts": ("a",),
    "most_premises": 2,
    "chunk_words": 3,
}

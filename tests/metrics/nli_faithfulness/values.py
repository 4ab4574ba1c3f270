"""Other values of the fields, and settings, which the tests of all metrics cannot derive."""

from ladders import against
from needs import JUDGE

VALUES = {
    "model": JUDGE,
    "window": 0,
    "templates": ("a: {subject} {object}",),
    "optional_facts": ("a",),
    "most_premises": 2,
    "chunk_words": 3,
}

# Texts that say the same, the opposite, less, and more, as a judge of words sees them.
LADDER = {
    "perfect": against("the cat sat", "the cat sat"),
    "turned": against("-the -cat -sat", "the cat sat"),
    "less": against("the", "the cat sat on it"),
    "more": against("the cat sat on the big mat now", "the cat sat"),
    "empty": against(""),
}
REPORTING = [{}, {"check": "facts"}]

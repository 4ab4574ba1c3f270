"""The variants of the word gap."""

from metrologue.author import Variant

VARIANTS = {
    "wordgap": Variant("wordgap", "the definition", version="0.3"),
    "marks": Variant("wordgap", "marks are words", {"tokenizer": "13a"}, version="0.3"),
}

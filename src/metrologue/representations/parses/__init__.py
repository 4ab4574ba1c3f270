"""Parses: lemmas, tags, heads, relations and entities of the tokens of texts, by whatever parser gives them."""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.representations.parses.columns import FunctionParser, Parser, Parses, Token
    from metrologue.representations.parses.conllu import ConlluParses
    from metrologue.representations.parses.named import NamedParser, open_parser
    from metrologue.representations.parses.spacy_parser import SpacyParser
    from metrologue.representations.parses.words import WordParser

# fmt: off
__all__ = [
    "ConlluParses", "FunctionParser", "NamedParser", "Parser", "Parses", "SpacyParser", "Token", "WordParser",
    "open_parser",
]
_HOMES = {
    "columns": ("FunctionParser", "Parser", "Parses", "Token"),
    "conllu": ("ConlluParses",),
    "named": ("NamedParser", "open_parser"),
    "spacy_parser": ("SpacyParser",),
    "words": ("WordParser",),
}
# fmt: on
__getattr__ = deferred(__name__, {name: f"{__name__}.{module}" for module in _HOMES for name in _HOMES[module]})


def __dir__() -> list[str]:
    return __all__

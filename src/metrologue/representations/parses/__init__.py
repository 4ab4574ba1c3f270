"""Parses: lemmas, tags, heads, relations and entities of the tokens of texts, by whatever parser gives them."""

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.representations.parses.columns import Parser, Parses, Token
    from metrologue.representations.parses.conllu import ConlluParses
    from metrologue.representations.parses.function import FunctionParser
    from metrologue.representations.parses.named import NamedParser
    from metrologue.representations.parses.opening import open_parser
    from metrologue.representations.parses.spacy_parser import SpacyParser
    from metrologue.representations.parses.words import WordParser

__all__ = [
    "ConlluParses",
    "FunctionParser",
    "NamedParser",
    "Parser",
    "Parses",
    "SpacyParser",
    "Token",
    "WordParser",
    "open_parser",
]

_HOMES = {
    "ConlluParses": "conllu",
    "FunctionParser": "function",
    "NamedParser": "named",
    "Parser": "columns",
    "Parses": "columns",
    "SpacyParser": "spacy_parser",
    "Token": "columns",
    "WordParser": "words",
    "open_parser": "opening",
}
__getattr__ = deferred(__name__, {name: f"{__name__}.{module}" for name, module in _HOMES.items()})


def __dir__() -> list[str]:
    return __all__

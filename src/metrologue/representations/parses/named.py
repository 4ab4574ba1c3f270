"""Parsers in the configuration of a scorer. They are identified by their names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from metrologue.data.named import NamedValue
from metrologue.errors import InputError, shown
from metrologue.representations.parses.opening import open_parser

if TYPE_CHECKING:
    from metrologue.representations.parses.columns import Parser

__all__ = ["NamedParser", "parser_of", "word_parser"]


@dataclass(frozen=True)
class NamedParser(NamedValue):
    """A parser with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The parser's name with a digest of its content, such as "en_core_web_sm-3.8.0@06dcd770684d".
    parser : Parser
    """

    parser: Parser = field(compare=False, repr=False)

    noun: ClassVar[str] = "parser"
    expected: ClassVar[str] = "a parser, a pipeline of spaCy, or a file in CoNLL-U"
    plural: ClassVar[str] = "parsers"
    opener: ClassVar[str] = "open_parser(path)"

    @classmethod
    def opened(cls, path: str | os.PathLike[str], **options: Any) -> Parser:
        """The parser of a path or a name. Raises an InputError if there is none."""
        return open_parser(path, **options)

    @classmethod
    def _is_one(cls, value: Any) -> bool:
        return callable(getattr(value, "parse", None))


def parser_of(owner: str, parser: Any) -> NamedParser:
    """The parser that an argument stands for. Raises an InputError if it stands for none."""
    try:
        return NamedParser.of(parser)
    except TypeError:
        raise InputError(f"{owner}: `parser` is {shown(parser)}; {NamedParser.expected} is expected.") from None


@cache
def word_parser() -> NamedParser:
    """``WordParser`` as the value of a field."""
    return NamedParser.of(open_parser("words@1"))

"""Parsers in the configuration of a scorer. They are identified by their names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

from metrologue.errors import InputError, is_name, shown

if TYPE_CHECKING:
    from metrologue.representations.parses.columns import Parser

__all__ = ["NamedParser"]


@dataclass(frozen=True)
class NamedParser:
    """A parser with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The parser's name with a digest of its content, such as "en_core_web_sm-3.8.0@06dcd770684d".
    parser : Parser
    """

    name: str
    parser: Parser = field(compare=False, repr=False)

    _held: ClassVar[WeakValueDictionary[int, NamedParser]] = WeakValueDictionary()

    def __post_init__(self) -> None:
        self._held[id(self)] = self

    def __str__(self) -> str:
        return self.name

    def __deepcopy__(self, memo: Any) -> NamedParser:
        return self  # a parser is never changed

    @classmethod
    def of(cls, parser: Any) -> NamedParser:
        """The parser with its own name; a name or a path is opened, or one in use is taken by its name.

        Raises
        ------
        TypeError
            If it is no parser.
        InputError
            If there is no such parser, or its name cannot be part of a signature.
        """
        if isinstance(parser, cls):
            return parser
        if isinstance(parser, str | os.PathLike):
            from metrologue.representations.parses.opening import open_parser

            path = str.__str__(parser) if isinstance(parser, str) else os.fsdecode(parser)
            return cls._in_use(path) or cls.of(open_parser(path))
        if isinstance(parser, type) or not callable(getattr(parser, "parse", None)):
            raise TypeError
        if not (isinstance(parser.name, str) and is_name(parser.name.replace("@", "", 1))):
            raise InputError(f"the parser's name is {shown(parser.name)}, which cannot be part of a signature.")
        return cls(parser.name, parser)

    @classmethod
    def _in_use(cls, spelled: str) -> NamedParser | None:
        return next((each for each in cls._held.values() if each.name == spelled), None)

    @classmethod
    def found(cls, spelled: str, path: str | None = None) -> NamedParser:
        """The parser that a signature names: one that is in use, or the one at a path.

        Raises
        ------
        InputError
            If the parser is not in use and no path is given, or another one stands there.
        """
        if path is not None:
            opened = cls.of(path)
            if opened.name != spelled:
                raise InputError(f"{path} holds the parser {opened}, not {spelled}.")
            return opened
        held = cls._in_use(spelled)
        if held is None:
            raise InputError(f"the parser {shown(spelled)} is not in use here; open it with open_parser(path).")
        return held

"""Parsers by path or name, and in the configuration of a scorer, where their names identify them."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from metrologue.data.named import NamedValue
from metrologue.errors import InputError, shown
from metrologue.representations.parses.columns import Parser
from metrologue.text.lexicon.file_digest import state_of

_opened: dict[tuple[Any, ...], Parser] = {}
_lock = threading.Lock()


def open_parser(path: str | os.PathLike[str]) -> Parser:
    """The parser that a path or a name stands for.

    Parameters
    ----------
    path : str or path
        A file in CoNLL-U; the name of an installed pipeline of spaCy; the folder of one; or "words@1", the name of
        ``WordParser``.

    Returns
    -------
    Parser
        The same object for the same name, folder or file.

    Raises
    ------
    InputError
        If nothing of this name is there, or it cannot be read.

    Examples
    --------
    >>> open_parser("no.conllu")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: ConlluParses: 'no.conllu' cannot be read: No such file or directory.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"open_parser: `path` is {shown(path)}; a name or a path is expected.")
    spelled = os.fsdecode(path)
    is_file = os.path.isfile(spelled)
    key = (spelled, state_of(spelled) if is_file else None)
    with _lock:
        if key not in _opened:
            _opened[key] = _made(spelled, is_file)
        return _opened[key]


def _made(spelled: str, is_file: bool) -> Parser:
    if is_file or spelled.endswith(".conllu"):
        from metrologue.representations.parses.conllu import ConlluParses

        return ConlluParses(spelled)
    from metrologue.representations.parses.words import WordParser

    if spelled == WordParser.name:
        return WordParser()
    from metrologue.representations.parses.spacy_parser import spacy_parser

    return spacy_parser(spelled)


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

    noun = "parser"
    expected = "a parser, a pipeline of spaCy, or a file in CoNLL-U"
    plural = "parsers"
    opener = "open_parser(path)"
    opened = staticmethod(open_parser)
    methods = ("parse",)


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

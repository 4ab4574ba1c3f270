"""Parsers from names, folders and files. Each is opened once a process."""

from __future__ import annotations

import os
import threading
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.representations.parses.columns import Parser
from metrologue.text.lexicon.file_digest import state_of

__all__ = ["open_parser"]

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

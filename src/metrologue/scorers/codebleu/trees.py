"""Syntax trees of code by tree-sitter, and what CodeBLEU compares of them."""

from __future__ import annotations

import io
import re
import tokenize
import warnings
from collections import Counter
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

from metrologue.errors import InputError
from metrologue.origin import pip_install
from metrologue.scorers.codebleu.flows import data_flow

if TYPE_CHECKING:
    from tree_sitter import Language, Node

__all__ = ["DEEPEST", "LANGUAGES", "Program", "check_grammar", "other_version", "program", "without_comments"]

LANGUAGES = {
    "c": "tree-sitter-c",
    "cpp": "tree-sitter-cpp",
    "c_sharp": "tree-sitter-c-sharp",
    "go": "tree-sitter-go",
    "java": "tree-sitter-java",
    "javascript": "tree-sitter-javascript",
    "php": "tree-sitter-php",
    "python": "tree-sitter-python",
    "ruby": "tree-sitter-ruby",
    "rust": "tree-sitter-rust",
    "typescript": "tree-sitter-typescript",
}
# The grammars that codebleu 0.7 can read with the binding that it asks for; the extra `code` installs them.
VERSIONS = {
    "c": "0.21.4",
    "cpp": "0.22.3",
    "c_sharp": "0.21.3",
    "go": "0.21.2",
    "java": "0.21.0",
    "javascript": "0.21.4",
    "php": "0.22.8",
    "python": "0.21.0",
    "ruby": "0.21.0",
    "rust": "0.21.2",
    "typescript": "0.21.2",
}
# What gives the grammar, where a package has several.
_GRAMMARS = {"php": "language_php", "typescript": "language_typescript"}
# Deeper trees would end the process: tree-sitter writes them by nested calls. CodeXGLUE's scripts stop here too.
DEEPEST = 900

_MARKS = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:\\.|[^\\'])*'|"(?:\\.|[^\\"])*\"""", re.DOTALL)


class Program(NamedTuple):
    """What is compared of a text in a language.

    Attributes
    ----------
    subtrees : counter of str
        The nodes that have children, each as the types of all that is below it, and how often each occurs.
    flows : counter of tuple
        As ``data_flow`` gives them.
    unread, size : int
        The bytes that the parser could not read, and all bytes.
    is_wrong : bool
        Whether the text has a syntax error.
    """

    subtrees: Counter[str]
    flows: Counter[tuple[int, str, tuple[int, ...]]]
    unread: int
    size: int
    is_wrong: bool


@cache
def _grammar(language: str) -> Language:
    """The grammar of a language."""
    from tree_sitter import Language

    module: Any = import_module(LANGUAGES[language].replace("-", "_"))
    with warnings.catch_warnings():  # grammars of 2024 give numbers in place of capsules
        warnings.simplefilter("ignore", DeprecationWarning)
        return Language(getattr(module, _GRAMMARS.get(language, "language"))())


def check_grammar(language: str, owner: str) -> None:
    """Raise an InputError that names the package of a grammar if it cannot be had."""
    package = LANGUAGES[language]
    try:
        _grammar(language)
    except ImportError as error:
        raise InputError(
            f"{owner}: language {language!r} needs the packages tree-sitter and {package}, and "
            f"{error.name or error} is not installed: pip install tree-sitter {package}, or {pip_install('code')} for "
            "all languages."
        ) from None
    except (AttributeError, TypeError, ValueError) as error:  # a binding and a grammar of different times
        raise InputError(
            f"{owner}: the installed versions of tree-sitter and {package} do not fit each other ({error}): "
            f"pip install --upgrade tree-sitter {package}."
        ) from None


def without_comments(code: str, language: str) -> str:
    """The text without comments and without lines of whitespace; of Python also without docstrings, by its tokenizer.

    Ruby, and Python that Python cannot read, stay as they are.

    Examples
    --------
    >>> without_comments("x = 1  # one\\n\\ny = 2", "python"), without_comments("int x; /* one */ // two", "java")
    ('x = 1  \\ny = 2', 'int x;    ')
    """
    if language == "ruby":
        return code
    if language != "python":
        stripped = _MARKS.sub(lambda match: " " if match[0].startswith("/") else match[0], code)
    else:
        try:
            stripped = _without_comments_of_python(code)
        except (tokenize.TokenError, SyntaxError):
            return code
    return "\n".join(line for line in stripped.split("\n") if line.strip())


def _without_comments_of_python(code: str) -> str:
    """Tokens at the columns where they were. A string after an indent or at the begin of a line is a docstring."""
    parts: list[str] = []
    before, row, column = tokenize.INDENT, -1, 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.start[0] > row:
            column = 0
        parts.append(" " * (token.start[1] - column))
        is_docstring = token.type == tokenize.STRING and (
            before in (tokenize.INDENT, tokenize.NEWLINE) or token.start[1] == 0
        )
        if token.type != tokenize.COMMENT and not is_docstring:
            parts.append(token.string)
        before, (row, column) = token.type, token.end
    return "".join(parts)


def other_version(language: str) -> str:
    """What is said if another version of a grammar is installed than the one of ``VERSIONS``; otherwise ""."""
    package = LANGUAGES[language]
    installed = version(package)
    if installed.split(".")[:2] == VERSIONS[language].split(".")[:2]:
        return ""
    return (
        f"{package} {installed} is installed, whose trees may differ from those of {VERSIONS[language]}, which the "
        f"package codebleu 0.7 reads: {pip_install('code')}."
    )


def program(code: str, language: str) -> Program | None:
    """What is compared of a text; None if its tree is too deep. The grammar is one that ``check_grammar`` has seen."""
    from tree_sitter import Parser

    data = code.encode()
    root = Parser(_grammar(language)).parse(data).root_node
    inner, unread = _inner_nodes(root)
    if inner is None:
        return None
    flows = data_flow(root, code, language)
    return Program(Counter(map(str, inner)), flows, unread, len(data), root.has_error)


def _inner_nodes(root: Node) -> tuple[list[Node] | None, int]:
    """The root and all nodes with children, and the bytes of those that are errors; None if the tree is too deep."""
    found, unread = [root], 0
    waiting = [(root, 1, False)]
    while waiting:
        node, depth, is_within = waiting.pop()
        if depth > DEEPEST:
            return None, 0
        if node.is_error and not is_within:
            unread += node.end_byte - node.start_byte
        is_within = is_within or node.is_error
        for child in node.children:
            if child.children:
                found.append(child)
            waiting.append((child, depth + 1, is_within))
    return found, unread

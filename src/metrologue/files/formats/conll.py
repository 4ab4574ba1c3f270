"""CoNLL's columns: a token in each line, its tags beside it, an empty line after each sentence."""

from __future__ import annotations

import re

from metrologue.errors import InputError, shown
from metrologue.files.packed import Path
from metrologue.files.rows import Format, Rows, numbered_lines
from metrologue.files.values import whole_of_text

_TAG = re.compile(r"O|[BIESLUM]-\S+")
_DOCUMENT = "-DOCSTART-"
# How many sentences of a file are looked at, at least one of them whole.
_LEAST_TOKENS = 2


def _looks(head: str) -> bool:
    """Whether all lines have the same number of columns, of which the last are tags and the first are none."""
    rows = [line.split() for line in head.split("\n") if line.strip() and not line.startswith(_DOCUMENT)]
    return (
        len(rows) >= _LEAST_TOKENS
        and len({len(row) for row in rows}) == 1
        and len(rows[0]) > 1
        and all(_TAG.fullmatch(row[-1]) for row in rows)
        and not all(_TAG.fullmatch(row[0]) for row in rows)
    )


def _read(path: Path, key: str | None, name: str) -> Rows:
    """The tags of each sentence, separated by spaces; `key` is the number of another column, from 1."""
    column = None if key is None else whole_of_text(key)
    if key is not None and not column:
        raise InputError(f"{path}: the key {shown(key)} is no number of a column, counted from 1.")
    sentences: list[list[str]] = []
    begun, width = False, 0
    for number, line in numbered_lines(path):
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or cells[0] == _DOCUMENT:
            begun = False
            continue
        if line.startswith("# ") or (len(cells) == 10 and not cells[0].isdecimal()):
            continue  # a comment of CoNLL-U, or a word that is made of several tokens
        if width and len(cells) != width:
            raise InputError(f"{path}:{number}: {len(cells)} columns, but the lines before it have {width}.")
        width = len(cells)
        if column and column > width:
            raise InputError(f"{path}:{number}: {width} columns; there is no column {column}.")
        if not begun:
            sentences.append([])
            begun = True
        sentences[-1].append(cells[column - 1 if column else -1].replace(" ", "_"))
    told = f"CoNLL, column {column or width} of {width}"
    return Rows(told, texts=[" ".join(each) for each in sentences])


FORMATS = (Format("conll", (".conll", ".conllu", ".conll03", ".iob", ".iob2", ".bio"), _looks, _read),)

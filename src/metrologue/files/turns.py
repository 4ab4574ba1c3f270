"""Turns of dialogues in files: what separates them in a line, in a cell, and in a JSON string."""

from __future__ import annotations

from collections.abc import Sequence

from metrologue.data.arrow import pa
from metrologue.data.strings import AnyTexts, arrow
from metrologue.files.packed import Path
from metrologue.files.records import kind_of

# What separates turns where a text cannot have lines: tabs, and the mark of DailyDialog.
SEPARATORS = ("\t", "__eou__")


def as_turns(texts: AnyTexts | pa.LargeListArray, path: Path, separator: str | None = None) -> pa.LargeStringArray:
    """The turns of each row as the lines of one text.

    A list has a turn in each of its texts. A text of a JSON, Parquet or Arrow file has one in each of its lines. A line
    of a text file, or a cell of a ``.tsv`` file, is cut at `separator`, by default at each of ``SEPARATORS``.

    Parameters
    ----------
    texts : Strings, pyarrow.LargeStringArray, or pyarrow.LargeListArray of large_string
        What ``metrologue.files.lines`` has read.
    path : str or path
        The file.
    separator : str, optional
        What separates the turns of a text; then whatever the file is.

    Examples
    --------
    >>> as_turns(pa.array(["Hi! __eou__ Hello.\\tBye."], pa.large_string()), "contexts.txt").to_pylist()
    ['Hi! \\n Hello.\\nBye.']
    >>> as_turns(pa.array([["Hi!", "Hello."], []], pa.large_list(pa.large_string())), "contexts.jsonl").to_pylist()
    ['Hi!\\nHello.', '']
    """
    texts = arrow(texts)
    if pa.types.is_large_list(texts.type):
        rows = ("\n".join(turn.replace("\n", " ") for turn in row) for row in texts.to_pylist())
        return pa.array(rows, pa.large_string())  # a line of a turn is no turn
    import pyarrow.compute as pc  # slow to import, and only dialogues need it

    marks: Sequence[str] = SEPARATORS if kind_of(path) in ("", "tsv") else ()
    for mark in marks if separator is None else [separator]:
        texts = pc.replace_substring(texts, mark, "\n")
    return texts


def lines_of(text: str) -> list[str]:
    """The turns of a text: its lines, without whitespace around them; lines without content are left out.

    Examples
    --------
    >>> lines_of("Hi! \\n\\n How are you?")
    ['Hi!', 'How are you?']
    """
    lines = (line.strip() for line in text.split("\n"))
    return [line for line in lines if line]

"""Objects and rows of a file, each with the place where it stands, for messages."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeVar

from metrologue.errors import InputError, instead_of, number_of, shown
from metrologue.files.lines import stream_lines
from metrologue.files.packed import Path, without_packing
from metrologue.files.values import finite, json_value, number_of_text

T = TypeVar("T")

# The keys of an object of judgements; what stands before a text is the source, or the turns of a dialogue.
KEYS = ("system", "segment", "hypothesis", "prediction", "references", "source", "context", "ratings")
CONTEXT = ("source", "context")


def read_text(path: Path, expected: str = "a file") -> str:
    """The text of a file in UTF-8, unpacked if its name ends in .gz or .xz; a line end is "\\n".

    Parameters
    ----------
    path : str or path
    expected : str
        What the file is, for the message.

    Raises
    ------
    InputError
        If it is a folder, or not UTF-8.
    """
    if os.path.isdir(path):
        raise InputError(f"{os.fspath(path)} is a folder; {expected} is expected.")
    return "\n".join(line for lines in stream_lines(os.fspath(path), plain=True) for line in lines.to_pylist())


@dataclass(frozen=True)
class JsonRecord:
    """An object of a file, and where it stands, for messages."""

    where: str
    fields: Mapping[str, Any]

    def text(self, key: str, default: str | None = None) -> str:
        """The text under a key; a number counts as its digits.

        Raises
        ------
        InputError
            If it is missing and there is no default, or if it is not text.
        """
        value = self.fields.get(key)
        if value is None:
            if default is None:
                raise InputError(f"{self.where}: no {key!r}; {instead_of(key, self.fields)}")
            return default
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise InputError(f"{self.where}: {key!r} is {shown(value)}; write a text.")
        return str(value)

    def texts(self, *keys: str) -> tuple[str, ...]:
        """The texts under the first of these keys that there is: a list of at least one, or a single text."""
        key = next((key for key in keys if self.fields.get(key) is not None), None)
        if key is None:
            return ()
        value = self.fields[key]
        own = [value] if isinstance(value, str) else value
        if not isinstance(own, list) or not own or not all(isinstance(each, str) for each in own):
            raise InputError(f"{self.where}: {key!r} is {shown(value)}; write a text, or a list of at least one.")
        return tuple(own)

    def turns(self, *keys: str) -> str | None:
        """The turns under the first of these keys that there is: a text, or a list whose texts become its lines.

        Returns
        -------
        str or None
            A turn in each line; None if there is no such key.
        """
        key = next((key for key in keys if self.fields.get(key) is not None), None)
        value = "" if key is None else self.fields[key]
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            value = "\n".join(each.replace("\n", " ") for each in value)
        if not isinstance(value, str):
            raise InputError(
                f"{self.where}: {key!r} is {shown(value)}; write a text, or a list with a text for a turn."
            )
        return None if key is None else value


def json_lines(path: Path) -> Iterator[JsonRecord]:
    """The objects of a JSON Lines file; empty lines are skipped.

    Raises
    ------
    InputError
        If a line is not an object. The message names the line.
    """
    for number, line in enumerate(read_text(path, "a file in JSON Lines").split("\n"), 1):
        if line.strip():
            where = f"{path}:{number}"
            value = json_value(line, where)
            if not isinstance(value, dict):
                raise InputError(f"{where}: {shown(value)} is not an object with the keys {', '.join(KEYS)}.")
            yield JsonRecord(where, value)


def read_table(path: Path) -> tuple[list[str], list[tuple[str, dict[str, str]]]]:
    """A table of tab-separated values; empty lines are skipped, and a quotation mark is a character like others.

    Returns
    -------
    (list of str, list of (str, dict))
        The names in the first line; of each row, where it stands, and its cells by these names.

    Raises
    ------
    InputError
        If a row has another number of cells than the first line. The message names the line.
    """
    first, *lines = read_text(path, "a table of tab-separated values").split("\n")
    header, rows = first.split("\t"), []
    for number, line in enumerate(lines, 2):
        if line:
            cells = line.split("\t")
            if len(cells) != len(header):
                told = number_of(len(cells), "cell")
                raise InputError(f"{path}:{number}: {told}, but the first line has {len(header)}.")
            rows.append((f"{path}:{number}", dict(zip(header, cells, strict=True))))
    return header, rows


def read_records(path: Path) -> list[JsonRecord]:
    """The objects of a file in JSON Lines, of a JSON list, or the rows of a table with names in the first line.

    A table is one of tab-separated values, or of values with commas if the name ends in .csv. Empty cells are left out.

    Raises
    ------
    InputError
        If the file is empty or has another form. The message names the line, or the item of a list.
    """
    kind = PurePath(without_packing(PurePath(path).name)).suffix
    refuse_pickle(path)
    if kind == ".tsv":
        rows = [
            JsonRecord(where, {name: cell for name, cell in row.items() if cell}) for where, row in read_table(path)[1]
        ]
    elif kind == ".csv":
        rows = [*_csv_rows(path)]
    elif (text := read_text(path, "a file in JSON Lines")).lstrip().startswith("["):
        items = json_value(text, str(path))
        rows = [JsonRecord(f"{path}: [{place}]", item) for place, item in enumerate(items)]
        if wrong := next((each for each in rows if not isinstance(each.fields, dict)), None):
            raise InputError(f"{wrong.where} is {shown(wrong.fields)}; an object is expected.")
    else:
        rows = [*json_lines(path)]
    if not rows:
        raise InputError(f"{path}: the file is empty; give at least one text with its ratings.")
    return rows


def _csv_rows(path: Path) -> Iterator[JsonRecord]:
    lines = csv.reader(io.StringIO(read_text(path, "a table of values with commas"), newline=""), strict=True)
    try:
        header = next(lines, [])
        for cells in lines:
            if len(cells) not in (0, len(header)):
                told = number_of(len(cells), "cell")
                raise InputError(f"{path}:{lines.line_num}: {told}, but the first line has {len(header)}.")
            row = dict(zip(header, cells, strict=False))
            yield JsonRecord(f"{path}:{lines.line_num}", {name: cell for name, cell in row.items() if cell})
    except csv.Error as error:
        raise InputError(f"{path}:{lines.line_num}: not a table of values with commas ({error}).") from None


def refuse_pickle(path: Path) -> None:
    """Refuse a pickle by its name or its first byte: reading one runs the code in it.

    Raises
    ------
    InputError
        With three lines of Python that convert a pickle whose origin is trusted.
    """
    by_name = PurePath(path).suffix in (".pkl", ".pickle", ".p")
    if by_name or (os.path.isfile(path) and _first_byte(path) == b"\x80"):
        raise InputError(
            f"{path} is a pickle: reading it would run code that is in it. If you trust its origin, convert it in "
            "Python to one object for each text:\n"
            "  import json, pickle\n"
            f"  data = pickle.load(open({os.fspath(path)!r}, 'rb'))\n"
            "  json.dump([{'hypothesis': …, 'ratings': {…}} for each in data], open('rated.json', 'w'))"
        )


def _first_byte(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file.read(1)


def score_of(cell: object, where: str) -> float:
    """The number in a cell or under a key; NaN for one that is empty, null or missing.

    Raises
    ------
    InputError
        If it is something else than a finite number.
    """
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return math.nan
    if (value := number_of_text(cell) if isinstance(cell, str) else finite(cell)) is None:
        raise InputError(f"{where} is {shown(cell)}; a number is expected.")
    return value


def all_or_none(own: Sequence[T | None], records: Sequence[JsonRecord], *keys: str) -> tuple[T, ...] | None:
    """The values of all records under the first of these keys that there is; None if no record has one.

    Raises
    ------
    InputError
        If some records have a value, and others None. The message names the first of these.
    """
    found = tuple(each for each in own if each is not None)
    if not found:
        return None
    if len(found) < len(own):
        key = next((key for key in keys for each in records if key in each.fields), keys[0])
        lacking = records[own.index(None)].where
        raise InputError(f"{lacking}: no {key!r}, but other lines have one; give it on every line or on none.")
    return found

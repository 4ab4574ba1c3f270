"""Texts from records: JSON Lines and tab-separated columns. A key names the field that holds the text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import Any, TypeAlias

from metrologue.data.arrow import pa
from metrologue.errors import InputError, shown
from metrologue.files.packed import Path, without_packing
from metrologue.files.values import json_value

# Takes lines, the path of the file and the number of the first line, counted from 1. Gives texts.
Parser: TypeAlias = "Callable[[pa.Array, Path, int], pa.Array]"

# The kind of a file by its suffix. Arrow's own names are .arrow for a file and .arrows for a stream.
_KINDS = {
    ".jsonl": "jsonl",
    ".tsv": "tsv",
    ".parquet": "parquet",
    **dict.fromkeys((".arrow", ".arrows", ".feather", ".ipc"), "arrow"),
}
# The kinds that are not text.
TABLES = ("parquet", "arrow")
# A step of a path in a record: a key, or an index in brackets.
_STEP = re.compile(r"([^.\[\]]+)|\[(\d{1,9})\]")
# A message lists so many keys or columns.
_MOST_NAMES = 20


def kind_of(path: Path) -> str:
    """The kind of a file by its name: "jsonl", "tsv", "parquet", "arrow", or "" for plain text.

    Examples
    --------
    >>> kind_of("hyp.jsonl.gz"), kind_of("hyp.txt")
    ('jsonl', '')
    """
    return _KINDS.get(PurePath(without_packing(PurePath(path).name)).suffix, "")


def parser(path: Path, lists: bool, key: str | None, least: int = 1) -> Parser | None:
    """A function from the lines of a file to texts; None if the lines are the texts.

    Parameters
    ----------
    path : str or path
    lists : bool
        Whether a record may hold a list of texts.
    key : str or None
        The key of a JSON object, or the column of a file of tab-separated values, that holds the text.
    least : int
        How many texts a list has at least: 0 or 1.

    Raises
    ------
    InputError
        If a key is given for a file that has no keys. The function raises one if a record has no such key, or if a file
        of tab-separated values has several columns and no key is given.
    """
    match kind_of(path):
        case "jsonl":
            return _json_parser(lists, key, least)
        case "tsv":
            return _one_column if key is None else _tsv_parser(key)
    if key is not None:
        known = ", ".join(_KINDS)
        raise InputError(f"{path}: the key {key!r} is for files {known}; lines of other files are texts.")
    return None


def _json_parser(lists: bool, key: str | None, least: int) -> Parser:
    """A reader of JSON Lines. All lines of a file must have the type (string or list) of the first line."""
    kind: type | None = None

    def parse(lines: pa.Array, path: Path, first_line: int) -> pa.Array:
        nonlocal kind
        values = []
        for number, line in enumerate(lines.to_pylist(), first_line):
            value = _json_value(line, lists, key, least, f"{path}:{number}")
            kind = kind or type(value)
            if type(value) is not kind:
                raise InputError(
                    f"{path}:{number}: a {type(value).__name__}, but the lines before it have type {kind.__name__}; "
                    "write all lines as lists."
                )
            values.append(value)
        text = pa.large_string()
        return pa.array(values, text if kind is str else pa.large_list(text))

    return parse


def _json_value(line: str, lists: bool, key: str | None, least: int, where: str) -> str | list[str]:
    several = "at least one JSON string" if least else "JSON strings"
    wanted = "a JSON string" + (f" or a list of {several}" if lists else "")
    value = json_value(line, where, wanted)
    if isinstance(value, dict) or key is not None:
        value = _of_key(value, key, where)
        line = json.dumps(value)
    parts = value if lists and isinstance(value, list) else [value]
    if len(parts) < least or not all(isinstance(part, str) for part in parts):
        raise InputError(f"{where}: {line[:40]} is not {wanted}.")
    try:
        "".join(parts).encode()
    except UnicodeEncodeError:
        raise InputError(f"{where}: half of a surrogate pair is not text; write both halves.") from None
    return value  # type: ignore[no-any-return]  # checked above, part by part


def _of_key(record: Any, key: str | None, where: str) -> Any:
    """The value of a key in a JSON object."""
    if not isinstance(record, dict):
        raise InputError(f"{where}: not an object, but the key {key!r} is given; write objects, or leave out the key.")
    if key is not None and key not in record and (held := within(record, key)) is not None:
        return held
    if key not in record:
        what = "an object, but no key is given" if key is None else f"an object without the key {key!r}"
        raise InputError(f"{where}: {what}; {there_are(record)}")
    return record[key]


def within(record: dict[str, Any], key: str) -> Any:
    """What stands at a path such as doc.answer[0]; None if nothing stands there.

    Examples
    --------
    >>> within({"resps": [["a cat", "a dog"]]}, "resps[0][1]")
    'a dog'
    """
    value: Any = record
    for name, index in _STEP.findall(key):
        if index:
            value = value[int(index)] if isinstance(value, list) and int(index) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value if _STEP.sub("", key).strip(".") == "" else None


def _one_column(lines: pa.Array, path: Path, first_line: int) -> pa.Array:
    """The lines of a file of tab-separated values without a key. Its first line says whether it has several columns."""
    if first_line == 1 and len(columns := lines[0].as_py().split("\t")) > 1:
        raise InputError(f"{path}:1: several columns, but no key is given; {there_are(columns)}")
    return lines


def _tsv_parser(key: str) -> Parser:
    """A reader of tab-separated values that takes one column by its name in the first line."""
    import pyarrow.compute as pc  # slow to import, and not needed for plain text

    columns: list[str] = []

    def parse(lines: pa.Array, path: Path, first_line: int) -> pa.Array:
        if first_line == 1:
            columns[:] = lines[0].as_py().split("\t")
            require_once(f"{path}:1", key, columns)
            lines, first_line = lines[1:], 2
        cells = pc.split_pattern(lines, "\t")
        counts = pc.list_value_length(cells).to_numpy(zero_copy_only=False)
        if (wrong := counts != len(columns)).any():
            row = int(wrong.argmax())
            raise InputError(f"{path}:{first_line + row}: {counts[row]} cells, but the first line has {len(columns)}.")
        return pc.list_element(cells, columns.index(key))

    return parse


def require_once(where: str, key: str, columns: Sequence[str]) -> None:
    if (count := columns.count(key)) != 1:
        what = f"{count} columns are" if count else "no column is"
        raise InputError(f"{where}: {what} called {key!r}; {there_are(columns)}")


def there_are(names: Iterable[str]) -> str:
    known = [*names]
    more = f" and {len(known) - _MOST_NAMES} more" if len(known) > _MOST_NAMES else ""
    return f"there are {', '.join(map(shown, known[:_MOST_NAMES]))}{more}." if known else "there are none."

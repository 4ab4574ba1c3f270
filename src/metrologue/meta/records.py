"""Judgements from JSON Lines, in the form that ``metrologue meta`` documents, and the ratings in any JSON."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from metrologue.errors import InputError, instead_of, number_of, shown
from metrologue.files.values import finite, json_value, number_of_text
from metrologue.meta.judgements import Judgements, Ratings

__all__ = ["CONTEXT", "JsonRecord", "all_or_none", "json_lines", "ratings_of", "read_jsonl", "read_table", "read_text",
           "score_of"]  # fmt: skip

Path = str | os.PathLike[str]
T = TypeVar("T")

_KEYS = ("system", "segment", "hypothesis", "references", "source", "context", "ratings")
_REFERENCES = ("references", "reference")
# What stands before a text: the source, or the turns of a dialogue.
CONTEXT = ("source", "context")
# So begins a rating of an annotator who found that the quality does not apply, in any case.
_DECLINED = "n/a"


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
    from metrologue.files.lines import stream_lines

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
            yield JsonRecord(where, _object(line, where))


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


def _object(line: str, where: str) -> dict[str, Any]:
    value = json_value(line, where)
    if not isinstance(value, dict):
        raise InputError(f"{where}: {shown(value)} is not an object with the keys {', '.join(_KEYS)}.")
    return value


def read_jsonl(path: Path) -> Judgements:
    """Judgements from JSON Lines: one object for each text that was rated.

    The keys are ``hypothesis``; ``ratings``, an object of qualities; ``segment``, by default the number of the line;
    ``system``; ``references`` (a text or a list); ``source`` or ``context``, a text, or a list of turns, which may be
    empty. A rating is a number, a list with one for
    each annotator, or an object of annotators. ``null`` and a text that begins with "N/A" are missing.

    Parameters
    ----------
    path : str or path
        It may be packed, as .jsonl.gz or .jsonl.xz.

    Raises
    ------
    InputError
        If a line is not such an object, if some lines have references, a system or a context and others not, or if a
        rating is not a number. The message names the line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "rated.jsonl"
    >>> _ = file.write_text('{"system": "a", "hypothesis": "a cat", "ratings": {"fluency": {"ann": 3, "bob": "N/A"}}}')
    >>> ratings = read_jsonl(file).ratings["fluency"]
    >>> ratings.annotators, ratings.values, ratings.declined
    (('ann', 'bob'), array([[ 3., nan]]), 1)
    """
    records = [*json_lines(path)]
    if not records:
        raise InputError(f"{path}: the file is empty; give at least one text with its ratings.")
    references = all_or_none([each.texts(*_REFERENCES) or None for each in records], records, *_REFERENCES)
    return Judgements(
        segments=tuple(each.text("segment", str(row)) for row, each in enumerate(records, 1)),
        hypotheses=tuple(each.text("hypothesis") for each in records),
        ratings=ratings_of([(each.where, each.fields.get("ratings")) for each in records]),
        systems=all_or_none([each.text("system", "") or None for each in records], records, "system"),
        references=references,
        contexts=all_or_none([each.turns(*CONTEXT) for each in records], records, *CONTEXT),
        inputs=_others(records),
    )


def _others(records: Sequence[JsonRecord]) -> dict[str, tuple[str, ...]]:
    """The texts under all other keys; a key that some record lacks, or that holds no texts, is no input."""
    found = {}
    for key in records[0].fields.keys() - {*_KEYS, *_REFERENCES}:
        own = [each.fields.get(key) for each in records]
        if all(isinstance(value, str | list) for value in own):
            with suppress(InputError):
                found[key] = tuple(str(each.turns(key)) for each in records)
    return found


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


def ratings_of(rows: Sequence[tuple[str, Any]]) -> dict[str, Ratings]:
    """The ratings of n rows by quality, from values of JSON and where each stands.

    Raises
    ------
    InputError
        If a row is not an object of qualities, or a rating is not a number, null or "N/A ...".
    """
    columns: dict[str, dict[str, list[float]]] = {}
    declined: dict[str, int] = {}
    for row, (where, qualities) in enumerate(rows):
        if not isinstance(qualities, Mapping) or not qualities:
            raise InputError(f"{where}: the ratings are {shown(qualities)}; write an object of qualities.")
        for quality, value in qualities.items():
            own = columns.setdefault(quality, {})
            for annotator, rating in _by_annotator(value).items():
                number = _number(rating, f"{where}: {quality}")
                declined[quality] = declined.get(quality, 0) + (isinstance(rating, str))
                own.setdefault(annotator, [math.nan] * len(rows))[row] = number
    if empty := [quality for quality, own in columns.items() if not own]:
        raise InputError(f"{rows[0][0]}: {empty[0]} has no rating in {number_of(len(rows), 'row')}.")
    return {
        quality: Ratings(np.array([*own.values()]).T, tuple(own), declined.get(quality, 0))
        for quality, own in columns.items()
    }


def _by_annotator(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    return {str(place): each for place, each in enumerate(value if isinstance(value, list) else [value], 1)}


def _number(rating: Any, where: str) -> float:
    if rating is None:
        return math.nan
    if isinstance(rating, str) and rating.strip().lower().startswith(_DECLINED):
        return math.nan
    if (number := finite(rating)) is None:
        raise InputError(f'{where} is {shown(rating)}; write a number, null, or a text that begins with "N/A".')
    return number

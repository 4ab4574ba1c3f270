"""n-best lists from JSON Lines: the candidates of each input, perhaps with references and their weights."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from metrologue.errors import InputError, shown
from metrologue.files.lines import stream_lines
from metrologue.files.packed import Path
from metrologue.files.values import finite, json_value

_KEYS = ("candidates", "references", "weights", "source")


class NBest(NamedTuple):
    """The candidates for one input.

    Attributes
    ----------
    candidates : list of str
    references : list of str or None
        What each candidate is compared with; None for the candidates themselves.
    weights : list of float or None
        The weight of each reference, or of each candidate if there are no references; None for equal weights.
    place : str
        The file and the line, for messages.
    source : str or None
        What the candidates are made of, such as the text that they translate; None if it is not known.
    """

    candidates: list[str]
    references: list[str] | None
    weights: list[float] | None
    place: str
    source: str | None = None


def stream_nbest(path: Path) -> Iterator[NBest]:
    """The n-best lists of a file, line by line.

    Parameters
    ----------
    path : str or path
        JSON Lines, perhaps packed by gzip, xz or zstd; "-" for standard input. A line is a list of strings, or an
        object with the key "candidates", and perhaps "references", "weights" and "source".

    Raises
    ------
    InputError
        If a line is no such list or object. The message names the file and the line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "nbest.jsonl"
    >>> _ = path.write_text('["a", "b"]\\n{"candidates": ["c"], "weights": [0.5]}\\n')
    >>> [(each.candidates, each.weights) for each in stream_nbest(path)]
    [(['a', 'b'], None), (['c'], [0.5])]
    """
    for place, value in _values(path):
        record = value if isinstance(value, dict) else {"candidates": value}
        if unknown := record.keys() - {*_KEYS}:
            raise InputError(f"{place}: the key {min(unknown)!r} is unknown; there are {', '.join(_KEYS)}.")
        if "candidates" not in record:
            raise InputError(f"{place}: an object without the key 'candidates'.")
        candidates = _texts(record["candidates"], "candidates", place)
        references = _texts(record["references"], "references", place) if "references" in record else None
        weights = checked_weights(record["weights"], place) if "weights" in record else None
        source = record.get("source")
        if source is not None and not isinstance(source, str):
            raise InputError(f"{place}: the source is {shown(source)}; a str is expected.")
        yield NBest(candidates, references, weights, place, source)


def stream_weights(path: Path) -> Iterator[list[float]]:
    """The weights of a file, a list of numbers on each line; arguments and errors as for ``stream_nbest``."""
    for place, value in _values(path):
        yield checked_weights(value, place)


def _values(path: Path) -> Iterator[tuple[str, Any]]:
    """The JSON value of each line, after the file and the line's number."""
    number = 0
    for lines in stream_lines(path, plain=True):
        for line in lines.to_pylist():
            number += 1
            place = f"{path}:{number}"
            yield place, json_value(line, place)


def _texts(value: Any, name: str, place: str) -> list[str]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise InputError(f"{place}: the {name} are not a list of at least one string.")
    return value


def checked_weights(value: Any, place: str) -> list[float]:
    """The value, if it is a list of numbers of 0 or more that are not all 0. Otherwise raises an InputError."""
    weights = []
    for index, each in enumerate(value if isinstance(value, list) else ()):
        number = finite(each)
        if number is None or number < 0:
            raise InputError(f"{place}: `weights[{index}]` is {shown(each)}; a finite number of 0 or more is expected.")
        weights.append(number)
    if not 0 < sum(weights) < math.inf:
        what = "a list of numbers of 0 or more, at least one of them above 0, with a finite sum"
        raise InputError(f"{place}: the weights are {shown(value)}; {what} is expected.")
    return weights

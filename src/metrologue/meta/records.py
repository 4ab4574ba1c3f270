"""Judgements from JSON Lines, in the form that ``metrologue meta`` documents, and the ratings in any JSON."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from metrologue.data.judgements import Judgements, Ratings
from metrologue.errors import InputError, number_of, shown
from metrologue.files.objects import CONTEXT, KEYS, JsonRecord, all_or_none, json_lines
from metrologue.files.values import finite

_REFERENCES = ("references", "reference")
# So begins a rating of an annotator who found that the quality does not apply, in any case.
_DECLINED = "n/a"


def read_jsonl(path: str | os.PathLike[str]) -> Judgements:
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
    for key in records[0].fields.keys() - {*KEYS, *_REFERENCES}:
        own = [each.fields.get(key) for each in records]
        if all(isinstance(value, str | list) for value in own):
            with suppress(InputError):
                found[key] = tuple(str(each.turns(key)) for each in records)
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

"""Judgements from records: JSON Lines, a JSON list or a table, and the ratings in any JSON."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, TypedDict

import numpy as np

from metrologue.data.judgements import Judgements, Ratings
from metrologue.errors import InputError, instead_of, number_of, shown
from metrologue.files.objects import CONTEXT, KEYS, JsonRecord, all_or_none, read_records
from metrologue.files.recognized import format_of, read_log
from metrologue.files.rows import Rows
from metrologue.files.values import finite, number_of_text

_REFERENCES = ("references", "reference")
_TEXTS = ("hypothesis", "prediction")
_ANNOTATOR = ("annotator", "worker")
# So begins a rating of an annotator who found that the quality does not apply, in any case.
_DECLINED = "n/a"
# What annotators are called, where they and qualities could change places: worker_3, Expert A, 17.
_WORKER = re.compile(r"(annotator|assessor|expert|judge|rater|turker|user|worker)([\W_]*\w{1,2})?|\d+", re.IGNORECASE)


_NO_RATINGS = object()
_EXPECTED = 'write a number, null, or a text that begins with "N/A".'


class Rated(TypedDict):
    """The ratings of n texts by quality, and what was left out, in sentences."""

    ratings: dict[str, Ratings]
    notes: tuple[str, ...]


def read_rated(path: str | os.PathLike[str], columns: Mapping[str, str] | None = None) -> Judgements:
    """Judgements from JSON Lines, a JSON list, or a table (.tsv, .csv): one object or row for each text that was rated.

    The keys or columns are ``hypothesis`` or ``prediction``; ``segment``, by default the number of the source and the
    references that systems share, otherwise of the row; ``system``; ``references`` (a text or a list); ``source`` or
    ``context``, a text, or a list of turns, which may be empty.

    An object has ``ratings``, an object of qualities, or ``rating``. A rating is a number, a list with one for each
    annotator, or an object of annotators; the annotators may also come first. ``null`` and a text that begins with
    "N/A" are missing. In a table, every other column with a number is a quality. A quality that holds text only is left
    out, with a note. If there is ``annotator`` or ``worker``, each row is what one of them said, and rows of one text
    are joined.

    Parameters
    ----------
    path : str or path
        It may be packed, as .jsonl.gz or .jsonl.xz. The log of a harness has texts and, as ratings, its own scores of
        each sample, such as those of a model that judges.
    columns : mapping of str to str, optional
        The keys or columns of the file that have other names: ``{"hypothesis": "sys_ref", "annotator": "judge"}``.

    Raises
    ------
    InputError
        If a row is not such an object, if some rows have references, a system or a context and others not, if a rating
        is not a number, or if the file is a pickle. The message names the row.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "rated.jsonl"
    >>> _ = file.write_text('{"system": "a", "hypothesis": "a cat", "ratings": {"fluency": {"ann": 3, "bob": "N/A"}}}')
    >>> ratings = read_rated(file).ratings["fluency"]
    >>> ratings.annotators, ratings.values, ratings.declined
    (('ann', 'bob'), array([[ 3., nan]]), 1)
    """
    if (form := format_of(path)) and form.is_log:
        return _of_log(read_log(path))
    records = [_renamed(each, columns or {}) for each in read_records(path)]
    qualities = _qualities(records)
    if any(_annotator(each) for each in records):
        records, qualities = _joined(records, qualities), []
    references = all_or_none([each.texts(*_REFERENCES) or None for each in records], records, *_REFERENCES)
    return Judgements(
        segments=_segments(records),
        hypotheses=tuple(each.text(next((key for key in _TEXTS if key in each.fields), _TEXTS[0])) for each in records),
        systems=all_or_none([each.text("system", "") or None for each in records], records, "system"),
        references=references,
        contexts=all_or_none([each.turns(*CONTEXT) for each in records], records, *CONTEXT),
        inputs=_others(records, qualities),
        **ratings_in([(each.where, _ratings(each, qualities)) for each in records]),
    )


def _of_log(log: Rows) -> Judgements:
    """The texts of a harness's log; the ratings are its own scores of each sample."""
    if not log.scores:
        raise InputError("read_rated: the log has no scores of its samples, which metrics could be compared with.")
    texts = [each if isinstance(each, str) else "\n".join(each) for each in log.predictions or ()]
    values = {name: np.asarray(scores, float)[:, None] for name, scores in log.scores.items()}
    return Judgements(
        segments=tuple(log.ids or map(str, range(1, len(texts) + 1))),
        hypotheses=tuple(texts),
        references=tuple(map(tuple, log.references)) if log.references else None,
        contexts=tuple(log.sources) if log.sources else None,
        ratings={name: Ratings(each, ("harness",)) for name, each in values.items()},
    )


def _segments(records: Sequence[JsonRecord]) -> tuple[str, ...]:
    """The names of segments; without names the numbers of rows, or where systems share sources, contexts or references:
    the numbers of these.
    """
    if not any("segment" in each.fields for each in records):
        beside = [repr([each.fields.get(name) for name in (*CONTEXT, *_REFERENCES)]) for each in records]
        systems = {(each.fields.get("system"), text) for each, text in zip(records, beside, strict=True)}
        if len(systems) == len(records) and len({*beside}) > 1 and len({name for name, _ in systems}) > 1:
            numbers = {text: str(number) for number, text in enumerate(dict.fromkeys(beside), 1)}
            return tuple(numbers[text] for text in beside)
    return tuple(each.text("segment", str(row)) for row, each in enumerate(records, 1))


def _qualities(records: Sequence[JsonRecord]) -> list[str]:
    """The columns with ratings, if the records are rows of a table: those with a number; with "rating" in any case."""
    if any("ratings" in each.fields for each in records):
        return []
    known = (*KEYS, *_REFERENCES, *_ANNOTATOR)
    names = dict.fromkeys(name for each in records for name in each.fields if name not in known)
    return [name for name in names if any(_cell(each.fields.get(name)) is not None for each in records)]


def _ratings(record: JsonRecord, columns: Sequence[str]) -> Any:
    if not columns:
        return record.fields.get("ratings", _NO_RATINGS)
    values = {name: record.fields.get(name) for name in columns}
    return {name: value if (number := _cell(value)) is None else number for name, value in values.items()}


def _renamed(record: JsonRecord, columns: Mapping[str, str]) -> JsonRecord:
    for name, column in columns.items():
        if name not in (known := (*KEYS, _ANNOTATOR[0])):
            raise InputError(f"columns: {shown(name)} is no part of a rated text; {instead_of(name, known)}")
        if column not in record.fields and name in _TEXTS:
            raise InputError(f"{record.where}: no {column!r}; {instead_of(column, record.fields)}")
    others = {name: value for name, value in record.fields.items() if name not in columns.values()}
    return JsonRecord(record.where, others | {name: record.fields.get(column) for name, column in columns.items()})


def _annotator(record: JsonRecord) -> str:
    return next((record.text(name) for name in _ANNOTATOR if record.fields.get(name) is not None), "")


def _joined(records: Sequence[JsonRecord], qualities: Sequence[str]) -> list[JsonRecord]:
    """One record for each text, with the ratings of its annotators, from one for each annotator of each text."""
    texts: dict[str, JsonRecord] = {}
    for each in records:
        if not (annotator := _annotator(each)):
            raise InputError(f"{each.where}: no annotator, but other rows have one.")
        parts = {name: each.fields.get(name) for name in (*KEYS, *_REFERENCES) if name != "ratings"}
        fields = {name: value for name, value in each.fields.items() if name not in (*_ANNOTATOR, *qualities)}
        text = texts.setdefault(repr(parts), JsonRecord(each.where, {**fields, "ratings": {}}))
        for quality, rating in (_ratings(each, qualities) or {}).items():
            by_annotator = text.fields["ratings"].setdefault(quality, {})
            if by_annotator.setdefault(annotator, rating) is not rating:
                raise InputError(f"{each.where}: a second rating of {quality} by {shown(annotator)} for the same text.")
    return [*texts.values()]


def _cell(value: Any) -> float | None:
    return number_of_text(value) if isinstance(value, str) else finite(value)


def _others(records: Sequence[JsonRecord], qualities: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The texts under all other keys; a key that some record lacks, or that holds no texts, is no input."""
    others = {}
    for key in records[0].fields.keys() - {*KEYS, *_REFERENCES, *qualities}:
        values = [each.fields.get(key) for each in records]
        if all(isinstance(value, str | list) for value in values):
            with suppress(InputError):
                others[key] = tuple(str(each.turns(key)) for each in records)
    return others


def ratings_in(rows: Sequence[tuple[str, Any]]) -> Rated:
    """The ratings of n rows by quality, from values of JSON and where each stands.

    Raises
    ------
    InputError
        If a row is not an object of qualities or of annotators, or null; if a rating is not a number, null or
        "N/A ..."; if nothing is rated.
    """
    for where, given in rows:
        if not isinstance(given, Mapping | None):
            told = "None" if given is _NO_RATINGS else shown(given)
            raise InputError(f"{where}: the ratings are {told}; write an object of qualities.")
    notes = []
    if are_turned := _annotators_first([given for _, given in rows if given]):
        notes.append("The ratings are by annotator first, then by quality.")
    columns: dict[str, dict[str, list[float]]] = {}
    declined: dict[str, int] = {}
    texts: dict[str, str] = {}  # the first text of each quality, and where it stands
    for row, (where, given) in enumerate(rows):
        for quality, value in (_turned(given) if are_turned else given or {}).items():
            by_annotator = columns.setdefault(quality, {})
            for annotator, rating in _by_annotator(value).items():
                number = _number(rating)
                if number is None:
                    texts.setdefault(quality, f"{where}: {quality} is {shown(rating)}; {_EXPECTED}")
                    if not isinstance(rating, str):
                        raise InputError(texts[quality])
                    continue
                declined[quality] = declined.get(quality, 0) + isinstance(rating, str)
                by_annotator.setdefault(annotator, [math.nan] * len(rows))[row] = number
    for quality, told in texts.items():
        if any(not math.isnan(value) for column in columns[quality].values() for value in column):
            raise InputError(told)
        del columns[quality]
        notes.append(f"{quality} holds text, not ratings, and is left out.")
    if empty := [quality for quality, own in columns.items() if not own]:
        raise InputError(f"{rows[0][0]}: {empty[0]} has no rating in {number_of(len(rows), 'row')}.")
    if not columns:
        raise InputError(
            next(iter(texts.values()), f"{rows[0][0]}: there is no rating in {number_of(len(rows), 'row')}.")
        )
    ratings = {
        quality: Ratings(np.array([*own.values()]).T, tuple(own), declined.get(quality, 0))
        for quality, own in columns.items()
    }
    return {"ratings": ratings, "notes": tuple(notes)}


def _annotators_first(given: Sequence[Mapping[str, Any]]) -> bool:
    """Whether ratings are objects of annotators that hold objects of qualities.

    Names such as "worker_3" tell; so does it if all texts have the same qualities, but nobody rated half of them.
    """
    if not given or not all(isinstance(value, Mapping) for each in given for value in each.values()):
        return False
    outer = Counter(name for each in given for name in each)
    inner = {frozenset(value) for each in given for value in each.values()}
    if all(map(_WORKER.fullmatch, outer)):
        return not all(map(_WORKER.fullmatch, frozenset().union(*inner)))
    return len(inner) == 1 and max(outer.values()) < len(given) / 2


def _turned(given: Mapping[str, Mapping[str, Any]] | None) -> dict[str, dict[str, Any]]:
    """The ratings by quality, then by annotator."""
    by_quality: dict[str, dict[str, Any]] = {}
    for annotator, ratings in (given or {}).items():
        for quality, rating in ratings.items():
            by_quality.setdefault(quality, {})[annotator] = rating
    return by_quality


def _by_annotator(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    return {str(place): each for place, each in enumerate(value if isinstance(value, list) else [value], 1)}


def _number(rating: Any) -> float | None:
    """The number of a rating; NaN for one that is missing, None for text and the like."""
    if rating is None or (isinstance(rating, str) and rating.strip().lower().startswith(_DECLINED)):
        return math.nan
    return finite(rating)

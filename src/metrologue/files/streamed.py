"""Logs that may be larger than memory: some thousand documents at a time, while all files have the same ones."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from metrologue.files.joined import Read, checked, names_of, part_of, warn_of_kinds
from metrologue.files.lines import Column, Part
from metrologue.files.recognized import format_of
from metrologue.files.rows import Format, Rows, check_once


def stream_logs(
    systems: Sequence[Column], references: Sequence[Column], others: Sequence[Column]
) -> Iterator[Part] | None:
    """The segments of logs, part by part; None if some file is no log that can be read so.

    The files are read in step while their documents are the same. From the first part on that has other ids, the rest
    of all files is read whole and joined by ids, as ``read_joined`` does.
    """
    columns = [*systems, *references, *others]
    forms = [None if each.plain or str(each.path) == "-" else format_of(each.path) for each in columns]
    readable = [form for form in forms if form and form.is_log and form.parts]
    if len(readable) < len(columns):
        return None
    return _streamed(columns, names_of(systems, references, others), readable, len(systems), len(references))


class _Log:
    """A log that is read part by part: once, even if it is given for predictions and for references."""

    def __init__(self, column: Column, name: str, form: Format) -> None:
        self.form, self._arguments = form, (column.path, column.key, name)
        self._parts = self._stream()
        self._hashes = array("q")  # of all ids: eight bytes for each document
        self.rows = next(self._parts)

    def _stream(self) -> Iterator[Rows]:
        return self.form.parts(*self._arguments) if self.form.parts else iter(())

    @property
    def path(self) -> str:
        return str(self._arguments[0])

    def go_on(self) -> None:
        """Read the next part; it has no rows at the end of the file."""
        self._hashes.extend(map(hash, self.rows.ids or ()))
        self.rows = next(self._parts, _without_rows(self.rows))

    def read_rest(self) -> None:
        """Read all parts that are left."""
        self.rows = Rows.of_parts([self.rows, *self._parts])
        self._hashes.extend(map(hash, self.rows.ids or ()))

    def check_ids(self) -> None:
        """Raise an InputError if an id stands twice."""
        if len(np.unique(np.frombuffer(self._hashes, np.int64))) < len(self._hashes):
            check_once([each for part in self._stream() for each in part.ids or ()], self._arguments[0])


def _without_rows(rows: Rows) -> Rows:
    columns = ("texts", "predictions", "references", "sources", "ids")
    empty: dict[str, Any] = {each: [] for each in columns if getattr(rows, each) is not None}
    return replace(rows, scores={}, **empty)


def _streamed(
    columns: Sequence[Column], names: Sequence[str], forms: Sequence[Format], systems: int, references: int
) -> Iterator[Part]:
    keys = [(str(each.path), each.key, name if each.key else "") for each, name in zip(columns, names, strict=True)]
    given = {key: place for place, key in enumerate(keys)}
    logs = {key: _Log(columns[place], names[place], forms[place]) for key, place in given.items()}
    before = 0
    while True:
        first, *others = logs.values()
        if alike := all(each.rows.ids == first.rows.ids for each in others):
            if before and not first.rows.ids:
                break
        else:
            for each in logs.values():
                each.read_rest()
        files = [
            checked(Read(column, name, logs[key].rows, False), form)
            for key, column, name, form in zip(keys, columns, names, forms, strict=True)
        ]
        part = part_of(files, systems, references, before)
        if part.ids or not before:
            yield part
        if not alike:
            break
        before += len(part.ids or ())
        for each in logs.values():
            each.go_on()
    warn_of_kinds({each.path: each.rows.kind for each in logs.values()})
    for each in logs.values():
        each.check_ids()

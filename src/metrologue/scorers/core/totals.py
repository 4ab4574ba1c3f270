"""Totals: the statistics of counted segments, which can be merged, saved and scored later."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.data.exact_sums import exact_sums
from metrologue.errors import InputError, shown

if TYPE_CHECKING:
    from pathlib import Path

    from metrologue.scorers.core.tables import State

Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Totals:
    """An aggregate that can be merged with others of the same scorer, saved and loaded.

    Parts that are merged in any order give the same totals, to the last bit. Sums are exact for this.

    Attributes
    ----------
    signature : str
    columns : tuple of str
        The name of each value. Columns are matched by name, not by position.
    values : float64 (k,) or (segments, k)
        Sums; or all rows, if the score cannot be computed from sums (a bootstrap, for example).
    segments : int
        How many segments were counted.
    tables : mapping of str to Table or Tokens
        What cannot be added up as numbers: how often each n-gram was seen, or all tokens. Most metrics have none.
    ranges : tuple of (int, int)
        For totals that depend on the order of segments: the index of the first segment of each stretch that was
        counted, and the index after its last one. They ascend, and they neither touch nor overlap. A part without
        segments has one empty stretch, where it stands. Otherwise empty.
    rests : float64 (m, k)
        What has to be added to sums in `values`, which are the nearest numbers, to be exact.
    place : str
        Where the totals come from, for messages.

    Raises
    ------
    InputError
        If a column has no unique name, a value is not a finite number, or values and `segments` disagree.
    """

    signature: str
    columns: tuple[str, ...]
    values: Floats
    segments: int
    tables: Mapping[str, State] = field(default_factory=dict)
    ranges: Ranges = ()
    rests: Floats = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
    place: str = field(default="totals", repr=False)

    def __post_init__(self) -> None:
        self._require(isinstance(self.signature, str), "`signature` is not a str")
        self._require(
            isinstance(self.segments, Integral) and not isinstance(self.segments, bool) and self.segments >= 0,
            f"`segments` is {shown(self.segments)}; an int of 0 or more is expected",
        )
        self._require(all(isinstance(name, str) for name in self.columns), "the name of a column is not a str")
        self._require(0 < len(self.columns) == len(set(self.columns)), "each column must occur exactly once")
        values = np.asarray(self.values)
        self._require(values.dtype.kind in "fiu", "`values` are not numbers")
        self._require(values.ndim in (1, 2) and values.shape[-1] == len(self.columns), "each column needs a value")
        rows = values.astype(float).reshape(-1, len(self.columns))
        rests = np.asarray(self.rests, float).reshape(-1, len(self.columns))
        self._require(values.ndim == 1 or not len(rests), "rows have no rests")
        for name, column, rest in zip(self.columns, rows.T, rests.T, strict=True):
            finite = bool(np.isfinite(column).all() and np.isfinite(rest).all())
            self._require(finite, f"the column {name!r} holds a number that is not finite")
            self._require(
                name != "segments" or column.sum() == self.segments,
                f"the column 'segments' adds up to {column.sum():g}, but `segments` is {self.segments}",
            )
        self._require(
            values.ndim == 1 or len(values) == self.segments,
            f"there are {len(values)} rows, but `segments` is {self.segments}",
        )
        limits = [-1, *(limit for limits in self.ranges for limit in limits)]
        ascend = all(low < high for low, high in pairwise(limits)) or (len(limits) == 3 and 0 <= limits[1] == limits[2])
        counted = sum(stop - start for start, stop in self.ranges)
        self._require(
            ascend and (not self.ranges or counted == self.segments),
            f"`ranges` is {shown(self.ranges)}; stretches of {self.segments} segments that ascend are expected",
        )
        object.__setattr__(self, "values", values.astype(float))
        object.__setattr__(self, "rests", rests)

    @classmethod
    def of_sums(
        cls,
        signature: str,
        columns: tuple[str, ...],
        rows: Floats,
        segments: int,
        tables: Mapping[str, State] | None = None,
    ) -> Totals:
        """The totals that are the exact sums of rows (n, k)."""
        sums = exact_sums(rows)
        return cls(signature, columns, sums[0], segments, tables or {}, rests=sums[1:])

    @property
    def end(self) -> int:
        """The index after the last segment, where the next batch starts: the number of segments, without ranges."""
        return self.ranges[-1][1] if self.ranges else self.segments

    def _require(self, holds: bool, otherwise: str) -> None:
        if not holds:
            raise InputError(f"{self.place}: {otherwise}.")

    def in_order(self, columns: tuple[str, ...]) -> Floats:
        """The values with these columns in this order. Raises an InputError if there are not exactly these."""
        return self.values[..., self._places(columns)]

    def _places(self, columns: tuple[str, ...]) -> list[int]:
        for name in columns:
            self._require(name in self.columns, f"the column {name!r} is missing")
        for name in self.columns:
            self._require(name in columns, f"the scorer has no column {name!r}")
        return [self.columns.index(name) for name in columns]

    @property
    def _in_rows(self) -> bool:
        """Whether there is a row, or a text, for each segment."""
        if self.values.ndim == 2 or not self.tables:
            return self.values.ndim == 2
        from metrologue.scorers.core.tables import Tokens  # most metrics have no tables

        return any(isinstance(table, Tokens) for table in self.tables.values())

    def _indices(self) -> NDArray[np.int64]:
        self._require(bool(self.ranges), "it has rows or texts, but not the indices of its segments")
        return np.concatenate([np.arange(start, stop) for start, stop in self.ranges])

    def merge(self, other: Totals) -> Totals:
        """The totals of both together.

        Raises an InputError if they come from different scorers, or do not have the same columns; if the score depends
        on the order of segments, and both have counted a segment with the same index.
        """
        if not isinstance(other, Totals):
            raise InputError(f"merge: {shown(other)} is not a Totals.")
        if self.signature != other.signature:
            raise InputError(f"merge: the totals come from different scorers: {self.signature} and {other.signature}.")
        places = other._places(self.columns)
        other._require(self.values.ndim == other.values.ndim, "one of the totals has sums, the other one has rows")
        kinds = [{name: type(table) for name, table in totals.tables.items()} for totals in (self, other)]
        other._require(kinds[0] == kinds[1], "it does not have the same tables")
        ranges, segments = _united(self.ranges, other.ranges), self.segments + other.segments
        # Rows and texts stand in the order of the segments, whichever part comes first.
        order = np.argsort(np.concatenate([self._indices(), other._indices()])) if self._in_rows else None
        values, rests = np.concatenate([np.atleast_2d(self.values), np.atleast_2d(other.values)[:, places]]), self.rests
        if self.values.ndim == 2:
            values = values[order]
        else:
            values, rests = np.split(exact_sums(np.concatenate([values, rests, other.rests[:, places]])), [1])
            values = values[0]
        tables: dict[str, State] = {}
        if self.tables:
            from metrologue.scorers.core.tables import merge_states  # most metrics have no tables

            tables = {name: merge_states(table, other.tables[name], order) for name, table in self.tables.items()}
        return replace(self, values=values, segments=segments, tables=tables, ranges=ranges, rests=rests)

    def placed(self, first: int) -> Totals:
        """The same totals, of which the first segment has the index `first`. Without ranges, nothing changes.

        It is for the rows or texts of parts that follow each other. A score that depends on the index itself has to be
        counted with ``accumulate(..., first=first)``.
        """
        shift = first - self.ranges[0][0] if self.ranges else 0
        return replace(self, ranges=tuple((start + shift, stop + shift) for start, stop in self.ranges))

    def to_bytes(self) -> bytes:
        """The totals as bytes, for engines that pass rows or tensors between processes. ``save`` makes a file.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> totals = Bleu(max_order=1).accumulate(["a b"], ["a c"])
        >>> Totals.from_bytes(totals.to_bytes()).values
        array([2., 2., 1., 2.])
        """
        import io
        import json

        arrays: dict[str, Any] = {"values": self.values, "rests": self.rests}
        tables = {}
        for name, table in self.tables.items():
            held = table._asdict()
            arrays |= {f"{name}/{key}": value for key, value in held.items() if isinstance(value, np.ndarray)}
            plain = {key: value for key, value in held.items() if not isinstance(value, np.ndarray)}
            tables[name] = {"kind": type(table).__name__, "fields": [*held], "plain": plain}
        ranges = [[int(limit) for limit in limits] for limits in self.ranges]
        about = {"signature": self.signature, "columns": self.columns, "segments": int(self.segments), "ranges": ranges}
        buffer = io.BytesIO()
        digits = json.dumps(about | {"tables": tables}).encode()
        np.savez(buffer, about=np.frombuffer(digits, np.uint8), **arrays)  # each member of a zip file has a checksum
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Totals:
        """The totals of ``to_bytes``. Raises an InputError if the bytes are damaged, or hold something else."""
        import json

        from metrologue.files.wholeness import UNREADABLE, zipped_arrays

        try:
            arrays = zipped_arrays(data)
            about = json.loads(arrays["about"].tobytes())
            tables = {name: _unpacked(name, table, arrays) for name, table in about["tables"].items()}
            ranges = tuple((start, stop) for start, stop in about["ranges"])
            known = about["signature"], tuple(about["columns"]), arrays["values"], about["segments"]
            rests = arrays["rests"]
        except UNREADABLE as error:
            raise InputError(
                f"Totals.from_bytes: the bytes are damaged, or hold no totals ({shown(error)})."
            ) from error
        return cls(*known, tables, ranges, rests)

    def save(self, path: str | Path) -> None:
        """Write the totals as JSON, with a digest. An existing file is replaced only after everything is written."""
        import json

        from metrologue.files.wholeness import with_digest
        from metrologue.writing import write_whole

        write_whole(path, (json.dumps(with_digest(self.in_json())) + "\n").encode())

    def in_json(self) -> dict[str, Any]:
        """What ``save`` writes."""
        columns = dict(zip(self.columns, self.values.T.tolist(), strict=True))
        data: dict[str, Any] = {"signature": self.signature, "segments": int(self.segments), "totals": columns}
        if self.ranges:
            data["ranges"] = self.ranges
        if len(self.rests):
            data["rests"] = dict(zip(self.columns, self.rests.T.tolist(), strict=True))
        if self.tables:
            data["tables"] = {name: table.to_json() for name, table in self.tables.items()}
        return data

    @classmethod
    def load(cls, path: str | Path) -> Totals:
        """Read what ``save`` wrote. A file without a digest, as an earlier version wrote it, is read as it stands.

        Raises an InputError if the file cannot be read, is damaged or holds something else; the message names it, and
        the column at fault.
        """
        import json

        from metrologue.files.regular import read_text
        from metrologue.files.wholeness import check_digest

        try:
            data = json.loads(read_text(path, "Totals.load"), object_pairs_hook=_each_once)
            totals = cls.of_json(data, str(path))  # first, because its messages name the fault
            check_digest(data)
            return totals
        except (OSError, ValueError, OverflowError, RecursionError) as error:
            raise InputError(f"Totals.load: {path} holds no saved totals ({error}).") from error

    @classmethod
    def of_json(cls, data: Any, place: str) -> Totals:
        """The totals of ``in_json``. Raises a ValueError or an OverflowError if it is something else."""
        from metrologue.scorers.core.tables import state_from_json

        wanted = {"signature", "segments", "totals"}
        if not isinstance(data, dict) or not wanted <= data.keys() or not isinstance(data["totals"], dict):
            raise ValueError("an object with `signature`, `segments` and `totals` is expected")
        columns = data["totals"]
        values = [_column(name, column) for name, column in columns.items()]
        for name, column in zip(columns, values, strict=True):
            if column.shape != values[0].shape:
                raise ValueError(f"the column {name!r} does not have as many rows as the first column")
        rests = [_column(name, data.get("rests", {}).get(name, [])) for name in columns]
        tables = data.get("tables", {})
        if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
            raise ValueError("`tables` is not an object of objects")
        kept = {name: state_from_json(table) for name, table in tables.items()}
        rows, ranges = np.array(values, float).T, _loaded_ranges(data.get("ranges", []))
        left = np.array(rests, float).T
        return cls(data["signature"], tuple(columns), rows, data["segments"], kept, ranges, left, place)


def checked_totals(owner: str, totals: Any) -> Totals:
    """The argument `totals`. Raises an InputError if it is anything else than a Totals."""
    if not isinstance(totals, Totals):
        raise InputError(f"{owner}: `totals` is {shown(totals)}; a Totals is expected.")
    return totals


def _united(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> Ranges:
    """The stretches of both. Those that touch become one. Of empty ones, the last is kept if there are no others.

    Examples
    --------
    >>> _united([(0, 2)], [(5, 6), (2, 3)]), _united([(1, 1)], [(0, 2)]), _united([(1, 1)], [(0, 0)])
    (((0, 3), (5, 6)), ((0, 2),), ((1, 1),))
    """
    found: list[tuple[int, int]] = []
    stretches = sorted([*one, *other])
    for start, stop in [each for each in stretches if each[0] < each[1]] or stretches[-1:]:
        if found and start < found[-1][1]:
            raise InputError(
                f"merge: both totals have counted segment {start}, counted from 0, and the score depends on that "
                "index; give each part its own place: accumulate(..., first=1000), if 1000 segments come before it."
            )
        joins = bool(found) and start == found[-1][1]
        found[-1:] = [(found[-1][0], stop)] if joins else [*found[-1:], (start, stop)]
    return tuple(found)


def _loaded_ranges(ranges: Any) -> Ranges:
    pairs = ranges if isinstance(ranges, list) else [ranges]
    if not all(isinstance(pair, list) and [*map(type, pair)] == [int, int] for pair in pairs):
        raise ValueError(f"`ranges` is {shown(ranges)}; a list of pairs of ints is expected")
    return tuple((start, stop) for start, stop in pairs)


def _unpacked(name: str, about: Any, arrays: Any) -> State:
    from metrologue.scorers.core.tables import KINDS

    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in about["plain"].items()}
    held = {key: plain[key] if key in plain else arrays[f"{name}/{key}"] for key in about["fields"]}
    return KINDS[about["kind"]](**held)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object with each key once. `json` alone would keep only the last value of a repeated key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} occurs twice")
    return found


def _column(name: str, column: Any) -> Floats:
    for value in column if isinstance(column, list) else [column]:
        if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
            raise ValueError(f"the column {name!r} holds {shown(value)}; a finite number is expected")
    return np.array(column, float)

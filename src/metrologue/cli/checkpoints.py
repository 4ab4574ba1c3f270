"""``--checkpoint``: what was counted is kept in a file, and a command that was ended goes on from there.

The file holds the totals of each system, how many segments they are of, and a digest of the texts of these segments. A
command that goes on reads the files from their beginning, without counting, and compares the digests at that place. So
the files may be packed, tables or pipes, a copy counts as the same file, a file that has been edited does not, and one
that has grown goes on where it ended. The date of a file would say none of this.

The totals of segments that are counted together or apart are equal to the last bit, so the score is too.

The file is written beside and renamed: it is complete, whenever the process ends. There is no lock. Of two processes
with one checkpoint, the one that sees the other's file goes on without. It stays when all is counted.
"""

from __future__ import annotations

import errno
import json
import time
import warnings
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metrologue.cli.faults import shown_path, told
from metrologue.cli.streams import Chunk, Parts, require_lines
from metrologue.errors import InputError, number_of
from metrologue.files.wholeness import digest_of_content
from metrologue.writing import finishing, remove_unfinished, write_whole

if TYPE_CHECKING:
    from metrologue.scorers import Scorer, Totals

_MARK = b"metrologue checkpoint "
_FIRST_LINE = len(_MARK) + 64  # bytes: the mark and a digest of the other lines
# Seconds from one writing to the next, and how many times as long as the last writing took: totals can be long.
_INTERVAL, _SHARE = 10.0, 20
# The errors of a disk that is full: there may be room later, and the count needs none.
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Checkpoint:
    """A count of segments that is kept in a file.

    Parameters
    ----------
    path : Path
        The file. If it is there, the count goes on from it.
    scorers : sequence of Scorer
    predictions, references, others : sequence of str
        The files that are counted.

    Attributes
    ----------
    segments : int
        How many segments the file has, or will have: those that were counted so far.
    totals : list of lists of Totals
        For each system, those of each scorer; None before the first segment.

    Raises
    ------
    InputError
        If the file holds no checkpoint, a damaged one, or one of other metrics.
    OSError
        If it cannot be read.
    """

    def __init__(
        self,
        path: Path,
        scorers: Sequence[Scorer],
        predictions: Sequence[str],
        references: Sequence[str],
        others: Sequence[str] = (),
    ) -> None:
        self._path, self._shown = path, shown_path(str(path))
        self._columns = [shown_path(name) for name in predictions]
        if references:
            self._columns.append(", ".join(map(shown_path, references)))
        self._columns += map(shown_path, others)
        self._systems = len(predictions)
        self.segments, self._digests = 0, [""] * len(self._columns)
        self.totals: list[list[Totals | None]] = [[None] * len(scorers) for _ in predictions]
        self._seen = b""  # the first line of the file as this process has read or written it
        self._written, self._due, self._abandoned, self._failed = 0, 0.0, False, False
        if path.exists():
            self._load(scorers)
        remove_unfinished(path)

    def _load(self, scorers: Sequence[Scorer]) -> None:
        from metrologue.scorers import Totals

        first, rest = b"", b""
        if self._path.is_file():
            with self._path.open("rb") as file:
                if (first := file.readline(_FIRST_LINE + 1).removesuffix(b"\n")).startswith(_MARK):
                    rest = file.read()
        if first != _first_line(rest):
            what = "a damaged checkpoint; remove it" if first.startswith(_MARK) else "no checkpoint; give another file"
            raise InputError(f"{self._shown}: the file holds {what}.")
        data = json.loads(rest)
        wanted, kept = [scorer.signature for scorer in scorers], data["signatures"]
        if sorted(wanted) != sorted(kept):
            raise self._of_others(_difference(kept, wanted))
        systems, columns = len(data["totals"]), len(data["columns"])
        if (systems, columns) != (self._systems, len(self._columns)):
            sizes = [_described(systems, columns), _described(self._systems, len(self._columns))]
            raise self._of_others(", but the command has ".join(sizes))
        self._seen, self.segments = first, data["segments"]
        self._written, self._digests = self.segments, [column["sha256"] for column in data["columns"]]
        order = [kept.index(signature) for signature in wanted]
        self.totals = [[Totals.of_json(row[i], self._shown) for i in order] for row in data["totals"]]

    def _of_others(self, what: str) -> InputError:
        return InputError(f"{self._shown}: the checkpoint is of {what}; remove it, or give another one.")

    def rest(self, parts: Parts) -> Generator[Chunk, None, None]:
        """The segments that are not counted yet.

        Raises an InputError if those before them are not the segments that were counted.
        """
        from metrologue.cli.digests import TextDigest
        from metrologue.data.strings import arrow

        digests = [TextDigest() for _ in self._columns]
        counted, start = self.segments, 0
        for whole in parts:
            begun, stop = start, start + len(whole.systems[0])
            for cut in sorted({min(max(counted, begun), stop), stop} - {begun}):
                part = slice(start - begun, cut - begun)
                systems, others = ([arrow(each)[part] for each in side] for side in (whole.systems, whole.others))
                references = None if whole.references is None else arrow(whole.references)[part]
                columns = [*systems, *([] if references is None else [references]), *others]
                for digest, texts in zip(digests, columns, strict=True):
                    digest.update(texts)
                hexdigests = [digest.hexdigest() for digest in digests]
                if cut == counted:
                    self._check(hexdigests)
                elif cut > counted:
                    ids = whole.ids and whole.ids[part]
                    yield Chunk(start, systems, references, others, ids, hexdigests)
                start = cut
        require_lines(start)
        if start < counted:
            raise self._of_others(
                f"other files: it has counted {number_of(counted, 'segment')}, but the files have {start}"
            )

    def _check(self, digests: Sequence[str]) -> None:
        """Raise an InputError if the digests of what was counted are not these."""
        changed = [name for name, one, other in zip(self._columns, digests, self._digests, strict=True) if one != other]
        if changed:
            raise self._of_others(
                f"other files: the first {number_of(self.segments, 'segment')} of {' and of '.join(changed)} are not "
                "those that were counted"
            )

    def keep(self, chunk: Chunk, totals: Sequence[Sequence[Totals | None]]) -> None:
        """The totals after a chunk. They are written if enough time has passed.

        Raises
        ------
        OSError
            If the file cannot be written, at the first writing. If the disk is full, or later, a warning says so.
        """
        segments = chunk.start + len(chunk.systems[0])
        self.segments, self._digests, self.totals = segments, chunk.digests, [[*row] for row in totals]
        if time.monotonic() >= self._due:
            self._write()

    def close(self) -> None:
        """Write what was counted since the last writing, also after an error or an interrupt."""
        if (self._seen or self._failed) and self.segments != self._written:
            finishing.set()
            self._write()
            finishing.clear()

    def _write(self) -> None:
        begun = time.monotonic()
        try:
            if self._abandoned or self._has_changed():
                return
            rest = json.dumps(self._in_json()).encode() + b"\n"
            write_whole(self._path, _first_line(rest) + b"\n" + rest, synced=True)
            self._seen, self._written = _first_line(rest), self.segments
        except OSError as error:
            if not (self._seen or self._failed or error.errno in _NO_ROOM):
                raise
            if not self._failed:
                what = "the checkpoint stays as it was" if self._seen else "the count goes on without a checkpoint"
                warnings.warn(f"{told(error)}; {what}.", UserWarning, stacklevel=2)
            self._failed = True
        finally:
            now = time.monotonic()
            self._due = now + max(_INTERVAL, _SHARE * (now - begun))

    def _has_changed(self) -> bool:
        """Whether another process has written the file."""
        try:
            with self._path.open("rb") as file:
                self._abandoned = file.readline(_FIRST_LINE) != self._seen
        except FileNotFoundError:
            return False
        if self._abandoned:
            what = "another process writes the checkpoint, so that this one goes on without"
            warnings.warn(f"{self._shown}: {what}.", UserWarning, stacklevel=2)
        return self._abandoned

    def _in_json(self) -> dict[str, Any]:
        rows = [[each for each in row if each] for row in self.totals]
        columns = zip(self._columns, self._digests, strict=True)
        return {
            "segments": self.segments,
            "columns": [{"name": name, "sha256": digest} for name, digest in columns],
            "signatures": [each.signature for each in rows[0]],
            "totals": [[each.in_json() for each in row] for row in rows],
        }


def _first_line(rest: bytes) -> bytes:
    return _MARK + digest_of_content(rest).encode()


def _described(systems: int, columns: int) -> str:
    return f"{number_of(systems, 'system')} and {number_of(columns - systems, 'other column')}"


def _difference(kept: Sequence[str], wanted: Sequence[str]) -> str:
    """The metrics of a checkpoint and of a command, or the fields that differ if one metric does."""
    names = [[signature.partition("|")[0] for signature in side] for side in (kept, wanted)]
    lost, new = (_without(*sides) for sides in ((kept, wanted), (wanted, kept)))
    if sorted(names[0]) != sorted(names[1]):
        lost, new = names
    elif len(lost) == len(new) == 1:
        fields = [signature.split("|") for signature in (*lost, *new)]
        lost, new = (["|".join(_without(*sides))] for sides in (fields, fields[::-1]))
        lost = [f"{fields[0][0]} with {lost[0]}"]
    return f"{' and '.join(lost)}, but the command has {' and '.join(new)}"


def _without(some: Sequence[str], others: Sequence[str]) -> list[str]:
    return [each for each in some if each not in others]

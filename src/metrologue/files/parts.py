"""The segments of several files in step: plain text and tables line by line, the field's own files by their ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from metrologue.data.arrow import pa
from metrologue.data.strings import Strings, arrow, of_numbers
from metrologue.errors import InputError, number_of, shown
from metrologue.files.joined import read_joined
from metrologue.files.lines import CHUNK_BYTES, Column, Lines, Part, Progress, all_of, chunks_of
from metrologue.files.packed import Path
from metrologue.files.streamed import stream_logs

_MOST_COUNTED = 1 << 24  # lines without a counterpart, for the message about them
_NOTHING = Strings(np.empty(0, np.uint8), np.zeros(1, np.int64))


def stream_parts(
    systems: Sequence[Column],
    references: Sequence[Column],
    others: Sequence[Column] = (),
    *,
    chunk_bytes: int = CHUNK_BYTES,
    progress: Progress | None = None,
) -> Iterator[Part]:
    """The segments of several files, read in parallel, one chunk at a time.

    Parameters
    ----------
    systems : sequence of Column
        A file for each system.
    references : sequence of Column
        One file, or several files that each have one reference per segment. A JSON Lines file of lists must be the only
        one. Empty for metrics that need no references.
    others : sequence of Column
        Files with what else the segments have.
    chunk_bytes, progress
        As in ``stream_lines``.

    Yields
    ------
    Part
        The next n segments. Their references are large_string for one file of strings, otherwise large_list of
        large_string.

    Raises
    ------
    InputError
        If the numbers of lines differ (found after the last common chunk), or as for ``stream_lines``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for name in ("hyp", "ref1", "ref2"):
    ...     _ = (folder / name).write_text(f"{name} a\\n{name} b\\n")
    >>> [part] = stream_parts([Column(folder / "hyp")], [Column(folder / "ref1"), Column(folder / "ref2")])
    >>> part.systems[0].to_pylist(), part.references.to_pylist()
    (['hyp a', 'hyp b'], [['ref1 a', 'ref2 a'], ['ref1 b', 'ref2 b']])
    """
    columns = [*systems, *references, *others]
    paths = [each.path for each in columns]
    if [str(path) for path in paths].count("-") > 1:
        raise InputError("'-' is given twice, but standard input can be read only once; put one of them into a file.")
    if logs := stream_logs(systems, references, others):
        yield from logs
        return
    if joined := read_joined(systems, references, others):
        yield joined
        return
    streams = [
        chunks_of(each.path, each.lists, each.key, each.least, each.plain, chunk_bytes, progress) for each in columns
    ]
    first, last = len(systems), len(systems) + len(references)
    for arrays in _in_step(paths, streams):
        theirs = _join(arrays[first:last], paths[first:last]) if references else None
        yield Part(arrays[:first], theirs, arrays[last:])


def read_segments(
    predictions: Sequence[Path],
    references: Sequence[Path],
    *,
    prediction_key: str | None = None,
    reference_key: str | None = None,
    groups: bool = False,
    plain: bool = False,
) -> tuple[list[pa.Array], pa.Array | None]:
    """All segments of several files, as ``stream_parts`` reads them.

    Parameters
    ----------
    predictions, references : sequence of paths
        A file for each system; one or several files of references, or none.
    prediction_key, reference_key : str, optional
        The `key` of ``stream_lines`` for each kind of file.
    groups : bool
        Whether a line of JSON in the files of predictions may be a list of strings.
    plain : bool
        Whether all files are plain text, whatever they look like.

    Returns
    -------
    tuple of (list of pyarrow.Array, pyarrow.Array)
        The segments of each system, and their references; None without references.

    Examples
    --------
    >>> import os
    >>> systems, references = read_segments([os.devnull], [os.devnull])
    >>> len(systems), len(references)
    (1, 0)
    """
    for name, given in (("predictions", predictions), ("references", references)):
        if isinstance(given, str) or (name == "predictions" and not given):
            raise InputError(f"read_segments: `{name}` is {shown(given)}; give a list of paths.")
    systems = [Column(path, prediction_key, groups, plain=plain) for path in predictions]
    part = read_parts(systems, [Column(path, reference_key, True, plain=plain) for path in references])
    return part.systems, part.references


def read_parts(systems: Sequence[Column], references: Sequence[Column], others: Sequence[Column] = ()) -> Part:
    """All segments of several files, as ``stream_parts`` reads them."""
    parts = [*stream_parts(systems, references, others)]
    return Part(
        [all_of([part.systems[i] for part in parts], each.path) for i, each in enumerate(systems)],
        all_of([part.references for part in parts], *(each.path for each in references)) if references else None,
        [all_of([part.others[i] for part in parts], each.path) for i, each in enumerate(others)],
        _ids_of(parts),
        parts[0].groups if len(parts) == 1 else dict,
    )


def _ids_of(parts: Sequence[Part]) -> list[str] | None:
    """The ids of all parts; None if the files have none."""
    named = [part.ids for part in parts if part.ids is not None]
    return [each for ids in named for each in ids] if named and len(named) == len(parts) else None


def _in_step(paths: Sequence[Path], streams: Sequence[Iterator[Lines]]) -> Iterator[list[Lines]]:
    """Cut the chunks of several streams to common lengths. A slice shares the memory of its chunk."""
    read = 0
    waiting: list[Lines] = [_NOTHING] * len(streams)
    while True:
        waiting = [chunk or next(stream, _NOTHING) for chunk, stream in zip(waiting, streams, strict=True)]
        step = min(map(len, waiting))
        if not step:
            break
        yield [_cut(chunk, 0, step) for chunk in waiting]
        waiting = [_cut(chunk, step, len(chunk)) for chunk in waiting]
        read += step
    rests = [_count(chunk, stream) for chunk, stream in zip(waiting, streams, strict=True)]
    counts = [f"{'more than ' * (n > _MOST_COUNTED)}{read + min(n, _MOST_COUNTED)}" for n in rests]
    for path, count in zip(paths, counts, strict=True):
        if count != counts[0]:
            raise InputError(
                f"{paths[0]} has {number_of(counts[0], 'line')} but {path} has {count}; each line needs its "
                "counterpart."
            )


def _cut(chunk: Lines, start: int, stop: int) -> Lines:
    return chunk.cut(start, stop) if isinstance(chunk, Strings) else chunk[start:stop]


def _count(chunk: Lines, stream: Iterator[Lines]) -> int:
    """How many lines are left, or a number above `_MOST_COUNTED`."""
    count = len(chunk)
    while count <= _MOST_COUNTED and (more := len(next(stream, _NOTHING))):
        count += more
    return min(count, _MOST_COUNTED + 1)


def _join(references: Sequence[Lines], paths: Sequence[Path]) -> Lines:
    """The references of each segment, from the lines of one or more files."""
    if len(references) == 1:
        return references[0]
    arrays = [arrow(each) for each in references]
    for array, path in zip(arrays, paths, strict=True):
        if pa.types.is_large_list(array.type):
            raise InputError(f"{path}: a file of lists holds all references of a segment; give no other file with it.")
    files, segments = len(arrays), len(arrays[0])
    order = of_numbers(np.arange(files * segments).reshape(files, segments).T.ravel())
    offsets = of_numbers(np.arange(0, files * segments + 1, files))
    return pa.LargeListArray.from_arrays(offsets, pa.concat_arrays(arrays).take(order))

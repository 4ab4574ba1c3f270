"""Segments from files: text, gzip, standard input, JSON Lines and tables, whole or as a stream of Arrow arrays.

A text file holds one segment a line. Lines end at ``"\\n"`` and nowhere else (``str.splitlines`` would cut at U+2028,
U+0085 or ``"\\x1c"`` too, and shift every later segment); one ``"\\r"`` before it belongs to the line end. A segment
that has a newline of its own comes as JSON Lines: a JSON string a line or, for references, a list of strings; or an
object with the text under a key. A key names a column of a ``.tsv`` or a ``.parquet`` file, too.

Files are UTF-8. U+FEFF at the very start is a byte order mark and no part of the text: it is dropped, with a warning.
(In a Python string it stays, as it does for other libraries.) UTF-16 and UTF-32 are refused. Their byte order mark
tells them, or else their NULs: read as UTF-8, more than a third of such a file are control characters (below U+0020),
since every letter of an alphabet has one. A NUL in a file with fewer of them is a character like any other.

No Python object is made for a line of text: a block of bytes becomes an Arrow array through the positions of its
newlines, so that a stream needs the memory of a block, however long the file is.
"""

from __future__ import annotations

import codecs
import gzip
import os
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from io import BufferedReader

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.errors import InputError
from metrologue.records import kind_of, parser, stream_parquet

__all__ = ["read_lines", "read_segments", "stream_lines", "stream_segments"]

CHUNK_BYTES = 1 << 24
# The longest line. A file without line ends (a binary file, a disk) would otherwise be read to its end in one piece.
LINE_BYTES = 1 << 30
_WIDE_MARKS = {  # That of UTF-16 is the beginning of one of UTF-32, so it comes later.
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_GZIP_MAGIC = b"\x1f\x8b"
_NOTHING = pa.LargeStringArray.from_buffers(0, pa.py_buffer(bytes(8)), pa.py_buffer(b""))

Path = str | os.PathLike[str]
Progress = Callable[[int], object]
Bytes = BufferedReader | gzip.GzipFile


def stream_lines(
    path: Path,
    *,
    lists: bool = False,
    key: str | None = None,
    chunk_bytes: int = CHUNK_BYTES,
    progress: Progress | None = None,
) -> Iterator[pa.Array]:
    """Lines of one file, a chunk at a time.

    Parameters
    ----------
    path : str or path
        A text file, gzipped or not (told by the suffix ``.gz`` or by the first two bytes); JSON Lines where the name
        ends in ``.jsonl`` or ``.jsonl.gz``, and so for ``.tsv``; a ``.parquet`` file; ``"-"`` for standard input.
    lists : bool
        Whether a line of JSON may be a list of strings; then every line of the file must be one.
    key : str, optional
        The key of JSON objects, or the column of a table, that holds the text. The first line of a ``.tsv`` file names
        its columns then.
    chunk_bytes : int
        Bytes of text in a chunk, rounded up to whole lines. A line has at most ``LINE_BYTES`` (1 GiB).
    progress : callable, optional
        Called with the number of bytes (after unpacking) of each chunk as it is read.

    Yields
    ------
    pyarrow.LargeStringArray or pyarrow.LargeListArray of large_string
        Never empty; the chunks of one file all have one type.

    Raises
    ------
    InputError
        If a line is not UTF-8 or not such JSON, is longer than ``LINE_BYTES`` or does not fit into memory, or the file
        is UTF-16, UTF-32 or no sound gzip; with file and, where one line is at fault, the line, counted from 1.
    OSError
        If the file cannot be read.

    Warns
    -----
    UserWarning
        If the file starts with a byte order mark, which is dropped.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "hyp.txt"
    >>> _ = path.write_bytes(b"a cat\\r\\na dog\\n")
    >>> [chunk.to_pylist() for chunk in stream_lines(path, chunk_bytes=1)]
    [['a cat'], ['a dog']]
    """
    if kind_of(path) == "parquet":
        yield from stream_parquet(path, lists, key, progress)
        return
    parse = parser(path, lists, key)
    first_line = 1
    try:
        with _open(path) as stream:
            while block := _read_block(stream, chunk_bytes, path):
                lines = _split(_unmarked(block, path) if first_line == 1 else block, path, first_line)
                texts = parse(lines, path, first_line) if parse and len(lines) else lines
                if len(texts):
                    yield texts
                first_line += len(lines)
                if progress:
                    progress(len(block))
    except MemoryError as error:
        raise InputError(
            f"{path}:{first_line}: no memory for a chunk of {chunk_bytes:,} bytes and the rest of a line "
            f"(at most {LINE_BYTES:,}); are there line ends?"
        ) from error


def stream_segments(
    predictions: Sequence[Path],
    references: Sequence[Path],
    *,
    prediction_key: str | None = None,
    reference_key: str | None = None,
    chunk_bytes: int = CHUNK_BYTES,
    progress: Progress | None = None,
) -> Iterator[tuple[list[pa.Array], pa.Array | None]]:
    """The segments of several files, read side by side.

    Parameters
    ----------
    predictions : sequence of paths
        One file a system.
    references : sequence of paths
        One file, or several that give each segment one reference each. A JSON Lines file of lists comes alone. Empty
        for metrics that need no references.
    prediction_key, reference_key : str, optional
        The `key` of ``stream_lines`` for each kind of file.
    chunk_bytes, progress
        As in ``stream_lines``.

    Yields
    ------
    tuple of (list of pyarrow.LargeStringArray, pyarrow.Array)
        The next n segments of each system, and their references: large_string where there is one file of strings,
        otherwise large_list of large_string; None without references.

    Raises
    ------
    InputError
        If the files have unequal numbers of lines (after the last common chunk), or as ``stream_lines`` does.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for name in ("hyp", "ref1", "ref2"):
    ...     _ = (folder / name).write_text(f"{name} a\\n{name} b\\n")
    >>> [([hypotheses], references)] = stream_segments([folder / "hyp"], [folder / "ref1", folder / "ref2"])
    >>> hypotheses.to_pylist()
    ['hyp a', 'hyp b']
    >>> references.to_pylist()
    [['ref1 a', 'ref2 a'], ['ref1 b', 'ref2 b']]
    """
    for name, given in (("predictions", predictions), ("references", references)):
        if isinstance(given, str) or (name == "predictions" and not given):
            raise InputError(f"stream_segments: `{name}` is {given!r}; give a list of paths.")
    paths = [*predictions, *references]
    if [str(path) for path in paths].count("-") > 1:
        raise InputError("'-' is given twice, but standard input can be read only once; put one of them into a file.")
    kinds = [(False, prediction_key)] * len(predictions) + [(True, reference_key)] * len(references)
    streams = [
        stream_lines(path, lists=lists, key=key, chunk_bytes=chunk_bytes, progress=progress)
        for path, (lists, key) in zip(paths, kinds, strict=True)
    ]
    for arrays in _in_step(paths, streams):
        yield arrays[: len(predictions)], _join(arrays[len(predictions) :], references) if references else None


def read_lines(path: Path, *, lists: bool = False) -> pa.Array:
    """All lines of one file, as ``stream_lines`` reads them.

    Examples
    --------
    >>> import os
    >>> len(read_lines(os.devnull))
    0
    """
    return _concat(list(stream_lines(path, lists=lists)), path)


def read_segments(
    predictions: Sequence[Path],
    references: Sequence[Path],
    *,
    prediction_key: str | None = None,
    reference_key: str | None = None,
) -> tuple[list[pa.Array], pa.Array | None]:
    """All segments of several files, as ``stream_segments`` reads them.

    Returns
    -------
    tuple of (list of pyarrow.LargeStringArray, pyarrow.Array)
        The segments of each system, and their references, or None without any.

    Examples
    --------
    >>> import os
    >>> systems, references = read_segments([os.devnull], [os.devnull])
    >>> len(systems), len(references)
    (1, 0)
    """
    streams = stream_segments(predictions, references, prediction_key=prediction_key, reference_key=reference_key)
    chunks = list(streams)
    systems = [_concat([systems[i] for systems, _ in chunks], path) for i, path in enumerate(predictions)]
    return systems, _concat([texts for _, texts in chunks], *references) if references else None


@contextmanager
def _open(path: Path) -> Iterator[Bytes]:
    """The bytes of a file, unpacked; standard input is left open."""
    standard_input = str(path) == "-"
    with open(sys.stdin.fileno() if standard_input else path, "rb", closefd=not standard_input) as file:
        packed = str(path).endswith(".gz") or file.peek(2)[:2] == _GZIP_MAGIC
        with gzip.open(file) if packed else nullcontext(file) as stream:
            yield stream


def _read_block(stream: Bytes, chunk_bytes: int, path: Path) -> bytes:
    """The next block of whole lines, empty at the end of the file."""
    try:
        return stream.read(chunk_bytes) + stream.readline(LINE_BYTES + len(b"\r\n"))
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: not a sound gzip file ({error}); pack it again.") from error


def _unmarked(block: bytes, path: Path) -> bytes:
    """The start of a file without a byte order mark; UTF-16 and UTF-32 are refused."""
    if wide := _wide_encoding(block):
        raise InputError(
            f"{path}: {wide.upper()} text, but UTF-8 is expected; convert the file: `iconv -f {wide} -t utf-8`."
        )
    if block.startswith(codecs.BOM_UTF8):
        warnings.warn(f"{path}: starts with a byte order mark (U+FEFF), which is dropped.", UserWarning, stacklevel=3)
    return block.removeprefix(codecs.BOM_UTF8)


def _wide_encoding(block: bytes) -> str | None:
    """The encoding of a file whose characters have two or four bytes at least, by its start."""
    for mark, name in _WIDE_MARKS.items():
        if block.startswith(mark):
            return name
    head = np.frombuffer(block[: 1 << 16], np.uint8)
    nulls = head == 0
    if not nulls.any() or 3 * np.count_nonzero(head < ord(" ")) <= len(head):
        return None
    # One byte of two is the high one in UTF-16, and two of four are NULs for almost all of UTF-32.
    width = 32 if 2 * np.count_nonzero(nulls) > len(head) else 16
    big_end_first = np.count_nonzero(nulls[::2]) > np.count_nonzero(nulls[1::2])
    return f"utf-{width}{'be' if big_end_first else 'le'}"


def _split(block: bytes, path: Path, first_line: int) -> pa.Array:
    """The lines of a block as a large_string array."""
    text = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    carriage = (ends > 0) & (text[ends - 1] == ord("\r"))
    squeezed = (block.replace(b"\r\n", b"") if carriage.any() else block).replace(b"\n", b"")
    # A line ends in the squeezed text where it ended, less the line ends before it and each "\r" up to its own.
    offsets = np.zeros(len(ends) + 1 + (block[-1:] not in (b"", b"\n")), np.int64)
    offsets[1 : len(ends) + 1] = ends - np.arange(len(ends)) - np.cumsum(carriage)
    offsets[-1] = len(squeezed)
    if (long := np.diff(offsets) > LINE_BYTES).any():
        raise InputError(
            f"{path}:{first_line + int(long.argmax())}: a line of more than {LINE_BYTES:,} bytes; are there line ends?"
        )
    lines = pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(squeezed))
    try:
        lines.validate(full=True)
    except pa.ArrowInvalid:
        _report_bad_byte(block, path, first_line)
        raise
    return lines


def _report_bad_byte(block: bytes, path: Path, first_line: int) -> None:
    for number, line in enumerate(block.split(b"\n"), first_line):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}:{number}: byte {error.start + 1} of the line (0x{line[error.start]:02x}) is not UTF-8; "
                "convert the file, for example with `iconv -t utf-8`."
            ) from None


def _in_step(paths: Sequence[Path], streams: Sequence[Iterator[pa.Array]]) -> Iterator[list[pa.Array]]:
    """Cut the chunks of several streams to common lengths; a slice shares the memory of its chunk."""
    read = 0
    waiting = [_NOTHING] * len(streams)
    while True:
        waiting = [chunk or next(stream, _NOTHING) for chunk, stream in zip(waiting, streams, strict=True)]
        step = min(map(len, waiting))
        if not step:
            break
        yield [chunk.slice(0, step) for chunk in waiting]
        waiting = [chunk.slice(step) for chunk in waiting]
        read += step
    counts = [read + len(chunk) + sum(map(len, stream)) for chunk, stream in zip(waiting, streams, strict=True)]
    for path, count in zip(paths, counts, strict=True):
        if count != counts[0]:
            raise InputError(
                f"{paths[0]} has {counts[0]} lines but {path} has {count}; each line needs its counterpart."
            )


def _join(references: Sequence[pa.Array], paths: Sequence[Path]) -> pa.Array:
    """The references of each segment, from one array or from one array for each file."""
    if len(references) == 1:
        return references[0]
    for array, path in zip(references, paths, strict=True):
        if pa.types.is_large_list(array.type):
            raise InputError(f"{path}: a file of lists holds all references of a segment; give it alone.")
    files, segments = len(references), len(references[0])
    order = _int64(np.arange(files * segments).reshape(files, segments).T.ravel())
    offsets = _int64(np.arange(0, files * segments + 1, files))
    return pa.LargeListArray.from_arrays(offsets, pa.concat_arrays(references).take(order))


def _int64(values: NDArray[np.int64]) -> pa.Int64Array:
    """``pa.array(values)``, which would import pandas first."""
    return pa.Int64Array.from_buffers(pa.int64(), len(values), [None, pa.py_buffer(values)])


def _concat(chunks: list[pa.Array], *paths: Path) -> pa.Array:
    try:
        return pa.concat_arrays(chunks) if chunks else _NOTHING
    except MemoryError as error:
        names = ", ".join(map(str, paths))
        raise InputError(f"{names}: no memory for all lines at once; read them as a stream.") from error

"""Segments from files: text, packed or not, JSON Lines, tables, standard input; whole or as a stream of Arrow arrays.

A text file holds one segment per line. Lines end only at ``"\\n"``; one ``"\\r"`` before it belongs to the line end.
(``str.splitlines`` would also cut at U+2028, U+0085 or ``"\\x1c"``, and shift every later segment.) A segment that
contains a newline must come as JSON Lines. Each line is then a JSON string, an object with the text under a key, or,
for references, a list of strings. A key also names a column of a table: ``.tsv``, ``.parquet`` or Arrow (``.arrow``,
``.arrows``, ``.feather``, ``.ipc``). A table of one column needs none.

Files are UTF-8. U+FEFF at the very start is a byte order mark and not part of the text. It is dropped, with a warning.
(In a Python string it stays, as it does for other libraries.) UTF-16 and UTF-32 are refused. They are recognized by
their byte order mark, or by their NULs: read as UTF-8, more than a third of such a file are control characters (below
U+0020), because every letter of an alphabet has one. A NUL in a file with fewer of them is a normal character.

No Python object is made for a line of text. A block of bytes becomes an Arrow array by the positions of its newlines,
so a stream needs only the memory of one block, however long the file is.
"""

from __future__ import annotations

import codecs
import warnings
from collections.abc import Callable, Iterator, Sequence
from io import BufferedIOBase
from typing import NamedTuple, TypeAlias

import numpy as np

from metrologue.data.arrow import pa
from metrologue.data.strings import Strings, arrow
from metrologue.errors import InputError
from metrologue.files.packed import Path, unpacked
from metrologue.files.records import TABLES, kind_of, parser
from metrologue.kernels.utf8 import line_count, split_lines

# Memory for larger chunks goes back to the system and is zeroed for each chunk: a fifth of the time of BLEU.
CHUNK_BYTES = 1 << 22
# Lines of a chunk have so many bytes at least, on average. A packed file of a few kilobytes can have 10^8 empty lines.
_BYTES_OF_A_LINE = 16
# The longest line. Otherwise a file without line ends (a binary file, a disk) would be read to its end in one piece.
LINE_BYTES = 1 << 28
_WIDE_MARKS = {  # The mark of UTF-16 is also the beginning of a UTF-32 mark, so it comes later.
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_NOTHING = Strings(np.empty(0, np.uint8), np.zeros(1, np.int64))

Progress = Callable[[int], object]
Lines: TypeAlias = "Strings | pa.Array"  # plain text needs no Arrow, which is slow to import


class Column(NamedTuple):
    """A file with a text, or several texts, for each segment.

    Attributes
    ----------
    path : str or path
    key, lists, least, plain
        As in ``stream_lines``.
    name : str
        The input that it is for.
    """

    path: Path
    key: str | None = None
    lists: bool = False
    least: int = 1
    plain: bool = False
    name: str = "predictions"


class Part(NamedTuple):
    """The next n segments of several files.

    Attributes
    ----------
    systems : list of Strings or pyarrow.Array
        The texts of each system; Strings if they are the lines of the file.
    references : Strings, pyarrow.Array or None
    others : list of Strings or pyarrow.Array
        What else the segments have, such as the turns before each text.
    ids : list of str, optional
        The id of each segment, if the files have ids.
    groups : callable
        Gives the "speaker" and the "file" of each segment, if the files say so.
    """

    systems: list[Lines]
    references: Lines | None
    others: list[Lines]
    ids: list[str] | None = None
    groups: Callable[[], dict[str, list[str]]] = dict


def stream_lines(
    path: Path,
    *,
    lists: bool = False,
    key: str | None = None,
    least: int = 1,
    plain: bool = False,
    chunk_bytes: int = CHUNK_BYTES,
    progress: Progress | None = None,
) -> Iterator[pa.Array]:
    """Lines of one file, one chunk at a time.

    Parameters
    ----------
    path : str or path
        A text file, perhaps packed by gzip, xz or zstd (recognized by the suffix ``.gz``, ``.xz`` or ``.zst``, or by
        the first bytes); JSON Lines if the name ends in ``.jsonl``, and a table if it ends in ``.tsv``, perhaps with
        the suffix of a packed file; a Parquet or Arrow file by its suffix; ``"-"`` for standard input.
    lists : bool
        Whether a line of JSON may be a list of strings. If one line is a list, every line must be a list.
    key : str, optional
        The key of JSON objects, or the column of a table, that holds the text. With a key, the first line of a ``.tsv``
        file names its columns. Without one, the file must have one column, and every line is a text.
    least : int
        How many texts a list has at least: 0 or 1.
    plain : bool
        Whether to give the lines as they are, whatever the name of the file says of them.
    chunk_bytes : int
        Bytes of text in a chunk, rounded up to whole lines. Chunks of short lines are smaller: 16 bytes a line. A line
        has at most ``LINE_BYTES`` (256 MiB).
    progress : callable, optional
        Called with the number of bytes (after unpacking) of each chunk when it is read.

    Yields
    ------
    pyarrow.LargeStringArray or pyarrow.LargeListArray of large_string
        Never empty; the chunks of one file all have one type.

    Raises
    ------
    InputError
        If a line is not UTF-8, not such JSON, longer than ``LINE_BYTES`` or too long for memory; if the file is UTF-16,
        UTF-32, or a packed file is damaged. The message names the file and, if one line is wrong, its number, counted
        from 1.
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
    for lines in chunks_of(path, lists, key, least, plain, chunk_bytes, progress):
        yield arrow(lines)


def chunks_of(
    path: Path, lists: bool, key: str | None, least: int, plain: bool, chunk_bytes: int, progress: Progress | None
) -> Iterator[Lines]:
    """As ``stream_lines``; plain text needs no Arrow."""
    if kind_of(path) in TABLES and not plain:
        from metrologue.files.tables import stream_column  # slow to import, and not needed for plain text

        yield from stream_column(path, lists, key, progress, least)
        return
    parse = None if plain else parser(path, lists, key, least)
    first_line = 1
    try:
        with unpacked(path) as stream:
            while block := _read_block(stream, chunk_bytes, path, first_line):
                for part in _parts(_unmarked(block, path) if first_line == 1 else block, chunk_bytes):
                    lines = _split(part, path, first_line, _most_lines(chunk_bytes))
                    texts = parse(arrow(lines), path, first_line) if parse and len(lines) else lines
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


def read_lines(path: Path, *, lists: bool = False) -> pa.Array:
    """All lines of one file, as ``stream_lines`` reads them.

    Examples
    --------
    >>> import os
    >>> len(read_lines(os.devnull))
    0
    """
    return all_of(list(stream_lines(path, lists=lists)), path)


def _read_block(stream: BufferedIOBase, chunk_bytes: int, path: Path, first_line: int) -> bytes:
    """The next block of whole lines, empty at the end of the file. A line that is too long is not copied."""
    block, rest = stream.read(chunk_bytes), stream.readline(LINE_BYTES + len(b"\r\n"))
    if len(rest) == LINE_BYTES + len(b"\r\n") and not rest.endswith(b"\n"):
        raise _too_long(path, first_line + block.count(b"\n"))
    return block + rest


def _too_long(path: Path, line: int) -> InputError:
    return InputError(f"{path}:{line}: a line of more than {LINE_BYTES:,} bytes; are there line ends?")


def _most_lines(chunk_bytes: int) -> int:
    return max(1, chunk_bytes // _BYTES_OF_A_LINE)


def _parts(block: bytes, chunk_bytes: int) -> Iterator[bytes]:
    """The whole block; if its lines are very short, parts of whole lines, which have fewer lines."""
    most = _most_lines(chunk_bytes)
    size = most if line_count(block) > most else len(block)
    start = 0
    while start < len(block):
        stop = block.find(b"\n", start + size - 1) + 1 or len(block)
        yield block[start:stop]
        start = stop


def _unmarked(block: bytes, path: Path) -> bytes:
    """The first block of a file, without a byte order mark. UTF-16 and UTF-32 are refused."""
    if wide := _wide_encoding(block):
        raise InputError(
            f"{path}: {wide.upper()} text, but UTF-8 is expected; convert the file: `iconv -f {wide} -t utf-8`."
        )
    if block.startswith(codecs.BOM_UTF8):
        warnings.warn(f"{path}: starts with a byte order mark (U+FEFF), which is dropped.", UserWarning, stacklevel=3)
    return block.removeprefix(codecs.BOM_UTF8)


def _wide_encoding(block: bytes) -> str | None:
    """The name of the encoding, if the start of a file looks like UTF-16 or UTF-32."""
    for mark, name in _WIDE_MARKS.items():
        if block.startswith(mark):
            return name
    head = np.frombuffer(block[: 1 << 16], np.uint8)
    nulls = head == 0
    if not nulls.any() or 3 * np.count_nonzero(head < ord(" ")) <= len(head):
        return None
    # In UTF-16 at most one byte of two is a NUL. In UTF-32 at least two of four are NULs, for almost all characters.
    width = 32 if 2 * np.count_nonzero(nulls) > len(head) else 16
    big_end_first = np.count_nonzero(nulls[::2]) > np.count_nonzero(nulls[1::2])
    return f"utf-{width}{'be' if big_end_first else 'le'}"


def _split(block: bytes, path: Path, first_line: int, most: int) -> Strings:
    """The lines of a block with at most so many line ends."""
    text, offsets = split_lines(block, most)
    if (long := np.diff(offsets) > LINE_BYTES).any():
        raise _too_long(path, first_line + int(long.argmax()))
    try:
        block.decode()
    except UnicodeDecodeError:
        _report_bad_byte(block, path, first_line)
        raise
    return Strings(text, offsets)


def _report_bad_byte(block: bytes, path: Path, first_line: int) -> None:
    for number, line in enumerate(block.split(b"\n"), first_line):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}:{number}: byte {error.start + 1} of the line (0x{line[error.start]:02x}) is not UTF-8; "
                "convert the file, for example with `iconv -t utf-8`."
            ) from None


def all_of(chunks: Sequence[Lines], *paths: Path) -> pa.Array:
    """All chunks of one column as one; `paths` are for the message if the memory does not suffice."""
    try:
        return pa.concat_arrays([arrow(each) for each in chunks or [_NOTHING]])
    except MemoryError as error:
        names = ", ".join(map(str, paths))
        raise InputError(f"{names}: no memory for all lines at once; read them as a stream.") from error

"""The bytes of a file, unpacked if it is packed by gzip, xz or zstd."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from metrologue.data.arrow import pa
from metrologue.errors import InputError

Path = str | os.PathLike[str]


class _Packing(NamedTuple):
    """How a packed file begins, and how it is opened."""

    name: str
    mark: bytes
    open: Callable[[Any], io.BufferedIOBase]


def _open_zstd(file: Any) -> io.BufferedIOBase:
    return io.BufferedReader(pa.CompressedInputStream(file, "zstd"))


_PACKINGS = {
    ".gz": _Packing("gzip", b"\x1f\x8b", gzip.open),
    ".xz": _Packing("xz", b"\xfd7zXZ\x00", lzma.open),
    ".zst": _Packing("zstd", b"\x28\xb5\x2f\xfd", _open_zstd),
}
# The suffixes of packed files.
PACKED = tuple(_PACKINGS)
# What is raised where a packed file is damaged. An error of zstd is an OSError without a number.
_DAMAGED = (OSError, lzma.LZMAError, EOFError, zlib.error)


def without_packing(name: str) -> str:
    """The name of a file without the suffix of its packing.

    Examples
    --------
    >>> without_packing("hyp.jsonl.zst"), without_packing("hyp.txt")
    ('hyp.jsonl', 'hyp.txt')
    """
    return next((name.removesuffix(suffix) for suffix in PACKED if name.endswith(suffix)), name)


def is_packed(path: Path) -> bool:
    """Whether a file is packed, by its suffix or its first bytes. Raises an OSError if it cannot be read."""
    with open(path, "rb") as file:
        return _packing(str(path), file.read(6)) is not None


def _packing(name: str, start: bytes) -> _Packing | None:
    found = (each for suffix, each in _PACKINGS.items() if name.endswith(suffix) or start.startswith(each.mark))
    return next(found, None)


@contextmanager
def unpacked(path: Path) -> Iterator[io.BufferedIOBase]:
    """The bytes of a file, or of standard input for ``"-"``, which is not closed.

    A packed file is recognized by its suffix or by its first bytes.

    Raises
    ------
    InputError
        If a packed file is damaged or cut off, also while it is read.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "hyp"
    >>> _ = path.write_bytes(gzip.compress(b"a cat"))
    >>> with unpacked(path) as stream:
    ...     stream.read()
    b'a cat'
    """
    standard_input = str(path) == "-"
    with open(sys.stdin.fileno() if standard_input else path, "rb", closefd=not standard_input) as file:
        if (packing := _packing(str(path), file.peek(6))) is None:
            yield file
            return
        try:
            with packing.open(file) as stream:
                yield stream
        except _DAMAGED as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise InputError(f"{path}: not a valid {packing.name} file ({error}); pack it again.") from error

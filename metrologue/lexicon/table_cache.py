"""Tables as Arrow files in the cache. They are converted once, then mapped into memory."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.cache import kept, told_if_long
from metrologue.data.text import of_numbers, of_strings
from metrologue.lexicon.locate import File

__all__ = ["Table", "built", "digest", "digest_of", "stored", "write_built"]

_FORMAT = "2"  # the version of the format of tables: after a change, all tables are converted again
_SOURCES = b"sources"
_SHOWN = 12  # number of hexadecimal digits of a digest in names


class Table:
    """Named arrays of numbers or text. Their lengths may differ.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table.of({"words": ["a", "b", "c"], "numbers": np.arange(2)})
    >>> table.text("words")[1].as_py(), table["numbers"]
    ('b', array([0, 1]))
    """

    def __init__(self, row: pa.RecordBatch) -> None:
        self.row = row

    @classmethod
    def of(cls, arrays: Mapping[str, Any]) -> Table:
        """A table of lists of str, Arrow arrays and NumPy arrays."""
        # The table is one row, in which each array is a list, because Arrow needs columns of equal length.
        columns = [_column(values) for values in arrays.values()]
        row = [pa.LargeListArray.from_arrays(of_numbers(np.array([0, len(column)])), column) for column in columns]
        return cls(pa.record_batch(row, list(arrays)))

    def text(self, name: str) -> pa.LargeStringArray:
        """The array of text with this name."""
        return self.row.column(name).values

    def __getitem__(self, name: str) -> NDArray[Any]:
        numbers: NDArray[Any] = np.from_dlpack(self.row.column(name).values)  # `to_numpy` would import pandas
        return numbers


def _column(values: Any) -> pa.Array:
    if isinstance(values, pa.Array):
        return values
    return of_strings(values) if isinstance(values, list) else of_numbers(values)


def digest_of(parts: Sequence[bytes]) -> str:
    """The digest of these contents, in the length that names have."""
    return _joined([hashlib.sha256(part).digest() for part in parts])


def digest(files: Sequence[File]) -> str:
    """The digest of the contents of these files. It is cached by their paths, sizes and times."""
    seen = [(str(file), (status := _on_disk(file).stat()).st_size, status.st_mtime_ns) for file in files]
    name = f"tables/{hashlib.sha256(repr(seen).encode()).hexdigest()[:32]}.digest"
    return bytes(kept(name, lambda: _joined([_streamed(file) for file in files]).encode())).decode()


def _joined(digests: Sequence[bytes]) -> str:
    return hashlib.sha256(b"".join(digests)).hexdigest()[:_SHOWN]


def _streamed(file: File) -> bytes:
    """The SHA-256 digest of a file, which is read block by block."""
    state = hashlib.sha256()
    with file.open("rb") as content:
        while block := content.read(1 << 20):
            state.update(block)
    return state.digest()


def stored(kind: str, files: Sequence[File], make: Callable[[], Mapping[str, Any]]) -> Table:
    """The table that `make` gives for these files, from the cache if it is there."""
    return _stored(kind, digest(files), f"converting {_on_disk(files[0])}", make)


def _stored(kind: str, sources: str, work: str, make: Callable[[], Mapping[str, Any]]) -> Table:
    def converted() -> memoryview:
        with told_if_long(work):
            table = Table.of(make())
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, table.row.schema) as writer:
            writer.write_batch(table.row)
        return memoryview(sink.getvalue())

    content = kept(f"tables/{kind}-{sources}-{_FORMAT}.arrow", converted)
    return Table(pa.ipc.open_file(pa.py_buffer(content)).get_batch(0))


def built(path: Path, files: Sequence[Path], make: Callable[[], Mapping[str, Any]]) -> Table:
    """The table that `make` gives for files of this package. It was written to `path` when the package was built.

    If the files have changed since then, it comes from the cache.
    """
    sources = digest_of([file.read_bytes() for file in files])
    if path.exists():
        with pa.memory_map(str(path)) as file:
            row = pa.ipc.open_file(file).get_batch(0)
        if row.schema.metadata == {_SOURCES: sources.encode()}:
            return Table(row)
    return _stored(path.stem, sources, f"making the table {path.stem}", make)


def write_built(path: Path, files: Sequence[Path], make: Callable[[], Mapping[str, Any]]) -> None:
    """Write the file that ``built`` reads."""
    row = Table.of(make()).row
    row = row.replace_schema_metadata({_SOURCES: digest_of([file.read_bytes() for file in files]).encode()})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, row.schema) as writer:
        writer.write_batch(row)


def _on_disk(file: File) -> Path:
    return Path(str(file.root.filename)) if isinstance(file, zipfile.Path) else file

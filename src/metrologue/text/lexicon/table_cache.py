"""Tables as Arrow files in the cache. They are converted once, then mapped into memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.cache import kept, told_if_long
from metrologue.data.arrow import pa
from metrologue.data.strings import Strings, of_numbers, of_strings
from metrologue.data.vocabulary import Vocabulary
from metrologue.errors import InputError
from metrologue.text.lexicon.file_digest import digest, digest_of, on_disk
from metrologue.text.lexicon.locate import File

_FORMAT = "3"  # the version of the format of tables: after a change, all tables are converted again
_SOURCES = b"sources"


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
        # Arrow takes longer to give a column than the lookup of a few words.
        self._numbers: dict[str, NDArray[Any]] = {}
        self._vocabularies: dict[str, Vocabulary] = {}

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

    def vocabulary(self, name: str) -> Vocabulary:
        """The same text as a vocabulary."""
        if name not in self._vocabularies:
            self._vocabularies[name] = Vocabulary.of(Strings.of_arrow(self.text(name)))
        return self._vocabularies[name]

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._numbers:
            self._numbers[name] = np.from_dlpack(self.row.column(name).values)  # `to_numpy` would import pandas
        return self._numbers[name]


def _column(values: Any) -> pa.Array:
    if isinstance(values, pa.Array):
        return values
    return of_strings(values) if isinstance(values, list) else of_numbers(values)


def stored(kind: str, files: Sequence[File], make: Callable[[], Mapping[str, Any]], content: str) -> Table:
    """The table that `make` gives for these files, whose digest is `content`. It is in the cache, or is put there.

    Raises an InputError if the files have another content by now.
    """

    def made() -> Mapping[str, Any]:
        arrays = make()
        if digest(files) != content:
            raise InputError(f"{on_disk(files[0])} has changed since {content} was its digest; name it again.")
        return arrays

    return _stored(kind, content, f"converting {on_disk(files[0])}", made)


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

"""Tables as Arrow files in the cache. They are converted once, then mapped into memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.cache import kept, told_if_long
from metrologue.data.text import of_numbers, of_strings
from metrologue.errors import InputError
from metrologue.lexicon.file_digest import digest, on_disk
from metrologue.lexicon.locate import File

__all__ = ["Table", "stored"]

_FORMAT = "3"  # the version of the format of tables: after a change, all tables are converted again


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


def stored(kind: str, files: Sequence[File], make: Callable[[], Mapping[str, Any]], content: str) -> Table:
    """The table that `make` gives for these files, whose digest is `content`. It is in the cache, or is put there.

    Raises
    ------
    InputError
        If the files have another content by now.
    """

    def converted() -> memoryview:
        with told_if_long(f"converting {on_disk(files[0])}"):
            table = Table.of(make())
        if digest(files) != content:
            raise InputError(f"{on_disk(files[0])} has changed since {content} was its digest; name it again.")
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, table.row.schema) as writer:
            writer.write_batch(table.row)
        return memoryview(sink.getvalue())

    found = kept(f"tables/{kind}-{content}-{_FORMAT}.arrow", converted)
    return Table(pa.ipc.open_file(pa.py_buffer(found)).get_batch(0))

"""Texts from one column of a Parquet or Arrow file. An Arrow file has either of the two layouts, "file" or "stream"."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import ipc, parquet

from metrologue.errors import InputError
from metrologue.files.packed import PACKED, Path
from metrologue.files.records import kind_of, require_once, there_are
from metrologue.files.regular import check_regular

_ROWS = 1 << 14
_TEXT = pa.large_string()
_LISTS = pa.large_list(_TEXT)
_ARROW_FILE = b"ARROW1\0\0"
_END = b"\xff\xff\xff\xff\x00\x00\x00\x00"


def stream_column(
    path: Path, lists: bool, key: str | None, progress: Callable[[int], object] | None, least: int = 1
) -> Iterator[pa.Array]:
    """The texts of one column of a table, about sixteen thousand rows at a time.

    Parameters
    ----------
    path, lists, key, progress, least
        As for ``metrologue.files.lines.stream_lines``.

    Raises
    ------
    InputError
        If the file is damaged or cut off, is not of the kind that its name says, or has no such column; if it has
        several columns and no key is given; if the column does not hold text, or a row has none. Rows are counted from
        0.
    """
    kind = "a Parquet" if kind_of(path) == "parquet" else "an Arrow"
    if str(path).endswith(PACKED):
        raise InputError(f"{path}: {kind} file packs its columns itself; unpack the file.")
    check_regular(path, "stream_lines")
    first_row = 0
    try:
        for name, column in (_parquet if kind_of(path) == "parquet" else _arrow)(path, key):
            texts = _as_text(column, lists, least, f"{path}, column {name!r}", first_row)
            if progress:
                progress(texts.nbytes)
            first_row += len(texts)
            if len(texts):
                yield texts
    except MemoryError as error:  # a damaged length can ask for any amount
        raise InputError(f"{path}: no memory for a batch of rows; is the file damaged?") from error
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the file cannot be read at all
        told = " ".join(str(error).split())  # Arrow's message may have several lines
        raise InputError(f"{path}: not a valid {kind.split()[1]} file ({told}).") from None


def _parquet(path: Path, key: str | None) -> Iterator[tuple[str, pa.Array]]:
    """The name of the column, with each part of it."""
    with parquet.ParquetFile(path, page_checksum_verification=True) as file:
        name = _chosen(file.schema_arrow.names, key, path)
        read = 0
        for batch in file.iter_batches(batch_size=_ROWS, columns=[name]):
            yield name, batch.column(0)
            read += len(batch)
        if read != file.metadata.num_rows:
            raise pa.ArrowInvalid(f"{read} rows, but {file.metadata.num_rows} are announced")


def _arrow(path: Path, key: str | None) -> Iterator[tuple[str, pa.Array]]:
    """As ``_parquet``. Of each batch, only this column is read.

    The layout "file" is a stream between a mark and an index. It is read as a stream too: a damaged index would lose
    batches unseen.
    """
    with open(path, "rb") as file:
        begin = len(_ARROW_FILE) if file.read(len(_ARROW_FILE)) == _ARROW_FILE else 0
        names = _stream_at(file, begin).schema.names
        name = _chosen(names, key, path)
        for batch in _stream_at(file, begin, options=ipc.IpcReadOptions(included_fields=[names.index(name)])):
            for start in range(0, batch.num_rows, _ROWS):
                yield name, batch.column(0).slice(start, _ROWS)
        file.seek(-len(_END), os.SEEK_CUR)
        if file.read(len(_END)) != _END:
            raise pa.ArrowInvalid("the mark of its end is missing: it may be cut off")


def _stream_at(file: Any, begin: int, **options: Any) -> Any:
    file.seek(begin)
    return ipc.open_stream(file, **options)


def _chosen(names: list[str], key: str | None, path: Path) -> str:
    """The name of the column that a key chooses: without a key, the only one."""
    if key is None and len(names) != 1:
        raise InputError(f"{path}: no key is given; {there_are(names)}")
    name = names[0] if key is None else key
    require_once(str(path), name, names)
    return name


def _as_text(column: pa.Array, lists: bool, least: int, where: str, first_row: int) -> pa.Array:
    """A column of strings, or of lists of strings, without missing values."""
    nested = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    if not _is_text(column.type.value_type if nested else column.type) or (nested and not lists):
        wanted = "strings or lists of strings" if lists else "strings"
        raise InputError(f"{where}: the type is {column.type}; a column of {wanted} is expected.")
    # A reader does not look at what it has read, and neither does a cast.
    column.validate(full=True)
    texts = column.cast(_LISTS if nested else _TEXT)
    missing = pc.is_null(texts).to_numpy(zero_copy_only=False)
    if nested:
        missing = missing | ~(pc.list_value_length(texts).to_numpy(zero_copy_only=False) >= least)
        if texts.flatten().null_count:
            told = f"a list from row {first_row}, counted from 0, on holds a null; each reference needs its text."
            raise InputError(f"{where}: {told}")
    if missing.any():
        raise InputError(f"{where}: row {first_row + int(missing.argmax())}, counted from 0, has no text.")
    return texts


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))

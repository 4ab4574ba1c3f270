"""Texts as bytes: the buffers of Arrow arrays, and replacements in them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.kernels.utf8 import erased, rows_with

__all__ = ["ascii_lower", "buffers", "lower", "of_buffers", "replaced", "without_characters"]


def buffers(texts: pa.LargeStringArray) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes and the offsets (n + 1,) of an Arrow array, without a copy."""
    _, offsets, data = texts.buffers()
    first, count = texts.offset, len(texts)
    limits = np.frombuffer(offsets, np.int64)[first : first + count + 1] if offsets else np.zeros(1, np.int64)
    return np.frombuffer(data or b"", np.uint8), limits


def of_buffers(buffer: NDArray[np.uint8], offsets: NDArray[np.int64]) -> pa.LargeStringArray:
    """The Arrow array with these bytes and offsets (n + 1,)."""
    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(buffer))


def replaced(
    buffer: NDArray[np.uint8], offsets: NDArray[np.int64], rows: NDArray[np.int64], replace: Callable[[str], str]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes and offsets of the texts after `replace` has changed the texts of `rows`, which must ascend."""
    parts: list[bytes | memoryview] = []
    lengths = np.diff(offsets)
    copied = offsets[0]
    for row in rows:
        start, stop = offsets[row : row + 2]
        text = replace(buffer[start:stop].tobytes().decode()).encode()
        parts += [buffer[copied:start].data, text]
        lengths[row] = len(text)
        copied = stop
    parts.append(buffer[copied : offsets[-1]].data)
    return np.frombuffer(b"".join(parts), np.uint8), np.concatenate([[0], np.cumsum(lengths)])


def ascii_lower(buffer: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The bytes with A to Z in lower case."""
    return np.frombuffer(buffer.tobytes().lower(), np.uint8)


def lower(texts: pa.LargeStringArray) -> pa.LargeStringArray:
    """``str.lower()`` of each text. Arrow's own function does not handle the final sigma and the dotted I."""
    buffer, offsets = buffers(texts)
    rows = np.flatnonzero(rows_with(buffer, offsets, beyond_ascii=True))
    buffer, offsets = replaced(buffer, offsets, rows, str.lower)
    return of_buffers(ascii_lower(buffer), offsets)


def without_characters(texts: pa.LargeStringArray, characters: str) -> pa.LargeStringArray:
    """Each text without these characters, which must be ASCII."""
    return of_buffers(*erased(*buffers(texts), characters))

"""Arrays in the format of safetensors: a header in JSON, then the numbers. Nothing in such a file can run."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from metrologue.errors import InputError
from metrologue.files.wholeness import digest_of_content

__all__ = ["tensors_from", "tensors_to"]

_TYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "U8": "|u1"}
_NAMES = {np.dtype(code): name for name, code in _TYPES.items()}
_LENGTH = struct.Struct("<Q")
_DIGEST = "content_sha256"


def tensors_to(
    arrays: Mapping[str, np.ndarray], about: Mapping[str, str] | None = None, *, sealed: bool = False
) -> bytes:
    """The content of a file with these arrays, in the order of their names, and some texts about them.

    Parameters
    ----------
    arrays : mapping of str to array
    about : mapping of str to str, optional
    sealed : bool
        Whether the file has a digest of its content, so that a damaged one is refused. The weights of a model have
        none, because the model's name has it.

    Examples
    --------
    >>> content = tensors_to({"weights": np.array([[1.0, 2.0]])}, {"made": "here"}, sealed=True)
    >>> tensors_from(content)
    ({'weights': array([[1., 2.]])}, {'made': 'here'})
    """
    if sealed:
        about = {**(about or {}), _DIGEST: digest_of_content(tensors_to(arrays, about))}
    header: dict[str, Any] = {"__metadata__": dict(about)} if about else {}
    parts, end = [], 0
    for name, array in sorted(arrays.items()):
        content = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
        kind = _NAMES[array.dtype.newbyteorder("<")]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [end, end + len(content)]}
        parts.append(content)
        end += len(content)
    told = json.dumps(header, separators=(",", ":")).encode()
    told += b" " * (-len(told) % 8)  # the numbers begin at a multiple of 8
    return b"".join([_LENGTH.pack(len(told)), told, *parts])


def tensors_from(content: bytes, where: str = "the file") -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays of a file, and the texts about them.

    Raises
    ------
    InputError
        If the content is damaged, or no such file. The message names it.
    """
    try:
        [length] = _LENGTH.unpack_from(content)
        header = json.loads(content[_LENGTH.size : _LENGTH.size + length])
        about = header.pop("__metadata__", {})
        numbers = memoryview(content)[_LENGTH.size + length :]
        arrays = {name: _array(numbers, **one) for name, one in header.items()}
        said = about.pop(_DIGEST, None)
        if said is not None and said != digest_of_content(tensors_to(arrays, about)):
            raise ValueError("the content is not that of its digest: it is damaged")
        return arrays, about
    except (struct.error, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{where} holds no arrays in the format of safetensors ({error}).") from None


def _array(numbers: memoryview, dtype: str, shape: list[int], data_offsets: list[int]) -> np.ndarray:
    start, stop = data_offsets
    kind = np.dtype(_TYPES[dtype])
    if not 0 <= start <= stop <= len(numbers) or stop - start != kind.itemsize * math.prod(shape):
        raise ValueError("an array is cut off")
    return np.frombuffer(numbers[start:stop], kind).reshape(shape).copy()

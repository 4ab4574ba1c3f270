"""Arrays in the format of safetensors: a header in JSON, then the numbers. Nothing in such a file can run."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from metrologue.errors import InputError, shown
from metrologue.files.forms import TEXT, list_of, mapping_of, one_of, record, whole
from metrologue.files.regular import parsed_json
from metrologue.files.wholeness import digest_of_content

_TYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "U8": "|u1"}
_NAMES = {np.dtype(code): name for name, code in _TYPES.items()}
_LENGTH = struct.Struct("<Q")
_DIGEST = "content_sha256"
_PLACE = whole(0, 1 << 62)
_HEADER = record(
    {},
    {"__metadata__": mapping_of(TEXT)},
    others=record(
        {"dtype": one_of(_TYPES), "shape": list_of(_PLACE, most=32), "data_offsets": list_of(_PLACE, least=2, most=2)}
    ),
)


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

    Raises an InputError if the content is damaged, or no such file. The message names it.
    """
    try:
        [length] = _LENGTH.unpack_from(content)
        header = parsed_json(content[_LENGTH.size : _LENGTH.size + length], "its header")
        _HEADER(header, "its header")
        about = dict(header.pop("__metadata__", {}))
        numbers = memoryview(content)[_LENGTH.size + length :]
        _check_ranges(header, len(numbers))
        arrays = {name: _array(numbers, **one) for name, one in header.items()}
        said = about.pop(_DIGEST, None)
        if said is not None and said != digest_of_content(tensors_to(arrays, about)):
            raise ValueError("the content is not that of its digest: it is damaged")
        return arrays, about
    except (struct.error, ValueError, MemoryError) as error:
        told = str(error) or "the memory does not suffice"
        raise InputError(f"{where} holds no arrays in the format of safetensors ({told.rstrip('.')}).") from None


def _check_ranges(header: Mapping[str, Any], size: int) -> None:
    """Raise a ValueError unless the arrays lie one after another, from the first byte to the last.

    Nothing is read before: many small entries could name one range, and be copies of it in memory.
    """
    end = 0
    for name, one in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        start, stop = one["data_offsets"]
        if start != end or stop - start != np.dtype(_TYPES[one["dtype"]]).itemsize * math.prod(one["shape"]):
            raise ValueError(f"the array {shown(name)} is cut off, or shares bytes with another one")
        end = stop
    if end != size:
        raise ValueError(f"the arrays have {end} bytes, and the file has {size}")


def _array(numbers: memoryview, dtype: str, shape: list[int], data_offsets: list[int]) -> np.ndarray:
    start, stop = data_offsets
    return np.frombuffer(numbers[start:stop], np.dtype(_TYPES[dtype])).reshape(shape).copy()

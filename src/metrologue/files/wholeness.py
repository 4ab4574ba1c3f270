"""What was saved is read back as it was, or refused: by a digest in a saved object, by the checksums of a zip file.

A saved object has the digest of all else in it under the key ``digest``. One without the key was saved by an earlier
version, or by hand, and is read as it stands. The digest is of the content, not of the bytes: another program may write
the object in another order or with other spaces.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np

_KEY = "digest"
# What ``zipped_arrays`` raises; zipfile raises a RuntimeError if bytes seem to be encrypted.
UNREADABLE = (
    OSError, EOFError, KeyError, TypeError, ValueError, ArithmeticError, MemoryError, BadZipFile, NotImplementedError,
    RuntimeError,
)  # fmt: skip


def digest_of_content(content: bytes) -> str:
    """The SHA-256 digest of bytes, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def with_digest(data: Mapping[str, Any]) -> dict[str, Any]:
    """An object of JSON with its digest. All keys in it are str.

    Examples
    --------
    >>> saved = with_digest({"a": 1})
    >>> saved["digest"][:12]
    '015abd7f5cc5'
    >>> check_digest(saved), check_digest({"a": 1})
    (None, None)
    >>> check_digest({**saved, "a": 2})
    Traceback (most recent call last):
        ...
    ValueError: it is damaged or edited, as its digest is of another content; to read it as it is, remove `digest`
    """
    return {**data, _KEY: _digest(data)}


def check_digest(data: Any) -> None:
    """Raise a ValueError if an object has a digest, and it is another one's."""
    if isinstance(data, dict) and _KEY in data and data[_KEY] != _digest(data):
        raise ValueError(
            "it is damaged or edited, as its digest is of another content; to read it as it is, remove `digest`"
        )


def zipped_arrays(data: Any) -> dict[str, np.ndarray]:
    """The arrays of a file that ``numpy.savez`` writes, each read to its end, where its checksum is compared.

    ``numpy.load`` reads as many bytes as an array says that it has, so that one that says less passes unseen, and
    makes room for as many before it reads one. Arrays that are packed, share bytes of the file or say more than they
    have are refused before.

    Raises
    ------
    one of UNREADABLE
        If it is damaged, or no such file.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> np.savez(file, a=np.arange(3))
    >>> zipped_arrays(file.getvalue())
    {'a': array([0, 1, 2])}
    """
    with ZipFile(io.BytesIO(data)) as file:
        parts = _stored(file, len(data))
        return {each.filename.removesuffix(".npy"): _array(file.read(each)) for each in parts}


def check_zip(file: BinaryIO) -> None:
    """Raise one of UNREADABLE if a zip file of arrays is damaged: each part is read, and its checksum is compared.

    A part that is packed or shares its bytes with another is refused before. What stands around a part is compared
    too: its checksum after it, and the padding that torch writes before it. The message names the part.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> np.savez(file, a=np.arange(3))
    >>> check_zip(file)
    >>> check_zip(io.BytesIO(file.getvalue().replace(bytes([2]) + bytes(7), bytes(8))))
    Traceback (most recent call last):
        ...
    ValueError: it is damaged: the checksum of its part a.npy is that of another content
    """
    size = file.seek(0, io.SEEK_END)
    with ZipFile(file) as whole:
        parts = _stored(whole, size)
        if (damaged := whole.testzip()) is not None:
            raise ValueError(f"it is damaged: the checksum of its part {damaged} is that of another content")
        for part in parts:
            if not _is_framed(file, part):
                raise ValueError(f"it is damaged: the bytes around its part {part.filename} are not those of a zip")


# The header before a part: signature, version, flags, method, time, date, checksum, two sizes, two lengths.
_HEADER, _AFTER = struct.Struct("<4s5H3L2H"), b"PK\x07\x08"
_HAS_CHECKSUM_AFTER = 8  # a flag
_PADDING, _FILL = 0x4246, b"Z"  # "FB": what torch puts before a part, so that its numbers begin at a multiple of 64


def _is_framed(file: BinaryIO, part: ZipInfo) -> bool:
    """Whether the header before a part and the checksum after it say what the index of the file says."""
    file.seek(part.header_offset)
    header = _HEADER.unpack(file.read(_HEADER.size))
    file.seek(header[-2], io.SEEK_CUR)
    extra = file.read(header[-1])
    while extra:
        kind, length = struct.unpack("<2H", extra[:4]) if len(extra) >= 4 else (_PADDING, 0)
        content, extra = extra[4 : 4 + length], extra[4 + length :]
        if len(content) < length or (kind == _PADDING and content.strip(_FILL)):
            return False
    file.seek(part.file_size, io.SEEK_CUR)
    after = file.read(4 + 4 + 8 + 8) if part.flag_bits & _HAS_CHECKSUM_AFTER else b""
    told = [_AFTER + struct.pack(form, part.CRC, part.file_size, part.file_size) for form in ("<3L", "<L2Q")]
    return header[2:4] == (part.flag_bits, part.compress_type) and (not after or after.startswith(tuple(told)))


def _stored(file: ZipFile, size: int) -> list[ZipInfo]:
    """The parts of a zip file of so many bytes. Raises a ValueError if they are more bytes when they are read."""
    parts = file.infolist()
    if any(each.compress_type != ZIP_STORED for each in parts) or sum(each.file_size for each in parts) > size:
        raise ValueError("arrays that are packed, or share bytes")
    return parts


def _array(content: bytes) -> np.ndarray:
    """The array of a ``.npy`` file, whose header says as many bytes as follow."""
    stream = io.BytesIO(content)
    check_array(stream, len(content))
    found: np.ndarray = np.lib.format.read_array(stream, allow_pickle=False)
    return found


def check_array(stream: BinaryIO, size: int) -> None:
    """Raise a ValueError unless the header of a ``.npy`` file of this size says as many bytes as follow it.

    NumPy would make room for as many as it says; it refuses Python objects. The stream is at its beginning again.
    """
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    try:
        shape, _, kind = read[np.lib.format.read_magic(stream)](stream)
        said = kind.itemsize * math.prod(shape)
    except Exception as error:  # NumPy has Python's own parser read it
        raise ValueError(f"a header that is none of NumPy ({type(error).__name__})") from None
    if min(shape, default=0) < 0 or (said != size - stream.tell() and not kind.hasobject):
        raise ValueError(f"an array of the shape {shape} with {size - stream.tell()} bytes")
    stream.seek(0)


def _digest(data: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in data.items() if key != _KEY}
    return digest_of_content(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode())

"""What was saved is read back as it was, or refused: by a digest in a saved object, by the checksums of a zip file.

A saved object has the digest of all else in it under the key ``digest``. One without the key was saved by an earlier
version, or by hand, and is read as it stands. The digest is of the content, not of the bytes: another program may write
the object in another order or with other spaces.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

__all__ = ["UNREADABLE", "check_digest", "digest_of_content", "with_digest", "zipped_arrays"]

_KEY = "digest"
# What ``zipped_arrays`` raises; zipfile raises a RuntimeError if bytes seem to be encrypted.
UNREADABLE = OSError, EOFError, KeyError, TypeError, ValueError, BadZipFile, NotImplementedError, RuntimeError


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

    ``numpy.load`` reads as many bytes as an array says that it has, so that one that says less passes unseen.

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
        return {
            name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(file.read(name)), allow_pickle=False)
            for name in file.namelist()
        }


def _digest(data: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in data.items() if key != _KEY}
    return digest_of_content(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode())

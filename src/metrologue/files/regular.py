"""Files that come from strangers: what the system says of them is looked at before they are opened.

A named pipe would wait for ever, ``/dev/zero`` never ends, and a link may lead anywhere. None of them is opened.
"""

from __future__ import annotations

import io
import os
import stat
from typing import TYPE_CHECKING, Any, BinaryIO

from metrologue.errors import InputError, shown
from metrologue.files.values import json_value

if TYPE_CHECKING:
    from pathlib import Path

# Bytes: of a description, such as a configuration or a tokenizer; and of what is held in memory, such as weights.
MOST_SETTINGS, MOST_WEIGHTS = 1 << 28, 1 << 35
_DEEPEST = 64  # brackets of JSON within each other


def check_regular(path: str | os.PathLike[str], owner: str, most: int | None = None) -> int:
    """The size of a file in bytes, without opening it.

    Parameters
    ----------
    path : str or path
    owner : str
        The caller, for messages.
    most : int, optional
        The most bytes that it may have.

    Raises
    ------
    InputError
        If it is a named pipe, a device, a folder or another thing that is no regular file, or has more bytes.
    OSError
        If it is not there, or may not be looked at.

    Examples
    --------
    >>> check_regular(os.devnull, "open_model")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: open_model: /dev/null is no regular file; a named pipe or a device is not opened.
    """
    return _checked(os.stat(path), path, owner, most)


def _checked(status: os.stat_result, path: str | os.PathLike[str], owner: str, most: int | None) -> int:
    if not stat.S_ISREG(status.st_mode):
        what = "is a folder; a file is expected" if stat.S_ISDIR(status.st_mode) else (
            "is no regular file; a named pipe or a device is not opened")  # fmt: skip
        raise InputError(f"{owner}: {os.fspath(path)} {what}.")
    if most is not None and status.st_size > most:
        raise InputError(f"{owner}: {os.fspath(path)} has {status.st_size:,} bytes; at most {most:,} are expected.")
    return status.st_size


def open_regular(path: str | os.PathLike[str], owner: str, most: int | None = None) -> BinaryIO:
    """An open file. Raises as ``check_regular``."""
    check_regular(path, owner, most)
    file = open(path, "rb")  # noqa: SIM115 - the caller closes it
    try:
        _checked(os.fstat(file.fileno()), path, owner, most)  # another one may stand there by now
    except BaseException:
        file.close()
        raise
    return file


def read_regular(path: str | os.PathLike[str], owner: str, most: int = MOST_SETTINGS) -> bytes:
    """The content of a file. Raises as ``check_regular``, and if the memory does not suffice.

    Examples
    --------
    >>> read_regular(__file__, "here", most=10)
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: here: ...regular.py has ... bytes; at most 10 are expected.
    """
    with open_regular(path, owner, most) as file:
        try:
            content = file.read(os.fstat(file.fileno()).st_size)
        except MemoryError:
            raise InputError(f"{owner}: {os.fspath(path)} is too large for the memory.") from None
    _refuse_pointer(content[: len(_POINTER)], path, owner)
    return content


_POINTER = b"version https://git-lfs.github.com/"


def refuse_pointer(path: str | os.PathLike[str], owner: str) -> None:
    """Raise an InputError for the few lines that Git LFS puts in a large file's place. Other errors as ``open``."""
    with open(path, "rb") as file:
        _refuse_pointer(file.read(len(_POINTER)), path, owner)


def _refuse_pointer(start: bytes, path: str | os.PathLike[str], owner: str) -> None:
    if start == _POINTER:
        raise InputError(
            f"{owner}: {os.fspath(path)} is a pointer of Git LFS, not the file itself; `git lfs pull` fetches it."
        )


def read_text(path: str | os.PathLike[str], owner: str) -> str:
    """The text of a file in UTF-8, as ``Path.read_text`` gives it, without a byte order mark.

    Raises
    ------
    InputError, OSError
        As ``check_regular``.
    UnicodeDecodeError
        If it is no text.
    """
    with io.TextIOWrapper(open_regular(path, owner, MOST_WEIGHTS), "utf-8-sig") as file:
        return file.read()


def read_json(path: str | os.PathLike[str], owner: str) -> Any:
    """The value in a JSON file. Raises as ``read_regular``, and as ``parsed_json`` for its content."""
    return parsed_json(read_regular(path, owner), f"{owner}: {os.fspath(path)}")


def parsed_json(content: bytes, where: str) -> Any:
    """The value that JSON describes, of UTF-8, perhaps after a byte order mark. `where` is for messages.

    Raises
    ------
    InputError
        If it is no JSON, has brackets more than 64 deep, or half of a surrogate pair in a text.

    Examples
    --------
    >>> parsed_json(b'{"a": [1, 2]}', "here")
    {'a': [1, 2]}
    >>> parsed_json(b"[" * 99 + b"]" * 99, "here")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: here: the brackets are more than 64 deep.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not JSON in UTF-8 ({error}).") from None
    value = json_value(text, where)
    level, depth = [value], 0
    while level := [each for each in level if isinstance(each, (dict, list, str))]:
        depth += 1
        if depth > _DEEPEST + 1:
            raise InputError(f"{where}: the brackets are more than {_DEEPEST} deep.")
        if broken := [each for each in level if isinstance(each, str) and not _whole(each)]:
            raise InputError(f"{where}: {shown(broken[0])} has half of a surrogate pair, which is no text.")
        level = [
            part
            for each in level
            for part in ((*each, *each.values()) if isinstance(each, dict) else each if isinstance(each, list) else ())
        ]
    return value


def _whole(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def file_in(folder: Path, name: str, owner: str, most: int = MOST_SETTINGS, within: str = "") -> Path:
    """The path of a file in a folder itself, where a folder of a stranger names it.

    `within` is a folder in it that has the file. A link may lead to another file of the folder, or to the ``blobs`` of
    the Hub's cache that the folder is in.

    Raises
    ------
    InputError
        If the name is no plain name, or the file is missing, is no regular one, lies elsewhere or has too many bytes.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> file_in(Path(tempfile.gettempdir()), "../etc/passwd", "open_model")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: open_model: '../etc/passwd' is no name of a file in the folder itself.
    """
    if not name or name in (".", "..") or any(each in name for each in "/\\:\0"):
        raise InputError(f"{owner}: {shown(name)} is no name of a file in the folder itself.")
    path = folder / within / name
    try:
        root, real = folder.resolve(strict=True), path.resolve(strict=True)
        check_regular(real, owner, most)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        why = getattr(error, "strerror", None) or "it is a link in a circle"
        raise InputError(f"{owner}: {path} cannot be read: {why}.") from None
    homes = [root] + [root.parent.parent / "blobs"] * (root.parent.name == "snapshots")
    if not any(real.is_relative_to(home) for home in homes):
        raise InputError(f"{owner}: {path} is a link that leads out of the folder; it is not opened.")
    return path

"""The cache of things that are made once on a machine: compiled kernels and converted tables.

The folder is ``$METROLOGUE_CACHE``, otherwise ``metrologue`` in the user's cache folder. It may be a read-only folder
that root or this user has filled. A file is loaded only if it and its folders, from the cache folder on, belong to this
user or to root, and nobody else may write them. Each file carries a digest of its content and its name; a file that is
empty, truncated, damaged or under another name is made again. A file is written under a temporary name and then
renamed, so nobody reads half of it. If the folder is not trusted or cannot be written, things are made for this process
only. A line on standard error reports each of these cases, and work that takes long.
"""

from __future__ import annotations

import atexit
import errno
import hashlib
import mmap
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from metrologue.files.ownership import distrust, make_folders
from metrologue.files.writing import new_beside, remove_unfinished

__all__ = [
    "cache_folder",
    "identity",
    "kept",
    "kept_file",
    "replace_damaged",
    "say",
    "seal",
    "temporary_folder",
    "told_if_long",
]

T = TypeVar("T")

_MARK = b"metrologue "
_HEAD = 64  # bytes: the mark, the digest and a line end; the content after them is aligned for Arrow
_NEW = 0o644  # the rights of a new file, less those that the umask takes
_DAY = 86_400  # seconds
_UNUSED = 90 * _DAY
_TEMPORARY = "metrologue-"
_PATIENCE = 2.0  # seconds
_said: set[str] = set()
_made: dict[str, Path] = {}  # files of this process, by their names
_damaged: set[tuple[int, int]] = set()
_spent = 0.0


def cache_folder() -> Path:
    """The path of the cache folder: ``$METROLOGUE_CACHE``, otherwise in the user's cache folder. It may not exist yet.

    Raises
    ------
    RuntimeError
        If no home folder is known.
    """
    if chosen := os.environ.get("METROLOGUE_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "metrologue"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "metrologue"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "metrologue"


def kept(name: str, make: Callable[[], bytes | memoryview], *, quiet: bool = False) -> memoryview:
    """The result of `make`, from the cache if it is there. Otherwise it is made and put into the cache.

    Parameters
    ----------
    name : str
        The path of the file in the cache folder. It contains a digest of everything that the content depends on.
    make : callable
    quiet : bool
        Whether nothing is said if it cannot be kept: it is soon made again.

    Returns
    -------
    memoryview
        Mapped into memory if it comes from a file.

    Examples
    --------
    >>> bytes(kept("examples/greeting", lambda: b"hello"))
    b'hello'
    """
    path = _place(name, quiet)
    if path and (file := _opened(path)) is not None:
        with file:
            if (found := _mapped(file, name)) is not None:
                _mark_used(path)
                return found
        _say_damaged(path)
    content = make()
    if path is not None:
        try:
            _keep_file(name, path, lambda beside: beside.write_bytes(b"".join((seal(name, content), content))))
        except OSError as error:
            if not quiet:
                say(
                    f"{path.parent} cannot be written ({error.strerror}), so each process makes its files again; set "
                    "METROLOGUE_CACHE to a folder that can be written"
                )
    return memoryview(content)


def kept_file(name: str, make: Callable[[Path], object], read: Callable[[BinaryIO], T | None]) -> T:
    """What a file in the cache holds, for what is too large to be checked as a whole each time.

    Parameters
    ----------
    name : str
        As for ``kept``.
    make : callable
        Writes the file to the path that it is given, where an empty file is. If it raises, nothing is left there.
    read : callable
        What an open file holds; None if it is not what `make` writes, which its ``seal`` says.

    Returns
    -------
    object
        The result of `read`, for a file in a temporary folder of this process if the cache cannot be used.

    Examples
    --------
    >>> kept_file("examples/long", lambda path: path.write_text("hello"), lambda file: file.read())
    b'hello'
    """
    path = _place(name)
    for place in (path, _made.get(name)):
        if place and (found := _read(place, read)) is not None:
            return found
    if path is not None:
        try:
            _keep_file(name, path, make)
        except OSError as error:
            say(f"{path.parent} cannot be written ({error.strerror}), so {path.name} is made for this process only")
            path = None
    if path is None:
        path = _made[name] = temporary_folder("files") / Path(name).name
        _make_file(path, make)
    if (made := _read(path, read)) is None:
        raise OSError(f"{path} was written, but is not read back as it was; is the disk damaged?")
    return made


def seal(name: str, content: bytes | memoryview) -> bytes:
    """64 bytes that say that this is the content of the file with this name in the cache."""
    whole = hashlib.sha256(name.encode() + b"\n")
    whole.update(content)
    return _MARK + whole.hexdigest()[: _HEAD - len(_MARK) - 1].encode() + b"\n"


def identity(file: BinaryIO) -> tuple[int, int]:
    """The values that identify an open file on the machine."""
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino


def replace_damaged(file: tuple[int, int]) -> None:
    """Have ``kept_file`` make a file again that turned out damaged after it was read, given by its ``identity``."""
    _damaged.add(file)


def _place(name: str, quiet: bool = False) -> Path | None:
    """The path of a file in the cache; None if there is no cache, or its folders are not trusted."""
    try:
        folder = root = cache_folder()
    except RuntimeError:
        if not quiet:
            say("no home folder is known, so nothing is kept; set METROLOGUE_CACHE to a folder")
        return None
    for part in ("", *Path(name).parent.parts):
        folder = folder / part
        try:
            why = distrust(folder.stat())
        except OSError:  # it is not there, or cannot be read
            break
        if why:
            say(
                f"{folder} {why}, so nothing in it is used, and things are made for this process only; take the "
                "rights of others away, or set METROLOGUE_CACHE to a folder of your own"
            )
            return None
    return root / name


def _opened(path: Path) -> BinaryIO | None:
    """An open file; None if it is not there, or not trusted. Its folders are."""
    try:
        file = path.open("rb")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        _say_damaged(path)
        return None
    if why := distrust(os.fstat(file.fileno())):
        file.close()
        say(f"{path} {why}, so it is not used, but made again")
        return None
    return file


def _read(path: Path, read: Callable[[BinaryIO], T | None]) -> T | None:
    file = _opened(path)
    if file is None:
        return None
    with file:
        if identity(file) not in _damaged and (found := read(file)) is not None:
            _mark_used(path)
            return found
    _say_damaged(path)
    return None


def _mapped(file: BinaryIO, name: str) -> memoryview | None:
    """The content after the head of a file; None if it is damaged."""
    try:
        content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):  # ValueError: the file is empty
        return None
    return content[_HEAD:] if content[:_HEAD] == seal(name, content[_HEAD:]) else None


def _say_damaged(path: Path) -> None:
    say(f"{path} is damaged or cannot be read, so it is made again")


def _mark_used(path: Path) -> None:
    with suppress(OSError):  # it belongs to root
        if time.time() - path.stat().st_mtime > _DAY:
            path.touch()


def _keep_file(name: str, path: Path, make: Callable[[Path], object]) -> None:
    """Have `make` write a file of the cache, and remove files that nobody has used for a long time."""
    make_folders(cache_folder(), path.parent)
    if _place(name) is None:  # somebody else was faster to make a folder
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
    _make_file(path, make)
    _remove_unused(path.parent)


def _make_file(path: Path, make: Callable[[Path], object]) -> None:
    """Have `make` write a file in a folder that is trusted. Nobody else may ever write to it, whatever the umask."""
    remove_unfinished(path, _DAY)
    beside = new_beside(path, _NEW)
    try:
        make(beside)
        with beside.open("rb") as file:
            _damaged.discard(identity(file))  # of a file that is gone
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _remove_unused(folder: Path) -> None:
    oldest = time.time() - _UNUSED
    for path in folder.iterdir():
        with suppress(OSError):  # somebody else was faster
            if path.is_file() and path.stat().st_mtime < oldest:
                path.unlink()


def temporary_folder(purpose: str) -> Path:
    """A folder ``metrologue-PURPOSE-PID-…`` that is removed when this process ends, not when a forked process ends.

    A killed process leaves its folder. It is removed when a process asks for a folder a day or more later.
    """
    owner = os.getpid()
    # Only this user may write to it, because files in it may be executed.
    folder = Path(tempfile.mkdtemp(prefix=f"{_TEMPORARY}{purpose}-{owner}-"))
    for left in folder.parent.glob(f"{_TEMPORARY}*-*-*"):
        with suppress(OSError):  # it belongs to another user, or is already removed
            if time.time() - left.stat().st_mtime > _DAY and not _is_running(left.name.rsplit("-", 2)[1]):
                shutil.rmtree(left)

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def _is_running(process: str) -> bool:
    """Whether a process with this id is running. Always True on Windows, where the question itself could do harm."""
    if os.name != "posix" or not process.isdecimal():
        return True
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # it belongs to another user
        return True
    return True


def say(what: str) -> None:
    """Print a line on standard error, only once in a process."""
    if what not in _said:
        _said.add(what)
        print(f"metrologue: {what}.", file=sys.stderr, flush=True)


@contextmanager
def told_if_long(work: str) -> Iterator[None]:
    """A context manager that says what the process waits for, if it has waited two seconds in total."""
    global _spent
    timer = threading.Timer(max(_PATIENCE - _spent, 0.0), say, (f"{work}; this happens once on a machine",))
    timer.daemon = True
    if _spent < _PATIENCE:
        timer.start()
    start = time.perf_counter()
    try:
        yield
    finally:
        timer.cancel()
        _spent += time.perf_counter() - start

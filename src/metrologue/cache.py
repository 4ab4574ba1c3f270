"""The cache of things that are made once on a machine: compiled kernels and converted tables.

The folder is ``$METROLOGUE_CACHE``, otherwise ``metrologue`` in the user's cache folder. It may be a read-only folder
that root or this user has filled. What comes from the cache is run or trusted, so a file is used only if it and its
folders, from the cache folder on, belong to this user or to root, and nobody else may write them. Windows closes the
user's folders to others itself. Each file carries a digest of its content and its name; a file that is empty,
truncated, damaged or under another name is made again, and nobody reads half of one. If the folder is not trusted or
cannot be written, things are made for this process only. A line on standard error reports each of these cases, and
work that takes long.
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

from metrologue.writing import remove_unfinished, replacing

T = TypeVar("T")

_MARK = b"metrologue "
_HEAD = 64  # bytes: the mark, the digest and a line end; the content after them is aligned for Arrow
_DAY = 86_400  # seconds
_UNUSED = 90 * _DAY
_PATIENCE = 2.0  # seconds
# Rights: of a new file; of a folder that only its owner enters, or all; what others need to write.
_FILE, _PRIVATE, _SHARED, _OTHERS_WRITE = 0o644, 0o700, 0o755, 0o022
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
    from platformdirs import user_cache_path

    folder = user_cache_path("metrologue", appauthor=False)
    if folder.parts[0] == "~":
        raise RuntimeError("no home folder is known")
    return folder


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
    if (content := remembered(name, quiet=quiet)) is not None:
        return content
    made = make()
    remember(name, made, quiet=quiet)
    return memoryview(made)


def remembered(name: str, *, quiet: bool = False) -> memoryview | None:
    """The content of a file of the cache; None if it is not there. Arguments as for ``kept``."""
    path = _place(name, quiet)
    return _read(path, lambda file: _mapped(file, name)) if path else None


def remember(name: str, content: bytes | memoryview, *, quiet: bool = False) -> None:
    """Put a content into the cache, in place of what has this name there. Arguments as for ``kept``.

    Examples
    --------
    >>> remember("examples/place", b"here")
    >>> bytes(remembered("examples/place") or b"")
    b'here'
    >>> forget("examples/place")
    >>> remembered("examples/place")
    """
    if path := _place(name, quiet):
        try:
            _keep_file(name, path, lambda beside: beside.write_bytes(b"".join((seal(name, content), content))))
        except OSError as error:
            if not quiet:
                say(
                    f"{path.parent} cannot be written ({error.strerror}), so each process makes its files again; set "
                    "METROLOGUE_CACHE to a folder that can be written"
                )


def forget(name: str) -> None:
    """Take a file out of the cache, if it is there."""
    if path := _place(name, quiet=True):
        with suppress(OSError):  # it is not there, or the cache cannot be written
            path.unlink()


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
        if place and (content := _read(place, read)) is not None:
            return content
    if path:
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
        path = cache_folder() / name
    except RuntimeError as error:
        if not quiet:
            say(f"{error}, so nothing is kept; set METROLOGUE_CACHE to a folder")
        return None
    for folder in [*path.parents][len(Path(name).parent.parts) :: -1]:
        try:
            why = _distrust(folder.stat())
        except OSError:  # it is not there, or cannot be read
            break
        if why:
            say(
                f"{folder} {why}, so nothing in it is used, and things are made for this process only; take the "
                "rights of others away, or set METROLOGUE_CACHE to a folder of your own"
            )
            return None
    return path


def _distrust(status: os.stat_result) -> str | None:
    """Why a file or a folder is not trusted; None if it is."""
    if not hasattr(os, "geteuid"):
        return None
    if status.st_uid not in (0, os.geteuid()):
        return "belongs to another user"
    return "can be written by other users" if status.st_mode & _OTHERS_WRITE else None


def _read(path: Path, read: Callable[[BinaryIO], T | None]) -> T | None:
    """What `read` gives for a file; None if it is not there, not trusted or damaged. Its folders are trusted."""
    try:
        file = path.open("rb")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        file = None
    if file:
        with file:
            if why := _distrust(os.fstat(file.fileno())):
                say(f"{path} {why}, so it is not used, but made again")
                return None
            if identity(file) not in _damaged and (content := read(file)) is not None:
                with suppress(OSError):  # it belongs to root
                    if time.time() - path.stat().st_mtime > _DAY:
                        path.touch()
                return content
    say(f"{path} is damaged or cannot be read, so it is made again")
    return None


def _mapped(file: BinaryIO, name: str) -> memoryview | None:
    """The content after the head of a file; None if it is damaged."""
    try:
        content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):  # ValueError: the file is empty
        return None
    return content[_HEAD:] if content[:_HEAD] == seal(name, content[_HEAD:]) else None


def _keep_file(name: str, path: Path, make: Callable[[Path], object]) -> None:
    """Have `make` write a file of the cache, and remove files that nobody has used for a long time.

    Only this user may enter folders that are new. If the cache folder exists already, its readers may.
    """
    root = cache_folder()
    mode = root.stat().st_mode & _SHARED | _PRIVATE if root.is_dir() else _PRIVATE
    for folder in reversed(path.parents):
        if not folder.is_dir():
            folder.mkdir(mode, exist_ok=True)
    if _place(name) is None:  # somebody else was faster to make a folder
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
    _make_file(path, make)
    for other in path.parent.iterdir():
        with suppress(OSError):  # somebody else was faster
            if other.is_file() and time.time() - other.stat().st_mtime > _UNUSED:
                other.unlink()


def _make_file(path: Path, make: Callable[[Path], object]) -> None:
    """Have `make` write a file in a folder that is trusted. Nobody else may ever write to it, whatever the umask."""
    remove_unfinished(path, _DAY)
    with replacing(path, _FILE) as beside:
        make(beside)
        with beside.open("rb") as file:
            _damaged.discard(identity(file))  # of a file that is gone


def temporary_folder(purpose: str) -> Path:
    """A folder ``metrologue-PURPOSE-PID-…`` that is removed when this process ends, not when a forked process ends.

    A killed process leaves its folder. It is removed when a process asks for a folder a day or more later.
    """
    owner = os.getpid()
    # Only this user may write to it, because files in it may be executed.
    folder = Path(tempfile.mkdtemp(prefix=f"metrologue-{purpose}-{owner}-"))
    for left in folder.parent.glob("metrologue-*-*-*"):
        with suppress(OSError):  # it belongs to another user, or is already removed
            if time.time() - left.stat().st_mtime > _DAY and not _is_running(left.name.rsplit("-", 2)[1]):
                shutil.rmtree(left)

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def _is_running(process: str) -> bool:
    """Whether a process with this id may be running. On Windows the question itself could do harm."""
    if os.name == "posix" and process.isdecimal():
        with suppress(PermissionError):  # it belongs to another user
            try:
                os.kill(int(process), 0)
            except (ProcessLookupError, OverflowError):
                return False
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

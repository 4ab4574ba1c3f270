"""The cache of things that are made once on a machine: compiled kernels and converted tables.

The folder is ``$METROLOGUE_CACHE``, otherwise ``metrologue`` in the user's cache folder. It may be a read-only folder
that somebody else has filled. Each file begins with the digest of its content; a file that is empty, truncated or
damaged is made again. A file is written under a temporary name and then renamed, so nobody reads half of it. If the
folder cannot be written, things are made for this process only. A line on standard error reports each of these cases,
and work that takes long.
"""

from __future__ import annotations

import atexit
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

from metrologue.output import write_whole

__all__ = ["cache_folder", "kept", "kept_file", "say", "temporary_folder", "told_if_long"]

_MARK = b"metrologue "
_HEAD = 64  # bytes: the mark, the digest and a line end; the content after them is aligned for Arrow
_DAY = 86_400  # seconds
_UNUSED = 90 * _DAY
_TEMPORARY = "metrologue-"
_PATIENCE = 2.0  # seconds
_said: set[str] = set()
_made: dict[str, Path] = {}
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


def kept(name: str, make: Callable[[], bytes | memoryview]) -> memoryview:
    """The result of `make`, from the cache if it is there. Otherwise it is made and put into the cache.

    Parameters
    ----------
    name : str
        The path of the file in the cache folder. It contains a digest of everything that the content depends on.
    make : callable

    Returns
    -------
    memoryview
        Mapped into memory if it comes from a file.

    Examples
    --------
    >>> bytes(kept("examples/greeting", lambda: b"hello"))
    b'hello'
    """
    try:
        path = cache_folder() / name
    except RuntimeError:
        path = None
    if path and (found := _read(path)) is not None:
        return found
    content = make()
    if path is None:
        say("no home folder is known, so nothing is kept; set METROLOGUE_CACHE to a folder")
    else:
        _write(path, content)
    return memoryview(content)


def kept_file(name: str, make: Callable[[Path], object], is_whole: Callable[[Path], bool]) -> Path:
    """The path of a file in the cache, for what is too large to be read at once.

    Parameters
    ----------
    name : str
        As for ``kept``.
    make : callable
        Writes the file to the path that it is given. If it raises, nothing is left there.
    is_whole : callable
        Whether the file at a path is what `make` writes, in full length.

    Returns
    -------
    Path
        In a temporary folder of this process if the cache cannot be written.

    Examples
    --------
    >>> path = kept_file("examples/long", lambda path: path.write_text("hello"), lambda path: path.stat().st_size == 5)
    >>> path.read_text()
    'hello'
    """
    try:
        path = cache_folder() / name
    except RuntimeError:
        path = None
    for found in (path, _made.get(name)):
        with suppress(OSError):
            if found and is_whole(found):
                with suppress(OSError):
                    found.touch()  # marks the file as used
                return found
    if path is not None:
        try:
            _make_file(path, make)
            _remove_unused(path.parent)
            return path
        except OSError as error:
            say(f"{path.parent} cannot be written ({error.strerror}), so {path.name} is made for this process only")
    _made[name] = temporary_folder("files") / Path(name).name
    _make_file(_made[name], make)
    return _made[name]


def _make_file(path: Path, make: Callable[[Path], object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        make(beside)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _digest(content: bytes | memoryview) -> bytes:
    return hashlib.sha256(content).hexdigest()[: _HEAD - len(_MARK) - 1].encode()


def _read(path: Path) -> memoryview | None:
    """The content after the head of a file; None if the file does not exist or is damaged."""
    try:
        with path.open("rb") as file:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):  # ValueError: the file is empty
        content = memoryview(b"")
    if content[:_HEAD] != _MARK + _digest(content[_HEAD:]) + b"\n":
        say(f"{path} is damaged or cannot be read, so it is made again")
        return None
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > _DAY:
            path.touch()  # marks the file as used
    return content[_HEAD:]


def _write(path: Path, content: bytes | memoryview) -> None:
    """Put a file into the cache, and remove files that nobody has used for a long time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, b"".join((_MARK, _digest(content), b"\n", content)))
        _remove_unused(path.parent)
    except OSError as error:
        say(
            f"{path.parent} cannot be written ({error.strerror}), so each process makes its files again; set "
            "METROLOGUE_CACHE to a folder that can be written"
        )


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

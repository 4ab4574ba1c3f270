"""Where things are kept that are made once on a machine: compiled kernels and converted tables.

The folder is ``$METROLOGUE_CACHE``, else ``metrologue`` in the user's cache folder; it may be one that somebody else
has filled and that can only be read. A file in it begins with the digest of the rest: one that is empty, cut off or
garbled is made anew. Files are written beside their place and renamed, so that nobody reads half of one. Where nothing
can be written, things are made for this process only. A line on standard error tells of each of these, and of work that
takes long.
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

__all__ = ["cache_folder", "kept", "say", "temporary_folder", "told_if_long"]

_MARK = b"metrologue "
_HEAD = 64  # bytes: the mark, the digest and a line end; what follows is aligned for Arrow
_DAY = 86_400  # seconds
_UNUSED = 90 * _DAY
_TEMPORARY = "metrologue-"
_PATIENCE = 2.0  # seconds
_said: set[str] = set()
_spent = 0.0


def cache_folder() -> Path:
    """``$METROLOGUE_CACHE``, else the user's cache folder, whether or not it is there.

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
    """What `make` gives, from the cache where it is there; else it is made, and put there.

    Parameters
    ----------
    name : str
        The file's path in the cache folder. It names all that the content depends on, by a digest.
    make : callable

    Returns
    -------
    memoryview
        Mapped into memory where it comes from a file.

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
        say("no home folder is known, so that nothing is kept; set METROLOGUE_CACHE to a folder")
    else:
        _write(path, content)
    return memoryview(content)


def _digest(content: bytes | memoryview) -> bytes:
    return hashlib.sha256(content).hexdigest()[: _HEAD - len(_MARK) - 1].encode()


def _read(path: Path) -> memoryview | None:
    """What follows the head of a file, or None if there is no such file or it is not whole."""
    try:
        with path.open("rb") as file:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):  # ValueError: the file is empty
        content = memoryview(b"")
    if content[:_HEAD] != _MARK + _digest(content[_HEAD:]) + b"\n":
        say(f"{path} is damaged or cannot be read, and is made anew")
        return None
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > _DAY:
            path.touch()  # it is in use
    return content[_HEAD:]


def _write(path: Path, content: bytes | memoryview) -> None:
    """Put a file into the cache, and take out what nobody has used for long."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, b"".join((_MARK, _digest(content), b"\n", content)))
        _remove_unused(path.parent)
    except OSError as error:
        say(
            f"{path.parent} cannot be written ({error.strerror}), so that each process makes its files anew; set "
            "METROLOGUE_CACHE to a folder that can be written"
        )


def _remove_unused(folder: Path) -> None:
    oldest = time.time() - _UNUSED
    for path in folder.iterdir():
        with suppress(OSError):  # somebody else was faster
            if path.is_file() and path.stat().st_mtime < oldest:
                path.unlink()


def temporary_folder(purpose: str) -> Path:
    """A folder ``metrologue-PURPOSE-PID-…`` that goes when this process ends, and not when one that it forked does.

    What a process left that was killed goes when the next one asks for a folder, a day later.
    """
    owner = os.getpid()
    # Nobody else's: what lies in it may be run.
    folder = Path(tempfile.mkdtemp(prefix=f"{_TEMPORARY}{purpose}-{owner}-"))
    for left in folder.parent.glob(f"{_TEMPORARY}*-*-*"):
        with suppress(OSError):  # another user's, or gone by now
            if time.time() - left.stat().st_mtime > _DAY and not _is_running(left.name.rsplit("-", 2)[1]):
                shutil.rmtree(left)

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def _is_running(process: str) -> bool:
    """Whether there is a process of that number, as far as one can ask: Windows has no question that does no harm."""
    if os.name != "posix" or not process.isdecimal():
        return True
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another user's
        return True
    return True


def say(what: str) -> None:
    """One line on standard error, once in a process."""
    if what not in _said:
        _said.add(what)
        print(f"metrologue: {what}.", file=sys.stderr, flush=True)


@contextmanager
def told_if_long(work: str) -> Iterator[None]:
    """Say what is being waited for, once a process has waited for two seconds in all."""
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

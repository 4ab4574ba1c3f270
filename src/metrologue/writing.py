"""What commands write: files that are complete or not there, and the bar of long work."""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

_MINUTE = 60  # seconds
# Work of fewer seconds is silent where there is no terminal.
_LONG = 10.0

# Set while a command that was interrupted still writes what it has found. A second interrupt ends it at once.
finishing = threading.Event()


def write_whole(path: str | Path, content: bytes, *, synced: bool = False) -> None:
    """Write content to a file so that no reader ever sees half of it.

    The content is written to a temporary file in the same folder, which is then renamed. A pipe or a device is written
    directly.

    Parameters
    ----------
    path : str or Path
        A link stays a link, and an existing file keeps its permissions.
    content : bytes
    synced : bool
        Whether the content is on the disk before the file has its name. Otherwise a machine that loses its power may
        leave an empty file.

    Raises
    ------
    OSError
        If the file cannot be written. The error names `path`, and an existing file stays as it was.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "page.html"
    >>> write_whole(path, b"<p>")
    >>> path.read_bytes(), len([*path.parent.iterdir()])
    (b'<p>', 1)
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    try:
        with replacing(target) as beside:
            with beside.open("wb") as file:
                file.write(content)
                if synced:
                    file.flush()
                    os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, beside)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


@contextmanager
def replacing(target: Path, mode: int = 0o666) -> Iterator[Path]:
    """A context manager that gives a new, empty file beside `target`, which takes its place at the end.

    Its name is one that no other process has, on this machine or elsewhere. What stands under a name already is neither
    written nor followed, be it a link that somebody has put there. If anything is raised, `target` stays as it was, and
    nothing is left beside it.

    Parameters
    ----------
    target : Path
    mode : int
        The rights of the new file, less those that the umask takes.

    Raises
    ------
    OSError
        If the folder cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "page.html"
    >>> with replacing(target) as beside:
    ...     beside.name.startswith(".page.html."), beside.write_bytes(b"<p>")
    (True, 3)
    >>> target.read_bytes()
    b'<p>'
    """
    beside = None
    try:
        while beside is None:
            # The process is named for those who look; two containers have processes of one number.
            drawn = target.with_name(f".{target.name}.{os.getpid()}.{int.from_bytes(os.urandom(5), 'big')}")
            with suppress(FileExistsError):
                os.close(os.open(drawn, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
                beside = drawn
        yield beside
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            if beside:
                beside.unlink()
        raise


def remove_unfinished(path: str | Path, seconds: float = _MINUTE) -> None:
    """Remove what processes that were killed have left beside a file, if it is older than a minute.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "page.html"
    >>> path.with_name(".page.html.12.34").touch()
    >>> os.utime(path.with_name(".page.html.12.34"), (0, 0))
    >>> remove_unfinished(path)
    >>> [*path.parent.iterdir()]
    []
    """
    target = Path(path).resolve()
    name = re.compile(rf"\.{re.escape(target.name)}\.\d+\.\d+")
    with suppress(OSError):
        for beside in target.parent.iterdir():
            if name.fullmatch(beside.name) and time.time() - beside.stat().st_mtime > seconds:
                beside.unlink()


def begin(what: str) -> None:
    """Say on a terminal what a command begins to do, before what it imports and reads takes its seconds."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(what, file=sys.stderr, flush=True)


@contextmanager
def progress_bar(
    total: int | None = None, in_bytes: bool = False, hidden: bool = False
) -> Iterator[Callable[..., None]]:
    """A progress bar on a terminal. Elsewhere, a line for a metric that takes ten seconds, or one in ten seconds.

    It yields a function like ``rich.Progress.update``. A description begins with the metric; a colon may follow. The
    function also takes a `rate`, the text at the end of the bar, and what is `finished`, a part of a metric's work: in
    a pipe, it has a line if the one before it is ten seconds old.
    """
    if hidden or sys.stderr is None:
        yield lambda **state: None
        return
    if not sys.stderr.isatty():
        yield from _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    done = DownloadColumn() if in_bytes else MofNCompleteColumn()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        done,
        TimeElapsedColumn(),
        TextColumn("{task.fields[rate]}"),
    )
    # The bar is on standard error. By default, rich would redirect the command's own output there too.
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        yield partial(progress.update, progress.add_task("", total=total, rate=""))


def _lines() -> Iterator[Callable[..., None]]:
    """A function that prints what is done to standard error, once the work has become long."""
    begun = told = time.monotonic()
    doing, since = "", begun

    def update(description: str | None = None, rate: str = "", finished: str = "", **state: object) -> None:
        nonlocal doing, since, told
        metric, now = doing if description is None else description.partition(":")[0], time.monotonic()
        if finished and now - told >= _LONG:
            print(f"{now - begun:.0f} s, {finished}: done", file=sys.stderr, flush=True)
            told = now
        if rate and now - told >= _MINUTE:
            print(f"{now - begun:.0f} s, {rate}", file=sys.stderr, flush=True)
            told = now
        if metric == doing:
            return
        if doing and now - min(told, since) >= _LONG:
            print(f"{doing}: done, {now - since:.0f} s", file=sys.stderr, flush=True)
            told = now
        doing, since = metric, now

    yield update
    update(description="")

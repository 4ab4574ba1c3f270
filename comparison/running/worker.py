"""A process of its own for one library, so that nothing that the library does can end or change a comparison.

The process takes pickled tasks from its standard input, and writes a pickled outcome of each to its standard output.
What the library prints goes to a file. The process ends when its standard input does, and takes its own children with
it.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from metrologue.cache import kept
from metrologue.comparison.libraries import Library, Missing

__all__ = ["Outcome", "Task", "main", "run"]

_LONGEST = 200  # characters of a foreign message


@dataclass(frozen=True, kw_only=True)
class Task:
    """A number that a library shall compute.

    Attributes
    ----------
    library : Library
    metric : str
    primary : str
        The name of the number.
    texts : bytes
        The pickled predictions, references, and other inputs by their names: the library gets its own copy.
    options : mapping of str to Any
    options_key : str
        What identifies the options, such as the digest of a language model.
    in_process : bool
        Whether it is computed in the process of the comparison, and then not kept.
    """

    library: Library
    metric: str
    primary: str
    texts: bytes
    options: Mapping[str, Any]
    options_key: str = ""
    in_process: bool = False


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of a task.

    Attributes
    ----------
    version : str or None
        The library's version; None if it is missing.
    value : float or None
    missing : str or None
        Why there is no value.
    is_absent : bool
        Whether the library is not installed.
    seconds : float
        How long the library took, now or when the number was kept.
    note : str or None
        What else it did.
    is_late : bool
        Whether the time was up.
    """

    version: str | None = None
    value: float | None = None
    missing: str | None = None
    is_absent: bool = False
    seconds: float = 0.0
    note: str | None = None
    is_late: bool = False


class _NoValueError(Exception):
    """Carries an outcome past the cache, which keeps values only."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


def run(task: Task, printed: IO[bytes] | None = None) -> Outcome:
    """The outcome of a task, from the cache if it is there. An error of the library is an outcome.

    What the library prints is found in the file `printed`.
    """
    status = task.library.status(task.metric)
    if isinstance(status, Missing):
        return Outcome(missing=str(status), is_absent=True)

    def make() -> bytes:
        if not task.in_process:
            _warm_up(task)
        before = _end(printed)
        start = time.perf_counter()
        found = _run(task, status.version)
        if found.value is None:
            raise _NoValueError(found)
        seconds = time.perf_counter() - start
        return json.dumps({"value": found.value, "seconds": seconds, "note": _note(printed, before)}).encode()

    try:
        content = bytes(make() if task.in_process else kept(_path(task, status.version), make))
    except _NoValueError as error:
        return error.outcome
    return Outcome(version=status.version, **json.loads(content))


_warm: set[tuple[str, str]] = set()


def _warm_up(task: Task) -> None:
    """Score one segment, once in a process: the library is imported then, which is not part of its time."""
    if (task.library.name, task.metric) not in _warm:
        _warm.add((task.library.name, task.metric))
        predictions, references, inputs = pickle.loads(task.texts)
        first = {name: rows[:1] for name, rows in inputs.items()}
        with suppress(Exception, SystemExit):
            task.library.scores(task.metric, predictions[:1], references[:1], **first, **task.options)


def _run(task: Task, version: str) -> Outcome:
    predictions, references, inputs = pickle.loads(task.texts)
    value = missing = None
    try:
        found = task.library.scores(task.metric, predictions, references, **inputs, **task.options)
    except (Exception, SystemExit) as error:  # what a foreign library raises is a result and does not end the run
        missing = f"raises {type(error).__name__}: {shortened(str(error))}"
    else:
        value = found.get(task.primary)
        if value is None:
            missing = f"gives no {task.primary}"
        elif not math.isfinite(value):
            value, missing = None, f"gives {value}"
    return Outcome(version=version, value=None if value is None else float(value), missing=missing)


def shortened(text: str) -> str:
    """A foreign message on one line, and not longer than one can read."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _end(printed: IO[bytes] | None) -> int:
    """The size of what was printed so far."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # a library may have closed it
            stream.flush()
    return printed.seek(0, os.SEEK_END) if printed else 0


def _note(printed: IO[bytes] | None, before: int) -> str | None:
    """The first line that was printed since then."""
    if printed is None or _end(printed) == before:
        return None
    printed.seek(before)
    lines = printed.read(4 * _LONGEST).decode("utf-8", "replace").strip().splitlines() or [""]
    return f"prints: {shortened(lines[0])}"


def _path(task: Task, version: str) -> str:
    """Where the number is kept: under a digest of all that it depends on."""
    library = task.library
    parts = [
        *(library.name, task.metric, task.primary, version, task.options_key, sys.version),
        *(f"{each} {_version(each)}" for each in library.distributions),
        type(library).__qualname__,
        _digest_of_adapters(type(library).__module__),
        hashlib.sha256(task.texts).hexdigest(),
    ]
    return f"libraries/{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}.json"


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


@cache
def _digest_of_adapters(module: str) -> str:
    """The digest of this module, of all adapters, which use each other, and of the module that this one is in."""
    from metrologue.comparison import libraries

    own = sys.modules[module].__file__
    paths = {Path(__file__), *Path(libraries.__file__).parent.glob("*.py"), *([Path(own)] if own else ())}
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()


def main() -> None:
    """Take tasks from standard input until it ends."""
    _end_with_parent()
    answers = os.fdopen(os.dup(1), "wb")
    tasks: SimpleQueue[Task] = SimpleQueue()
    threading.Thread(target=_receive, args=(os.fdopen(os.dup(0), "rb"), tasks), daemon=True).start()
    with tempfile.TemporaryFile() as printed, open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(printed.fileno(), 1)
        # What a library prints as an error is reported when its process dies, so it stays the parent's.
        while True:
            pickle.dump(run(tasks.get(), printed), answers)
            answers.flush()


def _receive(source: IO[bytes], tasks: SimpleQueue[Task]) -> None:
    """Hand on the tasks. When there are no more, or the parent is gone, end this process and all that it started."""
    try:
        while True:
            tasks.put(pickle.load(source))
    except BaseException:
        with suppress(OSError, AttributeError):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)


def _end_with_parent() -> None:
    """On Linux, the kernel kills this process when its parent ends, even in the midst of a long call."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


if __name__ == "__main__":
    main()

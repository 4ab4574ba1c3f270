"""Compilation of kernels: numba, with a compile cache that never stops an import.

Compiled code is kept in ``$METROLOGUE_CACHE``, else in the user's cache folder, else in a temporary folder that goes
with the process; where none of them can be written, kernels are compiled in memory and a warning says so.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba

__all__ = ["cache_folder", "kernel"]


def _chosen() -> Path:
    if chosen := os.environ.get("METROLOGUE_CACHE"):
        return Path(chosen)
    return _user_cache() / "metrologue"


def _user_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _temporary() -> Path:
    # A folder of a fixed name under /tmp could be another user's, and what lies in it is run.
    folder = Path(tempfile.mkdtemp(prefix="metrologue-"))
    atexit.register(lambda: shutil.rmtree(folder, ignore_errors=True))
    return folder


def cache_folder() -> Path | None:
    """The first place that can be written: ``$METROLOGUE_CACHE``, the user's cache folder, a temporary folder.

    Returns
    -------
    pathlib.Path or None
        None, with a warning, where nothing can be written.
    """
    for candidate in (_chosen, _temporary):
        try:
            folder = candidate()
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except (OSError, RuntimeError):  # RuntimeError: no home folder is known
            continue
    warnings.warn(
        "metrologue: no folder can be written for compiled kernels, so each process compiles them anew "
        "(some seconds). Set METROLOGUE_CACHE to a folder that can be written.",
        stacklevel=2,
    )
    return None


_FOLDER = cache_folder()


@contextmanager
def _progress_line(name: str) -> Iterator[None]:
    """Say on a terminal what is being waited for, once it takes over a second."""
    line = f"metrologue: compiling {name}; this happens once on a machine …"
    timer = threading.Timer(1.0, print, (line,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def kernel(*signatures: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function with numba, once on a machine.

    Explicit signatures compile when the module is imported, and from then on are read from the cache in milliseconds.
    Without one, the function is a helper that other kernels inline.

    Parameters
    ----------
    *signatures : tuple of numba types
        The types of the arguments, for each way to call it.

    Returns
    -------
    callable
        A decorator.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        # numba reads the cache's place when the decorator runs; other packages' kernels must keep theirs.
        settings: Any = numba.config
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(_FOLDER or "")
        try:
            with _progress_line(function.__name__):
                return numba.njit(list(signatures) or None, cache=_FOLDER is not None, nogil=True)(function)
        finally:
            settings.CACHE_DIR = before

    return compiled

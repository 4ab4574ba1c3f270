"""Where things are kept that are made once on a machine: compiled kernels and converted tables.

It is ``$METROLOGUE_CACHE``, else the user's cache folder, else a temporary folder that goes with the process.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["cache_folder", "chosen_folder", "progress_line"]


def chosen_folder() -> Path:
    """``$METROLOGUE_CACHE``, else the user's cache folder, whether or not it can be written."""
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
    for candidate in (chosen_folder, _temporary):
        try:
            folder = candidate()
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except (OSError, RuntimeError):  # RuntimeError: no home folder is known
            continue
    warnings.warn(
        "metrologue: no folder can be written for compiled kernels and converted tables, so each process makes them "
        "anew (some seconds). Set METROLOGUE_CACHE to a folder that can be written.",
        stacklevel=2,
    )
    return None


@contextmanager
def progress_line(work: str) -> Iterator[None]:
    """Say on a terminal what is being waited for, once it takes over a second."""
    line = f"metrologue: {work}; this happens once on a machine …"
    timer = threading.Timer(1.0, print, (line,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()

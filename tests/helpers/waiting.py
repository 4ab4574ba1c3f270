"""Waiting for another process, without a clock: a busy machine takes as long as it takes."""

from __future__ import annotations

from collections.abc import Callable
from subprocess import Popen
from time import sleep

__all__ = ["until"]


def until(happened: Callable[[], object], process: Popen[bytes]) -> None:
    """Return when something has happened, or the process that should do it has ended."""
    while not happened() and process.poll() is None:
        sleep(0.01)

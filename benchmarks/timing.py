"""Timing of contenders in turn, so that a change of the machine's speed affects all of them alike."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

__all__ = ["Row", "in_turn", "installed", "row", "shown"]


@dataclass(frozen=True)
class Row:
    """One comparison: how many times faster ours is than another library, and the promised ratio.

    Attributes
    ----------
    what, peer : str
    ours, theirs : float
        The median of the seconds of all rounds.
    ratio : float
        theirs / ours: how many times faster ours is.
    floor, aim : float
        The promised ratio, and the ratio that we aim at.
    """

    what: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    floor: float
    aim: float

    @property
    def holds(self) -> bool:
        """Whether the promised ratio was reached."""
        return self.ratio >= self.floor


def shown(seconds: float) -> str:
    """Seconds with three digits, and less than a millisecond in microseconds."""
    few = seconds < 1e-3
    return f"{seconds * 1e6 if few else seconds:#.3g}".removesuffix(".") + " µs" * few


def in_turn(contenders: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """The seconds of each contender in each round, after one round that is not counted.

    Python's garbage collector is on, as it is for a user; but each run starts as in a new process, with no objects that
    it must look at. Otherwise a library that makes many objects takes twice as long or half as long by what else was
    measured before it.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    gc.collect()
    gc.freeze()  # what is there now is not looked at again
    try:
        for counted in range(-1, rounds):
            for name, run in contenders.items():
                gc.collect()
                start = time.perf_counter()
                run()
                if counted >= 0:
                    seconds[name].append(time.perf_counter() - start)
    finally:
        gc.unfreeze()
    return seconds


def row(
    what: str,
    seconds: Mapping[str, list[float]],
    ours: str,
    peer: str,
    floor: float,
    aim: float,
    share: float = 1.0,
) -> Row:
    """The comparison of two contenders of ``in_turn``. `share` is the part of our text that the other one was given."""
    own, theirs = statistics.median(seconds[ours]), statistics.median(seconds[peer]) / share
    return Row(what, peer, own, theirs, theirs / own, floor, aim)


def installed(module: str, package: str) -> Any:
    """A peer's module, or None and a line on standard error if it is not installed here."""
    if find_spec(module):
        return import_module(module)
    print(f"{package} is not installed: pip install {package}", file=sys.stderr)
    return None

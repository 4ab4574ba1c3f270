"""How long a computation takes beside another one that runs in the same moment, however busy the machine is."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

__all__ = ["takes_less"]

# What takes less than these seconds is as quick as anything: a clock may stand still for so long.
FLOOR = 1e-3


def takes_less(work: Callable[[], object], control: Callable[[], object], times: float) -> bool:
    """Whether it takes less than so many times the processor time of a control, in one of three tries.

    For linear time, the control is the same work on a smaller input.
    """
    control()  # kernels are compiled, tables are read
    return any(_seconds(work) < times * max(_seconds(control), FLOOR) for _ in range(3))


def _seconds(work: Callable[[], object]) -> float:
    begin = process_time()
    work()
    return process_time() - begin

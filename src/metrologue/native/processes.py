"""Many kernels compiled at once, by several processes. Each of them imports numba; the one that asks does not."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import groupby
from multiprocessing import get_context
from typing import TypeVar

from metrologue.native.declared import symbol_of
from metrologue.native.modules import modules, path_of
from metrologue.native.targets import Target

T = TypeVar("T")

_MOST = 8  # each needs up to half a gigabyte
_LINES = 20  # of a build that no terminal shows


def compiled(names: Iterable[str], target: Target, processes: int | None = None) -> Iterator[tuple[str, bytes]]:
    """The name and the object file of each kernel, in the order in which they are ready.

    Parameters
    ----------
    names : iterable of str
        Names of kernels of this package, such as "edit._distances".
    target : Target
    processes : int, optional
        By default one for each processor that this process may use, and at most 8. The bytes are the same for all.

    Raises
    ------
    TypeError
        If the machine code of a kernel cannot stand alone.
    """
    # The kernels of a file have helpers in common, which are translated once in a process.
    parts = [[*part] for _, part in groupby(sorted(names), _module)]
    parts.sort(
        key=lambda part: os.path.getsize(path_of(modules()[_module(part[0])])), reverse=True
    )  # the longest first
    context = get_context("spawn")
    with ProcessPoolExecutor(processes or _processors(), context, _begin) as pool:
        for ready in as_completed([pool.submit(_compiled, part, target) for part in parts]):
            yield from ready.result()


def told(items: Iterable[T], count: int, what: str) -> Iterator[T]:
    """The same items. Standard error says how many have come: on a terminal at each, otherwise in twenty lines.

    pip does not show these lines unless it is asked to, but with each of them it says that it is still at work.
    """
    line = f"Compiling {count} {what}, {_processors()} at a time; one at a time would take a minute."
    print(line, file=sys.stderr, flush=True)
    for done, item in enumerate(items, 1):
        yield item
        if sys.stderr.isatty():
            print(f"\r{done} of {count}", end="\n" if done == count else "", file=sys.stderr, flush=True)
        elif done * _LINES // count > (done - 1) * _LINES // count:
            print(f"{done} of {count}", file=sys.stderr, flush=True)


def _module(name: str) -> str:
    return name.partition(".")[0]


def _processors() -> int:
    """How many processors this process may use, and at most 8."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, _MOST)


def _begin() -> None:
    """A process that compiles makes millions of objects, and it ends soon."""
    gc.disable()


def _compiled(names: list[str], target: Target) -> list[tuple[str, bytes]]:
    """The object files of kernels of one module."""
    from metrologue.native.llvm import machine_code

    module = importlib.import_module(modules()[_module(names[0])])
    kernels = {name: getattr(module, name.partition(".")[2]) for name in names}
    return [(name, machine_code(kernel, symbol_of(name), target)) for name, kernel in kernels.items()]

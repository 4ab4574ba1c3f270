"""All kernels to one shared library: ``python -m metrologue.kernels.build [--target NAME] [--out FOLDER]``."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from metrologue import native
from metrologue.native.build import build_library
from metrologue.native.kernel import Kernel
from metrologue.native.modules import modules
from metrologue.native.targets import TARGETS, this_machine

__all__ = ["all_kernels"]


def all_kernels() -> Iterator[Kernel]:
    """All kernels of the package, by name."""
    for module in modules().values():
        members = vars(importlib.import_module(module))
        for kernel in sorted((value for value in members.values() if isinstance(value, Kernel)), key=lambda k: k.name):
            if kernel.function.__module__ == module:  # otherwise it is imported there
                yield kernel


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m metrologue.kernels.build", description=__doc__)
    parser.add_argument("--target", choices=[*TARGETS], help="default: this machine's")
    parser.add_argument("--out", type=Path, default=Path(native.__path__[0]), help="default: the package itself")
    arguments = parser.parse_args()
    target = TARGETS[arguments.target] if arguments.target else this_machine()
    if target is None:
        raise SystemExit("There is no library of kernels for this machine; they are compiled when they are called.")
    made = build_library(all_kernels(), target, arguments.out)
    print(made, made.stat().st_size, "bytes", file=sys.stderr)


if __name__ == "__main__":
    _main()

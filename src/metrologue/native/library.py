"""The library of kernels that was built with the package, and what runs a kernel that is not in it."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from metrologue.native import arrays, python
from metrologue.native.declared import Declared, symbol_of
from metrologue.native.key import checksum_of_sources
from metrologue.native.modules import modules
from metrologue.origin import pip_install

_SUFFIX = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
# What x86-64-v2 has that x86-64 has not: the bits of ECX that the instruction CPUID gives for 1.
_FEATURES = {0: "SSE3", 9: "SSSE3", 13: "CMPXCHG16B", 19: "SSE4.1", 20: "SSE4.2", 23: "POPCNT"}
# Why a kernel of another package is in no library.
_OUTSIDE = "it is one of another package, so it is compiled here at its first call, and kept in the cache"


class Library(NamedTuple):
    """A library in memory."""

    code: ctypes.CDLL
    keys: dict[str, str]
    """The key of each kernel when the library was built."""
    is_fresh: bool
    """Whether no file has changed since then, so that no key needs to be compared."""

    def has(self, kernel: Declared) -> bool:
        """Whether the library has this kernel, and not one that was edited since."""
        known = self.keys.get(kernel.name) if _is_ours(kernel) else None
        return known is not None and (self.is_fresh or known == kernel.key)


def _is_ours(kernel: Declared) -> bool:
    return bool(kernel.function.__module__ == modules().get(kernel.name.partition(".")[0]))


def path_of_library() -> str:
    """Where the library is, if it was built: in the folder of this file."""
    return os.path.join(os.path.dirname(__file__), f"metrologue.kernels.{_SUFFIX}")


@cache
def library(path: str | os.PathLike[str]) -> Library | str:
    """The library in a file, or the reason why it cannot be used."""
    if not os.path.exists(path):
        return "this package was installed without a library of kernels"
    try:
        code = ctypes.CDLL(str(path))
        manifest = json.loads(_text(code, "metrologue_manifest"))
        tables = [(arrays, "metrologue_arrays"), (python, "metrologue_python")]
        filled = [(kind.Table.in_dll(code, name), kind.table()) for kind, name in tables]
    except (OSError, ValueError) as error:  # a ValueError if the library is of another version, and lacks a name
        return f"the library of kernels cannot be loaded ({error})"
    if lacking := missing_features(code.metrologue_features()):
        return f"the library of kernels is made for x86-64-v2, and this processor lacks {', '.join(lacking)}"
    for table, values in filled:
        table[:] = values
    return Library(code, manifest["kernels"], manifest["sources"] == checksum_of_sources())


def _text(code: ctypes.CDLL, name: str) -> bytes:
    return ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(code, name)))


def missing_features(word: int) -> list[str]:
    """The features of x86-64-v2 that a processor lacks, by the word that the library has asked it for."""
    return [name for bit, name in _FEATURES.items() if not word >> bit & 1]


def address(kernel: Declared, name: Callable[[str], str] = str) -> int:
    """The address of a kernel's machine code. `name` makes the name of the function from that which ctypes calls.

    Raises
    ------
    ImportError
        If the kernel is not in the library, and the compiler is not installed.
    """
    found = library(path_of_library())
    if isinstance(found, Library) and found.has(kernel):
        there: int = ctypes.cast(found.code[name(symbol_of(kernel.name))], ctypes.c_void_p).value or 0
        return there
    try:
        from metrologue.native import kept
    except ImportError as error:
        if str(error.name).partition(".")[0] not in ("llvmlite", "numba"):
            raise
        changed = "it has changed since the library of kernels was built"
        why = found if isinstance(found, str) else changed if _is_ours(kernel) else _OUTSIDE
        raise ImportError(
            f"kernel {kernel.name}: {why}; `{pip_install('kernels')}` installs the compiler that makes it."
        ) from None
    return kept.address(kernel, name)

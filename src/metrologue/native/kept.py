"""Kernels that are not in the library: compiled when they are called, and kept in the cache."""

from __future__ import annotations

import ctypes
import hashlib
import sys
import threading
from collections.abc import Callable
from ctypes.util import find_library
from functools import cache
from importlib.metadata import version
from typing import Any

import llvmlite.binding as llvm

from metrologue.cache import kept, told_if_long
from metrologue.native import arrays, python
from metrologue.native.declared import Declared, symbol_of
from metrologue.native.targets import C_MATH, Target, this_machine

_lock = threading.RLock()
_linked: set[str] = set()


def address(kernel: Declared, entry: Callable[[str], str]) -> int:
    """The address of a kernel's machine code in memory. It is made or loaded once, by the thread that asks first.

    `entry` makes the name of the function from that which ctypes calls.
    """
    target = _target()
    depends = kernel.key, version("numba"), version("llvmlite"), *target
    name = f"{kernel.name}-{hashlib.sha256(repr(depends).encode()).hexdigest()[:24]}"
    with _lock:
        if name not in _linked:
            code = kept(f"kernels/{name}", lambda: _compiled(kernel, symbol_of(name), target))
            _link(bytes(code), target)
            _linked.add(name)
        found: int = _engine().get_function_address(entry(symbol_of(name)))
        if not found:
            raise RuntimeError(f"kernel {name} is not in its object file.")
        return found


def _compiled(kernel: Declared, symbol: str, target: Target) -> bytes:
    with told_if_long(f"compiling {kernel.name.replace('._', '.')}"):
        from metrologue.native.llvm import machine_code

        return machine_code(kernel, symbol, target)


def _link(code: bytes, target: Target) -> None:
    """Load an object file into memory."""
    for name, table in _tables().items():
        llvm.add_symbol(name, ctypes.addressof(table))
    for name in C_MATH:
        llvm.add_symbol(name + target.c_version, ctypes.cast(getattr(_c_math(), name), ctypes.c_void_p).value)
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()


@cache
def _target() -> Target:
    """The target of the library, so that an edited kernel is as fast there; otherwise this processor alone."""
    target = this_machine()
    if target is None or (target.cpu == "x86-64-v2" and not llvm.get_host_cpu_features().get("sse4.2")):
        return Target("", llvm.get_process_triple(), llvm.get_host_cpu_name(), "", "", "")
    return target


@cache
def _engine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault", jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@cache
def _c_math() -> ctypes.CDLL:
    """C's math library. On Linux it is a file of its own, which an interpreter may not have loaded."""
    return ctypes.CDLL("libm.so.6" if sys.platform == "linux" and _target().name else find_library("m"))


@cache
def _tables() -> dict[str, Any]:
    """The tables that all kernels in this file read; see ``arrays`` and ``python``."""
    return {"metrologue_arrays": arrays.table(), "metrologue_python": python.table()}

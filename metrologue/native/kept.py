"""Kernels that are not in the library: compiled when they are called, and kept in the cache."""

from __future__ import annotations

import ctypes
import hashlib
import sys
import threading
from ctypes.util import find_library
from functools import cache
from importlib.metadata import version
from typing import Any

import llvmlite.binding as llvm

from metrologue.files.cache import kept, told_if_long
from metrologue.native import arrays
from metrologue.native.declared import Declared, symbol_of
from metrologue.native.targets import C_MATH, Target, this_machine

__all__ = ["address"]

_lock = threading.RLock()
_addresses: dict[str, int] = {}


def address(kernel: Declared) -> int:
    """The address of a kernel's machine code in memory. It is made or loaded once, by the thread that asks first."""
    target = _target()
    depends = kernel.key, version("numba"), version("llvmlite"), *target
    name = f"{kernel.name}-{hashlib.sha256(repr(depends).encode()).hexdigest()[:24]}"
    with _lock:
        if name not in _addresses:
            code = kept(f"kernels/{name}", lambda: _compiled(kernel, symbol_of(name), target))
            _addresses[name] = _linked(symbol_of(name), bytes(code), target)
        return _addresses[name]


def _compiled(kernel: Declared, symbol: str, target: Target) -> bytes:
    with told_if_long(f"compiling {kernel.name.replace('._', '.')}"):
        from metrologue.native.llvm import machine_code

        return machine_code(kernel, symbol, target)


def _linked(symbol: str, code: bytes, target: Target) -> int:
    """Load an object file into memory, and return the address of its function."""
    llvm.add_symbol("metrologue_arrays", ctypes.addressof(_table()))
    for name in C_MATH:
        llvm.add_symbol(name + target.c_version, ctypes.cast(getattr(_c_math(), name), ctypes.c_void_p).value)
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    found: int = engine.get_function_address(symbol)
    if not found:
        raise RuntimeError(f"kernel {symbol} is not in its object file.")
    return found


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
def _table() -> Any:
    """The table that all kernels in this file read; see ``metrologue.native.arrays``."""
    return arrays.table()

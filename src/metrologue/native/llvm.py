"""From LLVM code to the object file of a kernel, for any of the platforms."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from metrologue.native.arrays import TABLE_SIZE
from metrologue.native.compiler import translated
from metrologue.native.declared import Declared
from metrologue.native.entry import entry
from metrologue.native.python import FUNCTIONS, called_by
from metrologue.native.targets import C_MATH, Target

_OPTIMISATION = 3  # LLVM's -O3
# What machine code may need from elsewhere. A kernel makes no arrays, raises nothing and never calls Python.
_FOREIGN = {"metrologue_arrays", "metrologue_python", "memset", "memcpy", "memmove"}
_CPUID = """
define{export} i32 @metrologue_features() "target-cpu"="x86-64" {{
  %words = call {{ i32, i32, i32, i32 }} asm "cpuid", "={{ax}},={{bx}},={{cx}},={{dx}},{{ax}},{{cx}}"(i32 1, i32 0)
  %features = extractvalue {{ i32, i32, i32, i32 }} %words, 2
  ret i32 %features
}}
"""
_NO_CPUID = "define{export} i32 @metrologue_features() {{\n  ret i32 -1\n}}\n"


def machine_code(kernel: Declared, symbol: str, target: Target) -> bytes:
    """The object file of a kernel.

    Parameters
    ----------
    kernel : Declared
        It calls only helpers and instructions.
    symbol : str
        The name of the function in the object file. It takes the kernel's arguments: an array as the address of its
        Python object (see ``metrologue.native.arrays``), a number in eight bytes. It returns the kernel's number, or 0.
        If it refuses an array, it returns the least int64, or NaN. A second function, with the name that ``called_by``
        gives, is the one that Python calls.
    target : Target

    Raises
    ------
    TypeError
        If the machine code could raise an exception, or needs more of C than a few functions.
    """
    body, code = translated(kernel)
    # A vector of logarithms would be so many calls, of another version.
    scalar = any(f"@llvm.{name}.f64(" in code for name in C_MATH)
    module = _module(code + entry(kernel, symbol, body, _export(target)), target)
    for part in (*module.functions, *module.global_variables):
        if part.name not in (symbol, called_by(symbol)) and not part.is_declaration:
            part.linkage = "internal"  # so that LLVM removes what is not used
    options = llvm.create_pipeline_tuning_options(speed_level=_OPTIMISATION)
    options.loop_vectorization = not scalar
    passes = llvm.create_pass_builder(_machine(target), options)
    passes.getModulePassManager().run(module, passes)
    parts = [*module.functions, *module.global_variables]
    foreign = {part.name for part in parts if part.is_declaration and not part.name.startswith("llvm.")}
    # Exceptions would be objects of the process that compiles.
    foreign |= {part.name for part in module.global_variables if re.search("pickle|dynamic", part.name)}
    if foreign := foreign - _FOREIGN:
        raise TypeError(f"kernel {kernel.name}: machine code with {', '.join(sorted(foreign))} cannot stand alone.")
    code = str(module)
    for name in C_MATH:
        code = code.replace(f"@llvm.{name}.f64(", f'@"{name}{target.c_version}"(')
    return _object(code, target)


def common_parts(manifest: bytes, target: Target) -> bytes:
    """The object file with what all kernels share: the table of addresses, the manifest, the check of the processor."""
    text = "".join(f"\\{byte:02x}" for byte in manifest + b"\0")
    export = _export(target)
    code = (
        f"@metrologue_arrays ={export} global [{TABLE_SIZE} x i64] zeroinitializer\n"
        f"@metrologue_python ={export} global [{len(FUNCTIONS)} x ptr] zeroinitializer\n"
        f'@metrologue_manifest ={export} constant [{len(manifest) + 1} x i8] c"{text}"\n'
    )
    features = _CPUID if target.triple.startswith("x86_64") else _NO_CPUID
    return _object(code + features.format(export=export), target)


def _export(target: Target) -> str:
    return " dllexport" if target.suffix == "dll" else ""


def _module(code: str, target: Target) -> Any:
    """LLVM code for a target, in memory. numba has written it for the machine that it runs on."""
    lines = f'target datalayout = "{_machine(target).target_data}"\ntarget triple = "{target.triple}"\n'
    module = llvm.parse_assembly(lines + re.sub(r"^target .*$", "", code, flags=re.MULTILINE))
    module.verify()
    return module


def _object(code: str, target: Target) -> bytes:
    made: bytes = _machine(target).emit_object(_module(code, target))
    return made


@cache
def _machine(target: Target) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, opt=2, reloc="pic", codemodel="default"
    )

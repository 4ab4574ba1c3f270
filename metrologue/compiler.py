"""From a Python function to machine code: numba writes it as LLVM's code, which is then optimised once, as a whole.

Left to itself, numba optimises every helper on its own, and again in each function that calls it, and wraps all of them
for Python. That takes several times as long, so a kernel goes through a numba target of its own, which does neither.
Nothing here is imported where the machine code is in the cache. Other users of numba in the process notice nothing.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.registry import CPUDispatcher, CPUTarget
from numba.extending import intrinsic

__all__ = ["dispatcher", "instruction_type", "machine_code"]

_OPTIMISATION = 3  # LLVM's -O3
# What machine code may call beside itself: a kernel makes no array, raises nothing and knows no Python.
_LIBRARY_FUNCTIONS = {"memset", "memcpy", "memmove", "pow", "exp", "log", "log2", "sqrt", "floor", "ceil"}


class _Library(JITCodeLibrary):
    """Code that is only linked into other code: neither optimised nor run."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _Codegen(JITCPUCodegen):
    _library_class = _Library


class _Context(CPUContext):
    def init(self) -> None:
        super().init()
        self._internal_codegen = _Codegen("metrologue")

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> object:
        return object()  # numba finds the helper by it


class _Target(CPUTarget):
    @cached_property
    def _toplevel_target_context(self) -> _Context:
        return _Context(self.typing_context, self._target_name)


_TARGET = _Target("cpu")


class _Helper(CPUDispatcher):
    targetdescr = _TARGET

    def get_call_template(self, args: Any, kws: Any) -> Any:
        # One function for all numbers of a type: LLVM sees which they are where it inlines.
        return super().get_call_template([numba.types.unliteral(kind) for kind in args], kws)

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres


def dispatcher(function: Callable[..., Any]) -> Any:
    """What numba takes for a function that is inlined into the kernels that call it."""
    options = {
        "nopython": True, "boundscheck": False, "error_model": "numpy", "forceinline": True, "_nrt": False,
        "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
    }  # fmt: skip
    return _Helper(function, targetoptions=options)


def instruction_type(define: Callable[..., Any]) -> Any:
    """numba's type of a function that `define` writes in LLVM's own terms, as ``numba.extending.intrinsic`` does."""
    made = intrinsic(define)
    _TARGET.typing_context.refresh()  # it meets what was defined since
    return _TARGET.typing_context.resolve_value_type(made)


def machine_code(function: types.FunctionType, arguments: list[Any], returned: Any, name: str) -> bytes:
    """The object file of a kernel.

    Parameters
    ----------
    function : function
        A kernel; what it calls is helpers and instructions.
    arguments : list of (dtype, ndim)
        dtype and number of dimensions of each argument, 0 for a number.
    returned : dtype or None
    name : str
        What the function is called in the object file. Its arguments there are a place for the result, a place for an
        error, and for each argument its value, or for an array two pointers that are null, the number of its items, the
        size of one, where they lie, the length of each axis and the step along it; it returns 0.

    Returns
    -------
    bytes
        For the processor that this runs on.
    """
    flags = Flags()
    flags.error_model = "numpy"
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
    signature = [_numba_type(dtype, ndim) for dtype, ndim in arguments]
    result = numba.types.void if returned is None else _numba_type(returned, 0)
    with global_compiler_lock:
        context = _TARGET.target_context
        context.refresh()
        compiled = compile_extra(_TARGET.typing_context, context, function, signature, result, flags, {})
        compiled.library.finalize()
        module = llvm.parse_assembly(compiled.library.get_llvm_str())
    for definition in module.functions:
        if definition.name == compiled.fndesc.llvm_func_name:
            definition.name = name
            _check_arguments(definition, arguments)
        elif not definition.is_declaration:
            definition.linkage = "internal"  # what is inlined everywhere goes
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    machine = _machine()
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=_OPTIMISATION))
    passes.getModulePassManager().run(module, passes)
    foreign = {other.name for other in module.functions if other.is_declaration and "llvm." not in other.name}
    if foreign - _LIBRARY_FUNCTIONS:
        raise TypeError(f"kernel {name}: machine code that calls {', '.join(sorted(foreign))} cannot stand alone.")
    code: bytes = machine.emit_object(module)
    return code


def _numba_type(dtype: Any, ndim: int) -> Any:
    kind = numba.from_dtype(dtype)
    return numba.types.Array(kind, ndim, "C") if ndim else kind


def _check_arguments(definition: Any, arguments: list[Any]) -> None:
    expected = 2 + sum(5 + 2 * ndim if ndim else 1 for _, ndim in arguments)
    if len([*definition.arguments]) != expected:
        raise TypeError("numba passes arrays in another way than this version of metrologue knows.")


def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2, codemodel="jitdefault",
        jit=True,
    )  # fmt: skip

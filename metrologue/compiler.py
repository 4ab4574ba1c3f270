"""From a Python function to machine code: numba translates it to LLVM code, which is then optimised once, as a whole.

By default, numba optimises every helper on its own, optimises it again in each function that calls it, and wraps all of
them for Python. That takes several times as long. A kernel therefore uses a numba target of its own, which does none of
this. If the machine code is in the cache, nothing here is imported. Other users of numba in the process are not
affected.
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
# The external functions that machine code may call. A kernel makes no arrays, raises nothing and never calls Python.
_LIBRARY_FUNCTIONS = {"memset", "memcpy", "memmove", "pow", "exp", "log", "log2", "sqrt", "floor", "ceil"}


class _Library(JITCodeLibrary):
    """Code that is only linked into other code. It is neither optimised nor run by itself."""

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
        return object()  # numba uses it to identify the helper


class _Target(CPUTarget):
    @cached_property
    def _toplevel_target_context(self) -> _Context:
        return _Context(self.typing_context, self._target_name)


_TARGET = _Target("cpu")


class _Helper(CPUDispatcher):
    targetdescr = _TARGET

    def get_call_template(self, args: Any, kws: Any) -> Any:
        # One function for all values of a type: LLVM sees constant values when it inlines.
        return super().get_call_template([numba.types.unliteral(kind) for kind in args], kws)

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres


def dispatcher(function: Callable[..., Any]) -> Any:
    """The numba dispatcher of a function that is inlined into the kernels that call it."""
    options = {
        "nopython": True, "boundscheck": False, "error_model": "numpy", "forceinline": True, "_nrt": False,
        "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
    }  # fmt: skip
    return _Helper(function, targetoptions=options)


def instruction_type(define: Callable[..., Any]) -> Any:
    """numba's type of a function that `define` writes as LLVM code, as for ``numba.extending.intrinsic``."""
    made = intrinsic(define)
    _TARGET.typing_context.refresh()  # so that it knows new definitions
    return _TARGET.typing_context.resolve_value_type(made)


def machine_code(function: types.FunctionType, arguments: list[Any], returned: Any, name: str) -> bytes:
    """The object file of a kernel.

    Parameters
    ----------
    function : function
        A kernel. It calls only helpers and instructions.
    arguments : list of (dtype, ndim)
        dtype and number of dimensions of each argument, 0 for a number.
    returned : dtype or None
    name : str
        The name of the function in the object file. Its first arguments there are a pointer for the result and a
        pointer for an error. Then comes the value of each argument. An array comes as two null pointers, the number of
        its items, the size of one item, the pointer to the data, the length of each axis and the stride of each axis.
        The function returns 0.

    Returns
    -------
    bytes
        Machine code for the processor of this machine.
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
            definition.linkage = "internal"  # so that LLVM removes functions that are inlined everywhere
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
        raise TypeError("this version of numba passes arrays in a way that metrologue does not know.")


def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2, codemodel="jitdefault",
        jit=True,
    )  # fmt: skip

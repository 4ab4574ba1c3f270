"""From a Python function to LLVM code, by numba: the one place that relies on numba's own classes.

By default, numba optimises every helper on its own, optimises it again in each function that calls it, and wraps all of
them for Python. That takes several times as long. A kernel therefore uses a numba target of its own, which does none of
this. This module is only imported to build the library, or if a kernel has changed since. Other users of numba in the
process are not affected.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase, Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.cpu import CPUContext
from numba.core.datamodel.models import OpaqueModel
from numba.core.registry import CPUDispatcher, CPUTarget
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.typing import Context
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode
from numba.extending import intrinsic, register_model

from metrologue.native.declared import Declared

_PASSES = (
    TranslateByteCode,
    FixupArgs,
    IRProcessing,
    GenericRewrites,
    ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
)


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
        self._sizes: dict[str, int] = {}

    def refresh(self) -> None:
        if not self.typing_context.is_fresh:
            super().refresh()  # and then that of types

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        try:
            return super().get_function(fn, sig, _firstcall)
        except NotImplementedError:
            if not _firstcall:
                raise
            self.typing_context.is_fresh = False  # an instruction is defined when it is first called
            return super().get_function(fn, sig)

    def get_abi_sizeof(self, ty: Any) -> int:
        # numba has LLVM parse a module for each question.
        if (name := str(ty)) not in self._sizes:
            self._sizes[name] = super().get_abi_sizeof(ty)
        return self._sizes[name]

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> object:
        return object()  # numba uses it to identify the helper


class _Pipeline(CompilerBase):
    """The passes that a kernel needs: no parallel loops, no functions in functions, no ``with``."""

    def define_pipelines(self) -> list[Any]:
        passes = PassManager("kernel")
        for each in _PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


class _Function(numba.types.Function):
    """One of numba's functions. It remembers what a call finds; numba would try all templates at each call."""

    def __init__(self, templates: Any) -> None:
        super().__init__(templates)
        self._found: dict[Any, Any] = {}

    def augment(self, other: Any) -> Any:
        return _Function((*self.templates, *other.templates)) if other.typing_key == self.typing_key else None

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        call = tuple(args), tuple(dict(kws).items())
        if call not in self._found:
            self._found[call] = super().get_call_type(context, args, kws)
        return self._found[call]


register_model(_Function)(OpaqueModel)


class _Typing(Context):
    """numba's own types of functions are those of all other users too, so here are copies."""

    is_fresh = False

    def refresh(self) -> None:
        # numba would look for new definitions at each function that it translates.
        if not self.is_fresh:
            super().refresh()
            self.is_fresh = True

    def _insert_global(self, gv: Any, gty: Any) -> None:
        super()._insert_global(gv, _Function(gty.templates) if type(gty) is numba.types.Function else gty)


class _Target(CPUTarget):
    @cached_property
    def _toplevel_typing_context(self) -> Context:
        return _Typing()

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
        "nopython": True,
        "boundscheck": False,
        "error_model": "numpy",
        "forceinline": True,
        "_nrt": False,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
    }
    return _Helper(function, targetoptions=options, pipeline_class=_Pipeline)


def instruction_type(define: Callable[..., Any]) -> Any:
    """numba's type of a function that `define` writes as LLVM code, as for ``numba.extending.intrinsic``."""
    made = intrinsic(define)
    _TARGET.typing_context.is_fresh = False
    _TARGET.typing_context.refresh()  # so that it knows new definitions
    return _TARGET.typing_context.resolve_value_type(made)


def translated(kernel: Declared) -> tuple[str, str]:
    """The name of a kernel's function in LLVM code, and the code with all helpers, not optimised.

    The arguments of the function are a pointer for the result and a pointer for an error. Then comes the value of each
    argument, and of a named tuple each field. An array comes as two null pointers, the number of its items, the size of
    one item, the pointer to the data, the length of each axis and the stride of each axis. The function returns 0.
    """
    flags = Flags()
    flags.error_model = "numpy"
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
    arguments = [_parameter_type(cls, [_numba_type(*kind) for kind in kinds]) for cls, kinds in kernel.parameters]
    result = numba.types.void if kernel.returned is None else _numba_type(kernel.returned, 0)
    with global_compiler_lock:
        context = _TARGET.target_context
        context.refresh()
        compiled = compile_extra(
            _TARGET.typing_context, context, kernel.function, arguments, result, flags, {}, None, _Pipeline
        )
        compiled.library.finalize()
        name, code = compiled.fndesc.llvm_func_name, compiled.library.get_llvm_str()
    return name, code


def _parameter_type(cls: type | None, kinds: list[Any]) -> Any:
    return kinds[0] if cls is None else numba.types.BaseTuple.from_types(kinds, cls)


def _numba_type(dtype: Any, ndim: int) -> Any:
    kind = numba.from_dtype(dtype)
    return numba.types.Array(kind, ndim, "C") if ndim else kind

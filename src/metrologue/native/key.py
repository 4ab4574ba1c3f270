"""The key of a kernel: a digest of the source that its machine code depends on.

It is made from syntax trees and values, never from bytecode. So all versions of Python and NumPy give the same key, and
a library that was built with one of them serves them all.
"""

from __future__ import annotations

import ast
import linecache
import os
import zlib
from collections.abc import Iterator
from functools import cache
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from metrologue.native.declared import Declared, Part
from metrologue.native.modules import modules, path_of

_NATIVE = os.path.dirname(__file__)
# What turns a function into machine code. The linker and the list of platforms are no part of it.
_COMPILER = [os.path.join(_NATIVE, name) for name in ("compiler.py", "entry.py", "llvm.py", "python.py")]


def checksum_of_sources() -> str:
    """A checksum of the files that all keys are made from. If it is the same, so are the keys.

    Every process computes it before its first number: `hashlib` and `pathlib` would take longer to be imported.
    """
    files = [(os.path.basename(path), path) for path in _COMPILER]
    files += [(module, path_of(module)) for module in modules().values()]
    parts = [(name, _read(path)) for name, path in files]
    content = b"".join(f"{name} {len(source)}\n".encode() + source for name, source in parts)
    return f"{zlib.crc32(content):08x}{zlib.adler32(content):08x}"


def key(kernel: Declared) -> str:
    """The key of a kernel. Comments, docstrings and other kernels do not change it."""
    kinds = [(dtype.str, ndim) for dtype, ndim in kernel.kinds]
    signature = kinds, [getattr(cls, "_fields", None) for cls, _ in kernel.parameters]
    returned = kernel.returned and kernel.returned.str
    import hashlib

    parts = repr((_compiler(), signature, returned, _closure(kernel.function)))
    return hashlib.sha256(parts.encode()).hexdigest()[:24]


def constants(function: Any) -> Iterator[tuple[str, Any]]:
    """The global names in a function and in its helpers, with their values, which the machine code contains."""
    names = {node.id for node in ast.walk(_tree(function)) if isinstance(node, ast.Name)}
    for name in sorted(names - {*function.__code__.co_varnames}):
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            if isinstance(value, Part):
                yield from constants(value.function)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


@cache
def _compiler() -> bytes:
    """A digest of what turns a function into machine code."""
    import hashlib

    return hashlib.sha256(b"".join(map(_read, _COMPILER))).digest()


@cache
def _closure(function: Any) -> list[object]:
    """A function and its helpers as the compiler sees them: their code, and the values of the names in it."""
    return [_plain(_tree(function)), *((name, _value(value)) for name, value in constants(function))]


def _tree(function: Any) -> ast.FunctionDef:
    """The definition of a function without its decorators, docstring and annotations.

    Raises
    ------
    TypeError
        If the function has no source.
    RuntimeError
        If its file has changed since it was imported: machine code of the old source would get the key of the new one.
    """
    code = function.__code__
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename))
    where = f"{function.__name__} in {code.co_filename}"
    if not text:
        raise TypeError(f"{where}: there is no source; write the kernel to a file.")
    found = _module(text).get((function.__name__, code.co_firstlineno))
    if found is None or not _is_same(code, found[1]):
        raise RuntimeError(f"{where}: the file has changed since it was imported; start Python again.")
    return found[0]


@cache
def _module(text: str) -> dict[tuple[str, int], tuple[ast.FunctionDef, CodeType]]:
    """The functions of a file by their names and first lines."""
    tree = ast.parse(text)
    codes = {(code.co_name, code.co_firstlineno): code for code in _codes(compile(text, "", "exec", dont_inherit=True))}
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if ast.get_docstring(node, clean=False) is not None:
                del node.body[0]
            node.decorator_list, node.returns = [], None
            for argument in node.args.args:
                argument.annotation = None  # the kernel's signature has the types that they name
            found[node.name, first] = node, codes[node.name, first]
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _is_same(code: CodeType, other: CodeType) -> bool:
    return all(getattr(code, name) == getattr(other, name) for name in ("co_code", "co_consts", "co_names"))


def _plain(node: object) -> object:
    """A syntax tree as tuples. Fields that are empty are left out: newer versions of Python have more of them."""
    if isinstance(node, ast.AST):
        fields = [(name, _plain(value)) for name, value in ast.iter_fields(node) if value not in (None, [])]
        return type(node).__name__, [*fields]
    return [_plain(item) for item in node] if isinstance(node, list) else repr(node)


def _value(value: Any) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, type):
        name = np.dtype(value).str if issubclass(value, np.generic) else value.__name__
        return name, getattr(value, "_fields", None)
    if isinstance(value, Part):
        return _closure(value.function)
    if isinstance(value, ModuleType) or callable(value):
        return value.__name__
    if isinstance(value, int | float):
        return repr(value)
    raise TypeError(f"a kernel cannot have a constant of the type {type(value).__name__}.")

"""Small changes of a source file, each of which some test should notice."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

__all__ = ["Mutant", "mutants_of"]

_COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is": "is not", "is not": "is",
             "in": "not in", "not in": "in"}  # fmt: skip
_COMPUTED = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "*", "**": "*", "@": "*", "&": "|", "|": "&",
             "^": "&", "<<": ">>", ">>": "<<"}  # fmt: skip
_CALLED = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any",
           "floor": "ceil", "ceil": "floor", "argmin": "argmax", "argmax": "argmin", "sum": "max", "mean": "max",
           "zeros": "ones", "ones": "zeros", "cumsum": "asarray", "log": "log2", "startswith": "endswith",
           "endswith": "startswith", "upper": "lower", "lower": "upper"}  # fmt: skip
# What is said to people is no behaviour that a test of numbers would see; a cache only saves time, and ``strict`` looks
# at what the code itself made.
_SAID = {"InputError", "warn", "warns", "lru_cache", "TypeVar", "cast"}
_SAID_KEYWORDS = {"about", "title", "unit", "stacklevel", "default_factory", "strict"}


@dataclass(frozen=True)
class Mutant:
    """One change of one file.

    Attributes
    ----------
    path : str
        The file, from the root of the project.
    where : str
        The function or the class; "" outside of them.
    line : int
        From 1.
    text : str
        The line before the change.
    before, after : str
        What is replaced, and by what.
    start : int
        Where `before` begins, in bytes of the file.
    repeated : int
        How many changes before it read the same.
    """

    path: str
    where: str
    line: int
    text: str
    before: str
    after: str
    start: int
    repeated: int = 0

    @cached_property
    def key(self) -> str:
        """A name that stays as long as the line does, wherever in the file it is."""
        parts = (self.path, self.where, self.text, self.before, self.after, str(self.repeated))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def applied(self, source: bytes) -> bytes:
        """The file with the change."""
        end = self.start + len(self.before.encode())
        assert source[self.start : end] == self.before.encode()
        return source[: self.start] + self.after.encode() + source[end:]

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.where}: {self.text}\n    {self.before} -> {self.after}"


def mutants_of(path: str, source: bytes, strings: bool = False) -> list[Mutant]:
    """All changes of a file, in the order of their places; changes of strings only if they are rules."""
    finder = _Finder(source, strings)
    finder.visit(ast.parse(source))
    lines = source.decode().splitlines()
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for start, line, where, before, after in sorted(finder.found):
        alike = (where, lines[line - 1].strip(), before, after)
        found.append(Mutant(path, where, line, alike[1], before, after, start, seen[alike]))
        seen[alike] += 1
    return found


class _Finder(ast.NodeVisitor):
    """Finds the changes: (first byte, line, where, before, after) of each."""

    def __init__(self, source: bytes, strings: bool) -> None:
        self.source, self.strings = source, strings
        self.found: list[tuple[int, int, str, str, str]] = []
        self.names: list[str] = []
        self.line_starts = [0]
        for line in source.splitlines(keepends=True):
            self.line_starts.append(self.line_starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        starts = self.line_starts
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    def add(self, start: int, end: int, after: str) -> None:
        line = self.source.count(b"\n", 0, start) + 1
        self.found.append((start, line, ".".join(self.names), self.source[start:end].decode(), after))

    def swap(self, start: int, end: int, swaps: dict[str, str]) -> None:
        """Another operator in place of the one that stands between two operands, maybe among brackets."""
        between = self.source[start:end].decode()
        word = " ".join(between.replace("(", " ").replace(")", " ").replace("\\\n", " ").split())
        if word in swaps and word in between:
            at = start + len(between[: between.index(word)].encode())
            self.add(at, at + len(word), swaps[word])

    def visit_body(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        self.names.append(node.name)
        for value in [*getattr(getattr(node, "args", None), "defaults", ()), *node.body]:
            self.visit(value)
        for value in getattr(getattr(node, "args", None), "kw_defaults", ()):
            if value is not None:
                self.visit(value)
        self.names.pop()

    visit_FunctionDef = visit_ClassDef = visit_body

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """A message is no number."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Nor is this."""

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.add(*self.span(node), "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add(*self.span(node), "pass")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in _SAID:
            return
        if name in _CALLED:
            end = self.span(node.func)[1]
            self.add(end - len(name), end, _CALLED[name])
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in _SAID_KEYWORDS:
            self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.swap(self.span(node.left)[1], self.span(node.right)[0], _COMPUTED)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for one, other in zip([node.left, *node.comparators], node.comparators, strict=False):
            self.swap(self.span(one)[1], self.span(other)[0], _COMPARED)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for one, other in zip(node.values, node.values[1:], strict=False):
            self.swap(self.span(one)[1], self.span(other)[0], {"and": "or", "or": "and"})
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            start = self.span(node)[0]
            self.add(start, start + (3 if isinstance(node.op, ast.Not) else 1), "")
        self.generic_visit(node)

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        if not isinstance(node.test, ast.Compare | ast.UnaryOp) and "TYPE_CHECKING" not in ast.unparse(node.test):
            start, end = self.span(node.test)
            self.add(start, end, f"not ({self.source[start:end].decode()})")
        self.generic_visit(node)

    visit_IfExp = visit_If

    def visit_Continue(self, node: ast.Continue) -> None:
        self.add(*self.span(node), "break")

    def visit_Break(self, node: ast.Break) -> None:
        self.add(*self.span(node), "continue")

    def visit_Constant(self, node: ast.Constant) -> None:
        if after := self.other(node.value):
            self.add(*self.span(node), after)

    def other(self, value: object) -> str | None:
        """Another constant; of a rule, without one of its characters."""
        if isinstance(value, bool):
            return repr(not value)
        if isinstance(value, int):
            return repr(value + 1)
        if isinstance(value, float):
            return repr(value * 2 if value else 1.0)
        if isinstance(value, str) and value and self.strings:
            at = int.from_bytes(hashlib.sha256(value.encode("utf-8", "surrogatepass")).digest()[:4]) % len(value)
            return ascii(value[:at] + value[at + 1 :])
        return None

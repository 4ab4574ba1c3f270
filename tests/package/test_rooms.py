"""What is private in a scorer is used by the rooms of scorers only; others call ``scorers/core/engine.py``.

And no function is long.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "metrologue"
# `metrics` has the folders of modules, which users read; `comparison` is a link that ``rglob`` does not follow.
FILES = [
    path
    for folder in (SOURCE, SOURCE / "comparison")
    for path in sorted(folder.rglob("*.py"))
    if path.relative_to(SOURCE).parts[0] not in ("scorers", "metrics")
]


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_repr_html_"


def members(tree: ast.AST) -> Iterator[str]:
    """The private members of all classes of a file."""
    for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for node in kind.body:
            if isinstance(node, ast.FunctionDef):
                names = [node.name]
            elif isinstance(node, ast.AnnAssign | ast.Assign):
                targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
                names = [each.id for each in targets if isinstance(each, ast.Name)]
            else:
                continue
            yield from filter(private, names)


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def of_itself(node: ast.expr) -> bool:
    """Whether an object asks itself or its base."""
    is_super = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    return is_super or (isinstance(node, ast.Name) and node.id in ("self", "cls"))


def asked(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The private members of other objects that a file uses, also by ``getattr``, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not of_itself(node.value):
            yield node.attr, node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            name = node.args[1]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value, node.lineno


@pytest.fixture(scope="module")
def of_scorers() -> set[str]:
    return {name for path in (SOURCE / "scorers").rglob("*.py") for name in members(parsed(path))}


@pytest.fixture(scope="module")
def of_rooms() -> dict[str, set[str]]:
    """The private members that each room has itself, such as those of the protocol of ``inference``."""
    found: dict[str, set[str]] = {}
    for path in FILES:
        found.setdefault(path.relative_to(SOURCE).parts[0], set()).update(members(parsed(path)))
    return found


def test_no_private_member_of_a_scorer_is_used(of_scorers: set[str], of_rooms: dict[str, set[str]]) -> None:
    uses = {path.relative_to(SOURCE): asked(parsed(path)) for path in FILES}
    assert [
        f"{path}:{line}: {name}"
        for path, names in uses.items()
        for name, line in names
        if name in of_scorers - of_rooms[path.parts[0]]
    ] == []


def test_the_rule_finds_what_it_forbids(of_scorers: set[str]) -> None:
    code = "class A:\n    def f(self, scorer):\n        return scorer._rows, getattr(scorer, '_label'), self._columns"
    assert [name for name, _ in asked(ast.parse(code)) if name in of_scorers] == ["_rows", "_label"]


FOLDERS = ("benchmarks", "comparison", "docs", "examples", "metrics", "research", "src", "studies", "tests", "tools")
LONGEST = 80


def lengths(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Each function with the number of lines of its body, without the docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            yield node.name, (node.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_no_function_is_long(root: Path) -> None:
    """A longer one does several things, and each of them has a name."""
    files = [path for folder in FOLDERS for path in (root / folder).rglob("*.py")]
    found = [(path.relative_to(root), *each) for path in files for each in lengths(parsed(path))]
    assert len(found) > 1000
    assert [f"{path}: {name}, {lines} lines" for path, name, lines in found if lines > LONGEST] == []


def test_how_long_a_function_is() -> None:
    code = 'def f():\n    """One."""\n    a = 1\n\n    def g():\n        """Two."""\n    return a'
    assert [*lengths(ast.parse(code))] == [("f", 5), ("g", 0)]

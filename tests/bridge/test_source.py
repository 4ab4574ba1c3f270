"""What `evaluate` makes of a source: it finds imports by regular expressions, and hashes without comments."""

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from metrologue.scorers import get_scorer
from metrologue.scorers.core.options import options_of


@pytest.fixture
def tree(source: Path) -> ast.Module:
    return ast.parse(source.read_text("utf-8"))


def test_relative_imports_are_those_that_are_copied(tree: ast.Module, source: Path) -> None:
    lines = source.read_text("utf-8").splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.level == 1, f"line {node.lineno}: nothing from a parent folder is copied"
            assert node.module, f"line {node.lineno}: `from . import` is not seen"
            assert "." not in node.module, f"line {node.lineno}: no packages are copied"
            assert node in tree.body, f"line {node.lineno}: only imports at the top are seen"
            assert "#" not in lines[node.lineno - 1], f"line {node.lineno}: a comment is taken for the file's address"


def test_imports_are_one_a_line(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert len(node.names) == 1, f"line {node.lineno}: `import a, b` is read as a package named `a,`"


def test_no_base_class_is_imported_by_name(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.module != "evaluate", f"line {node.lineno}: the first class of `evaluate` found is the module"


def test_one_name_is_imported_from_the_bridge(tree: ast.Module) -> None:
    """And nothing that the rest of the package may change at any time, but errors and language models."""
    others = ("metrologue.errors", "metrologue.language_models.causal")
    modules = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module not in others]
    (one,) = (node for node in modules if str(node.module).startswith("metrologue"))
    assert (one.module, len(one.names)) == ("metrologue.bridge", 1)


def test_docstring_quotes_are_even_or_open_a_block(source: Path) -> None:
    inside = False
    for number, line in enumerate(source.read_text("utf-8").splitlines(), 1):
        if line.count('"""') == 1:
            inside = not inside
        assert not re.match(r"(import|from)\s", line) or not inside, f"line {number}: this import is taken for text"
    assert not inside


def test_no_hash_sign_in_a_string(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert "#" not in node.value, f"line {node.lineno}: what follows a # can change and the old code still runs"


def test_one_class_that_has_the_hubs_shape(tree: ast.Module, folder: Path) -> None:
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert [node.name.lower() for node in classes] == [folder.name.replace("_", "")]


def test_compute_names_each_argument(module: Any) -> None:
    """Which the Hub's own tests ask for. Every option of the scorer is one of them, or set by one of the Hub's."""
    parameters = inspect.signature(module._compute).parameters
    assert not [each for each in parameters.values() if each.kind is each.VAR_KEYWORD]
    if metric := getattr(module, "metric", None):
        set_by_hub = {*module.arguments.values(), *inspect.signature(module._fields).parameters}
        assert {*options_of(get_scorer(metric))} <= {*parameters, *set_by_hub, "types", "smoothing"}

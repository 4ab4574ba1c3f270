"""The layers of the package: imports run one way, wherever in a file they stand."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

import metrologue

PACKAGE = Path(metrologue.__file__).parent

# From the ground up. A module imports its own layer and those below it. A name stands for all that begins with it, and
# a longer one comes before a shorter one. Learned scorers need their networks, and networks have features that other
# scorers count, so these share a line and know each other file by file.
LAYERS = (
    "errors, calls, hub_names, version, origin, deferred, output, recommended, data.arrays",
    "data.threads",
    "files.cache, files.ownership, files.writing, tracing",
    "kernels, native",
    "data",
    "files",
    "lexicon, meta.judgements, meta.records",
    "language_models, stemmers, tokenizers",
    "reading, representations",
    "segments",
    "inference",
    "scorers.core, scorers.rooms",
    "learned, scorers",
    "attribution",
    "meta",
    "bridge, comparison, integrations",
    "meta.page, metrics, pages",
    "cli",
    "__main__",
)


@cache
def imports() -> dict[str, set[str]]:
    """The modules that each module imports, by names without `metrologue.` before them; "" is the package itself."""
    places = {}
    for folder, inner, files in os.walk(PACKAGE):  # not through the links to metrics and comparison
        inner[:] = [each for each in inner if each != "__pycache__"]
        for file in files:
            if file.endswith(".py"):
                parts = Path(folder, file).relative_to(PACKAGE).with_suffix("").parts
                places[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = Path(folder, file)
    found = {}
    for name, path in places.items():
        own = {each for statement in statements(ast.parse(path.read_text("utf-8"))) for each in named(statement)}
        found[name] = {next((each for each in pair if each in places), pair[0]) for pair in own} - {name}
    return found


def statements(node: Any) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run: those of functions too, but not those for types alone."""
    for part in ("body", "orelse", "handlers", "finalbody"):
        if part == "body" and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        for child in getattr(node, part, ()):
            if isinstance(child, ast.Import | ast.ImportFrom):
                yield child
            else:
                yield from statements(child)


def named(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """What a statement takes of this package: the module of that name, or else the one that has the name."""
    if isinstance(statement, ast.Import):
        pairs = [(alias.name, alias.name) for alias in statement.names]
    else:
        assert statement.module, "a relative import"
        pairs = [(f"{statement.module}.{alias.name}", statement.module) for alias in statement.names]
    for long, short in pairs:
        if long.partition(".")[0] == "metrologue":
            yield long.partition(".")[2], short.partition(".")[2]


def layer_of(name: str) -> int:
    """The layer of a module: that of the longest name before it."""
    names = {own: number for number, line in enumerate(LAYERS) for own in line.split(", ")}
    parts = name.split(".")
    return next(names[own] for n in range(len(parts), 0, -1) if (own := ".".join(parts[:n])) in names)


def test_there_are_no_circles() -> None:
    try:
        [*TopologicalSorter(imports()).static_order()]
    except CycleError as error:
        pytest.fail(f"these import each other in a circle: {' <- '.join(error.args[1])}")


def test_imports_run_one_way() -> None:
    upward = [
        f"{name} imports {own}" for name, its in sorted(imports().items()) if name for own in its
        if own and layer_of(own) > layer_of(name)
    ]  # fmt: skip
    assert upward == []

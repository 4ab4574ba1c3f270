"""Imports run one way: between rooms as pyproject.toml has it, and between modules without circles."""

from __future__ import annotations

import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from grimp import build_graph


def test_imports_run_downhill(root: Path) -> None:
    # In a process of its own: the tool keeps hold of the streams that it first sees.
    code = f"import sys; sys.path.insert(0, {str(root / 'src')!r}); from importlinter.cli import lint_imports; "
    code += f"sys.exit(lint_imports(config_filename={str(root / 'pyproject.toml')!r}, no_cache=True))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def ancestors(module: str) -> set[str]:
    """The packages that a module lies in."""
    parts = module.split(".")
    return {".".join(parts[:count]) for count in range(1, len(parts))}


def test_there_are_no_circles() -> None:
    """Wherever an import stands: also inside a function, and also for types alone. It takes in the packages outside."""
    graph = build_graph("metrologue", cache_dir=None)
    assert "metrologue.comparison.harness" in graph.modules  # the tool follows the link
    modules = {
        name: found | {package for each in found for package in ancestors(each)} - ancestors(name) - {name}
        for name in graph.modules
        for found in [graph.find_modules_directly_imported_by(name)]
    }
    try:
        [*TopologicalSorter(modules).static_order()]
    except CycleError as error:
        pytest.fail(f"these import each other in a circle: {' <- '.join(error.args[1])}")

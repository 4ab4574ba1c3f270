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


def test_there_are_no_circles() -> None:
    graph = build_graph("metrologue", cache_dir=None, exclude_type_checking_imports=True)
    graph.squash_module("metrologue.comparison")  # whose results import what prints them, when they are printed
    modules = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    try:
        [*TopologicalSorter(modules).static_order()]
    except CycleError as error:
        pytest.fail(f"these import each other in a circle: {' <- '.join(error.args[1])}")

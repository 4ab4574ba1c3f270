"""Imports run one way: between rooms as pyproject.toml has it, and between modules without circles."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from grimp import build_graph
from importlinter.cli import lint_imports


def test_imports_run_downhill(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = lint_imports(config_filename=str(root / "pyproject.toml"), no_cache=True)
    assert not broken, capsys.readouterr().out


def test_there_are_no_circles() -> None:
    graph = build_graph("metrologue", cache_dir=None, exclude_type_checking_imports=True)
    graph.squash_module("metrologue.comparison")  # whose results import what prints them, when they are printed
    modules = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    try:
        [*TopologicalSorter(modules).static_order()]
    except CycleError as error:
        pytest.fail(f"these import each other in a circle: {' <- '.join(error.args[1])}")

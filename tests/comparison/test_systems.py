"""Every system that the documents name has a module that loads, or a reason why there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import metrologue
from metrologue.comparison.documents.systems import load_systems
from metrologue.errors import InputError
from metrologue.scorers import list_scorers
from metrologue.scorers.core.registry import make_scorer

SYSTEMS = load_systems()
ENTRIES = [entry for entries in SYSTEMS.values() for entry in entries]
# The names of the list that the project began with, in the documents' order.
WITHOUT_MODULE = {"named", "data", "protocol"}


def loads(module: str) -> bool:
    """Whether there is such a module, in the folder that it should have."""
    try:
        return (Path(metrologue.module_path(module)) / f"{module}.py").exists()
    except (InputError, ValueError):
        return False


def test_every_entry_has_a_module_that_loads_or_a_reason() -> None:
    missing = {
        module for entry in ENTRIES if "because" not in entry for module in entry["module"].split() if not loads(module)
    }
    assert not missing, f"systems.toml names modules that there are not yet, without a reason: {sorted(missing)}"


def test_every_variant_there_is() -> None:
    known = {*list_scorers()}
    for entry in ENTRIES:
        if "variant" in entry:
            name = entry["variant"].partition(":")[0]
            assert name in known, entry
            make_scorer(entry["variant"])


def test_what_is_not_built_says_why() -> None:
    for kind in WITHOUT_MODULE:
        assert all(entry["because"] for entry in SYSTEMS[kind]), kind
    for entry in SYSTEMS["built"]:
        assert entry.get("checked") or entry.get("because"), entry


def test_names_are_there_once() -> None:
    names = [entry["name"] for entry in ENTRIES]
    assert len(names) == len({*names})


def test_nothing_of_the_list_is_left_out(shared_data: Path) -> None:
    """The list from which the file was made has no module, and no name, that the file lacks."""
    import tomllib

    path = shared_data.parent / "systems.toml"
    if not path.exists():
        pytest.skip(f"no file {path}")
    given = tomllib.loads(path.read_text("utf-8"))
    ours = {module for entry in ENTRIES for module in entry.get("module", "").split()}
    asked = {module for kind in ("built", "to_build") for entry in given[kind] for module in entry["module"].split()}
    assert asked - ours <= {"compare"}
    for kind in ("named", "data", "protocol"):
        assert len(given[kind]) <= len(SYSTEMS[kind])


def test_page_is_up_to_date(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "docs.systems", "--check"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr

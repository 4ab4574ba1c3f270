"""`--resume` and `--part`, on a small project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from resumed import FILES, PARTS

TESTS = Path(__file__).parent
CONFTEST = """
import pytest
from compared import counted
from resumed import Resume, add_options

pytest_addoption = add_options
pytest_runtest_call = pytest.hookimpl(wrapper=True)(counted)

def pytest_configure(config):
    config.pluginmanager.register(Resume(config))
"""
FIRST = """
import os, pathlib, pytest
from compared import compared

def test_counts():
    compared(20, 19)

@pytest.mark.parametrize("word", ["a", "b c"])
def test_words(word):
    compared(1)

@pytest.mark.slow
def test_skipped():
    pytest.importorskip("no_such_module")

@pytest.fixture
def torn():
    yield
    assert not os.environ.get("TORN")

def test_with_a_fixture(torn):
    pass

@pytest.mark.xfail
def test_that_may_fail():
    assert False
"""
SWEEP = """
import os
from compared import compared

def test_sweep():
    compared(1000, 900)
    assert not os.environ.get("FAILS")
"""

Run = Callable[..., tuple[int, str]]


def git(folder: Path, *words: str) -> str:
    """Its answer, with no settings of the user's."""
    names = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **names, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(["git", *words], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout with a few tests, without changes."""
    written = {
        "pytest.ini": "[pytest]\ntestpaths = tests\nmarkers = slow: long\n",
        ".gitignore": "build\n__pycache__\n.pytest_cache\n",
        "tests/conftest.py": CONFTEST,
        "tests/test_first.py": FIRST,
        "tests/parity/test_sweep.py": SWEEP,
    }
    for name, text in written.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "First")
    return tmp_path


@pytest.fixture
def run(project: Path) -> Run:
    def run(*options: str, **environment: str) -> tuple[int, str]:
        """The exit status, and what is printed."""
        command = [sys.executable, "-m", "pytest", "--resume", *options]
        own = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "METROLOGUE_"))}
        own |= {"PYTHONPATH": str(TESTS), **environment}
        done = subprocess.run(command, cwd=project, env=own, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run


def test_what_has_passed_is_not_run_again(project: Path, run: Run) -> None:
    commit = git(project, "rev-parse", "HEAD")
    status, printed = run(FAILS="1", TORN="1")
    assert status == 1
    assert f"Of all tests on commit {commit}, 1 of everyday, 1 of sweep are left: 4 tests passed, 1 skipped" in printed

    # What failed, also after itself, runs again, and what was skipped. Numbers are added up over both runs.
    status, printed = run("-n", "2")
    assert status == 0, printed
    assert "4 passed earlier" in printed
    assert "2 passed, 1 skipped" in printed
    counts = "1,022 numbers compared with live libraries; of 1,020 whose bits were compared, 919 are equal to the bit"
    assert f"All tests have passed on commit {commit}: 6 tests passed, 1 skipped; {counts}" in printed

    # Other amounts are other tests.
    assert "0 passed earlier" in run("--co", METROLOGUE_EXAMPLES="9")[1]


def test_a_part_alone(project: Path, run: Run) -> None:
    for _ in range(2):
        status, printed = run("--part", "sweep")
        assert status == 0, printed
        assert "4 of everyday, 1 of slow are left" not in printed
        assert "5 of everyday, 1 of slow are left: 1 tests passed" in printed
    assert "1 passed earlier" in printed
    (path,) = (project / "build" / "test-all").glob("*/*.jsonl")
    line = {"test": "tests/parity/test_sweep.py::test_sweep", "outcome": "passed", "compared": [1000, 1000, 900]}
    assert [json.loads(each) for each in path.read_text().splitlines()] == [line]
    # Of a part of the files, it is not known what is left.
    assert "are left" not in run("tests/test_first.py")[1]


def test_a_checkout_with_changes_keeps_nothing(project: Path, run: Run) -> None:
    (project / "new.txt").touch()
    status, printed = run()
    assert status == 0
    assert "all tests run, and what passes is not kept" in printed
    assert not (project / "build").exists()
    # Nor one that changes while the tests run.
    (project / "new.txt").unlink()
    changes = "\ndef test_changes():\n    pathlib.Path('new.txt').touch()\n"
    (project / "tests" / "test_first.py").write_text(FIRST + changes, "utf-8")
    git(project, "commit", "--quiet", "--all", "--message", "Second")
    assert "what passed after that is not kept" in run()[1]
    assert not (project / "build").exists()


def test_every_part_has_its_files_and_is_made(root: Path) -> None:
    assert f"\nPARTS := {' '.join(PARTS)}\n" in (root / "Makefile").read_text("utf-8")
    assert [name for name in FILES if not (root / name).is_file()] == []
    assert [part for part in PARTS if (root / part).exists()] == []

"""`--part`, `--minutes`, `--seed` and `--record`, and `--metric`, on a small project."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from budgets import FILES, PARTS
from one_metric import OneMetric

HELPERS = Path(__file__).parents[1] / "helpers"
CONFTEST = """
import pytest
from budgets import Budget, add_options
from compared import counted

pytest_addoption = add_options
pytest_runtest_call = pytest.hookimpl(wrapper=True)(counted)

def pytest_configure(config):
    config.pluginmanager.register(Budget(config))
"""
FIRST = """
import os, pytest
from compared import compared
from hypothesis import given, settings, strategies as st

def test_counts():
    compared(20, 19)

@pytest.mark.parametrize("word", ["a", "b c"])
def test_words(word):
    compared(1)

@pytest.mark.slow
@settings(max_examples=20)
@given(number=st.integers(0, 10**9))
def test_draws(number):
    print("drawn", number)
    assert number < 10**6 or not os.environ.get("FAILS")

@pytest.mark.xfail
def test_that_may_fail():
    assert False
"""
SWEEP = """
from compared import compared

def test_sweep():
    compared(1000, 900)
"""
ENDLESS = """
import pytest

@pytest.mark.parametrize("one", range(9))
def test_endless(one):
    while True:
        pass
"""

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a few tests."""
    written = {
        "pytest.ini": "[pytest]\ntestpaths = tests\nmarkers = slow: long\n",
        "tests/conftest.py": CONFTEST,
        "tests/test_first.py": FIRST,
        "tests/parity/test_sweep.py": SWEEP,
    }
    for name, text in written.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def run(project: Path) -> Run:
    def run(*options: str, **environment: str) -> tuple[int, str]:
        """The exit status, and what is printed."""
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
        own = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "METROLOGUE_"))}
        own |= {"PYTHONPATH": str(HELPERS), **environment}
        done = subprocess.run(command, cwd=project, env=own, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run


def drawn(printed: str) -> list[str]:
    return re.findall(r"^drawn (\d+)$", printed, re.MULTILINE)


def test_a_part_says_what_it_has_reached(project: Path, run: Run) -> None:
    said = ["rest: 4 of 4 tests reached in 20 minutes, 0 failed; seed 7"]
    said += ["22 numbers compared with live libraries; of 20 whose bits were compared, 19 are equal to the bit"]
    status, printed = run("--part", "rest", "--seed", "7", "-n", "2")
    assert status == 0, printed
    assert "\n".join(said) in printed
    said.append("slow: 1 of 1 tests reached in 12 minutes, 0 failed; seed 20")
    assert said[-1] in run("--part", "slow")[1]
    # The parts of a run are told together at its end.
    told = (project / "build" / "test-all.txt").read_text().splitlines()
    assert told[:2] == said[:2]
    assert told[2].startswith(said[2])
    assert len(told) == 3


def test_a_failure_prints_the_command_that_repeats_it(run: Run) -> None:
    status, printed = run("--part", "slow", "--seed", "7", FAILS="1")
    assert status == 1
    [(options, test)] = re.findall(r"^METROLOGUE_EXAMPLES=\d+ python -m pytest -m '' (--seed 7) (.*)$", printed, re.M)
    assert test == "tests/test_first.py::test_draws"
    again = run("-m", "", *options.split(), test, FAILS="1")
    assert again[0] == 1
    assert drawn(printed) == drawn(again[1]) != []
    assert drawn(printed) != drawn(run("-m", "", "--seed", "8", test, FAILS="1")[1])


def test_what_does_not_fit_is_left_to_another_seed(project: Path, run: Run) -> None:
    (project / "tests" / "test_first.py").write_text(ENDLESS, "utf-8")
    status, printed = run("--minutes", "0.02", "--part", "rest")
    assert status in (0, 5)
    assert re.search(r"rest: [01] of 9 tests reached in 0.02 minutes, 0 failed", printed), printed
    (project / "tests" / "test_first.py").write_text(FIRST + ENDLESS.replace("while True", "while one < 0"), "utf-8")
    orders = [run("--co", "-q", "--seed", seed)[1].splitlines()[:16] for seed in "12"]
    assert orders[0] != orders[1]
    # A test of every function comes before a second one of any.
    functions = [[test.partition("[")[0] for test in order] for order in orders]
    assert len({*functions[0][:6]}) == len({*functions[1][:6]}) == 6


def test_what_was_compared_is_recorded(project: Path, run: Run) -> None:
    for seed in ("1", "2"):
        assert run("--part", "sweep", "--record", "--seed", seed)[0] == 0
    lines = [json.loads(line) for line in (project / "tests" / "compared.jsonl").read_text().splitlines()]
    assert [line["seed"] for line in lines] == [1, 2]
    counts = {"compared": 1000, "to the bit": 1000, "equal to the bit": 900, "differences": 0, "part": "sweep"}
    assert counts.items() <= lines[0].items()
    assert lines[0].keys() == {*counts, "seed", "date", "commit"}


def test_each_part_is_made_and_all_end_in_an_hour(root: Path) -> None:
    assert f"\nPARTS := {' '.join(PARTS)}\n" in (root / "Makefile").read_text("utf-8")
    assert sum(PARTS.values()) < 60
    assert [name for name in FILES if not (root / name).is_file()] == []
    assert [part for part in PARTS if (root / part).exists()] == []


def collected(root: Path, *options: str) -> set[str]:
    """The ids of the tests of this project."""
    command = [sys.executable, "-m", "pytest", "-q", "--co", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    return {line for line in done.stdout.splitlines() if "::" in line and line.startswith(("src/", "tests/"))}


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["meteor", "peak"])
def test_no_test_of_a_metric_is_in_a_file_that_is_left_out(metric: str, root: Path) -> None:
    """A file is read as a text first. A tokenizer may have a metric's name, and is none."""
    chosen = OneMetric(metric, root)
    missing = {test for test in collected(root) if chosen.is_its(test)} - collected(root, "--metric", metric)
    assert {test.partition("::")[0] for test in missing} <= {"tests/properties/test_tokenizers.py"}


def test_of_one_metric_only_its_tests_are_collected(root: Path) -> None:
    files = [
        "tests/metrics",
        "tests/parity/test_contract.py",
        "tests/properties/test_layers.py",
        "src/metrologue/scorers",
    ]
    tests = collected(root, "--metric", "masi", *files)
    assert {test.partition("::")[0] for test in tests} == {
        "src/metrologue/scorers/masi/__init__.py",
        "tests/metrics/masi/plain.py",
        "tests/metrics/masi/test_properties.py",
        "tests/parity/test_contract.py",
    }

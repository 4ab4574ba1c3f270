"""`make mutants`: the changes that it makes, its sample, and what it keeps."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutants import __main__ as mutants
from tools.mutants.mutations import mutants_of
from tools.mutants.records import Outcome, Records

SOURCE = b'''"""Text."""
__all__ = ["a"]
LIMIT = 4
WORDS = ("ab",)

def a(x: int, y: float = 0.0) -> bool:
    """More text."""
    if not (x < LIMIT and y == 1):
        raise ValueError(f"{x} is too large: {x + 1}")
    x += 1
    return min(x, 2) ** 2 > y  # \xc3\xa9 and a comment
'''

TESTS = """
import os, time
began = time.process_time()
def begun(name):
    with open("order.txt", "a") as file:
        file.write(name + " ")
def test_slow():
    begun("slow")
    while time.process_time() - began < 0.2:
        pass
def test_quick():
    begun("quick")
def test_endless():
    begun("endless")
    while "QUICK" not in os.environ:
        pass
"""


def changed(source: bytes, strings: bool = False) -> list[str]:
    """The line of each change, after it."""
    found = []
    for each in mutants_of("a.py", source, strings):
        lines = each.applied(source).decode().splitlines()
        compile("\n".join(lines), "a.py", "exec")
        found.append(lines[each.line - 1].strip())
    return found


def test_changes_of_code_and_none_of_messages() -> None:
    assert changed(SOURCE) == [
        "LIMIT = 5",
        "def a(x: int, y: float = 1.0) -> bool:",
        "if  (x < LIMIT and y == 1):",
        "if not (x <= LIMIT and y == 1):",
        "if not (x < LIMIT or y == 1):",
        "if not (x < LIMIT and y != 1):",
        "if not (x < LIMIT and y == 2):",
        "pass",
        "x += 2",
        "return max(x, 2) ** 2 > y  # é and a comment",
        "return min(x, 3) ** 2 > y  # é and a comment",
        "return min(x, 2) * 2 > y  # é and a comment",
        "return min(x, 2) ** 3 > y  # é and a comment",
        "return min(x, 2) ** 2 >= y  # é and a comment",
    ]


def test_texts_are_changed_where_they_are_rules() -> None:
    assert {*changed(SOURCE, strings=True)} - {*changed(SOURCE)} <= {"WORDS = ('a',)", "WORDS = ('b',)"}
    assert len(changed(SOURCE, strings=True)) == len(changed(SOURCE)) + 1


def test_a_change_keeps_its_name_when_other_lines_change() -> None:
    moved = SOURCE.replace(b"LIMIT = 4\n", b"# A comment.\n\nLIMIT = 4\nOTHER = 1\n")
    keys = {each.key for each in mutants_of("a.py", SOURCE)}
    assert len(keys) == 14
    assert keys < {each.key for each in mutants_of("a.py", moved)}


def test_a_larger_sample_has_a_smaller_one() -> None:
    area = "tokenizers"
    assert mutants.drawn(area, 9, 1) == mutants.drawn(area, 12, 1)[:9] != mutants.drawn(area, 9, 2)


@pytest.mark.parametrize("area", mutants.SETTINGS["areas"])
def test_every_area_has_files_and_tests(area: str) -> None:
    files = mutants.files_of(area)
    assert files
    metrics = {"bleu": ["bleu"]}
    for path in files:
        for step in mutants.steps_of(area, path, metrics):
            assert all((mutants.ROOT / part).exists() for part in step if part.endswith(".py") or "tests/" in part), (
                step
            )


def test_every_reason_is_of_a_line_that_is_there() -> None:
    for each in mutants.REASONS:
        found = mutants_of(each["path"], (mutants.ROOT / each["path"]).read_bytes(), strings=True)
        assert any(mutants.reason(one) == each["why"] for one in found), each


@pytest.mark.parametrize(
    ("result", "file", "known"),
    [
        ("killed", "a.py", False),
        ("survived", "a.py", False),
        ("killed", "test_a.py", True),
        ("survived", "test_a.py", False),
    ],
)
def test_what_was_tried_holds_until_the_file_or_the_tests_change(
    result: str, file: str, known: bool, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_bytes(SOURCE)
    (tmp_path / "test_a.py").write_text("")
    mutant = mutants_of("a.py", SOURCE)[0]
    records = Records(tmp_path / "results.jsonl", tmp_path)
    records.add(mutant, Outcome(result, "", 1.0, ("test_a.py",)), tmp_path)
    again = Records(tmp_path / "results.jsonl", tmp_path)
    assert again.outcome(mutant) == Outcome(result, "", 1.0, ("test_a.py",))
    (tmp_path / file).write_text("LIMIT = 4\n")
    assert (again.outcome(mutant) is not None) is known


def test_a_reason_may_be_of_one_of_two_places_of_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (each for each in mutants_of("a.py", b"a = [0, 0]\n"))
    told = {"path": "a.py", "text": "a = [0, 0]", "before": "0", "why": "b"}
    monkeypatch.setattr(mutants, "REASONS", [told])
    assert [mutants.reason(one), mutants.reason(other)] == ["b", "b"]
    monkeypatch.setattr(mutants, "REASONS", [told | {"repeated": 1}])
    assert [mutants.reason(one), mutants.reason(other)] == [None, "b"]


def test_files_are_known_by_what_they_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(SOURCE)
    records = Records(tmp_path / "results.jsonl", tmp_path)
    for mutant, test in zip(mutants_of("a.py", SOURCE), ("b.py::one", "b.py::other[1]", "c.py::one"), strict=False):
        records.add(mutant, Outcome("killed", test, 1.0, ()), tmp_path)
    assert records.noticed("a.py") == {"b.py": 2, "c.py": 1}
    assert not records.noticed("b.py")


def test_quick_tests_come_first_and_an_endless_one_ends(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(TESTS)
    current, times = tmp_path / "current.txt", tmp_path / "seconds.json"
    code = f"""
import os, pytest
from pathlib import Path
from tools.mutants.watch import Watch
watch = Watch(Path({str(current)!r}), Path({str(times)!r}), limit=1, quick="ONLY" in os.environ)
watch.begin()
raise SystemExit(pytest.main(["-q", "-p", "no:cacheprovider", "test_a.py"], plugins=[watch]))
"""
    environment = os.environ | {"PYTHONPATH": str(mutants.ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run(**more: str) -> int:
        return subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment | more, check=False
        ).returncode

    assert run(QUICK="yes") == 0
    assert (tmp_path / "order.txt").read_text() == "slow quick endless "
    assert run(QUICK="yes", ONLY="yes") == 0
    assert (tmp_path / "order.txt").read_text() == "slow quick endless quick endless "
    assert run() == -signal.SIGXCPU
    assert (tmp_path / "order.txt").read_text() == "slow quick endless " + 2 * "quick endless "
    assert current.read_text() == "test_a.py::test_endless"

"""`make mutants`: the changes that it makes, its sample, and what it keeps."""

from __future__ import annotations

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

"""CONTRIBUTING.md and docs/architecture.md: what they show runs, and what they quote is in the code."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from metrologue.cli import main

DOCUMENTS = ("CONTRIBUTING.md", "docs/architecture.md")


@pytest.fixture(params=DOCUMENTS)
def document(request: pytest.FixtureRequest, root: Path) -> Path:
    return root / request.param


def blocks(document: Path, language: str) -> list[str]:
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```$", document.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found
    return found


def test_sessions_print_what_they_show(document: Path) -> None:
    sessions = [block for block in blocks(document, "python") if block.startswith(">>>")]
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {"__name__": "shown"}, document.name, None, None)
    assert len(test.examples) > 5
    report: list[str] = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


def test_what_is_quoted_is_in_its_file(root: Path) -> None:
    """The first line of a quotation names the file; a line of dots stands for what is left out."""
    quoted = [block for block in blocks(root / "CONTRIBUTING.md", "python") if not block.startswith(">>>")]
    assert len(quoted) > 5
    for block in quoted:
        name, _, rest = block.partition("\n")
        text = (root / name.removeprefix("# ")).read_text("utf-8")
        for part in rest.split("...\n"):
            before, found, text = text.partition(part)
            assert found, f"{name} has not, or not in this order:\n{part}"
            assert before.endswith("\n"), "whole lines are quoted"


def test_every_command_is_one(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("hyp.txt", "ref.txt"):
        (tmp_path / name).write_text(f"the {name} is on the mat\n")
    makefile = (root / "Makefile").read_text("utf-8")
    commands = [shlex.split(line, comments=True) for block in blocks(root / "CONTRIBUTING.md", "sh")
                for line in block.splitlines()]  # fmt: skip
    for program, *arguments in commands:
        if program == "make":
            assert re.search(rf"^{arguments[0]}:", makefile, re.MULTILINE), arguments
            assert all(f"$({variable.partition('=')[0]})" in makefile for variable in arguments[1:])
        elif program == "python":
            assert (root / arguments[0]).is_file(), arguments
        else:
            assert program == "metrologue"
            result = CliRunner().invoke(main, arguments)
            assert result.exit_code == 0, (arguments, result.output)


def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text("utf-8"))
    assert targets
    assert [target for target in targets if not (document.parent / target).is_file()] == []


def test_paths_and_modules_that_are_named_are_there(document: Path, root: Path) -> None:
    folders = "metrologue|metrics|tests|comparison|docs|benchmarks|tools"
    named = re.findall(rf"`((?:{folders})/[\w./-]*)`", document.read_text("utf-8"))
    assert named
    assert [path for path in named if not re.search("METRIC|MODULE|NAME", path) and not (root / path).exists()] == []

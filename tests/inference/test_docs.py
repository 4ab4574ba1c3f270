"""docs/significance.md and the README's section on significance: what they show is what is printed."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from metrologue.cli import main


def test_the_page_on_significance(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    page = (root / "docs" / "significance.md").read_text("utf-8")
    examples = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    printed: list[str] = []
    test = doctest.DocTestParser().get_doctest(examples, {}, "significance.md", None, None)
    result = doctest.DocTestRunner().run(test, out=printed.append)
    assert result.attempted > 10
    assert not result.failed, "".join(printed)


def test_the_table_in_the_readme(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = (root / "README.md").read_text("utf-8").partition("## Is the difference real?\n")[2].partition("\n## ")[0]
    (session,) = re.findall(r"```text\n(.*?)\n```", section, re.DOTALL)
    entered, run, *table = session.splitlines()
    folder, command = entered.removeprefix("$ cd "), run.removeprefix("$ metrologue ")
    monkeypatch.chdir(root / folder)
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == 0, result.output
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert len(table) == 4
    assert lines[:4] == table

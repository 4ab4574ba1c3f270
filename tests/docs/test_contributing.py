"""The pages for developers: what they show runs, and what they quote is in the code."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

import metrologue.author
from metrologue.scorers import Scorer

DOCUMENTS = (
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/author.md",
    "docs/developing.md",
    "docs/pairwise.md",
    "docs/scale.md",
)


@pytest.fixture(params=DOCUMENTS)
def document(request: pytest.FixtureRequest, root: Path) -> Path:
    return root / request.param


def blocks(document: Path, language: str) -> list[str]:
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```$", document.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found
    return found


def test_sessions_print_what_they_show(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = [block for block in blocks(document, "python") if block.startswith(">>>")]
    monkeypatch.setattr(Scorer._registered, "_loaded", {**Scorer._registered._loaded})  # a page may define a metric
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {"__name__": "shown"}, document.name, None, None)
    assert len(test.examples) > 2
    report: list[str] = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


def test_the_page_for_authors_tells_of_each_name(root: Path) -> None:
    names = (root / "docs" / "author.md").read_text("utf-8").partition("## The names")[2]
    told = {name for line in names.splitlines() if line.startswith("| `") for name in re.findall(r"`(\w+)`", line)}
    assert told == {*metrologue.author.__all__}


def test_what_is_quoted_is_in_its_file(root: Path) -> None:
    """The first line of a quotation names the file; a line of dots stands for what is left out."""
    pages = [root / "CONTRIBUTING.md", root / "docs" / "developing.md"]
    quoted = [each for page in pages for each in blocks(page, "python") if not each.startswith(">>>")]
    assert len(quoted) > 5
    for block in quoted:
        name, _, rest = block.partition("\n")
        text = (root / name.removeprefix("# ")).read_text("utf-8")
        for part in rest.split("...\n"):
            before, found, text = text.partition(part)
            assert found, f"{name} has not, or not in this order:\n{part}"
            assert before.endswith("\n"), "whole lines are quoted"


def test_every_command_is_one(root: Path) -> None:
    makefile = (root / "Makefile").read_text("utf-8")
    lines = "".join(blocks(root / "CONTRIBUTING.md", "sh") + blocks(root / "docs" / "developing.md", "sh")).splitlines()
    for program, target, *variables in (shlex.split(line, comments=True) for line in lines):
        if program == "make":
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
            assert all(f"$({variable.partition('=')[0]})" in makefile for variable in variables)
        else:
            assert (program, (root / target).is_file()) == ("python", True), target


def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text("utf-8"))
    assert targets
    assert [target for target in targets if not (document.parent / target).is_file()] == []


def test_paths_and_modules_that_are_named_are_there(document: Path, root: Path) -> None:
    folders = "src|metrics|tests|comparison|docs|benchmarks|examples|tools"
    named = re.findall(rf"`((?:{folders})/[\w./-]*)`", document.read_text("utf-8"))
    assert named
    assert [path for path in named if not re.search("METRIC|MODULE|NAME", path) and not (root / path).exists()] == []

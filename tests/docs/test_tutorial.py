"""The tutorials: a reader who types a page from its top sees what it shows, and its text has no other numbers."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "tutorial"
PAGES = sorted(path.stem for path in FOLDER.glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DECIMAL = re.compile(r"\d+\.\d+")


def printed(command: str, folder: Path) -> str:
    """What a shell prints, without what goes to standard error."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "COLUMNS": "120"}
    done = subprocess.run(["sh", "-ec", command], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_a_tutorial_shows_what_its_reader_sees(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (FOLDER / f"{page}.md").read_text("utf-8")
    names: dict[str, object] = {}
    seen = []
    for language, block in BLOCK.findall(text):
        if language == "sh":
            printed(block, tmp_path)
        elif language == "python":
            test = doctest.DocTestParser().get_doctest(block, names, page, None, None)
            report: list[str] = []
            doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
            assert not report, "".join(report)
            names = test.globs
            seen.append(block)
        else:
            for typed in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = typed.partition("\n")
                found = re.sub(r" +$", "", printed(command, tmp_path), flags=re.MULTILINE)  # as editors do
                assert doctest.OutputChecker().check_output(shown, found, doctest.ELLIPSIS), f"$ {command}\n{found}"
                seen.append(shown)
    assert seen
    numbers = [float(number) for each in seen for number in DECIMAL.findall(each)]
    shown_as = {f"{number * scale:.2f}" for number in numbers for scale in (1, 100)}
    told = DECIMAL.findall(BLOCK.sub("", text))
    assert [number for number in told if number not in shown_as] == []

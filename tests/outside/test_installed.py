"""An outside package, built and installed into an environment of its own, goes everywhere where ours go."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

PACKAGE = Path(__file__).with_name("wordgap")
HYPOTHESES, OTHERS, REFERENCES = "a b c\nd e\nx y z\n", "a b\nd e f\nx\n", "a b\nd e f g\nx y z\n"
COMMANDS = [
    ["score", "word_gap", "-p", "h", "-r", "r"],
    ["score", "word_gap:marks[floor=2]", "bleu", "-p", "h", "-p", "o", "-r", "r"],
    ["score", "word_gap", "-p", "h", "-r", "r", "--cite"],
    ["score", "word_gap", "-p", "h", "-p", "o", "-r", "r", "-ci"],
    ["list"],
    ["list", "word_gap"],
    ["trace", "word_gap", "-p", "h", "-r", "r", "--segment", "1"],
    ["explain", "word_gap", "wordgap", "marks", "-p", "h", "-r", "r"],
    ["compare", "word_gap", "-p", "h", "-p", "o", "-r", "r"],
    ["report", "word_gap", "-p", "h", "-r", "r", "--out", "report.html"],
    ["which", "word_gap", "0.333", "-p", "h", "-r", "r"],
    ["doctor", "-p", "h", "-r", "r"],
    ["mbr", "word_gap", "-c", "c.jsonl"],
    ["install", "word_gap"],
    ["warmup", "word_gap"],
    ["publish", "--help"],
]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has what this one has, and the package besides."""
    folder = tmp_path_factory.mktemp("outside")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True).stdout.strip())
    here = [place for place in sys.path if place and Path(place).is_dir()]
    (site / "here.pth").write_text("\n".join(here), "utf-8")
    shutil.copytree(PACKAGE, folder / "source", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    build = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", str(folder / "source")]
    subprocess.run([python, *build], check=True, cwd=folder)
    assert (site / "wordgap" / "formula.tex").is_file()
    return python


@pytest.fixture
def run(python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    candidates = '["a b", "a b c"]\n["d", "d e"]\n'
    for name, text in (("h", HYPOTHESES), ("o", OTHERS), ("r", REFERENCES), ("c.jsonl", candidates)):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))

    def result(code: str) -> str:
        done = subprocess.run([python, "-W", "ignore", "-c", code], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return result


def test_every_command(run: Callable[..., str]) -> None:
    told = run(f"""
import contextlib, io, json
from metrologue.cli import main
told = {{}}
for words in {COMMANDS!r}:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            main(words)
        except SystemExit as end:
            told[" ".join(words)] = [end.code or 0, out.getvalue()]
print(json.dumps(told))
""")
    found = json.loads(told.splitlines()[-1])
    # `doctor` and `which` say by their status what they found.
    failed = [words for words, (code, _) in found.items() if code > (words.split()[0] in ("doctor", "which"))]
    assert failed == []
    said = {words: text for words, (_, text) in found.items()}
    assert "package=wordgap-0.3" in said["score word_gap -p h -r r"]
    assert "The word gap" in said["score word_gap -p h -r r --cite"]
    assert "word_gap" in said["list"]
    assert "The least length of references." in said["list word_gap"]
    assert "word_gap = 1/2 = 0.5" in said["trace word_gap -p h -r r --segment 1"]


def test_checks_module_and_pages(run: Callable[..., str]) -> None:
    told = run("""
import metrologue
from metrologue.testing import check_metric
scorer = metrologue.recommended("word_gap")
assert "wordgap" in metrologue.module_path("word_gap")
module = metrologue.load("word_gap:marks", floor=2)
print(module.compute(predictions=["a b, c"], references=["a"], signature=True))
assert "Nobody" in module.citation
check_metric(scorer)
check_metric(type(scorer).variant("marks"))
from metrologue.pages.formulas import definition_html, list_definitions
assert "word_gap" in list_definitions() and "the words of its reference" in definition_html("word_gap")
import importlib.util
if importlib.util.find_spec("gradio"):
    from metrologue.pages.gradio_page import build, build_all
    build("word_gap", metrologue.module_path("word_gap") + "/app.py")
    build_all(metrologue.module_path("word_gap") + "/app.py")
import pickle
totals = scorer.accumulate(["a b"], ["a"]).merge(scorer.accumulate(["c"], ["c d"]))
print(pickle.loads(pickle.dumps(scorer)).score_totals(totals).value)
""")
    module, value = told.splitlines()[-2:]
    assert module.startswith("{'word_gap': 1.5, 'signature': 'word_gap|")
    assert float(value) == 2 / 3

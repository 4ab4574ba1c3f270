"""`make goldens`: the commands are those in the docstrings of the scripts, and run with the places that are given."""

from __future__ import annotations

import importlib.util
import runpy
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def tool(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("goldens_tool", root / "tools" / "goldens.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_script_that_records_has_its_commands(tool: ModuleType, root: Path) -> None:
    metrics = root / "tests" / "metrics"
    found = {script for folder in metrics.iterdir() if folder.is_dir() for script in tool.recipes(folder)}
    assert found == {*metrics.glob("*/record.py"), metrics / "nist_mt" / "mteval.py"}
    [(script, commands)] = tool.recipes(root / "tests" / "bridge").items()
    assert (script.name, commands) == ("record.py", ["python tests/bridge/record.py MODULES METRIC"])


def test_a_command_runs_with_the_places_that_are_given(tool: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "say.py").write_text("import sys\nprint(sys.argv[1])", "utf-8")
    made = tool.run("python say.py PATH/x.pl > out.json", {"PATH": "/where"}, tmp_path)
    assert made == tmp_path / "out.json"
    assert made.read_text("utf-8") == "/where/x.pl\n"
    with pytest.raises(tool.Missing, match="needs SOURCES; give SOURCES=PLACE"):
        tool.run("python say.py SOURCES 1 > out.json", {}, tmp_path)
    with pytest.raises(subprocess.CalledProcessError):
        tool.run("python none.py > out.json", {}, tmp_path)
    assert made.read_text("utf-8") == "/where/x.pl\n"


@pytest.mark.parametrize(
    ("parameters", "columns"),
    [
        ("texts", ["predictions"]),
        ("texts, references", ["predictions", "references"]),
        ("texts, sources", ["predictions", "sources"]),
        ("texts, sources, references, limit=3", ["predictions", "sources", "references"]),
    ],
)
def test_a_definition_names_the_inputs_that_it_takes(
    root: Path, tmp_path: Path, parameters: str, columns: list[str]
) -> None:
    script, plain = tmp_path / "parity" / "goldens.py", tmp_path / "metrics" / "kept" / "plain.py"
    for path in (script, plain):
        path.parent.mkdir(parents=True)
    shutil.copyfile(root / "tests" / "parity" / "goldens.py", script)
    plain.write_text(f'"""Words."""\n\ndef kept({parameters}):\n    return sum(map(len, texts))\n', "utf-8")
    [golden] = runpy.run_path(str(script))["plain_goldens"](["kept"])
    assert [key for key in golden if key in ("predictions", "references", "sources")] == columns
    assert {len(golden[name]) for name in columns} == {6}
    assert all(isinstance(text, str) for text in golden.get("sources", []))
    assert golden["scores"]["corpus"] == {"kept": 16}

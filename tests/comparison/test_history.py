"""The table of older versions: what it has, that our variants give its numbers, and what is said of it."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner
from needs import provide
from packaging.version import Version

from metrologue.cli import main
from metrologue.comparison import compare
from metrologue.comparison.libraries import get_library
from metrologue.comparison.libraries.history import LINES, Call, Versions, calls, change, missing
from metrologue.scorers import Bleu, Masi, Ribes, get_scorer

CALLS = calls()
RUNS = [
    pytest.param(call, run, id=f"{call.library}-{call.name}-{run.first}") for call in CALLS for run in call.versions
]
PREDICTIONS = ["the cat sat on a mat", "a dog ran home"]
REFERENCES = ["the cat sat on the mat", "the dog ran home again"]


@pytest.fixture(scope="module")
def tool(root: Path) -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("history_tool", root / "tools" / "history.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture(scope="module")
def documents(tool: ModuleType) -> dict[str, Any]:
    texts: dict[str, Any] = tool.texts()
    return texts


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """nltk looks like 3.8.1."""
    version = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "3.8.1" if name == "nltk" else version(name))


def test_all_calls_of_the_tool_are_in_the_table(tool: ModuleType) -> None:
    libraries = {call.library for call in CALLS}
    assert libraries >= {"nltk", "sacrebleu", "rouge_score", "jiwer"}
    asked = {(library, name) for library in libraries for name in tool.CALLS[library]}
    assert {(call.library, call.name) for call in CALLS} == asked
    for call in CALLS:
        assert (call.metric, call.variant, call.fields) == tool.CALLS[call.library][call.name]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.library}-{call.name}")
def test_the_versions_of_a_call_follow_each_other(tool: ModuleType, call: Call) -> None:
    ends = [Version(end) for run in call.versions for end in (run.first, run.last)]
    assert ends == sorted(ends)
    assert call.versions[-1].variant == call.variant, "the newest version gives the number of its variant"
    resolution = max(get_library(call.library).resolution, 1e-12)
    known = json.loads(tool.RECORD.read_text("utf-8"))["libraries"][call.library]["versions"]
    for before, after in zip(call.versions, call.versions[1:], strict=False):
        between = known[known.index(before.last) + 1 : known.index(after.first)]
        assert between or not tool.same(before.numbers, after.numbers, resolution), "or versions without this call"
    for run in call.versions:
        assert bool(run.variant) != bool(run.because), "a variant, or why there is none"
        assert all(name not in missing(call.library) for name in (run.first, run.last))


@pytest.mark.parametrize(("call", "run"), RUNS)
def test_a_variant_gives_the_numbers_of_its_versions(
    request: pytest.FixtureRequest, tool: ModuleType, documents: dict[str, Any], call: Call, run: Versions
) -> None:
    """On the documents' texts, and on the real lines where they are."""
    scorer = call.scorer(run)
    if scorer is None or run.variant is None:
        assert run.because
        return
    provide(request, get_scorer(call.metric).variants()[run.variant].needs)
    assert {*documents} >= {*run.numbers} - {LINES}
    resolution = max(get_library(call.library).resolution, 1e-12)
    compared = 0
    for name, (predictions, references) in documents.items():
        number = run.numbers[name]
        if isinstance(number, float | int):
            ours = call.number(scorer, predictions, references)
            assert tool.same_number(ours, number, resolution), name
            compared += 1
    assert compared, "a version that refuses all texts is not in the table"


def test_an_older_version_is_told() -> None:
    found = change(Masi.variant("nltk"), "3.6.7")
    assert found is not None
    assert found.before == Masi.variant("nltk-3.8.1")
    assert found.since == "3.10.1"
    # Between two versions of the table, and before its first one.
    assert change(Masi.variant("nltk"), "3.10.0.post1") is not None
    assert change(Masi.variant("nltk"), "3.10.5") is None
    assert change(Masi.variant("nltk"), "3.1") is None
    # What is changed in the scorer that is asked about stays.
    kept = change(Ribes.variant("nltk", alpha=0.5), "3.8.1")
    assert kept is not None
    assert kept.before == Ribes.variant("nltk-3.8.1", alpha=0.5)
    # A call with options has a change of its own.
    assert change(Bleu.variant("nltk"), "3.5") is None
    added = change(Bleu.variant("nltk", smoothing="add-k"), "3.5")
    assert added is not None
    assert added.before == Bleu.variant("nltk", smoothing="add-k", smooth_from=1)


def test_compare_names_the_change(monkeypatch: pytest.MonkeyPatch, installed: None) -> None:
    """The library that is installed prints the older number: it is explained, and not a residual."""
    older, newer = (Masi.variant(name).corpus(PREDICTIONS, REFERENCES) for name in ("nltk-3.8.1", "nltk"))
    assert older.value != newer.value
    monkeypatch.setattr(
        "metrologue.comparison.libraries.nltk.Nltk.score_masi", lambda self, *texts: {"masi": older.value}
    )
    found = compare({"one": PREDICTIONS}, REFERENCES, "masi", libraries=["nltk"], confidence=None)
    [number] = found.changes
    assert number.change is not None
    assert number.change.startswith(
        f"your nltk 3.8.1 prints {older.value:.4g}; since 3.10.1 it is {newer.value:.4g} (subset_weight was 0.67 and is"
    )
    assert not found.residuals
    assert number.change in found.to_markdown().replace("\\_", "_")
    # A number that no version printed stays unexplained.
    monkeypatch.setattr("metrologue.comparison.libraries.nltk.Nltk.score_masi", lambda self, *texts: {"masi": 0.3})
    found = compare({"one": PREDICTIONS}, REFERENCES, "masi", libraries=["nltk"], confidence=None)
    assert not found.changes
    assert [each.name for each in found.residuals] == ["nltk"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, lines in (("hyp.txt", PREDICTIONS), ("ref.txt", REFERENCES)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    return ["-p", str(tmp_path / "hyp.txt"), "-r", str(tmp_path / "ref.txt")]


def test_explain_names_the_change(monkeypatch: pytest.MonkeyPatch, installed: None, files: list[str]) -> None:
    def said() -> str:
        return " ".join(CliRunner().invoke(main, ["explain", "masi", "nltk", "metrologue", *files]).output.split())

    older, newer = (Masi.variant(name).corpus(PREDICTIONS, REFERENCES).value for name in ("nltk-3.8.1", "nltk"))
    assert f"your nltk 3.8.1 prints {older:.4g}; since 3.10.1 it is {newer:.4g}" in said()
    monkeypatch.undo()
    assert "your nltk" not in said()


def test_list_has_the_versions() -> None:
    output = CliRunner().invoke(main, ["list", "masi", "--versions"]).output
    [first, second] = [line.split() for line in output.splitlines() if " to " in line][:2]
    assert first[:2] == ["nltk", "masi_distance"]
    assert "nltk-3.8.1" in first
    assert "nltk" in second
    assert "0.33 and is 0.3333" in " ".join(output.split())
    assert "give one" in CliRunner().invoke(main, ["list", "--versions"]).output
    assert "no library's older versions" in CliRunner().invoke(main, ["list", "wmd", "--versions"]).output


@pytest.fixture
def stub(tool: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """jiwer has four versions: the second cannot be installed, and the third changes the number."""
    monkeypatch.setattr(tool, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(tool, "RECORD", tmp_path / "history.json")
    monkeypatch.setattr(tool, "versions", lambda library: ["1", "2", "3", "4"])
    monkeypatch.setattr(tool, "texts", lambda: {"one": (["a b"], [["a c"]])})
    monkeypatch.setattr(tool, "CALLS", {"jiwer": {"wer": tool.CALLS["jiwer"]["wer"]}})
    asked: list[str] = []

    def output(command: list[str], given: str | None = None, **environment: str) -> str:
        if given is None:
            [version] = [word.partition("==")[2] for word in command if word.startswith("jiwer==")] or [""]
            if not version or "--no-deps" in command:  # the second try of a version that cannot be built
                raise subprocess.CalledProcessError(1, command, stderr="x\nno such wheel\n")
            asked.append(version)
            if asked[-1] == "2":
                raise subprocess.CalledProcessError(1, command, stderr="x\nError: a build\n")
            if asked[-1] == "4" and asked.count("4") == 1:
                raise KeyboardInterrupt
            return ""
        number = 0.25 if asked[-1] == "1" else 0.5
        return json.dumps({"version": asked[-1], "calls": {"wer": {"one": number}}})

    monkeypatch.setattr(tool, "output", output)
    return asked


def test_the_tool_goes_on_where_it_ended(tool: ModuleType, stub: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        tool.main([])
    assert stub == ["1", "2", "3", "4"]
    assert not tool.RECORD.exists()
    del stub[:3]
    tool.main([])
    # What gave numbers is not asked again; what could not be installed is.
    assert stub == ["4", "2", "4"]
    told = json.loads(tool.RECORD.read_text("utf-8"))["libraries"]["jiwer"]
    assert told["versions"] == ["1", "3", "4"]
    assert told["missing"] == {"2": "Error: a build"}
    old, new = told["calls"]["wer"]["versions"]
    assert (old["first"], old["last"], old["variant"], old["numbers"]) == ("1", "1", None, {"one": 0.25})
    assert (new["first"], new["last"], new["variant"], new["numbers"]) == ("3", "4", "jiwer", [0.5])
    assert "jiwer 2: no number: Error: a build" in capsys.readouterr().out


def test_another_question_is_asked_anew(tool: ModuleType, stub: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    stub.append("4")
    tool.main([])
    del stub[:]
    monkeypatch.setattr(tool, "texts", lambda: {"one": (["a b"], [["a d"]])})
    stub.append("4")
    tool.main([])
    assert stub == ["4", "1", "2", "3", "4"]

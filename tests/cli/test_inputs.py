"""Contexts of dialogues from files: in text, JSON Lines and tables, for scores, traces and correlations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from metrologue.cli import main
from metrologue.language_models import FunctionModel, NamedModel
from metrologue.scorers import Fed

RESPONSES = ["Really? Tell me more!", "That is boring.", "I like dogs."]
CONTEXTS = [["I sold a cat."], ["Hi!", "What is new?"], []]
RATINGS = [3, 1, 2]


def words(text: str) -> list[tuple[str, float]]:
    said = text.lower().split()
    return [(word, -1.0 if word in said[:at] else -5.0) for at, word in enumerate(said)]


AGAIN = FunctionModel("again", lambda texts: [*map(words, texts)], "1")
FED = Fed(model=AGAIN, separator="newline")
FORMS = {
    "tabs.txt": "".join("\t".join(turns) + "\n" for turns in CONTEXTS),
    "marks.txt": "".join(" __eou__ ".join(turns) + "\n" for turns in CONTEXTS),
    "lists.jsonl": "".join(json.dumps(turns) + "\n" for turns in CONTEXTS),
    "lines.jsonl": "".join(json.dumps({"before": "\n".join(turns), "id": 3}) + "\n" for turns in CONTEXTS),
    "cells.tsv": "id\tbefore\n" + "".join(f"3\t{'__eou__'.join(turns)}\n" for turns in CONTEXTS),
    "bars.txt": "".join("|".join(turns) + "\n" for turns in CONTEXTS),
}
KEYED = ["--context-key", "before"]
OPTIONS = {"bars.txt": ["--turn-separator", "|"], "lines.jsonl": KEYED, "cells.tsv": KEYED}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "responses").write_text("".join(f"{each}\n" for each in RESPONSES))
    bare = [{"hypothesis": text, "ratings": {"overall": each}} for text, each in zip(RESPONSES, RATINGS, strict=True)]
    rated = [{**line, "context": turns} for line, turns in zip(bare, CONTEXTS, strict=True)]
    for name, lines in (("bare", bare), ("rated", rated)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for name, text in FORMS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(autouse=True)
def in_use() -> NamedModel:
    """The model is found by its name as long as somebody holds it."""
    return NamedModel.of(AGAIN)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def fed(*arguments: str) -> Result:
    return run(*arguments, "--set", f"model={NamedModel.of(AGAIN)}", "--set", "separator=newline")


def segments(result: Result) -> list[float]:
    """The primary numbers of --per-segment."""
    assert result.exit_code == 0, result.output
    lines = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    return [float(line[2]) for line in lines[1:]]


@pytest.mark.parametrize("name", FORMS)
def test_each_form_has_the_same_turns(files: Path, name: str) -> None:
    expected = FED.segments(RESPONSES, contexts=CONTEXTS)
    options = ["-p", "responses", "--contexts", name, *OPTIONS.get(name, [])]
    np.testing.assert_array_equal(segments(fed("score", "fed", *options, "--per-segment")), expected)
    [system] = json.loads(fed("score", "fed", *options, "--format", "json").stdout)["systems"]
    assert system["value"] == FED.corpus(RESPONSES, contexts=CONTEXTS).value


def test_a_line_may_be_a_whole_dialogue(files: Path) -> None:
    dialogues = [[*before, text] for before, text in zip(CONTEXTS, RESPONSES, strict=True)]
    expected = FED.segments(dialogues)
    assert expected.tolist() == FED.segments(RESPONSES, contexts=CONTEXTS).tolist()
    for name, text in (
        ("dialogues.txt", "".join("\t".join(turns) + "\n" for turns in dialogues)),
        ("dialogues.jsonl", "".join(json.dumps(turns) + "\n" for turns in dialogues)),
    ):
        (files / name).write_text(text)
        assert segments(fed("score", "fed", "-p", name, "--per-segment")) == expected.tolist()


def test_several_systems_and_a_checkpoint(files: Path) -> None:
    (files / "other").write_text("Hm.\nHm.\nHm.\n")
    options = ["-p", "responses", "-p", "other", "--contexts", "tabs.txt", "--checkpoint", "kept", "--format", "json"]
    for _ in range(2):
        systems = json.loads(fed("score", "fed", *options).stdout)["systems"]
        expected = [FED.corpus(texts, contexts=CONTEXTS).value for texts in (RESPONSES, ["Hm."] * 3)]
        assert [system["value"] for system in systems] == expected
    (files / "tabs.txt").write_text("Hi!\n\n\n")
    assert "of tabs.txt are not those that were counted" in fed("score", "fed", *options).output


def test_trace_and_worst(files: Path) -> None:
    options = ["-p", "responses", "--contexts", "lists.jsonl"]
    shown = fed("trace", "fed", *options, "--segment", "2").stdout
    assert "What is new?" in shown
    assert repr(float(FED.segments(RESPONSES, contexts=CONTEXTS)[1]))[:8] in shown
    assert fed("score", "fed", *options, "--worst", "1").exit_code == 0


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("short.txt", "Hi!\n", "responses has 3 lines but short.txt has 1; each line needs its counterpart"),
        ("none.jsonl", '["Hi!"]\nnull\n[]\n', "none.jsonl:2: null is not a JSON string or a list of JSON strings"),
        ("keys.jsonl", '{"a": "b"}\n{"c": "d"}\n{}\n', "keys.jsonl:2: an object without the key 'a'"),
        ("cells.tsv", FORMS["cells.tsv"] + "4\n", "cells.tsv:5: 1 cells, but the first line has 2"),
        ("mixed.jsonl", '["Hi!"]\n"Hi!"\n[]\n', "mixed.jsonl:2: a str, but the lines before it have type list"),
    ],
)
def test_a_missing_context_is_named(files: Path, name: str, text: str, message: str) -> None:
    (files / name).write_text(text)
    key = {"keys.jsonl": ["--context-key", "a"], "cells.tsv": ["--context-key", "before"]}.get(name, [])
    result = fed("score", "fed", "-p", "responses", "--contexts", name, *key)
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("score bleu -p responses -r responses --contexts tabs.txt", "bleu reads no contexts; leave out --contexts"),
        ("score bleu -p responses -r responses --turn-separator x", "--turn-separator is for contexts and dialogues"),
        ("score bleu -p responses -r responses --context-key x", "--context-key belongs to --contexts"),
        ("meta --data bare.jsonl -m chrf --contexts tabs.txt", "chrf reads no contexts; leave out --contexts"),
    ],
)
def test_what_is_refused(files: Path, arguments: str, message: str) -> None:
    result = run(*arguments.split())
    assert result.exit_code == 2
    assert message in result.output


def test_meta(files: Path) -> None:
    """Contexts in the data, and in a file of their own."""
    common = ["--correlation", "pearson", "--no-confidence", "--format", "json", "-m", "fed"]
    inside = fed("meta", "--data", "rated.jsonl", *common)
    beside = fed("meta", "--data", "bare.jsonl", "--contexts", "tabs.txt", *common)
    without = fed("meta", "--data", "bare.jsonl", *common)
    assert inside.exit_code == beside.exit_code == 0, inside.output + beside.output
    assert json.loads(inside.stdout) == json.loads(beside.stdout) != json.loads(without.stdout)


def test_meta_names_a_missing_context(files: Path) -> None:
    lines = (files / "rated.jsonl").read_text().splitlines()
    bare = json.loads(lines[1])
    del bare["context"]
    (files / "rated.jsonl").write_text("\n".join([lines[0], json.dumps(bare), lines[2]]))
    result = fed("meta", "--data", "rated.jsonl", "-m", "fed")
    assert "rated.jsonl:2: no 'context', but other lines have one" in result.output
    (files / "rated.jsonl").write_text("\n".join([lines[0].replace('["I sold a cat."]', "[3]"), *lines[1:]]))
    assert "rated.jsonl:1: 'context' is [3]; write a text" in fed("meta", "--data", "rated.jsonl", "-m", "fed").output
    result = fed("meta", "--data", "bare.jsonl", "--contexts", "responses", "-m", "fed", "--no-confidence")
    assert result.exit_code == 0
    (files / "short").write_text("Hi!\n")
    result = fed("meta", "--data", "bare.jsonl", "--contexts", "short", "-m", "fed")
    assert "short has 1 line but bare.jsonl has 3 texts" in result.output

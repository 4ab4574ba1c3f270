"""Groups of texts on the command line: JSON Lines of lists, such as the answers to one prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.scorers import DistinctN, SelfBleu

FIRST = [["a b c d", "a b d c"], ["x y", "z y", "x y"]]
SECOND = [["a b c d", "a b d"], ["x y", "x y"]]
GROUPED = SelfBleu(others="group")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, groups in (("first.jsonl", FIRST), ("second.jsonl", SECOND)):
        (tmp_path / name).write_text("".join(f"{json.dumps(group)}\n" for group in groups), "utf-8")
    (tmp_path / "texts.txt").write_text("a b\na c\n", "utf-8")
    return [str(tmp_path / name) for name in ("first.jsonl", "second.jsonl", "texts.txt")]


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, [*arguments])
    assert result.exit_code == status, result.output
    return result.output


def test_scores(files: list[str]) -> None:
    in_group = ("score", "self_bleu", "--set", "others=group")
    found = json.loads(run(*in_group, "-p", files[0], "-p", files[1], "--format", "json"))
    assert [system["value"] for system in found["systems"]] == [
        GROUPED.corpus(groups).value for groups in (FIRST, SECOND)
    ]
    [distinct] = json.loads(run("score", "distinct_n", "-p", files[0], "--format", "json"))["systems"]
    assert distinct["scores"] == DistinctN().corpus(FIRST).scores
    lines = run(*in_group, "-p", files[0], "--per-segment").splitlines()[1:]
    assert [float(line.split("\t")[2]) for line in lines] == GROUPED.segments(FIRST).tolist()
    assert "x y" in run(*in_group, "-p", files[0], "--worst", "1")
    few = ("--paired-ar", "--paired-ar-n", "200")
    for name, command in (("self_bleu", in_group), ("distinct_2", ("score", "distinct_n"))):
        lines = run(*command, "-p", files[0], "-p", files[1], *few).splitlines()
        assert [line.split()[:3] for line in lines if line.startswith("system")] == [["system", name, "p"]]


def test_trace_and_explanation(files: list[str]) -> None:
    shown = run("trace", "self_bleu", "--set", "others=group", "-p", files[0], "--segment", "2")
    assert "the texts, counted from 1:" in shown
    assert "text 2  Self-BLEU" in shown
    assert "text 0 " not in shown
    assert "repeated" not in shown
    gap = run("explain", "distinct_n", "metrologue", "paper-2016", "-p", files[0])
    assert "denominator=tokens" in gap


def test_what_is_refused(files: list[str]) -> None:
    group = ("score", "self_bleu", "--set", "others=group", "-p", files[0])
    assert "an Arrow array of strings; one of lists of strings is expected" in run(*group, "-p", files[2], status=2)
    assert "is not a JSON string" in run("score", "lexical_diversity", "-p", files[0], status=2)
    assert "is not a JSON string" in run("score", "self_bleu", "lexical_diversity", "-p", files[0], status=2)

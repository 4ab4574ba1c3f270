"""Minimum Bayes risk on the command line: the candidate with the greatest mean utility."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.scorers import Bleu, Chrf, Cider, Dice, Scorer, Ter
from metrologue.scorers.chrf.aggregate import aggregate_groups
from metrologue.scorers.core import mbr
from metrologue.segments import Segments

LISTS = [
    ["the cat sat on the mat", "a cat sat on the mat", "the cat sat", "dogs"],
    ["a b", "a c", "a c"],
    ["only one"],
]
FIXED = ["the cat sat", "a c d", "dogs bark"]


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, ["mbr", *arguments])
    assert result.exit_code == status, result.output
    return result.output


Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, *lines: Any) -> str:
        (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
        return str(tmp_path / name)

    return written


@pytest.fixture
def nbest(write: Write) -> str:
    return write("nbest.jsonl", *LISTS)


@pytest.fixture
def fixed(tmp_path: Path) -> str:
    (tmp_path / "fixed.txt").write_text("".join(f"{line}\n" for line in FIXED), "utf-8")
    return str(tmp_path / "fixed.txt")


def best(scorer: Scorer, candidates: list[str], references: list[str], weights: Any = None) -> tuple[int, float]:
    """The definition: the mean score with each reference, and the first of the best candidates."""
    means = [
        float(np.average([scorer.segments([text], [other])[0] for other in references], weights=weights))
        for text in candidates
    ]
    better = max if scorer.higher_is_better[scorer.primary] else min
    return means.index(better(means)), better(means)


@pytest.mark.parametrize(
    ("options", "scorer"),
    [
        (["--metric", "chrf"], Chrf()),
        (["-m", "bleu:nltk", "--set", "max_order=1"], Bleu.variant("nltk", max_order=1)),
        (["-m", "ter", "--variant", "torchmetrics", "--threads", "2"], Ter.variant("torchmetrics")),
        (["-m", "dice"], Dice()),
    ],
)
def test_the_best_candidate(nbest: str, fixed: str, options: list[str], scorer: Scorer) -> None:
    expected = [best(scorer, each, each) for each in LISTS]
    chosen = [each[index] for each, (index, _) in zip(LISTS, expected, strict=True)]
    assert run("--candidates", nbest, *options).splitlines() == chosen
    found = [json.loads(line) for line in run("-c", nbest, *options, "--format", "json").splitlines()]
    assert [each["index"] for each in found] == [index for index, _ in expected]
    assert [each["utility"] for each in found] == pytest.approx([utility for _, utility in expected], rel=1e-12)
    assert [each["line"] for each in found] == [1, 2, 3]
    expected = [best(scorer, each, FIXED) for each in LISTS]
    chosen = [each[index] for each, (index, _) in zip(LISTS, expected, strict=True)]
    assert run("-c", nbest, *options, "--references", fixed).splitlines() == chosen


def test_the_first_of_equals(write: Write) -> None:
    path = write("same.jsonl", ["b a", "a b", "b a"], ["x", "y"])
    found = [json.loads(line) for line in run("-c", path, "-m", "chrf", "--format", "json").splitlines()]
    assert [each["index"] for each in found] == [0, 0]


def test_top(nbest: str) -> None:
    found = [json.loads(line) for line in run("-c", nbest, "-m", "chrf", "--top", "2", "--format", "json").splitlines()]
    assert [(each["line"], each["rank"]) for each in found] == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]
    utilities = Chrf().pairwise(LISTS[0]).mean(axis=1)
    assert [each["index"] for each in found[:2]] == np.argsort(-utilities)[:2].tolist()
    assert run("-c", nbest, "-m", "chrf", "--nbest", "2").splitlines() == [each["candidate"] for each in found]


def test_weights_and_references_of_a_line(write: Write) -> None:
    own = {"candidates": LISTS[0], "weights": [0, 0, 0.5, 2]}
    other = {"candidates": LISTS[0], "references": FIXED, "weights": [1, 0, 0]}
    path = write("nbest.jsonl", own, LISTS[0], other)
    found = [json.loads(line) for line in run("-c", path, "-m", "chrf", "--format", "json").splitlines()]
    expected = [
        best(Chrf(), LISTS[0], LISTS[0], own["weights"]),
        best(Chrf(), LISTS[0], LISTS[0]),
        best(Chrf(), LISTS[0], FIXED, other["weights"]),
    ]
    assert [each["index"] for each in found] == [index for index, _ in expected]
    assert [each["utility"] for each in found] == pytest.approx([utility for _, utility in expected])


def test_a_file_of_weights(write: Write, fixed: str) -> None:
    path, weights = write("nbest.jsonl", LISTS[0], LISTS[1]), write("weights.jsonl", [0, 0, 0, 1], [1, 0, 0])
    assert run("-c", path, "-m", "chrf", "--weights", weights).splitlines() == ["dogs", "a b"]
    for_all = write("one.jsonl", [0, 0, 1])
    assert run("-c", path, "-m", "chrf", "-r", fixed, "--weights", for_all).splitlines()[0] == "dogs"


def test_batches(nbest: str, fixed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines that are in memory at once change nothing, also for a metric with a table of all references."""
    for options in (["-m", "chrf"], ["-m", "chrf", "-r", fixed], ["-m", "cider:pycocoevalcap"]):
        whole = run("-c", nbest, *options, "--format", "json")
        with monkeypatch.context() as patch:
            patch.setattr(mbr, "_MOST_PAIRS", 1)
            assert run("-c", nbest, *options, "--format", "json") == whole
    table = [text for each in LISTS for text in each]
    scorer = Cider.variant("pycocoevalcap").fit(Segments(table, table))
    found = [json.loads(line) for line in whole.splitlines()]
    assert [each["index"] for each in found] == [best(scorer, each, each)[0] for each in LISTS]


def test_packed_files_and_aggregate(nbest: str, tmp_path: Path) -> None:
    packed = tmp_path / "nbest.jsonl.gz"
    packed.write_bytes(gzip.compress(Path(nbest).read_bytes()))
    assert run("-c", str(packed), "-m", "chrf") == run("-c", nbest, "-m", "chrf")
    found = [
        json.loads(line) for line in run("-c", nbest, "-m", "chrf", "--aggregate", "--format", "json").splitlines()
    ]
    expected = aggregate_groups(Chrf(), LISTS)
    assert [each["utility"] for each in found] == [float(each.max()) for each in expected]
    assert "--aggregate is for chrf" in run("-c", nbest, "-m", "bleu", "--aggregate", status=2)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "the file is empty"),
        ([["a"], "b"], ":2: the candidates are not a list of at least one string"),
        ([[]], ":1: the candidates are not a list of at least one string"),
        ([["a", 1]], ":1: the candidates are not a list of at least one string"),
        ([{"references": ["a"]}], ":1: an object without the key 'candidates'"),
        ([{"candidates": ["a"], "scores": []}], ":1: the key 'scores' is unknown"),
        ([{"candidates": ["a"], "references": []}], ":1: the references are not a list"),
        ([{"candidates": ["a"], "weights": [-1]}], ":1: `weights[0]` is -1; a finite number of 0 or more is expected"),
        ([{"candidates": ["a", "b"], "weights": [1, 10**400]}], ":1: `weights[1]` is 1000"),
        ([{"candidates": ["a"], "weights": [math.inf]}], ":1: `weights[0]` is inf; a finite number"),
        ([{"candidates": ["a"], "weights": [math.nan]}], ":1: `weights[0]` is nan; a finite number"),
        ([{"candidates": ["a"], "weights": [True]}], ":1: `weights[0]` is True; a finite number"),
        ([{"candidates": ["a"], "weights": ["1"]}], ":1: `weights[0]` is '1'; a finite number"),
        ([{"candidates": ["a"] * 2, "weights": [1e308, 1e308]}], ":1: the weights are [1e+308, 1e+308]; a list of"),
        ([{"candidates": ["a"], "weights": 1}], ":1: the weights are 1; a list of numbers of 0 or more"),
        (
            [{"candidates": ["a"], "weights": [0]}],
            ":1: the weights are [0]; a list of numbers of 0 or more, at least",
        ),
        ([{"candidates": ["a"], "weights": [1, 2]}], ":1: 2 weights for 1 references"),
        ([["a\nb"]], ":1: the candidate 0 has a line break; take --format json"),
    ],
)
def test_bad_lines(write: Write, lines: list[Any], message: str) -> None:
    assert message in run("-c", write("bad.jsonl", *lines), "-m", "chrf", status=2)


def test_bad_calls(nbest: str, fixed: str, write: Write, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("[1,\n", "utf-8")
    assert "bad.jsonl:1: not JSON" in run("-c", str(tmp_path / "bad.jsonl"), "-m", "chrf", status=2)
    (tmp_path / "empty.txt").touch()
    assert "the file is empty" in run("-c", nbest, "-m", "chrf", "-r", str(tmp_path / "empty.txt"), status=2)
    weights = write("weights.jsonl", [1, 1, 1, 1])
    assert "1 lines of weights, but" in run("-c", nbest, "-m", "chrf", "--weights", weights, status=2)
    weights = write("weights.jsonl", [1, 1, 1, 1], [1, 1, 1], [1], [1])
    assert "4 lines of weights for 3" in run("-c", nbest, "-m", "chrf", "--weights", weights, status=2)
    own = write("own.jsonl", {"candidates": ["a"], "references": ["b"], "weights": [1]})
    assert "--references gives others" in run("-c", own, "-m", "chrf", "-r", fixed, status=2)
    assert "--weights gives others" in run("-c", own, "-m", "chrf", "--weights", write("w.jsonl", [1]), status=2)
    assert "distinct_n is not a score of one text" in run("-c", nbest, "-m", "distinct_n", status=2)

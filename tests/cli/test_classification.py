"""Labels on the command line: a label on each line of a file."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from metrologue import trace
from metrologue.cli import main
from metrologue.scorers import F1

OURS, RIGHT = ["pos"] * 3 + ["neg"], ["pos", "pos", "neg", "neg"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, labels in (("ours.txt", OURS), ("right.txt", RIGHT)):
        (tmp_path / name).write_text("".join(f"{label}\n" for label in labels), "utf-8")
    return ["-p", str(tmp_path / "ours.txt"), "-r", str(tmp_path / "right.txt")]


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output
    return result.output


def test_scores(files: list[str]) -> None:
    shown = run("score", "accuracy", "f1", *files, "--set", "f1.average=macro")
    assert shown.splitlines()[:2] == ["system    accuracy      f1", "ours.txt    0.7500  0.7333"]
    found = json.loads(run("score", "f1", *files, "--set", "pos_label=pos", "--format", "json"))
    assert found["systems"][0]["scores"] == F1(pos_label="pos").corpus(OURS, RIGHT).scores
    assert found["systems"][0]["confusion"]["labels"] == ["neg", "pos"]


def test_a_positive_label_that_is_not_there(files: list[str]) -> None:
    result = CliRunner().invoke(main, ["score", "f1", *files])
    assert result.exit_code != 0
    assert "--set pos_label is '1', but the labels are 'neg', 'pos'" in result.output


def test_the_matrix_is_printed(files: list[str]) -> None:
    shown = run("score", "confusion_matrix", *files)
    matrix = ["actual\\predicted  neg  pos", "neg                 1    1", "pos                 0    2"]
    assert shown.splitlines()[-3:] == matrix
    assert "rows: actual, columns: predicted" in shown
    assert run("trace", "confusion_matrix", *files) == trace("confusion_matrix", OURS, RIGHT).text() + "\n"


def test_one_segment_or_all(files: list[str], tmp_path: Path) -> None:
    assert run("trace", "accuracy", *files, "--segment", "3") == trace("accuracy", "pos", ["neg"]).text() + "\n"
    assert "Missing option '--segment'" in run("trace", "bleu", *files, status=2)
    run("trace", "f1", *files, "--set", "average=macro", "--html", str(tmp_path / "f1.html"))
    assert (tmp_path / "f1.html").read_text("utf-8") == trace(F1(average="macro"), OURS, RIGHT).html()

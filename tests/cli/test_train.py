"""``metrologue train`` on the command line: what is refused, and a training that is done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from metrologue.cli import main
from metrologue.learned.store import SAMPLE


def run(*arguments: str | Path, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["train", "composite", *map(str, arguments), "--encoder", "ngrams-8@2"])
    assert result.exit_code == status, result.output
    return result


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]


def test_too_few_texts_to_hold_any_out(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    apart = [{key: value for key, value in row.items() if key != "group"} for row in rows[::16]]
    in_two = [row | {"group": "ab"[place % 2]} for place, row in enumerate(rows[::17])]
    for four in (apart, in_two):
        told = run("--data", written(tmp_path / "four.jsonl", four), "--out", tmp_path / "model", status=2).stderr
        what = "4 texts, and no part to hold out has 3 or more; so few measure nothing. Give more texts."
        assert told == f"Error: train: {what}\n"
        assert not (tmp_path / "model").exists()


def test_too_few_texts_of_a_test(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    two = [row | {"references": [f"text {place}"], "group": "new"} for place, row in enumerate(rows[:2])]
    test = written(tmp_path / "two.jsonl", two)
    told = run("--data", SAMPLE, "--test", test, "--out", tmp_path / "model", status=2).stderr
    assert told.startswith("Error: train: 2 texts, and no test has 3 or more;")


def test_a_training_that_is_done_has_nothing_to_resume(tmp_path: Path) -> None:
    out = tmp_path / "model"
    options: list[str | Path] = ["--data", SAMPLE, "--out", out]
    run(*options)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    again = run(*options, "--resume")
    assert again.stdout == f"The training in {out} is finished; there is nothing to resume.\n"
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert "is not empty; give the name of a new one" in " ".join(run(*options, status=2).stderr.split())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "text").touch()
    assert "is not empty" in run("--data", SAMPLE, "--out", tmp_path / "other", "--resume", status=2).stderr

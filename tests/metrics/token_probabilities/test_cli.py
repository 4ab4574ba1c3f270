"""The command line on files of probabilities: a line for each text, numbers separated by whitespace."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.scorers import CrossEntropy, Perplexity

LINES = ["0.5 0.25\t0.125", "0.03125", " 1 0.5  1e-3 "]


def run(*arguments: str, status: int = 0) -> Any:
    result = CliRunner().invoke(main, [*arguments])
    assert result.exit_code == status, result.output
    return result


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "probabilities.txt"
    path.write_text("\n".join(LINES) + "\n")
    return str(path)


def test_numbers_in_lines(file: str, tmp_path: Path) -> None:
    printed = run("score", "cross_entropy", "perplexity", "likelihood", "-p", file, "--format", "tsv").stdout
    scores = CrossEntropy().corpus(LINES).scores
    expected = [repr(scores[key]) for key in ("cross_entropy", "perplexity", "likelihood")]
    header, row = (line.split("\t") for line in printed.splitlines()[:2])
    shown = dict(zip(header, row, strict=True))
    assert [shown[key] for key in ("cross_entropy", "perplexity", "likelihood")] == expected
    packed = tmp_path / "probabilities.txt.gz"
    packed.write_bytes(gzip.compress(Path(file).read_bytes()))
    assert run("score", "cross_entropy", "-p", str(packed), "-b").stdout == f"{scores['cross_entropy']:.4f}\n"


def test_settings_of_lines(file: str, tmp_path: Path) -> None:
    logs = tmp_path / "logs.txt"
    logs.write_text("-1 -3\n-2\n-inf\n")
    options = ["--set", "values=log-probabilities", "--set", "log_base=10", "--set", "aggregation=mean"]
    rows = run("score", "perplexity", "-p", str(logs), *options[:4], "--per-segment").stdout.splitlines()
    assert [row.split("\t")[2] for row in rows] == ["perplexity", "100", "100", "inf"]
    logs.write_text("-1 -3\n-4\n")
    found = json.loads(run("score", "perplexity", "-p", str(logs), *options, "--format", "json").stdout)
    assert found["systems"][0]["value"] == 5050.0
    assert "|values=log-probabilities|log_base=10|" in found["signature"]
    gap = run("explain", "perplexity", "textbook", "perplexity|aggregation=mean", "-p", file).stdout
    assert "aggregation" in gap
    traced = run("trace", "perplexity", "-p", file, "--segment", "1").stdout
    assert traced.startswith("perplexity = 2^2 = 4.0")
    intervals = run("score", "perplexity", "-p", file, "--confidence", "--format", "json").stdout
    assert Perplexity().corpus(LINES).value == json.loads(intervals)["systems"][0]["value"]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("0.5 x", "column 5: 'x' is not a number; numbers separated by whitespace are expected"),
        ("0.5,0.25", "column 1: '0.5,0.25' is not a number"),
        ("źle 0.5", "column 1: 'źle' is not a number"),
        ("0.5 1.5", "has 1.5 at index 1; a probability from 0 to 1"),
        ("0.5 -0.5", "has -0.5 at index 1; a probability from 0 to 1 (or --set values=log-probabilities) is expected"),
    ],
)
def test_lines_that_do_not_parse(tmp_path: Path, line: str, what: str) -> None:
    path = tmp_path / "wrong.txt"
    path.write_text(f"0.5\n{line}\n", "utf-8")
    message = run("score", "cross_entropy", "-p", str(path), status=2).stderr
    assert str(path) in message
    assert what in message


def test_the_summary_without_a_word_outside_of_the_vocabulary(file: str) -> None:
    printed = run("score", "perplexity:kenlm", "-p", file).stdout.splitlines()
    assert printed[2:4] == ["OOVs:\t0", "Tokens:\t7"]


@pytest.fixture
def arpa(tmp_path: Path) -> str:
    path = tmp_path / "words.arpa"
    lines = ["\\data\\", "ngram 1=4", "", "\\1-grams:", "-1\t</s>", "-99\t<s>", "-3\t<unk>", "-0.5\ta", "", "\\end\\"]
    path.write_text("\n".join([*lines, ""]), "utf-8")
    return str(path)


def test_a_model_in_traces_and_explanations(arpa: str, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a a\na zebra\n", "utf-8")
    files = ["--model", arpa, "-p", str(text)]
    traced = run("trace", "perplexity", *files, "--segment", "2").stdout
    assert re.search(r"tokens +3 tokens +a ▓zebra ░</s>", traced)
    assert run("score", "perplexity", *files, "--per-segment").stdout.splitlines()[2].split("\t")[2] in traced
    page = tmp_path / "trace.html"
    run("trace", "cross_entropy", *files, "--segment", "2", "--html", str(page))
    assert "<svg" in page.read_text("utf-8")
    gap = run("explain", "perplexity", "textbook", "evaluate", *files).stdout
    assert [line.split(" ")[0] for line in gap.partition("\n\n")[0].splitlines()] == ["choice", "aggregation", "score"]
    without = run("trace", "perplexity", *files, "--segment", "2", "--no-boundaries").stdout
    assert "</s>" not in without
    assert "takes no model" in run("trace", "distinct_n", *files, "--segment", "2", status=2).stderr


def test_a_model_beside_the_signature_of_another(arpa: str, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a\n", "utf-8")
    files = ["--model", arpa, "-p", str(text)]
    signature = run("score", "cross_entropy", *files).stdout.splitlines()[-1]
    assert run("score", signature, *files).stdout.endswith(f"{signature}\n")
    error = run("score", CrossEntropy().signature, *files, status=2).stderr
    assert "the signature has another model than words.arpa@" in error


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--stride", "4"], "--stride belongs to --model"),
        (["--batch-size", "4"], "--batch-size belongs to --model"),
        (["--no-boundaries"], "--no-boundaries belongs to --model"),
        (["--max-length", "1", "--model", "x.arpa"], "1 is not in the range"),
    ],
)
def test_options_of_models(file: str, options: list[str], message: str) -> None:
    for command in (["score"], ["trace", "--segment", "1"]):
        assert message in run(*command, "perplexity", "-p", file, *options, status=2).stderr


def test_options_that_an_ngram_model_does_not_have(arpa: str, file: str) -> None:
    error = run("score", "perplexity", "--model", arpa, "--stride", "4", "-p", file, status=2).stderr
    assert error == f"Error: open_model: {arpa} is an ARPA file, which has no --stride, but bos, eos.\n"


def test_missing_files_are_named_as_the_command_names_them(file: str) -> None:
    error = run("score", "perplexity", status=2).stderr
    assert "Missing option '-p' / '--predictions'." in error
    error = run("score", "likelihood_hashed", "-p", file, status=2).stderr
    assert "Missing option '-r' / '--references'." in error
    assert "Missing option '-r' / '--references'." in run("compare", "--metric", "bleu", "-p", file, status=2).stderr

"""Files in GEval's layout, the segments that cost most, and infinite numbers in everything that is printed."""

from __future__ import annotations

import gzip
import json
import lzma
import math
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.cli.printing import size_in_bytes
from metrologue.files.parts import read_segments, stream_parts
from metrologue.scorers import Bleu, LikelihoodHashed, LogLossHashed, Ter

LINES = ["A:0.6 B:0.4", "C:0.2 A:0.1", "A:0.4 C:0.4", "D:1.0", "C:0.4 B:0.5 :0.1"]
WORDS = ["A", "A", "B", "D", "A"]
HASHED = ["log_loss_hashed", "likelihood_hashed", "perplexity_hashed"]
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, content: bytes | list[str]) -> str:
        data = content if isinstance(content, bytes) else "".join(f"{line}\n" for line in content).encode()
        packed = {".gz": gzip.compress, ".xz": lzma.compress}.get(Path(name).suffix, bytes)(data)
        (tmp_path / name).write_bytes(packed)
        return str(tmp_path / name)

    return write


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read line by line."""
    monkeypatch.setattr("metrologue.files.parts.stream_parts", partial(stream_parts, chunk_bytes=1))


def run(*arguments: str, status: int = 0) -> Any:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output
    return result


def no_json(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is not JSON")


def strict(text: str) -> Any:
    """JSON as RFC 8259 has it: Python alone would take NaN and Infinity."""
    return json.loads(text, parse_constant=no_json)


def value(metric: str, out: str, expected: str, *options: str) -> float:
    found = strict(run("score", metric, "-p", out, "-r", expected, "--format", "json", *options).stdout)
    return float(found["systems"][0]["value"])


@pytest.mark.parametrize("suffix", ["", ".xz", ".gz"])
def test_packed_files_of_geval(write: Write, suffix: str) -> None:
    out, expected = write(f"out.tsv{suffix}", LINES), write(f"expected.tsv{suffix}", WORDS)
    assert value("log_loss_hashed", out, expected) == pytest.approx(4.11631293099392, rel=2e-7)
    assert value("log_loss_hashed", out, expected) == LogLossHashed().corpus(LINES, WORDS).value


@pytest.mark.parametrize("challenge", ["log-loss-hashed-simple", "log-loss-hashed-not-normalized"])
def test_challenges_of_geval(shared_data: Path, challenge: str) -> None:
    folder = shared_data / "geval_tests" / challenge
    out = str(folder / f"{challenge}-solution" / "test-A" / "out.tsv")
    expected = str(folder / challenge / "test-A" / "expected.tsv")
    published = {"log-loss-hashed-simple": 2.398479083333333, "log-loss-hashed-not-normalized": 1.0468455186722887}
    assert value("log_loss_hashed", out, expected, "--set", "bits=8") == pytest.approx(published[challenge], rel=2e-7)


def test_line_ends_tabs_and_spaces_as_geval_has_them(write: Write) -> None:
    """GEval ends lines at a newline, which the last line may lack, and drops every carriage return, nothing else."""
    lines, words = ["a:0.5 b:0.2", "c:0.7\td:0.3"], ["a", "c:0.7\td"]
    loss = LogLossHashed().corpus(lines, words).value
    assert loss == pytest.approx(-math.log((0.5 + 0.3 / 1024) * (0.3 + 0.7 / 1024)) / 2)
    for end, last in ((b"\n", b"\n"), (b"\r\n", b"\r\n"), (b"\n", b""), (b"\r\n", b"\r")):
        out = write("out.tsv", end.join(line.encode() for line in lines) + last)
        gold = write("expected.tsv", end.join(word.encode() for word in words) + last)
        assert value("log_loss_hashed", out, gold) == loss
    assert (
        LogLossHashed().corpus(["a\r:0.5\r b:0.2"], ["a\r"]).value
        == LogLossHashed().corpus(["a:0.5 b:0.2"], ["a"]).value
    )
    assert LogLossHashed().corpus(["a:0.5"], ["a "]).value != LogLossHashed().corpus(["a:0.5"], ["a"]).value


@pytest.mark.usefixtures("small_chunks")
def test_a_stream_keeps_the_numbers_of_lines(write: Write) -> None:
    out, expected = write("out.tsv", LINES), write("expected.tsv", WORDS)
    for metric in HASHED:
        whole = {"log_loss_hashed": LogLossHashed().corpus(LINES, WORDS).value}.get(metric)
        assert whole is None or value(metric, out, expected) == pytest.approx(whole, rel=1e-14)
    header, *rows = run("score", "log_loss_hashed", "-p", out, "-r", expected, "--per-segment").stdout.splitlines()
    assert header.split("\t")[:3] == ["segment", "system", "log_loss_hashed"]
    assert [float(row.split("\t")[2]) for row in rows] == LogLossHashed().segments(LINES, WORDS).tolist()


@pytest.mark.usefixtures("small_chunks")
def test_worst_lines(write: Write) -> None:
    out, expected = write("out.tsv", [*LINES, *LINES]), write("expected.tsv", [*WORDS, "zebra", *WORDS[1:]])
    scores = LikelihoodHashed().segments([*LINES, *LINES], [*WORDS, "zebra", *WORDS[1:]]).tolist()
    order = sorted(range(10), key=lambda i: scores[i])
    for count in (1, 4, 20):
        printed = run("score", "likelihood_hashed", "-p", out, "-r", expected, "--worst", str(count)).stdout
        header, *rows = (line.split("\t") for line in printed.splitlines())
        assert header == ["likelihood_hashed", "segment", "expected", "out"]
        assert rows == [
            [repr(scores[i]), str(i + 1), [*WORDS, "zebra", *WORDS[1:]][i], [*LINES, *LINES][i]] for i in order[:count]
        ]
    # A lower perplexity is better.
    printed = run("score", "perplexity_hashed", "-p", out, "-r", expected, "--worst", "2").stdout
    assert printed.splitlines()[1] == "inf\t6\tzebra\tA:0.6 B:0.4"


def test_traces_and_explanations_take_the_same_names(write: Write) -> None:
    out, expected = write("out.tsv", LINES), write("expected.tsv.xz", WORDS)
    for command in (["trace", "likelihood_hashed"], ["explain", "likelihood_hashed", "geval", "geval"]):
        printed = run(*command, "-p", out, "-r", expected).stdout
        assert printed == run(*command, "-p", out, "-r", expected).stdout


@pytest.mark.parametrize("scorer", [Bleu(), Ter()], ids=lambda scorer: scorer.name)
def test_worst_segments_of_any_metric(root: Path, scorer: Any) -> None:
    folder = root / "comparison" / "sample"
    paths = [str(folder / f"{name}.txt") for name in ("amber", "reference_1", "reference_2")]
    [system], references = read_segments(paths[:1], paths[1:])
    scores = scorer.segments(system, references)
    sign = 1 if scorer.higher_is_better[scorer.primary] else -1
    printed = run("score", scorer.name, "-p", paths[0], "-r", paths[1], "-r", paths[2], "--worst", "3").stdout
    rows = [line.split("\t") for line in printed.splitlines()[1:]]
    order = sorted(range(len(scores)), key=lambda i: sign * scores[i])[:3]
    expected = ["<tab>".join(references[i].as_py()) for i in order]
    assert rows == [
        [repr(float(scores[i])), str(i + 1), gold, system[i].as_py()] for i, gold in zip(order, expected, strict=True)
    ]


def test_worst_without_references_and_with_newlines(write: Write) -> None:
    texts = write("texts.jsonl", [json.dumps("a b\na b\tc"), json.dumps("a b c")])
    printed = run("score", "distinct_n", "-p", texts, "--worst", "1").stdout
    assert printed.splitlines()[0] == "distinct_2\tsegment\tout"
    assert printed.splitlines()[1].endswith("\t1\ta b<newline>a b<tab>c")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--per-segment"], "--per-segment prints all segments and --worst some of them"),
        (["--format", "json"], "choose one metric, and no other format"),
        (["--confidence"], "--worst has no intervals"),
        (["-p", "other.tsv"], "--worst prints segments of one system"),
        (["--worst", "3"], "'--worst' is given twice"),
    ],
)
def test_options_that_worst_does_not_have(write: Write, options: list[str], message: str) -> None:
    out, expected = write("out.tsv", LINES), write("expected.tsv", WORDS)
    options = [write(option, LINES) if option == "other.tsv" else option for option in options]
    error = run("score", "likelihood_hashed", "-p", out, "-r", expected, "--worst", "3", *options, status=2).stderr
    assert message in error


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a:0.5 b", ":4, column 7: 'b' cannot be read; a word with its number, such as 'cat:0.5', is expected."),
        ("", ":4, column 1: '' cannot be read; a number is expected."),
        ("-1 -2", ":4 has 2 numbers; with 10 bits 1024 log-probabilities are expected, or words such as 'cat:0.5'."),
    ],
)
def test_bad_lines_are_named_by_file_and_line(write: Write, line: str, message: str) -> None:
    out, expected = write("out.tsv", [*LINES[:3], line, LINES[4]]), write("expected.tsv", WORDS)
    commands = [
        ["score", "likelihood_hashed"],
        ["score", "likelihood_hashed", "--per-segment"],
        ["score", "likelihood_hashed", "--worst", "2"],
        ["trace", "likelihood_hashed", "--segment", "4"],
        ["trace", "likelihood_hashed"],
        ["explain", "likelihood_hashed", "geval", LikelihoodHashed(bits=8).signature],
    ]
    for command in commands if "bits" not in message else commands[:5]:
        assert run(*command, "-p", out, "-r", expected, status=2).stderr.startswith(f"Error: {out}{message}")
    both = run("score", "log_loss_hashed", "perplexity_hashed", "-p", out, "-r", expected, status=2).stderr
    assert both.startswith(f"Error: {out}{message}")


def test_several_right_words_are_named_by_their_files(write: Write) -> None:
    out, expected, other = write("out.tsv", LINES), write("expected.tsv", WORDS), write("other.tsv", WORDS)
    error = run("score", "log_loss_hashed", "-p", out, "-r", expected, "-r", other, status=2).stderr
    assert f"{expected}, {other}:1 has several words; a line has one right word." in error


def test_unequal_counts(write: Write) -> None:
    out, expected = write("out.tsv", LINES), write("expected.tsv.xz", WORDS[:3])
    error = run("score", "likelihood_hashed", "-p", out, "-r", expected, status=2).stderr
    assert error == f"Error: {out} has 5 lines but {expected} has 3; each line needs its counterpart.\n"
    nothing = write("nothing.tsv", [])
    assert "no lines" in run("score", "likelihood_hashed", "-p", nothing, "-r", nothing, status=2).stderr


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gz", "xz"])
def test_truncated_files(write: Write, tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    data = "".join(f"word{i}:0.{i:04} :0.1\n" for i in range(5000)).encode()
    suffix = ".gz" if pack is gzip.compress else ".xz"
    out, expected = tmp_path / f"out.tsv{suffix}", write("expected.tsv", [f"word{i}" for i in range(5000)])
    out.write_bytes(pack(data)[:-30])
    error = run("score", "likelihood_hashed", "-p", str(out), "-r", expected, status=2).stderr
    assert error.startswith(f"Error: {out}: not a valid {'gzip' if suffix == '.gz' else 'xz'} file (")
    assert error.count("\n") == 1


@pytest.mark.parametrize("name", ["out.tsv", "out.tsv.xz"])
def test_bytes_that_are_not_utf8(write: Write, name: str) -> None:
    out, expected = write(name, b"A:1\nB:1\nC\xe9:1\n"), write("expected.tsv", WORDS[:3])
    error = run("score", "likelihood_hashed", "-p", out, "-r", expected, status=2).stderr
    assert error.startswith(f"Error: {out}:3: byte 2 of the line (0xe9) is not UTF-8;")


INFINITE = ["zebra", *WORDS[1:]]


def test_infinity_in_every_format(write: Write) -> None:
    out, expected = write("out.tsv", LINES), write("expected.tsv", INFINITE)
    files = ["-p", out, "-r", expected]
    found = strict(run("score", *HASHED, *files, "--format", "json").stdout)
    assert [each["systems"][0]["value"] for each in found] == ["Infinity", 0.0, "Infinity"]
    assert found[0]["systems"][0]["scores"]["perplexity_hashed"] == "Infinity"
    for width in ("0", "2"):
        rounded = strict(run("score", *HASHED, *files, "--format", "json", "-w", width).stdout)
        assert rounded[2]["systems"][0]["value"] == "Infinity"
    header, row = (
        line.split("\t") for line in run("score", *HASHED, *files, "--format", "tsv").stdout.splitlines()[:2]
    )
    table = dict(zip(header, row, strict=True))
    assert [float(table[name]) for name in HASHED] == [math.inf, 0.0, math.inf]
    for output_format in ("text", "latex", "markdown"):
        assert "inf" in run("score", *HASHED, *files, "--format", output_format).stdout
    assert run("score", *HASHED, *files, "-b").stdout == "inf\t0.0000\tinf\n"
    assert run("score", "perplexity_hashed", *files, "--per-segment").stdout.splitlines()[1].split("\t")[2] == "inf"


def test_infinity_in_comparisons_and_reports(write: Write, tmp_path: Path) -> None:
    out, other = write("out.tsv", LINES), write("other.tsv", [f"{line} :0.1" for line in LINES])
    files = ["-p", out, "-p", other, "-r", write("expected.tsv", INFINITE)]
    metrics = [part for metric in HASHED for part in ("--metric", metric)]
    found = strict(run("compare", *metrics, *files, "--format", "json").stdout)
    numbers = {(each["metric"], n["system"]): n["value"] for each in found["comparisons"] for n in each["numbers"]}
    assert numbers["perplexity_hashed", "out.tsv"] == "Infinity"
    assert isinstance(numbers["perplexity_hashed", "other.tsv"], float)
    assert found["matrix"][0]["ranks"] == {"out.tsv": 2, "other.tsv": 1}
    assert "| inf (2) |" in run("compare", "--metric", "perplexity_hashed", *files, "--format", "markdown").stdout
    page = tmp_path / "report.html"
    run("compare", "--metric", "perplexity_hashed", *files, "--out", str(page))
    assert not re.search(r"(?<![\w-])nan(?![\w-])", page.read_text("utf-8"), re.IGNORECASE)


def test_infinity_in_confidence_and_explanations(write: Write) -> None:
    files = ["-p", write("out.tsv", LINES), "-r", write("expected.tsv", INFINITE)]
    printed = run("score", "perplexity_hashed", "likelihood_hashed", *files, "--confidence").stdout
    assert "±: perplexity_hashed is infinite in a resample, so that it has no interval\n" in printed
    row = printed.splitlines()[1].split()
    assert row[:2] == ["out.tsv", "inf"]
    assert row.count("±") == 1  # of the other number
    found = strict(run("score", "perplexity_hashed", *files, "--confidence", "--format", "json").stdout)
    assert found["systems"][0]["confidence"] is None
    assert found["systems"][0]["intervals"]["likelihood_hashed"][0] == 0.0
    test = ["-p", write("other.tsv", LINES), "--paired-bs"]
    error = run("score", "perplexity_hashed", *files, *test, status=2).stderr
    assert error == (
        "Error: `systems['out.tsv']`: its `perplexity_hashed` is infinite, so that no difference can be tested.\n"
    )
    found = strict(run("score", "likelihood_hashed", *files, "--confidence", "--format", "json").stdout)
    assert found["systems"][0]["confidence"]["low"] == 0.0
    error = run("explain", "log_loss_hashed", "geval", LogLossHashed(bits=1).signature, *files, status=2).stderr
    assert "log_loss_hashed is infinite under" in error


@pytest.mark.parametrize("metric", HASHED)
def test_infinity_in_traces(write: Write, tmp_path: Path, metric: str) -> None:
    files = ["-p", write("out.tsv", LINES), "-r", write("expected.tsv", INFINITE)]
    for options in ([], ["--segment", "1"]):
        assert "inf" in run("trace", metric, *files, *options).stdout
        page = tmp_path / "trace.html"
        run("trace", metric, *files, *options, "--html", str(page))
        assert not re.search(r"(?<![\w-])nan(?![\w-])", page.read_text("utf-8"), re.IGNORECASE)
    assert "Missing option '--segment'" in run("trace", "bleu", *files, status=2).stderr


def test_the_size_of_a_packed_file_is_unknown(write: Write) -> None:
    out = write("out.tsv", LINES)
    assert size_in_bytes([out]) == sum(len(line) + 1 for line in LINES)
    assert size_in_bytes([out, write("expected.tsv.xz", WORDS)]) is None

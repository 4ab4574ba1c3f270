"""What can go wrong around a command: signals, closed and full streams, files that cannot be read or written."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import parquet

from metrologue.cli import main
from metrologue.writing import write_whole

COMMAND = [sys.executable, "-m", "metrologue"]
ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and devices of POSIX")
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    """The options for two small files."""
    (tmp_path / "hyp.txt").write_text("the cat sät\n" * 3, "utf-8")
    (tmp_path / "ref.txt").write_text("the cat sat\n" * 3, "utf-8")
    return ["-p", str(tmp_path / "hyp.txt"), "-r", str(tmp_path / "ref.txt")]


def refused(*arguments: str, status: int) -> str:
    """The one line with which a command ends."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stderr.startswith("Error: ")
    return result.stderr


def in_shell(redirected: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own, with the shell's redirections."""
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirected}', "sh", *COMMAND, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
    )


def told(done: subprocess.CompletedProcess[str], status: int) -> str:
    assert done.returncode == status, (done.returncode, done.stderr)
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("Error: ")
    return done.stderr


@pytest.fixture
def endless(tmp_path: Path) -> list[str]:
    """A command that one call of a kernel keeps busy for minutes, once it has read its standard input."""
    (tmp_path / "long.txt").write_text("ab" * 150_000 + "\n")
    return ["score", "edit_distance", "--set", "insertion_cost=2", "-p", "-", "-r", str(tmp_path / "long.txt")]


@contextmanager
def started(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that heeds SIGINT, also where these tests run in the background of a shell, which ignores it."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, **pipes, preexec_fn=heed) as process:
        try:
            yield process
        finally:
            process.kill()  # a test that fails must not wait for it


@ON_POSIX
@pytest.mark.parametrize(("number", "threads"), [(signal.SIGINT, "1"), (signal.SIGINT, "2"), (signal.SIGTERM, "1")])
def test_a_signal_ends_it_within_a_kernel(number: signal.Signals, threads: str, endless: list[str]) -> None:
    with started([*COMMAND, *endless, "--threads", threads]) as process:
        assert process.stdin
        process.stdin.write(b"ba" * 150_000 + b"\n")  # more than a pipe holds: it reads by now
        process.stdin.close()
        process.stdin = None
        time.sleep(0.5)
        assert process.poll() is None
        process.send_signal(number)
        output = process.communicate(timeout=60)  # the kernel takes longer by far
        assert process.returncode == 128 + number
        assert output == (b"", b"")


@ON_POSIX
def test_a_signal_ends_it_while_it_waits_for_a_file(tmp_path: Path, pair: list[str]) -> None:
    os.mkfifo(tmp_path / "fifo")
    command = [*COMMAND, "score", "bleu", "-p", "-", "-r", str(tmp_path / "fifo")]
    with started(command) as process:
        assert process.stdin
        process.stdin.write(b"text\n" * 50_000)
        process.stdin.close()
        process.stdin = None
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == (b"", b"")
        assert process.returncode == 130


@ON_POSIX
def test_a_file_may_be_a_pipe(pair: list[str]) -> None:
    _, hypotheses, _, references = pair
    done = subprocess.run(
        ["bash", "-c", f'"$@" -p <(cat {hypotheses}) -r <(cat {references}) --json', "bash", *COMMAND, "score", "bleu"],
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["systems"][0]["segments"] == 3


@ON_POSIX
def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("a b c d\n" * 20_000)
    script = '"$@" | head -1; exit ${PIPESTATUS[0]}'
    command = [*COMMAND, "score", "bleu", "-p", str(path), "-r", str(path), "--per-segment"]
    done = subprocess.run(["bash", "-c", script, "bash", *command], capture_output=True)
    assert done.stdout.startswith(b"segment\tsystem\tbleu")
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


@ON_POSIX
def test_closed_streams(pair: list[str]) -> None:
    assert "standard input, which is closed" in told(in_shell("<&-", "score", "bleu", "-p", "-", *pair[2:]), 2)
    assert "standard output is closed" in told(in_shell(">&-", "score", "bleu", *pair), 1)
    done = in_shell("2>&-", "score", "bleu", *pair)
    assert (done.returncode, done.stdout[:6]) == (0, "system")


@FULL
@pytest.mark.parametrize("option", ["--json", "--per-segment", "--help"])
def test_a_full_device(pair: list[str], option: str) -> None:
    assert "No space left on device" in told(in_shell("> /dev/full", "score", "chrf", *pair, option), 1)


@FULL
def test_a_report_on_a_full_device(pair: list[str]) -> None:
    assert "No space left" in refused("trace", "bleu", *pair, "--segment", "1", "--html", "/dev/full", status=1)
    assert not Path("/dev/full").is_file()


def test_files_that_cannot_be_written(pair: list[str], tmp_path: Path) -> None:
    for place in (tmp_path / "none" / "trace.html", tmp_path / "hyp.txt" / "trace.html"):
        message = refused("trace", "bleu", *pair, "--segment", "1", "--html", str(place), status=1)
        assert str(place) in message
    options = ["--library", "nltk", "--variant", "nltk", "--out", str(tmp_path / "hyp.txt" / "report.html")]
    assert "hyp.txt" in refused("compare", *pair, *options, status=1).splitlines()[-1]


def test_files_that_cannot_be_read(pair: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def vanished(*arguments: object, **options: object) -> None:
        Path(pair[1]).unlink()
        Path(pair[1]).read_bytes()

    monkeypatch.setattr("metrologue.files.parts.stream_parts", vanished)
    assert refused("score", "bleu", *pair, status=1) == f"Error: {pair[1]}: No such file or directory\n"


def test_a_warning_is_one_line(pair: list[str], tmp_path: Path) -> None:
    (tmp_path / "marked").write_bytes(b"\xef\xbb\xbfa b c d\n")
    (tmp_path / "plain").write_bytes(b"a b c d\n")
    command = [sys.executable, "-m", "metrologue", "score", "bleu", "-p", tmp_path / "marked", "-r", tmp_path / "plain"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0
    [line] = [line for line in done.stderr.splitlines() if not line.startswith("metrologue: ")]
    assert line.startswith("Warning: ")
    assert "byte order mark" in line


def test_a_directory_is_no_file(pair: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["score", "bleu", "-p", str(tmp_path), *pair[2:]])
    assert result.exit_code == 2
    assert "is a directory" in result.stderr


def test_too_little_memory_is_one_line(pair: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("metrologue.files.parts.stream_parts", too_much)
    assert "memory" in refused("score", "bleu", *pair, status=1)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_output_is_utf_8_as_input_is(encoding: str, pair: list[str], tmp_path: Path) -> None:
    cat = tmp_path / "猫.txt"
    (tmp_path / "hyp.txt").rename(cat)
    environment = {"LC_ALL": "C", "PYTHONIOENCODING": encoding}
    done = in_shell("", "score", "bleu", "-p", str(cat), *pair[2:], "--json", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["systems"][0]["name"] == str(cat)
    done = in_shell("", "trace", "bleu", "-p", str(cat), *pair[2:], "--segment", "1", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "sät" in done.stdout


@ON_POSIX
def test_names_that_are_not_utf_8(pair: list[str], tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/hyp\xff.txt")
    os.rename(pair[1], odd)
    options = ["-p", odd, *pair[2:]]
    for option in ([], ["--json"], ["--per-segment"]):
        result = CliRunner().invoke(main, ["score", "bleu", *options, *option], catch_exceptions=False)
        assert result.exit_code == 0
        assert "hyp\\xff.txt" in result.stdout.replace("\\\\", "\\")
    out = os.fsdecode(os.fsencode(tmp_path) + b"/\xfe.html")
    arguments = ["compare", *options, "--library", "nltk", "--variant", "nltk", "--out", out]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert "hyp\\xff.txt" in Path(out).read_text("utf-8")


@ON_POSIX
def test_names_that_are_not_utf_8_in_messages(pair: list[str]) -> None:
    odd = os.fsencode(pair[1]).replace(b"hyp", b"\xff")
    Path(os.fsdecode(odd)).write_bytes(b"\xfe\n")
    done = subprocess.run([*COMMAND, "score", "bleu", "-p", odd, *pair[2:]], capture_output=True)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"txt:1: byte 1 of the line (0xfe) is not UTF-8" in done.stderr


class TestWriteWhole:
    """A file is there as a whole, or as it was."""

    def test_a_failure_leaves_what_was(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "page.html"
        path.write_text("old")

        def fails(*arguments: object) -> None:
            raise OSError("no rename")

        monkeypatch.setattr(os, "replace", fails)
        with pytest.raises(OSError, match="no rename"):
            write_whole(path, b"new")
        assert path.read_text() == "old"
        assert [*tmp_path.iterdir()] == [path]

    @ON_POSIX
    def test_permissions_and_links_stay(self, tmp_path: Path) -> None:
        path, link = tmp_path / "page.html", tmp_path / "link.html"
        path.write_text("old")
        path.chmod(0o640)
        link.symlink_to(path)
        write_whole(link, b"new")
        assert link.is_symlink()
        assert path.read_bytes() == b"new"
        assert path.stat().st_mode & 0o777 == 0o640

    @ON_POSIX
    def test_a_pipe_is_written_into(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "fifo")
        with subprocess.Popen(["cat", tmp_path / "fifo"], stdout=subprocess.PIPE) as reader:
            write_whole(tmp_path / "fifo", b"page")
            assert reader.communicate()[0] == b"page"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["coco", "--annotations", "deep.json", "--results", "deep.json"], "deep.json: not JSON that can be read"),
        (["score", "meteor", "--set", "paraphrases=cut.gz"], "cut.gz: not a valid gzip file"),
        (["score", "wer", "--prediction-key", "a", "-p", "flipped.parquet"], "flipped.parquet: not a valid Parquet"),
        (["score", "cider", "--set", f"document_frequency={'x' * 300}"], "--set document_frequency is"),
        (["score", "x" * 300], "no metric is called"),
    ],
)
def test_damaged_files_and_long_names_are_refused(
    arguments: list[str], told: str, pair: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep.json").write_text("[" * 100_000, "utf-8")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"0.5\na\nb\n" * 1000)[:-6])
    parquet.write_table(pa.table({"a": ["x", "y"]}), tmp_path / "flipped.parquet")
    whole = (tmp_path / "flipped.parquet").read_bytes()
    damaged = whole[:4] + bytes(byte ^ 0xFF for byte in whole[4:60]) + whole[60:]
    (tmp_path / "flipped.parquet").write_bytes(damaged)
    files = [] if arguments[0] == "coco" else pair if "-p" not in arguments else pair[2:]
    assert told in refused(*arguments, *files, status=2)

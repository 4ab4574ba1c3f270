"""``--checkpoint``: a count that was ended goes on, and ends with the same number, or the command is refused."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import ipc, parquet
from waiting import until

from metrologue.cli import checkpoints, main
from metrologue.cli.checkpoints import Checkpoint
from metrologue.cli.streams import Chunk
from metrologue.errors import InputError
from metrologue.files.lines import Part
from metrologue.files.parts import stream_parts
from metrologue.scorers import Bleu, Scorer

HYPOTHESES = [f"the cat {i % 7} sat on mat {i % 3} 猫" for i in range(40)]
REFERENCES = [f"the cat {i % 5} sat on a mat {i % 3} 犬" for i in range(40)]
NUMBERS = [f"0.{i % 9 + 1} 0.5" for i in range(40)]


class Ended(Exception):
    """In place of whatever ends a process."""


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few lines a chunk, and each is kept."""
    monkeypatch.setattr("metrologue.files.parts.stream_parts", partial(stream_parts, chunk_bytes=160))
    monkeypatch.setattr(checkpoints, "_INTERVAL", 0.0)
    monkeypatch.setattr(checkpoints, "_SHARE", 0)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, lines in (("hyp.txt", HYPOTHESES), ("ref.txt", REFERENCES)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return ["-p", str(tmp_path / "hyp.txt"), "-r", str(tmp_path / "ref.txt")]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept"


def run(*arguments: str | Path, status: int = 0, text: bytes | None = None) -> Result:
    result = CliRunner().invoke(main, [*map(str, arguments)], input=text)
    assert result.exit_code == status, result.output
    return result


def end_after(chunks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have commands end after some chunks, until `monkeypatch` is undone."""
    keep = Checkpoint.keep
    count = 0

    def ended(self: Checkpoint, chunk: Chunk, totals: Any) -> None:
        nonlocal count
        if count == chunks:
            raise Ended
        count += 1
        keep(self, chunk, totals)

    monkeypatch.setattr(Checkpoint, "keep", ended)


def resumed(kept: Path, *arguments: str, chunks: int = 3) -> str:
    """The output of a command that was ended once, and what it counts in the end."""
    with pytest.MonkeyPatch.context() as patch:
        end_after(chunks, patch)
        with pytest.raises(Ended):
            CliRunner().invoke(main, ["score", *arguments, "--checkpoint", str(kept)], catch_exceptions=False)
    assert 0 < counted(kept) < 40
    return run("score", *arguments, "--checkpoint", kept).stdout


def counted(kept: Path) -> int:
    number = json.loads(kept.read_bytes().split(b"\n")[1])["segments"]
    assert isinstance(number, int)
    return number


@pytest.mark.parametrize(
    "metrics",
    [
        ["bleu", "chrf", "ter"],
        ["rouge"],  # a mean of fractions, which sums to the last bit
        ["lexical_diversity"],  # tables and texts in order
        ["distinct_n"],  # a table of n-grams
        ["confusion_matrix"],
        ["wer", "--set", "aggregation=mean"],
        ["bleu:nltk", "bleu:sacrebleu"],
    ],
    ids=str,
)
@pytest.mark.parametrize("chunks", [1, 4])
def test_a_count_goes_on(metrics: list[str], chunks: int, files: list[str], kept: Path) -> None:
    needed = files[:2] if metrics[0] in ("lexical_diversity", "distinct_n") else files
    expected = run("score", *metrics, *needed, "--json").stdout
    assert resumed(kept, *metrics, *needed, "--json", chunks=chunks) == expected
    # What is counted is not counted again.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Scorer, "accumulate", None)
        assert run("score", *metrics, *needed, "--json", "--checkpoint", kept).stdout == expected
    assert counted(kept) == 40


@pytest.mark.parametrize("metric", ["perplexity", "log_loss_hashed"])
def test_a_metric_that_knows_its_lines_goes_on(metric: str, tmp_path: Path, kept: Path, files: list[str]) -> None:
    (tmp_path / "out").write_text("".join(f"{line}\n" for line in NUMBERS))
    (tmp_path / "words").write_text("".join(f"w{i}:0.5 x:0.5\n" for i in range(40)))
    (tmp_path / "right").write_text("".join(f"w{i}\n" for i in range(40)))
    given = (
        ["-p", str(tmp_path / "out")]
        if metric == "perplexity"
        else ["-p", f"{tmp_path}/words", "-r", f"{tmp_path}/right"]
    )
    expected = run("score", metric, *given, "--json").stdout
    assert resumed(kept, metric, *given, "--json", chunks=1) == expected


def test_several_systems_and_references(files: list[str], kept: Path) -> None:
    given = ["bleu", *files, "-p", files[3], "-r", files[1], "--json"]
    assert resumed(kept, *given) == run("score", *given).stdout


def write_table(path: Path, texts: list[str]) -> None:
    table = pa.table({"text": texts})
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        with ipc.new_file(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=7)


def write_lines(pack: Callable[[bytes], bytes], path: Path, texts: list[str]) -> None:
    lines = map(json.dumps, texts) if ".jsonl" in path.name else texts
    path.write_bytes(pack("".join(f"{line}\n" for line in lines).encode()))


WRITERS: dict[str, Callable[[Path, list[str]], None]] = {
    "x.txt.gz": partial(write_lines, gzip.compress),
    "x.txt.xz": partial(write_lines, lzma.compress),
    "x.txt.zst": partial(write_lines, lambda content: pa.compress(content, codec="zstd", asbytes=True)),
    "x.jsonl": partial(write_lines, bytes),
    "x.parquet": write_table,
    "x.arrow": write_table,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_kind_of_file(name: str, files: list[str], kept: Path, tmp_path: Path) -> None:
    """What counts is the text: a file may be packed or unpacked before the command goes on."""
    WRITERS[name](tmp_path / name, HYPOTHESES)
    given = ["bleu", "-p", str(tmp_path / name), *files[2:], "-w", "17", "-b"]
    expected = run("score", "bleu", *files, "-w", "17", "-b").stdout
    assert resumed(kept, "bleu", *files, "-w", "17", "-b", chunks=2) == expected
    kept.unlink()
    with pytest.MonkeyPatch.context() as patch:
        end_after(2, patch)
        with pytest.raises(Ended):
            CliRunner().invoke(main, ["score", "bleu", *files, "--checkpoint", str(kept)], catch_exceptions=False)
    assert run("score", *given, "--checkpoint", kept).stdout == expected


def test_standard_input_is_given_again(files: list[str], kept: Path) -> None:
    """A pipe is read from its beginning, as a file is."""
    text = Path(files[1]).read_bytes()
    command = [sys.executable, "-c", PATIENT, "score", "bleu", "-p", "-", *files[2:], "-b", "--checkpoint", str(kept)]
    done = subprocess.run(command, input=text, capture_output=True, check=True)
    again = subprocess.run(command, input=text, capture_output=True, check=True)
    assert done.stdout == again.stdout == run("score", "bleu", *files, "-b").stdout_bytes
    other = subprocess.run(command, input=text.replace(b"cat 3", b"dog 3"), capture_output=True)
    assert other.returncode == 2
    assert b"the first 40 segments of - are not those that were counted" in other.stderr


# A command that sleeps after each chunk, so that it can be killed in the middle.
PATIENT = """
import os, sys, time
from functools import partial
from itertools import pairwise
from metrologue.cli import checkpoints
from metrologue.files import parts
from metrologue.__main__ import run
parts.stream_parts = partial(parts.stream_parts, chunk_bytes=160)
checkpoints._INTERVAL, checkpoints._SHARE = 0, 0
keep = checkpoints.Checkpoint.keep
def kept(self, *arguments):
    keep(self, *arguments)
    time.sleep(float(os.environ.get("PAUSE", "0")))
checkpoints.Checkpoint.keep = kept
run()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_process_that_was_killed_goes_on(number: signal.Signals, files: list[str], kept: Path) -> None:
    command = [sys.executable, "-c", PATIENT, "score", "bleu", "chrf", "rouge", *files, "--json"]
    expected = subprocess.run(command, capture_output=True, check=True).stdout
    command += ["--checkpoint", str(kept)]
    environment = {**os.environ, "PAUSE": "0.2"}
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, preexec_fn=heed) as process:
        until(kept.exists, process)
        process.send_signal(number)
        assert process.communicate(timeout=30)[0] == b""
    assert 0 < counted(kept) < 40
    assert subprocess.run(command, capture_output=True, check=True).stdout == expected
    assert sorted(path.name for path in kept.parent.iterdir()) == ["hyp.txt", "kept", "ref.txt"]


def test_what_a_killed_process_has_left_is_removed(files: list[str], kept: Path) -> None:
    """If it was killed while it wrote. A file of the last minute may belong to a process that writes it now."""
    old, new, other = (kept.with_name(f".{name}") for name in ("kept.12.34", "kept.12.35", "kept.x.34"))
    for path in (old, new, other):
        path.write_bytes(b"half")
    for path in (old, other):
        os.utime(path, (1e9, 1e9))
    run("score", "bleu", *files, "--checkpoint", kept)
    assert [path.exists() for path in (old, new, other)] == [False, True, True]


def test_a_file_that_has_grown_goes_on(files: list[str], kept: Path) -> None:
    run("score", "bleu", *files, "--checkpoint", kept)
    for path in files[1::2]:
        with open(path, "a", encoding="utf-8") as file:
            file.write("one more line of text\n" * 3)
    assert (
        run("score", "bleu", *files, "--json", "--checkpoint", kept).stdout
        == run("score", "bleu", *files, "--json").stdout
    )
    assert counted(kept) == 43


def test_a_bad_line_can_be_mended(files: list[str], kept: Path) -> None:
    """What was counted before an error is kept, and a later line may be edited."""
    good = Path(files[1]).read_bytes()
    lines = good.splitlines(keepends=True)
    Path(files[1]).write_bytes(b"".join([*lines[:30], b"\xff\n", *lines[31:]]))
    assert ":31: byte 1" in run("score", "bleu", *files, "--checkpoint", kept, status=2).stderr
    assert 0 < counted(kept) <= 30
    Path(files[1]).write_bytes(good)
    assert run("score", "bleu", *files, "-b", "--checkpoint", kept).stdout == run("score", "bleu", *files, "-b").stdout


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("bleu -p hyp -r ref --set lowercase=true", "lowercase=false, but the command has lowercase=true"),
        ("chrf -p hyp -r ref", "the checkpoint is of bleu, but the command has chrf"),
        ("bleu chrf -p hyp -r ref", "the checkpoint is of bleu, but the command has bleu and chrf"),
        ("bleu:nltk bleu -p hyp -r ref", "the checkpoint is of bleu, but the command has bleu and bleu"),
        (
            "bleu -p hyp -p hyp -r ref",
            "of 1 system and 1 other column, but the command has 2 systems and 1 other column",
        ),
        ("bleu -p ref -r hyp", "other files: the first 40 segments of ref and of hyp are not those that were counted"),
        ("bleu -p hyp -r edited", "other files: the first 40 segments of edited are not those that were counted"),
        ("bleu -p short -r short", "other files: it has counted 40 segments, but the files have 10"),
        ("bleu -p hyp -r ref -r ref", "the first 40 segments of ref, ref are not those that were counted"),
        ("bleu -p empty -r empty", "the files have no lines"),
        ("bleu -p hyp -r ref --confidence", "--checkpoint keeps sums, but an interval or a test needs every segment"),
        ("bleu -p hyp -r ref --per-segment", "--checkpoint keeps sums, but --per-segment needs every segment"),
        ("cider -p hyp -r ref", "cider needs all segments at once, unless it is fitted before"),
    ],
)
def test_another_command_is_refused(
    command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    edited = [*REFERENCES[:39], f"{REFERENCES[39]} "]
    texts = {"hyp": HYPOTHESES, "ref": REFERENCES, "edited": edited, "short": HYPOTHESES[:10], "empty": []}
    for name, lines in texts.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    run("score", "bleu", "-p", "hyp", "-r", "ref", "--checkpoint", "kept")
    before = Path("kept").read_bytes()
    refused = run("score", *command.split(), "--checkpoint", "kept", status=2)
    assert message in " ".join(refused.stderr.split())
    assert Path("kept").read_bytes() == before


def test_a_file_that_is_no_checkpoint_is_left_alone(files: list[str], kept: Path) -> None:
    text = Path(files[3]).read_bytes()
    message = run("score", "bleu", *files, "--checkpoint", files[3], status=2).stderr
    assert message == f"Error: {files[3]}: the file holds no checkpoint; give another file.\n"
    assert Path(files[3]).read_bytes() == text
    run("score", "bleu", *files, "--checkpoint", kept)
    whole = kept.read_bytes()
    for damaged in (whole[:-10], whole.replace(b'"segments": 40', b'"segments": 30'), whole[:90], whole + b" "):
        kept.write_bytes(damaged)
        assert (
            "holds a damaged checkpoint; remove it"
            in run("score", "bleu", *files, "--checkpoint", kept, status=2).stderr
        )
    kept.write_bytes(b"")
    assert "holds no checkpoint" in run("score", "bleu", *files, "--checkpoint", kept, status=2).stderr


class TestFullDisk:
    """The number is worth more than the checkpoint. A file that could never be written is refused at once."""

    LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))\n" + PATIENT

    @pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
    def test_from_the_beginning(self, files: list[str], kept: Path) -> None:
        command = [sys.executable, "-c", self.LIMITED, "score", "bleu", *files, "--checkpoint", str(kept)]
        done = subprocess.run(command, capture_output=True, text=True)
        told = f"Warning: {kept}: File too large; the count goes on without a checkpoint.\n"
        assert (done.returncode, done.stderr) == (0, told)
        assert done.stdout == run("score", "bleu", *files).stdout
        assert sorted(path.name for path in kept.parent.iterdir()) == ["hyp.txt", "ref.txt"]

    def test_only_at_the_beginning(self, files: list[str], kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write, count = os.fsync, 0

        def full(file: int) -> None:
            nonlocal count
            count += 1
            if count < 3:
                raise OSError(28, "No space left on device")
            write(file)

        monkeypatch.setattr(os, "fsync", full)
        with pytest.warns(UserWarning, match="kept: No space left on device; the count goes on without") as told:
            run("score", "bleu", *files, "--checkpoint", kept)
        assert len(told) == 1
        assert counted(kept) == 40

    def test_a_wrong_path_is_refused(self, files: list[str], tmp_path: Path) -> None:
        path = tmp_path / "none" / "kept"
        told = run("score", "bleu", *files, "--checkpoint", path, status=1).stderr
        assert told == f"Error: {path}: No such file or directory\n"

    def test_later(self, files: list[str], kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write, count = os.fsync, 0

        def full(file: int) -> None:
            nonlocal count
            count += 1
            if count > 3:
                raise OSError(28, "No space left on device")
            write(file)

        expected = run("score", "bleu", *files).stdout
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.warns(
                UserWarning, match=r"kept: No space left on device; the checkpoint stays as it was"
            ) as told:
                assert run("score", "bleu", *files, "--checkpoint", kept).stdout == expected
        assert count > 5
        assert len(told) == 1
        assert 0 < counted(kept) < 40
        assert sorted(path.name for path in kept.parent.iterdir()) == ["hyp.txt", "kept", "ref.txt"]
        assert run("score", "bleu", *files, "--checkpoint", kept).stdout == expected


class TestTwoProcesses:
    """Of two processes with one checkpoint, one goes on without. Both numbers are right."""

    @pytest.mark.parametrize(("metric", "begun"), [("bleu", True), ("bleu", False), ("chrf", False)])
    def test_the_other_one_is_seen(
        self, metric: str, begun: bool, files: list[str], kept: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The other one runs as a whole before this one writes first, or after it."""
        expected = [run("score", name, *files).stdout for name in ("bleu", metric)]
        keep = Checkpoint.keep
        outputs: list[str] = []

        def kept_by_two(self: Checkpoint, chunk: Chunk, totals: Any) -> None:
            if begun:
                keep(self, chunk, totals)
            if not outputs:
                outputs.append("")
                outputs[0] = run("score", metric, *files, "--checkpoint", kept).stdout
            if not begun:
                keep(self, chunk, totals)

        monkeypatch.setattr(Checkpoint, "keep", kept_by_two)
        with pytest.warns(UserWarning, match="another process writes the checkpoint, so that this one goes on") as told:
            assert run("score", "bleu", *files, "--checkpoint", kept).stdout == expected[0]
        assert len(told) == 1
        assert outputs == [expected[1]]
        assert run("score", metric, *files, "--checkpoint", kept).stdout == expected[1]

    @pytest.mark.slow
    def test_real_ones(self, files: list[str], kept: Path) -> None:
        expected = run("score", "bleu", *files, "--json").stdout_bytes
        command = [sys.executable, "-c", PATIENT, "score", "bleu", *files, "--json", "--checkpoint", str(kept)]
        for _ in range(5):
            kept.unlink(missing_ok=True)
            environment = {**os.environ, "PAUSE": "0.02"}
            both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(2)]
            assert [process.communicate(timeout=60)[0] for process in both] == [expected] * 2
            assert [process.returncode for process in both] == [0, 0]
            assert run("score", "bleu", *files, "--json", "--checkpoint", kept).stdout_bytes == expected
            assert sorted(path.name for path in kept.parent.iterdir()) == ["hyp.txt", "kept", "ref.txt"]


def test_a_checkpoint_that_was_removed_is_written_again(
    files: list[str], kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = Checkpoint.keep

    def removed(self: Checkpoint, chunk: Chunk, totals: Any) -> None:
        kept.unlink(missing_ok=True)
        keep(self, chunk, totals)

    monkeypatch.setattr(Checkpoint, "keep", removed)
    run("score", "bleu", *files, "--checkpoint", kept)
    assert counted(kept) == 40


def test_it_is_written_now_and_then(files: list[str], kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First at once, so that a wrong path is told early; then seldom; and at the end."""
    monkeypatch.setattr(checkpoints, "_INTERVAL", 1000.0)
    write, seen = Checkpoint._write, []

    def written(self: Checkpoint) -> None:
        write(self)
        seen.append(counted(kept))

    monkeypatch.setattr(Checkpoint, "_write", written)
    run("score", "bleu", *files, "--checkpoint", kept)
    assert len(seen) == 2
    assert seen[0] < seen[1] == 40


@given(data=st.data(), done=st.integers(0, 12))
def test_any_cut_is_one_count(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, done: int) -> None:
    """The chunks need not be those of the process before."""
    texts = pa.array([f"text {i}" for i in range(12)], pa.large_string())

    def parts() -> Iterator[Part]:
        cuts = sorted({0, 12, *data.draw(st.lists(st.integers(0, 12)))})
        for start, stop in pairwise(cuts):
            yield Part([texts[start:stop]], texts[start:stop], [])

    path = tmp_path_factory.mktemp("cut") / "kept"
    first = Checkpoint(path, [Bleu()], ["a"], ["b"])
    if done:
        chunk = next(first.rest([Part([texts[:done]], texts[:done], [])]))
        first.keep(chunk, [[Bleu().accumulate(texts[:done], texts[:done])]])
    second = Checkpoint(path, [Bleu()], ["a"], ["b"])
    chunks = [*second.rest(parts())]
    assert [text for chunk in chunks for text in chunk.systems[0].to_pylist()] == texts[done:].to_pylist()
    assert [chunk.start for chunk in chunks][:1] == [done][: 12 - done]
    if done:
        with pytest.raises(InputError, match="are not those that were counted"):
            [*second.rest([Part([texts[:1]], texts[1:2], []), Part([texts[1:]], texts[1:], [])])]

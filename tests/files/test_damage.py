"""Damage that is done, not simulated: bytes, disks, clocks, other users, processes that are killed, forked or spawned.

What a process, a disk or another user does to one part alone is tested beside that part.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import numpy as np
import pyarrow as pa
import pytest
from amounts import EXAMPLES, nth
from pyarrow import parquet

from metrologue import cache
from metrologue.cli.checkpoints import Checkpoint
from metrologue.errors import InputError
from metrologue.files.captions import read_captions
from metrologue.files.lines import stream_lines
from metrologue.language_models import open_model as open_language_model
from metrologue.language_models.arpa import ArpaModel
from metrologue.language_models.kenlm_binary import KenlmModel
from metrologue.learned import open_model, sample_model, save_model
from metrologue.learned.finished import FinishedParts
from metrologue.representations import FunctionEncoder, WordVectors, open_encoder
from metrologue.representations.frames import FrameFile
from metrologue.representations.parses.conllu import ConlluParses
from metrologue.representations.store import VectorStore
from metrologue.scorers import F1, Bleu, DistinctN, LexicalDiversity, NistMt, Rouge, Totals
from metrologue.scorers.pyramid.ducview import read_ducview
from metrologue.segments import Segments
from metrologue.text.lexicon.document_frequencies import read_frequencies
from metrologue.text.lexicon.own_tables import register_paraphrases, register_stems
from metrologue.text.lexicon.resource import Resource, is_saved
from metrologue.writing import write_whole

HYPOTHESES = [f"the cat {i % 7} sat on mat {i % 3} 猫" for i in range(40)]
REFERENCES = [[f"the cat {i % 5} sat on a mat {i % 3} 犬"] for i in range(40)]
POSIX = pytest.mark.skipif(os.name != "posix", reason="processes, users and limits of POSIX")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_said", set())


def script(code: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a new process does."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120)


# ----- Bytes -----


def flips(whole: bytes, step: int) -> list[bytes]:
    """Copies with a bit of each byte turned round, or of each `step`-th."""
    return [
        whole[:place] + bytes([whole[place] ^ 1 << Random(place).randrange(8)]) + whole[place + 1 :]
        for place in range(0, len(whole), step)
    ]


def test_every_byte_of_a_file_of_the_cache(tmp_path: Path) -> None:
    cache.kept("a/b", lambda: b"what was made")
    path = tmp_path / "cache" / "a" / "b"
    whole = path.read_bytes()
    for damaged in flips(whole, 1):
        path.write_bytes(damaged)
        assert bytes(cache.kept("a/b", lambda: b"what was made")) == b"what was made"
        assert path.read_bytes() == whole


def test_every_byte_of_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    texts = tmp_path / "texts"
    texts.write_text("".join(f"{line}\n" for line in HYPOTHESES), "utf-8")
    command = ["score", "bleu", "-p", str(texts), "-r", str(texts), "--checkpoint", str(path)]
    assert subprocess.run([sys.executable, "-m", "metrologue", *command], stdout=subprocess.DEVNULL).returncode == 0
    whole = path.read_bytes()
    assert Checkpoint(path, [Bleu()], [str(texts)], [str(texts)]).segments == 40
    for damaged in flips(whole, nth(3)):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"holds (a damaged|no) checkpoint"):
            Checkpoint(path, [Bleu()], [str(texts)], [str(texts)])


def same_numbers(saved: Path, read: Callable[[], Any]) -> None:
    """Each damaged copy of a file is refused, or read as what it was; `read` gives what can be compared."""
    whole, expected = saved.read_bytes(), read()
    step = 1 + len(whole) // (1500 if EXAMPLES >= 100 else 100)
    refused = 0
    for place, damaged in enumerate(flips(whole, step)):
        saved.write_bytes(damaged)
        try:
            found = read()
        except InputError:
            refused += 1
        else:
            assert found == expected, place * step
    saved.write_bytes(whole)
    assert read() == expected
    assert refused


WORDS = [f"{text} {'x' * (i % 4)}" for i, text in enumerate(HYPOTHESES[:12])]
SAVED: list[tuple[Any, tuple[Any, ...]]] = [
    (Bleu(), (WORDS, REFERENCES[:12])),  # sums
    (Rouge(aggregation="bootstrap-median", samples=5), (WORDS, REFERENCES[:12])),  # rows
    (DistinctN(), (WORDS,)),  # counts of n-grams
    (LexicalDiversity(window=3, draws=3, vocd_samples=3), (WORDS,)),  # tokens
    (F1(average="macro"), (["a", "b", "a"], ["a", "b", "b"])),  # labels
]


@pytest.mark.parametrize(("scorer", "texts"), SAVED, ids=lambda value: getattr(value, "name", ""))
def test_every_byte_of_saved_totals(scorer: Any, texts: tuple[Any, ...], tmp_path: Path) -> None:
    path = tmp_path / "totals.json"
    totals = scorer.accumulate(*texts)
    totals.save(path)
    same_numbers(path, lambda: scorer.score_totals(Totals.load(path)).scores)
    path.write_bytes(totals.to_bytes())
    same_numbers(path, lambda: scorer.score_totals(Totals.from_bytes(path.read_bytes())).scores)


def test_an_array_that_is_cut_by_its_own_header() -> None:
    """One bit makes 9,000 keys to 8,000. NumPy's reader stops there, before the checksum is compared."""
    data = DistinctN(orders=(1,)).accumulate([" ".join(map(str, range(9000)))]).to_bytes()
    assert b"'shape': (9000, 2)" in data
    with pytest.raises(InputError, match="CRC"):
        Totals.from_bytes(data.replace(b"'shape': (9000, 2)", b"'shape': (8000, 2)"))


def test_every_byte_of_a_fitted_table(tmp_path: Path) -> None:
    path = tmp_path / "table.arrow"
    fitted = NistMt().fit(Segments(WORDS, REFERENCES[:12]))
    assert fitted.information
    fitted.information.save(path)
    same_numbers(path, lambda: str(Resource.load(path)))


def test_every_byte_of_a_trained_model(tmp_path: Path) -> None:
    """Its name has the digest of the weights; its report is data too."""
    folder = save_model(sample_model("composite"), tmp_path / "model")

    def read() -> Any:
        model = open_model(folder)
        return model.name, model.weights, model.report

    for name in ("model.json", "model.safetensors"):
        same_numbers(folder / name, read)


def test_every_byte_of_a_measuring(tmp_path: Path) -> None:
    path = tmp_path / "training.measured"
    FinishedParts(path, "digest").numbers("part 1", lambda: np.array([0.5, 0.25]))

    def read() -> Any:
        return FinishedParts(path, "digest").numbers("part 1", lambda: pytest.fail("measured again")).tolist()

    same_numbers(path, read)


def test_every_byte_of_a_training(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    import torch

    from metrologue.learned.training.loop import _Run

    path, module = tmp_path / "training.safetensors", torch.nn.Linear(2, 1)
    adam = torch.optim.Adam(module.parameters())
    module(torch.ones(1, 2)).sum().backward()
    adam.step()
    _Run(module, adam, "digest", path).ended(0.5, True)

    def read() -> Any:
        run = _Run(module, adam, "digest", path)
        weights = {name: each.tolist() for name, each in run.best.items()}
        return run.epoch, run.worse, run.halved, run.least, weights, str(adam.state_dict()["state"])

    same_numbers(path, read)


def test_every_byte_of_kept_vectors(tmp_path: Path) -> None:
    encoder = FunctionEncoder("letters", lambda texts: [[[1.0, len(text)]] * len(text) for text in texts], "1")
    VectorStore(tmp_path).tokens(encoder, ["ab", "c"], (0,))
    [path] = tmp_path.glob("*.npz")
    same_numbers(path, lambda: VectorStore(tmp_path).tokens(encoder, ["ab", "c"], (0,)).vectors.tolist())


def test_a_file_of_an_earlier_version_has_no_digest_and_is_read(tmp_path: Path) -> None:
    """And one that was edited says what to do."""
    path = tmp_path / "totals.json"
    totals = Bleu().accumulate(HYPOTHESES, REFERENCES)
    totals.save(path)
    data = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(dict(reversed(data.items())), indent=2), "utf-8")  # another order, and other spaces
    assert Bleu().score_totals(Totals.load(path)) == Bleu().score_totals(totals)
    data["totals"]["clipped_count_1"] += 1
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(InputError, match=r"totals\.json holds no saved totals \(it is damaged or edited"):
        Totals.load(path)
    del data["digest"]
    path.write_text(json.dumps(data), "utf-8")
    assert Bleu().score_totals(Totals.load(path)).value > Bleu().score_totals(totals).value


def as_parquet(path: Path) -> None:
    parquet.write_table(pa.table({"text": HYPOTHESES}), path)


def as_json_lines(path: Path) -> None:
    path.write_text("".join(json.dumps(text, ensure_ascii=False) + "\n" for text in HYPOTHESES), "utf-8")


def as_tab_separated(path: Path) -> None:
    path.write_text("text\tother\n" + "".join(f"{text}\tx\n" for text in HYPOTHESES), "utf-8")


@pytest.mark.parametrize(
    ("name", "write"),
    [("a.parquet", as_parquet), ("a.jsonl", as_json_lines), ("a.tsv", as_tab_separated)],
)
def test_a_file_that_is_cut_off(name: str, write: Callable[[Path], None], tmp_path: Path) -> None:
    """It is refused; or, cut between two lines, it has the texts before. No text is cut unseen.

    gzip, xz, zstd and Arrow are in ``test_files`` and ``test_records``.
    """
    path = tmp_path / name
    write(path)
    whole, key = path.read_bytes(), "text" if name.endswith("tsv") else None

    def texts() -> list[str]:
        return [text for chunk in stream_lines(path, key=key) for text in chunk.to_pylist()]

    assert texts() == HYPOTHESES
    for size in range(1, len(whole), nth(5)):
        path.write_bytes(whole[:size])
        try:
            found = texts()
        except InputError:
            continue
        assert not name.endswith("parquet"), size
        assert found == HYPOTHESES[: len(found)], size


# ----- Files of strangers: no files, and files that promise more than they hold -----


def folder_of_vectors(path: Path) -> None:
    """The file as the words of an array of vectors."""
    folder = path.with_name("vectors")
    folder.mkdir(exist_ok=True)
    np.save(folder / "own.npy", np.eye(2, dtype=np.float32))
    (folder / "own.parquet").unlink(missing_ok=True)
    (folder / "own.parquet").symlink_to(path)
    WordVectors(folder)


def kept_vectors(path: Path) -> None:
    """The file as vectors that were kept."""
    place = path.with_name("kept")
    place.mkdir(exist_ok=True)
    (place / "letters@1-0-x.npz").unlink(missing_ok=True)
    (place / "letters@1-0-x.npz").symlink_to(path)
    VectorStore(place).tokens(FunctionEncoder("letters", lambda texts: [[[1.0]] for _ in texts], "1"), ["a"], (0,))


READERS: dict[str, Callable[[Path], Any]] = {
    "language-model.arpa": open_language_model,
    "arpa": ArpaModel,
    "kenlm.bin": KenlmModel,
    "words.txt": WordVectors,
    "encoder.vec": open_encoder,
    "words.parquet": folder_of_vectors,
    "kept.npz": kept_vectors,
    "frames.conll": FrameFile,
    "frames.jsonl": FrameFile,
    "parses.conllu": ConlluParses,
    "table.arrow": Resource.load,
    "saved": is_saved,
    "totals.json": Totals.load,
    "numbers.measured": lambda path: FinishedParts(path, "digest"),
    "captions.json": lambda path: read_captions(path, path),
    "pyramid.pan": read_ducview,
    "column.parquet": lambda path: [*stream_lines(path)],
    "column.arrow": lambda path: [*stream_lines(path)],
    "paraphrases.txt": lambda path: register_paraphrases("strange", path),
    "stems.txt": lambda path: register_stems("strange", path),
    "frequencies.p": read_frequencies,
}


@POSIX
@pytest.mark.parametrize("name", READERS)
def test_a_pipe_and_a_device_are_not_opened(name: str, tmp_path: Path) -> None:
    """A reader of a pipe would wait for ever, and one of the device take all memory."""
    path = tmp_path / name
    for make in (os.mkfifo, lambda place: place.symlink_to("/dev/zero")):
        make(path)
        with pytest.raises(InputError):
            READERS[name](path)
        path.unlink()


@pytest.mark.parametrize("name", READERS)
def test_a_file_of_any_content(name: str, tmp_path: Path) -> None:
    """It is refused, or read as something that it may be."""
    path = tmp_path / name
    for content in (
        b"", b"\0" * 4096, b"[" * 100_000, b"1000000000000 300\n\x00\x01 abc", b"3 1000000000000\na 1 2\n", b"{}",
        b"9" * 5000, b'{"a": 1e999}', "\ud800".encode("utf-8", "surrogatepass"), b"PK\x05\x06" + b"\0" * 18,
        b"ARROW1\0\0" + b"\xff" * 200, b"PAR1" + b"\xff" * 200 + b"PAR1", b"\\data\\\nngram 1=1000000\n\n",
    ):  # fmt: skip
        path.write_bytes(content)
        with suppress(InputError):
            READERS[name](path)


def packed_arrays(**arrays: bytes) -> bytes:
    """A file as ``numpy.savez`` writes it, of contents of ``.npy`` files."""
    file = io.BytesIO()
    with ZipFile(file, "w") as packed:
        for name, content in arrays.items():
            packed.writestr(f"{name}.npy", content)
    return file.getvalue()


def npy(header: str, numbers: bytes = b"\0" * 64) -> bytes:
    told = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(told).to_bytes(2, "little") + told + numbers


@pytest.mark.parametrize("shape", ["(1000000000000,)", "(10,)", "(7,)", "(-8,)", f"(0, {10**30})", "8", "(8.0,)"])
def test_arrays_that_say_more_than_they_have(shape: str, tmp_path: Path) -> None:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}"
    for content in (packed_arrays(about=npy(header)), packed_arrays(about=npy("[" * 9000))):
        with pytest.raises(InputError, match="the bytes are damaged, or hold no totals"):
            Totals.from_bytes(content)
    folder = tmp_path / "vectors"
    folder.mkdir()
    parquet.write_table(pa.table({"word": ["a"] * 8}), folder / "own.parquet")
    (folder / "own.npy").write_bytes(npy(header))
    with pytest.raises(InputError):
        WordVectors(folder)


def test_arrays_that_are_packed_or_share_bytes() -> None:
    """A small file of zeros, or of many names for one range, would be large in memory."""
    file = io.BytesIO()
    np.savez_compressed(file, about=np.zeros(10_000))
    with pytest.raises(InputError, match="arrays that are packed, or share bytes"):
        Totals.from_bytes(file.getvalue())
    whole = packed_arrays(a=npy("{'descr': '<f8', 'fortran_order': False, 'shape': (8,)}"), b=b"b")
    start, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    first = whole[start : whole.index(b"PK\x01\x02", start + 1)]
    tail = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 900, 900, 900 * len(first), start, 0)
    assert len(whole[end:]) == len(tail)
    with pytest.raises(InputError, match="arrays that are packed, or share bytes"):
        Totals.from_bytes(whole[:start] + first * 900 + tail)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1000000000000 300\n\x00\x01 abc", "which its first line promises"),
        (b"2 1000000000000\na 1 2\n", "no word with 1000000000000 numbers"),
        (b"a 1 2\n" + b"b" * (1 << 24), "has more than 16,777,216 bytes"),
    ],
)  # fmt: skip
def test_word_vectors_that_promise_more_than_they_have(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_bytes(content)
    with pytest.raises(InputError, match=message):
        WordVectors(tmp_path / "own.txt")


def test_a_language_model_that_promises_more_than_it_has(tmp_path: Path) -> None:
    """Room for its tables is made before its n-grams are read."""
    path = tmp_path / "own.arpa"
    path.write_text("\\data\\\nngram 1=1000\n\n\\1-grams:\n-1 a\n\n\\end\\\n")
    with pytest.raises(InputError, match="promises 1000 n-grams, more than the file can hold"):
        ArpaModel(path)


# ----- Processes that are killed -----

SLOW = """
import sys, time
from metrologue import cache
def make(path):
    path.write_bytes(b"half of it")
    print("ready", flush=True)
    time.sleep(60)
cache.kept_file("tables/long", make, lambda file: file.read())
"""


@POSIX
def test_a_process_that_is_killed_while_it_fills_the_cache(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    whole = cache.kept_file("tables/long", lambda path: path.write_bytes(b"all of it"), lambda file: file.read())
    assert whole == b"all of it"
    assert (tmp_path / "cache" / "tables" / "long").read_bytes() == b"all of it"


# ----- Disks -----

FULL = """
import resource, sys
from pathlib import Path
from metrologue import cache
from metrologue.scorers import Bleu, DistinctN, Totals
path = Path(sys.argv[1])
totals = Bleu().accumulate(["a b c d"], ["a b c e"])
totals.save(path)
before = path.read_bytes()
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
large = bytes(range(256)) * 40
for name in ("a", "b"):
    assert bytes(cache.kept(name, lambda: large)) == large
    short = cache.kept_file(f"long/{name}", lambda path: path.write_bytes(b"short"), lambda file: file.read())
    assert short == b"short"
try:
    DistinctN().accumulate([str(number) + " x" for number in range(99)]).save(path)
except OSError as error:
    print(error.strerror)
assert path.read_bytes() == before
assert Totals.load(path).segments == 1
"""


@POSIX
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """Everything goes on but what has to be written; what was there stays, and nothing half is left."""
    done = script(FULL, tmp_path / "totals.json")
    assert (done.returncode, done.stdout) == (0, "File too large\n"), done.stderr
    assert done.stderr.count("\n") == 1
    assert "cannot be written (File too large), so each process makes its files again" in done.stderr
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["cache/long/a", "cache/long/b", "totals.json"]


# Two containers: the processes of both have the same number.
WRITER = """
import os, sys
from pathlib import Path
os.getpid = lambda: 7
from metrologue import cache
from metrologue.writing import write_whole
letter, folder = sys.argv[1].encode(), Path(sys.argv[2])
os.environ["METROLOGUE_CACHE"] = str(folder)
for turn in range(60):
    write_whole(folder / "page", letter * 100_000)
    assert (folder / "page").read_bytes() in (b"a" * 100_000, b"b" * 100_000)
    assert bytes(cache.kept(f"kept/{turn}", lambda: b"content")) == b"content"
    assert cache.kept_file(f"long/{turn}", lambda path: path.write_bytes(b"long"), lambda file: file.read()) == b"long"
"""


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o700)
    command = [sys.executable, "-c", WRITER]
    both = [
        subprocess.Popen([*command, letter, str(tmp_path / "shared")], stderr=subprocess.PIPE, text=True)
        for letter in "ab"
    ]
    told = [process.communicate(timeout=120)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert told == ["", ""]
    assert not [*(tmp_path / "shared").rglob(".*")]


@POSIX
def test_a_link_at_the_temporary_name_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may write in a folder could guess the name, and have a file of the user's overwritten."""
    victim, target, drawn = tmp_path / "victim", tmp_path / "page", [b"\0" * 5, b"\0\0\0\0\1", b"\0\0\0\0\2"]
    victim.write_text("precious")
    for number, link in ((0, victim), (1, tmp_path / "nowhere")):
        (tmp_path / f".page.{os.getpid()}.{number}").symlink_to(link)
    for write in (
        lambda: write_whole(target, b"content"),
        lambda: cache._make_file(target, lambda path: path.write_bytes(b"content")),
    ):
        draws = iter(drawn)
        with monkeypatch.context() as patch:
            patch.setattr(os, "urandom", lambda size, draws=draws: next(draws))
            write()
        assert not target.is_symlink()
        assert target.read_bytes() == b"content"
        assert [*draws] == []
        target.unlink()
    assert victim.read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()


READ_ONLY = """
import os, sys
from pathlib import Path
from metrologue import cache
from metrologue.writing import write_whole
folder = Path(sys.argv[1])
os.environ["METROLOGUE_CACHE"] = str(folder)
os.umask(0o022)
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    write_whole(folder / "page", b"content")
except PermissionError as error:
    assert error.filename == str(folder / "page"), error
else:
    raise AssertionError("written")
def make(path):
    assert [*path.parent.iterdir()] == [path] and path.name.startswith(".b."), path
    path.write_bytes(b"made")
for _ in range(2):
    assert cache.kept_file("a/b", make, lambda file: file.read()) == b"made"
[left] = cache._made.values()
assert [*left.parent.iterdir()] == [left] and left.name == "b"
try:
    cache.kept_file("a/c", lambda path: path.write_bytes(b"half") and 1 / 0, lambda file: file.read())
except ZeroDivisionError:
    assert [*cache._made["a/c"].parent.iterdir()] == []
"""


@POSIX
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    """What is made for the process alone has a temporary name too, until it is whole."""
    for folder in (tmp_path, *tmp_path.parents):  # so that another user than root gets there
        if not folder.stat().st_mode & 0o001:
            folder.chmod(0o755)
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed").chmod(0o555)
    done = script(READ_ONLY, tmp_path / "closed")
    assert done.returncode == 0, done.stderr
    assert "cannot be written (Permission denied), so b is made for this process only" in done.stderr
    assert [*(tmp_path / "closed").iterdir()] == []


def test_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    if not Path("/proc/self").is_dir():
        pytest.skip("not even root can write in /proc, which is not here")
    texts = tmp_path / "texts"
    texts.write_text("a b c d\n", "utf-8")
    code = """
import os, sys
del os.environ["METROLOGUE_CACHE"]
os.environ.pop("XDG_CACHE_HOME", None)
from metrologue import cache
assert str(cache.cache_folder()).startswith("/proc/"), cache.cache_folder()
assert bytes(cache.kept("a/b", lambda: b"made")) == b"made"
from metrologue.__main__ import run
sys.argv[1:] = ["score", "bleu", "chrf", "-p", sys.argv[1], "-r", sys.argv[1], "--json"]
run()
"""
    done = script(code, texts, HOME="/proc")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"value": 100.0') == 2
    assert "/proc/.cache/metrologue" in done.stderr
    assert "set METROLOGUE_CACHE to a folder that can be written" in done.stderr


# ----- Clocks -----


def test_a_clock_that_was_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was made in the future is used and stays; when time has caught up, it goes as all else does."""
    cache.kept("k/a", lambda: b"content")
    path, now = tmp_path / "cache" / "k" / "a", time.time()
    monkeypatch.setattr(time, "time", lambda: now - 365 * 86_400)
    assert bytes(cache.kept("k/a", lambda: pytest.fail("made again"))) == b"content"
    cache.kept("k/b", lambda: b"content")
    totals = Bleu().accumulate(HYPOTHESES, REFERENCES)
    totals.save(tmp_path / "totals.json")
    assert Totals.load(tmp_path / "totals.json").segments == 40
    assert path.exists()
    monkeypatch.setattr(time, "time", lambda: now + 100 * 86_400)
    cache.kept("k/c", lambda: b"content")
    assert not path.exists()


# ----- Other users -----

TWO = """
import os, sys
from pathlib import Path
from metrologue import cache
os.umask(0o022)
shared = Path(sys.argv[1])
os.environ["METROLOGUE_CACHE"] = str(shared)
shared.mkdir(mode=0o755)
cache.kept("a/of-root", lambda: b"of root")
def as_nobody(work):
    if os.fork() == 0:
        os.setgid(65534); os.setuid(65534)
        try:
            work()
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
        os._exit(0)
    assert os.wait()[1] == 0
def reads():
    assert bytes(cache.kept("a/of-root", lambda: 1 / 0)) == b"of root"
    assert bytes(cache.kept("a/own", lambda: b"own")) == b"own"  # which cannot be written
    assert not (shared / "a" / "own").exists()
as_nobody(reads)
own = shared.with_name("own")
own.mkdir(); os.chown(own, 65534, 65534)
os.environ["METROLOGUE_CACHE"] = str(own)
def plants():
    assert bytes(cache.kept("a/b", lambda: b"planted")) == b"planted"
    assert (own / "a" / "b").is_file()
as_nobody(plants)
assert bytes(cache.kept("a/b", lambda: b"own")) == b"own"
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root becomes another user")
def test_two_users(tmp_path: Path) -> None:
    """A user reads what root has made and cannot change it; root uses nothing that a user has made."""
    for folder in (tmp_path, *tmp_path.parents):  # so that the other user gets there
        if not folder.stat().st_mode & 0o001:
            folder.chmod(0o755)
    done = script(TWO, tmp_path / "shared")
    assert done.returncode == 0, done.stderr
    assert "cannot be written (Permission denied)" in done.stderr
    assert "belongs to another user, so nothing in it is used" in done.stderr


# ----- Processes of one's own -----


# It is a file, because a process that is spawned runs it again for what is defined there.
PROCESSES = f"""
import multiprocessing, sys
from metrologue.scorers import Bleu
HYPOTHESES, REFERENCES = {HYPOTHESES!r}, {REFERENCES!r}
def counted(part, scorer=Bleu()):
    return scorer.accumulate(HYPOTHESES[part::2], REFERENCES[part::2], threads=2)
if __name__ == "__main__":
    Bleu().corpus(HYPOTHESES, REFERENCES, threads=3)
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        first, second = pool.map_async(counted, range(2)).get(timeout=30)
    print(repr(Bleu().score_totals(first.merge(second)).value))
"""


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_of_each_kind(method: str, tmp_path: Path) -> None:
    """After threads have run: a process that is forked has none of them, and one that is spawned imports all anew."""
    (tmp_path / "processes.py").write_text(PROCESSES, "utf-8")
    command = [sys.executable, str(tmp_path / "processes.py"), method]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    expected = repr(Bleu().corpus(HYPOTHESES, REFERENCES).value)
    assert (done.returncode, done.stdout) == (0, f"{expected}\n"), done.stderr

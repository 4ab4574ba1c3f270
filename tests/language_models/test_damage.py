"""Tables of n-gram models that are damaged, cut off or copied: never another number, never a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from language_models.models import arpa_text, random_model, random_text
from metrologue import cache
from metrologue.errors import InputError
from metrologue.language_models.arpa import ArpaModel
from metrologue.language_models.arpa.kernels.blocks import BLOCK, block_digests

SEED = 27
TEXTS = 400

SWEEP = """
import sys
from pathlib import Path
from random import Random
sys.path.insert(0, sys.argv[1])
from language_models.test_damage import flips, numbers
from metrologue.language_models.arpa import ArpaModel

path, table = map(Path, sys.argv[2:4])
whole, texts = table.read_bytes(), Path(sys.argv[4]).read_text("utf-8").split("\\0")
expected = numbers(ArpaModel(path), texts)
unseen = 0
for place, damaged in flips(whole, int(sys.argv[5])):
    table.write_bytes(damaged)
    assert numbers(ArpaModel(path), texts) == expected, place
    unseen += table.read_bytes() != whole
    table.write_bytes(whole)
print(unseen)
"""


def numbers(model: ArpaModel, texts: list[str]) -> list[bytes]:
    """All numbers of texts at once, and of single texts."""
    scores, lengths = model.full_scores([*texts, ""])
    single = [model.full_scores([text]) for text in texts[:20]]
    return [
        part.tobytes()
        for found, each in [(scores, lengths), *single]
        for part in (found.log_probabilities, found.unknown, found.offsets, each)
    ]


def flips(whole: bytes, count: int) -> list[tuple[str, bytes]]:
    """Copies of a file with one other bit, spread over the file from its first to its last byte."""
    random, copies = Random(SEED), []
    for place in np.linspace(0, len(whole) - 1, count).astype(int).tolist():
        bit = random.randrange(8)
        copies.append(
            (f"bit {bit} of byte {place}", whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
        )
    return copies


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, list[str]]:
    """An ARPA file, its tables in the cache, and texts."""
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_said", set())
    random = Random(SEED)
    ngrams = random_model(random, 3, size=300)
    path = tmp_path / "model.arpa"
    path.write_text(arpa_text(ngrams), "utf-8")
    texts = [random_text(random, ngrams).replace("\0", "") for _ in range(TEXTS)]
    ArpaModel(path)
    [table] = (tmp_path / "cache" / "arpa").iterdir()
    return path, table, texts


def swept(model: tuple[Path, Path, list[str]], count: int) -> subprocess.CompletedProcess[str]:
    path, table, texts = model
    text_file = path.with_name("texts")
    text_file.write_text("\0".join(texts), "utf-8")
    tests = str(Path(__file__).parents[1])
    arguments = [tests, str(path), str(table), str(text_file), str(count)]
    # In a process of its own, which may die.
    return subprocess.run([sys.executable, "-c", SWEEP, *arguments], capture_output=True, text=True, check=False)


def test_flipped_bits(model: tuple[Path, Path, list[str]]) -> None:
    done = swept(model, 60)
    assert done.returncode == 0, done.stderr
    assert "is damaged or cannot be read, so it is made again" in done.stderr
    assert int(done.stdout) < 60


@pytest.mark.slow
def test_every_byte(model: tuple[Path, Path, list[str]]) -> None:
    done = swept(model, 4000)
    assert done.returncode == 0, done.stderr


def cut(whole: bytes) -> list[bytes]:
    block = 8 * BLOCK
    return [
        b"",
        whole[:1],
        whole[:-1],
        whole[:-8],
        whole[: len(whole) // 2],
        whole[:block],
        whole + b"x",
        whole + bytes(8),
        bytes(block) + whole[block:],
        whole[:2000] + bytes(500) + whole[2500:],
        bytes(len(whole)),
        bytes([255]) * len(whole),
        bytes([255]) * block + whole[block:],  # no slot of a table is free
        Random(SEED).randbytes(block) + whole[block:],
        Random(SEED).randbytes(len(whole)),
    ]


@pytest.mark.parametrize("number", range(len(cut(bytes(20_000)))))
def test_cut_and_emptied_files(
    number: int, model: tuple[Path, Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, table, texts = model
    expected, whole = numbers(ArpaModel(path), texts), table.read_bytes()
    table.write_bytes(cut(whole)[number])
    capsys.readouterr()
    assert numbers(ArpaModel(path), texts) == expected
    assert capsys.readouterr().err.count("is damaged or cannot be read, so it is made again") == 1
    assert table.read_bytes() == whole


def test_another_models_tables_are_refused(model: tuple[Path, Path, list[str]]) -> None:
    path, table, texts = model
    expected = numbers(ArpaModel(path), texts)
    other = path.with_name("other.arpa")
    other.write_text(
        path.read_text("utf-8").replace("\\data\\", "# another\n\\data\\", 1).replace("-1\t", "-2\t"), "utf-8"
    )
    ArpaModel(other)
    [others] = {*table.parent.iterdir()} - {table}
    table.write_bytes(others.read_bytes())
    assert numbers(ArpaModel(path), texts) == expected


def test_damage_where_the_model_is_in_use(model: tuple[Path, Path, list[str]]) -> None:
    """The tables change in memory before a block is first read: they are made again, for models that share them too."""
    path, table, texts = model
    expected = numbers(ArpaModel(path), texts)
    used = ArpaModel(path)
    bare = used.without_boundaries()
    with table.open("r+b") as file:
        file.seek(8 * 16)
        file.write(b"\xff" * 64)
    assert numbers(used, texts) == expected
    assert bare._kept is used._kept
    assert numbers(ArpaModel(path), texts) == expected


def test_damage_that_cannot_be_mended(model: tuple[Path, Path, list[str]]) -> None:
    path, table, texts = model
    used, other = ArpaModel(path), path.with_name("new.arpa")
    table.write_bytes(bytes(64) + table.read_bytes()[64:])
    other.write_text("", "utf-8")
    os.replace(other, path)
    with pytest.raises(
        InputError, match=r"model\.arpa has changed since it was opened: its tables in the cache are damaged"
    ):
        used.full_scores(texts)
    path.unlink()
    with pytest.raises(InputError, match=r"model\.arpa cannot be read \(No such file or directory\)"):
        used.full_scores(texts)


@pytest.mark.parametrize("blocks", [1, 2])
def test_each_word_changes_the_digest(blocks: int) -> None:
    words = np.random.default_rng(SEED).integers(0, 2**63, blocks * BLOCK).astype(np.uint64)
    before = block_digests(words)
    for index in range(len(words)):
        for bit in (index % 64, 63):
            words[index] ^= np.uint64(1) << np.uint64(bit)
            assert block_digests(words)[index // BLOCK] != before[index // BLOCK]
            words[index] ^= np.uint64(1) << np.uint64(bit)
    assert (block_digests(words) == before).all()

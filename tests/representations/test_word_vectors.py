"""Word vectors from files of all kinds, and what is refused."""

from __future__ import annotations

import struct
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from metrologue import BertScore, InputError
from metrologue.representations import FunctionEncoder, VectorStore, WordVectors, open_encoder

WORDS = ["the", "cat", "New_York", "naïve"]
MATRIX = np.array([[1, 0, 0.5], [0.25, -1, 2], [3, 3, 3], [0, 0.125, 1e-3]], np.float32)


def text(header: bool, end: str = "\n") -> bytes:
    lines = [f"{word} {' '.join(map(repr, row))}{end}" for word, row in zip(WORDS, MATRIX.tolist(), strict=True)]
    return "".join([f"{len(WORDS)} 3\n"] * header + lines).encode()


def binary() -> bytes:
    return b"4 3\n" + b"".join(
        w.encode() + b" " + struct.pack("<3f", *row) for w, row in zip(WORDS, MATRIX, strict=True)
    )


def write(folder: Path, kind: str) -> Path:
    path = folder / f"vectors.{kind}"
    if kind == "npy":
        np.save(path, MATRIX)
        pa.parquet.write_table(pa.table({"index": WORDS}), folder / "words.parquet")
        return folder
    path.write_bytes({"txt": text(False), "w2v": text(True), "vec": text(True, " \n"), "bin": binary()}[kind])
    return path


@pytest.mark.parametrize("kind", ["txt", "w2v", "vec", "bin", "npy"])
def test_every_format(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path, kind)
    if kind == "txt":  # the width of the first line is that of all
        assert WordVectors(path).width == 3
    for _ in range(2):  # the second time from the cache
        found = WordVectors(path)
        assert found.words.to_pylist() == WORDS
        np.testing.assert_array_equal(found.vectors, MATRIX)
    encoded = open_encoder(path).encode_tokens(["The cat, naïve", "", "zebra"], (0,))
    assert encoded.ids.tolist() == [0, 1, -1, 3, -1]
    assert encoded.offsets.tolist() == [0, 4, 4, 5]
    assert encoded.spans.tolist() == [[0, 3], [4, 7], [7, 8], [9, 14], [0, 5]]
    np.testing.assert_array_equal(encoded.vectors[0, [0, 1, 3]], MATRIX[[0, 1, 3]])
    assert not encoded.vectors[0, [2, 4]].any()
    np.testing.assert_allclose(found.encode_texts(["the cat zebra", "x"]), [MATRIX[:2].mean(0), [0, 0, 0]])


def test_names(tmp_path: Path) -> None:
    path = write(tmp_path, "txt")
    name = WordVectors(path).name
    assert WordVectors(path, "nist", lowercase=False).name == f"{name}+nist+cased"
    path.write_bytes(text(False) + b"dog 1 2 3\n")
    assert WordVectors(path).name != name
    keyed = SimpleNamespace(index_to_key=WORDS, vectors=MATRIX)
    assert WordVectors.of_keyed_vectors(keyed).encode_tokens(["cat"], (0,)).ids.tolist() == [1]
    assert BertScore(model=path).corpus(["the cat"], ["the cat"]).value == pytest.approx(1)
    assert BertScore(model=path).layer == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no word vectors"),
        (b"a text of words\nand words\n", "holds no word vectors"),
        (b"cat 1 2\ndog 1\n", r"line 2 of .* has no word with 2 numbers"),
        (b"2 3\ncat 1 2 3\ndog 1 x 3\n", r"line 3 of .* has no word with 3 numbers"),
        (b"9 3\n" + binary()[4:], "too short for 9 words of 3 numbers, which its first line promises"),
        (b"999999999999 99999\n" + bytes(4096), "too short for 999,999,999,999 words of 99,999 numbers"),
        (binary()[:-4] + b"\n\n", r"ends after \d of \d words"),
        (b"9" * 5000 + b" 2\ncat 1 2\n", "holds no word vectors"),
        (b"1 1" + b"0" * 400 + b"\ncat x y\n", r"line 2 of .* has no word with 1 number"),
        (b"\x80\x04\x95pickled", "holds no word vectors"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "vectors.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        WordVectors(path)


def test_arrays_that_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{"pickled": 1}], object), allow_pickle=True)
    with pytest.raises(InputError, match=r"0 \.parquet files with words"):
        WordVectors(tmp_path)
    pa.parquet.write_table(pa.table({"index": WORDS}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"cannot be read: .*Python objects"):
        WordVectors(tmp_path)
    np.save(tmp_path / "a.npy", MATRIX[:2])
    with pytest.raises(InputError, match="has 4 words, but 2 vectors"):
        WordVectors(tmp_path)
    with pytest.raises(InputError, match="there is no file"):
        WordVectors(tmp_path / "x.vec")


def test_a_store_on_disk(tmp_path: Path) -> None:
    asked: list[str] = []

    def vectors(texts: list[str]) -> list[list[list[float]]]:
        asked.extend(texts)
        return [[[len(word), 0.5] for word in text.split()] for text in texts]

    encoder, texts = FunctionEncoder("f", vectors, "1"), ["a bb", "", "ccc\0", "a bb"]
    first = VectorStore(tmp_path / "store").tokens(encoder, texts, (0,))
    again = VectorStore(tmp_path / "store")
    for found in (again.tokens(encoder, texts, (0,)), first):
        np.testing.assert_array_equal(found.vectors[0], np.float32([[1, 0.5], [2, 0.5], [4, 0.5], [1, 0.5], [2, 0.5]]))
        assert found.offsets.tolist() == [0, 2, 2, 3, 5]
    assert again.texts(encoder, ["a bb"]).tolist() == [[1.5, 0.5]]
    assert asked == ["a bb", "", "ccc\0", "a bb"]  # once for tokens, once for the whole text
    (next((tmp_path / "store").glob("*-0-*.npz"))).write_bytes(b"damaged")
    with pytest.raises(InputError, match=r"holds no vectors: .*; delete it"):
        VectorStore(tmp_path / "store").tokens(encoder, texts, (0,))


def test_a_store_drops_the_oldest() -> None:
    asked: list[str] = []

    def vectors(texts: list[str]) -> list[list[list[float]]]:
        asked.extend(texts)
        return [[[1.0] * 10] for _ in texts]

    store, encoder = VectorStore(most_bytes=80), FunctionEncoder("g", vectors, "1")
    for text in ("a", "b", "c", "c", "b", "a"):
        store.tokens(encoder, [text], (0,))
    assert asked == ["a", "b", "c", "a"]
    assert store.nbytes == 80

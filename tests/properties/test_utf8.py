"""Walks over UTF-8: which texts hold a byte, eight at a time; characters that are replaced or removed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from metrologue.data.strings import buffers, lower, without_characters
from metrologue.kernels.utf8 import mapped, rows_with

BYTES = st.binary(max_size=4)


@given(lines=st.lists(texts(), max_size=6), skipped=st.integers(0, 3), wanted=BYTES)
def test_rows_with_a_byte(lines: list[str], skipped: int, wanted: bytes) -> None:
    array = pa.array(lines, pa.large_string())[skipped:]
    encoded = [line.encode() for line in lines[skipped:]]
    assert rows_with(*buffers(array), wanted).tolist() == [bool({*wanted} & {*line}) for line in encoded]
    beyond = rows_with(*buffers(array), wanted, beyond_ascii=True)
    assert beyond.tolist() == [bool({*wanted} & {*line}) or not line.isascii() for line in encoded]


@given(content=st.lists(st.binary(max_size=30), max_size=6), wanted=BYTES)
def test_any_bytes_and_any_borders(content: list[bytes], wanted: bytes) -> None:
    """Zeros, bytes beside a match, texts that end within eight bytes."""
    buffer = np.frombuffer(b"".join(content), np.uint8)
    offsets = np.cumsum([0, *map(len, content)])
    assert rows_with(buffer, offsets, wanted).tolist() == [bool({*wanted} & {*line}) for line in content]


def test_every_byte_at_every_place() -> None:
    for wanted in range(256):
        other = bytes([wanted ^ 1, wanted ^ 0x80, wanted ^ 0xFF])
        for length in (1, 7, 8, 9, 17):
            for place in range(length):
                text = bytearray((other * length)[:length])
                text[place] = wanted
                rows = rows_with(
                    np.frombuffer(bytes(text + other), np.uint8), np.array([0, length, length + 3]), bytes([wanted])
                )
                assert rows.tolist() == [True, False]


@given(lines=st.lists(texts(), max_size=5), skipped=st.integers(0, 2), last=st.integers(0, 5))
def test_lower_case(lines: list[str], skipped: int, last: int) -> None:
    """Of a slice, too: it shares the bytes of all texts."""
    assert lower(pa.array(lines, pa.large_string())[skipped:last]).to_pylist() == [
        line.lower() for line in lines[skipped:last]
    ]


def test_lower_case_of_every_character() -> None:
    """Each one between others, and next to a sigma, whose lower case depends on its neighbours."""
    characters = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    lines = ["".join(characters[i : i + 50]) for i in range(0, len(characters), 50)]
    lines += [f"{c}Σ{d} {c}Σ" for c in characters if (d := c.lower()) != c]
    found = lower(pa.array(lines, pa.large_string())).to_pylist()
    assert [line for line, ours in zip(lines, found, strict=True) if ours != line.lower()][:5] == []


@given(lines=st.lists(texts(), max_size=5), skipped=st.integers(0, 3), unwanted=st.sampled_from(["", ".,", "aA \0-"]))
def test_without_characters(lines: list[str], skipped: int, unwanted: str) -> None:
    array = pa.array(lines, pa.large_string())[skipped:]
    assert without_characters(array, unwanted).to_pylist() == [
        "".join(character for character in line if character not in unwanted) for line in lines[skipped:]
    ]


@given(lines=st.lists(st.text("aéè的\U0001d400\U0001d401", max_size=9), max_size=5))
def test_mapped_characters(lines: list[str]) -> None:
    """Of two to four bytes; one that stays, and one beyond the table."""
    table = np.arange(0x1D401, dtype=np.int32)
    table[ord("é")], table[ord("的")], table[0x1D400] = ord("ê"), -1, 0x1D405
    written, left = mapped(*buffers(pa.array(lines, pa.large_string())), table)
    replaced = str.maketrans({"é": "ê", "\U0001d400": "\U0001d405"})
    assert written.tobytes().decode() == "".join(lines).translate(replaced)
    assert left.tolist() == ["的" in line for line in lines]

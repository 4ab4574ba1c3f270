"""Which texts hold a byte: eight bytes at a time, and all the same byte by byte."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from metrologue.data.text import buffers, lower
from metrologue.kernels.utf8 import rows_with

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
                rows = rows_with(np.frombuffer(bytes(text + other), np.uint8), np.array([0, length, length + 3]),
                                 bytes([wanted]))  # fmt: skip
                assert rows.tolist() == [True, False]


@given(st.lists(texts(), max_size=5))
def test_lower_case(lines: list[str]) -> None:
    assert lower(pa.array(lines, pa.large_string())).to_pylist() == [line.lower() for line in lines]

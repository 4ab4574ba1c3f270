"""Numbers of tokens: the same whatever the seeds of the table are, and quickly found whatever the tokens are."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest
from growth import takes_less
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from metrologue.data.strings import Strings, buffers
from metrologue.kernels import interning
from metrologue.kernels.interning import tokenize
from metrologue.kernels.spans import ORDINARY, token_spans
from metrologue.text.tokenizers.kernels.tokens import cut_and_named
from metrologue.text.tokenizers.spans import SPANS, table

OTHER_SEEDS = np.array([3, 0xDEADBEEFDEADBEEF], np.uint64)


def tokens(lines: list[str], **options: object) -> list[list[int]]:
    """What `tokenize` gives for words between whitespace: ids, offsets, starts and lengths."""
    buffer, offsets = buffers(pa.array([*lines, " " * 8], pa.large_string()))
    found = tokenize(buffer, offsets, token_spans, (table(), ORDINARY, False, False), **options)
    return [array.tolist() for array in found]


def model(lines: list[str]) -> tuple[list[int], list[str]]:
    """Ids by first appearance, and the spelling of each."""
    names: dict[str, int] = {}
    ids = [names.setdefault(word, len(names)) for line in lines for word in line.split()]
    return ids, [*names]


@given(st.lists(texts(), max_size=8))
def test_ids_follow_first_appearance(lines: list[str]) -> None:
    ids, offsets, starts, lengths = tokens(lines)
    text = "".join(lines).encode()
    spellings = [text[start : start + length].decode() for start, length in zip(starts, lengths, strict=True)]
    assert (ids, spellings) == model(lines)
    assert np.diff(offsets).tolist() == [len(line.split()) for line in lines] + [0]


@given(st.lists(texts(), max_size=8))
def test_nothing_depends_on_the_seeds(lines: list[str]) -> None:
    assert tokens(lines) == tokens(lines, seeds=OTHER_SEEDS)


def test_a_text_of_many_chunks_and_types(monkeypatch) -> None:
    """Tables grow, texts are read in several goes, and repeats are copied, also from a text of an earlier go."""
    monkeypatch.setattr(interning, "_CHUNK", 50)
    lines = [" ".join(f"word{i * k % 6007}" for k in range(1, 40)) for i in range(400)]
    lines += [*lines[:300], "a longer line than any other " * 40, *lines[:2]]
    ids, _, starts, lengths = tokens(lines)
    text = "".join(lines).encode()
    spellings = [text[start : start + length].decode() for start, length in zip(starts, lengths, strict=True)]
    assert (ids, spellings) == model(lines)


@pytest.mark.parametrize("piece", [1, 7, 1 << 12])
def test_a_long_text_gets_its_ids_in_pieces(monkeypatch, piece: int) -> None:
    """The table of types grows between two pieces, and repeats of the text are copied."""
    monkeypatch.setattr(interning, "_PIECE", piece)
    line = " ".join(f"word{i * i % 9973} and a word of many letters {i % 5}" for i in range(3000))
    lines = ["", line, " ", "one two", line, "word1 three"]
    ids, _, starts, lengths = tokens(lines)
    text = "".join(lines).encode()
    spellings = [text[start : start + length].decode() for start, length in zip(starts, lengths, strict=True)]
    assert (ids, spellings) == model(lines)


def test_words_made_for_one_table_do_not_meet_in_another() -> None:
    """Under seeds that are known, 30,000 words can all begin in one slot; nobody knows those of a process."""
    words = ["".join(letters) + "abc" for letters in itertools.islice(itertools.product("abcdefgh", repeat=5), 30_000)]
    line = [" ".join(words)]
    tokens(line)

    def read(**options: object) -> None:
        assert tokens(line, **options)[0] == [*range(len(words))]

    assert takes_less(read, lambda: read(seeds=np.array([1, 1], np.uint64)), 0.1)


def test_seeds_are_of_the_process() -> None:
    assert interning.SEEDS.tolist() != OTHER_SEEDS.tolist()
    assert (interning.SEEDS & np.uint64(1)).all()


@given(st.lists(st.lists(st.sampled_from(["", " ", "a", "b.", "a-b", "é", "long" * 9]), max_size=30), max_size=12))
def test_few_bytes_are_cut_and_named_at_once_as_many_are(texts: list[list[str]]) -> None:
    strings = Strings.of(["".join(text) for text in texts] or [""])
    buffer = np.concatenate([strings.buffer, np.zeros(8, np.uint8)])
    for name in ("whitespace", "13a", "blank", "intl"):
        spans = SPANS[name]()
        rules = spans.classes, spans.edge, spans.keep_empty, spans.strip
        once = cut_and_named(buffer, strings.offsets, *rules)
        for ours, theirs in zip(once, tokenize(buffer, strings.offsets, token_spans, rules), strict=True):
            np.testing.assert_array_equal(ours, theirs)
            assert ours.dtype == theirs.dtype

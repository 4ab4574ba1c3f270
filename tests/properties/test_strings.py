"""Strings of Python become UTF-8 without the interpreter's lock, and what their rules leave alone stays as it is."""

from __future__ import annotations

import copy
import pickle
import re
from itertools import chain, pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrologue.data import kernels as python_texts
from metrologue.data import strings as module
from metrologue.data.exact_sums import exact_sums
from metrologue.data.intake import as_strings
from metrologue.data.strings import Strings, without_string
from metrologue.errors import InputError
from metrologue.kernels.sums import integer_sums
from metrologue.kernels.utf8 import line_count, spans_with, split_lines
from metrologue.native import texts as layouts
from metrologue.segments import Segments
from metrologue.text.reading.pages import Page
from metrologue.text.reading.steps import EraseMatches, LowerTokens, Tokenize, _characters_of
from metrologue.text.tokenizers import get_tokenizer
from metrologue.text.tokenizers.functions import from_lists
from metrologue.text.tokenizers.sentences import Sentences as Parts
from metrologue.threads import each_of

ANY = st.characters(exclude_categories=["Cs"])
# Strings of each width, long and short, and mixtures in which few characters are wide.
TEXTS = st.lists(
    st.one_of(
        st.text(ANY, max_size=40),
        st.text("ab .é", max_size=40),
        st.text("ab .é€", max_size=40),
        st.text("ab .é€😀", max_size=40),
    ),
    max_size=12,
)


@pytest.fixture(autouse=True)
def _read_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few strings too are read where they lie."""
    monkeypatch.setattr(module, "_FEW", 0)


def held(texts: list[str]) -> Strings:
    """Strings that are not encoded yet."""
    found = Strings.read([*texts])
    assert found is not None
    return found


def same(found: Strings, texts: list[str]) -> bool:
    """Whether the strings are these texts, as bytes and offsets."""
    sizes = [len(text.encode()) for text in texts]
    limits = found.offsets - found.offsets[0]
    own = found.buffer[found.offsets[0] : found.offsets[-1]].tobytes()
    return limits.tolist() == np.cumsum([0, *sizes]).tolist() and own == "".join(texts).encode()


@given(TEXTS)
@example(["a" * 7 + "é", "é" + "a" * 16, "aaaa€aaaaaaaaaaa", "€" * 9, "\U0010ffff\uffff\u07ff\u0800\x7f\x80\xff\u0100"])
def test_strings_are_their_utf8(texts: list[str]) -> None:
    assert not texts or same(held(texts), texts)
    assert same(Strings.of(texts), texts)
    for each in (Strings.of(texts), copy.copy(Strings.of(texts))):
        assert same(pickle.loads(pickle.dumps(each)), texts)


@given(TEXTS.filter(len), st.data())
def test_parts_and_sums_of_strings(texts: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(texts)))
    stop = data.draw(st.integers(start, len(texts)))
    for encoded in (False, True):
        whole = held(texts)
        if encoded:
            assert whole.buffer is not None
        part = whole.cut(start, stop)
        assert same(part.joined(held(texts)), texts[start:stop] + texts)
        assert same(held(texts).joined(part), texts + texts[start:stop])
        assert same(part, texts[start:stop])
        assert same(whole.cut(start, stop).cut(0, (stop - start) // 2), texts[start:stop][: (stop - start) // 2])


@given(TEXTS.filter(len), st.sampled_from([" .", "a", "b.", "ab ."]))
def test_how_texts_end(texts: list[str], ending: str) -> None:
    expected = sum(text.endswith(ending) for text in texts)
    found = held(texts)
    assert found.ending(ending.encode()) == expected
    assert same(found, texts)
    assert found.ending(ending.encode()) == expected


class Word(str):
    """A str of another type."""

    __slots__ = ()


def test_what_is_no_plain_string_is_left_to_python() -> None:
    for texts in (["a", Word("b")], ["a", None], ["a", 1.5], ["a", b"b"], ["a\ud800"], ["€\udfff"], ["😀\udc80"]):
        assert Strings.read(texts) is None
    assert same(as_strings(["a", Word("é")], "predictions", "Segments"), ["a", "é"])
    with pytest.raises(InputError, match=r"`predictions\[1\]` is int 3"):
        Segments(["a", 3], ["a", "b"])
    with pytest.raises(InputError, match=r"`references\[1\]` holds a lone surrogate"):
        Segments(["a", "b"], ["a", "b\udc80"])


def test_a_list_may_change_after_it_was_read() -> None:
    texts = ["one " * 20, "zwölf " * 20]
    found = held(texts)
    texts[0] += "more"
    texts.clear()
    assert same(found, ["one " * 20, "zwölf " * 20])


def test_another_layout_is_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter that keeps strings in another way is found out, and gets the same bytes."""
    layout = layouts.layout()
    assert layout is not None
    for place, change in ((0, 8), (1, 1), (2, 1), (3, 1), (4, 1), (5, -8)):
        wrong = layout.copy()
        wrong[place] += change
        assert not all(layouts._holds(text, state, wrong) for text, state in layouts._KNOWN.items())
    monkeypatch.setattr(python_texts, "layout", lambda: None)
    assert Strings.read(["a", "é"]) is None
    assert same(Strings.of(["a", "é"]), ["a", "é"])


def test_threads_that_encode_the_same_strings() -> None:
    texts = [f"zwölf {number} €" for number in range(2000)]
    for _ in range(20):
        whole, other = held(texts), held(texts)

        def encode(number: int, whole: Strings = whole, other: Strings = other) -> bytes:
            found = whole.joined(other) if number % 2 else whole
            return bytes(found.buffer)

        alone = "".join(texts).encode()
        assert each_of(encode, range(4), 4) == [alone, 2 * alone] * 2


@given(st.lists(st.lists(st.floats(allow_nan=True), min_size=3, max_size=3), min_size=1, max_size=8))
@example([[2.0**52, 1.0, -0.0], [2.0**52, 2.0, -0.0]])
@example([[float("inf"), 1.0, 2.0]])
def test_sums_of_integers(rows: list[list[float]]) -> None:
    table = np.array(rows)
    with np.errstate(all="ignore"):
        sums, exact = integer_sums(table)
        small = np.abs(table).sum(axis=0) < 2.0**53
    integers = [
        all(np.isfinite(value) and value.is_integer() for value in column) for column in zip(*rows, strict=True)
    ]
    assert exact.tolist() == (small & integers).tolist()
    for column in np.flatnonzero(exact):
        assert sums[column] == sum(map(int, table[:, column]))
    assert not np.signbit(exact_sums(np.concatenate([table, table]))[0][np.flatnonzero(exact & (sums == 0))]).any()


PATTERNS = (
    "[0-9]+", "[a-cé]", "[a-c ]", "the ", "aa", "[^a]", "[a-]", "[-a]+", "[]a]", "[.,;]+", "[0-9]*", "[a-c0-1.]+", "a|b"
)  # fmt: skip


@given(st.lists(st.text("abc the01.,-]^é", max_size=12), max_size=6), st.lists(st.sampled_from(PATTERNS), max_size=3))
def test_patterns_are_erased_as_python_erases_them(texts: list[str], patterns: list[str]) -> None:
    expected = texts
    for pattern in patterns:
        expected = [re.sub(pattern, "", text) for text in expected]
    column = pa.array(texts, pa.large_string())
    page = EraseMatches(tuple(patterns))(Page(Parts(column, np.arange(len(texts) + 1))))
    assert page.parts.texts.to_pylist() == expected


def test_which_patterns_are_sets() -> None:
    assert [_characters_of(pattern) for pattern in ("[0-3]+", "[ab]", "[a-c.e]")] == ["0123", "ab", "abc.e"]
    others = ("[^a]", "[a-]", "[a]*", "a", "[]", r"[\d]", "[é]", "[z-a]", "[b-az]", "[a--b]", "")
    assert not any(map(_characters_of, others))
    assert without_string(pa.array(["a\ue000b"], pa.large_string()), "\ud800").to_pylist() == ["a\ue000b"]


@given(st.lists(st.text(ANY, max_size=5), max_size=6))
def test_spans_with_characters(words: list[str]) -> None:
    wanted = np.array([*(not chr(point).isalnum() for point in range(0x250)), True])
    strings = Strings.of(words)
    found = spans_with(strings.buffer, strings.offsets[:-1], np.diff(strings.offsets), wanted)
    assert found.tolist() == [any(ord(c) >= 0x250 or not c.isalnum() for c in word) for word in words]


HARD = st.text("aAtThHeE tThe.,'-!019éÉßİΣς\u00a0\u2014\u0301\u4e2d\u0e01\u212a\u2028`", max_size=12)
REFINED = ("squad", "unicode-words", "chrf", "tercom", "tercom:normalized=true", "tercom:no_punct=true", "meteor-1.5",
           "tercom:normalized=true,asian_support=true", "tercom:no_punct=true,asian_support=true", "ptb")  # fmt: skip


@pytest.mark.parametrize("name", REFINED)
@given(texts=st.lists(HARD, min_size=1, max_size=6))
def test_types_are_cut_as_if_each_were_asked_for(name: str, texts: list[str]) -> None:
    """The tokens are those of Python's functions for every word; ids are in the order in which types first occur."""
    found = get_tokenizer(name)(pa.array(texts, pa.large_string()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "metrologue.text.tokenizers.functions.spans_with", lambda *given: np.ones(len(given[1]), np.bool_)
        )
        slow = get_tokenizer(name)(pa.array(texts, pa.large_string()))
    assert [found.of_text(text) for text in range(len(texts))] == [slow.of_text(text) for text in range(len(texts))]
    assert found.ids.tolist() == slow.ids.tolist()


@given(texts=st.lists(HARD, min_size=1, max_size=6))
def test_words_of_chrf_and_lower_case(texts: list[str]) -> None:
    def cut(word: str) -> list[str]:
        marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
        if len(word) > 1 and word[-1] in marks:
            return [word[:-1], word[-1]]
        return [word[0], word[1:]] if len(word) > 1 and word[0] in marks else [word]

    column = pa.array(texts, pa.large_string())
    words = [[*chain.from_iterable(map(cut, text.split()))] for text in texts]
    found = get_tokenizer("chrf")(column)
    assert [found.of_text(text) for text in range(len(texts))] == words
    lowered = LowerTokens()(Tokenize("whitespace")(Page(Parts(column, np.arange(len(texts) + 1))))).cut()
    lists = [[word.lower() for word in text.split()] for text in texts]
    assert [lowered.of_text(text) for text in range(len(texts))] == lists
    assert lowered.ids.tolist() == from_lists(lists, np.arange(len(texts), dtype=np.int32)).ids.tolist()


@given(
    st.lists(st.sampled_from([b"\n", b"\r\n", b"\r", b"a", b"abcdefgh", b"\x0b\x8a", b"\xff\x00\x01\t"]), max_size=30)
)
@example([b"\n" * 5000])  # more than one byte can count
@example([b"\x80\x8a\x0b\t\n\xff" * 700])
def test_lines_of_a_block(pieces: list[bytes]) -> None:
    block = b"".join(pieces)
    assert line_count(block) == block.count(b"\n")
    text, offsets = split_lines(block, block.count(b"\n"))
    expected = [line.removesuffix(b"\r") for line in block.split(b"\n")]
    if not block.endswith(b"\n"):
        expected[-1] = block.rpartition(b"\n")[2]  # without a line end, a carriage return belongs to the text
    assert [text[start:stop].tobytes() for start, stop in pairwise(offsets)] == expected[: len(offsets) - 1]
    assert len(offsets) - 1 == block.count(b"\n") + (not block.endswith(b"\n") and bool(block))

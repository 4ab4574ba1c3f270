"""CharCut against its definition over lists of words, and against the package charcut on long texts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import Columns, columns_of
from strategies import TokenCorpus, spelled, token_corpora, words_of

from metrics.charcut_mt.plain import charcut_mt, cost
from metrologue import trace
from metrologue.scorers import CharcutMt


def agrees(columns: Columns) -> None:
    """The score of a corpus and those of its segments are what the definition gives."""
    words = words_of(columns)
    assert CharcutMt().corpus(**columns).value == pytest.approx(charcut_mt(*words), rel=1e-12)
    for row, *segment in zip(CharcutMt().segments(**columns), *words, strict=True):
        assert row == pytest.approx(charcut_mt(*([each] for each in segment)), rel=1e-12)


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    agrees(columns_of("charcut_mt", *spelled(corpus)))


letters = st.text("ab ,é_1", max_size=30).map(str.strip)


@given(one=letters, other=letters, shortest=st.integers(1, 5))
def test_definition_of_the_cost(one: str, other: str, shortest: int) -> None:
    scorer = CharcutMt(shortest=shortest)
    assert scorer.corpus([one], [other]).scores["cost"] == cost(one, other, shortest)


@pytest.mark.parametrize("length", [1, 60, 400])
def test_equal_to_the_package_with_long_texts(length: int) -> None:
    module = pytest.importorskip("charcut.charcut")
    chance = random.Random(length)
    words = chance.choices(["the", "cat", "cats", "sat", "on", "a", "mat", ",", ".", "日本", "é"], k=length)
    one, other = " ".join(words), " ".join(words[length // 3 :] + words[: length // 3])[5:]
    found = module.score_pair(one, other.strip(), *module.compare_segments(one, other.strip(), 3), False)
    scores = CharcutMt().corpus([one], [other]).scores
    assert (scores["cost"], scores["hypothesis_length"] + scores["reference_length"]) == found


def test_worked_numbers() -> None:
    assert CharcutMt().corpus(["in fact an estimate"], ["actually an estimate"]).scores == {
        "charcut_mt": 9 / 39, "cost": 9, "matched": 15, "moved": 0, "hypothesis_length": 19, "reference_length": 20,
    }  # fmt: skip
    assert CharcutMt(normalization="hypothesis").corpus(["a"], ["b c d"]).value == 1.0
    assert CharcutMt().segments(["", "a", " "], ["", "", "a"]).tolist() == [0.0, 1.0, 1.0]


def test_a_short_part_that_has_moved_far_does_not_count() -> None:
    """Three characters may move by twenty."""
    for words in (6, 7):
        rest = "abcdefghijklmnopqrstu"[: 3 * words]
        moved = CharcutMt().corpus([f"xyz{rest}"], [f"{rest}xyz"]).scores["moved"]
        assert moved == (3 if 3 * words <= 20 else 0)


LINES = st.lists(st.text("ab ,é", max_size=8), min_size=1, max_size=3)


@given(data=st.data(), alternative=st.booleans())
def test_equal_to_the_package_line_by_line(data: st.DataObject, alternative: bool) -> None:
    charcut = pytest.importorskip("charcut").calculate_charcut
    ours = data.draw(st.lists(LINES, min_size=1, max_size=3))
    right = [data.draw(st.lists(st.text("ab ,é", max_size=8), min_size=len(each), max_size=len(each))) for each in ours]
    sides = [["\n".join(lines) for lines in side] for side in (ours, right)]
    scorer = CharcutMt(normalization="hypothesis" if alternative else "both")
    try:
        expected = charcut(*sides, alt_norm=alternative)[0]
    except ZeroDivisionError:  # of texts without characters
        return
    assert scorer.corpus(*sides).value == pytest.approx(expected, rel=1e-12)


def test_a_line_end() -> None:
    assert CharcutMt().corpus(["the cat\nsat"], ["the cat\nsit"]).value == pytest.approx(0.3)
    assert CharcutMt().corpus(["the cat\nsat"], ["the cat sat"]).value == pytest.approx(2 / 22)
    assert trace(CharcutMt(), "the cat\nsat", ["the cat\nsit"]).text().startswith("charcut_mt = 6/(10 + 10) = 0.3")

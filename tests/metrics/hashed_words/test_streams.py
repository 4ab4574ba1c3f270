"""Streams and shards of the hashed metrics: a line keeps its number, whoever counts it."""

from __future__ import annotations

import json
import math
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hashed_lines

from metrologue.errors import InputError
from metrologue.scorers import LikelihoodHashed, LogLossHashed, Totals
from metrologue.segments import Segments

LINES = ["a:0.5 b:0.3", "a:0.1 b:0.7", "b:1 a:2 :0", "c:0.9", "a:-1 c:-2", "b:0.2 :0.3", "a:1"]
WORDS = ["a", "b", "c", "x", "a", "b", "a"]
# Few buckets, so that each line has another loss under another number.
SCORER = LogLossHashed(bits=2)


def part(start: int, stop: int, scorer: Any = SCORER) -> Totals:
    totals: Totals = scorer.accumulate(LINES[start:stop], WORDS[start:stop], first=start)
    return totals


@given(lines=hashed_lines(), sizes=st.lists(st.integers(1, 4), min_size=1))
def test_chunks_of_any_size(lines: tuple[list[str], list[list[str]]], sizes: list[int]) -> None:
    predictions, references = lines
    whole = SCORER.accumulate(predictions, references)
    assert whole.ranges == ((0, len(predictions)),)
    start, totals = 0, None
    while start < len(predictions):
        stop = start + sizes[start % len(sizes)]
        totals = SCORER.accumulate(predictions[start:stop], references[start:stop], totals)
        start = stop
    assert totals is not None
    assert totals.ranges == whole.ranges
    assert totals.segments == whole.segments
    assert totals.values.tolist() == pytest.approx(whole.values.tolist(), rel=1e-14, abs=1e-300)


@given(cuts=st.lists(st.integers(0, len(LINES)), max_size=4), order=st.randoms(use_true_random=False))
def test_shards_in_any_order(cuts: list[int], order: Any) -> None:
    limits = sorted({0, len(LINES), *cuts})
    parts = [part(start, stop) for start, stop in pairwise(limits)]
    order.shuffle(parts)
    merged = parts[0]
    for each in parts[1:]:
        merged = pickle.loads(pickle.dumps(merged)).merge(each)
    assert merged.ranges == ((0, len(LINES)),)
    whole = SCORER.corpus(LINES, WORDS)
    assert SCORER.score_totals(merged).scores == pytest.approx(whole.scores, rel=1e-14)


def test_the_parts_know_their_lines(tmp_path: Path) -> None:
    first, last = part(0, 2), part(5, 7)
    assert SCORER.score_totals(last).value == pytest.approx(SCORER.segments(LINES, WORDS)[5:].mean(), rel=1e-15)
    both = first.merge(last)
    assert (both.ranges, both.end, both.segments) == (((0, 2), (5, 7)), 7, 4)
    both.save(tmp_path / "totals.json")
    loaded = Totals.load(tmp_path / "totals.json")
    assert loaded.ranges == both.ranges
    assert loaded.merge(part(2, 5)).ranges == ((0, 7),)
    # A slice of segments knows its place, too.
    segments = Segments(LINES, WORDS)
    pieces = [SCORER.accumulate(segments.slice(start, stop)) for start, stop in ((3, 7), (0, 3))]
    assert SCORER.score_totals(pieces[0].merge(pieces[1])).scores == pytest.approx(
        SCORER.corpus(segments).scores, rel=1e-14
    )


@pytest.mark.parametrize(("one", "other"), [((0, 2), (0, 2)), ((0, 3), (2, 5)), ((1, 2), (0, 7))])
def test_a_line_counts_once(one: tuple[int, int], other: tuple[int, int]) -> None:
    expected = rf"have counted segment {max(one[0], other[0])}, counted from 0, .* accumulate\(\.\.\., first=1000\)"
    with pytest.raises(InputError, match=expected):
        part(*one).merge(part(*other))
    with pytest.raises(InputError, match=expected):
        part(*other).merge(pickle.loads(pickle.dumps(part(*one))))
    with pytest.raises(InputError, match="both totals have counted"):
        SCORER.accumulate(LINES[slice(*one)], WORDS[slice(*one)], part(*other), first=one[0])
    with pytest.raises(InputError, match="different scorers"):
        part(0, 2).merge(part(2, 4, LikelihoodHashed(bits=2)))


@pytest.mark.parametrize("first", [-1, 1.5, True, "0"])
def test_what_is_no_place(first: Any) -> None:
    with pytest.raises(InputError, match=r"`first`: .* is not an int from 0"):
        SCORER.accumulate(LINES, WORDS, first=first)


@pytest.mark.parametrize(
    "ranges", [[[0, 2], [1, 3]], [[2, 4], [0, 2]], [[0, 5]], [[0, 4, 5]], [0, 4], "04", [[0, "4"]]]
)
def test_saved_ranges_are_checked(ranges: Any, tmp_path: Path) -> None:
    path = tmp_path / "totals.json"
    part(0, 4).save(path)
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "ranges": ranges}), "utf-8")
    with pytest.raises(InputError, match=r"totals\.json.*ranges"):
        Totals.load(path)


def test_indices_in_messages_go_on() -> None:
    totals = part(0, 2)
    with pytest.raises(InputError, match=r"`predictions\[3\]`, column 1: 'x' cannot be read"):
        SCORER.accumulate(["a:1", "x"], ["a", "b"], totals)


def test_an_impossible_word_stays_finite_in_totals() -> None:
    totals = LogLossHashed().accumulate(["a:1"], ["zebra"]).merge(LogLossHashed().accumulate(["a:1"], ["a"], first=1))
    assert all(map(math.isfinite, totals.values))
    assert LogLossHashed().score_totals(totals).value == math.inf

"""The trace of the hashed metrics: its numbers are those of the scorer and of the plain definition."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hashed_lines

import metrologue
from metrics.hashed_words import plain
from metrologue.pages.page_parts import show_texts
from metrologue.scorers import LikelihoodHashed, LogLossHashed, PerplexityHashed
from metrologue.segments import Segments
from metrologue.tracing import Curve, Texts, surprisal_curve, surprisal_text


@given(lines=hashed_lines(), bits=st.integers(1, 6), data=st.data())
def test_one_line(lines: tuple[list[str], list[list[str]]], bits: int, data: Any) -> None:
    index = data.draw(st.integers(0, len(lines[0]) - 1))
    line, [word] = lines[0][index], lines[1][index]
    expected = plain.log_probability(line, word, index + 1, bits)
    for kind in (LogLossHashed, LikelihoodHashed, PerplexityHashed):
        scorer = kind(bits=bits)
        found = metrologue.trace(scorer, line, [word], index=index)
        assert found.value == scorer.segments(*lines)[index]
        values = found.values
        assert values["probability"] == pytest.approx(math.exp(expected), rel=1e-12)
        assert values["word"] + values["others"] + values["share"] == pytest.approx(values["probability"], rel=1e-9)
        items = found.table("items")
        if len(items.rows) == len(line.split(" ")):
            of_any = [row.cells[3] for row in items.rows if row.cells[0] == "any word"]
            assert values["share"] * 2**bits >= sum(map(float, of_any)) * (1 - 1e-9)
        assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["metric"] == scorer.name


def test_the_parts_of_a_probability() -> None:
    scorer = LogLossHashed(bits=1)
    found = metrologue.trace(scorer, "A:0.2 tak:0.2 B:0.3 :0.1", ["A"])
    buckets = dict(
        zip(("A", "tak", "B"), (plain.murmur3(word.encode(), 1) % 2 for word in ("A", "tak", "B")), strict=True)
    )
    same = sum(number for word, number in (("tak", 0.2), ("B", 0.3)) if buckets[word] == buckets["A"])
    assert found.values["word"] == pytest.approx(0.2 / 0.8)
    assert found.values["others"] == pytest.approx(same / 0.8)
    assert found.values["share"] == pytest.approx(0.1 / 0.8 / 2)
    text = found.text()
    assert "The numbers are probabilities." in text
    assert "They are divided by their total, 0.8." in text
    assert f"It falls into the bucket {buckets['A']} of 2; the number of the line, 1, is the seed of the hash." in text
    states = {row.cells[1]: row.state for row in found.table("items").rows if row.state}
    assert states["0.2"] == "matched" or buckets["tak"] == buckets["A"]


def test_the_index_is_the_seed() -> None:
    lines, words = ["a:0.5 b:0.3"] * 6, ["a"] * 6
    scorer = LogLossHashed(bits=2)
    losses = scorer.segments(lines, words).tolist()
    assert len(set(losses)) > 1
    assert [metrologue.trace(scorer, "a:0.5 b:0.3", ["a"], index=i).value for i in range(6)] == losses
    again = LogLossHashed(bits=2, first_line=3)
    assert metrologue.trace(again, "a:0.5 b:0.3", ["a"]).value == losses[2]


def test_a_list_of_buckets() -> None:
    found = metrologue.trace(LogLossHashed(bits=2), "-1 -2 -3 -4", ["tak"])
    bucket = plain.murmur3(b"tak", 1) % 4
    total = sum(map(math.exp, (-1, -2, -3, -4)))
    assert found.values["others"] == pytest.approx(math.exp(-1 - bucket) / total)
    assert found.table("items").rows[0].cells[0] == f"bucket {bucket}"
    assert "one for each bucket" in found.text()


def test_several_lines() -> None:
    lines, words = ["a:0.5 b:0.3", "a:1", "b:1 a:2 :0", "<i>:1"], ["a", "zebra", "c", "<i>"]
    for kind in (LogLossHashed, LikelihoodHashed, PerplexityHashed):
        found = metrologue.trace(kind(), lines, words, index=9)
        placed = Segments(lines, words).placed(9)
        assert found.value == kind().corpus(placed).value
        bits = kind().segment_scores(placed)["log_loss_hashed"] / math.log(2)
        [curve] = found.every(Curve)
        assert curve.places == (10.0, 12.0, 13.0)
        assert curve.values == pytest.approx(bits[[0, 2, 3]])
        assert found.table("worst").column("line")[0] == 11
        assert found.table("worst").column("bits")[0] == math.inf
        [texts] = found.every(Texts)
        assert [getattr(piece, "state", "") for piece in texts.texts[0].sentences[0]] == [
            f"bits-{level}" if level else "" for level in (sum(b >= limit for limit in (2, 5, 8, 12)) for b in bits)
        ]
        assert "&lt;i&gt;" in found.html()
        assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["values"]["impossible"] == 1


def test_thousands_of_lines() -> None:
    count = 5000
    found = metrologue.trace(LogLossHashed(), ["a:0.5 :0.5"] * count, ["a", "b"] * (count // 2))
    [curve] = found.every(Curve)
    assert len(curve.places) == 200
    assert "means of 200 stretches" in curve.sentence
    assert "The text has the first 500 words." in found.text()
    assert sum(len(text.sentences[0]) for texts in found.every(Texts) for text in texts.texts) == 500


@given(bits=st.lists(st.one_of(st.floats(0, 50), st.just(math.inf)), max_size=500))
def test_marks_and_curves(bits: list[float]) -> None:
    text, legend = surprisal_text("words", ["w"] * len(bits), bits)
    assert len(text.texts[0].sentences[0]) == len(bits)
    assert len(legend.keys) == 4
    curve = surprisal_curve("line", 1, bits)
    finite = [b for b in bits if b < math.inf]
    assert len(curve.values) == min(len(finite), 200)
    assert all(map(math.isfinite, curve.values))
    if finite and len(finite) <= 200:
        assert list(curve.values) == finite
    assert isinstance(curve.sentence, str)


def test_a_page_traces_the_line_that_it_shows() -> None:
    lines, words = ["a:0.5 b:0.3"] * 4, ["a"] * 4
    losses = LogLossHashed().segments(lines, words).tolist()
    shown = show_texts("log_loss_hashed", "geval", "\n".join(lines), "\n".join(words), 3)
    assert f"= {losses[3]}" in shown.trace

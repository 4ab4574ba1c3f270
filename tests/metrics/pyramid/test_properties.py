"""Pyramid against its definition over lists of units and against DUCView, its trace, and input that has no score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compared import compared
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

from metrics.pyramid import plain
from metrologue import trace
from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.scorers import Pyramid
from metrologue.scorers.pyramid import models_of

PRINTED = json.loads(Path(__file__).with_name("ducview-1.5.json").read_text("utf-8"))["rows"]

# Four models: 2 SCUs of weight 4, 3 of weight 3, 5 of weight 2, 10 of weight 1.
WEIGHTS = {f"w{weight}-{i}": weight for weight, count in ((4, 2), (3, 3), (2, 5), (1, 10)) for i in range(count)}
MODELS = models_of(WEIGHTS, 4)
SUMMARY = ["w4-0", "w3-0", "w3-1", "w2-0", "w1-0", "else"]

units = st.lists(st.sampled_from(["a", "b", 3, ("c", "d"), "e", "f"]), max_size=6)
topics = st.tuples(units, st.lists(units, min_size=1, max_size=5)).filter(lambda topic: any(topic[1]))
fields = st.fixed_dictionaries(
    {
        "ideal": st.sampled_from(["models", "summary", "both"]),
        "capped": st.booleans(),
        "repeats": st.sampled_from(["once", "each"]),
        "average": st.sampled_from(["nearest", "floor", "exact"]),
    }
)


@given(found=st.lists(topics, min_size=1, max_size=4), chosen=fields)
def test_definition(found: list[tuple[list[Any], list[list[Any]]]], chosen: dict[str, Any]) -> None:
    summaries, models = [own for own, _ in found], [own for _, own in found]
    scorer = Pyramid(**chosen)
    result = scorer.corpus(summaries, models)
    assert result.value == pytest.approx(plain.pyramid(summaries, models, **chosen), rel=1e-12)
    for i, (summary, own) in enumerate(found):
        expected = plain.pyramid([summary], [own], **chosen)
        assert scorer.segments(summaries, models)[i] == pytest.approx(expected, rel=1e-12)
        assert scorer.segments([summary], [own])[0] == scorer.segments(summaries, models)[i]


@given(corpus=token_corpora)
def test_words_as_units(corpus: TokenCorpus) -> None:
    if all(any(own) for own in corpus[1]):
        assert Pyramid().corpus(*spelled(corpus)).value == pytest.approx(plain.pyramid(*corpus), rel=1e-12)


@given(corpus=corpora())
def test_words_of_any_kind(corpus: Corpus) -> None:
    words = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    if all(any(own) for own in words[1]):
        assert Pyramid().corpus(*corpus).value == pytest.approx(plain.pyramid(*words), rel=1e-12)


def test_worked_numbers() -> None:
    scores = Pyramid().corpus([SUMMARY], [MODELS]).scores
    assert scores == {
        "pyramid": 0.52, "original": pytest.approx(0.684211, abs=5e-7), "modified": 0.52, "weight": 13, "unit_count": 6,
        "matched_count": 5, "scu_count": 20, "contributor_count": 37, "model_count": 4,
    }  # fmt: skip
    assert Pyramid.variant("original").corpus([SUMMARY], [MODELS]).value == 13 / 19
    assert Pyramid(average="exact").corpus([SUMMARY], [MODELS]).value == 13 / 25.5


def test_ducview() -> None:
    """DUCView prints four decimals."""
    scorer = Pyramid.variant("ducview")
    for row in PRINTED:
        summary = [*map(str, row["summary"]), *(f"unmatched {i}" for i in range(row["unmatched"]))]
        models = [[*map(str, model)] for model in row["models"]]
        scores = scorer.corpus([summary], [models]).scores
        assert (scores["unit_count"], scores["matched_count"], scores["weight"]) == (
            row["units"], row["matched"], row["weight"],
        )  # fmt: skip
        printed = [row["comprehensive"], row["quality"], row["coverage"]]
        assert [scores[name] for name in ("pyramid", "original", "modified")] == pytest.approx(printed, abs=5.1e-5)
    compared(len(PRINTED))
    assert {row["coverage"] for row in PRINTED} >= {1.0}  # some are capped
    assert any(len({*row["summary"]}) < len(row["summary"]) for row in PRINTED)


@given(topic=topics)
def test_ideal_weights_grow_ever_more_slowly(topic: tuple[list[Any], list[list[Any]]]) -> None:
    from metrologue.scorers.pyramid import pyramids_of
    from metrologue.segments import Segments

    found = pyramids_of(Segments.of_items([topic[0]], [topic[1]]).items())
    ideals = np.array([found.ideal_weights(np.array([float(size)]))[0] for size in range(12)])
    steps = np.diff(ideals)
    assert ideals[0] == 0
    assert (steps >= 0).all()
    assert (np.diff(steps) <= 0).all()
    assert (ideals[int(found.scu_counts[0]) :] == found.contributor_counts[0]).all()


@given(topic=topics)
def test_what_no_model_says(topic: tuple[list[Any], list[list[Any]]]) -> None:
    """It lowers the original score, unless that is 0 or the pyramid has no more SCUs, and leaves the modified one."""
    summary, models = topic
    before = Pyramid().corpus([summary], [models]).scores
    after = Pyramid().corpus([[*summary, "something else"]], [models]).scores
    assert after["modified"] == before["modified"]
    lower = before["weight"] and before["unit_count"] < before["scu_count"]
    assert after["original"] < before["original"] if lower else after["original"] == before["original"]


def test_all_that_models_say() -> None:
    scores = Pyramid().corpus([[*WEIGHTS]], [MODELS]).scores
    assert (scores["original"], scores["weight"]) == (1.0, 37)
    assert scores["modified"] == 37 / 25  # above 1: it says more than a model
    assert Pyramid(capped=True).corpus([[*WEIGHTS]], [MODELS]).value == 1.0
    assert Pyramid().corpus([[]], [MODELS]).value == 0.0
    assert Pyramid.variant("ducview").corpus([["other"]], [MODELS]).value == 0.0


def test_units_without_a_score() -> None:
    with pytest.raises(InputError, match="`references` are missing"):
        Pyramid().corpus([["a"]])
    with pytest.raises(InputError, match=r"`references\[1\]` have no units; drop the summary"):
        Pyramid().corpus([["a"], ["a"]], [[["a"]], [[], []]])


@pytest.mark.parametrize("weight", [0, 5, -1, 1.0, True, "2", None])
def test_a_weight_above_the_number_of_models(weight: Any) -> None:
    with pytest.raises(InputError, match=r"`weights\['b'\]` is .*; an int from 1 to 4, the number of models"):
        models_of({"a": 1, "b": weight}, models=4)


def test_models_of_other_things() -> None:
    with pytest.raises(InputError, match=r"`weights` is list \['a'\]; a mapping"):
        models_of(["a"], 1)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(InputError, match=r"`models`: 0 is not an int from 1"):
        models_of({}, 0)


def test_the_gap_between_the_scores_is_shared() -> None:
    gap = explain("pyramid:original", "pyramid:modified", [SUMMARY], [MODELS])
    assert {part.choice for part in gap.contributions if part.share} == {"ideal summary"}


def test_a_trace_shows_the_tiers() -> None:
    found = trace("pyramid:original", SUMMARY, MODELS)
    shown = found.text()
    assert found.formula == "Pyramid = 13 / 19 = 0.6842105263157895"
    assert "weight 4: 1 of 2: ● w4-0 · ○ w4-1" in shown
    assert "in no model: 1: ◐ else" in shown
    assert found.table("SCUs").column("models")[:3] == ("1 2 3 4", "1 2 3 4", "1 2 3")
    assert "weight of the summary = 1 · 4 + 2 · 3 + 1 · 2 + 1 · 1 = 13" in shown
    assert "modified: an ideal summary of 9 SCUs weighs 25; 13 / 25 = 0.5200" in shown
    capped = trace(Pyramid.variant("ducview", scale=100), [*WEIGHTS], MODELS)
    assert "37 / 25 = 1.480, which counts as 1" in capped.text()
    assert capped.formula == "Pyramid = 100 · 2 · 1.000 · 1.000 / (1.000 + 1.000) = 100.0"
    assert "w4-0" in capped.html()
    assert trace(Pyramid(capped=True), ["a", "a"], [["a", "b"]]).formula == "Pyramid = min(1, 1 / 2) = 0.5"

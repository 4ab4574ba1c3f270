"""MASI against its definition over sets, nltk 3.8.1 as it was, its trace, and input that has no score."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from compared import compared
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

from metrics.masi import plain
from metrologue import compare, trace
from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.scorers import Dice, Masi
from metrologue.scorers.masi import CASES

RETURNED = json.loads(Path(__file__).with_name("nltk-3.8.1.json").read_text("utf-8"))

labels = st.frozensets(st.sampled_from(["type:desk", "colour:red", 7, ("size", "large"), None]))
described = st.lists(st.tuples(labels, st.lists(labels, min_size=1, max_size=3)), min_size=1, max_size=4)
weights = st.sampled_from([(2 / 3, 1 / 3), (0.67, 0.33), (0.0, 1.0)])


@given(corpus=token_corpora, weights=weights)
def test_definition(corpus: TokenCorpus, weights: tuple[float, float]) -> None:
    scorer = Masi(subset_weight=weights[0], overlap_weight=weights[1])
    scores = scorer.corpus(*spelled(corpus)).scores
    assert scores["masi"] == pytest.approx(plain.masi(*corpus, *weights), rel=1e-12)
    assert scores["masi_distance"] == pytest.approx(1 - scores["masi"], abs=1e-15)
    rows = scorer.segments(*spelled(corpus))
    for row, hypothesis, references in zip(rows, *corpus, strict=True):
        assert row == pytest.approx(plain.masi([hypothesis], [references], *weights), rel=1e-12)


@given(corpus=corpora())
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    words: Any = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    assert Masi().corpus(*corpus).value == pytest.approx(plain.masi(*words), rel=1e-12)


@given(pairs=described)
def test_sets_of_labels(pairs: list[tuple[frozenset[Any], list[frozenset[Any]]]]) -> None:
    predictions, references = [own for own, _ in pairs], [others for _, others in pairs]
    best, mean = (Masi(multi_reference=rule).segments(predictions, references) for rule in ("best", "mean"))
    for i, (ours, others) in enumerate(pairs):
        each = [plain.masi_of_two(set(ours), set(other)) for other in others]
        assert best[i] == pytest.approx(max(each), rel=1e-12)
        assert mean[i] == pytest.approx(fmean(each), rel=1e-12)


@given(pairs=st.lists(st.tuples(labels, labels), min_size=1, max_size=6))
def test_the_cases_are_counted(pairs: list[tuple[frozenset[Any], frozenset[Any]]]) -> None:
    scores = Masi().corpus([ours for ours, _ in pairs], [[theirs] for _, theirs in pairs]).scores
    expected = [plain.monotonicity(set(ours), set(theirs)) for ours, theirs in pairs]
    assert [scores[f"{case}_count"] for case in CASES] == [expected.count(case) for case in CASES]
    index = fmean(len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs)
    assert scores["jaccard"] == pytest.approx(index, rel=1e-12)
    dice = Dice().segments([ours for ours, _ in pairs], [[theirs] for _, theirs in pairs])
    assert dice == pytest.approx([2 * len(a & b) / (len(a) + len(b)) if a | b else 1.0 for a, b in pairs])


@given(pairs=described)
def test_nltk_on_sets_of_labels(pairs: list[tuple[frozenset[Any], list[frozenset[Any]]]]) -> None:
    from nltk.metrics.distance import masi_distance

    for ours, others in pairs:
        for theirs in others:
            if ours or theirs:
                distance = Masi.variant("nltk").corpus([ours], [[theirs]]).scores["masi_distance"]
                assert distance == pytest.approx(masi_distance(ours, theirs), abs=1e-15)


def test_nltk_3_8_1_as_it_was() -> None:
    scorer = Masi.variant("nltk-3.8.1")
    texts = RETURNED["predictions"], RETURNED["references"]
    distances = scorer.segment_scores(*texts)["masi_distance"]
    assert distances.tolist() == pytest.approx(RETURNED["distances"], rel=1e-12, abs=1e-15)
    assert distances.tolist() != pytest.approx(Masi().segment_scores(*texts)["masi_distance"].tolist(), rel=1e-3)
    compared(len(distances))


@pytest.mark.parametrize(
    ("ours", "theirs", "case", "similarity"),
    [
        ({1, 2}, {1, 2, 3, 4}, "subset", 1 / 3),
        ({1, 2, 3, 4}, {1, 2}, "subset", 1 / 3),
        ({"a", "b", "c"}, {"b", "c", "d"}, "overlap", 1 / 6),
        ({1}, {2}, "disjoint", 0.0),
        ({1, 2}, {1.0, 2.0}, "equal", 1.0),
        (set(), {1}, "subset", 0.0),
        ({1}, set(), "subset", 0.0),
        (set(), set(), "equal", 1.0),
    ],
)
def test_worked_numbers(ours: set[Any], theirs: set[Any], case: str, similarity: float) -> None:
    scores = Masi().corpus([ours], [[theirs]]).scores
    assert scores["masi"] == pytest.approx(similarity, rel=1e-15)
    assert scores[f"{case}_count"] == 1
    assert sum(scores[f"{name}_count"] for name in CASES) == 1


def test_two_empty_sets_are_an_error_in_nltk() -> None:
    from nltk.metrics.distance import masi_distance

    with pytest.raises(ZeroDivisionError):
        masi_distance(set(), set())
    with pytest.raises(InputError, match=r"`predictions\[1\]` is empty, and so is a reference.*choose empty='equal'"):
        Masi.variant("nltk").corpus(["a", " "], [["a"], ["b", ""]])


def test_the_gap_between_the_variants_is_shared() -> None:
    gap = explain("masi:nltk-3.8.1", "masi:metrologue", [{"a"}, {"b"}], [[{"a", "b"}], [{"c"}]])
    assert [part.choice for part in gap.contributions if part.share] == ["monotonicity"]
    assert gap.gap == pytest.approx((2 / 3 - 0.67) / 4, rel=1e-12)


def test_nltk_is_compared_on_sets() -> None:
    found = compare({"mine": [{"a", "b"}, {"c"}], "yours": [["a"], ["d"]]}, [[{"a"}], [["c"], {"d"}]], "masi")
    of_nltk = [number for number in found.numbers if number.name == "nltk"]
    live, ours = (
        {number.system: number.value for number in of_nltk if number.kind == kind} for kind in ("library", "variant")
    )
    assert live == pytest.approx(ours, rel=1e-12)
    assert live == pytest.approx({"mine": 2 / 3, "yours": 1.0})


def test_a_trace_shows_both_sets_and_the_case() -> None:
    shown = trace(Masi(), "a b c c", ["b c d", "a b c"]).text()
    assert "hypothesis (3): ○ a · ● b · ● c" in shown
    assert "in both (2): ● b · ● c" in shown
    assert "the sets overlap, and neither contains the other: weight = 0.3333" in shown
    assert "reference 2, which counts: MASI = 1" in shown
    # 1 and "1" look alike, and are two labels.
    labels = trace(Masi(multi_reference="mean", scale=100), [1, "1"], [[1], [2]])
    assert "hypothesis (2): ● 1 · ○ 1" in labels.text()
    assert labels.formula == "MASI = mean(33.33, 0.000) = 16.666666666666664"
    assert "two empty sets" in trace(Masi(), [], [[]]).text()


def test_input_that_has_no_score() -> None:
    with pytest.raises(InputError, match="`references` are missing"):
        Masi().corpus([{"a"}])
    with pytest.raises(InputError, match=r"^Masi: `predictions\[1\]` holds dict {} at 1, which is not hashable"):
        Masi().corpus([["a"], ["b", {}]], [["a"], ["b"]])
    with pytest.raises(InputError, match=r"^Masi: `references\[0\]` holds list \[1\] at 0, which is not hashable"):
        Masi().corpus([["a"]], [[[[1]], ["a"]]])

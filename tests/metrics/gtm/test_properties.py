"""GTM against its definition over lists of tokens, its kernel, its trace, and input that has no score."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, corpora_of, spelled, token_corpora

from metrics.gtm import plain
from metrologue import trace
from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.scorers import Gtm, Rouge
from metrologue.scorers.gtm.kernels import match_sizes

exponents = st.sampled_from([1.0, 1.2, 2.0, 3.0, 0.93, 9.8])
rules = st.sampled_from(["concatenated", "best"])
# Few words, again and again, so that runs block others and are split.
repetitive = corpora_of(
    st.lists(st.sampled_from("aab"), max_size=16) | st.lists(st.sampled_from("abcdef"), max_size=16)
)


@given(corpus=token_corpora | repetitive, exponent=exponents, rule=rules)
def test_definition(corpus: TokenCorpus, exponent: float, rule: str) -> None:
    scorer = Gtm(exponent=exponent, multi_reference=rule)
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(plain.gtm(*corpus, exponent, rule), rel=1e-12)
    rows = scorer.segments(*spelled(corpus))
    for row, hypothesis, references in zip(rows, *corpus, strict=True):
        assert row == pytest.approx(plain.gtm([hypothesis], [references], exponent, rule), rel=1e-12)


@given(corpus=corpora(), exponent=exponents)
def test_definition_with_texts_of_any_kind(corpus: Corpus, exponent: float) -> None:
    words = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    value = Gtm(exponent=exponent, tokenizer="whitespace").corpus(*corpus).value
    assert value == pytest.approx(plain.gtm(*words, exponent), rel=1e-12)


@given(corpus=repetitive, exponent=exponents)
def test_the_runs_are_those_of_the_definition(corpus: TokenCorpus, exponent: float) -> None:
    """In the same order, and the one that the length budget cuts is the same."""
    for hypothesis, references in zip(*corpus, strict=True):
        budget = min(len(hypothesis), sum(map(len, references)) / len(references))
        expected = plain.runs(hypothesis, references, budget)
        places = [0, *accumulate(len(reference) + 1 for reference in references)]
        found = Gtm(exponent=exponent)._matching(" ".join(hypothesis), [*map(" ".join, references)])
        assert [(i, places[r] + j, length) for i, r, j, length in found.runs] == expected


@given(corpus=token_corpora)
def test_an_exponent_of_1_counts_words(corpus: TokenCorpus) -> None:
    """It is the F1 of ROUGE-1 with one reference: the order of the words does not matter."""
    predictions, references = corpus[0], [own[:1] for own in corpus[1]]
    texts = spelled((predictions, references))
    rouge = Rouge(types=("rouge1",), tokenizer="whitespace").segments(*texts)
    np.testing.assert_allclose(Gtm().segments(*texts), rouge, rtol=1e-12)


@settings(max_examples=10)
@given(exponent=exponents, seed=st.integers(0, 99))
def test_many_runs_that_the_heap_has_no_room_for_at_first(exponent: float, seed: int) -> None:
    draw = np.random.default_rng(seed)
    hypothesis, reference = ("".join(draw.choice([*"ab"], 60)) for _ in range(2))
    for texts in ([hypothesis, reference], ["a", hypothesis, reference]):
        own, *others = [*map(list, texts)]
        size = Gtm(exponent=exponent).corpus([" ".join(own)], [[*map(" ".join, others)]]).scores["match_size"]
        assert size == pytest.approx(plain.counts(own, others, exponent)[0], rel=1e-12)


@pytest.mark.parametrize("words", [["a"] * 2000, ["a", "b"] * 1000, [str(number) for number in range(2000)]])
def test_long_texts(words: list[str]) -> None:
    text = " ".join(words)
    assert Gtm(exponent=2).corpus([text], [text]).value == 1.0
    turned = " ".join(words[1000:] + words[:1000])
    different = len(set(words)) > 2
    size = 2000 if not different else (2 * 1000**2) ** 0.5
    assert Gtm(exponent=2).corpus([turned], [text]).scores["match_size"] == pytest.approx(size, rel=1e-12)


def test_no_texts() -> None:
    nothing = np.zeros(0, np.int64)
    assert match_sizes(np.zeros(0, np.int32), np.zeros(1, np.int64), nothing, nothing, nothing, 0, 2.0).shape == (0,)


def test_a_break_stands_between_two_references() -> None:
    texts = ["a b c d"], [["x y a b", "c d z w"]]
    assert Gtm(exponent=2).corpus(*texts).scores["match_size"] == pytest.approx(8**0.5)
    assert Gtm(exponent=2).corpus(["a b c d"], ["x y a b c d z w"]).scores["match_size"] == 4


def test_a_corpus_has_sums_and_no_mean() -> None:
    texts = ["a b", "a b c d e f"], ["a b", "x b c d e y"]
    assert Gtm().corpus(*texts).scores == {
        "gtm": 0.75,
        "precision": 0.75,
        "recall": 0.75,
        "match_size": 6,
        "hypothesis_length": 8,
        "reference_length": 8,
    }
    assert Gtm(aggregation="mean").corpus(*texts).value == pytest.approx((1 + 4 / 6) / 2)


def test_an_exponent_below_1_may_score_more_than_a_perfect_text() -> None:
    shuffled = Gtm(exponent=0.93).corpus(["c b a"], ["a b c"]).value
    assert shuffled == pytest.approx(3 ** (1 / 0.93) / 3)
    assert Gtm(exponent=0.93).range["gtm"][1] > shuffled > Gtm(exponent=0.93).corpus(["a b c"], ["a b c"]).value == 1


def test_the_gap_between_the_variants_is_shared() -> None:
    gap = explain(Gtm.variant("gtm-1.4"), Gtm(exponent=2, multi_reference="best"), ["a c b"], [["a b", "c"]])
    assert {part.choice for part in gap.contributions} == {"exponent", "several references"}
    assert sum(part.share for part in gap.contributions) == pytest.approx(gap.gap, abs=1e-15)


def test_a_trace_draws_the_runs_in_the_grid_of_hits() -> None:
    shown = trace(Gtm(exponent=2), "the cat sat on the mat", ["on the mat sat the cat"])
    grid = shown.table("hits with reference 1")
    assert grid.header == ("", "on", "the", "mat", "sat", "the", "cat")
    assert grid.column("the") == ("•", "", "", "", "1", "")
    assert [row.cells[1:] for row in grid.rows][3:] == [
        ("1", "", "", "", "", ""),
        ("", "1", "", "", "•", ""),
        ("", "", "1", "", "", ""),
    ]
    assert shown.table("chosen runs").column("length^2") == (9, 4, 1)
    assert "match size = (3^2 + 2^2 + 1^2)^(1/2) = 3.742" in shown.text()
    assert "<td>1</td>" in shown.html()


def test_a_trace_of_several_references_and_a_run_that_is_cut() -> None:
    shown = trace(Gtm(exponent=2), "a b c d", ["a b", "c d x"])
    assert [table.name for table in shown.every(type(shown.table("chosen runs")))] == [
        "hits with reference 1",
        "hits with reference 2",
        "chosen runs",
    ]
    assert shown.table("chosen runs").column("length") == (2.0, 0.5)
    assert "the last run is cut: all runs have at most 2.5 tokens" in shown.text()
    best = trace(Gtm(multi_reference="best"), "a b c d", ["a b", "c d x"])
    assert [section.title for section in best.sections] == [
        "reference 1, which counts: GTM = 0.666667",
        "reference 2: GTM = 0.571429",
    ]
    empty = trace(Gtm(), "", ["a"])
    assert empty.formula == "GTM = 0 = 0.0"
    assert "the grid with reference 1, of 0 tokens and 1 token, is not drawn" in empty.text()
    long = " ".join(["a"] * 200)
    assert "of 200 tokens and 200 tokens, is not drawn" in trace(Gtm(), long, [long]).text()


def test_input_that_has_no_score() -> None:
    with pytest.raises(InputError, match="`references` are missing"):
        Gtm().corpus(["a"])
    with pytest.raises(InputError, match=r"`predictions\[0\]` is a?.*list.*; a str is expected"):
        Gtm().corpus([["a"]], [["a"]])

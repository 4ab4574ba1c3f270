"""Token F1 against its definition over lists of tokens and over texts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, corpora_of, spelled, token_corpora

from metrics.token_f1 import plain
from metrologue import load, trace
from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.scorers import TokenF1

nothing = st.sampled_from([("zero", 0.0), ("equal", 1.0)])


@given(corpus=token_corpora, nothing=nothing)
def test_definition(corpus: TokenCorpus, nothing: tuple[str, float]) -> None:
    scorer = TokenF1(tokenizer="whitespace", empty=nothing[0], scale=1.0)
    scores = scorer.corpus(*spelled(corpus)).scores
    assert scores["token_f1"] == pytest.approx(plain.token_f1(*corpus, nothing[1]), rel=1e-12)
    exact = [hypothesis in own for hypothesis, own in zip(*corpus, strict=True)]
    assert scores["exact_match"] == pytest.approx(sum(exact) / len(exact), rel=1e-12)


@given(corpus=corpora(), nothing=nothing)
def test_definition_with_the_words_of_squad(corpus: Corpus, nothing: tuple[str, float]) -> None:
    words: Any = [*map(plain.normalized, corpus[0])], [[*map(plain.normalized, own)] for own in corpus[1]]
    found = TokenF1(empty=nothing[0]).corpus(*corpus).value
    assert found == pytest.approx(100 * plain.token_f1(*words, nothing[1]), rel=1e-12)


SPAN = st.sampled_from(
    [
        "",
        "7",
        "7.0",
        "7 yards",
        "the 7th",
        "Ann",
        "ann b",
        "Bob-Ann",
        "a",
        " ",
        "$1,000",
        "1000",
        "-5",
        "1e3 x",
        "nan",
        "x y",
    ]
)
SEVERAL = st.lists(SPAN | st.just("x\ny 7"), max_size=4)


@st.composite
def answered(draw: st.DrawFn) -> tuple[list[Any], list[Any]]:
    """Answers that are spans or lists of spans, one list at least, each with one right answer or several."""
    answers = draw(st.lists(SPAN | SEVERAL, max_size=3))
    right = [draw(SEVERAL.filter(bool) | st.lists(SEVERAL.filter(bool), min_size=1, max_size=2)) for _ in answers]
    return [*answers, ["7"]], [*right, ["7", "x"]]


@given(corpus=corpora_of(SPAN) | corpora(max_segments=2) | answered())
def test_numbers_and_spans_of_drop(corpus: Any) -> None:
    rows = TokenF1.variant("drop", scale=1.0).segment_scores(*corpus)
    lists = any(isinstance(each, list) for each in corpus[0])
    for f1, exact, hypothesis, given_own in zip(rows["token_f1"], rows["exact_match"], *corpus, strict=True):
        own = [given_own] if lists and isinstance(given_own[0], str) else given_own
        expected = [plain.drop(hypothesis, reference) for reference in own]
        # A mean that is half of a digit may be rounded either way.
        assert f1 == pytest.approx(max(score for score, _ in expected), abs=0.0101)
        assert exact == max(same for _, same in expected)


def test_a_text_is_one_span_unless_lines_are_asked_for() -> None:
    call = ["10\n\nQuestion: who"], ["10"]
    assert TokenF1.variant("drop").corpus(*call).value == 0
    assert TokenF1.variant("drop", spans="lines").corpus(*call).value == 50
    several = TokenF1.variant("drop").corpus([["a1", "b1"], "c1"], [[["x"], ["b1", "a1"]], ["c1"]])
    assert several.scores == {"token_f1": 100, "exact_match": 100}
    module = load("token_f1", "drop", keep_in_memory=True)
    assert module.compute(predictions=[["ten", "blue cars"]], references=[["blue cars", "ten"]])["token_f1"] == 100
    with pytest.raises(InputError, match="`predictions` are lists of spans; spans='list'"):
        TokenF1().corpus([["a"]], [["a"]])
    with pytest.raises(InputError, match=r"`references\[0\]` has no span"):
        TokenF1.variant("drop").corpus([["a"]], [[]])


def test_many_spans_take_neither_the_square_in_memory_nor_the_cube_in_time() -> None:
    many = [f"{number}" for number in range(50_000)]
    assert TokenF1.variant("drop").corpus([many], [many[::-1]]).value == 100
    with pytest.raises(InputError, match=r"`predictions\[0\]` has so many spans .* more than 4,000,000 pairs"):
        TokenF1.variant("drop").corpus([["a1"] * 50_000], [["a1"] * 50_000])


@pytest.mark.parametrize(
    ("prediction", "references", "fields", "numbers"),
    [
        ("The cat sat.", ["cat sat down"], {}, (80.0, 0.0)),
        ("the cat", ["A  CAT!"], {}, (100.0, 100.0)),
        ("sat cat", ["cat sat"], {}, (100.0, 0.0)),
        ("it's", ["its"], {}, (100.0, 100.0)),
        ("a a b", ["a b b b"], {"tokenizer": "whitespace"}, (400 / 7, 0.0)),
        ("x\u2014a\u2014y", ["x\u2014 \u2014y"], {}, (100.0, 100.0)),
        ("", ["the", "cat"], {}, (0.0, 100.0)),
        ("the", ["cat", "a"], {}, (0.0, 100.0)),
        ("the", ["cat", "a"], {"empty": "equal"}, (100.0, 100.0)),
        ("the", ["cat"], {"empty": "equal"}, (0.0, 0.0)),
        ("A", ["a"], {"tokenizer": "whitespace", "lowercase": True, "scale": 1.0}, (1.0, 1.0)),
    ],
)
def test_worked_numbers(
    prediction: str, references: list[str], fields: dict[str, Any], numbers: tuple[float, float]
) -> None:
    scores = TokenF1(**fields).corpus([prediction], [references]).scores
    assert (scores["token_f1"], scores["exact_match"]) == pytest.approx(numbers, rel=1e-15)


def test_a_corpus_of_sums() -> None:
    scores = TokenF1(aggregation="corpus").corpus(["cat", "dog ran"], ["cat", "dog"]).scores
    assert scores == {
        "token_f1": 80.0,
        "exact_match": 50.0,
        "match_count": 2,
        "hypothesis_count": 3,
        "reference_count": 2,
    }


def test_the_gap_between_the_variants_is_shared() -> None:
    names = "squad", "torchmetrics"
    gap = explain(*map(TokenF1.variant, names), ["the", "a dog"], ["a", "dog"])
    assert [(part.choice, part.share) for part in gap.contributions] == [("texts without tokens", 0.5)]


def test_a_trace_shows_the_counts() -> None:
    shown = trace(TokenF1(), "the cat sat", ["cat sat down"]).text()
    assert "token_f1 = 80" in shown
    assert "match_count" in shown

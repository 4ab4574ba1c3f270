"""CharacTER against its definition over lists of words, and what the package cer does at its limits."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from layouts import Columns, columns_of
from strategies import TokenCorpus, generated_columns, shuffled_corpora, spelled, token_corpora, words_of

from metrics.character.plain import character
from metrologue.scorers import Character


def agrees(columns: Columns) -> None:
    """The score of a corpus and those of its segments are what the definition gives."""
    words = words_of(columns)
    assert Character().corpus(**columns).value == pytest.approx(character(*words), rel=1e-12)
    for row, *segment in zip(Character().segments(**columns), *words, strict=True):
        assert row == pytest.approx(character(*([each] for each in segment)), rel=1e-12)


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    agrees(columns_of("character", *spelled(corpus)))


@given(corpus=shuffled_corpora)
def test_definition_with_shifts(corpus: tuple[list[str], list[list[str]]]) -> None:
    agrees(columns_of("character", *corpus))


@given(columns=generated_columns("character"))
def test_definition_with_texts_of_any_kind(columns: Columns) -> None:
    agrees(columns)


@pytest.mark.parametrize("length", [1, 63, 64, 65, pytest.param(130, marks=pytest.mark.slow)])
def test_definition_with_long_texts(length: int) -> None:
    """A machine word has the places of 64 words."""
    chance = random.Random(length)
    reference = [chance.choice(["a", "bb", "ccc", "dd", "e", "ff", "g"]) for _ in range(length)]
    words = reference[length // 2 :] + reference[: length // 2]
    agrees(columns_of("character", [" ".join(words)], [[" ".join(reference)]]))


def test_worked_numbers() -> None:
    text = "this week the saudis denied information published in the new york times"
    reference = "saudi arabia denied this week information published in the american new york times"
    assert Character().corpus([text], [reference]).scores == {
        "character": 0.36619718309859156, "edits": 19.0, "shift_cost": 7.0, "shifts": 1.0, "hypothesis_length": 71.0,
        "reference_length": 82.0,
    }  # fmt: skip
    free = Character(shift_cost="none", aggregation="corpus").corpus([text], [reference])
    assert free.value == 19 / 71
    assert Character(normalization="reference").corpus([text], [reference]).value == 26 / 82


def test_texts_without_words() -> None:
    """The package fails if a reference has no words."""
    assert Character().segments(["", "a b", "", " "], ["a b", "", "", "\n"]).tolist() == [1.0, 1.0, 0.0, 0.0]
    package = pytest.importorskip("cer")
    assert package.calculate_cer([], ["a", "b"]) == 1.0
    with pytest.raises(ZeroDivisionError):
        package.calculate_cer(["a"], [])


def test_among_equal_shifts_the_last_spelling_counts() -> None:
    """As the package does, which sorts the shifted texts: é comes after z."""
    package = pytest.importorskip("cer")
    for first, second in (("a", "b"), ("b", "a"), ("z", "é"), ("é", "z"), ("a", "aa"), ("日", "𝒳")):
        words, reference = [first, second, "x", second, first], [second, first, first, "y", second]
        ours = Character().corpus([" ".join(words)], [" ".join(reference)]).value
        assert ours == pytest.approx(package.calculate_cer(words, reference), rel=1e-12)

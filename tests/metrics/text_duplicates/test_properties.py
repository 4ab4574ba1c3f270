"""Duplicates against their definition, the texts that are listed, and what merges."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import metrologue
from metrics.text_duplicates.plain import text_duplicates
from metrologue.scorers import TextDuplicates

SOME = st.lists(st.sampled_from(["a", " a", "a\n", "b c", "b  c", "", "\u3000", "\0", "A"]), min_size=1, max_size=9)


@given(texts=SOME)
def test_definition(texts: list[str]) -> None:
    assert TextDuplicates().corpus(texts).value == text_duplicates(texts)
    assert not TextDuplicates().segments(texts).any()


@given(first=SOME, second=SOME)
def test_batches_merge(first: list[str], second: list[str]) -> None:
    scorer = TextDuplicates()
    totals = scorer.accumulate(second, totals=scorer.accumulate(first))
    assert scorer.score_totals(totals).scores == scorer.corpus(first + second).scores


def test_what_is_listed() -> None:
    module = metrologue.load("text_duplicates")
    found = module.compute(data=["a", "a ", "b", "a", "a "], list_duplicates=True)
    assert found == {"duplicate_fraction": 1 - 2 / 5, "duplicates_dict": {"a": 2, "a ": 2}}

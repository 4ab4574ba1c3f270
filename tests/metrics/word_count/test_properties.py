"""The number of words against its definition over lists of tokens, and what merges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import token_lists

from metrics.word_count.plain import word_count
from metrologue.scorers import WordCount

SOME = st.lists(token_lists, min_size=1, max_size=5)


@pytest.mark.parametrize("vocabulary", [None, 1, 3, 100])
@given(texts=SOME)
def test_definition(vocabulary: int | None, texts: list[list[str]]) -> None:
    scorer = WordCount(tokenizer="whitespace", vocabulary=vocabulary)
    predictions = [*map(" ".join, texts)]
    scores, rows = scorer.corpus(predictions).scores, scorer.segment_scores(predictions)
    assert (scores["word_count"], scores["unique_words"]) == word_count(texts, vocabulary)
    each = [*zip(rows["word_count"].tolist(), rows["unique_words"].tolist(), strict=True)]
    assert each == [word_count([text], vocabulary) for text in texts]


@given(first=SOME, second=SOME)
def test_batches_merge(first: list[list[str]], second: list[list[str]]) -> None:
    scorer = WordCount(tokenizer="whitespace", vocabulary=2)
    one, other = ([*map(" ".join, texts)] for texts in (first, second))
    totals = scorer.accumulate(other, totals=scorer.accumulate(one))
    assert scorer.score_totals(totals).scores == scorer.corpus(one + other).scores

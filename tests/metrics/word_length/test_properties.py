"""The number of words against its definition, and the Hub's result."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, token_lists

import metrologue
from metrics.word_length.plain import word_length
from metrologue.scorers import WordLength


@given(texts=st.lists(token_lists, min_size=1, max_size=5))
def test_definition(texts: list[list[str]]) -> None:
    scorer, predictions = WordLength(tokenizer="whitespace"), [*map(" ".join, texts)]
    assert scorer.corpus(predictions).value == word_length(texts)
    assert scorer.segments(predictions).tolist() == [*map(len, texts)]


@given(corpus=corpora())
def test_a_whole_mean_is_an_int(corpus: tuple[list[str], list[list[str]]]) -> None:
    found = metrologue.load("word_length", tokenizer="whitespace").compute(data=corpus[0])["average_word_length"]
    assert found == word_length([*map(str.split, corpus[0])])
    assert isinstance(found, int) == (found == int(found))

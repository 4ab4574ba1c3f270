"""GLEU against its definition over lists of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import TokenCorpus, corpora, spelled, token_corpora

from metrics.google_bleu.plain import counts, google_bleu
from metrologue.errors import InputError
from metrologue.scorers import GoogleBleu
from metrologue.segments import Segments

Corpus = tuple[list[str], list[list[str]]]


@given(corpus=token_corpora, first=st.integers(1, 4), last=st.integers(1, 6))
def test_definition(corpus: TokenCorpus, first: int, last: int) -> None:
    scorer, orders = GoogleBleu(tokenizer="whitespace", min_order=first, max_order=last), range(first, last + 1)
    assert scorer.corpus(*spelled(corpus)).value == google_bleu(*corpus, orders)
    rows = scorer.segment_scores(*spelled(corpus))
    for i, (hypothesis, references) in enumerate(zip(*corpus, strict=True)):
        assert rows["google_bleu"][i] == google_bleu([hypothesis], [references], orders)
        found = rows["match_count"][i], rows["ngram_count"][i]
        assert found in [counts(hypothesis, reference, orders) for reference in references]


@given(corpus=corpora(), last=st.integers(1, 6))
def test_definition_with_texts_of_any_kind(corpus: Corpus, last: int) -> None:
    words = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    scorer = GoogleBleu(tokenizer="whitespace", max_order=last)
    assert scorer.corpus(*corpus).value == google_bleu(*words, range(1, last + 1))


@given(corpus=corpora(max_references=1))
def test_both_sides_are_alike(corpus: Corpus) -> None:
    predictions, references = corpus[0], [own[0] for own in corpus[1]]
    assert GoogleBleu().corpus(predictions, references).value == GoogleBleu().corpus(references, predictions).value


def test_the_lesser_of_precision_and_recall() -> None:
    scores = GoogleBleu().corpus(["the cat sat"], ["the cat"]).scores
    assert (scores["google_bleu"], scores["match_count"], scores["hypothesis_count"]) == (0.5, 3, 6)


def test_old_names_and_missing_references() -> None:
    with pytest.raises(InputError, match="`references` are missing"):
        GoogleBleu().corpus(["a"])
    with pytest.raises(InputError, match="`references` are missing"):
        GoogleBleu().corpus(Segments(["a"]))

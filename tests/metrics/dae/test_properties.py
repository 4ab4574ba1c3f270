"""Dae against its definition over lists of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

from metrics.dae.plain import dae
from metrologue.errors import InputError
from metrologue.scorers import Dae


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    scorer = Dae()
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(dae(*corpus), rel=1e-12)
    rows = scorer.segments(*spelled(corpus))
    for row, hypothesis, references in zip(rows, *corpus, strict=True):
        assert row == pytest.approx(dae([hypothesis], [references]), rel=1e-12)


@given(corpus=corpora())
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    words = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    assert Dae().corpus(*corpus).value == pytest.approx(dae(*words), rel=1e-12)


def test_worked_numbers() -> None:
    assert Dae().corpus(["a b c d"], ["a b"]).scores == {
        "dae": 0.5,
        "match_count": 2,
        "token_count": 4,
    }


def test_missing_references() -> None:
    with pytest.raises(InputError, match="`references` are missing"):
        Dae().corpus(["a"])

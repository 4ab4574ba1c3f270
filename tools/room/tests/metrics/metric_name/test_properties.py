"""Metric Name against its definition over lists of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora

from metrics.metric_name.plain import metric_name
from metrologue.errors import InputError
from metrologue.scorers import MetricName


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    scorer = MetricName()
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(metric_name(*corpus), rel=1e-12)
    rows = scorer.segments(*spelled(corpus))
    for row, hypothesis, references in zip(rows, *corpus, strict=True):
        assert row == pytest.approx(metric_name([hypothesis], [references]), rel=1e-12)


@given(corpus=corpora())
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    words = [text.split() for text in corpus[0]], [[text.split() for text in own] for own in corpus[1]]
    assert MetricName().corpus(*corpus).value == pytest.approx(metric_name(*words), rel=1e-12)


def test_worked_numbers() -> None:
    assert MetricName().corpus(["a b c d"], ["a b"]).scores == {
        "metric_name": 0.5,
        "match_count": 2,
        "token_count": 4,
    }


def test_missing_references() -> None:
    with pytest.raises(InputError, match="`references` are missing"):
        MetricName().corpus(["a"])

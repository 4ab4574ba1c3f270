"""Metric Name against its definition over lists of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from layouts import Columns, columns_of
from strategies import TokenCorpus, generated_columns, spelled, token_corpora, words_of

from metrics.metric_name.plain import metric_name
from metrologue.errors import InputError
from metrologue.scorers import MetricName


def agrees(columns: Columns) -> None:
    """The score of a corpus and those of its segments are what the definition gives."""
    words = words_of(columns)
    assert MetricName().corpus(**columns).value == pytest.approx(metric_name(*words), rel=1e-12)
    for row, *segment in zip(MetricName().segments(**columns), *words, strict=True):
        assert row == pytest.approx(metric_name(*([each] for each in segment)), rel=1e-12)


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    agrees(columns_of("metric_name", *spelled(corpus)))


@given(columns=generated_columns("metric_name"))
def test_definition_with_texts_of_any_kind(columns: Columns) -> None:
    agrees(columns)


def test_worked_numbers() -> None:
    assert MetricName().corpus(["a b c d"], ["a b"]).scores == {
        "metric_name": 0.5,
        "match_count": 2,
        "token_count": 4,
    }


def test_missing_references() -> None:
    columns = columns_of("metric_name", ["a"], ["a"])
    del columns["references"]
    with pytest.raises(InputError, match="`references` are missing"):
        MetricName().corpus(**columns)

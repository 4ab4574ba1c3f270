"""The error rates against their definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import TokenCorpus, corpora_of, spelled, token_lists

from metrics.error_rates.plain import align, error_rates
from metrologue.scorers import get_scorer

Counts = tuple[int, int, int, int]
KINDS = ("hits", "substitutions", "deletions", "insertions")


@pytest.mark.parametrize("name", ["wer", "cer", "mer", "wil", "wip"])
@given(corpus=corpora_of(token_lists, max_references=1))
def test_definition(name: str, corpus: TokenCorpus) -> None:
    """All rates of each segment, and of the corpus from the sums of its counts."""
    scorer = get_scorer(name)(hits="most", tokenizer="characters" if name == "cer" else "whitespace")
    texts = spelled(corpus, "" if name == "cer" else " ")
    counts = [align(hypothesis, *own) for hypothesis, own in zip(*corpus, strict=True)]
    rows = scorer.segment_scores(*texts)
    for i, found in enumerate(counts):
        assert_is({key: values[i] for key, values in rows.items()}, found, name)
    assert_is(scorer.corpus(*texts).scores, tuple(map(sum, zip(*counts, strict=True))), name)


def assert_is(scores: dict[str, float], counts: Counts, name: str) -> None:
    """The numbers are these counts, and the rates that they come to."""
    assert tuple(scores[kind] for kind in KINDS) == counts
    rates = {"cer" if name == "cer" and rate == "wer" else rate: value for rate, value in error_rates(*counts).items()}
    assert {rate: scores[rate] for rate in rates} == pytest.approx(rates, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("hits", ["aligned", "fewest"])
@given(corpus=corpora_of(token_lists, max_references=1))
def test_edits_are_as_few_by_every_rule_for_hits(hits: str, corpus: TokenCorpus) -> None:
    scorer = get_scorer("wer")(hits=hits, tokenizer="whitespace")
    expected = [error_rates(*align(hypothesis, *own))["wer"] for hypothesis, own in zip(*corpus, strict=True)]
    assert scorer.segments(*spelled(corpus)) == pytest.approx(expected, rel=1e-12)

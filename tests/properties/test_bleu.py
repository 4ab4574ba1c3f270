"""The n-gram kernel against a plain count, and BLEU's own laws."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

from metrologue.scorers import Bleu
from metrologue.segments import Segments

Corpus = tuple[list[str], list[list[str]]]


def plainly_clipped(prediction: list[str], references: list[list[str]], order: int) -> int:
    """Papineni's clipped count as one would write it down."""

    def ngrams(tokens: list[str]) -> Counter[tuple[str, ...]]:
        return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))

    greatest: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        greatest |= ngrams(reference)
    return (ngrams(prediction) & greatest).total()


@given(corpus=corpora(), max_order=st.integers(1, 7))
def test_clipped_counts(corpus: Corpus, max_order: int) -> None:
    segments = Segments(*corpus)
    bleu = Bleu.variant("nltk", max_order=max_order)
    rows = dict(zip(bleu.columns, bleu.statistics(segments).T, strict=True))
    for i in range(len(segments)):
        prediction, references = segments.view("whitespace").tokens(i)
        for order in range(1, max_order + 1):
            assert rows[f"clipped_count_{order}"][i] == plainly_clipped(prediction, references, order)
            assert rows[f"count_{order}"][i] == max(1, len(prediction) - order + 1)


RULES = {
    "closest": lambda lengths, own: min(lengths, key=lambda length: (abs(length - own), length)),
    "closest-first": lambda lengths, own: min(lengths, key=lambda length: abs(length - own)),
    "shortest": lambda lengths, own: min(lengths),
    "longest": lambda lengths, own: max(lengths),
    "average": lambda lengths, own: sum(lengths) / len(lengths),
}


@pytest.mark.parametrize("rule", RULES)
@given(corpus=corpora(max_references=5))
def test_reference_lengths(rule: str, corpus: Corpus) -> None:
    rows = Bleu(tokenizer="none", reference_length=rule).statistics(Segments(*corpus))
    for row, prediction, references in zip(rows, *corpus, strict=True):
        own, lengths = len(prediction.split()), [len(text.split()) for text in references]
        assert row[:2].tolist() == [own, RULES[rule](lengths, own)]


def test_both_tie_rules() -> None:
    corpus = (["a b c"], [["a b c d", "a b"]])
    assert Bleu().corpus(*corpus).scores["reference_length"] == 2
    assert Bleu(reference_length="closest-first").corpus(*corpus).scores["reference_length"] == 4


@pytest.mark.parametrize("variant", Bleu.variants())
def test_a_copy_is_perfect(variant: str) -> None:
    text = "a copy of a text is as good as the text itself"
    bleu = Bleu.variant(variant)
    assert bleu.corpus([text], [["another", text]]).value == pytest.approx(bleu.scale, rel=1e-9)
    assert bleu.corpus([text], [[text, text]]).scores == bleu.corpus([text], [[text]]).scores


@given(corpus=corpora())
def test_cumulative_scores_are_shorter_bleus(corpus: Corpus) -> None:
    for variant in ("sacrebleu", "nltk", "pycocoevalcap", "torchmetrics"):
        whole = Bleu.variant(variant).corpus(*corpus).scores
        for order in range(1, 5):
            shorter = Bleu.variant(variant, max_order=order).corpus(*corpus).value
            assert whole[f"bleu_{order}"] == pytest.approx(shorter, rel=1e-12, abs=0)


@given(corpus=corpora())
def test_the_mean_of_segments(corpus: Corpus) -> None:
    mean = Bleu(aggregation="mean").corpus(*corpus)
    assert mean.value == pytest.approx(Bleu().segments(*corpus).mean(), rel=1e-14, abs=0)
    np.testing.assert_array_equal(Bleu(aggregation="mean").segments(*corpus), Bleu().segments(*corpus))


def test_orders_of_weight_zero_are_left_out() -> None:
    """The Polish notebook's weights (0, 0, 0.25): only trigrams count, even where there is no unigram weight at all."""
    corpus = (["x b c d y"], ["a b c d e"])
    only_trigrams = Bleu.variant("nltk", smoothing="none", zero_when="never", skip_zero=False, weights=(0, 0, 1))
    assert only_trigrams.corpus(*corpus).value == pytest.approx(1 / 3)
    without_match = Bleu.variant("nltk", smoothing="none", zero_when="never", skip_zero=False, weights=(0.5, 0.5, 0, 0))
    assert without_match.corpus(*corpus).value == pytest.approx((3 / 5 * 2 / 4) ** 0.5)

"""Chrf against its definition, and its n-gram kernel against Counters."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, texts

from metrics.chrf import plain
from metrologue.kernels.pairs import Pairs
from metrologue.scorers.chrf import Chrf, chrf
from metrologue.scorers.core.kernels.ngrams import paired_counts
from metrologue.segments import Segments

Corpus = tuple[list[str], list[list[str]]]


@given(
    corpus=corpora(),
    char_order=st.integers(0, 7),
    word_order=st.integers(0, 3),
    beta=st.integers(0, 3),
    lowercase=st.booleans(),
)
def test_chrf_by_its_definition(corpus: Corpus, char_order: int, word_order: int, beta: int, lowercase: bool) -> None:
    char_order = char_order if char_order + word_order else 6
    scorer = Chrf(char_order=char_order, word_order=word_order, beta=beta, lowercase=lowercase, scale=1)
    predictions, references = corpus
    rows = []
    fold = str.lower if lowercase else str
    for prediction, others in zip(predictions, references, strict=True):
        rows.append([plain.counts(fold(prediction), fold(text), char_order, word_order) for text in others])
    # References that are equally good in fractions may not be so in floats: the scorer says which one it took.
    taken = scorer._best_references(Segments(predictions, references))
    best = [own[index] for own, index in zip(rows, taken.tolist(), strict=True)]
    for own, one in zip(rows, best, strict=True):
        assert float(plain.chrf(one, beta)) == pytest.approx(
            float(max(plain.chrf(each, beta) for each in own)), rel=1e-12
        )
    values = scorer.segments(predictions, references)
    np.testing.assert_allclose(values, [float(plain.chrf(own, beta)) for own in best], rtol=1e-12)
    np.testing.assert_array_equal(values, chrf(*np.array(best, float).transpose(2, 0, 1), beta))
    totals = [tuple(map(sum, zip(*of_order, strict=True))) for of_order in zip(*best, strict=True)]
    result = scorer.corpus(predictions, references)
    assert result.value == pytest.approx(float(plain.chrf(totals, beta)), rel=1e-12)
    names = [f"char_{{}}_count_{n + 1}" for n in range(char_order)]
    names += [f"word_{{}}_count_{n + 1}" for n in range(word_order)]
    for name, row in zip(names, totals, strict=True):
        assert tuple(result.scores[name.format(kind)] for kind in ("match", "hypothesis", "reference")) == row


@given(text=texts())
def test_equal_texts_score_best_and_case_is_all_that_lower_casing_takes(text: str) -> None:
    has_characters = bool(text.split())
    for variant in ("sacrebleu", "chrf++"):
        assert Chrf.variant(variant).corpus([text], [text]).value == pytest.approx(100 * has_characters)
        assert Chrf.variant(variant, lowercase=True).corpus([text], [text.lower()]).value == pytest.approx(
            100 * has_characters
        )


def test_leaving_out_references_changes_nothing_for_other_scorers() -> None:
    """One reference each: the rows of the pairs are those of the segments, and several scorers share them."""
    segments = Segments(["abc", "xy"], ["abd", "zzz"])
    whole = Chrf().statistics(segments).copy()
    assert (Chrf(drop_unmatched=True).statistics(segments)[1] == 0).sum() > (whole[1] == 0).sum()
    np.testing.assert_array_equal(Chrf(beta=3.0).statistics(segments), whole)


@given(texts=st.lists(st.text("ab ", max_size=12), min_size=2, max_size=2))
def test_precision_and_recall_change_places_with_the_texts(texts: list[str]) -> None:
    there, back = (Chrf(beta=1).corpus([one], [other]).scores for one, other in (texts, texts[::-1]))
    assert there["chrf"] == pytest.approx(back["chrf"])
    for order in range(1, 7):
        assert there[f"char_precision_{order}"] == back[f"char_recall_{order}"]


# Texts of few and of many types, short ones and such that the table of names has no room for them.
ids = st.one_of(
    st.lists(st.integers(0, 3), max_size=30),
    st.lists(st.integers(0, 300), max_size=30),
    st.builds(lambda size, step: [i * step % 1009 for i in range(size)], st.integers(300, 600), st.integers(1, 50)),
)


@given(rows=st.lists(ids, min_size=2, max_size=5), order=st.integers(1, 7), once=st.booleans())
def test_common_ngrams_are_those_of_counters(rows: list[list[int]], order: int, once: bool) -> None:
    pairs = [(h, r) for h in range(len(rows)) for r in range(len(rows))]
    hypotheses, references = np.array(pairs).T.copy()
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    texts = Pairs(np.array([*chain.from_iterable(rows)], np.int32), offsets, hypotheses, references)
    found = paired_counts(texts, order, once)
    for (h, r), matches in zip(pairs, found, strict=True):
        for n in range(1, order + 1):
            own, others = plain.ngrams(rows[h], n), plain.ngrams(rows[r], n)
            assert matches[n - 1] == (len(own.keys() & others.keys()) if once else (own & others).total())


def test_the_first_reference_alone() -> None:
    """sacrebleu up to 1.5.1 reads no other one, and has a scale of 1."""
    old = Chrf.variant("sacrebleu-1.5.1")
    assert old.corpus(["a cat"], [["the cats", "a cat"]]).value == Chrf(scale=1).corpus(["a cat"], ["the cats"]).value
    assert old.corpus(["a cat"], [["a cat", "the cats"]]).value == 1

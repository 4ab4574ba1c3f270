"""RIBES and its kernels against their definition over lists of tokens."""

from __future__ import annotations

import random
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from growth import takes_less
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, corpora_of, spelled, token_lists

from metrics.ribes import plain
from metrologue import trace
from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.kernels.pairs import Pairs
from metrologue.scorers import Ribes
from metrologue.scorers.ribes.kernels import KENDALL, RUNS, SPEARMAN, order_rows
from metrologue.segments import Segments
from metrologue.tracing import Alignment

flag = st.booleans()
# The program refuses references without words.
written = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12)
token_corpora = st.lists(st.tuples(token_lists, st.lists(written, min_size=1, max_size=3)), min_size=1, max_size=4).map(
    lambda segments: ([text for text, _ in segments], [own for _, own in segments])
)


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    assert Ribes().corpus(*spelled(corpus)).value == pytest.approx(plain.ribes(*corpus), rel=1e-12)
    rows = Ribes().segments(*spelled(corpus))
    for row, hypothesis, references in zip(rows, *corpus, strict=True):
        assert row == pytest.approx(plain.ribes([hypothesis], [references]), rel=1e-12)


@given(corpus=corpora())
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    words: Any = [*map(str.split, corpus[0])], [[text.split() for text in own] for own in corpus[1]]
    scorer = Ribes(lowercase=False)
    if all(text for own in words[1] for text in own):
        assert scorer.corpus(*corpus).value == pytest.approx(plain.ribes(*words), rel=1e-12)
    else:
        with pytest.raises(InputError, match="has no words, and so no score"):
            scorer.corpus(*corpus)


@given(hypothesis=token_lists, reference=token_lists, left_first=flag, whole_left=flag)
def test_ranks(hypothesis: list[str], reference: list[str], left_first: bool, whole_left: bool) -> None:
    scorer = Ribes(first_context="left" if left_first else "right", whole_left_context=whole_left)
    found = scorer.ranks(" ".join(hypothesis), " ".join(reference))
    assert found[:2] == (hypothesis, reference)
    assert found.ranks[found.ranks >= 0].tolist() == plain.ranks(hypothesis, reference, left_first, whole_left)
    for i, (rank, context) in enumerate(zip(found.ranks.tolist(), found.contexts.tolist(), strict=True)):
        assert (rank < 0) == (context == 0)
        if rank >= 0:
            first = min(0, context + 1)
            ngram = hypothesis[i + first : i + first + abs(context)]
            assert len(ngram) == abs(context)
            assert plain.places(ngram, reference) == [rank + first]
            assert plain.places(ngram, hypothesis) == [i + first]


@given(lists=st.lists(st.lists(st.integers(0, 9), max_size=9), min_size=1, max_size=4))
def test_correlations(lists: list[list[int]]) -> None:
    """A word without a rank comes first in each text. The reference of all has ten words."""
    ranks = np.array([*chain(*([-1, *own] for own in lists))], np.int64)
    offsets, texts = np.cumsum([0, *(1 + len(own) for own in lists), 10]), np.arange(len(lists))
    compared = Pairs(np.zeros(offsets[-1], np.int32), offsets, texts, np.full(len(lists), len(lists)))
    ascending, runs, rho = (
        order_rows(ranks, compared, correlation, False).tolist() for correlation in (KENDALL, RUNS, SPEARMAN)
    )
    for t, own in enumerate(lists):
        n, pairs = len(own), [*combinations(range(len(own)), 2)]
        assert ascending[t][0] == sum(a < b for a, b in combinations(own, 2))
        assert runs[t][0] == sum(own[i : j + 1] == [*range(own[i], own[i] + j + 1 - i)] for i, j in pairs)
        assert ascending[t][1:] == runs[t][1:] == [len(pairs), n, n + 1, 10]
        mean = [sum(b < a for b in own) + (own.count(a) - 1) / 2 for a in own]
        greatest = (n**3 - n) / 3
        assert rho[t][:2] == [greatest - sum((place - i) ** 2 for i, place in enumerate(mean)), greatest]


@given(corpus=corpora_of(token_lists), correlation=st.sampled_from(["kendall", "kendall-runs", "spearman"]))
def test_a_corpus_of_sums(corpus: TokenCorpus, correlation: str) -> None:
    texts = corpus[0], [own[:1] for own in corpus[1]]
    scorer = Ribes(correlation=correlation, aggregation="corpus", empty_reference="zero")
    scores, rows = scorer.corpus(*spelled(texts)).scores, scorer.segment_scores(*spelled(texts))
    for share, part, whole in (
        ("rank_correlation", "agreement", "full_agreement"),
        ("precision", "match_count", "hypothesis_length"),
    ):
        assert scores[part] == rows[part].sum()
        assert scores[share] == (scores[part] / scores[whole] if scores[whole] else 0.0)


def test_a_reference_without_words_counts_last() -> None:
    assert Ribes(empty_reference="zero").corpus(["b a"], [["", "c d e"]]).scores["reference_length"] == 3
    assert Ribes(empty_reference="zero").corpus(["b a"], [""]).value == 0.0


def test_the_error_names_the_segment_with_any_number_of_threads() -> None:
    for threads in (1, 2, 4):
        with pytest.raises(InputError, match=r"`references\[4\]`"):
            Ribes().corpus(["a b"] * 6, [["a b"], ["a"], ["b"], ["a"], ["a b", ""], ["b"]], threads=threads)


def test_equal_words_in_long_texts() -> None:
    """Here only the whole text is unique: it tells the first and last word."""
    text = " ".join(["a"] * 1500)
    assert Ribes().corpus([text], [text]).scores["match_count"] == 2
    assert Ribes().corpus([f"x {text}"], [f"x {text}"]).scores["match_count"] == 1501


@pytest.mark.parametrize("correlation", ["kendall", "kendall-runs", "spearman"])
@pytest.mark.parametrize("types", [1, 4])
def test_time_of_few_types(types: int, correlation: str) -> None:
    """It does not grow with the number of pairs of equal words, nor with that of pairs of ranks."""
    scorer, rng = Ribes(correlation=correlation), random.Random(1)
    small, large = ([" ".join(rng.choices("abcd"[:types], k=count)) for _ in range(2)] for count in (10_000, 40_000))
    assert takes_less(lambda: scorer.corpus(large[:1], large[1:]), lambda: scorer.corpus(small[:1], small[1:]), 8)


def test_the_gap_between_the_program_and_nltk_is_shared() -> None:
    texts = ["a", "c a b a c"], ["a", "a c a b b"]
    gap = explain(Ribes.variant("ribes-1.03"), Ribes.variant("nltk-3.8.1"), *texts)
    assert sum(part.share for part in gap.contributions) == pytest.approx(gap.gap)
    assert {"single word", "correlation"} <= {part.choice for part in gap.contributions}


@given(hypothesis=written, references=st.lists(token_lists, min_size=1, max_size=3), data=st.data())
def test_trace(hypothesis: list[str], references: list[list[str]], data: st.DataObject) -> None:
    correlation = data.draw(st.sampled_from(["kendall", "kendall-runs", "spearman"]))
    scorer = Ribes(correlation=correlation, empty_reference="zero")
    texts = " ".join(hypothesis), [*map(" ".join, references)]
    found = trace(scorer, *texts)
    assert found.value == scorer.corpus([texts[0]], [texts[1]]).value
    assert max(section.values["ribes"] for section in found.sections) == found.value
    for section, reference in zip(found.sections, texts[1], strict=True):
        [picture], [table] = section.every(Alignment), [section.table(f"Ranks with {section.name}")]
        ranks = scorer.ranks(texts[0], reference)
        assert [link.starts[1] for link in picture.links] == [rank for rank in ranks.ranks if rank >= 0]
        assert table.numbers("place") == tuple(rank for rank in ranks.ranks if rank >= 0)
        total = sum(table.numbers(table.header[-1]))
        alone = scorer.segment_scores(Segments([texts[0]], [reference]))
        if correlation == "spearman":
            total = alone["full_agreement"][0] - total
        if not (len(picture.links) == len(ranks.reference) == 1):
            assert alone["agreement"][0] == total


def test_the_trace_shows_the_context_and_the_formula() -> None:
    found = trace(Ribes(), "the boy saw the dog", ["the dog saw the boy", "a cat"])
    assert found.formula == "RIBES = 0.2000 · 1.000^0.25 · 1.000^0.1 = 0.2"
    first = found.sections[0]
    assert first.title == "reference 1, which counts: RIBES = 0.2"
    table = first.table("Ranks with reference 1")
    assert table.column("context") == ("the boy", "boy", "saw", "saw the", "dog")
    assert table.column("place") == (3, 4, 2, 3, 1)
    assert table.column("pairs with words before it") == (0, 1, 0, 1, 0)
    assert "no word has a place" in found.text()
    assert "rank correlation = a single word, which matches = 1 = 1.000" in trace(Ribes(), "a b", ["a"]).text()

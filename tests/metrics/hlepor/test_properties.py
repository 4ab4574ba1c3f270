"""hLEPOR, its alignment and its trace against their definition over lists of tokens."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Corpus, TokenCorpus, corpora, spelled, token_corpora, token_lists

from metrics.hlepor import plain
from metrologue import trace
from metrologue.scorers import Hlepor
from metrologue.scorers.hlepor.kernels import PREFERENCES, WINDOWS
from metrologue.tracing import Alignment

flag = st.booleans()
VARIANTS: dict[str, dict[str, Any]] = {
    "hlepor": {},
    "lepor": {"combination": "product"},
    "nlepor": {"combination": "product", "max_order": 4},
}


@pytest.mark.parametrize("name", VARIANTS)
@given(corpus=token_corpora)
def test_definition(name: str, corpus: TokenCorpus) -> None:
    scorer = Hlepor.variant(name)
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(plain.hlepor(*corpus, **VARIANTS[name]), rel=1e-12)
    for row, hypothesis, references in zip(scorer.segments(*spelled(corpus)), *corpus, strict=True):
        assert row == pytest.approx(plain.hlepor([hypothesis], [references], **VARIANTS[name]), rel=1e-12)


@given(corpus=corpora())
def test_definition_with_texts_of_any_kind(corpus: Corpus) -> None:
    words = [text.lower().split() for text in corpus[0]], [[text.lower().split() for text in own] for own in corpus[1]]
    assert Hlepor().corpus(*corpus).value == pytest.approx(plain.hlepor(*words), rel=1e-12)


@given(corpus=token_corpora)
def test_a_corpus_of_mean_factors(corpus: TokenCorpus) -> None:
    texts = corpus[0], [own[:1] for own in corpus[1]]
    factors = [plain.factors(hypothesis, own[0]) for hypothesis, own in zip(*texts, strict=True)]
    means = [fmean(column) for column in zip(*factors, strict=True)]
    value = Hlepor(aggregation="corpus").corpus(*spelled(texts)).scores
    # The position penalty of a text without words has no effect: its other factors are 0.
    if all(hypothesis and own[0] for hypothesis, own in zip(*texts, strict=True)):
        assert value["hlepor"] == pytest.approx(plain.combined(means), rel=1e-12)


@given(hypothesis=token_lists, reference=token_lists, context=st.integers(0, 4))
def test_alignment(hypothesis: list[str], reference: list[str], context: int) -> None:
    places = Hlepor(context=context).alignment(" ".join(hypothesis), " ".join(reference))[2]
    assert {i: k for i, k in enumerate(places.tolist()) if k >= 0} == plain.alignment(hypothesis, reference, context)


def near(text: list[str], i: int, context: int, window: str) -> dict[int, str]:
    """The words near word i, by their distance from it. A negative start of a slice is Python's."""
    start = i - context
    if window == "slice":
        before = [*range(len(text))][start:i]
    else:
        before = [*range(max(start, int(window == "without-first")), i)]
    return {k - i: text[k] for k in (*before, *range(i + 1, min(i + 1 + context, len(text))))}


@given(
    hypothesis=token_lists,
    reference=token_lists,
    context=st.integers(0, 5),
    any_place=flag,
    exclusive=flag,
    window=st.sampled_from(WINDOWS),
    preference=st.sampled_from(PREFERENCES),
)
def test_alignments_of_any_kind(
    hypothesis: list[str],
    reference: list[str],
    context: int,
    any_place: bool,
    exclusive: bool,
    window: str,
    preference: str,
) -> None:
    expected: list[int] = []
    for i, word in enumerate(hypothesis):
        free = [k for k, other in enumerate(reference) if other == word and not (exclusive and k in expected)]
        ours = near(hypothesis, i, context, window)

        def alike(k: int, ours: dict[int, str] = ours) -> bool:
            its = near(reference, k, context, window)
            return bool({*ours.values()} & {*its.values()} if any_place else ours.items() & its.items())

        some = [k for k in free if alike(k)] or free
        sign = -1 if preference == "farthest" else 1
        best = min(range(len(some)), key=lambda n: sign * abs(i - some[n]), default=-1)
        expected.append(-1 if best < 0 else free[best] if preference == "nearest-index" else some[best])
    scorer = Hlepor(
        context=context,
        context_match="any-place" if any_place else "same-place",
        exclusive=exclusive,
        context_window=window,
        preference=preference,
    )
    assert scorer.alignment(" ".join(hypothesis), " ".join(reference))[2].tolist() == expected


def test_no_texts() -> None:
    assert Hlepor().alignment("", "")[2].tolist() == []
    assert Hlepor().alignment("a", "")[2].tolist() == [-1]


@given(text=token_lists)
def test_equal_texts_have_the_best_score(text: list[str]) -> None:
    for name in ("hlepor", "lepor"):
        assert Hlepor.variant(name).corpus([" ".join(text)], [" ".join(text)]).value == (1.0 if text else 0.0)


@given(
    hypothesis=token_lists, references=st.lists(token_lists, min_size=1, max_size=3), name=st.sampled_from([*VARIANTS])
)
def test_trace(hypothesis: list[str], references: list[list[str]], name: str) -> None:
    scorer = Hlepor.variant(name)
    texts = " ".join(hypothesis), [*map(" ".join, references)]
    found = trace(scorer, *texts)
    assert found.value == scorer.corpus([texts[0]], [texts[1]]).value
    assert max(section.values["hlepor"] for section in found.sections) == found.value
    for section, reference in zip(found.sections, references, strict=True):
        [picture], table = section.every(Alignment), section.table(f"Alignment with {section.name}")
        places = plain.alignment(hypothesis, reference)
        assert [link.starts for link in picture.links] == [*places.items()]
        assert table.column("word") == tuple(hypothesis[i] for i in places)
        difference = sum(table.numbers("difference"))
        assert difference == pytest.approx(section.values["position_difference"], rel=1e-12, abs=1e-15)
        if hypothesis:
            assert section.values["position_penalty"] == pytest.approx(np.exp(-difference / len(hypothesis)))


def test_the_formulas_of_a_trace() -> None:
    shown = trace(Hlepor(), "the cat sat", ["the cat", "x"])
    assert shown.formula.startswith("hLEPOR = 10 / (2/0.6065 + 1/0.8465 + 7/0.9524) = 0.8")
    text = shown.text()
    assert "reference 1, which counts" in text
    assert "length penalty = exp(1 - 3/2) = 0.6065" in text
    assert "precision = 2/3 = 0.6667, recall = 2/2 = 1.000" in text
    assert "hLEPOR = 0, because a factor is 0, = 0" in text
    nltk = Hlepor.variant("nltk", tokenizer="whitespace", scale=100.0)
    assert "length penalty = exp(1 - 2/3) = 1.396" in trace(nltk, "the cat sat", ["the cat"]).text()
    assert trace(nltk, "the cat sat", ["the cat"]).formula.startswith("hLEPOR = 100 · 1.396 · ")
    assert "over 4 orders of n-grams" in trace(Hlepor.variant("nlepor"), "a b c d", ["a b c d"]).text()


@pytest.mark.parametrize("weights", [(9.0, 1.0), (0.0, 1.0), (1.0, 0.0)])
def test_a_text_without_a_match_scores_0(weights: tuple[float, float]) -> None:
    alpha, beta = weights
    assert Hlepor(alpha=alpha, beta=beta).segments(["a b", "a"], ["c d", "a"]).tolist() == [0.0, 1.0]

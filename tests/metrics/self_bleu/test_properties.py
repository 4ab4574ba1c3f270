"""Self-BLEU against its definition and against loops of nltk and sacrebleu; samples, pools and batches."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from needs import provide
from strategies import corpora

from metrics.self_bleu import plain
from metrologue import trace
from metrologue.attribution import explain
from metrologue.comparison.libraries import Available, get_library
from metrologue.errors import InputError
from metrologue.scorers import Bleu, SelfBleu
from metrologue.scorers.self_bleu.pool import lengths_of_others
from metrologue.segments import Segments

SPEC = ["the cat sat", "the cat ran", "a dog ran fast"]
token_lists = st.lists(st.sampled_from("abcd"), max_size=8)
many = st.lists(token_lists, min_size=2, max_size=7)


@given(
    texts=many | corpora().map(lambda corpus: [text.split() for text in corpus[0] + corpus[1][0]]),
    max_order=st.integers(1, 6),
)
def test_definition(texts: list[list[str]], max_order: int) -> None:
    predictions = [*map(" ".join, texts)]
    scorer = SelfBleu(max_order=max_order)
    assert scorer.corpus(predictions).value == pytest.approx(plain.self_bleu(texts, max_order), rel=1e-12)
    for index, value in enumerate(scorer.segments(predictions)):
        others = texts[:index] + texts[index + 1 :]
        assert value == pytest.approx(plain.bleu(texts[index], others, max_order), rel=1e-12)


@given(
    texts=many,
    smoothing=st.sampled_from(["none", "tiny", "floor", "add-k", "exp", "chen-cherry-4", "chen-cherry-5"]),
    lengths=st.sampled_from(["closest", "shortest", "longest"]),
    variant=st.sampled_from(["nltk", "sacrebleu"]),
)
def test_n_passes_of_bleu(texts: list[list[str]], smoothing: str, lengths: str, variant: str) -> None:
    """The same number as BLEU with all other texts as references, in one pass instead of n."""
    predictions = [*map(" ".join, texts)]
    fields = {"smoothing": smoothing, "smooth_value": None, "reference_length": lengths}
    ours = SelfBleu.variant(variant, **fields).segment_scores(predictions)
    bleu = Bleu.variant("nltk" if variant == "nltk" else "sacrebleu-sentence", **fields)
    others = [predictions[:index] + predictions[index + 1 :] for index in range(len(predictions))]
    for name, values in bleu.segment_scores(predictions, others).items():
        np.testing.assert_array_equal(ours[f"self_{name}" if name.startswith("bleu") else name], values)


@given(texts=many, max_order=st.integers(2, 4), smooth=st.sampled_from(["method1", "method3"]))
def test_each_text_in_nltk(texts: list[list[str]], max_order: int, smooth: str) -> None:
    bleu_score = pytest.importorskip("nltk.translate.bleu_score", reason="nltk is not installed")
    smoothing = getattr(bleu_score.SmoothingFunction(), smooth)
    scorer = SelfBleu(max_order=max_order, smoothing={"method1": "floor", "method3": "exp"}[smooth])
    for index, value in enumerate(scorer.segments([*map(" ".join, texts)])):
        others = texts[:index] + texts[index + 1 :]
        theirs = bleu_score.sentence_bleu(others, texts[index], (1 / max_order,) * max_order, smoothing)
        assert value == pytest.approx(theirs, rel=1e-12)


def test_worked_numbers() -> None:
    assert SelfBleu(max_order=2).segments(SPEC) == pytest.approx([0.57735027, 0.70710678, 0.09128709], abs=1e-8)
    assert SelfBleu(max_order=3).segments(SPEC) == pytest.approx([0.32182979, 0.36840315, 0.07469008], abs=1e-8)
    assert SelfBleu(max_order=2).corpus(SPEC).value == pytest.approx(0.45858138, abs=1e-8)
    assert SelfBleu().corpus(["a b c d", "a b c d"]).value == 1.0
    assert SelfBleu().corpus(SPEC + SPEC[:1]).value > SelfBleu().corpus(SPEC).value


@given(
    pool=st.lists(st.integers(0, 9), min_size=2, max_size=6), rule=st.sampled_from(["closest", "shortest", "longest"])
)
def test_lengths_of_others(pool: list[int], rule: str) -> None:
    def expected(own: int, others: list[int]) -> int:
        closest = min(others, key=lambda length: (abs(length - own), length))
        return {"closest": closest, "shortest": min(others), "longest": max(others)}[rule]

    lengths = np.sort(pool)
    for outside in range(12):
        found = lengths_of_others(rule, lengths, np.array([outside]), np.array([False]))
        assert found.tolist() == [expected(outside, pool)]
    found = lengths_of_others(rule, lengths, np.array(pool), np.ones(len(pool), np.bool_))
    assert found.tolist() == [expected(own, pool[:i] + pool[i + 1 :]) for i, own in enumerate(pool)]


@given(texts=many, more=token_lists)
def test_a_pool_that_is_kept(texts: list[list[str]], more: list[str]) -> None:
    predictions = [*map(" ".join, texts)]
    fitted = SelfBleu().fit(Segments(predictions))
    np.testing.assert_array_equal(fitted.segments(predictions), SelfBleu().segments(predictions))
    totals = fitted.accumulate(predictions[1:], totals=fitted.accumulate(predictions[:1]))
    assert fitted.score_totals(totals).value == pytest.approx(SelfBleu().corpus(predictions).value, rel=1e-12)
    # A text that is not in the pool has all of it as references.
    if more not in texts:
        assert fitted.segments([" ".join(more)]) == pytest.approx([plain.bleu(more, texts)], rel=1e-12)


def test_a_pool_of_other_orders() -> None:
    pool = SelfBleu(max_order=2).fit(Segments(SPEC)).pool
    assert SelfBleu(max_order=1, pool=pool).corpus(SPEC).value > 0
    with pytest.raises(InputError, match="`pool` was fitted with n-grams up to 2; 4 are needed"):
        SelfBleu(pool=pool).corpus(SPEC)
    with pytest.raises(InputError, match="`pool` must be the same for all batches"):
        SelfBleu().accumulate(SPEC)


def test_a_sample() -> None:
    texts = [f"a{i % 7} b{i % 3} c{i % 5} d" for i in range(60)]
    first = SelfBleu(sample=10)
    assert first.corpus(texts) == first.corpus(texts[:10])
    assert first.corpus(texts[:5]).value == SelfBleu().corpus(texts[:5]).value
    drawn = SelfBleu(sample=10, seed=1)
    chosen = np.sort(np.random.default_rng(1).choice(60, 10, replace=False))
    assert drawn.corpus(texts).value == SelfBleu().corpus([texts[i] for i in chosen]).value
    assert drawn.segments(texts).shape == (10,)
    assert drawn.corpus(texts).value != SelfBleu(sample=10, seed=2).corpus(texts).value
    fitted = drawn.fit(Segments(texts))
    assert fitted.corpus([texts[i] for i in chosen]).value == pytest.approx(drawn.corpus(texts).value, rel=1e-12)


@pytest.mark.parametrize("variant", ["nltk", "sacrebleu", "texygen"])
def test_one_text(variant: str, request: pytest.FixtureRequest) -> None:
    provide(request, SelfBleu.variants()[variant].needs)
    with pytest.raises(
        InputError, match=r"`predictions\[0\]` has no other text to be compared with; give two texts or more"
    ):
        SelfBleu.variant(variant).corpus(["a b"])
    with pytest.raises(InputError, match="no segments"):
        SelfBleu.variant(variant).corpus([])
    assert SelfBleu.variant("fast-bleu").corpus(["a b"]).value == 0


def test_texts_without_tokens() -> None:
    assert SelfBleu().segments(["", " ", "a b", "a"]).tolist() == [0, 0, *SelfBleu().segments(["a b", "a", "", ""])[:2]]
    assert SelfBleu().corpus(["", ""]).value == 0


def test_fast_bleu_where_lengths_agree() -> None:
    """Where each text has another one of its length, what fast-bleu reads beyond its lengths changes nothing."""
    library = get_library("fast-bleu")
    if not isinstance(library.status(), Available):
        pytest.skip(str(library.status()))
    texts = [f"a{i % 7} b{i % 3} c{i % 5} d{i % 2} e" for i in range(200)]
    theirs = library.scores("self_bleu", texts, [[]] * 200)["self_bleu"]
    assert SelfBleu.variant("fast-bleu").corpus(texts).value == pytest.approx(theirs, rel=1e-12)


def test_what_texygen_printed(request: pytest.FixtureRequest) -> None:
    provide(request, SelfBleu.variants()["texygen"].needs)
    golden = json.loads(Path(__file__).with_name("texygen.json").read_text("utf-8"))
    assert golden["version"] == SelfBleu.variants()["texygen"].version
    for case in golden["cases"]:
        scorer = SelfBleu.variant("texygen", **case["fields"])
        assert scorer.corpus(case["texts"]).value == pytest.approx(case["score"], rel=1e-12)


def test_why_nltk_and_sacrebleu_differ() -> None:
    gap = explain(SelfBleu.variant("nltk"), SelfBleu.variant("sacrebleu", scale=1.0), SPEC, None)
    shares = {part.choice: part.share for part in gap.contributions}
    assert shares.keys() >= {"smoothing", "effective order"}
    ends = [SelfBleu.variant(name, scale=1.0).corpus(SPEC).value for name in ("nltk", "sacrebleu")]
    assert sum(shares.values()) == pytest.approx(ends[1] - ends[0])
    orders = explain(SelfBleu(), SelfBleu(max_order=2), SPEC, None)
    assert [part.choice for part in orders.contributions] == ["orders and weights"]


def test_a_trace_needs_another_text() -> None:
    with pytest.raises(InputError, match=r"`predictions\[0\]` has no other text"):
        trace("self_bleu", "a b")
    assert trace(SelfBleu(alone="zero"), "a b").value == 0
    assert trace(SelfBleu(alone="zero").fit(Segments(["a b"])), "a b").value == 0


@given(texts=many, max_order=st.integers(1, 4), index=st.integers(0, 6))
def test_the_trace_has_the_scorers_numbers(texts: list[list[str]], max_order: int, index: int) -> None:
    predictions = [*map(" ".join, texts)]
    scorer = SelfBleu(max_order=max_order).fit(Segments(predictions))
    text = predictions[index % len(predictions)]
    shown = trace(scorer, text)
    assert shown.value == scorer.segments([text])[0]
    assert shown.values["other_texts"] == len(texts) - 1
    for order in range(1, max_order + 1):
        table = shown.table(f"{order}-grams")
        assert sum(table.numbers("clipped")) == shown.values[f"clipped_count_{order}"]


def test_the_trace_of_a_text() -> None:
    texts = [*SPEC, "the cat sat"]
    shown = trace(SelfBleu(max_order=2).fit(Segments(texts)), texts[1])
    assert shown.table("1-grams").column("other texts") == (2, 2, 1)
    assert shown.table("1-grams").column("max other") == (1, 1, 1)
    assert shown.table("repeated 2-grams").column("texts") == (3, 2)
    lines = shown.text().split("\n")
    nearest = next(i for i, line in enumerate(lines) if line.startswith("the texts nearest to it"))
    assert [line.split()[:4] for line in lines[nearest + 1 : nearest + 5] if line] == [
        ["segment", "1", "BLEU", "0.5774"],
        ["segment", "4", "BLEU", "0.5774"],
        ["segment", "3", "BLEU", "0.09250"],
    ]
    assert shown.html()


def test_ten_thousand_texts() -> None:
    texts = [" ".join(f"w{(i * k * k) % 97}" for k in range(20)) for i in range(10_000)]
    value = SelfBleu().corpus(texts).value
    assert value == pytest.approx(SelfBleu().corpus(texts[::-1]).value, rel=1e-12)

"""Groups of texts: Self-BLEU and distinct-n inside each group, and the mean of the groups."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

from metrics.distinct_n import plain as plain_distinct
from metrics.self_bleu import plain
from metrologue import load, trace
from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.inference import Resampling, confidence_interval
from metrologue.scorers import Bleu, DistinctN, LexicalDiversity, SelfBleu
from metrologue.scorers.core.options import options_of
from metrologue.segments import Segments
from metrologue.tracing import Texts

Groups = list[list[str]]
GROUPS = [["the cat sat", "the cat ran"], ["a dog ran", "a cow mooed", "a dog ran"]]
GROUPED = SelfBleu(others="group")

token_lists = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)
few = st.lists(st.lists(token_lists, min_size=2, max_size=5), min_size=1, max_size=4)
# Two texts or more of real and odd characters in each group.
odd = st.lists(corpora().map(lambda corpus: [corpus[0][0], *corpus[1][0], ""]), min_size=1, max_size=3)


def split(groups: Groups) -> list[list[list[str]]]:
    return [[text.split() for text in group] for group in groups]


@given(groups=few | odd, max_order=st.integers(1, 6))
def test_definition(groups: Groups, max_order: int) -> None:
    scorer = SelfBleu(others="group", max_order=max_order)
    expected = [plain.self_bleu(texts, max_order) for texts in split(groups)]
    assert scorer.segments(groups) == pytest.approx(expected, rel=1e-12)
    assert scorer.corpus(groups).value == pytest.approx(fmean(expected), rel=1e-12)


@given(
    groups=few,
    smoothing=st.sampled_from(["none", "tiny", "floor", "add-k", "exp", "chen-cherry-4"]),
    lengths=st.sampled_from(["closest", "shortest", "longest"]),
    variant=st.sampled_from(["nltk", "sacrebleu"]),
    aggregation=st.sampled_from(["mean", "corpus"]),
)
def test_a_group_scores_as_a_corpus_of_its_own(
    groups: Groups, smoothing: str, lengths: str, variant: str, aggregation: str
) -> None:
    alone = SelfBleu.variant(
        variant, smoothing=smoothing, smooth_value=None, reference_length=lengths, aggregation=aggregation
    )
    together = SelfBleu(**{**{name: getattr(alone, name) for name in options_of(SelfBleu)}, "others": "group"})
    found = together.segment_scores(groups)
    for index, group in enumerate(groups):
        for name, value in alone.corpus(group).scores.items():
            assert found[name][index] == pytest.approx(value, rel=1e-12, abs=1e-15), name


def test_mbleu_of_pycocoevalcap() -> None:
    """Programs for captions score the i-th captions of all pictures against the others of the same picture."""
    scorer = pytest.importorskip("pycocoevalcap.bleu.bleu", reason="pycocoevalcap is not installed").Bleu(4)
    groups = [
        ["a cat on a mat", "the cat sits on a mat", "a cat on the mat"],
        ["two dogs run", "dogs run", "a dog runs"],
    ]
    each = []
    for place in range(3):
        others = {at: group[:place] + group[place + 1 :] for at, group in enumerate(groups)}
        texts = {at: [group[place]] for at, group in enumerate(groups)}
        each.append(scorer.compute_score(others, texts, verbose=0)[1])
    coco = Bleu.variant("pycocoevalcap", tokenizer="whitespace")
    fields = {name: getattr(coco, name) for name in options_of(Bleu) if name not in ("aggregation", "reference_length")}
    ours = SelfBleu(**fields, reference_length="closest", others="group").segment_scores(groups)
    for order, values in enumerate(np.mean(each, axis=0), start=1):
        assert ours[f"self_bleu_{order}"] == pytest.approx(values, rel=1e-12)


def test_references_of_the_e2e_challenge(shared_data: Path) -> None:
    """Ten groups of texts that people wrote, against nltk's loop over each."""
    bleu_score = pytest.importorskip("nltk.translate.bleu_score", reason="nltk is not installed")
    lines = (shared_data / "e2e_metrics_example" / "devel-conc.txt").read_text("utf-8").split("\n\n")
    groups = [group.strip().split("\n") for group in lines if group.strip()]
    assert min(map(len, groups)) > 1 < len(groups)
    smoothing = bleu_score.SmoothingFunction().method1

    def of_nltk(texts: list[list[str]]) -> float:
        pairs = ((texts[:index] + texts[index + 1 :], text) for index, text in enumerate(texts))
        return fmean(bleu_score.sentence_bleu(*pair, smoothing_function=smoothing) for pair in pairs)

    assert GROUPED.segments(groups) == pytest.approx([*map(of_nltk, split(groups))], rel=1e-12)


@given(first=few, second=few)
def test_batches_and_threads(first: Groups, second: Groups) -> None:
    groups = first + second
    whole = GROUPED.corpus(groups)
    totals = GROUPED.accumulate(second, totals=GROUPED.accumulate(first))
    assert totals.segments == len(groups)
    assert GROUPED.score_totals(totals).scores == pytest.approx(whole.scores, rel=1e-12)
    assert GROUPED.corpus(groups, threads=3) == whole
    segments = GROUPED._to_segments(groups)
    assert GROUPED.corpus(segments.slice(len(first), None)) == GROUPED.corpus(second)
    assert GROUPED.corpus(segments.with_predictions(groups[::-1])).value == pytest.approx(whole.value, rel=1e-12)


def test_a_sample_of_groups() -> None:
    groups = [[f"a{i} b c", f"a{i} b d"] for i in range(9)]
    assert SelfBleu(others="group", sample=4).corpus(groups).value == GROUPED.corpus(groups[:4]).value
    drawn = SelfBleu(others="group", sample=4, seed=1).segments(groups)
    assert len(drawn) == 4
    assert {*drawn} <= {*GROUPED.segments(groups)}


def test_groups_are_what_is_resampled() -> None:
    """They do not depend on each other, so their means are drawn, and no pseudo-values."""
    groups = [[f"a{i % 4} b c", f"a{i % 3} b d", f"a{i % 5} x"] for i in range(30)]
    values = GROUPED.segments(groups)
    segments = GROUPED._to_segments(groups)
    drawn = np.random.default_rng(12345).integers(0, 30, size=(1000, 30))
    interval = confidence_interval(GROUPED, segments, level=0.9, resampling=Resampling(draws="pcg64"))
    limits = np.percentile(values[drawn].mean(axis=1), [5, 95])
    assert [interval.low, interval.high] == pytest.approx(limits.tolist(), rel=1e-12)


def test_texts_of_all_groups() -> None:
    texts = [text for group in GROUPS for text in group]
    with pytest.warns(UserWarning, match="texts of all lists are compared with each other; others='group' compares"):
        assert SelfBleu().corpus(GROUPS).value == SelfBleu().corpus(texts).value
    gap = explain(SelfBleu(), GROUPED, GROUPS, None)
    assert [part.choice for part in gap.contributions] == ["pool"]
    assert (gap.value_a, gap.value_b) == (SelfBleu().corpus(texts).value, GROUPED.corpus(GROUPS).value)


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        (["a", "b"], "`predictions` are single texts; others='group' needs a list of texts for each"),
        ([["a", "b"], ["c"]], r"`predictions\[1\]` has no other text to be compared with"),
        ([["a", "b"], []], r"`predictions\[1\]` is an empty list; a group needs at least one text"),
        ([["a", "b"], "c"], r"`predictions\[1\]` is str 'c' but earlier items are lists; wrap it in a list"),
        (["a", ["b"]], r"`predictions\[1\]` is list \['b'\]; a str is expected"),
        ([["a", 3]], r"`predictions\[0\]\[1\]` is int 3; a str is expected"),
        ([{"a", "b"}], r"`predictions\[0\]` is set .*; a str is expected"),
        (pa.array([["a", "b"], None]), r"`predictions\[1\]` is None; a list of strings is expected"),
        ([], "no segments"),
    ],
)
def test_bad_groups(predictions: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        GROUPED.corpus(predictions)


def test_contradictions() -> None:
    pool = SelfBleu().fit(Segments(["a b", "a c"])).pool
    with pytest.raises(InputError, match="None for others='group' is expected"):
        SelfBleu(others="group", pool=pool)
    with pytest.raises(InputError, match="others='group' has nothing to fit"):
        GROUPED.fit(Segments(["a b", "a c"]))
    with pytest.raises(InputError, match=r"`predictions\[0\]` is list .*; a str is expected"):
        LexicalDiversity().corpus(GROUPS)
    assert SelfBleu(others="group", alone="zero").segments([["a"], ["b c d e"] * 2]).tolist() == [0, 1]


def test_references_are_checked_and_change_nothing() -> None:
    assert GROUPED.corpus(GROUPS, ["x", "y"]) == GROUPED.corpus(GROUPS)
    with pytest.raises(InputError, match="2 predictions but 1 reference;"):
        GROUPED.corpus(GROUPS, ["x"])


def test_traces() -> None:
    shown = trace(SelfBleu(max_order=2, others="group"), GROUPS[1])
    assert shown.formula == "Self-BLEU = (1.000 + 0.1291 + 1.000)/3 = 0.7096998149578603"
    assert [text.size for text in shown.every(Texts)[0].texts] == [
        "Self-BLEU 1.000",
        "Self-BLEU 0.1291",
        "Self-BLEU 1.000",
    ]
    assert shown.table("repeated 2-grams").column("texts") == (2, 2)
    pooled = trace(SelfBleu(others="group", aggregation="corpus"), GROUPS[1])
    assert pooled.formula == f"Self-BLEU = {pooled.value}"
    assert trace(DistinctN(orders=(2,)), GROUPS[1]).table("repeated 2-grams").column("share") == ("2/6", "2/6")


def test_the_module() -> None:
    self_bleu, distinct = load("self_bleu"), load("distinct_n")
    expected = GROUPED.segments(GROUPS)
    assert self_bleu.compute(predictions=GROUPS, per_segment=True)["segments"]["self_bleu"] == expected.tolist()
    self_bleu.add(prediction=GROUPS[0])
    self_bleu.add_batch(predictions=pa.array(GROUPS[1:]))
    assert self_bleu.compute() == {"self_bleu": GROUPED.corpus(GROUPS).value}
    every = SelfBleu().corpus([text for group in GROUPS for text in group]).value
    assert self_bleu.compute(predictions=GROUPS, others="all") == {"self_bleu": every}
    self_bleu.add(prediction="a")
    with pytest.raises(InputError, match="`predictions` are lists of texts, but earlier batches had texts"):
        self_bleu.add(prediction=["a"])
    assert distinct.compute(predictions=GROUPS) == DistinctN().corpus(GROUPS).scores


@given(groups=few | odd, order=st.integers(1, 3), denominator=st.sampled_from(["ngrams", "tokens"]))
def test_distinct_n_of_groups(groups: Groups, order: int, denominator: str) -> None:
    scorer = DistinctN(orders=(order,), denominator=denominator)
    texts = split(groups)
    having = [group for group in texts if any(len(tokens) >= order for tokens in group)]
    each = [plain_distinct.distinct_n(group, order, denominator) for group in having]
    scores, rows = scorer.corpus(groups).scores, scorer.segment_scores(groups)
    assert scores[f"mean_distinct_{order}"] == pytest.approx(fmean(each) if each else 0, rel=1e-12)
    flat = scorer.corpus([text for group in groups for text in group]).scores
    for name in (f"distinct_{order}", f"entropy_{order}", f"count_{order}", "token_count"):
        assert scores[name] == pytest.approx(flat[name], rel=1e-12), name
    for index, group in enumerate(texts):
        assert rows[f"entropy_{order}"][index] == pytest.approx(plain_distinct.entropy_n(group, order), abs=1e-12)
        assert rows[f"distinct_{order}"][index] == pytest.approx(
            plain_distinct.distinct_n(group, order, denominator), rel=1e-12
        )


@given(first=few, second=few)
def test_distinct_n_of_groups_in_batches(first: Groups, second: Groups) -> None:
    scorer = DistinctN(level="sentence")
    totals = scorer.accumulate(second, totals=scorer.accumulate(first))
    assert scorer.score_totals(totals).scores == pytest.approx(scorer.corpus(first + second).scores, rel=1e-12)
    assert scorer.corpus(first + second, threads=3).scores == pytest.approx(scorer.score_totals(totals).scores)

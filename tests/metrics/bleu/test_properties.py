"""BLEU against its definition, and its own laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import TokenCorpus, corpora, spelled, token_corpora

from metrics.bleu import plain
from metrologue.scorers.bleu import Bleu, bleu
from metrologue.segments import Segments
from metrologue.text.reading import words

Corpus = tuple[list[str], list[list[str]]]


weights_of_orders = st.lists(st.sampled_from([0.0, 0.1, 0.25, 1.0]), min_size=1, max_size=6)


@given(corpus=token_corpora, weights=weights_of_orders)
@example(corpus=([[*"abc"]], [[[*"abcd"], [*"ab"]]]), weights=[1.0])  # two references as close in length
def test_definition(corpus: TokenCorpus, weights: list[float]) -> None:
    hypotheses, references = corpus
    scorer = Bleu(tokenizer="whitespace", weights=weights, smoothing="none", zero_when="never", scale=1)
    scores, rows = scorer.corpus(*spelled(corpus)).scores, scorer.segment_scores(*spelled(corpus))
    for found, pairs in [
        (scores, [*zip(hypotheses, references, strict=True)]),
        *(
            ({name: values[i] for name, values in rows.items()}, [(hypotheses[i], references[i])])
            for i in range(len(hypotheses))
        ),
    ]:
        length = sum(len(hypothesis) for hypothesis, _ in pairs)
        reference_length = sum(plain.closest_length(*pair) for pair in pairs)
        assert (found["hypothesis_length"], found["reference_length"]) == (length, reference_length)
        assert found["brevity_penalty"] == pytest.approx(plain.brevity_penalty(length, reference_length), rel=1e-12)
        for n in range(1, len(weights) + 1):
            assert found[f"clipped_count_{n}"] == sum(plain.clipped_count(*pair, n) for pair in pairs)
            assert found[f"count_{n}"] == sum(plain.ngrams(hypothesis, n).total() for hypothesis, _ in pairs)
        assert found["bleu"] == pytest.approx(plain.bleu(*map(list, zip(*pairs, strict=True)), weights), rel=1e-12)


@given(corpus=corpora(), max_order=st.integers(1, 7))
def test_clipped_counts(corpus: Corpus, max_order: int) -> None:
    segments = Segments(*corpus)
    bleu = Bleu.variant("nltk", max_order=max_order)
    rows = dict(zip(bleu.columns, bleu.statistics(segments).T, strict=True))
    for i in range(len(segments)):
        prediction, references = segments.read(words("whitespace")).tokens(i)
        for order in range(1, max_order + 1):
            assert rows[f"clipped_count_{order}"][i] == plain.clipped_count(prediction, references, order)
            assert rows[f"count_{order}"][i] == max(1, len(prediction) - order + 1)


@given(corpus=corpora(), weights=weights_of_orders)
def test_without_quirks_the_score_is_that_of_the_function(corpus: Corpus, weights: list[float]) -> None:
    """`bleu` on counts, of a corpus and of each segment that has n-grams of every order."""
    scorer, orders = Bleu(weights=weights, smoothing="none", zero_when="never", scale=1), len(weights)
    rows = scorer.statistics(Segments(*corpus))
    values = [scorer.corpus(*corpus).value, *scorer.segments(*corpus)]
    for counts, value in zip([rows.sum(axis=0), *rows], values, strict=True):
        (length, reference_length), clipped, totals = counts[:2], counts[2 : 2 + orders], counts[2 + orders :]
        if totals.all():
            assert bleu(clipped, totals, length, reference_length, weights) == value


SMOOTHINGS = ["none", "tiny", "floor", "add-k", "exp", *(f"chen-cherry-{n}" for n in (4, 5, 6, 7, "4-sum", "7-sum"))]


@given(corpus=corpora(max_segments=1), smoothings=st.permutations(SMOOTHINGS), max_order=st.integers(3, 6))
def test_smoothing_methods_share_segments_but_not_columns(
    corpus: Corpus, smoothings: list[str], max_order: int
) -> None:
    """Methods 5 to 7 count other columns: what was counted for one method is not handed to another one."""
    shared = Segments(*corpus)
    for smoothing in smoothings:
        scorer = Bleu(smoothing=smoothing, max_order=max_order)
        np.testing.assert_array_equal(scorer.statistics(shared), scorer.statistics(Segments(*corpus)))


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


@given(corpus=token_corpora, share=st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_recall_is_precision_the_other_way_round(corpus: TokenCorpus, share: float) -> None:
    """With one reference, hypothesis and reference change places, and so do precision and recall."""
    hypotheses, references = spelled(corpus)
    single = [texts[0] for texts in references]
    ways = [
        Bleu(tokenizer="whitespace", penalty="none", precision_weight=weight, max_order=2).corpus(*texts).scores
        for weight, texts in ((share, (hypotheses, single)), (1 - share, (single, hypotheses)))
    ]
    for name in ("bleu", "precision_1", "precision_2", "brevity_penalty"):
        assert ways[0][name] == pytest.approx(ways[1][name], rel=1e-12)

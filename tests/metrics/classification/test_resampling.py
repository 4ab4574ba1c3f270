"""Resampling of precision, recall and F1: rows of counts against the drawn labels themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.classification.labelled import label_segments
from metrics.classification.test_properties import KINDS
from metrologue.inference import confidence_interval, confidence_intervals, paired_test
from metrologue.inference.draws import DRAWS
from metrologue.inference.jackknife import PseudoValues, resampled
from metrologue.inference.totals import _distinct_rows, resampled_scores, resampled_totals
from metrologue.scorers import F1, ConfusionMatrix, Precision
from metrologue.scorers.families.classification.averages import LabelRows


@st.composite
def draws(draw: st.DrawFn) -> tuple[list, list, list[int], list[int]]:
    """Predicted and right labels or sets, weights, and the indices of a resample."""
    kind = draw(KINDS)
    one = st.sampled_from(kind) if draw(st.booleans()) else st.lists(st.sampled_from(kind), max_size=3, unique=True)
    rows = draw(st.lists(st.tuples(one, one, st.integers(1, 3)), min_size=2, max_size=8))
    indices = draw(st.lists(st.integers(0, len(rows) - 1), min_size=len(rows), max_size=len(rows)))
    ours, right, weights = map(list, zip(*rows, strict=True))
    return ours, right, weights, indices


@given(
    drawn=draws(),
    average=st.sampled_from(["binary", "micro", "macro", "weighted"]),
    zero=st.sampled_from([0, 1]),
    absent=st.sampled_from(["count", "skip"]),
    all_labels=st.booleans(),
    weighted=st.booleans(),
)
def test_rows_of_counts_score_what_the_drawn_labels_score(
    drawn: tuple[list, list, list[int], list[int]],
    average: str,
    zero: int,
    absent: str,
    all_labels: bool,
    weighted: bool,
) -> None:
    ours, right, weights, indices = drawn
    sets = isinstance(ours[0], list)
    if sets and (average == "binary" or not any(map(len, [*ours, *right]))):
        average = "micro"
    seen = sorted({label for row in [*ours, *right] for label in (row if sets else [row])})
    if not seen or (average == "binary" and len(seen) > 2):
        return
    options = {"average": average, "zero_division": zero, "absent_labels": absent}
    if average == "binary":
        options["pos_label"] = seen[-1]
    elif not all_labels:
        options["labels"] = [*seen[:2], "no such label" if isinstance(seen[0], str) else 77]
    scorer = F1(**options)._for_resampling()
    segments = label_segments(ours, right, weights if weighted else None)
    metric = scorer._separated([segments])
    assert isinstance(metric, LabelRows)
    counts = np.bincount(indices, minlength=len(ours)).astype(float)
    found = metric.score(counts @ metric.statistics(segments))
    resample = segments.take(indices)
    if not sets or any(len(ours[i]) + len(right[i]) for i in indices):
        expected = scorer.corpus(resample).scores
        assert {name: float(each) for name, each in found.items()} == pytest.approx(expected, rel=1e-12)
    whole = metric.score(metric.aggregate(metric.statistics(segments)))
    expected = F1(**options).corpus(segments).scores
    assert {name: float(each) for name, each in whole.items()} == pytest.approx(expected, rel=1e-12)


def test_weights_of_zero_and_too_many_labels_are_resampled_as_pseudo_values(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = F1(average="macro", zero_division=0)
    light = label_segments([0, 1, 1, 0], [0, 1, 0, 0], [1, 0, 1, 1])
    plain = label_segments([0, 1, 1, 0], [0, 1, 0, 0])
    assert isinstance(resampled(scorer, [light])[0], PseudoValues)
    assert isinstance(resampled(scorer, [plain])[0], LabelRows)
    monkeypatch.setattr("metrologue.scorers.families.classification.averages._MOST_CELLS", 23)
    assert isinstance(resampled(scorer, [plain])[0], PseudoValues)
    assert confidence_interval(scorer, plain).low <= scorer.corpus(plain).value


def test_the_spread_is_that_of_samples_of_the_population() -> None:
    """The standard error of the bootstrap against the spread of real samples."""
    rng = np.random.default_rng(3)

    def sample() -> tuple[list[int], list[int]]:
        right = rng.integers(0, 3, 400)
        return np.where(rng.random(400) < 0.7, right, rng.integers(0, 3, 400)).tolist(), right.tolist()

    scorer = F1(average="macro")
    spread = np.std([scorer.corpus(*sample()).value for _ in range(300)])
    interval = confidence_interval(scorer, label_segments(*sample()))
    assert (interval.high - interval.low) / 2 / 1.96 == pytest.approx(spread, rel=0.2)


def test_a_paired_test_of_systems_with_labels_of_their_own() -> None:
    right = [0, 1, 2, 1] * 10
    segments = label_segments(right, right)
    systems = {"good": segments, "other": segments.with_predictions([0, 1, 3, 1] * 10)}
    for method in ("bootstrap", "randomization"):
        (result,) = paired_test(F1(average="macro"), "good", systems, method=method, resamples=200)
        assert result.difference == pytest.approx(-0.5)
        assert result.p_value < 0.05


def test_the_intervals_of_a_confusion_matrix_are_those_of_its_sums() -> None:
    segments = label_segments([0, 1, 1, 0, 2] * 8, [0, 1, 0, 0, 1] * 8)
    found = confidence_intervals(ConfusionMatrix(labels=(0, 1)), segments)
    assert found["count"].low == found["count"].high == 40
    assert found["accuracy"].low < 0.75 < found["accuracy"].high
    micro = confidence_intervals(Precision(average="micro"), segments)
    assert found["accuracy"].low != micro["precision"].low


def test_equal_rows_are_drawn_together() -> None:
    """The numbers of 40,000 segments are those of the draws, whether their rows are equal or not."""
    rng = np.random.default_rng(4)
    n, resamples = 40_000, 3
    right = rng.integers(0, 5, n)
    segments = [
        label_segments(np.where(rng.random(n) < share, right, rng.integers(0, 5, n)), right) for share in (0.6, 0.7)
    ]
    scorer = F1(average="macro", zero_division=0)
    metric, rows = resampled(scorer, segments[:1])
    samples = [rows[0], metric.statistics(segments[1])]
    blocks = [block.copy() for block in DRAWS["pcg64"](1).counts(n, resamples)]
    for chosen in (samples, [samples[0], samples[1] + np.arange(n)[:, None] % 5000]):
        assert [_distinct_rows(sample) is None for sample in chosen] == [False, chosen is not samples]
        totals = np.stack([np.concatenate(blocks) @ sample for sample in chosen], axis=1)
        np.testing.assert_array_equal(resampled_totals(chosen, blocks), totals)
    drawn = segments[1].take(np.repeat(np.arange(n), blocks[0][0]))
    found = resampled_scores(metric, samples, blocks)
    assert found["f1"][0, 1] == pytest.approx(scorer.corpus(drawn).value, rel=1e-12)

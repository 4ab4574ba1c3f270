"""Coefficients against scipy and against their definitions, their bootstrap, levels, and input that is refused."""

from __future__ import annotations

import itertools
import json
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from growth import takes_less
from later import imported_later

from metrologue import InputError
from metrologue.inference.correlation import (
    COEFFICIENTS,
    Correlation,
    UndefinedCorrelationWarning,
    correlation,
    correlations,
    leaders,
    pair_permutation_test,
    permutation_test,
    soft_pairwise_accuracy,
    williams_test,
)
from metrologue.inference.draws import DRAWS
from metrologue.scorers import Bleu, Chrf, Rouge
from metrologue.segments import Segments

stats = imported_later("scipy.stats")

PEERS: dict[str, Callable[[Any, Any], Any]] = {
    "pearson": lambda x, y: stats.pearsonr(x, y),
    "spearman": lambda x, y: stats.spearmanr(x, y),
    "kendall-b": lambda x, y: stats.kendalltau(x, y),
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}


def columns(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two columns that go together somewhat: with ties, or without."""
    generator = np.random.default_rng(seed)
    n = int(generator.integers(3, 60))
    x = generator.integers(0, 9, n).astype(float) if seed % 3 else generator.random(n) * 10.0 ** (seed % 7 - 3)
    return x, x + generator.integers(0, 9, n) if seed % 2 else generator.random(n)


@pytest.mark.parametrize("method", PEERS)
def test_scipy(method: str) -> None:
    for seed in range(80):
        x, y = columns(seed)
        found, expected = correlation(x, y, method=method), PEERS[method](x, y)
        assert found.value == pytest.approx(expected.statistic, rel=1e-12, abs=1e-14)
        assert found.p_value == pytest.approx(expected.pvalue, rel=1e-11, abs=1e-300)


def test_no_correlation_is_above_one() -> None:
    """The quotient may be, by rounding."""
    for seed in range(40):
        x = np.random.default_rng(seed).random(5)
        assert 1 - 1e-12 < correlation(x, 3 * x).value <= 1
        assert -1 <= correlation(x, -3 * x).value < 1e-12 - 1


def test_worked_example() -> None:
    x, y = [1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 6]
    found = {method: round(correlation(x, y, method=method).value, 10) for method in PEERS}
    assert found == {
        "pearson": 0.8798335882, "spearman": 0.8696565535, "kendall-b": 0.6900655593, "kendall-c": 0.6944444444,
    }  # fmt: skip


def plain_wmt(x: Any, y: Any, tie: float | None, gap: float) -> float:
    """WMT's tau by its definition: what a tie of the metric counts, None for nothing."""
    total = pairs = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        apart = y[i] - y[j]
        if apart == 0 or abs(apart) < gap:
            continue
        sign = np.sign(x[i] - x[j]) * np.sign(apart)
        if sign == 0 and tie is None:
            continue
        total, pairs = total + (sign or tie or 0.0), pairs + 1
    return total / pairs if pairs else math.nan


@pytest.mark.parametrize(
    ("method", "tie", "gap"),
    [("kendall-wmt12", -1, 0), ("kendall-wmt13", None, 0), ("kendall-wmt14", 0, 0), ("kendall-wmt20", -1, 25)],
)
@pytest.mark.filterwarnings("ignore::metrologue.inference.correlation.UndefinedCorrelationWarning")
def test_what_a_tie_does_in_wmt(method: str, tie: float | None, gap: float) -> None:
    for seed in range(40):
        x, y = columns(seed)
        y = y * 10
        expected = plain_wmt(x, y, tie, gap)
        assert correlation(x, y, method=method).value == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("method", [*COEFFICIENTS])
@pytest.mark.parametrize("level", ["segment", "system"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_resample_is_the_coefficient_of_what_it_drew(method: str, level: str) -> None:
    """The kernels count a point as often as it was drawn; here it is written down as often."""
    generator = np.random.default_rng(4)
    x, y = generator.integers(0, 6, (7, 4)).astype(float), 30.0 * generator.integers(0, 6, (7, 4))
    found = correlation(x, y, method=method, level=level, confidence=0.9, resamples=100, seed=3)
    units = (x.reshape(-1), y.reshape(-1)) if level == "segment" else (x.mean(axis=1), y.mean(axis=1))
    assert found.resampled is not None
    assert found.interval is not None
    counts = np.concatenate([block.copy() for block in DRAWS["splitmix64"](3).counts(len(units[0]), 100)])
    for row, value in zip(counts, found.resampled, strict=True):
        drawn = [np.repeat(each, row) for each in units]
        assert value == pytest.approx(correlation(*drawn, method=method).value, nan_ok=True, abs=1e-12)
    assert found.interval.low <= found.interval.high
    assert found.units == len(units[0])


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall-b", "acc23", "kendall-wmt14"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_items_are_correlated_one_by_one(method: str) -> None:
    generator = np.random.default_rng(5)
    x, y = generator.integers(0, 5, (6, 20)).astype(float), generator.integers(0, 5, (6, 20)).astype(float)
    y[generator.random(y.shape) < 0.3] = math.nan
    found = correlation(x, y, method=method, level="item", confidence=0.95, resamples=200)
    if method == "kendall-wmt14":
        signs = [
            np.sign(a[i] - a[j]) * np.sign(b[i] - b[j])
            for a, b in zip(x.T, y.T, strict=True)
            for i, j in itertools.combinations(np.flatnonzero(~np.isnan(b)), 2)
            if b[i] != b[j]
        ]
        assert found.value == pytest.approx(np.mean(signs))
        return
    values = []
    for a, b in zip(x.T, y.T, strict=True):
        kept = ~np.isnan(b)
        if kept.sum() == 2 and method in ("pearson", "spearman"):
            a, b = a[kept], b[kept]
            values.append(math.nan if a[0] == a[1] or b[0] == b[1] else np.sign((a[0] - a[1]) * (b[0] - b[1])))
        elif kept.sum() >= 2:
            full = [np.tile(each[kept], 1 if kept.sum() > 2 else 2) for each in (a, b)]
            values.append(correlation(*full, method=method).value if kept.sum() > 2 else _of_two(*full, method))
    known = [value for value in values if not math.isnan(value)]
    assert found.value == pytest.approx(np.mean(known))
    assert (found.units, found.undefined) == (len(values), len(values) - len(known))


def _of_two(a: Any, b: Any, method: str) -> float:
    first, second = np.sign(a[0] - a[1]), np.sign(b[0] - b[1])
    if method == "acc23":
        return float(first == second)
    return math.nan if 0 in (first, second) else float(first * second)


def test_scores_of_systems_may_be_one_number_each() -> None:
    generator = np.random.default_rng(6)
    x, y = generator.random((2, 5, 9))
    y[1, 3] = math.nan
    kept = np.where(np.isnan(y), math.nan, x)
    expected = stats.pearsonr(np.nanmean(kept, axis=1), np.nanmean(y, axis=1)).statistic
    assert correlation(x, y, level="system").value == pytest.approx(expected)
    assert correlation(np.nanmean(kept, axis=1), y, level="system").value == pytest.approx(expected)


def test_metrics_of_one_call_share_their_draws() -> None:
    generator = np.random.default_rng(7)
    human = generator.random(40)
    scores = {"a": human + generator.normal(0, 0.2, 40), "b": generator.random(40)}
    scores["c"] = -scores["a"]
    found = {
        name: row["x"] for name, row in correlations(scores, {"x": human}, method="spearman", confidence=0.95).items()
    }
    alone = correlation(scores["b"], human, method="spearman", confidence=0.95)
    np.testing.assert_array_equal(found["b"].resampled, alone.resampled)
    assert leaders(found) == ["a", "c"]
    with pytest.raises(InputError, match="has no resamples; give `confidence`"):
        leaders({"a": correlation(scores["a"], human)})


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.9])
def test_a_leader_is_one_whose_difference_may_be_zero(confidence: float) -> None:
    """The interval of the differences begins at the quantile (1 - confidence) / 2."""
    differences = np.arange(-6.0, 34) / 100  # zero is their quantile 6 / 39
    found = {
        name: Correlation(value, None, "pearson", "segment", 40, resampled=resampled)
        for name, value, resampled in (("a", 0.9, 0.5 + differences), ("b", 0.8, np.full(40, 0.5)))
    }
    assert leaders(found, confidence=confidence) == (["a", "b"] if (1 - confidence) / 2 < 6 / 39 else ["a"])


def test_a_column_that_does_not_vary() -> None:
    for method in PEERS:
        with pytest.warns(UndefinedCorrelationWarning, match="`scores` and `human`: one of them does not vary"):
            found = correlation([1, 1, 1], [1, 2, 3], method=method, confidence=0.9, resamples=100)
        assert math.isnan(found.value)
        assert found.interval is None
    with pytest.warns(UndefinedCorrelationWarning, match="1 item left out"):
        found = correlation([[1, 1], [2, 1], [3, 1]], [[1, 2], [2, 4], [4, 6]], level="item")
    assert (found.undefined, round(found.value, 4)) == (1, 0.982)


def test_a_column_of_equal_numbers_does_not_vary_by_rounding() -> None:
    with pytest.warns(UndefinedCorrelationWarning):
        assert math.isnan(correlation([0.1] * 10, np.arange(10.0)).value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"scores": [1, 2], "human": [1, 2]}, "2 segments with scores of people; two points always lie on a line"),
        ({"scores": [1, 2, 3], "human": [1, None, 2]}, "2 segments"),
        ({"scores": [1, 2, 3], "human": [1, 2]}, r"`scores` has the shape \(3,\), but `human` \(2,\)"),
        ({"scores": [1, None, 3, 4], "human": [1, 2, 3, 4]}, r"`scores\[1\]` is missing, but people have scored it"),
        ({"scores": [1, math.inf, 3], "human": [1, 2, 3]}, r"`scores\[1\]` is inf; a finite number"),
        ({"scores": ["a", "b"], "human": [1, 2]}, "`scores` is .*; numbers are expected"),
        ({"scores": [1, 2, 3], "human": [1, 2, 3], "method": "kendal"}, "did you mean 'kendall-"),
        ({"scores": [1, 2, 3], "human": [1, 2, 3], "level": "items"}, "did you mean 'item'"),
        ({"scores": [1, 2, 3], "human": [1, 2, 3], "level": "item"}, "needs the shape"),
        ({"scores": [[1, 2, 3]], "human": [[1, 2, 3]], "level": "item"}, "no item has scores of two systems"),
        ({"scores": [[1, 2], [1, 3]], "human": [[1, 2], [2, 3]], "level": "system"}, "2 systems"),
        ({"scores": [1, 2, 3], "human": [1, 2, 3], "tie": 1}, "`tie` is 1"),
        (
            {"scores": [1, 2, 3], "human": [1, 2, 3], "method": "kendall-b", "tie": "calibrated"},
            "`tie` is 'calibrated'",
        ),
        ({"scores": [1, 2, 3], "human": [1, 2, 3], "confidence": 2}, "level of confidence is 2"),
    ],
)
def test_bad_input(call: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        correlation(**call)


def test_bad_input_of_the_tests() -> None:
    with pytest.raises(InputError, match="`r_first` is 2"):
        williams_test(2, 0, 0, 9)
    with pytest.raises(InputError, match="units"):
        williams_test(0.1, 0, 0, 3)
    with pytest.raises(InputError, match=r"`second` has the shape \(2,\)"):
        permutation_test([1, 2, 3], [1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="`tie` is -1"):
        pair_permutation_test([1, 2, 3], [1, 2, 3], [1, 2, 3], level="segment", tie=(-1, 0))
    with pytest.raises(InputError, match="of two systems or more"):
        soft_pairwise_accuracy([1, 2], [1, 2])
    with pytest.raises(InputError, match="share no segment"):
        soft_pairwise_accuracy([[1, 2], [1, 2]], [[1, None], [None, 2]])


def test_a_metric_is_not_better_than_itself() -> None:
    human, scores = np.random.default_rng(8).random((2, 30))
    assert permutation_test(scores, scores, human).p_value == 1
    assert pair_permutation_test(scores, scores, human, level="segment").p_value == 1
    assert williams_test(0.5, 0.5, 1.0, 30) == 1
    assert soft_pairwise_accuracy(human.reshape(3, 10), human.reshape(3, 10), single=False) == 1


def test_soft_pairwise_accuracy_counts_equal_sums_as_equal() -> None:
    """Three exchanges out of four leave a difference of two thirds as it is; in 32 bits that depends on rounding."""
    human = np.array([[1 / 3, 2 / 3, 1.0], [2 / 3, 1.0, 2 / 3]])
    signs = 2 * np.rint(np.random.default_rng(4).random((1000, 3), np.float32)) - 1
    thirds = np.array([-1, -1, 1])
    exact = (signs @ thirds >= thirds.sum()).mean()
    other = np.array([[0.0, 0, 0], [1, 1, 1]])
    p = (signs @ other[0] - signs @ other[1] >= -3).mean()
    assert soft_pairwise_accuracy(other, human, single=False) == pytest.approx(1 - abs(p - exact), abs=1e-12)


def test_summeval(shared_data: Path) -> None:
    """The published targets for relevance: accuracy with calibrated ties, and soft pairwise accuracy.

    The latter is added in 32 bits, so that which sums are equal depends on the processor, and on the order
    of the systems: both move its fourth digit. In 64 bits it is the same everywhere.
    """
    folder = shared_data / "summeval"
    texts = [json.loads(line) for line in (folder / "references.jsonl").read_text("utf-8").splitlines()]
    references = {each["doc"]: each["references"] for each in texts}
    rows = [json.loads(line) for line in (folder / "summeval.jsonl").read_text("utf-8").splitlines()]
    docs, systems = ([*dict.fromkeys(row[key] for row in rows)] for key in ("doc", "system"))
    docs, systems = sorted(docs), sorted(systems)
    at = {(row["system"], row["doc"]): row for row in rows}
    pairs = [*itertools.product(systems, docs)]
    segments = Segments([at[pair]["hypothesis"] for pair in pairs], [references[doc] for _, doc in pairs])
    human = np.array([at[pair]["human"]["relevance"] for pair in pairs]).reshape(len(systems), len(docs))
    rouge = Rouge.variant("rouge_score", stemmer="porter", types=("rouge1",))
    found = {}
    for name, scorer, key in (("rouge1", rouge, "rouge1_fmeasure"), ("chrf", Chrf(), "chrf"), ("bleu", Bleu(), "bleu")):
        scores = scorer.segment_scores(segments)[key].reshape(human.shape)
        accuracy = correlation(scores, human, method="acc23", level="item", tie="calibrated")
        soft = [soft_pairwise_accuracy(scores, human, single=single) for single in (True, False)]
        found[name] = [accuracy.value, *soft]
    expected = {
        "rouge1": (0.5228, 0.7960, 0.79638),
        "chrf": (0.5273, 0.8091, 0.80968),
        "bleu": (0.4876, 0.6324, 0.63149),
    }
    for name, (accuracy_23, single, double) in expected.items():
        assert found[name][0] == pytest.approx(accuracy_23, abs=0.5001e-4)
        assert found[name][1] == pytest.approx(single, abs=2e-4)
        assert found[name][2] == pytest.approx(double, abs=0.5001e-5)


@pytest.mark.slow
def test_a_thousand_resamples_cost_less_than_a_fifth_of_as_many_correlations() -> None:
    generator = np.random.default_rng(9)
    scores = {str(i): generator.random(5822) for i in range(10)}
    human = {str(i): generator.integers(3, 13, 5822) / 3 for i in range(4)}

    def run(confidence: float | None) -> Callable[[], object]:
        return lambda: correlations(scores, human, method="spearman", confidence=confidence)

    assert takes_less(run(0.95), run(None), 200)


def test_nothing_is_warned_of_where_all_is_well() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x, y = np.random.default_rng(10).random((2, 4, 30))
        for level in ("segment", "item"):
            for method in COEFFICIENTS:
                correlation(x, 100 * y, method=method, level=level)

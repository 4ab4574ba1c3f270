"""What the numbers promise, by simulation: how often intervals are right, and how often tests are wrong."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.inference import (
    CORRECTIONS,
    confidence_interval,
    confidence_intervals,
    corrected,
    paired_test,
    pairwise_tests,
)
from metrologue.inference.resampling import FEW
from metrologue.scorers import Bleu, DistinctN, LexicalDiversity, Scorer, SelfBleu, TokenF1, WordErrorRate
from metrologue.segments import Segments

SCORERS = {"token_f1": TokenF1(), "bleu": Bleu(tokenizer="whitespace", max_order=2), "wer": WordErrorRate()}
each_scorer = pytest.mark.parametrize("metric", SCORERS)
SYSTEMS = 8


@cache
def population(metric: str) -> np.ndarray:
    """The statistics of 1,500 segments for eight systems that are equally good, (systems, segments, k)."""
    generator = np.random.default_rng(1)
    words = [generator.zipf(1.5, length) % 300 for length in generator.integers(4, 25, 1500)]
    hardness = generator.beta(2, 5, 1500)  # of a segment; the same for all systems

    def said(text: np.ndarray, hard: float) -> str:
        return " ".join(map(str, np.where(generator.random(len(text)) < hard, generator.integers(300), text)))

    references = Segments([""] * 1500, [" ".join(map(str, text)) for text in words], shared=True)
    outputs = ([said(text, hard) for text, hard in zip(words, hardness, strict=True)] for _ in range(SYSTEMS))
    return np.stack([SCORERS[metric].statistics(references.with_predictions(own)) for own in outputs])


def score(metric: str, rows: np.ndarray) -> float:
    scorer = SCORERS[metric]
    return float(scorer.score(rows.sum(axis=0))[scorer.primary])


@each_scorer
@pytest.mark.parametrize("method", ["percentile", "bca", "order-statistics"])
def test_an_interval_of_95_per_cent_is_right_in_about_95_of_100_cases(metric: str, method: str) -> None:
    generator, rows, trials = np.random.default_rng(2), population(metric)[0], 300
    right = 0
    for trial in range(trials):
        drawn = rows[generator.integers(0, len(rows), 150)]
        found = confidence_interval(SCORERS[metric], drawn, resamples=300, seed=trial, method=method)
        right += found.low <= score(metric, rows) <= found.high
    assert 0.91 <= right / trials <= 0.985


def equal_systems(metric: str, systems: int, generator: np.random.Generator, count: int = 120) -> dict[str, np.ndarray]:
    """The statistics of systems on drawn segments. Each output is given to one of them at random."""
    rows = population(metric)
    drawn = generator.integers(0, rows.shape[1], count)
    whose = np.argsort(generator.random((len(drawn), SYSTEMS)), axis=1)
    return {str(i): rows[whose[:, i], drawn] for i in range(systems)}


@each_scorer
@pytest.mark.parametrize("method", ["bootstrap", "randomization"])
def test_equal_systems_differ_as_often_as_the_p_value_says(metric: str, method: str) -> None:
    generator = np.random.default_rng(3)
    p_values = []
    for trial in range(400):
        given = equal_systems(metric, 2, generator)
        (found,) = paired_test(SCORERS[metric], "0", given, method=method, resamples=300, seed=trial)
        p_values.append(found.p_value)
    for alpha in (0.05, 0.2, 0.5):  # three standard deviations of a share of 400 cases
        assert np.mean(np.array(p_values) < alpha) == pytest.approx(alpha, abs=3 * (alpha * (1 - alpha) / 400) ** 0.5)


@pytest.mark.slow
@each_scorer
def test_the_rates_of_errors_with_few_segments(metric: str) -> None:
    """The figures of docs/significance.md: below 30 segments the bootstrap errs more often than it says."""
    scorer, rows, trials = SCORERS[metric], population(metric)[0], 2000

    def wrong(count: int, method: str) -> float:
        generator, found = np.random.default_rng(3), 0
        for trial in range(trials):
            given = equal_systems(metric, 2, generator, count)
            (test,) = paired_test(scorer, "0", given, method=method, resamples=1000, seed=trial)
            found += test.p_value < 0.05
        return found / trials

    def right(count: int) -> float:
        generator, truth, found = np.random.default_rng(2), score(metric, rows), 0
        for trial in range(trials):
            drawn = rows[generator.integers(0, len(rows), count)]
            interval = confidence_interval(scorer, drawn, resamples=1000, seed=trial)
            found += interval.low <= truth <= interval.high
        return found / trials

    assert 0.085 < wrong(10, "bootstrap") < 0.12
    assert 0.02 < wrong(10, "randomization") < 0.06
    assert 0.055 < wrong(FEW, "bootstrap") < 0.085
    assert 0.87 < right(10) < 0.92
    assert 0.91 < right(20) < 0.945
    assert 0.92 < right(FEW) < 0.955


def test_the_best_of_equal_systems_seldom_beats_one() -> None:
    """The best system against all others is more tests than there are others: it is chosen by its score."""
    generator, metric = np.random.default_rng(4), "token_f1"
    wrong, wrong_alone = [], []
    for trial in range(200):
        given = equal_systems(metric, SYSTEMS, generator)
        found = pairwise_tests(SCORERS[metric], given, seed=trial)
        wrong.append(any(each.is_significant() for each in found))
        alone = paired_test(SCORERS[metric], found[0].baseline, given, seed=trial, correction="holm", resamples=1000)
        wrong_alone.append(any(each.is_significant() for each in alone))
    assert np.mean(wrong) < 0.08
    assert np.mean(wrong_alone) > 0.08


def test_randomization_has_the_p_value_of_all_exchanges() -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = population("token_f1")[:2, :10]
    scorer = SCORERS["token_f1"]
    values = [scorer.score(own)["token_f1"] for own in rows]
    exact = stats.permutation_test(
        values,
        lambda a, b: abs(a.mean() - b.mean()),
        permutation_type="samples",
        n_resamples=np.inf,
        alternative="greater",
    ).pvalue
    assert 0.05 < exact < 0.95
    (found,) = paired_test(scorer, "a", {"a": rows[0], "b": rows[1]}, method="randomization")
    assert found.p_value == pytest.approx(exact, abs=3 * (exact * (1 - exact) / 10_000) ** 0.5)


P_VALUES = st.lists(st.floats(0.0001, 1), min_size=1, max_size=12)


@given(p_values=P_VALUES, alpha=st.floats(0.001, 0.3))
def test_corrections_reject_as_their_papers_do(p_values: list[float], alpha: float) -> None:
    """Each is defined by the tests that it rejects; the p-values are sorted, least first."""
    ordered, m = sorted(p_values), len(p_values)
    rejected = {
        "bonferroni": sum(p < alpha / m for p in ordered),
        # Holm goes on as long as the next one is small enough.
        "holm": next((i for i, p in enumerate(ordered) if p >= alpha / (m - i)), m),
        # Benjamini and Hochberg take all up to the last one that is small enough.
        "benjamini-hochberg": max((i + 1 for i, p in enumerate(ordered) if p < alpha * (i + 1) / m), default=0),
    }
    for name in CORRECTIONS:
        found = corrected(p_values, name)
        if all(abs(p - alpha) > 1e-9 for p in found):  # rounding could put it on either side
            assert sum(p < alpha for p in found) == rejected[name]
        assert all(p <= corrected_p <= 1 for p, corrected_p in zip(p_values, found, strict=True))


DEPENDENT = {
    DistinctN(): ("distinct_1", "distinct_2"),
    LexicalDiversity(measures=("ttr", "mattr", "hdd", "mtld")): ("ttr", "mattr", "hdd", "mtld"),
    SelfBleu(max_order=2): ("self_bleu",),
}


@pytest.mark.slow
@pytest.mark.parametrize("count", [40, 150])
@pytest.mark.parametrize("scorer", DEPENDENT, ids=lambda scorer: scorer.name)
def test_pseudo_values_are_right_in_about_95_of_100_cases(scorer: Scorer, count: int) -> None:
    """These scores depend on the number of texts: the right number is the mean of many test sets of the same size."""
    generator = np.random.default_rng(5)
    sets = []
    for _ in range(100):
        lengths = generator.integers(5, 25, count)
        sets.append(Segments([" ".join(map(str, generator.zipf(1.3, n) % 5000)) for n in lengths]))
    scores = [scorer.corpus(own).scores for own in sets]
    found = [confidence_intervals(scorer, own, resamples=400, seed=seed) for seed, own in enumerate(sets)]
    for key in DEPENDENT[scorer]:
        truth = np.mean([own[key] for own in scores])
        right = np.mean([own[key].low <= truth <= own[key].high for own in found])
        assert 0.87 <= right <= 1, key

"""McNemar's and Wilcoxon's tests and the distributions below them, against scipy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from later import imported_later

from metrologue import InputError
from metrologue.inference.classical import mcnemar_test, wilcoxon_test
from metrologue.inference.distributions import chi_squared_tail, kendall_tail, normal_tail, student_tail

stats = imported_later("scipy.stats")
tables = imported_later("statsmodels.stats.contingency_tables")


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 10, 37, 38, 50, 99, 199, 200, 201, 1000, 5820])
def test_tails_of_students_distribution(freedom: int) -> None:
    for t in (-3.0, -0.1, 0.0, 0.01, 0.5, 1.0, 2.0, 5.0, 12.0, 35.0):
        assert student_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-11)
    assert (student_tail(np.inf, freedom), student_tail(-np.inf, freedom)) == (0, 1)


def test_other_tails() -> None:
    for value in (0.0, 0.3, 1.0, 4.0, 30.0):
        assert normal_tail(value) == pytest.approx(stats.norm.sf(value), rel=1e-12)
        assert chi_squared_tail(value) == pytest.approx(stats.chi2.sf(value, 1), rel=1e-12)
    for n in (2, 3, 5, 8, 20, 33):
        orders = [np.random.default_rng(seed).permutation(n) for seed in range(5)]
        for order in orders:
            discordant = sum(order[i] > order[j] for i in range(n) for j in range(i + 1, n))
            expected = stats.kendalltau(range(n), order, method="exact").pvalue
            assert kendall_tail(int(discordant), n) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_wilcoxon(seed: int) -> None:
    """Without and with ties, with zeros, and in every range of sizes."""
    generator = np.random.default_rng(seed)
    n = int(generator.choice([1, 4, 9, 13, 14, 30, 50, 51, 200]))
    differences = generator.normal(0.3, 1, n)
    if seed % 3:
        differences = np.round(differences * 2) / (2 if seed % 3 == 1 else 1)
    if not differences.any():
        differences[0] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = stats.wilcoxon(differences)
    found = wilcoxon_test(differences)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-10)


def test_mcnemar() -> None:
    for seed in range(20):
        first, second = np.random.default_rng(seed).integers(0, 2, (2, 40)).astype(bool)
        table = [[(first & second).sum(), (first & ~second).sum()], [(~first & second).sum(), (~first & ~second).sum()]]
        expected = tables.mcnemar(table, exact=False, correction=False)
        found = mcnemar_test(first, second)
        assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-12)


def test_systems_that_never_differ() -> None:
    assert wilcoxon_test([0, 0, 0]).p_value == 1
    assert mcnemar_test([True, False], [True, False]).p_value == 1


def test_bad_input() -> None:
    with pytest.raises(InputError, match="`differences` must be finite"):
        wilcoxon_test([1, np.nan])
    with pytest.raises(InputError, match=r"the shapes are \(2,\) and \(3,\)"):
        mcnemar_test([1, 0], [1, 0, 1])

"""Ratings and scores that are large, tiny or close together: statistics against exact fractions."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from metrologue.inference.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha
from metrologue.inference.correlation import correlation, correlations, permutation_test, soft_pairwise_accuracy
from metrologue.inference.correlation.metric_tests import williams_test
from metrologue.inference.distributions import student_tail
from metrologue.inference.intervals import METHODS

Rows = list[list[float]]
Change = Callable[[np.ndarray], np.ndarray]

# What is done to numbers from 0 to 1.
CHANGES: dict[str, Change] = {
    "as they are": lambda numbers: numbers,
    "shifted": lambda numbers: numbers + 1e9,
    "shifted down": lambda numbers: numbers - 1e9,
    "neighbours": lambda numbers: 1e9 + 2.0**-23 * np.rint(8 * numbers),
    "large": lambda numbers: numbers * 2.0**664,
    "largest": lambda numbers: numbers * 2.0**1023,
    "small": lambda numbers: numbers * 2.0**-664,
    "least": lambda numbers: numbers * 2.0**-1047,
}
APART: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "interval": lambda a, b: (a - b) ** 2,
    "ratio": lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else Fraction(0),
}


def exact_alpha(table: np.ndarray, level: str) -> float:
    units = [[Fraction(each) for each in unit] for unit in table.tolist()]
    values, apart = list(itertools.chain(*units)), APART[level]
    within = sum(2 * sum(apart(*pair) for pair in itertools.combinations(unit, 2)) / (len(unit) - 1) for unit in units)
    chance = Fraction(2 * sum(apart(*pair) for pair in itertools.combinations(values, 2)), len(values) - 1)
    return float(1 - within / chance)


def exact_pearson(x: np.ndarray, y: np.ndarray) -> float:
    columns = [[Fraction(each) for each in column.tolist()] for column in (x, y)]
    apart = [[each - sum(column) / len(column) for each in column] for column in columns]
    product = sum(a * b for a, b in zip(*apart, strict=True))
    square = product**2 / math.prod(sum(each**2 for each in column) for column in apart)
    return math.copysign(math.sqrt(square), 1 if product > 0 else -1)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("level", APART)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_alpha(level: str, change: str) -> None:
    if level == "ratio" and change == "shifted down":
        return
    table = np.random.default_rng(1).random((9, 3))
    table[:4, 1] = table[:4, 0]
    table = CHANGES[change](table)
    assert krippendorff_alpha(table, level).value == pytest.approx(exact_alpha(table, level), abs=1e-14)


@pytest.mark.parametrize(
    "table",
    [
        [[1000, 1000.01], [1000, 1000], [1000.01, 1000], [1000.01, 1000.01]],
        [[1.7e9, 1.7e9 + 60], [1.7e9 + 60, 1.7e9 + 60], [1.7e9, 1.7e9]],
        [[1, 1 + 2**-52], [1, 1], [1 + 2**-52, 1 + 2**-52]],
        [[1e-320, 2e-320], [1e-320, 1e-320], [2e-320, 2e-320]],
        [[1e300, 1e-320], [2e-320, 2e-320], [1e300, 1e300], [1e-320, 2e-320]],
        [[0, 0], [0, 5e-324], [1e308, 1.7e308], [0, 1.7e308]],
    ],
)
def test_the_ratio_alpha_of_few_ratings(table: Rows) -> None:
    assert krippendorff_alpha(table, "ratio").value == pytest.approx(exact_alpha(np.array(table), "ratio"), abs=1e-14)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("level", ["interval", "ratio"])
def test_a_resample_whose_ratings_are_equal_has_no_alpha(level: str) -> None:
    """Two of three units are equal, so that 1 of 27 resamples in each of two ways does not vary."""
    table = [[0.3, 0.3], [0.3, 0.3], [0.3, 0.7]]
    interval = krippendorff_alpha(table, level, confidence=0.95, resamples=200).interval
    assert interval is not None
    assert interval.high < 1


def test_the_disagreement_of_the_interval_alpha_has_the_scale_of_the_ratings() -> None:
    plain, small = (krippendorff_alpha(np.array([[1.0, 2], [3, 3]]) * by, "interval") for by in (1, 2.0**-40))
    assert (small.observed, small.expected) == (plain.observed * 2.0**-80, plain.expected * 2.0**-80)
    large = krippendorff_alpha([[1e200, 2e200], [3e200, 3e200]], "interval")
    assert math.isfinite(large.observed)  # of ratings that are scaled, because their squares are infinite
    assert large.scaled


def test_one_disagreement_among_many_ratings() -> None:
    """Both agreements are near 1, so that their difference would lose ten digits."""
    n = 50_000
    first, second = np.zeros(n), np.zeros(n)
    first[:3] = second[1:4] = 1
    shares = Fraction(3, n), Fraction(3, n)
    chance = shares[0] * (1 - shares[1]) + shares[1] * (1 - shares[0])
    expected = float(1 - Fraction(2, n) / chance)
    for weights in (None, "linear", "quadratic"):
        assert cohen_kappa(first, second, weights).value == pytest.approx(expected, rel=1e-15)
    of_all = Fraction(6, 2 * n)
    expected = float(1 - Fraction(2, n) / (2 * of_all * (1 - of_all)))
    assert fleiss_kappa(np.stack([first, second], axis=1)).value == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_of_unused_categories(weights: str | None) -> None:
    """The ratings lie at the end of a long scale."""
    generator = np.random.default_rng(3)
    a, b = generator.integers(99_990, 100_000, (2, 30))
    power = {None: 0, "linear": 1, "quadratic": 2}[weights]
    apart = [[abs(i - j) ** power if i != j else 0 for j in b.tolist()] for i in a.tolist()]
    expected = 1 - Fraction(sum(apart[i][i] for i in range(30)), 30) / Fraction(sum(map(sum, apart)), 900)
    found = cohen_kappa(a, b, weights, scale=range(100_000))
    assert found.value == pytest.approx(float(expected), abs=1e-14)


def test_kappa_of_many_categories_takes_little_memory() -> None:
    """A table of all pairs of categories would have 3 GB: it does not fit."""
    pytest.importorskip("resource")
    code = """
import resource
import numpy as np
from metrologue.inference.agreement import cohen_kappa
resource.setrlimit(resource.RLIMIT_AS, (3 << 30,) * 2)
for weights in (None, "linear", "quadratic"):
    print(cohen_kappa(*np.random.default_rng(1).random((2, 10_000)), weights).value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [abs(value) < 0.05 for value in map(float, done.stdout.split())] == [True] * 3


@pytest.mark.parametrize("change", CHANGES)
def test_pearson(change: str) -> None:
    generator = np.random.default_rng(2)
    x = generator.random(30)
    y = x + generator.random(30)
    x = CHANGES[change](x)
    found, back = correlation(x, y), correlation(y, x)
    assert found.value == pytest.approx(exact_pearson(x, y), abs=1e-15)
    assert found.value == pytest.approx(back.value, abs=1e-15)
    assert found.p_value is not None
    assert 0 < found.p_value < 1e-3


def test_many_neighbours() -> None:
    """The sum of the scores is 10^13, and its last digit is larger than the differences of the scores."""
    places = np.random.default_rng(4).integers(0, 9, 10_000)
    assert correlation(1e9 + 2.0**-23 * places, places).value == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("level", ["segment", "item", "system"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_resamples_do_not_depend_on_place_and_scale(level: str, change: str) -> None:
    """Numbers with few digits stay what they are when they are moved."""
    scores, human = np.rint(2**10 * np.random.default_rng(5).random((2, 6, 7))) / 2**10
    scores, human = scores * 0.5 + 0.25, human * 0.5
    if change == "neighbours":
        scores = np.rint(8 * scores) / 8
    metrics = {"plain": scores, "changed": CHANGES[change](scores)}
    found = correlations(metrics, {"all": human}, level=level, confidence=0.95, resamples=50)
    plain, changed = found["plain"]["all"], found["changed"]["all"]
    tolerance = 1e-5 if change == "least" else 1e-12  # which has few digits for a mean
    assert changed.value == pytest.approx(plain.value, abs=tolerance)
    assert changed.resampled is not None
    assert plain.resampled is not None
    np.testing.assert_allclose(changed.resampled, plain.resampled, atol=tolerance)


@pytest.mark.parametrize("change", CHANGES)
def test_exchanges_do_not_depend_on_place_and_scale(change: str) -> None:
    generator = np.random.default_rng(6)
    human = generator.random(30)
    first, second = (np.rint(2**10 * (human + generator.random(30))) / 2**11 for _ in range(2))
    if change == "neighbours":
        first = np.rint(8 * first) / 8
    plain = permutation_test(first, second, human, permutations=200)
    changed = permutation_test(CHANGES[change](first), second, human, permutations=200)
    assert changed.p_value == plain.p_value
    assert changed.difference == pytest.approx(plain.difference, abs=1e-7)


@pytest.mark.parametrize("change", ["large", "largest", "small", "least"])
@pytest.mark.parametrize("single", [True, False])
def test_soft_pairwise_accuracy_does_not_depend_on_scale(single: bool, change: str) -> None:
    scores, human = np.rint(2**10 * np.random.default_rng(7).random((2, 4, 12))) / 2**10
    plain = soft_pairwise_accuracy(scores, human, permutations=200, single=single)
    changed = soft_pairwise_accuracy(CHANGES[change](scores), human, permutations=200, single=single)
    assert changed == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize("change", CHANGES)
def test_the_tie_threshold_is_found_for_all_scores(change: str) -> None:
    noise, human = np.random.default_rng(8).random((2, 12))
    human = np.rint(2 * human) / 2
    scores = np.rint(8 * (0.75 * human + 0.25 * noise)) / 8
    plain = correlation(scores, human, method="acc23", tie="calibrated")
    changed = correlation(CHANGES[change](scores), CHANGES[change](human), method="acc23", tie="calibrated")
    assert plain.tie > 0
    assert changed.value == pytest.approx(plain.value, abs=1e-12)


def test_williams_of_correlations_near_one() -> None:
    """The determinant of these correlations is 2e-17: less than a sum of ones can tell."""
    a, b, c = 1 - 2**-30, 1 - 2**-31, 1 - 2**-32
    exact = [Fraction(each) for each in (a, b, c)]
    rest = 1 - sum(each**2 for each in exact) + 2 * math.prod(exact)
    below = 2 * Fraction(49, 47) * rest + ((exact[0] + exact[1]) / 2) ** 2 * (1 - exact[2]) ** 3
    t = float(exact[1] - exact[0]) * math.sqrt(49 * (1 + c) / below)
    assert williams_test(b, a, c, 50) == pytest.approx(student_tail(t, 47), rel=1e-10)


def test_the_tail_of_a_huge_t() -> None:
    for t in (1e140, 1e149, 1e151, 1e155):
        assert student_tail(t, 1) == pytest.approx(1 / (math.pi * t), rel=1e-12)
    assert student_tail(1e200, 3) == 0
    assert student_tail(-1e200, 3) == 1


@pytest.mark.parametrize("by", [2.0**-700, 2.0**700])
def test_bca_does_not_depend_on_scale(by: float) -> None:
    generator = np.random.default_rng(9)
    ordered, others = np.sort(generator.random(200)), generator.random(30) ** 2
    bounds: Any = METHODS["bca"].bounds
    plain, scaled = bounds(ordered, 0.9, 0.5, others), bounds(ordered * by, 0.9, 0.5 * by, others * by)
    assert scaled == pytest.approx([each * by for each in plain], rel=1e-12)

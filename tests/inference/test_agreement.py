"""Agreement of annotators: against the libraries, against the definitions, its bootstrap, and input that is refused."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from growth import takes_less
from later import imported_later

from metrologue import InputError
from metrologue.inference.agreement import (
    LEVELS_OF_MEASUREMENT,
    UndefinedAgreementWarning,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)
from metrologue.inference.draws import DRAWS

krippendorff, pandas, simpledorff = map(imported_later, ("krippendorff", "pandas", "simpledorff"))
sklearn, statsmodels = map(imported_later, ("sklearn.metrics", "statsmodels.stats.inter_rater"))

NAN = math.nan
# The two tables of Krippendorff 2011, as units by annotators.
A = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T
B = np.array(
    [
        [NAN, NAN, NAN, NAN, NAN, 3, 4, 1, 2, 1, 1, 3, 3, NAN, 3],
        [1, NAN, 2, 1, 3, 3, 4, 3, NAN, NAN, NAN, NAN, NAN, NAN, NAN],
        [NAN, NAN, 2, 1, 3, 4, 4, NAN, 2, 1, 1, 3, 3, NAN, 4],
    ]
).T
WORKED = {
    "nominal": (0.7434210526, 0.6913580247),
    "ordinal": (0.8153875038, 0.8067214199),
    "interval": (0.8491071429, 0.8108448929),
    "ratio": (0.7974027747, 0.8089436708),
}


def ratings(seed: int) -> np.ndarray:
    """Ratings on a short scale, or of any size, with missing ones."""
    generator = np.random.default_rng(seed)
    shape = int(generator.integers(4, 30)), int(generator.integers(2, 6))
    found = generator.integers(seed % 2, 6, shape).astype(float)
    if seed % 5 == 0:
        found = generator.random(shape) * 10.0 ** (seed % 7 - 3)
    found[generator.random(shape) < 0.3] = NAN
    found[0, :2] = found[1, :2] = 1.0, 2.0
    return found


@pytest.mark.parametrize("level", LEVELS_OF_MEASUREMENT)
def test_the_worked_tables(level: str) -> None:
    for table, expected in zip((A, B), WORKED[level], strict=True):
        assert krippendorff_alpha(table, level).value == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("level", LEVELS_OF_MEASUREMENT)
def test_krippendorff(level: str) -> None:
    for seed in range(60):
        table = ratings(seed)
        expected = krippendorff.alpha(reliability_data=table.T, level_of_measurement=level)
        assert krippendorff_alpha(table, level).value == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "interval"])
@pytest.mark.filterwarnings("ignore::Warning:simpledorff")
def test_simpledorff(level: str) -> None:
    distance = {"nominal": simpledorff.metrics.nominal_metric, "interval": simpledorff.metrics.interval_metric}[level]
    for seed in range(1, 10, 2):
        table = ratings(seed)
        rows = [(u, a, table[u, a]) for u, a in np.argwhere(~np.isnan(table))]
        frame = pandas.DataFrame(rows, columns=["unit", "annotator", "rating"])
        expected = simpledorff.calculate_krippendorffs_alpha_for_df(frame, "unit", "annotator", "rating", distance)
        assert krippendorff_alpha(table, level).value == pytest.approx(expected, rel=1e-9)


def test_properties_of_alpha() -> None:
    table = ratings(1)
    for level in LEVELS_OF_MEASUREMENT:
        value = krippendorff_alpha(table, level).value
        assert krippendorff_alpha(table[::-1, ::-1], level).value == pytest.approx(value)
        assert krippendorff_alpha([*table.tolist(), [3.0, None, *[None] * (table.shape[1] - 2)]], level).value == (
            pytest.approx(value)
        )
        assert krippendorff_alpha([[1, 1], [2, 2], [7, 7]], level).value == 1
    assert krippendorff_alpha(3 * table + 1e6, "interval").value == (
        pytest.approx(krippendorff_alpha(table, "interval").value)
    )
    assert krippendorff_alpha(3 * table, "ratio").value == pytest.approx(krippendorff_alpha(table, "ratio").value)
    assert krippendorff_alpha(table**3, "ordinal").value == pytest.approx(krippendorff_alpha(table, "ordinal").value)


def test_alpha_with_zeros_and_a_wide_range() -> None:
    table = np.array([[0, 0, 1e-6], [1e6, 0, 3], [2, 2, 2], [0, 1e-6, 5], [7, 8, 1e5]])
    values = table.reshape(-1)

    def apart(a: float, b: float) -> float:
        return float(((a - b) / (a + b)) ** 2) if a + b else 0.0

    within = sum(apart(*pair) for unit in table for pair in itertools.permutations(unit, 2)) / 2
    chance = sum(apart(*pair) for pair in itertools.permutations(values, 2)) / (len(values) - 1)
    assert krippendorff_alpha(table, "ratio").value == pytest.approx(1 - within / chance, rel=1e-12)


def test_kappas_of_the_libraries() -> None:
    for seed in range(30):
        generator = np.random.default_rng(seed)
        a, b = generator.integers(0, 5, (2, 25))
        for weights in (None, "linear", "quadratic"):
            assert cohen_kappa(a, b, weights).value == (
                pytest.approx(sklearn.cohen_kappa_score(a, b, weights=weights), rel=1e-12, abs=1e-14)
            )
        table = np.zeros((5, 5))
        np.add.at(table, (a, b), 1)
        assert cohen_kappa(a, b, scale=range(5)).value == pytest.approx(
            statsmodels.cohens_kappa(table).kappa, rel=1e-12
        )
        several = generator.integers(0, 4, (15, 6))
        expected = statsmodels.fleiss_kappa(statsmodels.aggregate_raters(several)[0])
        assert fleiss_kappa(several).value == pytest.approx(expected, rel=1e-12)


def test_worked_kappas() -> None:
    counts = "0 0 0 0 14/0 2 6 4 2/0 0 3 5 6/0 3 9 2 0/2 2 8 1 1/7 7 0 0 0/3 2 6 3 0/2 5 3 2 2/6 5 2 1 0/0 2 2 3 7"
    table = [[int(each) for each in row.split()] for row in counts.split("/")]
    found = fleiss_kappa([np.repeat(range(5), row) for row in table])
    assert round(found.value, 9) == 0.209930704
    assert (round(found.observed, 6), round(found.expected, 6)) == (0.378022, 0.212755)
    table_of_two = [1] * 25 + [0] * 25, [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert cohen_kappa(*table_of_two).value == pytest.approx(0.4)


def test_categories_that_nobody_used_count_in_weights() -> None:
    a, b = [1, 1, 5, 5, 1], [1, 5, 5, 5, 1]
    assert cohen_kappa(a, b, "linear").value == cohen_kappa(a, b).value
    expected = sklearn.cohen_kappa_score([*a, 3], [*b, 1], weights="linear", labels=[1, 2, 3, 4, 5])
    assert cohen_kappa([*a, 3], [*b, 1], "linear", scale=[1, 2, 3, 4, 5]).value == pytest.approx(expected)


STATISTICS: dict[str, Callable[..., Any]] = {
    **{level: lambda table, level=level, **options: krippendorff_alpha(table, level, **options) for level in WORKED},
    "fleiss": fleiss_kappa,
    "cohen": lambda table, **options: cohen_kappa(table[:, 0], table[:, 1], "quadratic", **options),
}


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_resample_is_the_statistic_of_what_it_drew(name: str) -> None:
    table = np.random.default_rng(2).integers(1, 6, (12, 3)).astype(float)
    found = STATISTICS[name](table, confidence=0.9, resamples=50, seed=4).interval
    counts = np.concatenate([block.copy() for block in DRAWS["splitmix64"](4).counts(12, 50)])
    drawn = [STATISTICS[name](np.repeat(table, row, axis=0)).value for row in counts]
    if name == "ordinal":  # its ranks stay those of all ratings
        assert found.median == pytest.approx(np.median(drawn), abs=0.05)
        return
    assert (found.mean, found.median) == pytest.approx((np.mean(drawn), np.median(drawn)))
    low, high = np.quantile(drawn, [0.05, 0.95])
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.segments == 12


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_many_categories_are_not_a_table() -> None:
    table = np.random.default_rng(3).random((3000, 4)).round(3)
    table[:1500, 1] = table[:1500, 0]
    whole = krippendorff_alpha(table, confidence=0.9, resamples=20)
    large = krippendorff_alpha(np.concatenate([table, np.arange(40_000.0).reshape(-1, 4) + 2]))
    assert whole.interval is not None
    assert whole.interval.low < whole.value < whole.interval.high
    assert 0 < large.value < 1


def test_equal_ratings_have_no_agreement_to_speak_of() -> None:
    for name, statistic in STATISTICS.items():
        with pytest.warns(UndefinedAgreementWarning, match="all ratings are equal"):
            assert math.isnan(statistic(np.full((4, 3), 0.3)).value), name


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: krippendorff_alpha([[1, None], [None, 2]]), "none of 2 units has two ratings"),
        (lambda: krippendorff_alpha([1, 2, 3]), r"`ratings` has the shape \(3,\)"),
        (lambda: krippendorff_alpha([["a", 1]]), "has 1 among texts"),
        (
            lambda: krippendorff_alpha([[1, 2], [1, 7]], scale=(1, 5)),
            r"is 7; the scale goes from 1 to 5",
        ),
        (lambda: krippendorff_alpha([[1, 2], [1, 2.5]], scale=[1, 2, 3]), r"is 2.5; the scale has 1, 2, 3"),
        (lambda: krippendorff_alpha([[1, math.inf]]), r"`ratings\[0, 1\]` is inf"),
        (lambda: krippendorff_alpha([[1, -2], [1, 1]], "ratio"), "-2 is below 0"),
        (lambda: krippendorff_alpha([[1, 2]], "ordnal"), "did you mean 'ordinal'"),
        (lambda: krippendorff_alpha([[1, 2], [1, 1]], confidence=0.95), "2 units with two ratings; an interval needs"),
        (lambda: fleiss_kappa([[1, 2, 1], [1, None, 2]]), r"`ratings\[1\]` has 2 ratings, but `ratings\[0\]` 3"),
        (lambda: cohen_kappa([1, 2], [1, 2, 3]), r"`a` has the shape \(2,\), and `b` \(3,\)"),
        (lambda: cohen_kappa([1, None], [None, 2]), "no unit has a rating of both"),
        (lambda: cohen_kappa([1, 2], [1, 2], "cubic"), "`weights` is 'cubic'"),
    ],
)
def test_bad_input(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_fewer_than_three_units_have_a_value() -> None:
    assert krippendorff_alpha([[1, 1], [2, 2]]).value == 1
    assert krippendorff_alpha([[1, 2]]).value == 0


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS_OF_MEASUREMENT)
def test_time_of_ten_thousand_units_of_twenty_annotators(level: str) -> None:
    """It grows with the units, and a thousand resamples cost less than two hundred coefficients."""
    table = np.random.default_rng(1).random((10_000, 20))
    assert takes_less(lambda: krippendorff_alpha(table, level), lambda: krippendorff_alpha(table[:1000], level), 25)
    assert takes_less(
        lambda: krippendorff_alpha(table, level, confidence=0.95), lambda: krippendorff_alpha(table, level), 200
    )


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS_OF_MEASUREMENT)
def test_memory_of_ten_thousand_units_of_twenty_annotators(level: str, root: Path) -> None:
    """Half a gigabyte at most, in a process of its own."""
    if not Path("/proc/self/status").exists():
        pytest.skip("this system has no /proc")
    code = f"""
import re, numpy as np
from metrologue.inference.agreement import krippendorff_alpha
krippendorff_alpha(np.random.default_rng(1).random((10_000, 20)), {level!r})
print(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
"""
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert int(done.stdout) < 500 * 1024


@pytest.mark.parametrize("factor", [2.0**-1070, 2.0**-530, 2.0**-300, 2.0**300, 2.0**530, 2.0**1020])
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_ratings_of_any_size(factor: float, level: str) -> None:
    """Squares of interval ratings may be no floats: both disagreements are then those of scaled ratings."""
    table = np.array([[1, 2, 1], [3, 3, 4], [5, 5, 4], [2, 1, 1]], float)
    whole, scaled = krippendorff_alpha(table, level), krippendorff_alpha(factor * table, level)
    assert scaled.value == pytest.approx(whole.value, rel=1e-12)
    assert 0 < scaled.observed < np.inf
    assert 1 - scaled.observed / scaled.expected == pytest.approx(whole.value, rel=1e-12)
    if level == "interval" and abs(np.log2(factor)) < 400:
        assert scaled.scaled == 0
        assert scaled.observed == pytest.approx(whole.observed * factor**2, rel=1e-12)

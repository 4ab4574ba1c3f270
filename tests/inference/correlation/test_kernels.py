"""The kernels against a few lines of plain Python: points are written down as often as they are counted."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from later import imported_later

from metrologue.inference.correlation.coefficients import COEFFICIENTS, Points

stats = imported_later("scipy.stats")

GROUPS = st.lists(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 3)), max_size=9), min_size=1, max_size=4
)


def plain_pairs(points: list[tuple[int, int]], tie: float, gap: float) -> list[int]:
    """Concordant, discordant, ties of x, of y, of both; and the number of points."""
    counts = [0] * 5
    for (x, y), (other_x, other_y) in itertools.combinations(points, 2):
        tied_x, tied_y = abs(x - other_x) <= tie, y == other_y or abs(y - other_y) < gap
        same = (x > other_x) == (y > other_y)
        counts[(4 if tied_y else 2) if tied_x else 3 if tied_y else 0 if same else 1] += 1
    return [*counts, len(points)]


def plain_moments(points: list[tuple[int, int]], ranked: bool) -> list[float]:
    """The sum of products, and of both squares, of what is left of the mean."""
    columns = [np.array(each, float) for each in zip(*points, strict=True)] or [np.zeros(0)] * 2
    if ranked:
        columns = [stats.rankdata(each) for each in columns]
    x, y = (each - each.mean() if len(each) else each for each in columns)
    return [float(x @ y), float(x @ x), float(y @ y)]


@given(groups=GROUPS, apart=st.sampled_from([(0, 0), (1, 0), (0, 2), (2, 3)]))
def test_groups_of_points(groups: list[list[tuple[int, int, int]]], apart: tuple[float, float]) -> None:
    """Groups may be empty, and points may be left out."""
    points = [point for group in groups for point in group]
    x, y, counts = np.array(points, float).reshape(-1, 3).T
    offsets = np.cumsum([0, *map(len, groups)])
    given_points = Points(x.copy(), y.copy(), offsets)
    written = [[(a, b) for a, b, count in group for _ in range(count)] for group in groups]

    def rows(method: str) -> Any:
        counted = counts.astype(np.uint8)[None]
        tie, gap = apart if method == "acc23" else (0, 0)
        return COEFFICIENTS[method].rows(given_points, counted, float(tie), float(gap))[0]

    for method, ranked in (("pearson", False), ("spearman", True)):
        for row, group in zip(rows(method), written, strict=True):
            product, square_x, square_y = plain_moments(group, ranked)
            found = float(COEFFICIENTS[method].formula(row))
            if square_x > 1e-9 and square_y > 1e-9:
                np.testing.assert_allclose(found, product / np.sqrt(square_x * square_y), atol=1e-12)
            else:
                assert np.isnan(found)
    for row, group in zip(rows("acc23"), written, strict=True):
        assert row[:6].tolist() == plain_pairs(group, *apart)
    for row, group in zip(rows("kendall-b"), written, strict=True):
        assert row[:6].tolist() == plain_pairs(group, 0, 0)
        assert row[6] == min(len({point[i] for point in group}) for i in (0, 1))

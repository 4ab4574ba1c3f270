"""HUSE (Hashimoto et al. 2019). A text has two features; a flag says if the model wrote it."""

from collections.abc import Sequence
from statistics import fmean, pstdev

Point = tuple[float, ...]


def scaled(points: Sequence[Point]) -> list[Point]:
    """Each feature, divided by its standard deviation; one that never differs is left as it is."""
    spreads = [pstdev(values) if len({*values}) > 1 else 1.0 for values in zip(*points, strict=True)]
    return [tuple(value / spread for value, spread in zip(point, spreads, strict=True)) for point in points]


def error(points: Sequence[Point], by_model: Sequence[bool], neighbors: int, radius: str) -> float:
    """The share of texts that are given to the wrong author, each by the votes of its neighbours among the others."""
    wrong = []
    for i, own in enumerate(points):
        others = [j for j in range(len(points)) if j != i]
        distance = {j: sum((a - b) ** 2 for a, b in zip(own, points[j], strict=True)) for j in others}
        limit = sorted(distance.values())[neighbors if radius == "next" else neighbors - 1]
        votes = [by_model[j] for j in others if distance[j] <= limit]
        wrong.append((2 * sum(votes) > len(votes)) != by_model[i])
    return fmean(wrong)


def huse(
    points: Sequence[Point], by_model: Sequence[bool], neighbors: int = 15, radius: str = "next"
) -> dict[str, float]:
    """HUSE, HUSE-Q and HUSE-D.

    >>> huse([(1, 0), (2, 0), (5, 0), (6, 0), (2, 9), (1, 9), (6, 9), (5, 9)], [False] * 4 + [True] * 4, neighbors=1)
    {'huse': 0.0, 'huse_q': 2.0, 'huse_d': -1.0}
    """
    features = scaled(points)
    both = 2 * error(features, by_model, neighbors, radius)
    quality = 2 * error([point[:1] for point in features], by_model, neighbors, radius)
    return {"huse": both, "huse_q": quality, "huse_d": 1 + both - quality}

"""Composite metrics by their definition (Sharif et al. 2018, https://aclanthology.org/P18-3003)."""

from statistics import fmean, pstdev

Row = list[float]


def z_scores(rows: list[Row], means: Row, deviations: Row) -> list[Row]:
    """Each value less the mean of its column, divided by the column's standard deviation."""
    return [
        [(value - mean) / deviation for value, mean, deviation in zip(row, means, deviations, strict=True)]
        for row in rows
    ]


def mean_of_z_scores(rows: list[Row], training: list[Row], signs: list[int]) -> list[float]:
    """The mean of the z-scores of each row, -1 for a metric of which lower is better."""
    columns = [*zip(*training, strict=True)]
    scaled = z_scores(rows, [*map(fmean, columns)], [*map(pstdev, columns)])
    return [fmean(sign * value for sign, value in zip(signs, row, strict=True)) for row in scaled]


def composite(row: Row, weights: Row, bias: float) -> float:
    """A weighted sum of the scores."""
    return sum(weight * value for weight, value in zip(weights, row, strict=True)) + bias

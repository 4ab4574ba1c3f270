"""RUBER (Tao et al. 2018). A text is a list of its tokens' vectors; a classifier gives a probability."""

from math import sqrt

Vectors = list[list[float]]


def pooled(vectors: Vectors) -> list[float]:
    """The greatest and the least value of each dimension.

    >>> pooled([[1, -2], [0, 3]])
    [1, 3, 0, -2]
    """
    columns = [*zip(*vectors, strict=True)]
    return [*map(max, columns), *map(min, columns)]


def referenced(response: Vectors, reference: Vectors) -> float:
    """The cosine of the pooled vectors, moved to 0-1; 0 if it is not defined.

    >>> referenced([[1, 0]], [[0, 1]]), round(referenced([[1, 0]], [[-1, 0]]), 9)
    (0.5, 0.0)
    """
    u, v = pooled(response), pooled(reference)
    lengths = sqrt(sum(x * x for x in u)) * sqrt(sum(x * x for x in v))
    cosine = sum(x * y for x, y in zip(u, v, strict=False)) / lengths if lengths else -1.0
    return (1 + max(cosine, -1.0)) / 2  # a cosine may be rounded to a little below -1


def ruber(one: float, other: float, blend: str) -> float:
    """Both numbers joined.

    >>> [ruber(0.25, 1.0, blend) for blend in ("arithmetic", "geometric", "min", "max")]
    [0.625, 0.5, 0.25, 1.0]
    """
    return {
        "arithmetic": (one + other) / 2,
        "geometric": sqrt(one * other),
        "min": min(one, other),
        "max": max(one, other),
    }[blend]

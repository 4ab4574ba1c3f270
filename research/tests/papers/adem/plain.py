"""ADEM by its definition (Lowe et al. 2017, https://aclanthology.org/P17-1103), over lists of numbers."""

Vector = list[float]
Matrix = list[Vector]


def dot(one: Vector, other: Vector) -> float:
    """The sum of the products."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def components(vector: Vector, mean: Vector, axes: Matrix) -> Vector:
    """What a vector is along each axis, from the mean on."""
    return [dot(axis, [a - b for a, b in zip(vector, mean, strict=True)]) for axis in axes]


def product(other: Vector, response: Vector, matrix: Matrix) -> float:
    """The sum of other * (response times matrix), as the authors' program has it."""
    return dot(other, [dot(response, list(column)) for column in zip(*matrix, strict=True)])


def adem(products: list[float], start: float, spread: float) -> float:
    """The rating, from the products of each term, and the mean and the range of their sums before the training."""
    return 3 + 4 * (sum(products) - start) / spread


def loss(
    matrices: dict[str, Matrix], others: dict[str, list[Vector]], responses: list[Vector], ratings: list[float],
    weights: list[float], start: float, spread: float, penalty: float,
) -> float:  # fmt: skip
    """The mean squared error, each row with its weight, and the penalty on the norms of the matrices."""
    errors = []
    for row, (response, rating) in enumerate(zip(responses, ratings, strict=True)):
        products = [product(others[term][row], response, matrix) for term, matrix in matrices.items()]
        errors.append((adem(products, start, spread) - rating) ** 2)
    norms = [sum(value**2 for row in matrix for value in row) ** 0.5 for matrix in matrices.values()]
    return dot(weights, errors) / sum(weights) + penalty * sum(norms)

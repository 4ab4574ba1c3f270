"""FactCC on the vectors of tokens (after Kryscinski et al. 2020): each token looks for its like in the source."""

from math import exp, sqrt, tanh

Vector = list[float]
Layer = tuple[list[Vector], Vector]


def linear(layer: Layer, values: Vector) -> Vector:
    """Weights times values, and biases."""
    return [sum(w * v for w, v in zip(row, values, strict=True)) + b for row, b in zip(*layer, strict=True)]


def unit(values: Vector) -> Vector:
    """The vector of length 1; zeros stay."""
    length = sqrt(sum(v * v for v in values))
    return [v / length for v in values] if length else values


def softmax(values: Vector) -> Vector:
    """Shares in proportion to the exponentials."""
    powers = [exp(v - max(values)) for v in values]
    return [p / sum(powers) for p in powers]


def read(
    layers: dict[str, Layer], sharpness: float, own: list[Vector], its: list[Vector]
) -> tuple[list[Vector], Vector]:
    """What becomes of each token of one side, and the greatest cosine of each."""
    ours, theirs = ([linear(layers["project"], row) for row in side] for side in (own, its))
    compared, cosines, before = [], [], None
    for row, projected in zip(own, ours, strict=True):
        likes = [sum(a * b for a, b in zip(row, other, strict=True)) for other in its]
        shares = softmax([sharpness * like for like in likes])
        found = [sum(s * each[k] for s, each in zip(shares, theirs, strict=True)) for k in range(len(projected))]
        place = sum(s * i for i, s in enumerate(shares))
        jump = tanh((place - (place - 1 if before is None else before)) / 4 - 0.25)
        before = place
        pairs = [*zip(projected, found, strict=True)]
        values = [*projected, *found, *(abs(a - b) for a, b in pairs), *(a * b for a, b in pairs), max(likes), jump]
        compared.append([max(0.0, v) for v in linear(layers["compare"], values)])
        cosines.append(max(likes))
    none = [0.0] * len(compared[0])
    around = zip([none, *compared[:-1]], compared, [*compared[1:], none], strict=True)
    return [[max(0.0, v) for v in linear(layers["around"], [*a, *b, *c])] for a, b, c in around], cosines


def factcc(layers: dict[str, Layer], sharpness: float, claim: list[Vector], source: list[Vector]) -> float:
    """The probability that a claim says what its source says; 0 without tokens on either side."""
    if not claim or not source:
        return 0.0
    rows, cosines = read(layers, sharpness, [*map(unit, claim)], [*map(unit, source)])
    columns = [*zip(*rows, strict=True)]
    pooled = [*map(max, columns), *(sum(c) / len(c) for c in columns), min(cosines), sum(cosines) / len(cosines)]
    return 1 / (1 + exp(-linear(layers["label"], pooled)[0]))

"""Networks of layers, from a line to the 72-72 net of NNEval, as arrays: a score needs numpy alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.files.forms import one_of, record
from metrologue.learned.architectures import Architecture
from metrologue.learned.arrays import check_arrays, check_width, shape_of, softmax

HEADS: Mapping[str, str] = {
    "value": "the number that the last layer gives",
    "classes": "the probabilities of the classes, whose logarithms the last layer gives but for a constant",
}


@dataclass(frozen=True, eq=False)
class Network(Architecture):
    """Standardized features go through layers, with max(0, x) between them. A single layer is linear regression.

    Attributes
    ----------
    mean, spread : float64 (k,)
        Features are taken less `mean`, divided by `spread`.
    layers : sequence of (float64 (out, in), float64 (out,))
        Weights and biases.
    head : str
        One of ``HEADS``.

    Raises
    ------
    InputError
        If shapes do not fit together, or a number is not finite.

    Examples
    --------
    >>> line = Network(np.zeros(2), np.ones(2), [(np.array([[0.5, 1.0]]), np.array([0.25]))])
    >>> line(np.array([[1.0, 2.0], [0.0, 0.0]]))
    array([[2.75],
           [0.25]])
    """

    architecture: ClassVar[str] = "layers"
    settings_form: ClassVar = record({"head": one_of(HEADS)})

    mean: Floats
    spread: Floats
    layers: Sequence[tuple[Floats, Floats]]
    head: str = "value"

    def __post_init__(self) -> None:
        if self.head not in HEADS or not self.layers:
            raise InputError(f"Network: there are {len(self.layers)} layers, and the head {shown(self.head)}.")
        arrays = self.tensors()
        [width] = shape_of("Network", arrays, "mean", 1)
        shapes: dict[str, tuple[int, ...]] = {"mean": (width,), "spread": (width,)}
        for depth in range(len(self.layers)):
            size, _ = shape_of("Network", arrays, f"layers.{depth}.weights", 2)
            shapes |= {f"layers.{depth}.weights": (size, width), f"layers.{depth}.biases": (size,)}
            width = size
        check_arrays("Network", arrays, shapes)

    def __call__(self, features: Floats) -> Floats:
        """What the network gives for rows of features (n, k): float64 (n, outputs).

        The mean of a feature stands for one that is missing (NaN). A row has the same numbers, to the last bit,
        whatever rows are beside it.
        """
        check_width("Network", features, self.width)
        rows: Floats = (features - self.mean) / self.spread
        rows = np.where(np.isnan(rows), 0.0, rows)
        for depth, (weights, biases) in enumerate(self.layers):
            rows = np.maximum(rows, 0.0) if depth else rows
            # One row at a time: products of matrices round a row in ways that depend on its place.
            found = [weights @ row for row in np.ascontiguousarray(rows)]
            rows = np.array(found).reshape(len(rows), len(biases)) + biases
        return softmax(rows) if self.head == "classes" else rows

    @property
    def width(self) -> int:
        """The number of features."""
        return len(self.mean)

    @property
    def outputs(self) -> int:
        """How many numbers it gives for a row."""
        return len(self.layers[-1][1])

    @property
    def shape(self) -> str:
        """The widths of its layers, such as "8-72-72-2"."""
        return "-".join(map(str, [self.width, *(len(biases) for _, biases in self.layers)]))

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"head": self.head}

    def tensors(self) -> dict[str, np.ndarray]:
        arrays = {"mean": self.mean, "spread": self.spread}
        for depth, (weights, biases) in enumerate(self.layers):
            arrays |= {f"layers.{depth}.weights": weights, f"layers.{depth}.biases": biases}
        return arrays

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes] | None = None
    ) -> Self:
        arrays = {name: np.asarray(each, np.float64) for name, each in tensors.items()}
        depth = sum(name.endswith(".weights") for name in arrays)
        names = ("mean", "spread", *(f"layers.{i}.{part}" for i in range(depth) for part in ("weights", "biases")))
        check_arrays("Network", arrays, {name: shape_of("Network", arrays, name) for name in names})
        layers = [(arrays[f"layers.{i}.weights"], arrays[f"layers.{i}.biases"]) for i in range(depth)]
        return cls(arrays["mean"], arrays["spread"], layers, settings["head"])

"""ADEM: products of the vectors of a response with those of its context and its reference (Lowe et al. 2017)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.architectures import Architecture
from metrologue.learned.arrays import check_arrays, check_width, shape_of

# What a response is multiplied with, in the order of the formula; their matrices are M and N in the paper.
TERMS = ("context", "reference")


@dataclass(frozen=True, eq=False)
class BilinearNetwork(Architecture):
    """The vectors' principal components, and a matrix for each term.

    Attributes
    ----------
    mean : float64 (width,)
    axes : float64 (components, width)
        The components of a vector v are ``axes @ (v - mean)``.
    matrices : mapping of str to float64 (components, components)
        Of the terms that it has, "context" and "reference".
    start, spread : float
        The mean of the products before the training, where all matrices are the identity, and their range.

    Examples
    --------
    >>> eye = np.eye(2)
    >>> network = BilinearNetwork(np.zeros(2), eye, {"context": eye, "reference": eye}, 0.0, 4.0)
    >>> response, others = np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])
    >>> network.parts(response, {"context": others, "reference": others})
    array([[0.5, 0.5]])
    >>> network.ratios(network.parts(response, {"context": others, "reference": others}))
    array([0.25])
    """

    architecture: ClassVar[str] = "adem"

    mean: Floats
    axes: Floats
    matrices: Mapping[str, Floats]
    start: float
    spread: float

    def __post_init__(self) -> None:
        arrays = self.tensors()
        size, width = shape_of("BilinearNetwork", arrays, "axes", 2)
        if not self.terms or self.spread <= 0:
            raise InputError("BilinearNetwork: it has no term, or the range of the products is not above 0.")
        shapes = {"mean": (width,), "axes": (size, width), "limits": (2,), **dict.fromkeys(self.terms, (size, size))}
        check_arrays("BilinearNetwork", arrays, shapes)

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms that it has."""
        return tuple(term for term in TERMS if term in self.matrices)

    @property
    def shape(self) -> str:
        """The widths of vectors and components, such as "384-50"."""
        return f"{len(self.mean)}-{len(self.axes)}"

    def tensors(self) -> dict[str, np.ndarray]:
        limits = np.array([self.start, self.spread])
        return {"mean": self.mean, "axes": self.axes, "limits": limits, **self.matrices}

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Self:
        arrays = {name: np.asarray(each, np.float64) for name, each in tensors.items()}
        matrices = {name: each for name, each in arrays.items() if name in TERMS}
        shapes = {name: shape_of("BilinearNetwork", arrays, name) for name in ("mean", "axes", *matrices)}
        check_arrays("BilinearNetwork", arrays, {**shapes, "limits": (2,)})
        start, spread = arrays["limits"].tolist()
        return cls(arrays["mean"], arrays["axes"], matrices, start, spread)

    def components(self, vectors: Floats) -> Floats:
        """The components of vectors (n, width), one at a time, so that each has the same bits in any company."""
        check_width("BilinearNetwork", vectors, len(self.mean))
        found = [self.axes @ row for row in vectors - self.mean]
        return np.array(found).reshape(len(vectors), len(self.axes))

    def parts(self, responses: Floats, others: Mapping[str, Floats]) -> Floats:
        """The products of each term, (n, terms), from components (n, components)."""
        columns = [
            [
                float(other @ (response @ self.matrices[term]))
                for response, other in zip(responses, others[term], strict=True)
            ]
            for term in self.terms
        ]
        return np.array(columns).reshape(len(self.terms), len(responses)).T

    def ratios(self, parts: Floats) -> Floats:
        """How far the sum of the products is above the mean before the training, divided by their range then, (n,)."""
        ratios: Floats = (parts.sum(axis=1) - self.start) / self.spread
        return ratios

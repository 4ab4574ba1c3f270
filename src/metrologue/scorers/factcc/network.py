"""A network that checks a claim against its source: each token of the one looks for its like in the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.files.forms import record, whole
from metrologue.learned.arrays import check_arrays, check_width, shape_of

__all__ = ["Checked", "ClaimNetwork", "unit"]

# The arrays: of a layer, its weights (out, in) and its biases.
LAYERS = ("project", "compare", "around", "label", "claim_span", "source_span")
_EXTRA = 2  # features of a token beside vectors: its greatest cosine, and how far its place jumps


class Checked(NamedTuple):
    """What the network says of one claim.

    Attributes
    ----------
    right : float
        The probability that the claim says what the source says.
    claim : float64 (n, 2)
        How probably the error begins and ends at each token of the claim.
    source : float64 (m, 2)
        How probably the support begins and ends at each token of the source.
    """

    right: float
    claim: Floats
    source: Floats


def unit(vectors: Any) -> Floats:
    """Rows of length 1, in float64; zeros stay zeros."""
    rows = np.asarray(vectors, np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    found: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return found


@dataclass(frozen=True, eq=False)
class ClaimNetwork:
    """Tokens look for their like by cosines; what they find is compared, and the neighbours are read with it.

    Attributes
    ----------
    arrays : mapping of str to float64
        The weights and biases of ``LAYERS``, such as "compare.weight", and "sharpness", a number.
    layer : int
        The layer of the encoder whose vectors it reads.

    Raises
    ------
    InputError
        If an array is missing, shapes do not fit together, or a number is not finite.
    """

    architecture: ClassVar[str] = "claims"
    reads_texts: ClassVar[bool] = False
    settings_form: ClassVar = record({"layer": whole(0, 1 << 16)})
    file_names: ClassVar[tuple[str, ...]] = ()

    arrays: Mapping[str, np.ndarray]
    layer: int

    def __post_init__(self) -> None:
        width, own = shape_of("ClaimNetwork", self.arrays, "project.weight", 2)
        inputs = {"project": own, "compare": 4 * width + _EXTRA, "around": 3 * width, "label": 2 * width + _EXTRA}
        outputs = {"label": 1, "claim_span": 2, "source_span": 2}
        shapes: dict[str, tuple[int, ...]] = {"sharpness": ()}
        for name in LAYERS:
            size = outputs.get(name, width)
            shapes |= {f"{name}.weight": (size, inputs.get(name, width)), f"{name}.bias": (size,)}
        check_arrays("ClaimNetwork", self.arrays, shapes)

    @property
    def settings(self) -> dict[str, Any]:
        """The layer."""
        return {"layer": self.layer}

    @property
    def shape(self) -> str:
        """The widths of a token's vector, of what it becomes, and of what is compared."""
        width, inputs = self.arrays["project.weight"].shape
        return f"{inputs}-{width}-{4 * width + _EXTRA}-{width}-1"

    def tensors(self) -> dict[str, np.ndarray]:
        """The arrays by their names."""
        return dict(self.arrays)

    def files(self) -> dict[str, bytes]:
        """None."""
        return {}

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes] | None = None
    ) -> ClaimNetwork:
        """The network of these arrays."""
        arrays = {name: np.asarray(each, np.float64) for name, each in tensors.items()}
        return cls(arrays, settings["layer"])

    def __call__(self, claim: Any, source: Any) -> Checked:
        """What the network says of a claim, from the vectors of its tokens (n, d) and of its source's (m, d).

        Without tokens on either side, the claim is not supported, and no token is marked.
        """
        if not len(claim) or not len(source):
            return Checked(0.0, np.zeros((len(claim), 2)), np.zeros((len(source), 2)))
        for each in (claim, source):
            check_width("ClaimNetwork", each, self.arrays["project.weight"].shape[1])
        own, its = unit(claim), unit(source)
        cosines = own @ its.T
        projected = self._layer("project", own), self._layer("project", its)
        ours, extra = self._read(cosines, *projected)
        theirs, _ = self._read(cosines.T, *projected[::-1])
        best = extra[:, 0]
        pooled = np.concatenate([ours.max(axis=0), ours.mean(axis=0), [best.min(), best.mean()]])
        score = float(self._layer("label", pooled[None])[0, 0])
        spans = self._layer("claim_span", ours), self._layer("source_span", theirs)
        return Checked(float(1 / (1 + np.exp(-score))), *map(_shares, spans))

    def _layer(self, name: str, rows: Floats) -> Floats:
        found: Floats = rows @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]
        return found

    def _read(self, cosines: Floats, own: Floats, its: Floats) -> tuple[Floats, Floats]:
        """What becomes of each token of one side, and its two features."""
        weights = _shares(float(self.arrays["sharpness"]) * cosines.T).T
        places = weights @ np.arange(cosines.shape[1])
        jumps = np.tanh(np.diff(places, prepend=places[0] - 1) / 4 - 0.25)
        found, extra = weights @ its, np.column_stack([cosines.max(axis=1), jumps])
        compared = np.hstack([own, found, np.abs(own - found), own * found, extra])
        rows = np.maximum(self._layer("compare", compared), 0)
        around = np.pad(rows, ((1, 1), (0, 0)))
        return np.maximum(self._layer("around", np.hstack([around[:-2], rows, around[2:]])), 0), extra


def _shares(rows: Floats) -> Floats:
    """The softmax of each column."""
    powers = np.exp(rows - rows.max(axis=0))
    found: Floats = powers / powers.sum(axis=0)
    return found

"""The training of a network that checks claims: its torch module, with masks, and the loss of FactCCX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from metrologue.learned.training.loop import Steps, descend, imported_torch
from metrologue.scorers.factcc.network import LAYERS, ClaimNetwork, unit

__all__ = ["ClaimRows", "ClaimTrainer", "claim_loss", "make_checker"]

_NONE = -1e9  # the logit of a token that is not there


@dataclass(frozen=True)
class ClaimRows:
    """Claims as a network reads them.

    Attributes
    ----------
    claims, sources : sequence of float32 (tokens, d)
        Rows of length 1.
    labels : float64 (n,)
        1 for a right claim.
    errors, supports : int64 (n, 2)
        The first and the last token of the error in the claim, and of the support in the source; -1: none.
    """

    claims: Sequence[np.ndarray]
    sources: Sequence[np.ndarray]
    labels: np.ndarray
    errors: np.ndarray
    supports: np.ndarray

    def take(self, rows: np.ndarray) -> ClaimRows:
        """Some rows."""
        return ClaimRows(
            [self.claims[row] for row in rows],
            [self.sources[row] for row in rows],
            self.labels[rows],
            self.errors[rows],
            self.supports[rows],
        )


@dataclass(frozen=True, kw_only=True)
class ClaimTrainer(Steps):
    """How a network that checks claims is trained.

    Attributes
    ----------
    width : int
        Of what each token becomes.
    layer : int or None
        The encoder's layer; None: two thirds of the way up.
    spans : float
        The weight of the places of error and support in the loss, as FactCCX has it; 0: they are not learned.
    """

    epochs: int = 8
    batch: int = 32
    rate: float = 1e-3
    decay: float = 0.0
    patience: int = 2
    width: int = 48
    layer: int | None = None
    spans: float = 0.1

    @property
    def about(self) -> str:
        """In a line, for the card."""
        return f"tokens that look for their like in the source, width {self.width}, and spans weigh {self.spans:g}"

    def fit(self, rows: ClaimRows, layer: int, groups: Sequence[str] | None, **run: Any) -> ClaimNetwork:
        """The network, from rows with the vectors of this layer of the encoder."""
        torch = imported_torch()
        width = next(len(each[0]) for each in (*rows.claims, *rows.sources) if len(each))
        steps = Steps(**{name: value for name, value in asdict(self).items() if name in asdict(Steps())})

        def loss(module: Any, places: Any) -> Any:
            # A part that is set aside may be long: its pairs are read in parts of a step.
            parts = torch.split(places, self.batch)
            losses = [claim_loss(module, rows.take(part.numpy()), self.spans) * len(part) for part in parts]
            return sum(losses) / len(places)

        module = descend(steps, lambda: make_checker(width, self.width), loss, len(rows.labels), groups, **run)
        arrays = {name: each.detach().numpy().astype(np.float64) for name, each in module.state_dict().items()}
        return ClaimNetwork(arrays, layer)


def make_checker(inputs: int, width: int) -> Any:
    """The module: what ``ClaimNetwork`` computes, of several pairs at once."""
    torch = imported_torch()
    sizes = {
        "project": (inputs, width), "compare": (4 * width + 2, width), "around": (3 * width, width),
        "label": (2 * width + 2, 1), "claim_span": (width, 2), "source_span": (width, 2),
    }  # fmt: skip
    module = torch.nn.Module()
    for name in LAYERS:
        module.add_module(name, torch.nn.Linear(*sizes[name]))
    module.register_parameter("sharpness", torch.nn.Parameter(torch.tensor(10.0)))
    return module


def _padded(torch: Any, matrices: Sequence[np.ndarray]) -> tuple[Any, Any]:
    """Matrices side by side, (n, longest, d), and which rows there are."""
    longest, width = max(map(len, matrices)), matrices[0].shape[1]
    found = np.zeros((len(matrices), longest, width), np.float32)
    there = np.zeros((len(matrices), longest), np.bool_)
    for row, matrix in enumerate(matrices):
        found[row, : len(matrix)], there[row, : len(matrix)] = matrix, True
    return torch.from_numpy(found), torch.from_numpy(there)


def outputs(module: Any, claims: Sequence[np.ndarray], sources: Sequence[np.ndarray]) -> tuple[Any, Any, Any]:
    """The logit of each pair (n,), and those of the places in the claims and in the sources, (n, tokens, 2)."""
    torch = imported_torch()
    (own, own_there), (its, its_there) = _padded(torch, claims), _padded(torch, sources)
    cosines = own @ its.transpose(1, 2)
    projected = module.project(own), module.project(its)
    ours, extra = _read(torch, module, cosines, *projected, own_there, its_there)
    theirs, _ = _read(torch, module, cosines.transpose(1, 2), *projected[::-1], its_there, own_there)
    missing = ~own_there[..., None]
    count = own_there.sum(dim=1, keepdim=True)
    best = extra[..., 0]
    pooled = [
        ours.masked_fill(missing, _NONE).amax(dim=1),
        ours.masked_fill(missing, 0).sum(dim=1) / count,
        best.masked_fill(~own_there, 2).amin(dim=1, keepdim=True),
        best.masked_fill(~own_there, 0).sum(dim=1, keepdim=True) / count,
    ]
    spans = module.claim_span(ours).masked_fill(missing, _NONE), module.source_span(theirs)
    return module.label(torch.cat(pooled, dim=1))[:, 0], spans[0], spans[1].masked_fill(~its_there[..., None], _NONE)


def _read(torch: Any, module: Any, cosines: Any, own: Any, its: Any, own_there: Any, its_there: Any) -> tuple[Any, Any]:
    known = cosines.masked_fill(~its_there[:, None, :], -2)
    weights = torch.softmax((module.sharpness * cosines).masked_fill(~its_there[:, None, :], _NONE), dim=2)
    places = weights @ torch.arange(cosines.shape[2], dtype=weights.dtype)
    steps = torch.diff(places, dim=1, prepend=places[:, :1] - 1)
    extra = torch.stack([known.amax(dim=2), torch.tanh(steps / 4 - 0.25)], dim=2)
    found = weights @ its
    compared = torch.cat([own, found, (own - found).abs(), own * found, extra], dim=2)
    rows = torch.relu(module.compare(compared)) * own_there[..., None]
    around = torch.nn.functional.pad(rows, (0, 0, 1, 1))
    return torch.relu(module.around(torch.cat([around[:, :-2], rows, around[:, 2:]], dim=2))), extra


def claim_loss(module: Any, rows: ClaimRows, spans: float) -> Any:
    """The mean loss: of the label, and `spans` times the mean of those of the four ends that are known."""
    torch = imported_torch()
    logits, claim, source = outputs(module, rows.claims, rows.sources)
    function = torch.nn.functional
    labels = torch.from_numpy(rows.labels.astype(np.float32))
    loss = function.binary_cross_entropy_with_logits(logits, labels)
    if not spans:
        return loss
    ends = []
    for found, wanted in ((claim, rows.errors), (source, rows.supports)):
        targets = torch.from_numpy(wanted)
        known = targets[:, 0] >= 0
        for end in (0, 1):
            # The mean over all rows: a part without errors has a loss too.
            each = function.cross_entropy(found[known][..., end], targets[known, end], reduction="sum")
            ends.append(each / len(rows.labels))
    return loss + spans * sum(ends) / len(ends)


def units(matrix: np.ndarray) -> np.ndarray:
    """Rows of length 1 in float32, as a training keeps them."""
    return unit(matrix).astype(np.float32)

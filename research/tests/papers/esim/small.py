"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

import numpy as np
from metrologue_research.esim.network import EsimNetwork, shapes_of
from small_encoder import Letters
from small_trained import BETTER

from metrologue.learned import Features, TrainedModel
from metrologue.learned.features import Tokens


def model() -> TrainedModel:
    """The score falls with the distance of the means over the letters of both texts; no token looks at a neighbour."""
    widths = (24, 48, 48, 96)
    arrays = {name: np.zeros(shape) for name, shape in shapes_of(24, widths).items()}
    for name, size in (("read", 24), ("compare", 48)):
        for side in ("", "_reverse"):  # the gates i, f, g and o
            arrays[f"{name}.weight_ih_l0{side}"][2 * size : 3 * size] = np.eye(size)
            arrays[f"{name}.bias_ih_l0{side}"][:] = np.repeat([40.0, -40.0, 0.0, 40.0], size)
    arrays["project.weight"][:, :24] = np.vstack([np.eye(24), -np.eye(24)])
    for sign, rows in ((1, slice(0, 48)), (-1, slice(48, 96))):
        arrays["hidden.weight"][rows, :48] = sign * np.eye(48)
        arrays["hidden.weight"][rows, 192:240] = -sign * np.eye(48)
    arrays["out.weight"][:] = -1.0
    arrays["out.bias"][:] = 1.5
    features, network = Features((Tokens.of(Letters()),)), EsimNetwork(arrays, 0, 100)
    return TrainedModel("esim", features, network, BETTER)

"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

import numpy as np
from metrologue_research.fined_eval.network import DialogueHeads
from small_encoder import Letters
from small_trained import BETTER, line

from metrologue.learned import Features, TrainedModel, Vectors


def model() -> TrainedModel:
    """A dialogue is good if each turn has letters of the turn before it; a hyphen turns a word round."""
    likeness = np.zeros((2, 96))
    likeness[:, 72:] = [[1.0], [-1.0]]
    heads = np.outer([4.0, 5.0, 6.0], [1.0, -1.0])
    features, network = Features((Vectors.of(Letters()),)), DialogueHeads(line(likeness, 0.0), heads, np.zeros(3))
    return TrainedModel("fined_eval", features, network, BETTER)

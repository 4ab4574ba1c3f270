"""A small model, with weights that are written here: its scores are sums of a few numbers."""

from __future__ import annotations

from small_trained import BETTER, line

from metrologue.learned import Features, TrainedModel


def model() -> TrainedModel:
    features, network = (
        Features.of(scores=["chrf", "token_f1"]),
        line([[-0.04, -0.04], [0.04, 0.04]], [4.0, -4.0], "classes"),
    )
    return TrainedModel("nneval", features, network, BETTER)

"""How NNEval is trained: human texts against those of machines."""

from __future__ import annotations

from functools import partial

from metrologue.learned.examples import Examples
from metrologue.learned.recipes import Asked, Recipe, train_rows
from metrologue.learned.trained_model import TrainedModel
from metrologue.learned.training import Mlp


def train_captions(examples: Examples, asked: Asked) -> TrainedModel:
    """A network that reads scores; a human text is not scored with itself as its reference."""
    return train_rows(examples.without_own_references(), asked)


RECIPE = Recipe(
    "the scores of other metrics",
    partial(Mlp, hidden=(72, 72), head="classes"),
    scores=True,
    labels=True,
    made=train_captions,
)

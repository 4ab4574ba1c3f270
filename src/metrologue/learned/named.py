"""Trained models in the configuration of a scorer. They are identified by their names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metrologue.data.named import NamedValue
from metrologue.learned.store import open_model

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel


@dataclass(frozen=True)
class NamedTrained(NamedValue):
    """A trained model with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The metric that the model was trained for, with a digest of its features and weights, such as
        "composite@06dcd770684d".
    """

    trained: TrainedModel = field(compare=False, repr=False)

    noun = "model"
    expected = "a trained model, its folder, or the name of one in use"
    plural = "trained models"
    opener = "open_model(folder)"
    opened = staticmethod(open_model)

    @classmethod
    def _is_one(cls, value: Any) -> bool:
        return hasattr(value, "features") and hasattr(value, "network")

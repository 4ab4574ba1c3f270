"""Models that others trained and released, in folders of their own layout."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel

__all__ = ["RELEASED", "open_released"]

# The functions that read such a folder, by the `model_type` of its config.json.
RELEASED: Mapping[str, str] = {"bleurt": "metrologue.learned.networks.bleurt_port:open_port"}


def open_released(place: Path) -> TrainedModel | None:
    """The model of such a folder; None if it is no such folder.

    Raises
    ------
    InputError
        If it is not whole.
    """
    try:
        config = json.loads((place / "config.json").read_text("utf-8"))
        where = RELEASED[config["model_type"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    module, _, function = where.partition(":")
    found: TrainedModel = getattr(importlib.import_module(module), function)(place, config)
    return found

"""Models that others trained and released, in folders of their own layout."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from metrologue.files.regular import read_json

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel

__all__ = ["RELEASED", "open_released"]

# The functions that read such a folder, by the `model_type` of its config.json.
RELEASED: Mapping[str, str] = {"bleurt": "metrologue.scorers.bleurt.released:open_port"}


def open_released(place: Path) -> TrainedModel | None:
    """The model of such a folder; None if it is no such folder.

    Raises
    ------
    InputError
        If it is not whole.
    """
    if not (place / "config.json").exists():
        return None
    config = read_json(place / "config.json", "open_model")
    where = RELEASED.get(str(config.get("model_type"))) if isinstance(config, dict) else None
    if where is None:
        return None
    module, _, function = where.partition(":")
    found: TrainedModel = getattr(importlib.import_module(module), function)(place, config)
    return found

"""Modules whose metric needs a causal language model."""

from __future__ import annotations

import os
from typing import Any

from metrologue.bridge.metric_module import MetricModule

__all__ = ["LanguageModule"]


class LanguageModule(MetricModule):
    """A ``MetricModule`` with the Hub's arguments for a causal model of transformers."""

    def _causal_model(self, model: Any, *options: Any) -> Any:
        """The model of a folder or a name, opened once for this module; or the one of (model, tokenizer)."""
        from metrologue.language_models.causal import CausalModel

        if not isinstance(model, str | os.PathLike):  # it is open, and may have been trained since the last call
            return CausalModel(model, *options)
        key = ("causal", os.fspath(model), *options)
        return self._models.get(key, lambda: CausalModel(model, *options))

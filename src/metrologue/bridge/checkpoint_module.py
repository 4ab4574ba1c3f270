"""Modules whose configurations are, on the Hub, names of checkpoints to download."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from metrologue.bridge.metric_module import MetricModule
from metrologue.errors import InputError
from metrologue.scorers.core.registry import scorer_of

__all__ = ["CheckpointModule"]


class CheckpointModule(MetricModule):
    """A ``MetricModule`` whose `config_name` may also be that of a checkpoint. Its folder is given; none is downloaded.

    Attributes
    ----------
    checkpoints : tuple of str
        Their names; capitals do not count, as on the Hub.
    ported : str
        Where a folder that can be read is, with {} for the name.
    """

    checkpoints: ClassVar[tuple[str, ...]] = ()
    ported: ClassVar[str] = ""

    def _check_config(self, config_name: str) -> None:
        if self._checkpoint(config_name) is None:
            super()._check_config(config_name)

    def _checkpoint(self, name: str) -> str | None:
        return next((each for each in self.checkpoints if each.lower() == name.lower()), None)

    def _variant(self, fields: Mapping[str, Any]) -> Any:
        named = self._checkpoint(self.config_name)
        if named is None:
            return super()._variant(fields)
        if "model" not in fields:
            raise InputError(
                f"{type(self).__name__}: the Hub's module downloads the checkpoint {named}, for TensorFlow. This one "
                "downloads none: give `checkpoint`, a folder of its port to PyTorch with a model.safetensors "
                f"({self.ported.format(named)})."
            )
        return scorer_of(self._scorer, self.default_variant, fields)

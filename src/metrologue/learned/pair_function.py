"""A function in place of a network that reads two texts: a program of others, or a rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown
from metrologue.files.forms import TEXT, record
from metrologue.learned.architectures import Architecture
from metrologue.learned.features import Features
from metrologue.learned.trained_model import TrainedModel


@dataclass(frozen=True, eq=False)
class PairFunction(Architecture):
    """A function from references and texts to a number for each pair, as ``BleurtScorer.score`` of the authors is.

    Attributes
    ----------
    name, version : str
        What identifies the function; two with the same name and version are taken for one.
    function : callable
        Takes a list of references and a list of texts, and gives as many finite numbers.

    Examples
    --------
    >>> def common(references, texts):
    ...     pairs = zip(references, texts, strict=True)
    ...     return [len({*one.split()} & {*other.split()}) / 4 for one, other in pairs]
    >>> PairFunction("common words", "1", common).score_pairs(["a cat sat"], ["a dog sat"])[0]
    array([0.5])
    """

    name: str
    version: str
    function: Callable[..., Sequence[float]] = field(repr=False)

    architecture: ClassVar[str] = "pair_function"
    reads_texts: ClassVar[bool] = True
    settings_form: ClassVar = record({"name": TEXT, "version": TEXT})

    def model(self, metric: str, report: Mapping[str, Any] | None = None) -> TrainedModel:
        """The function as the model of a metric. What it reaches is not known here."""
        told = {"trainer": f"the function {self.name}", "elsewhere": "it is a function; nothing was trained here"}
        return TrainedModel(metric, Features(()), self, report or told)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"name": self.name, "version": self.version}

    @property
    def shape(self) -> str:
        """A function has no layers."""
        return "none"

    def tensors(self) -> dict[str, np.ndarray]:
        return {}

    @classmethod
    def of_tensors(
        cls, tensors: Mapping[str, np.ndarray], settings: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Self:
        raise InputError(f"PairFunction: a folder holds no function; give {shown(settings.get('name'))} anew.")

    def score_pairs(self, texts: Sequence[str], others: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
        """What the function gives each pair, float64 (n,), and how many tokens were left out: none is known of.

        Raises an InputError if it does not give as many finite numbers.
        """
        return self._scored(texts, others)

    def _scored(self, *columns: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
        """What the function gives each row of some columns of texts."""
        count = len(columns[0])
        scores = np.array([*self.function(*map(list, columns))], np.float64) if count else np.zeros(0)
        if scores.shape != (count,) or not np.isfinite(scores).all():
            raise InputError(
                f"{type(self).__name__}: {self.name} gave {shown(scores.tolist())} for {count} "
                f"{'pairs' if len(columns) == 2 else 'segments'}; a finite number for each is expected."
            )
        return scores, np.zeros(count, np.int64)

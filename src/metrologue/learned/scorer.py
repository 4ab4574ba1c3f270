"""The base of learned metrics: the model that a scorer must have, and what the model's report says of its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.learned.named import NamedTrained
from metrologue.scorers.core.about import About
from metrologue.scorers.core.numbers import counted
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts, PairScorer
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel

# The number of most learned metrics beside the score.
SEGMENTS = counted("segments", "segments", about="segments, of whose scores this is the mean")
_TITLES = {"pearson": "Pearson's r", "kendall-b": "Kendall's tau-b", "auc": "AUC", "accuracy": "right pairs"}


def model_option(
    stage: str = "read", what: str = "model", folder: str = "its folder", more: str = "There is no score without one."
) -> Any:
    """The field of a learned metric for its model, of the type ``NamedTrained | None``.

    Parameters
    ----------
    stage : str
        The first stage that reads the model.
    what, folder, more : str
        What its meaning says: what was trained, the folders that are taken, and what there is without a model.
    """
    about = (
        f"The trained {what}: {folder}, a ``TrainedModel``, or the name of one in use, as a signature has it. {more}"
    )
    return option(None, stage=stage, choice="model", kind="trained", about=about)


class OfModel(OfTexts, Scorer):
    """A metric whose field `model` is a trained model. A subclass declares the field where it stands in signatures."""

    model: NamedTrained | None

    about: ClassVar = About(tolerance=1e-6)
    _authors: ClassVar[str] = "The authors have published none."  # where their models are, for who has none
    _variants: ClassVar = {"metrologue": Variant("metrologue", "the score of the model that is given")}

    @property
    def _reads_model(self) -> bool:
        return True

    @property
    def _trained(self) -> TrainedModel:
        """The model. Raises an InputError that says how one is trained if there is none."""
        if self.model is None:
            raise InputError(
                f"{self._label}: `model` is missing; train one with `metrologue train {self.name} --data rated.jsonl "
                f"--out folder`, and give the folder. {self._authors}"
            )
        return self.model.trained

    def _check_together(self) -> None:
        """Refuse a model that was trained for another metric."""
        if self.model is not None and (trained_for := self.model.trained.metric) != self.name:
            raise InputError(f"{self._label}: `model` is {self.model}, which was trained for {trained_for}.")

    def _counted(self, segments: Segments, threads: int | None) -> Floats:
        """`_statistics` of all segments at once: encoders and parsers have threads of their own."""
        return np.ascontiguousarray(self._statistics(segments))

    def _means(self, statistics: Floats) -> Floats:
        """The means over the segments of what the first columns sum, (..., k - 1)."""
        means: Floats = statistics[..., :-1] / np.maximum(statistics[..., -1:], 1.0)
        return means

    def _model_hints(self) -> list[str]:
        """A warning, if the model is an example, did not beat its rival, or was never measured."""
        if self.model is None or not self._reads_model:
            return []
        model = self.model.trained
        if model.is_sample:
            return [f"{self._label}: {model.name} is {model.report['sample']}."]
        measured = model.report.get("held_out")
        if "elsewhere" in model.report or (measured and measured["beats_rival"]):
            return []
        if not measured:
            return [f"{self._label}: {reached(model)[0]}."]
        return [
            f"{self._label}: {model.name} did not beat its trivial rival ({_rivals(measured)}) on texts that were held "
            "out."
        ]

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        return self._model_hints()


@dataclass(frozen=True, kw_only=True)
class TrainedScorer(OfModel):
    """A metric whose number a trained model gives to each segment; that of a corpus is their mean."""

    model: NamedTrained | None = model_option()
    aggregation: str = option(
        "corpus", stage="score", choice=None, one_of={"corpus": "the mean of the segments' own scores"}
    )
    scale: float = with_default(1.0, about="A factor of the score.")

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        return {self.name: self.scale * self._means(statistics)[..., 0], "segments": statistics[..., -1]}


@dataclass(frozen=True, kw_only=True)
class TrainedPairScorer(TrainedScorer, PairScorer):
    """A metric whose number a trained model gives to each text with each of its references."""

    multi_reference: str = option(
        "best",
        stage="join",
        choice="several references",
        one_of={"best": "the one with the best score; ties: the first", "mean": "the mean of the scores with each"},
    )

    def _quality(self, rows: Floats) -> Floats:
        return rows[:, 0] if self.higher_is_better[self.primary] else -rows[:, 0]


def reached(model: TrainedModel) -> list[str]:
    """What the model reached on texts that were held out, beside its rival, in sentences."""
    from metrologue.learned.card import figure  # of a scorer that has a model, whose modules are there

    if elsewhere := model.report.get("elsewhere"):
        return [f"{model.name}: {elsewhere}"]
    measured = model.report.get("held_out")
    if not measured:
        return [f"{model.name}: nothing was held out when it was trained, so nobody knows what its scores are worth"]
    lines = []
    for method, coefficient in measured["compared"].items():
        learned, rival, gap = (coefficient[name] for name in ("learned", "rival", "difference"))
        lines.append(
            f"{_TITLES.get(method, method)} on texts that were held out: {figure(learned['mean'])}; the rival "
            f"({_rivals(measured)}) {figure(rival['mean'])}; difference {figure(gap['mean'], '+.3f')} "
            f"[{figure(gap['low'], '+.3f')}, {figure(gap['high'], '+.3f')}]"
        )
    return lines


def _rivals(measured: Any) -> str:
    return ", ".join(sorted({*measured["rivals"].values()}))

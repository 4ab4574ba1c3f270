"""What learned metrics share: the model that a scorer must have, and what the model's report says of its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metrologue.errors import InputError
from metrologue.scorers.core.asked import label_of
from metrologue.scorers.core.options import option

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel

__all__ = ["check_model", "given_model", "model_option", "reached", "warnings_of"]

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


def check_model(scorer: Any) -> None:
    """Refuse a model that was trained for another metric.

    Raises
    ------
    InputError
    """
    if scorer.model is not None and (made := scorer.model.trained.metric) != scorer.name:
        raise InputError(f"{label_of(scorer)}: `model` is {scorer.model}, which was trained for {made}.")


def given_model(scorer: Any, elsewhere: str) -> TrainedModel:
    """The model of a scorer.

    Parameters
    ----------
    scorer : Scorer
    elsewhere : str
        Where the authors' models are.

    Raises
    ------
    InputError
        If there is none. The message says how one is trained.
    """
    if scorer.model is None:
        raise InputError(
            f"{label_of(scorer)}: `model` is missing; train one with `metrologue train {scorer.name} --data "
            f"rated.jsonl --out folder`, and give the folder. {elsewhere}"
        )
    found: TrainedModel = scorer.model.trained
    return found


def reached(model: TrainedModel) -> list[str]:
    """What the model reached on texts that were held out, beside its rival, in sentences."""
    from metrologue.learned.card import figure  # of a scorer that has a model, whose modules are there

    found = model.report.get("held_out")
    if elsewhere := model.report.get("elsewhere"):
        return [f"{model.name}: {elsewhere}"]
    if not found:
        return [f"{model.name}: nothing was held out when it was trained, so nobody knows what its scores are worth"]
    rivals = ", ".join(sorted({*found["rivals"].values()}))
    lines = []
    for method, own in found["compared"].items():
        learned, rival, gap = (own[name] for name in ("learned", "rival", "difference"))
        lines.append(
            f"{_TITLES.get(method, method)} on texts that were held out: {figure(learned['mean'])}; the rival "
            f"({rivals}) {figure(rival['mean'])}; difference {figure(gap['mean'], '+.3f')} "
            f"[{figure(gap['low'], '+.3f')}, {figure(gap['high'], '+.3f')}]"
        )
    return lines


def warnings_of(scorer: Any) -> list[str]:
    """A warning, if the model did not beat its rival, or was never measured."""
    if scorer.model is None:
        return []
    model: TrainedModel = scorer.model.trained
    found = model.report.get("held_out")
    if "elsewhere" in model.report or (found and found["beats_rival"]):
        return []
    if not found:
        return [f"{label_of(scorer)}: {reached(model)[0]}."]
    rivals = ", ".join(sorted({*found["rivals"].values()}))
    return [f"{label_of(scorer)}: {model.name} did not beat its trivial rival ({rivals}) on texts that were held out."]

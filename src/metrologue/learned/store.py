"""Trained models and their folders: JSON and safetensors, never pickled, with a digest that signatures have."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from metrologue.errors import InputError, instead_of, shown
from metrologue.files.wholeness import check_digest, with_digest
from metrologue.files.writing import write_whole
from metrologue.learned.architectures import architecture_of
from metrologue.learned.card import model_card
from metrologue.learned.features import Features, Scores
from metrologue.learned.released import open_released
from metrologue.learned.tensors import tensors_from
from metrologue.learned.trained_model import TrainedModel

__all__ = ["DIALOGUES", "SAMPLE", "is_complete", "open_model", "sample_model", "save_model"]

_FORM = 1
_ABOUT, _WEIGHTS, _CARD = "model.json", "model.safetensors", "README.md"
_SAMPLES = Path(__file__).with_name("samples")
SAMPLE = _SAMPLES / "sentences.jsonl"
DIALOGUES = _SAMPLES / "dialogues.jsonl"


def save_model(model: TrainedModel, folder: str | os.PathLike[str]) -> Path:
    """Write a model: ``model.json``, ``model.safetensors``, its card as ``README.md``, and tables of its metrics.

    Parameters
    ----------
    model : TrainedModel
    folder : path
        It is made if it is not there.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    parts = model.features.to_list()
    for part, own in zip(model.features.parts, parts, strict=True):
        if isinstance(part, Scores) and part.tables:
            own["tables"] = {}
            for name, table in part.tables.items():
                file = f"{name}-{table.digest}.arrow"
                table.save(place / file)
                own["tables"][name] = file
    for file, content in model.network.files().items():
        write_whole(place / file, content)
    write_whole(place / _WEIGHTS, model.weights)
    write_whole(place / _CARD, model_card(model).encode())
    about = {
        "form": _FORM,
        "metric": model.metric,
        "name": model.name,
        "architecture": model.network.architecture,
        "settings": dict(model.network.settings),
        "files": sorted(model.network.files()),
        "features": parts,
        "report": dict(model.report),
    }
    # The last one: a folder with this file is complete.
    saved = with_digest(json.loads(json.dumps(about)))  # as it will be read: every key is a text
    write_whole(place / _ABOUT, (json.dumps(saved, indent=2, ensure_ascii=False) + "\n").encode())
    return place


def is_complete(folder: str | os.PathLike[str]) -> bool:
    """Whether ``save_model`` has written a whole model to the folder.

    Examples
    --------
    >>> is_complete(_SAMPLES / "ruse"), is_complete(_SAMPLES)
    (True, False)
    """
    return os.path.isfile(Path(folder) / _ABOUT)  # which is False for a text that can be no path


def open_model(folder: str | os.PathLike[str], encoders: Sequence[Any] = ()) -> TrainedModel:
    """Read what ``save_model`` wrote, or a model of another layout that is known, as those of ``RELEASED``.

    Parameters
    ----------
    folder : path
    encoders : sequence of encoder or path
        The encoders that it was trained with, if they are not where they were then.

    Raises
    ------
    InputError
        If the folder holds no model, a damaged one, or one of a newer form; if an encoder is not here, or another one
        is given.
    """
    place = Path(folder)
    if not is_complete(place):
        if os.path.isdir(place) and (released := open_released(place)):
            return released
        what = "is a folder without a model.json" if os.path.isdir(place) else "is no folder"
        raise InputError(f"open_model: {shown(str(folder))} {what}; `metrologue train` makes one.")
    try:
        about = json.loads((place / _ABOUT).read_text("utf-8"))
        form, metric, name, parts = about["form"], about["metric"], about["name"], about["features"]
        content = (place / _WEIGHTS).read_bytes()
        files = {file: (place / _plain(file)).read_bytes() for file in about["files"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"open_model: {place} holds no whole model ({shown(error)}).") from None
    if form != _FORM:
        raise InputError(f"open_model: {place} has the form {shown(form)}; this version reads the form {_FORM}.")
    try:
        check_digest(about)
    except ValueError as error:
        raise InputError(f"open_model: {place / _ABOUT}: {error}.") from None
    tensors, _ = tensors_from(content, str(place / _WEIGHTS))
    network = architecture_of(about.get("architecture", "")).of_tensors(tensors, about.get("settings", {}), files)
    model = TrainedModel(metric, Features.from_list(parts, place, encoders), network, about.get("report", {}))
    if model.name != name:
        raise InputError(f"open_model: {place} has been changed: it says {name}, and holds {model.name}.")
    return model


def _plain(file: str) -> str:
    """The name of a file in the folder itself."""
    if os.path.basename(file) != file:
        raise ValueError(f"{file!r} is not in the folder")
    return file


def sample_model(metric: str) -> TrainedModel:
    """A model of a metric that was trained on metrologue's own sample: to try the metric, not to measure anything.

    The sample has 64 sentences, with ratings that we made up. The encoder counts character n-grams.

    Raises
    ------
    InputError
        If there is none for this metric.

    Examples
    --------
    >>> sample_model("ruse").metric
    'ruse'
    """
    known = sorted(each.name for each in _SAMPLES.iterdir() if each.is_dir())
    if metric not in known:
        raise InputError(f"sample_model: there is none for {shown(metric)}; {instead_of(metric, known)}")
    return open_model(_SAMPLES / metric)

"""Trained models and their folders: JSON and safetensors, never pickled, with a digest that signatures have."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from metrologue.errors import InputError, instead_of, shown
from metrologue.files.forms import (
    ANY,
    TEXT,
    by_key,
    list_of,
    mapping_of,
    maybe,
    one_of,
    record,
    text,
    whole,
)  # fmt: skip
from metrologue.files.regular import MOST_SETTINGS, MOST_WEIGHTS, file_in, parsed_json, read_json, read_regular
from metrologue.files.wholeness import check_digest, with_digest
from metrologue.language_models.pretrained import is_hub_name, is_pair
from metrologue.learned.architectures import Architecture
from metrologue.learned.card import REPORT, model_card
from metrologue.learned.features import FORMS, Features, Scores
from metrologue.learned.network import Network
from metrologue.learned.pair_function import PairFunction
from metrologue.learned.tensors import tensors_from
from metrologue.learned.trained_model import TrainedModel
from metrologue.representations.named import open_encoder
from metrologue.scorers.core.homes import folder_of, homes, part_of
from metrologue.writing import write_whole

_FORM = 1
_NAMES = mapping_of(text(255))
_FEATURE = by_key(
    {
        "vectors": record({"vectors": text(255)}, {"path": maybe(TEXT)}),
        "tokens": record({"tokens": text(255)}, {"path": maybe(TEXT)}),
        "score": record({"score": TEXT, "number": TEXT}, {"form": one_of(FORMS), "files": _NAMES, "tables": _NAMES}),
    }
)
# What model.json holds. An earlier version wrote `path` and `files`, the places of encoders, which are not opened.
_DESCRIPTION = record(
    {
        "form": whole(_FORM, _FORM),
        "metric": text(255),
        "name": text(255),
        "architecture": text(255),
        "files": list_of(text(255), most=16),
        "features": list_of(_FEATURE, most=1000),
    },
    {
        "settings": mapping_of(ANY),
        "report": REPORT,
        "digest": TEXT,
    },
)
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
    >>> is_complete(sample_folder("composite")), is_complete(_SAMPLES)
    (True, False)
    """
    return os.path.isfile(Path(folder) / _ABOUT)  # which is False for a text that can be no path


def open_model(folder: str | os.PathLike[str], encoder: Any = (), **options: Any) -> TrainedModel:
    """Read what ``save_model`` wrote, or a released model that a metric can read, such as BLEURT's or COMET's.

    Nothing but the folder's own files is opened, and nothing of it is run. A folder says by name and digest which
    encoder it was trained with; where that is, the caller says.

    Parameters
    ----------
    folder : path
    encoder : encoder, path or name on the Hub, or a sequence of them
        The encoders that it was trained with. It may be left out for an encoder that is in use, and for an
        ``NgramEncoder``.
    **options
        `batch_size`, `device` and `dtype` of a network that reads texts itself; an encoder is opened with its own.

    Raises
    ------
    InputError
        If the folder holds no model, a damaged one, or one of a newer form; if it has a file that ``save_model`` does
        not write; if an encoder is not here, or another one is given.
    """
    place = Path(folder)
    if not is_complete(place):
        _check_folder(place)
        return _released(place, encoder, options)
    about = _description(place)
    network = _architecture(about["metric"], about["architecture"])
    network.settings_form(about["settings"], f"open_model: {place / _ABOUT}: `settings`")
    _check_names(place, about, network.file_names)
    tensors, _ = tensors_from(_content(place, _WEIGHTS, MOST_WEIGHTS), str(place / _WEIGHTS))
    files = {file: _content(place, file) for file in about["files"]}
    known: set[str] = {each.name for each in fields(network)} if is_dataclass(network) else set()
    own = {name: value for name, value in options.items() if name in known}
    if others := {name: value for name, value in options.items() if name not in own}:
        encoder = _opened_with(encoder, others, place)
    features = Features.from_list(about["features"], place, encoder)
    made = network.of_tensors(tensors, about["settings"], files)
    model = TrainedModel(about["metric"], features, made, about["report"])
    if model.name != about["name"]:
        raise InputError(f"open_model: {place} has been changed: it says {about['name']}, and holds {model.name}.")
    return replace(model, network=made.run_with(**own)) if own else model


def _check_folder(place: Path) -> None:
    """Raise an InputError that says what to give, if there is no folder."""
    if os.path.isdir(place):
        return
    if os.path.isfile(place):
        raise InputError(f"open_model: {shown(str(place))} is a file; give the folder that has all files of the model.")
    cure = "`metrologue train` makes one"
    if is_hub_name(str(place)) and "/" in str(place):
        cure = f"of a model on the Hub, `hf download {place}` prints it, and nothing is downloaded here"
    raise InputError(f"open_model: {shown(str(place))} is no folder; {cure}.")


def _opened_with(encoder: Any, options: Mapping[str, Any], place: Path) -> list[Any]:
    """The encoders of a model that runs on NumPy: those that are given as paths are opened with these options."""
    several = [*encoder] if isinstance(encoder, list | tuple) and not is_pair(encoder) else [encoder]
    paths = [isinstance(each, str | os.PathLike) for each in several]
    alike = {"batch_size", *(["device"] if options.get("device") == "cpu" else [])}  # of NumPy, they change nothing
    if not any(paths) and (name := min(options.keys() - alike, default=None)):
        raise InputError(
            f"open_model: {place} runs on NumPy. `{name}` is for an encoder, which is opened with it: "
            f"open_encoder(path, {name}={options[name]!r})."
        )
    return [open_encoder(each, **options) if is_path else each for each, is_path in zip(several, paths, strict=True)]


def _released(place: Path, encoder: Any, options: Mapping[str, Any]) -> TrainedModel:
    """The model in a folder of its authors' layout. Raises an InputError that says which layouts are read."""
    there = (place / "config.json").exists()
    config = read_json(place / "config.json", "open_model") if there else None
    networks: dict[str, Any] = {name: part_of(name, "network") for name in homes()}
    readers = {name: each for name, each in networks.items() if hasattr(each, "open_released")}
    known = config if isinstance(config, dict) else {}
    # What marks its folders by a file comes first; then a model whose kind has a metric's own name is that metric's.
    for name in sorted(readers, key=lambda name: (not hasattr(readers[name], "MARK"), name != known.get("model_type"))):
        mark = getattr(readers[name], "MARK", None)
        if (place / mark).exists() if mark else known:
            found: TrainedModel | None = readers[name].open_released(place, known, encoder=encoder, **options)
            if found:
                return found
    forms = "; ".join(f"for {name} {reader.RELEASED}" for name, reader in readers.items())
    own = config.get("architectures") if isinstance(config, dict) else None
    has = f"its config.json names {shown(own or config)}" if there else "no config.json"
    raise InputError(
        f"open_model: {shown(str(place))} is a folder without a model.json, which `metrologue train` writes, and "
        f"{has}. Released models are read {forms}."
    )


def _architecture(metric: str, name: str) -> type[Architecture]:
    """The class of a network of this name: one that all metrics share, or that the metric's home has."""
    home = part_of(metric, "network")
    kinds = (Network, PairFunction, *(vars(home).values() if home else ()))
    known = {each.architecture: each for each in kinds if isinstance(each, type) and hasattr(each, "architecture")}
    if name not in known:
        raise InputError(f"open_model: the architecture {shown(name)} is unknown; {instead_of(name, known)}")
    return known[name]


def _description(place: Path) -> dict[str, Any]:
    """What model.json says, after all of it has its form."""
    about = parsed_json(_content(place, _ABOUT), f"open_model: {place / _ABOUT}")
    form = about.get("form") if isinstance(about, dict) else None
    if form is not None and form != _FORM:
        raise InputError(f"open_model: {place} has the form {shown(form)}; this version reads the form {_FORM}.")
    _DESCRIPTION(about, f"open_model: {place / _ABOUT}")
    try:
        check_digest(about)
    except ValueError as error:
        raise InputError(f"open_model: {place / _ABOUT}: {error}.") from None
    return {"settings": {}, "report": {}, **about}


def _content(place: Path, file: str, most: int = MOST_SETTINGS) -> bytes:
    return read_regular(file_in(place, file, "open_model", most), "open_model", most)


def _check_names(place: Path, about: Mapping[str, Any], names: Collection[str]) -> None:
    """Refuse a folder with a file that ``save_model`` does not write. Names with a point in front are never read."""
    for file in about["files"]:
        if file not in names:
            there = ", ".join(sorted(names)) or "none"
            raise InputError(f"open_model: {place} has the file {shown(file)}; a {about['architecture']} has {there}.")
    tables = [file for part in about["features"] for file in part.get("tables", {}).values()]
    known = {_ABOUT, _WEIGHTS, _CARD, *about["files"], *tables}
    for file in sorted(os.listdir(place)):
        if file not in known and not file.startswith("."):
            raise InputError(f"open_model: {place} has {shown(file)}, which save_model does not write; take it away.")


def sample_model(metric: str) -> TrainedModel:
    """A model of a metric that was trained on metrologue's own sample: to try the metric, not to measure anything.

    The sample has 64 sentences, with ratings that we made up. The encoder counts character n-grams.

    Raises
    ------
    InputError
        If there is none for this metric.

    Examples
    --------
    >>> sample_model("composite").metric
    'composite'
    """
    return open_model(sample_folder(metric))


def sample_folder(metric: str) -> Path:
    """The folder of the model that ``sample_model`` opens. Raises an InputError if there is none for this metric."""
    if metric not in (names := sampled()):
        raise InputError(f"sample_model: there is none for {shown(metric)}; {instead_of(metric, names)}")
    return folder_of(metric) / "sample"


def sampled() -> list[str]:
    """The metrics that have such a model."""
    return [name for name in homes() if (folder_of(name) / "sample").is_dir()]

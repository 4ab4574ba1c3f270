"""The requests of a run of HELM: ``scenario_state.json``."""

from __future__ import annotations

from typing import Any

from metrologue.errors import InputError
from metrologue.files.log_values import at, text_of
from metrologue.files.packed import Path
from metrologue.files.rows import Format, Rows, never, whole_json


def is_state(value: Any) -> bool:
    """Whether a JSON value is the state of a scenario."""
    return isinstance(value, dict) and isinstance(value.get("request_states"), list)


def _read(path: Path, key: str | None, name: str) -> Rows:
    """The first completion of each request, and the references that are right."""
    value = whole_json(path)
    if not is_state(value):
        raise InputError(f"{path}: no scenario_state.json of HELM.")
    ids, predictions, references, sources = [], [], [], []
    for i, state in enumerate(value["request_states"]):
        where = f"{path}: request {i}"
        said = text_of(at(state, "result", "completions", 0, "text"), where, "completion")
        named = [
            at(state, "instance", "id") or str(i),
            at(state, "train_trial_index") or 0,
            at(state, "reference_index"),
        ]
        ids.append("-".join(str(each) for each in named if each is not None))
        # The letter of a choice stands for its text.
        predictions.append(text_of(at(state, "output_mapping", said.strip()) or said, where, "choice"))
        right = [each for each in at(state, "instance", "references") or () if "correct" in (at(each, "tags") or ())]
        references.append([text_of(at(each, "output", "text"), where, "reference") for each in right] or [""])
        sources.append(text_of(at(state, "instance", "input", "text") or "", where, "input"))
    return Rows("a run of HELM", predictions=predictions, references=references, sources=sources, ids=ids)


FORMATS = (Format("helm", (), never, _read, is_log=True, holds=is_state),)

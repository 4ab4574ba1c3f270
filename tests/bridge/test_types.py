"""The types of results are those of the Hub's own modules: arrays where these give arrays, ints where ints."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bridge.conftest import NAMES
from bridge.record import GOLDEN, called
from bridge.test_hub import OF_LABELS, OPTIONS, live_module, shaped
from needs import WITH_ENCODER

import metrologue
from metrologue.bridge.results import NamedRate

TEXTS = ["the cat sat on a mat", "a dog ran away", "rain fell all day"]
OTHERS = [["the cat sat on the mat"], ["one dog ran home"], ["it rained all day"]]
LABELS = {"predictions": [0, 1, 2, 1], "references": [0, 1, 1, 1]}
NUMBERS = {"predictions": [1.0, 2.0, 3.0, 5.0], "references": [1.0, 3.0, 2.0, 4.0]}
CALLS: dict[str, list[dict[str, Any]]] = {
    **{name: [LABELS] for name in OF_LABELS},
    **{name: [{**LABELS, "average": average} for average in (None, "macro")] for name in ("f1", "precision", "recall")},
    "accuracy": [LABELS, {**LABELS, "normalize": False}],
    "confusion_matrix": [
        LABELS, {**LABELS, "normalize": "all"}, {**LABELS, "sample_weight": [0.5, 1, 1, 1]},
        {**LABELS, "sample_weight": [2, 1, 1, 1]},
    ],
    "mcnemar": [{"predictions1": [1, 0, 1, 1], "predictions2": [0, 1, 1, 1], "references": [1, 1, 0, 1]}],
    "wilcoxon": [{"predictions1": [1.0, 2, 3, 4, 5], "predictions2": [2.0, 1, 3, 5, 9]}],
    "pearsonr": [NUMBERS, {**NUMBERS, "return_pvalue": True}],
    "mse": [NUMBERS, {**NUMBERS, "multioutput": "raw_values"}, {**NUMBERS, "squared": False}],
    "spearmanr": [NUMBERS, {**NUMBERS, "return_pvalue": True}],
    **{name: [shaped(name, TEXTS, OTHERS)] for name in OPTIONS},
}  # fmt: skip
# Those with a language model or an encoder are compared with the live ones in tests/metrics.
WITH_MODEL = {"perplexity", "mauve", *WITH_ENCODER}


def form(value: Any) -> Any:
    """What a value is: containers and arrays by their own kind, numbers by whether they count."""
    if isinstance(value, dict):
        return {key: form(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return "array", value.dtype.kind, value.shape
    if isinstance(value, list | tuple):
        return type(value).__name__, [form(each) for each in value]
    if isinstance(value, bool | np.bool_):
        return "bool"
    if isinstance(value, int | np.integer):
        return "int"
    return "float" if isinstance(value, float | np.floating) else type(value).__name__


def test_every_shared_module_has_a_call(hub_modules: Path) -> None:
    here = {*NAMES, *metrologue.list_comparisons(), *metrologue.list_statistics()}
    assert {name for name in here if (hub_modules / name).is_dir()} - WITH_MODEL == {*CALLS}


@pytest.mark.parametrize("name", CALLS)
def test_types_are_the_hubs(name: str, hub_modules: Path, punkt_data: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "trapz", np.trapezoid, raising=False)  # CUAD's script calls it as it was
    ours, theirs = metrologue.load(name), live_module(name)
    recorded = json.loads(path.read_text("utf-8")) if (path := GOLDEN / f"{name}.json").is_file() else {"outputs": []}
    calls = [called(recorded, each) for each in recorded["outputs"] if "result" in each]
    calls = [call for call in calls if len(str(call)) < 2000]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in [*CALLS[name], *calls[:8]]:
            found, expected = ours.compute(**call), theirs.compute(**call)
            found = float(found) if isinstance(found, NamedRate) else found
            assert form(found) == form(expected), call


def test_arrays_do_what_arrays_do() -> None:
    matrix = metrologue.load("confusion_matrix").compute(**LABELS)["confusion_matrix"]
    assert matrix[:, 1].tolist() == [0, 2, 0]
    each = metrologue.load("f1").compute(**LABELS, average=None)["f1"]
    assert each.mean() == pytest.approx(metrologue.load("f1").compute(**LABELS, average="macro")["f1"], rel=1e-15)

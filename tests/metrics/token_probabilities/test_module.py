"""The modules through `evaluate`: lists of numbers, lines and texts; batches; masks over all of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from small_model import WordModel

import metrologue
from metrologue.errors import InputError
from metrologue.scorers import get_scorer

ROWS = [[0.5, 0.25], [0.125], [1.0, 0.5, 0.03]]


@pytest.fixture(params=["cross_entropy", "likelihood"])
def module(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return metrologue.load(request.param, cache_dir=str(tmp_path))


def test_numbers_in_any_form(module: Any) -> None:
    expected = {module.metric: get_scorer(module.metric)().corpus(ROWS).value}
    lines = [" ".join(map(str, row)) for row in ROWS]
    for form in (ROWS, lines, pa.array(ROWS), [np.array(row) for row in ROWS], iter(ROWS)):
        assert module.compute(predictions=form) == expected
    for row in ROWS[:2]:
        module.add(prediction=row)
    module.add_batch(predictions=[])
    assert module.compute(predictions=ROWS[2:]) == expected
    module.add_batch(predictions=ROWS)
    with pytest.raises(InputError, match="`predictions` are texts, but earlier batches had numbers"):
        module.add_batch(predictions=lines)
    assert module.compute() == expected


def test_options(module: Any) -> None:
    scorer = get_scorer(module.metric)
    mask, unknown = [[1, 0], [1], [1, 1, 0]], [[0, 0], [1], [0, 0, 1]]
    module.add_batch(predictions=ROWS[:1])
    found = module.compute(predictions=ROWS[1:], mask=mask, unknown=unknown, oov="exclude", per_segment=False)
    assert found == {module.metric: scorer(oov="exclude").corpus(ROWS, mask=mask, unknown=unknown).value}
    logs = [[-1.0, -2.0], [0.0]]
    found = module.compute(
        predictions=logs, values="log-probabilities", log_base="10", signature=True, per_segment=True
    )
    same = scorer(values="log-probabilities", log_base="10")
    assert found[module.metric] == same.corpus(logs).value
    assert found["signature"] == same.signature
    assert found["segments"][module.metric] == same.segments(logs).tolist()


def test_a_model(module: Any) -> None:
    model = WordModel("words@3", 2.0, {"a": -1.0, "b": -2.0}, -math.inf)
    scorer = get_scorer(module.metric)(model=model)
    assert module.compute(predictions=["a b", "b"], model=model) == {module.metric: scorer.corpus(["a b", "b"]).value}
    impossible = module.compute(predictions=["a zebra"], model=model)[module.metric]
    assert impossible == {"cross_entropy": math.inf, "likelihood": 0.0}[module.metric]
    with pytest.raises(InputError, match=r"there is no file or folder 'missing\.arpa'"):
        module.compute(predictions=["a"], model="missing.arpa")


def test_bad_input_leaves_nothing(module: Any, tmp_path: Path) -> None:
    for wrong in ([[0.5], [2.0]], [[0.5], [-1]]):
        with pytest.raises(InputError, match=r"`predictions\[1\]` has .* at index 0; a probability"):
            module.compute(predictions=wrong)
    with pytest.raises(InputError, match=r"`mask\[0\]` has 1 items, but there are 2 tokens"):
        module.compute(predictions=[[0.5, 0.5]], mask=[[1]])
    assert not [path for path in tmp_path.rglob("*") if path.suffix == ".arrow"]
    value = module.compute(predictions=[[1.0]])[module.metric]
    assert value == {"cross_entropy": 0.0, "likelihood": 1.0}[module.metric]

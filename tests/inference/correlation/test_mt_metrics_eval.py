"""The numbers of WMT's program, by what it gave when it was run (``record.py``)."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrologue.inference.correlation import (
    correlation,
    pair_permutation_test,
    permutation_test,
    soft_pairwise_accuracy,
    williams_test,
)

RECORD = json.loads(Path(__file__).with_name("mt_metrics_eval.json").read_text("utf-8"))
LEVELS = {"none": "segment", "item": "item"}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Without the warnings of items where a column does not vary."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def ours(what: str, texts: dict[str, Any]) -> Any:
    """Our number for a name in the record."""
    *name, average = what.split()
    human, first, second = texts["human"], texts["first"], texts["second"]
    if what == "soft pairwise accuracy":
        return soft_pairwise_accuracy(first, human)
    level = LEVELS[average]
    kinds: dict[str, Callable[[], Any]] = {
        "calibrated": lambda: calibrated(name[1], texts, level),
        "acc23": lambda: correlation(first, human, method="acc23", level=level, tie=0.5).value,
        "permutation": lambda: of_test(
            permutation_test(first, second, human, method=name[1], level=level, permutations=200, seed=7)
        ),
        "pairs": lambda: of_test(pair_permutation_test(first, second, human, level=level, permutations=100, seed=7)),
    }
    if name[0] in kinds:
        return kinds[name[0]]()
    method = name[0].replace("kendall-acc23", "acc23")
    return correlation(first, human, method=method, level=level).value


def calibrated(variant: str, texts: dict[str, Any], level: str) -> list[float]:
    method = {"23": "kendall-23"}.get(variant, variant)
    found = correlation(texts["first"], texts["human"], method=method, level=level, tie="calibrated")
    return [found.value, found.tie]


def of_test(found: Any) -> list[float]:
    return [found.difference, found.permutations, found.reached]


@pytest.mark.parametrize(
    ("case", "what"), [(case, what) for case, outputs in RECORD["outputs"].items() for what in outputs]
)
def test_numbers_of_the_program(case: str, what: str) -> None:
    expected = RECORD["outputs"][case][what]
    if what.startswith(("permutation", "pairs")):
        # The program counts an equal difference if rounding makes it larger; the last number is that count.
        expected = expected[:-1]
    np.testing.assert_allclose(ours(what, RECORD["scores"][case]), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("call", RECORD["williams"])
def test_williams(call: list[float]) -> None:
    *given, units, one, two = call
    r_first, r_second, r_between = given
    assert williams_test(r_first, r_second, r_between, int(units)) == pytest.approx(one, rel=1e-11)
    assert williams_test(r_first, r_second, r_between, int(units), one_sided=False) == pytest.approx(two, rel=1e-11)

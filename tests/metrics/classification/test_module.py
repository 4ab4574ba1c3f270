"""The modules of precision, recall and F1: arguments whose values need care."""

import math
from typing import Any

import numpy as np
import pytest

import metrologue
from metrologue import InputError
from metrologue.scorers import Precision

ROWS: dict[str, Any] = {"predictions": [[1, 0, 0], [1, 1, 0]], "references": [[1, 0, 0], [0, 1, 0]]}
LABELS: dict[str, Any] = {"predictions": [0, 1, 1, 2], "references": [0, 1, 2, 2]}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"labels": [0, 3], "average": None}, r"`labels\[1\]` is 3; a column, an int from 0 to 2, is expected"),
        ({"labels": [-1], "average": "micro"}, r"`labels\[0\]` is -1; a column, an int from 0 to 2, is expected"),
        ({"labels": [True, 1], "average": "micro"}, "None or a list of labels, each once, is expected"),
        ({"labels": ["0", 1], "average": "micro"}, "`labels` has strings and numbers; all must be ints, or all"),
        ({"labels": 1, "average": "micro"}, "`labels` is 1; a list of labels is expected"),
        ({"average": None, "confidence": 0.9}, "`confidence` needs an average; without it there is no interval"),
        ({"average": "micro", "zero_division": 0.5}, "`zero_division` is 0.5; 0, 1, NaN or 'warn' is expected"),
    ],
)
def test_arguments_that_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        metrologue.load("f1", "multilabel").compute(**ROWS, **given)


@pytest.mark.filterwarnings("ignore:.*is 0/0")
def test_one_rule_for_0_divided_by_0() -> None:
    """The module and the scorer take what scikit-learn takes, and the names in a signature."""
    sklearn = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    module, given = metrologue.load("precision"), {"predictions": [1, 1], "references": [0, 1]}
    for zero in (0, 1.0, True, math.nan, np.float32("nan"), "nan", "1", "warn"):
        scorer = Precision(average="macro", zero_division=zero)
        assert Precision.from_signature(scorer.signature) == scorer
        number = module.compute(**given, average="macro", zero_division=zero)["precision"]
        assert number == scorer.corpus([1, 1], [0, 1]).value
        if zero not in ("nan", "1"):
            assert number == sklearn.precision_score([0, 1], [1, 1], average="macro", zero_division=zero)
    for wrong in (2, 0.5, "NaN", None):
        with pytest.raises(InputError, match="zero_division"):
            Precision(average="macro", zero_division=wrong)
        with pytest.raises(InputError, match="zero_division"):
            module.compute(**given, average="macro", zero_division=wrong)


def test_a_column_without_a_1_counts_in_a_mean() -> None:
    module = metrologue.load("f1", "multilabel")
    with pytest.warns(UserWarning, match="f1 is 0/0 for the labels 2 and counts as 0"):
        each = module.compute(**ROWS, average=None)["f1"]
    assert each == pytest.approx([2 / 3, 1, 0])
    assert module.compute(**ROWS, average="macro", zero_division=1)["f1"] == pytest.approx(8 / 9)
    assert module.compute(**ROWS, average="macro", zero_division=math.nan)["f1"] == pytest.approx(5 / 6)
    assert "labels=[0,1,2]" in module.compute(**ROWS, average="micro", signature=True)["signature"]


def test_a_score_that_is_no_number() -> None:
    module = metrologue.load("recall")
    given = {**LABELS, "labels": [9], "average": "macro", "zero_division": np.nan}
    with pytest.warns(UserWarning, match="none of `labels` occurs; the labels are 0, 1, 2"):
        found = module.compute(**given, signature=True)
    assert math.isnan(found["recall"])
    assert "zero_division=nan" in found["signature"]
    with pytest.raises(InputError, match="`confidence` needs a number, and this one is 0/0"):
        module.compute(**given, confidence=0.9)


def test_labels_may_be_bools_and_whole_floats() -> None:
    module = metrologue.load("precision")
    expected = module.compute(**LABELS, labels=[1, 0], average="macro")
    for labels in ([True, False], [1.0, 0.0], np.array([1, 0]), (1, 0), ["1", "0"]):
        assert module.compute(**LABELS, labels=labels, average="macro") == expected


@pytest.mark.parametrize("beta", [0.5, 2])
def test_f_with_any_beta(beta: float) -> None:
    sklearn = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    module, right = metrologue.load("f1"), LABELS["references"]
    expected = sklearn.fbeta_score(right, LABELS["predictions"], average="macro", beta=beta)
    found = module.compute(**LABELS, average="macro", beta=beta, signature=True)
    assert found["f1"] == pytest.approx(expected, rel=1e-12)
    assert f"beta={float(beta)}" in found["signature"]
    each = sklearn.fbeta_score(right, LABELS["predictions"], average=None, beta=beta)
    assert module.compute(**LABELS, average=None, beta=beta)["f1"] == pytest.approx(each, rel=1e-12)
    recall = metrologue.load("recall").compute(**LABELS, average="macro", beta=beta, per_segment=True)
    assert recall["recall"] == sklearn.recall_score(right, LABELS["predictions"], average="macro")

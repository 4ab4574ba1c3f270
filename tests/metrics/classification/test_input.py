"""Bad input: an error names the argument, the index, what came and what is expected."""

from typing import Any

import numpy as np
import pytest

from metrics.classification.labelled import label_segments
from metrologue import InputError
from metrologue.scorers import F1, Accuracy, ConfusionMatrix, Precision, Recall
from metrologue.scorers.core.totals import Totals


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([0, 1.5], [0, 1], r"`predictions\[1\]` is float 1.5; a label must be an int, a str or a bool"),
        (np.array([0.0, 0.25]), [0, 1], r"`predictions\[1\]` is float 0.25; a label must be"),
        ([0, 1], [0, float("nan")], r"`references\[1\]` is float nan; a label must be"),
        ([0, 1], np.array([0, np.inf]), r"`references\[1\]` is float inf; a label must be"),
        ([0, None], [0, 1], r"`predictions\[1\]` is None; a label must be"),
        (["a", None], ["a", "b"], r"`predictions\[1\]` is None; a label must be"),
        (["a", 1], ["a", "b"], r"`predictions\[1\]` is int 1, but the first label is str 'a'; all labels must be"),
        ([1, "a"], [1, 2], r"`predictions\[1\]` is str 'a', but the first label is int 1; all labels must be"),
        ([0, 1], ["0", "1"], r"references have labels such as '0', predictions such as 0; all labels must be"),
        ([0, 1], [0], "2 predictions but 1 reference;"),
        ([0, 2**70], [0, 1], r"`predictions\[1\]` is int 11805.*; an int of 64 bits is expected"),
        ([[0], 1], [0, 1], r"`predictions\[1\]` is int 1; a list of items is expected"),
        ([0, 1], [[0], [1, 0]], r"`references\[1\]` is list \[1, 0\]; one label is expected"),
        ("ab", ["a", "b"], "`predictions` is a bare str 'ab'; wrap it in a list"),
        (0, [0], "`predictions` is a int; a list of labels is expected"),
        ([], [], "no segments; a score needs at least one"),
        ([0], None, "`references` are missing"),
    ],
)
@pytest.mark.parametrize("scorer", [Accuracy(), F1(average="macro"), ConfusionMatrix()], ids=lambda each: each.name)
def test_labels(scorer: Any, predictions: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        scorer.corpus(predictions, references)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1], "2 predictions but 1 sample_weight"),
        ([1, -0.5], r"`sample_weight\[1\]` is -0.5; a finite number of 0 or more is expected"),
        ([float("nan"), 1], r"`sample_weight\[0\]` is nan; a finite number"),
        ([1, float("inf")], r"`sample_weight\[1\]` is inf; a finite number"),
        ([0, 0], "`sample_weight` has zeros only; at least one weight must be above 0"),
        (["a", "b"], r"`sample_weight` is \['a', 'b'\]; a list of numbers is expected"),
        ([[1], [2]], "`sample_weight` has 2 dimensions; a list of numbers is expected"),
    ],
)
def test_weights(weights: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        label_segments([0, 1], [0, 1], weights)


@pytest.mark.parametrize(
    ("fields", "predictions", "references", "message"),
    [
        ({}, [0, 1, 2], [0, 1, 2], r"there are 3 labels \(0, 1, 2\), but average='binary' is for two; choose micro"),
        ({"pos_label": 7}, [0, 1], [0, 1], "`pos_label` is '7', but the labels are 0, 1"),
        ({}, ["ham", "spam"], ["ham", "ham"], "`pos_label` is '1', but the labels are 'ham', 'spam'"),
        ({"average": "samples"}, [0, 1], [0, 1], "average='samples' is for sets of labels; choose another average"),
        ({}, [{0}], [{1}], "average='binary' is not for sets of labels; choose another average"),
        ({"average": "micro"}, [{0}], [1], "`references` are labels, but `predictions` are sets of labels"),
        ({"average": "micro"}, [{0.5}], [{1}], "a set has the label float 0.5; a label must be"),
        (
            {"average": "micro"},
            [[2], [0, 1, 0]],
            [[1], [1]],
            r"`predictions\[1\]` has the label 0 twice; a set of labels is",
        ),
        ({"average": "macro"}, [[1]], np.array([[1, 1]]), r"`references\[0\]` has the label 1 twice; .*\"multilabel\""),
        ({"average": "micro"}, [{"a"}], [{1}], "all labels must be numbers, or all must be str"),
        ({"average": "macro", "zero_division": "nan", "labels": [0]}, [0], [1], None),
    ],
)
def test_fields_that_do_not_suit_the_labels(
    fields: dict[str, Any], predictions: Any, references: Any, message: str | None
) -> None:
    if message is None:  # F1 is defined, although precision or recall is not
        assert F1(**fields).corpus(predictions, references).value == 0.0
        return
    with pytest.raises(InputError, match=message):
        F1(**fields).corpus(predictions, references)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"labels": []}, "`labels` is .*; None or a list of labels, each once, is expected"),
        ({"labels": [1, 1]}, "None or a list of labels, each once, is expected"),
        ({"labels": [1.5]}, "`labels` is .*; None or a list of labels is expected"),
        ({"labels": "ab"}, "None or a list of labels is expected"),
        ({"average": "mean"}, "`average` is 'mean'; binary or micro or macro or weighted or samples is expected"),
        ({"zero_division": 2}, "`zero_division` is '2'; warn or 0 or 1 or nan is expected"),
        ({"pos_label": None}, "`pos_label` is None; a label, a str or an int is expected"),
    ],
)
def test_fields(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        F1(**fields)


def test_a_matrix_without_any_of_its_labels() -> None:
    with pytest.raises(InputError, match="none of `labels` occurs in the references"):
        ConfusionMatrix(labels=[1]).corpus([1, 1], [0, 0])
    with pytest.raises(InputError, match="sets of labels have no confusion matrix"):
        ConfusionMatrix().corpus([{0}], [{1}])


def test_a_number_that_is_not_one() -> None:
    with pytest.raises(InputError, match="`f1` is infinite or not a number"):
        F1(zero_division="nan").corpus([0], [0])


@pytest.mark.parametrize(
    ("scorer", "predictions", "references", "message"),
    [
        (F1(average="macro", labels=["a", "c"]), ["a"], ["a"], "F1: f1 is 0/0 for the labels c and counts as 0"),
        (Recall(average="weighted"), [0, 1], [1, 1], "Recall: recall is 0/0 for the labels 0 and counts as 0"),
        (Precision(average="micro", labels=[0]), [1, 1], [0, 1], "precision is 0/0 for all labels together and counts"),
        (F1(average="samples"), [{0}, set()], [{0}, set()], "F1: f1 is 0/0 for 1 of 2 segments and counts as 0"),
        (F1(average="macro", labels=[7, 8], zero_division=0), [0], [1], "none of `labels` occurs; the labels are 0, 1"),
        (F1(average="macro", pos_label=0), [0, 1], [0, 1], "`pos_label` has no effect; it is for average='binary'"),
        (ConfusionMatrix(), [3], [3], "ConfusionMatrix: there is one label, 3; give `labels` to have rows for all"),
    ],
)
def test_warnings(scorer: Any, predictions: Any, references: Any, message: str) -> None:
    with pytest.warns(UserWarning, match=message) as caught:
        scorer.corpus(predictions, references)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("scorer", "predictions", "references"),
    [
        (Precision(average="micro"), [1, 1], [0, 1]),  # the label 0 was never predicted, but the sum is not 0
        (Precision(average="macro", zero_division=0), [1, 1], [0, 1]),
        (F1(average="samples"), [{0}], [{1}]),
        (ConfusionMatrix(labels=[0, 1]), [0], [0]),
    ],
)
def test_no_warning(scorer: Any, predictions: Any, references: Any, recwarn: pytest.WarningsRecorder) -> None:
    scorer.corpus(predictions, references)
    assert not recwarn.list


def test_labels_of_fields_are_read_as_labels_of_segments_are() -> None:
    given = [0, 1, 1, 2], [0, 1, 2, 2]
    expected = F1(average="macro", labels=[1, 2], zero_division=0)
    assert F1(average="macro", labels=[1.0, np.float32(2)], zero_division=0.0) == expected
    flags = F1(average="macro", labels=[True, False]).corpus(*given).value
    assert flags == F1(average="macro", labels=[1, 0]).corpus(*given).value > 0
    assert F1(pos_label=True).corpus([0, 1], [1, 1]).value == F1(pos_label=1).corpus([0, 1], [1, 1]).value > 0


def test_totals_of_other_labels() -> None:
    scorer = F1(average="macro")
    with pytest.raises(InputError, match="one part has labels such as 0, the other one such as 'a'"):
        scorer.accumulate(["a"], ["a"], scorer.accumulate([0], [0]))


@pytest.mark.parametrize(
    "wrong",
    [
        {"labels": [1, 0]},
        {"labels": [0, "1"]},
        {"labels": [0.5]},
        {"labels": 3},
        {"actual": [7]},
        {"counts": [-1.0]},
        {"predicted": [0]},
        {"counts": ["1"]},
        {"actual": None},
    ],
)
def test_saved_totals_that_were_changed(wrong: dict[str, Any], tmp_path: Any) -> None:
    import json

    path = tmp_path / "totals.json"
    F1(average="macro").accumulate([0, 1], [0, 0]).save(path)
    data = json.loads(path.read_text())
    data["tables"]["confusion"] |= wrong
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match=r"totals\.json holds no saved totals"):
        Totals.load(path)

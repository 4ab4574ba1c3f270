"""scikit-learn itself, on labels of every type, with weights, chosen labels and sets; and torchmetrics."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from later import imported_later

from metrics.classification.labelled import label_segments
from metrologue import InputError
from metrologue.scorers import F1, Accuracy, ConfusionMatrix, MatthewsCorrelation, Precision, Recall
from metrologue.scorers.confusion_matrix import normalized
from metrologue.scorers.families.classification.averages import LabelScorer
from metrologue.scorers.families.classification.base import confusion_of

sklearn = imported_later("sklearn.metrics", reason="scikit-learn is not installed")
SCORERS: dict[str, type[LabelScorer]] = {"precision": Precision, "recall": Recall, "f1": F1}
ZERO = {"warn": "warn", 0: "0", 1: "1"}


@st.composite
def inputs(draw: st.DrawFn) -> dict[str, Any]:
    """Labels, weights or none, and some of the labels or none: those that occur, and one that may not."""
    kinds = [[0, 1], [0, 1, 2], [5, -7], ["a", "b"], ["a", "é", "猫\0猫"], [1], [True, False], [-3, 10**12, 4]]
    known = draw(st.sampled_from(kinds))
    count = draw(st.integers(1, 9))
    sides = [draw(st.lists(st.sampled_from(known), min_size=count, max_size=count)) for _ in range(2)]
    weight = st.sampled_from([0.5, 1.0, 2.0, 0.0, 0.3])
    weights = draw(st.none() | st.lists(weight, min_size=count, max_size=count).filter(any))
    never = "zz" if isinstance(known[0], str) else 99
    chosen = draw(st.none() | st.lists(st.sampled_from([*known, never]), min_size=1, unique=True))
    return {"predictions": sides[0], "references": sides[1], "sample_weight": weights, "labels": chosen}


def theirs(score: Any, given: dict[str, Any], **options: Any) -> Any:
    """What scikit-learn gives; None if it fails."""
    sides = [
        np.array(given[name], object) if isinstance(given[name][0], str) else np.array(given[name])
        for name in ("references", "predictions")
    ]
    more = {} if given["labels"] is None else {"labels": given["labels"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return score(*sides, sample_weight=given["sample_weight"], **more, **options)
        except ValueError:
            return None


@given(
    given=inputs(),
    name=st.sampled_from([*SCORERS]),
    average=st.sampled_from(["binary", "micro", "macro", "weighted"]),
    zero=st.sampled_from([*ZERO]),
    data=st.data(),
)
def test_averages(given: dict[str, Any], name: str, average: str, zero: Any, data: st.DataObject) -> None:
    positive = data.draw(st.sampled_from([*given["references"], *given["predictions"]]))
    scorer = SCORERS[name](average=average, zero_division=zero, labels=given["labels"], pos_label=positive)
    options = {"pos_label": positive} if average == "binary" else {}
    expected = theirs(getattr(sklearn, f"{name}_score"), given, average=average, zero_division=zero, **options)
    segments = label_segments(given["predictions"], given["references"], given["sample_weight"])
    if expected is None:
        with pytest.raises(InputError):
            scorer.corpus(segments)
    else:
        assert scorer.corpus(segments).value == pytest.approx(expected, rel=1e-12, abs=0)


@given(given=inputs(), zero=st.sampled_from([*ZERO]))
def test_each_label(given: dict[str, Any], zero: Any) -> None:
    segments = label_segments(given["predictions"], given["references"], given["sample_weight"])
    scorer = F1(average="macro", zero_division=zero, labels=given["labels"])
    found = scorer.of_each_label(confusion_of(segments, "F1"))
    expected = theirs(sklearn.precision_recall_fscore_support, given, zero_division=zero)
    np.testing.assert_allclose(found, np.column_stack(expected[:3]), rtol=1e-12)


@given(given=inputs(), name=st.sampled_from([*SCORERS]))
def test_labels_that_are_left_out_of_a_mean(given: dict[str, Any], name: str) -> None:
    scorer = SCORERS[name](average="macro", zero_division="nan", labels=given["labels"])
    expected = theirs(getattr(sklearn, f"{name}_score"), given, average="macro", zero_division=np.nan)
    segments = label_segments(given["predictions"], given["references"], given["sample_weight"])
    if np.isnan(expected):
        assert np.isnan(scorer._value_of(segments))
        with pytest.raises(InputError):
            scorer.corpus(segments)
    else:
        assert scorer.corpus(segments).value == pytest.approx(expected, rel=1e-12, abs=0)


def test_scikit_learn_cuts_nul_characters_off_the_end_of_labels() -> None:
    """Its array of the labels that it found does, so that the matrix has no place for such a label."""
    given: dict[str, Any] = {"predictions": ["a"], "references": ["b\0"], "sample_weight": None, "labels": None}
    assert theirs(sklearn.confusion_matrix, given).tolist() == [[0, 0], [0, 0]]
    result = ConfusionMatrix().corpus(["a"], ["b\0"])
    assert result.confusion is not None
    assert result.confusion.matrix().tolist() == [[0, 0], [1, 0]]


@given(given=inputs(), over=st.sampled_from(["none", "true", "pred", "all"]))
def test_confusion_matrix(given: dict[str, Any], over: str) -> None:
    segments = label_segments(given["predictions"], given["references"], given["sample_weight"])
    scorer = ConfusionMatrix(labels=given["labels"], normalize=over)
    expected = theirs(sklearn.confusion_matrix, given, normalize=None if over == "none" else over)
    if expected is None:
        with pytest.raises(InputError):
            scorer.corpus(segments)
        return
    result = scorer.corpus(segments)
    assert result.confusion is not None
    np.testing.assert_allclose(scorer.matrix(result.confusion), expected, rtol=1e-12)


@given(given=inputs(), share=st.booleans())
def test_accuracy(given: dict[str, Any], share: bool) -> None:
    segments = label_segments(given["predictions"], given["references"], given["sample_weight"])
    expected = theirs(sklearn.accuracy_score, {**given, "labels": None}, normalize=share)
    assert Accuracy(normalize=share).corpus(segments).value == pytest.approx(expected, rel=1e-12, abs=0)


def test_many_labels() -> None:
    """More pairs of labels than a table has places for."""
    generator = np.random.default_rng(1)
    right, ours = generator.integers(-(10**9), 10**9, (2, 3000))
    ours[::2] = right[::2]
    for average in ("micro", "macro", "weighted"):
        expected = sklearn.f1_score(right, ours, average=average, zero_division=0)
        assert F1(average=average, zero_division=0).corpus(ours, right).value == pytest.approx(expected, rel=1e-12)


def rows(width: int) -> st.SearchStrategy[list[list[list[int]]]]:
    row = st.lists(st.integers(0, 1), min_size=width, max_size=width)
    return st.lists(st.tuples(row, row).map(list), min_size=1, max_size=6)


@given(
    pairs=st.integers(2, 4).flatmap(rows),
    average=st.sampled_from(["micro", "macro", "weighted", "samples"]),
    zero=st.sampled_from([*ZERO]),
    weighted=st.booleans(),
)
def test_sets(pairs: list[list[list[int]]], average: str, zero: Any, weighted: bool) -> None:
    ours, right = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
    weights = [0.5 + index for index in range(len(pairs))] if weighted else None
    sets = [[{*np.flatnonzero(row).tolist()} for row in side] for side in (ours, right)]
    segments = label_segments(*sets, weights)
    # A set has no label that neither side ever has, which a table of 0 and 1 has.
    scorer = F1(average=average, zero_division=zero, labels=[*range(ours.shape[1])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = sklearn.f1_score(right, ours, average=average, zero_division=zero, sample_weight=weights)
        exact = sklearn.accuracy_score(right, ours, sample_weight=weights)
    assert scorer.corpus(segments).value == pytest.approx(expected, rel=1e-12, abs=0)
    assert Accuracy().corpus(segments).value == pytest.approx(exact, rel=1e-12)


def test_torchmetrics_leaves_absent_labels_out_of_a_macro_mean() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    functional = pytest.importorskip("torchmetrics.functional.classification")
    ours, right = [0, 1, 1, 0], [0, 1, 0, 0]
    found = functional.multiclass_f1_score(torch.tensor(ours), torch.tensor(right), num_classes=3, average="macro")
    skipped, counted = (
        F1(average="macro", labels=[0, 1, 2], absent_labels=each, zero_division=0) for each in ("skip", "count")
    )
    assert skipped.corpus(ours, right).value == pytest.approx(float(found), rel=1e-6) == pytest.approx(11 / 15)
    counted_value = sklearn.f1_score(right, ours, labels=[0, 1, 2], average="macro", zero_division=0)
    assert counted.corpus(ours, right).value == pytest.approx(counted_value, rel=1e-12) == pytest.approx(22 / 45)


def test_the_accuracy_that_torchmetrics_gives_by_default_is_the_macro_recall() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    functional = pytest.importorskip("torchmetrics.functional.classification")
    ours, right = [0, 0, 0, 0], [0, 0, 0, 1]
    found = functional.multiclass_accuracy(torch.tensor(ours), torch.tensor(right), num_classes=2)
    assert float(found) == Recall(average="macro").corpus(ours, right).value == 0.5
    assert Accuracy().corpus(ours, right).value == 0.75


def test_a_matrix_of_nothing_has_no_shares() -> None:
    assert normalized(np.zeros((2, 2)), "true").tolist() == [[0, 0], [0, 0]]


@given(
    given=inputs(),
    average=st.sampled_from(["micro", "macro", "weighted"]),
    zero=st.sampled_from([*ZERO]),
    beta=st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.7]),
)
def test_f_with_any_beta(given: dict[str, Any], average: str, zero: Any, beta: float) -> None:
    scorer = F1(average=average, zero_division=zero, labels=given["labels"], beta=beta)
    expected = theirs(sklearn.fbeta_score, given, average=average, zero_division=zero, beta=beta)
    if expected is None:
        return
    segments = label_segments(given["predictions"], given["references"], given["sample_weight"], "F1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert scorer.corpus(segments).value == pytest.approx(expected, rel=1e-12, abs=1e-15)
        if average == "macro":
            each = theirs(sklearn.fbeta_score, given, average=None, zero_division=zero, beta=beta)
            found = scorer.of_each_label(confusion_of(segments, "F1"))[:, 2]
            assert found.tolist() == pytest.approx(each.tolist(), rel=1e-12)


@given(given=inputs())
def test_the_confusion_matrix_and_the_accuracy_of_each_label(given: dict[str, Any]) -> None:
    expected = theirs(sklearn.multilabel_confusion_matrix, given)
    if expected is None:
        return
    segments = label_segments(given["predictions"], given["references"], given["sample_weight"], "F1")
    labels = given["labels"] and tuple(map(str, given["labels"]))
    confusion = confusion_of(segments, "F1")
    found = ConfusionMatrix(labels=labels).of_each_label(confusion)
    assert found == pytest.approx(np.asarray(expected, float), rel=1e-12, abs=1e-12)
    right = np.trace(found, axis1=1, axis2=2) / found.sum(axis=(1, 2))
    assert ConfusionMatrix(labels=labels).accuracy_of_each_label(confusion) == pytest.approx(right)


@given(given=inputs())
def test_matthews_correlation_with_weights(given: dict[str, Any]) -> None:
    """Up to rounding: a difference of sums that are about equal has few digits."""
    expected = theirs(sklearn.matthews_corrcoef, {**given, "labels": None})
    segments = label_segments(given["predictions"], given["references"], given["sample_weight"])
    assert MatthewsCorrelation().corpus(segments).value == pytest.approx(expected, rel=1e-9, abs=1e-7)

"""Modules of metrics that take sets of labels as well as texts."""

from __future__ import annotations

from typing import Any

import pytest

from metrologue import InputError, load
from metrologue.scorers import get_scorer, list_scorers

pytestmark = pytest.mark.bridge

# The labels of PEAK are triples; tests/metrics/peak has its tests.
NAMES = [name for name in list_scorers() if get_scorer(name).takes("sets") and name != "peak"]
PREDICTIONS: list[Any] = [{"a", "b"}, ["c", 1, ("x", 2.0)], ("d",), []]
REFERENCES: list[Any] = [[{"a"}], [["c", 1.0, ("x", 2)], ["c"]], ["d", "e"], [[], ["f"]]]


@pytest.fixture(params=NAMES)
def labelled(request: pytest.FixtureRequest) -> Any:
    return load(request.param)


def test_there_are_such_metrics() -> None:
    assert {"dice", "masi"} <= {*NAMES}


def test_the_number_is_that_of_the_scorer(labelled: Any) -> None:
    scorer = get_scorer(labelled.metric)()
    found = labelled.compute(predictions=PREDICTIONS, references=REFERENCES, per_segment=True)
    expected = scorer.corpus(PREDICTIONS, REFERENCES).scores
    segments = found.pop("segments")
    assert found == {key: expected[key] for key in found}
    assert segments[scorer.primary] == scorer.segments(PREDICTIONS, REFERENCES).tolist()


def test_one_by_one_and_in_batches(labelled: Any) -> None:
    expected = labelled.compute(predictions=PREDICTIONS, references=REFERENCES)
    for prediction, reference in zip(PREDICTIONS[:2], REFERENCES[:2], strict=True):
        labelled.add(prediction=prediction, reference=reference)
    labelled.add_batch(predictions=[], references=[])
    labelled.add_batch(predictions=PREDICTIONS[2:], references=REFERENCES[2:])
    assert labelled.compute() == expected
    texts = labelled.compute(predictions=["a b"], references=["a b"])
    assert texts[labelled.metric] == 1.0


def test_labels_and_texts_are_not_mixed(labelled: Any) -> None:
    labelled.add_batch(predictions=[["a"]], references=[["a"]])
    with pytest.raises(InputError, match="`predictions` are texts, but earlier batches had labels"):
        labelled.add_batch(predictions=["a"], references=["a"])
    assert labelled.compute()[labelled.metric] == 1.0
    labelled.add_batch(predictions=["a"], references=["a"])
    with pytest.raises(InputError, match="`predictions` are labels, but earlier batches had texts"):
        labelled.add(prediction={"a"}, reference={"a"})
    assert labelled.compute()[labelled.metric] == 1.0


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([["a"], [{}]], [["a"], ["b"]], r"`predictions\[1\]` holds dict {} at 0, which is not hashable"),
        ([["a"], ["b"]], [["a"], [["b"], [b"c"]]], r"`references\[1\]` holds bytes b'c', which a module cannot keep"),
        ([["a"], "b"], [["a"], ["b"]], r"`predictions\[1\]` is str 'b'; a list of items is expected"),
        ([["a"]], [["a"], ["b"]], "1 prediction but 2 references"),
        ([["a"]], None, "`references` are missing; the metric compares sets with them"),
    ],
)
def test_bad_labels(labelled: Any, predictions: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^{type(labelled).__name__}: {message}"):
        labelled.compute(predictions=predictions, references=references)
    assert labelled.compute(predictions=[["a"]], references=[["a"]])[labelled.metric] == 1.0


def test_labels_are_refused_by_other_metrics() -> None:
    with pytest.raises(InputError, match=r"`predictions\[0\]` is .*; a str is expected"):
        load("gtm").compute(predictions=[["a"]], references=[["a"]])

"""Segments that are sequences of labels, against torchmetrics' inputs of two dimensions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.errors import InputError
from metrologue.scorers import F1, Accuracy, ConfusionMatrix, Precision, Recall
from metrologue.scorers.families.classification import averages
from metrologue.scorers.families.classification.averages import LabelScorer

Rows = list[list[int]]
CLASSES = 4
SCORERS: dict[str, type[LabelScorer]] = {"f1_score": F1, "precision": Precision, "recall": Recall}


@st.composite
def sequences(draw: st.DrawFn) -> tuple[Rows, Rows]:
    """Predicted and right labels, with as many places in each segment."""
    width = draw(st.integers(1, 5))
    row = st.lists(st.integers(0, CLASSES - 1), min_size=width, max_size=width)
    pairs = draw(st.lists(st.tuples(row, row), min_size=1, max_size=5))
    return [ours for ours, _ in pairs], [right for _, right in pairs]


def theirs(name: str, rows: tuple[Rows, Rows], **options: Any) -> Any:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    functional = pytest.importorskip("torchmetrics.functional.classification")
    ours, right = map(torch.tensor, rows)
    return getattr(functional, f"multiclass_{name}")(ours, right, num_classes=CLASSES, **options).numpy()


@given(rows=sequences(), name=st.sampled_from([*SCORERS]), average=st.sampled_from(["micro", "macro", "weighted"]))
def test_samplewise_scores_are_those_of_segments(rows: tuple[Rows, Rows], name: str, average: str) -> None:
    for labels in (None, [*range(CLASSES)]):
        scorer = SCORERS[name].variant("torchmetrics", average=average, lists="sequences", labels=labels)
        each = theirs(name, rows, average=average, multidim_average="samplewise")
        assert scorer.segments(*rows) == pytest.approx(each, rel=1e-6, abs=1e-7)
        whole = theirs(name, rows, average=average, multidim_average="global")
        assert scorer.corpus(*rows).value == pytest.approx(float(whole), rel=1e-6, abs=1e-7)
        mean = SCORERS[name].variant(
            "torchmetrics", average=average, lists="sequences", labels=labels, aggregation="mean"
        )
        assert mean.corpus(*rows).value == pytest.approx(float(each.mean()), rel=1e-6, abs=1e-7)


@given(rows=sequences())
def test_accuracy_and_exact_match(rows: tuple[Rows, Rows]) -> None:
    scorer = Accuracy.variant("torchmetrics", lists="sequences")
    result, columns = scorer.corpus(*rows), scorer.segment_scores(*rows)
    for way, found in (("global", result.scores), ("samplewise", columns)):
        expected = theirs("accuracy", rows, average="micro", multidim_average=way)
        assert found["accuracy"] == pytest.approx(expected, rel=1e-6)
        assert found["exact_match"] == pytest.approx(theirs("exact_match", rows, multidim_average=way), rel=1e-6)
    mean = Accuracy(lists="sequences", aggregation="mean")
    assert mean.corpus(*rows).value == pytest.approx(np.mean(columns["accuracy"]))


@given(rows=sequences())
def test_a_confusion_matrix_of_all_places(rows: tuple[Rows, Rows]) -> None:
    scorer = ConfusionMatrix(lists="sequences", labels=[*range(CLASSES)])
    flat = [[label for row in side for label in row] for side in rows]
    try:
        expected = ConfusionMatrix(labels=[*range(CLASSES)]).corpus(*flat)
    except InputError:
        return
    found = scorer.corpus(*rows)
    assert found.confusion.to_json() == expected.confusion.to_json()
    assert found.scores | {"count": len(flat[0])} == expected.scores


@given(rows=sequences(), weights=st.data())
def test_weights_and_batches(rows: tuple[Rows, Rows], weights: st.DataObject) -> None:
    given_weights = weights.draw(st.lists(st.integers(1, 3), min_size=len(rows[0]), max_size=len(rows[0])))
    repeated = [[row for row, count in zip(side, given_weights, strict=True) for _ in range(count)] for side in rows]
    for scorer in (Accuracy(lists="sequences"), F1(average="macro", lists="sequences", zero_division=0)):
        weighted = scorer.corpus(*rows, sample_weight=given_weights)
        assert weighted.scores == pytest.approx(scorer.corpus(*repeated).scores, rel=1e-14)
        totals = scorer.accumulate(rows[0][:1], rows[1][:1])
        if len(rows[0]) > 1:
            totals = scorer.accumulate(rows[0][1:], rows[1][1:], totals)
        assert scorer.score_totals(totals).scores == pytest.approx(scorer.corpus(*rows).scores, rel=1e-14)


def test_a_text_is_a_sequence_of_words() -> None:
    ours, right = ["B I O", "O"], ["B O O", "O"]
    split = [[text.split() for text in side] for side in (ours, right)]
    for scorer in (Accuracy(lists="sequences"), F1(average="macro", lists="sequences")):
        assert scorer.corpus(ours, right).scores == scorer.corpus(*split).scores
    assert F1(lists="sequences").segments(["1 0 1"], ["1 1 1"]).tolist() == [0.8]
    assert Accuracy(lists="sequences").corpus([1, 0], [1, 1]).value == 0.5


def test_segments_are_scored_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(3).integers(0, 5, (2, 40, 6)).tolist()
    scorer = F1(average="macro", lists="sequences", zero_division=0)
    whole = scorer.segments(*rows)
    monkeypatch.setattr(averages, "_BLOCK_CELLS", 100)
    np.testing.assert_array_equal(scorer.segments(*rows), whole)


def test_what_is_refused() -> None:
    tags = F1(average="macro", lists="sequences")
    with pytest.raises(InputError, match=r"`predictions\[1\]` has 2 labels, but its reference has 1; as many"):
        tags.corpus([[1], [1, 2]], [[1], [1]])
    with pytest.raises(InputError, match="average='samples' is for sets of labels"):
        F1(average="samples", lists="sequences").corpus([[1]], [[1]])
    with pytest.raises(InputError, match="`sample_weight` has no place in a mean of segments"):
        Accuracy(aggregation="mean").corpus([1], [1], sample_weight=[2])
    with pytest.raises(InputError, match=r"has the label 1 twice; .*choose lists='sequences'"):
        F1(average="macro").corpus([[1, 1]], [[1, 2]])
    with pytest.warns(UserWarning, match="precision is 0/0 for 1 of 2 segments and counts as 0"):
        Precision(lists="sequences", aggregation="mean").corpus([[1, 0], [0]], [[1, 1], [1]])

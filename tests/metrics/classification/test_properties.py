"""The scorers against the definitions in plain Python, on generated labels of every kind."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.classification.plain import accuracy, averaged, confusion_matrix, matthews_correlation
from metrologue.errors import InputError
from metrologue.scorers import F1, Accuracy, ConfusionMatrix, MatthewsCorrelation, Precision, Recall, Rouge
from metrologue.scorers.core.capabilities import blocks_below
from metrologue.scorers.families.classification import averages
from metrologue.scorers.families.classification.averages import LabelScorer
from metrologue.tracing import Matrix

Labels = list[Any]
SCORERS: tuple[type[LabelScorer], ...] = (Precision, Recall, F1)
KINDS = st.sampled_from(
    [[0, 1], [-3, 5, 10**12], [2**63 - 1, -(2**63)], ["a", "b", "é", ""], ["cat", "cats", "猫\0", "a b"], [True, False]]
)


@st.composite
def labelled(draw: st.DrawFn, min_size: int = 1) -> tuple[Labels, Labels]:
    """Labels of a few types, predicted and right."""
    label = st.sampled_from(draw(KINDS))
    pairs = draw(st.lists(st.tuples(label, label), min_size=min_size, max_size=12))
    return [ours for ours, _ in pairs], [right for _, right in pairs]


@given(pairs=labelled())
def test_accuracy(pairs: tuple[Labels, Labels]) -> None:
    result = Accuracy().corpus(*pairs)
    assert result.value == float(accuracy(*pairs))
    assert Accuracy(normalize=False).corpus(*pairs).value == result.scores["correct_count"]
    assert Accuracy().segments(*pairs).tolist() == [float(ours == right) for ours, right in zip(*pairs, strict=True)]


@given(pairs=labelled())
def test_confusion_matrix(pairs: tuple[Labels, Labels]) -> None:
    labels = sorted({*pairs[0], *pairs[1]})
    scorer = ConfusionMatrix()
    result = scorer.corpus(*pairs)
    assert result.confusion is not None
    assert [*result.confusion.labels] == labels
    assert scorer.matrix(result.confusion).tolist() == confusion_matrix(*pairs, labels)
    assert result.value == float(accuracy(*pairs))
    backwards = ConfusionMatrix(labels=labels[::-1])
    assert backwards.matrix(result.confusion).tolist() == confusion_matrix(*pairs, labels[::-1])


@given(pairs=labelled())
def test_matthews_correlation(pairs: tuple[Labels, Labels]) -> None:
    result = MatthewsCorrelation().corpus(*pairs)
    assert result.value == pytest.approx(matthews_correlation(*pairs), rel=1e-12, abs=1e-14)
    assert not MatthewsCorrelation().segments(*pairs).any()
    sequences = MatthewsCorrelation(lists="sequences")
    assert sequences.corpus(*([each] for each in pairs)).value == result.value
    assert sequences.segments(*([each] for each in pairs)).tolist() == [result.value]
    with pytest.raises(InputError, match="sets of labels have no Matthews' correlation"):
        MatthewsCorrelation().corpus([{1}, {2}], [{1}, {2, 3}])


@given(pairs=labelled(), average=st.sampled_from(["micro", "macro", "weighted"]), zero=st.sampled_from([0, 1]))
def test_averages(pairs: tuple[Labels, Labels], average: str, zero: int) -> None:
    labels = sorted({*pairs[0], *pairs[1]})
    expected = [*map(float, averaged(*pairs, labels, average, zero))]
    for scorer_type in SCORERS:
        scores = scorer_type(average=average, zero_division=zero).corpus(*pairs).scores
        assert [scores[name] for name in ("precision", "recall", "f1")] == pytest.approx(expected, rel=1e-14)


@given(pairs=labelled(), average=st.sampled_from(["micro", "macro", "weighted"]), zero=st.sampled_from([0, 1]))
def test_a_segment_is_a_corpus_of_its_own(pairs: tuple[Labels, Labels], average: str, zero: int) -> None:
    scorer = F1(average=average, zero_division=zero)
    alone = [scorer.corpus([ours], [right]).scores for ours, right in zip(*pairs, strict=True)]
    columns = scorer.segment_scores(*pairs)
    for name, column in columns.items():
        assert column.tolist() == pytest.approx([scores[name] for scores in alone], rel=1e-14)


@given(pairs=labelled(min_size=3), cut=st.integers(1, 2), average=st.sampled_from(["micro", "macro", "weighted"]))
def test_batches_merge_whatever_labels_they_have(pairs: tuple[Labels, Labels], cut: int, average: str) -> None:
    scorer, matrix = F1(average=average), ConfusionMatrix()
    for each in (scorer, matrix, Accuracy(), MatthewsCorrelation()):
        totals = each.accumulate(pairs[0][:cut], pairs[1][:cut])
        totals = each.accumulate(pairs[0][cut:], pairs[1][cut:], totals)
        assert each.score_totals(totals).scores == pytest.approx(each.corpus(*pairs).scores, rel=1e-14)
    whole = matrix.corpus(*pairs).confusion
    merged = matrix.score_totals(matrix.accumulate(*pairs)).confusion
    assert whole is not None
    assert merged is not None
    assert merged.to_json() == whole.to_json()


@given(pairs=labelled(), data=st.data())
def test_weights_are_repetitions(pairs: tuple[Labels, Labels], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(pairs[0]), max_size=len(pairs[0])))
    repeated = [[label for label, count in zip(side, weights, strict=True) for _ in range(count)] for side in pairs]
    for scorer in (Accuracy(), F1(average="macro"), F1(average="weighted"), ConfusionMatrix(), MatthewsCorrelation()):
        weighted = scorer.corpus(*pairs, sample_weight=weights)
        assert weighted.scores == pytest.approx(scorer.corpus(*repeated).scores, rel=1e-14)


@given(pairs=labelled())
def test_labels_of_every_container_are_equal(pairs: tuple[Labels, Labels]) -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    scorer = F1(average="macro")
    expected = scorer.corpus(*pairs).value
    for container in (tuple, pandas.Series, pyarrow.array, np.array, lambda side: np.array(side, object)):
        if container is np.array and isinstance(pairs[0][0], str):
            continue  # in an array of fixed width, a text loses U+0000 at its end
        assert scorer.corpus(*map(container, pairs)).value == expected
    if type(pairs[0][0]) is int and max(map(abs, pairs[0] + pairs[1])) < 2**53:
        assert scorer.corpus(*([*map(float, side)] for side in pairs)).value == expected


@given(pairs=labelled(min_size=2))
def test_intervals(pairs: tuple[Labels, Labels]) -> None:
    """A resample may lack a label, even the only one that is scored."""
    of_one_label = F1(average="macro", labels=[pairs[1][0]])
    for scorer in (Accuracy(), F1(average="macro"), of_one_label, MatthewsCorrelation()):
        result = scorer.corpus(*pairs, confidence=0.9)
        assert result.interval is not None
        assert (
            (-1 if isinstance(scorer, MatthewsCorrelation) else 0) <= result.interval.low <= result.interval.high <= 1
        )


def sets() -> st.SearchStrategy[list[tuple[set[int], set[int]]]]:
    some = st.sets(st.integers(0, 3), max_size=4)
    return st.lists(st.tuples(some, some), min_size=1, max_size=6)


@given(pairs=sets())
def test_sets_of_labels(pairs: list[tuple[set[int], set[int]]]) -> None:
    predictions, references = [ours for ours, _ in pairs], [right for _, right in pairs]
    assert Accuracy().corpus(predictions, references).value == np.mean([ours == right for ours, right in pairs])
    found = F1(average="samples", zero_division=0).corpus(predictions, references).value
    each = [2 * len(ours & right) / (len(ours) + len(right)) if ours or right else 0.0 for ours, right in pairs]
    assert found == pytest.approx(np.mean(each), rel=1e-14)


def test_a_hundred_thousand_labels() -> None:
    """The counts are sparse. Only the matrix itself, of 10^10 cells, is refused."""
    labels = [*range(100_000)]
    right = [*labels[1:2], *labels[1:]]
    result = ConfusionMatrix().corpus(labels, right)
    assert (result.value, result.scores["matrix_count"]) == (0.99999, 100_000)
    assert ConfusionMatrix(labels=labels[5:]).corpus(labels, right).scores["matrix_count"] == 99_995
    assert result.confusion is not None
    assert len(result.confusion.counts) == 100_000
    for matrix in (lambda: ConfusionMatrix().matrix(result.confusion), result.confusion.matrix):
        with pytest.raises(
            InputError, match=r"a confusion matrix of 100,000 labels has 10,000,000,000 cells; at most 10,"
        ):
            matrix()
    few = ConfusionMatrix(labels=(1, 0))
    assert few.matrix(few.corpus(labels, right).confusion).tolist() == [[1.0, 1.0], [0.0, 0.0]]


@given(
    pairs=labelled(), labels=st.lists(st.sampled_from(["a", "cat", "0", "1", "True", "no"]), min_size=1, unique=True)
)
def test_the_sums_of_a_matrix(pairs: tuple[Labels, Labels], labels: list[str]) -> None:
    confusion = ConfusionMatrix().corpus(*pairs).confusion
    assert confusion is not None
    for chosen in (None, labels):
        matrix = confusion.matrix(chosen)
        assert confusion.agreement(chosen) == (np.trace(matrix), matrix.sum())


def test_segments_of_many_labels_are_scored_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    labels, right = [*range(50)], [*range(49), 3]
    scorer = F1(average="macro", labels=[*range(60)], zero_division=0)
    whole = scorer.segment_scores(labels, right)
    monkeypatch.setattr(averages, "_BLOCK_CELLS", 1)
    for name, values in scorer.segment_scores(labels, right).items():
        np.testing.assert_array_equal(values, whole[name])


def test_the_matrix_is_printed_below_its_numbers() -> None:
    scorer = ConfusionMatrix()
    [block] = blocks_below(scorer, scorer.corpus(["a", "b", "b"], ["a", "a", "b"]))
    assert isinstance(block, Matrix)
    assert block.cells == ((1.0, 1.0), (0.0, 1.0))
    assert blocks_below(Rouge(), Rouge().corpus(["a"], ["a"])) == ()

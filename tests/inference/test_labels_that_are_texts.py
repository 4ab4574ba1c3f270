"""Agreement on categories that are texts, and on labels with a distance, against the numbers and nltk."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from nltk.metrics import jaccard_distance, masi_distance
from nltk.metrics.agreement import AnnotationTask

import metrologue
from metrologue.errors import InputError
from metrologue.inference.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha

WORDS = [["b", "a", None], ["c", "c", "b"], ["a", "a", "a"], ["b", "c", "b"]]
NUMBERS = [[{"a": 1, "b": 2, "c": 3, None: None}[each] for each in row] for row in WORDS]
FULL = [row for row in WORDS if None not in row]
SETS: list[list[Any]] = [[{"a"}, {"a", "b"}], [{"b"}, {"b", "c"}], [{"a"}, {"a"}], [{"c", "d"}, {"a"}]]


@pytest.mark.parametrize("made", [list, np.array, pd.DataFrame, tuple])
def test_texts_are_categories(made: Any) -> None:
    expected = krippendorff_alpha(NUMBERS, confidence=0.9, resamples=50)
    assert krippendorff_alpha(made(WORDS), confidence=0.9, resamples=50) == expected
    of_numbers = [row for row in NUMBERS if None not in row]
    assert fleiss_kappa(made(FULL)) == fleiss_kappa(of_numbers)
    a, b = ([row[i] for row in FULL] for i in (0, 1))
    assert cohen_kappa(made(a) if made is not pd.DataFrame else a, b) == cohen_kappa(
        *([row[i] for row in of_numbers] for i in (0, 1))
    )


def test_a_scale_orders_texts() -> None:
    a, b, scale = ["lo", "hi", "mid", "lo"], ["lo", "mid", "mid", "hi"], ["lo", "mid", "hi"]
    places = [[scale.index(each) for each in side] for side in (a, b)]
    for weights in ("linear", "quadratic"):
        assert cohen_kappa(a, b, weights, scale=scale) == cohen_kappa(*places, weights, scale=[0, 1, 2])
        with pytest.raises(InputError, match="for `weights`, give them in order, as `scale`"):
            cohen_kappa(a, b, weights)
    with pytest.raises(InputError, match="has 'hi'; the scale has lo, mid"):
        cohen_kappa(a, b, scale=scale[:2])


@pytest.mark.parametrize("distance", ["masi", masi_distance, jaccard_distance])
def test_a_distance_is_nltks(distance: Any) -> None:
    rows = [(f"r{j}", unit, frozenset(each)) for unit, row in enumerate(SETS) for j, each in enumerate(row)]
    theirs = AnnotationTask(rows, distance=masi_distance if distance == "masi" else distance)
    assert krippendorff_alpha(SETS, distance=distance).value == pytest.approx(theirs.alpha(), rel=1e-12)


def test_a_distance_of_0_and_1_is_nominal() -> None:
    expected = krippendorff_alpha(WORDS, confidence=0.9, resamples=50)
    found = krippendorff_alpha(WORDS, distance=lambda a, b: a != b, confidence=0.9, resamples=50)
    assert found.value == pytest.approx(expected.value, rel=1e-15)
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.interval.low, expected.interval.high))


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([["a", 1], ["b", "b"]], {}, "has 1 among texts"),
        ([["a", "b"], ["b", "b"]], {"level": "interval"}, "are texts, which are nominal"),
        ([["a", "b"], ["b", "b"]], {"level": "ordinal", "distance": "masi"}, "give one of them"),
        ([["a", "b"], ["b", "b"]], {"distance": "masy"}, "masi"),
        ([["a", "b"], ["b", "b"]], {"distance": 3}, "a function of two labels is expected"),
        ([["a", "b"], ["b", "b"]], {"distance": lambda a, b: -1}, "a finite number of 0 or more"),
        ([[{"a": 1}, "b"]], {"distance": "masi"}, "not hashable"),
        ("ab", {"distance": "masi"}, "rows of labels are expected"),
    ],
)
def test_what_is_refused(given: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        krippendorff_alpha(given, **options)


def test_rows_that_look_like_raters_are_told() -> None:
    """Krippendorff's own example has four raters in rows."""
    ratings = np.array([[1, 2, 3, 3, 2, 1], [1, 2, 3, 3, 2, 2], [1, 3, 3, 3, 2, 3]], float)
    with pytest.warns(UserWarning, match="3 rows are read as units, and 6 columns as annotators"):
        krippendorff_alpha(ratings)


def test_modules_take_texts() -> None:
    for name, rows in (("krippendorff_alpha", WORDS), ("fleiss_kappa", FULL)):
        numbers = [[None if each is None else ord(each) for each in row] for row in rows]
        module = metrologue.load(name)
        assert module.compute(data=rows) == module.compute(data=numbers)
        module.add_batch(data=rows[:2])
        for row in rows[2:]:
            module.add(data=row)
        assert module.compute() == module.compute(data=numbers)
        module.add_batch(data=rows)
        with pytest.raises(InputError, match="these are numbers, but earlier batches had texts"):
            module.add_batch(data=numbers)
    masi = metrologue.load("krippendorff_alpha").compute(data=SETS, distance="masi")
    assert masi["krippendorff_alpha"] == krippendorff_alpha(SETS, distance="masi").value
    kappa = metrologue.load("cohen_kappa")
    assert kappa.compute(predictions=list("abca"), references=list("abba")) == kappa.compute(
        predictions=[1, 2, 3, 1], references=[1, 2, 2, 1]
    )
    with pytest.raises(InputError, match=r"`data\[0\]\[1\]` is int 1; a text is expected"):
        metrologue.load("krippendorff_alpha").compute(data=[["a", 1]])

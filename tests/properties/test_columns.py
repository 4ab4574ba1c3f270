"""Columns of items and of numbers: what they take, how they are cut, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.data.columns import Items, Numbers
from metrologue.errors import InputError
from metrologue.segments import Segments
from metrologue.text.reading import Tokenize

labels = st.one_of(st.text(max_size=3), st.integers(-3, 3), st.tuples(st.integers(0, 2), st.booleans()))
rows_of_items = st.lists(st.lists(labels, max_size=5), max_size=6)
finite = st.floats(allow_nan=False)


@given(rows_of_items, st.data())
def test_items_are_those_given_however_they_are_cut(rows: list[list[Any]], data: st.DataObject) -> None:
    segments = Segments.of_items(rows, rows[::-1])
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8)) if rows else []
    taken = segments.take(chosen)
    assert [taken.pair(i) for i in range(len(taken))] == [(rows[i], [rows[::-1][i]]) for i in chosen]
    start, stop = sorted(data.draw(st.tuples(st.integers(0, len(rows)), st.integers(0, len(rows)))))
    part = segments.slice(start, stop)
    assert [part.pair(i)[0] for i in range(len(part))] == rows[start:stop]
    assert [p.pair(i)[0] for p in segments.parts(8) for i in range(len(p))] == rows


@given(rows_of_items)
def test_items_have_one_number_where_they_are_equal(rows: list[list[Any]]) -> None:
    view = Segments.of_items(rows, rows).items()
    assert view.type_count == len({item for row in rows for item in row})
    half = len(view.ids) // 2
    assert view.ids[:half].tolist() == view.ids[half:].tolist()
    first: dict[Any, int] = {}
    flat = [item for row in rows for item in row]
    assert view.ids[:half].tolist() == [first.setdefault(item, len(first)) for item in flat]


def test_several_references_are_lists_and_tuples_are_items() -> None:
    segments = Segments.of_items([["a"], [("a", 1)]], [[["a", "b"], {"c"}], [("a", 1), "x"]])
    assert segments.pair(0) == (["a"], [["a", "b"], ["c"]])
    assert segments.pair(1) == ([("a", 1)], [[("a", 1), "x"]])
    assert segments.reference_offsets.tolist() == [0, 2, 3]


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["a b"], [["a"]], r"^Dice: `predictions\[0\]` is str 'a b'; a list of items is expected\.$"),
        ([["a"], 3], [["a"], ["b"]], r"^Dice: `predictions\[1\]` is int 3; a list of items is expected\.$"),
        ([["a"]], [[["a"], "b"]], r"`references\[0\]\[1\]` is str 'b' among lists; give every reference as a list"),
        ([["a"], ["b", {}]], [["a"], ["b"]], r"`predictions\[1\]` holds dict {} at 1, which is not hashable"),
        ([["a"]], [["a"], ["b"]], r"1 prediction but 2 references"),
        ("ab", [["a"]], r"`predictions` is a bare str"),
    ],
)
def test_items_that_are_refused(predictions: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Segments.of_items(predictions, references, owner="Dice")


def test_text_is_not_items_and_items_are_not_text() -> None:
    with pytest.raises(InputError, match="`predictions` are Items; Text is expected"):
        Segments.of_items([["a"]]).read((Tokenize("none"),))
    with pytest.raises(InputError, match="`predictions` are Text; Items is expected"):
        Segments(["a"]).items()


@given(st.lists(st.lists(finite, max_size=4), max_size=6))
def test_numbers_are_those_given_whatever_holds_them(rows: list[list[float]]) -> None:
    given_as = [
        rows,
        [tuple(row) for row in rows],
        [np.array(row) for row in rows],
        pa.array(rows, pa.list_(pa.float64())),
    ]
    for form in given_as:
        column = Numbers(form)
        assert [column.entries(i) for i in range(len(column))] == rows
    segments = Segments.of_columns({"predictions": Numbers(rows), "mask": Numbers([[1] * len(row) for row in rows])})
    assert [part.columns["mask"].entries(i) for part in segments.parts(16) for i in range(len(part))] == [
        [1.0] * len(row) for row in rows
    ]


def test_numbers_of_an_array_and_of_a_sliced_arrow_column() -> None:
    assert Numbers(np.arange(6).reshape(2, 3)).entries(1) == [3.0, 4.0, 5.0]
    chunked = pa.chunked_array([pa.array([[1, 2], []]), pa.array([[3]])])
    assert [Numbers(chunked.slice(1)).entries(i) for i in range(2)] == [[], [3.0]]
    assert Numbers([[float("-inf")]]).values.tolist() == [float("-inf")]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0.5], [0.5, float("nan")]], r"`predictions\[1\]\[1\]` is nan; a number is expected"),
        ([[0.5], "0.5"], r"`predictions\[1\]` is str '0.5'; a list of numbers is expected"),
        ([[0.5, "x"]], r"`predictions\[0\]\[1\]` is str 'x'; a number is expected"),
        ([[0.5, None]], r"`predictions\[0\]\[1\]` is None; a number is expected"),
        ([0.5], r"`predictions\[0\]` is float 0.5; a list of numbers is expected"),
        (pa.array([[0.5, None]]), r"`predictions\[0\]\[1\]` is nan"),
        ([[10**400]], r"`predictions\[0\]` holds an int that is too large"),
    ],
)
def test_numbers_that_are_refused(rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Numbers(rows)


def test_columns_of_unequal_length() -> None:
    with pytest.raises(InputError, match="2 predictions but 1 mask"):
        Segments.of_columns({"predictions": Numbers([[1], [2]]), "mask": Numbers([[1]])})
    with pytest.raises(InputError, match="`predictions` are missing"):
        Segments.of_columns({"mask": Numbers([[1]])})


def test_tuples_among_references_are_items_only_if_they_are_in_predictions() -> None:
    pairs = Segments.of_items([[("a", 1)], ["b"]], [[("a", 1), ("b", 2)], [{"b"}, ["c"]]])
    assert pairs.pair(0) == ([("a", 1)], [[("a", 1), ("b", 2)]])
    labels = Segments.of_items([("a", "b"), ("c",)], [[("a", "b"), ("c",)], ("d", "e")])
    assert [labels.pair(index) for index in range(2)] == [(["a", "b"], [["a", "b"], ["c"]]), (["c"], [["d", "e"]])]


def test_other_predictions_of_items() -> None:
    segments = Segments.of_items([{"a"}, ["b"]], [["a"], ["b"]]).with_predictions([["c"], {"b"}])
    assert segments.pair(0) == (["c"], [["a"]])
    with pytest.raises(InputError, match=r"`predictions\[0\]` is str 'a b'; a list of items is expected"):
        segments.with_predictions(["a b", "c"])
    with pytest.raises(InputError, match="1 prediction but 2 references"):
        segments.with_predictions([["a"]])


@given(st.lists(st.lists(labels, max_size=4), max_size=5))
def test_equal_items_have_equal_texts(rows: list[list[Any]]) -> None:
    spelled = Items.of(rows).spelled().to_pylist()
    flat, texts = [item for row in rows for item in row], [text for row in spelled for text in row]
    for item, text in zip(flat, texts, strict=True):
        assert [other == item for other in flat] == [other == text for other in texts]

"""Input: what counts as a list of texts, and what is refused before Arrow could turn it into text."""

from collections.abc import Callable
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from layouts import Columns

from metrologue import InputError
from metrologue.scorers import get_scorer

pytestmark = pytest.mark.bridge

TEXT_VIEWS = pa.list_view(pa.string_view())


class Label(str):
    """A str that prints as something else, as members of an enumeration do."""

    def __str__(self) -> str:
        return "not the text"


CONTAINERS: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "tuple of tuples": lambda rows: tuple(tuple(row) if isinstance(row, list) else row for row in rows),
    "generator": iter,
    "NumPy objects": lambda rows: np.array([*rows, None], dtype=object)[:-1],
    "Series whose index starts elsewhere": lambda rows: pd.Series(rows, index=range(7, 7 + len(rows))),
    "Arrow": pa.array,
    "chunked Arrow": lambda rows: pa.chunked_array([rows[:2], rows[2:]]),
    "sliced Arrow": lambda rows: pa.array([rows[0], *rows])[1:],
    "datasets column": lambda rows: datasets.Dataset.from_dict({"rows": rows})["rows"],
    "Arrow views": lambda rows: pa.array(rows, pa.string_view() if isinstance(rows[0], str) else TEXT_VIEWS),
    "subclass of str": lambda rows: [Label(row) if isinstance(row, str) else [*map(Label, row)] for row in rows],
    "NumPy items": lambda rows: [np.str_(row) if isinstance(row, str) else np.array(row) for row in rows],
    "pandas items": lambda rows: [
        row if isinstance(row, str) else pd.Series(row, range(7, 7 + len(row))) for row in rows
    ],
    "generators": lambda rows: (row if isinstance(row, str) else iter(row) for row in rows),
}


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_containers_are_equal(container: Callable[[list[Any]], Any], module: Any, rows: Columns) -> None:
    contained = {name: container(column) for name, column in rows.items()}
    assert module.compute(**contained) == module.compute(**rows)


def test_numpy_strings(module: Any, columns: Callable[..., Columns]) -> None:
    rows = columns(["a b c d", "a é 的 🎉 e"], ["a b c e", "a é 的 🎉 f"])
    expected = module.compute(**rows)
    assert module.compute(**{name: np.array(column) for name, column in rows.items()}) == expected
    strings = np.dtypes.StringDType()
    assert module.compute(**{name: np.array(column, strings) for name, column in rows.items()}) == expected


def test_wide_arrow_strings(module: Any, columns: Callable[..., Columns]) -> None:
    rows = columns(["a b c d e", "e f g h i"], [["a b c e e"], ["e f g", "e f h"]])
    wide = {name: pa.array(column, pa.large_string()) for name, column in rows.items() if name != "references"}
    wide["references"] = pa.array(rows["references"], pa.large_list(pa.large_string()))
    assert module.compute(**wide) == module.compute(**rows)


def test_arrow_lists_of_fixed_size(module: Any, columns: Callable[..., Columns]) -> None:
    rows = columns(["a b c d e", "e f g h i"], [["a b c e e", "b c d e"], ["e f g", "e f h"]])
    fixed = pa.array(rows["references"], pa.list_(pa.string(), 2))
    assert module.compute(**{**rows, "references": fixed}) == module.compute(**rows)


@pytest.mark.contract
def test_one_reference_is_a_list_of_one(module: Any, columns: Callable[..., Columns]) -> None:
    texts, others = ["a b c d e", "e f g h i"], ["a b c e e", "e f g h i"]
    nested = [[other] for other in others]
    assert module.compute(**columns(texts, others)) == module.compute(**columns(texts, nested))


def test_batches_may_differ_in_form(module: Any, columns: Callable[..., Columns]) -> None:
    module.add_batch(**columns(["a b c d e"], ["a b c e e"]))
    module.add_batch(**columns(["e f g h i"], [["e f g", "e f h"]]))
    mixed = module.compute()
    assert mixed == module.compute(**columns(["a b c d e", "e f g h i"], [["a b c e e"], ["e f g", "e f h"]]))


LATIN = pa.array([b"a", b"\xe9"]).view(pa.string())
UNSOUND = pa.StringArray.from_buffers(2, pa.py_buffer(np.array([0, 100, 3], np.int32)), pa.py_buffer(b"abc"))

BAD: dict[str, tuple[Any, Any, str]] = {
    "list, then string": (["a", "b"], [["x", "y"], "zebra"], r"`references\[1\]` is str 'zebra'.*wrap it in a list"),
    "string, then list": (["a", "b"], ["z", ["x", "y"]], r"`references\[1\]` is a list but earlier items are strings"),
    "number in a list": (["a"], [["x", 5]], r"`references\[0\]\[1\]` is int 5"),
    "number": (["a", 3], ["x", "y"], r"`predictions\[1\]` is int 3"),
    "nan": (["a", float("nan")], ["x", "y"], r"`predictions\[1\]` is float nan"),
    "nan in a Series": (pd.Series(["a", None]), ["x", "y"], r"`predictions\[1\]` is "),
    "bytes": (["a", b"b"], ["x", "y"], r"`predictions\[1\]` is bytes"),
    "None": (["a", None], ["x", "y"], r"`predictions\[1\]` is None"),
    "None first": ([None, "a"], ["x", "y"], r"`predictions\[0\]` is None"),
    "None for references": (["a"], [None], r"`references\[0\]` is None"),
    "None among references": (["a"], [["x", None]], r"`references\[0\]\[1\]` is None"),
    "null in Arrow": (pa.array(["a", None]), ["x", "y"], r"`predictions\[1\]` is None"),
    "numbers in Arrow": (pa.array([1, 2]), ["x", "y"], r"`predictions\[0\]` is int 1"),
    "lists of predictions": ([["a"], ["b"]], ["x", "y"], r"`predictions\[0\]` is list"),
    "three levels": (["a"], [[["x"]]], r"`references\[0\]\[0\]` is list"),
    "bare prediction": ("abc", ["abd"], r"`predictions` is a bare str 'abc'; wrap it in a list"),
    "bare reference": (["abc"], "abd", r"`references` is a bare str 'abd'; wrap it in a list"),
    "dictionary": ({"a": 1}, ["x"], r"`predictions` is a dict"),
    "set": ({"a", "b"}, ["x", "y"], r"`predictions` is a set"),
    "no list": (3, ["x"], r"`predictions` is a int"),
    "no references": (["a"], None, r"`references` are missing; the metric compares texts with them"),
    "no predictions": (None, ["a"], r"`predictions` is a NoneType"),
    "no reference": (["a", "b"], [["x"], []], r"`references\[1\]` is an empty list"),
    "too few references": (["a", "b", "c"], ["x", "y"], r"3 predictions but 2 references"),
    "too few predictions": (["a", "b"], [["x"], ["y"], ["z"]], r"2 predictions but 3 references"),
    "streams": (["a", "b", "c"], [["x", "y", "z"], ["u", "v", "w"]], r"\[stream\]\[segment\].*zip"),
    "not UTF-8": (LATIN, ["x", "y"], r"`predictions\[1\]` is not text: its byte 1 \(0xe9\) is not UTF-8"),
    "not UTF-8 in chunks": (["x", "y"], pa.chunked_array([LATIN[:1], LATIN[1:]]), r"`references\[1\]` is not text"),
    "not UTF-8 in lists": (["a"], pa.ListArray.from_arrays([0, 2], LATIN), r"`references\[0\]\[1\]` is not text: its"),
    "false offsets": (UNSOUND, ["x", "y"], r"`predictions` is not a valid Arrow array: "),
    "0-d array": (np.array("abc"), ["a", "b", "c"], r"`predictions` is a 0-d ndarray"),
    "2-d array": (np.array([["a"], ["b"]]), ["x", "y"], r"`predictions\[0\]` is list \['a'\]"),
    "data frame": (pd.DataFrame({"a": ["b"]}), ["x"], r"`predictions` is a DataFrame; give one of its columns"),
    "data frame of references": (
        ["x"],
        pd.DataFrame({"a": ["b"]}),
        r"`references` is a DataFrame; give one of its col",
    ),
    "data set": (
        ["x"],
        datasets.Dataset.from_dict({"a": ["b"]}),
        r"`references` is a Dataset; give one of its columns",
    ),
    "lone surrogate": (["a\ud800"], ["x"], r"`predictions\[0\]` holds a lone surrogate"),
}


@pytest.mark.parametrize(("texts", "others", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_and_leaves_no_trace(
    texts: Any, others: Any, message: str, module: Any, columns: Callable[..., Columns]
) -> None:
    if others is None and not get_scorer(module.metric).input("references"):
        pytest.skip("the metric needs no references")
    scorer = get_scorer(module.metric)
    if (scorer.takes("sets") or scorer.takes("groups")) and "is list" in message:
        pytest.skip("a list of labels or of texts is a prediction")
    good = columns(["a b c d e", "a b c d"], ["a b c d f", "a b c e"])
    expected = module.compute(**good)
    count = len(texts) if isinstance(texts, list) else 1
    bad = {**columns(["a"] * count, ["b"] * count), "predictions": texts, "references": others}
    for refuse in (module.compute, module.add_batch):
        with pytest.raises(InputError, match=message) as caught:
            refuse(**bad)
        assert str(caught.value).startswith(type(module).__name__)
        assert len(module) == 0
    assert module.compute(**good) == expected


@pytest.mark.parametrize(("prediction", "reference"), [(3, "x"), (["a"], "x"), ("a", None), ("a", []), ("a", ["x", 2])])
def test_bad_single_segment_is_refused(
    prediction: Any, reference: Any, module: Any, columns: Callable[..., Columns]
) -> None:
    if reference is None and not get_scorer(module.metric).input("references"):
        pytest.skip("the metric needs no references")
    if get_scorer(module.metric).takes("groups") and isinstance(prediction, list):
        pytest.skip("a list of texts is a prediction")
    others = {name.removesuffix("s"): row for name, [row] in columns(["a"], ["b"]).items()}
    with pytest.raises(InputError):
        module.add(**{**others, "prediction": prediction, "reference": reference})
    assert len(module) == 0


@pytest.mark.contract
def test_nothing_has_no_score(module: Any, columns: Callable[..., Columns]) -> None:
    module.add_batch(**columns([], []))
    assert len(module) == 0
    with pytest.raises(InputError, match="nothing to score"):
        module.compute()
    with pytest.raises(InputError, match="nothing to score"):
        module.compute(**columns([], []))


def test_nothing_added_changes_nothing(module: Any, columns: Callable[..., Columns]) -> None:
    texts = columns(["a b c d e", "a b c d"], ["a b c d e", "a b c d"])
    expected = module.compute(**texts)
    module.add_batch(**texts)
    module.add_batch(**columns([], []))
    assert module.compute(**columns([], [])) == expected


def test_unknown_argument_is_refused_with_the_known_ones(module: Any, pair: Columns) -> None:
    with pytest.raises(TypeError, match=r"unknown argument 'lang'; there are predictions, .*signature"):
        module.compute(**pair, lang="cs")
    with pytest.raises(TypeError, match="remarks"):
        module.add_batch(**pair, remarks=["a", "b"])
    single = {name.removesuffix("s"): rows[0] for name, rows in pair.items()}
    with pytest.raises(TypeError, match="remark"):
        module.add(**single, remark="a")
    assert len(module) == 0

"""Everything that can hold text gives the same segments, and everything that cannot is refused by index."""

from __future__ import annotations

import enum
from collections import UserList, deque
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, texts

from metrologue.errors import InputError
from metrologue.segments import Segments
from metrologue.text.reading import words

Corpus = tuple[list[str], list[list[str]]]


class Text(str):
    """A str whose own words are others than its text."""

    def __str__(self) -> str:
        return "not the text"

    def encode(self, *options: str) -> bytes:
        return b"not the text"


class Label(pa.ExtensionType):
    """Text under a name of one's own."""

    def __init__(self) -> None:
        super().__init__(pa.string(), "metrologue.label")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: pa.DataType, serialized: bytes) -> Label:
        return cls()


def pandas(dtype: Any = None, make: str = "Series") -> Any:
    return lambda xs: getattr(pytest.importorskip("pandas"), make)(xs, dtype=dtype)


def labelled(xs: list[str]) -> pa.Array:
    return pa.ExtensionArray.from_storage(Label(), pa.array(xs))


def cut(make: Any) -> Any:
    """What `make` gives, with an item before and after it that no one may see."""
    return lambda xs: make([xs[-1], *xs, xs[0]]).slice(1, len(xs))


FLAT: dict[str, Any] = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "generator": iter,
    "numpy": np.array,
    "numpy-objects": lambda xs: np.array(xs, object),
    "arrow": pa.array,
    "arrow-large": lambda xs: pa.array(xs, pa.large_string()),
    "arrow-view": lambda xs: pa.array(xs, pa.string_view()),
    "arrow-sliced": cut(pa.array),
    "arrow-view-sliced": cut(lambda xs: pa.array(xs, pa.string_view())),
    "arrow-dictionary": lambda xs: pa.array(xs).dictionary_encode(),
    "arrow-dictionary-sliced": cut(lambda xs: pa.array(xs).dictionary_encode()),
    "arrow-run-ends": lambda xs: pa.RunEndEncodedArray.from_arrays(range(1, len(xs) + 1), xs),
    "arrow-extension": labelled,
    "arrow-extension-sliced": cut(labelled),
    "arrow-chunked": lambda xs: pa.chunked_array([xs[:1], [], xs[1:]], pa.string()),
    "arrow-chunked-dictionary": lambda xs: pa.chunked_array(
        [pa.array(part, pa.string()).dictionary_encode() for part in (xs, [])]
    ),
    "arrow-chunked-extension": lambda xs: pa.chunked_array([labelled(xs[:2]), labelled(xs[2:])]),
    "str-subclass": lambda xs: [Text(x) for x in xs],
    "str-enum": lambda xs: list(enum.Enum("Texts", [(f"T{i}", x) for i, x in enumerate(xs)], type=str)),
    "numpy-items": lambda xs: [np.str_(x) for x in xs],
    "userlist": UserList,
    "masked": np.ma.array,
    "pandas-string": pandas("string"),
    "pandas-arrow": pandas("string[pyarrow]"),
    "pandas-array": pandas("string[python]", "array"),
    "pandas-arrow-array": pandas("string[pyarrow]", "array"),
    "pandas-categorical": lambda xs: pytest.importorskip("pandas").Categorical(xs),
    "pandas": lambda xs: pytest.importorskip("pandas").Series(xs, index=range(7, 7 + len(xs))),
    "pandas-objects": lambda xs: pytest.importorskip("pandas").Series(xs, dtype=object),
    "datasets": lambda xs: pytest.importorskip("datasets").Dataset.from_dict({"x": xs})["x"],
}
LISTS = {
    "list-view": pa.list_view(pa.string()),
    "large-list-view": pa.large_list_view(pa.large_string()),
    "parquet": pa.list_(pa.field("element", pa.string(), nullable=False)),
    "large-parquet": pa.large_list(pa.field("element", pa.large_string(), nullable=False)),
    "list-of-views": pa.list_(pa.string_view()),
    "list-of-dictionaries": pa.list_(pa.dictionary(pa.int32(), pa.string())),
}
NESTED: dict[str, Any] = {
    "list": list,
    "tuples": lambda xs: tuple(map(tuple, xs)),
    "arrow": pa.array,
    "arrow-large": lambda xs: pa.array(xs, pa.large_list(pa.large_string())),
    "arrow-sliced": cut(pa.array),
    "arrow-chunked": lambda xs: pa.chunked_array([xs[:1], xs[1:]], pa.list_(pa.string())),
    **{f"arrow-{name}": lambda xs, kind=kind: pa.array(xs, kind) for name, kind in LISTS.items()},
    **{f"arrow-{name}-sliced": cut(lambda xs, kind=kind: pa.array(xs, kind)) for name, kind in LISTS.items()},
    **{
        f"arrow-{name}-chunked": lambda xs, kind=kind: pa.chunked_array([xs[:1], [], xs[1:]], kind)
        for name, kind in LISTS.items()
    },
    "str-subclass": lambda xs: [[Text(x) for x in row] for row in xs],
    "generators": lambda xs: (iter(row) for row in xs),
    "list-of-generators": lambda xs: [iter(row) for row in xs],
    "list-and-others": lambda xs: [xs[0], tuple(xs[1]), iter(xs[2]), deque(xs[3])],
    "arrays": lambda xs: [np.array(x) for x in xs],
    "arrow-items": lambda xs: [pa.array(x) for x in xs],
    "arrow-chunked-items": lambda xs: [pa.chunked_array([x, []], pa.string()) for x in xs],
    "pandas-items": lambda xs: [pytest.importorskip("pandas").Series(x, index=range(7, 7 + len(x))) for x in xs],
    "pandas-arrays": lambda xs: [pytest.importorskip("pandas").array(x, dtype="string") for x in xs],
    "pandas": lambda xs: pytest.importorskip("pandas").Series(xs, index=range(7, 7 + len(xs))),
    "datasets": lambda xs: pytest.importorskip("datasets").Dataset.from_dict({"x": xs})["x"],
}
BYTES = [b"ok", "ą".encode(), b"caf\xe9", b"\xff"]


def in_dictionary(texts: pa.Array) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(range(len(texts))), texts)


NOT_UTF8: dict[str, pa.Array] = {
    "string": pa.array(BYTES).view(pa.string()),
    "large": pa.array(BYTES, pa.large_binary()).view(pa.large_string()),
    "view": pa.array(BYTES, pa.binary_view()).view(pa.string_view()),
    "sliced": pa.array([b"\xe9", *BYTES]).view(pa.string()).slice(1),
    "chunked": pa.chunked_array([pa.array(part).view(pa.string()) for part in (BYTES[:2], BYTES[2:])]),
    "dictionary": in_dictionary(pa.array(BYTES).view(pa.string())),
    "extension": pa.ExtensionArray.from_storage(Label(), pa.array(BYTES).view(pa.string())),
}

PREDICTIONS = ["the cat", "", "猫 🙂", "a\nb"]
REFERENCES = [["a cat", "the cat"], ["x"], ["猫 🙂", "", "z"], ["a\nb"]]


@pytest.mark.parametrize("kind", FLAT)
def test_predictions_and_single_references(kind: str) -> None:
    segments = Segments(FLAT[kind](PREDICTIONS), FLAT[kind](PREDICTIONS))
    assert [segments.pair(i) for i in range(4)] == [(text, [text]) for text in PREDICTIONS]


@pytest.mark.parametrize("kind", NESTED)
def test_lists_of_references(kind: str) -> None:
    segments = Segments(PREDICTIONS, NESTED[kind](REFERENCES))
    assert [segments.pair(i) for i in range(4)] == list(zip(PREDICTIONS, REFERENCES, strict=True))


def test_lists_of_fixed_size() -> None:
    rows = [["a", "b"], ["c", ""], ["猫", "f"]]
    kind = pa.list_(pa.string(), 2)
    whole = pa.array(rows, kind)
    for references in (whole, cut(lambda xs: pa.array(xs, kind))(rows), pa.chunked_array([whole[:1], whole[1:]])):
        segments = Segments(["x", "y", "z"], references)
        assert [segments.pair(i)[1] for i in range(3)] == rows


@given(corpus=corpora(), data=st.data())
def test_parts(corpus: Corpus, data: st.DataObject) -> None:
    segments = Segments(*corpus)
    pairs = [segments.pair(i) for i in range(len(segments))]
    assert pairs == list(zip(*corpus, strict=True))
    chosen = data.draw(st.lists(st.integers(0, len(pairs) - 1), min_size=1))
    taken = segments.take(chosen)
    assert [taken.pair(i) for i in range(len(taken))] == [pairs[i] for i in chosen]
    start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(pairs))] * 2)))
    part = segments.slice(start, stop)
    assert [part.pair(i) for i in range(len(part))] == pairs[start:stop]
    shards = segments.shards(data.draw(st.integers(1, 5)))
    assert [shard.pair(i) for shard in shards for i in range(len(shard))] == pairs


@given(batch=st.lists(texts(), min_size=1, max_size=5))
def test_equal_ids_are_equal_tokens(batch: list[str]) -> None:
    view = Segments(batch, batch[::-1]).read(words("char"))
    spelled = [view.spelling(type_id) for type_id in range(view.type_count)]
    assert len(set(spelled)) == len(spelled)
    assert [spelled[i] for i in view.ids] == [c for text in [*batch, *batch[::-1]] for c in text if not c.isspace()]


@pytest.mark.parametrize("kind", ["whitespace", "13a", "char"])
def test_many_types(kind: str) -> None:
    """The table of types grows; tokens of up to eight bytes and longer ones live in it side by side."""
    many = [f"{'w' * (i % 23)}{i}" for i in range(40_000)]
    view = Segments([" ".join(many)] * 2, [" ".join(many[::-1])] * 2).read(words(kind))
    expected = set(many) if kind != "char" else set("w0123456789")
    assert {view.spelling(type_id) for type_id in range(view.type_count)} == expected
    assert view.type_count == len(expected)


def test_views_are_kept() -> None:
    segments = Segments(["A b"], ["a B"])
    assert segments.read(words("none")) is segments.read(words("whitespace"))
    assert segments.read(words("13a", True)) is not segments.read(words("13a"))


nan = float("nan")


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["a", "b"], ["a"], "2 predictions but 1 reference;"),
        (["a"], [["a", "c"], ["b"]], "1 prediction but 2 references"),
        ("a cat", ["a cat"], "`predictions` is a bare str 'a cat'; wrap it in a list"),
        (["a"], "a", "`references` is a bare str"),
        (b"a", ["a"], "`predictions` is a bare bytes"),
        (["a", None], ["a", "b"], r"`predictions\[1\]` is None; drop the segment"),
        (["a", nan], ["a", "b"], r"`predictions\[1\]` is float nan; drop"),
        (["a", 3], ["a", "b"], r"`predictions\[1\]` is int 3; a str is expected"),
        (["a", b"b"], ["a", "b"], r"`predictions\[1\]` is bytes b'b'"),
        (["a", ["b"]], ["a", "b"], r"`predictions\[1\]` is list"),
        (["a", "b"], ["a", ["b"]], r"`references\[1\]` is a list but earlier items are strings"),
        (["a", "b"], [["a"], "b"], r"`references\[1\]` is str 'b' but earlier items are lists; wrap it in a list"),
        (["a", "b"], [["a"], None], r"`references\[1\]` is None but earlier items are lists"),
        (["a", "b"], [["a"], []], r"`references\[1\]` is an empty list; a segment needs at least one"),
        (["a", "b"], [["a", "b"], ["c", 5]], r"`references\[1\]\[1\]` is int 5"),
        (["a", "b"], [["a", "b"], [None, "c"]], r"`references\[1\]\[0\]` is None"),
        (["a", "b", "c"], [["a", "b", "c"], ["d", "e", "f"]], r"sacrebleu's \[stream\]\[segment\] layout.*zip"),
        (["a"], ["\ud800"], r"`references\[0\]` holds a lone surrogate"),
        (["a"], [["b", "\udfff"]], r"`references\[0\]\[1\]` holds a lone surrogate"),
        ({"a"}, ["a"], "`predictions` is a set"),
        ({"a": 1}, ["a"], "`predictions` is a dict"),
        (3, ["a"], "`predictions` is a int"),
        (None, ["a"], "`predictions` is a NoneType"),
        (pa.array(["a", None]), ["a", "b"], r"`predictions\[1\]` is None"),
        (pa.array([1, 2]), ["a", "b"], r"`predictions\[0\]` is int 1"),
        (["a", "b"], pa.array([["a"], None]), r"`references\[1\]` is None"),
        (["a", "b"], pa.array([["a"], []]), r"`references\[1\]` is an empty list"),
        (["a", "b"], pa.array([["a"], ["b", None]]), r"`references\[1\]\[1\]` is None"),
        (pa.nulls(2), ["a", "b"], r"`predictions\[0\]` is None; drop"),
        (pa.array(["a", "b", None])[1:], ["a", "b"], r"`predictions\[1\]` is None; drop"),
        (pa.chunked_array([["a"], [None]], pa.string()), ["a", "b"], r"`predictions\[1\]` is None; drop"),
        (in_dictionary(pa.array(["a", None])), ["a", "b"], r"`predictions\[1\]` is None; drop"),
        (["a", "b"], pa.nulls(2, pa.list_(pa.string())), r"`references\[0\]` is None; a list of strings"),
        (["a", "b"], pa.array([["a"], None], pa.list_view(pa.string())), r"`references\[1\]` is None; a list"),
        (["a", "b"], pa.array([["a"], None], pa.list_(pa.string(), 1)), r"`references\[1\]` is None; a list"),
        (["a", "b"], pa.array([["a"], [None]], pa.list_(pa.string(), 1)), r"`references\[1\]\[0\]` is None"),
        (["a"], pa.array([[["a"]]]), r"`references\[0\]\[0\]` is list \['a'\]; a str is expected"),
        (pa.array([["a"], ["b"]]), ["a", "b"], "`predictions` is an Arrow array of lists; one of strings is expected"),
        (pa.array([b"a"]), ["a"], r"`predictions\[0\]` is bytes b'a'"),
        (np.array("the cat"), ["a"], "`predictions` is a 0-d ndarray; a list of strings is expected"),
        (["a"], np.array("the cat"), "`references` is a 0-d ndarray"),
        (["a"], [np.array("the cat")], r"`references\[0\]` is ndarray"),
        (np.array([["a"], ["b"]]), ["a", "b"], r"`predictions\[0\]` is list \['a'\]"),
        (["a"], np.array([[["a"]]]), r"`references\[0\]\[0\]` is list \['a'\]"),
        (np.ma.array(["a", "b"], mask=[0, 1]), ["a", "b"], r"`predictions\[1\]` is None"),
        (pa.table({"text": ["a"]}), ["a"], "`predictions` is a Table; give one of its columns"),
        (["a"], pa.record_batch({"text": ["a"]}), "`references` is a RecordBatch; give one of its columns"),
        (
            np.array([("a", "b")], [("x", "U1"), ("y", "U1")]),
            ["a"],
            "`predictions` is a ndarray; give one of its columns",
        ),
        (
            ["a"],
            np.rec.array([("a", "b")], [("x", "U1"), ("y", "U1")]),
            "`references` is a recarray; give one of its columns",
        ),
        (["a", "b"], [{"a"}, {"b"}], r"`references\[0\]` is set {'a'}; a str is expected"),
        (["a", "b"], [{"a": 1}, {"b": 1}], r"`references\[0\]` is dict"),
        (["a", "b"], [bytearray(b"a"), bytearray(b"b")], r"`references\[0\]` is bytearray"),
        (["a", "b"], [["a"], (None for _ in "x")], r"`references\[1\]\[0\]` is None"),
        (["a", "b"], [["a"], iter([])], r"`references\[1\]` is an empty list"),
        ([Text("a"), Text("\ud800")], ["a", "b"], r"`predictions\[1\]` holds a lone surrogate"),
    ],
)
def test_bad_input(predictions: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^Metric: .*{message}"):
        Segments(predictions, references, owner="Metric")


@pytest.mark.parametrize("kind", NOT_UTF8)
def test_bytes_that_are_no_text(kind: str) -> None:
    texts, fault = NOT_UTF8[kind], r"\[2\]` is not text: its byte 4 \(0xe9\) is not UTF-8"
    with pytest.raises(InputError, match=f"^Metric: `predictions{fault}"):
        Segments(texts, ["a"] * 4, owner="Metric")
    with pytest.raises(InputError, match=f"^Metric: `references{fault}"):
        Segments(["a"] * 4, texts, owner="Metric")


@pytest.mark.parametrize(
    "lists",
    [
        pa.ListArray.from_arrays(pa.array([0, 1, 3, 4]), NOT_UTF8["string"]),
        pa.LargeListArray.from_arrays(pa.array([0, 1, 3, 4]), NOT_UTF8["view"]),
        pa.ListViewArray.from_arrays(pa.array([0, 1, 3]), pa.array([1, 2, 1]), NOT_UTF8["large"]),
        pa.LargeListViewArray.from_arrays(pa.array([0, 1, 3]), pa.array([1, 2, 1]), NOT_UTF8["string"]),
        pa.ListArray.from_arrays(pa.array([0, 1, 1, 3, 4]), NOT_UTF8["string"]).take(pa.array([0, 2, 3])),
        [pa.array(["ok"]), NOT_UTF8["string"].slice(1, 2), pa.array(["ok"])],
    ],
)
def test_bytes_that_are_no_text_in_lists(lists: Any) -> None:
    with pytest.raises(InputError, match=r"^Metric: `references\[1\]\[1\]` is not text: its byte 4 \(0xe9\)"):
        Segments(["a"] * 3, lists, owner="Metric")


def test_bytes_that_no_one_reads_do_no_harm() -> None:
    """What lies outside a slice, or under a null that is cut off, belongs to no segment."""
    texts = NOT_UTF8["string"]
    assert Segments(texts[:2], texts[:2]).pair(1) == ("ą", ["ą"])
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 2, 4]), texts)
    assert Segments(["a", "b"], lists[:2]).pair(1) == ("b", ["ą"])


def buffers(kind: pa.DataType, offsets: list[int], content: Any) -> pa.Array:
    """An array as made by hand, which Arrow does not look into."""
    width = np.int64 if kind in (pa.large_string(), pa.large_list(pa.string())) else np.int32
    held = pa.py_buffer(np.array(offsets, width))
    if pa.types.is_nested(kind):
        return pa.Array.from_buffers(kind, len(offsets) - 1, [None, held], children=[pa.array(content)])
    return pa.Array.from_buffers(kind, len(offsets) - 1, [None, held, pa.py_buffer(content)])


# By name: Arrow itself aborts when it has to print them.
UNSOUND: dict[str, Any] = {
    "beyond the text": buffers(pa.string(), [0, 100, 3], b"abc"),
    "downwards": buffers(pa.string(), [0, 2, 1], b"abc"),
    "negative": buffers(pa.large_string(), [0, -5, 3], b"abc"),
    "lists beyond the items": buffers(pa.list_(pa.string()), [0, 100, 1], ["a"]),
    "lists downwards": buffers(pa.large_list(pa.string()), [0, 2, 1], ["a", "b"]),
    "list view": pa.ListViewArray.from_arrays(pa.array([0, 7]), pa.array([1, 100]), pa.array(["a", "b"])),
    "index": pa.DictionaryArray.from_arrays(pa.array([0, 7]), pa.array(["a", "b"]), safe=False),
    "dictionary": in_dictionary(buffers(pa.string(), [0, 100, 3], b"abc")),
    "chunk": pa.chunked_array([buffers(pa.string(), [0, 100, 3], b"abc")]),
    "later chunk": pa.chunked_array([buffers(pa.string(), offsets, b"abc") for offsets in ([0, 1, 3], [0, 100, 3])]),
    "items of lists": pa.ListArray.from_arrays(pa.array([0, 1, 2]), buffers(pa.string(), [0, 100, 3], b"abc")),
    "list of arrays": [buffers(pa.string(), [0, 100, 3], b"abc"), ["a"]],
}


@pytest.mark.parametrize("kind", UNSOUND)
def test_arrays_whose_offsets_lie(kind: str) -> None:
    with pytest.raises(InputError, match=r"^Metric: `references(\[0\])?` is not a valid Arrow array: "):
        Segments(["a", "b"], UNSOUND[kind], owner="Metric")
    if kind != "list of arrays":
        with pytest.raises(InputError, match=r"^Metric: `predictions` is not a valid Arrow array: "):
            Segments(UNSOUND[kind], ["a", "b"], owner="Metric")


def test_types_that_an_old_pyarrow_cannot_cast(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(held: pa.Array) -> None:
        raise pa.ArrowNotImplementedError("Unsupported cast")

    monkeypatch.setattr("metrologue.data.arrow_rows._widened", refuse)
    with pytest.raises(
        InputError,
        match=r"`references` has the type string_view; cast it to string or to lists of string\. \(Unsupported cast\)",
    ):
        Segments(["a"], pa.array(["a"], pa.string_view()))


@pytest.mark.parametrize("argument", ["predictions", "references"])
def test_a_table_is_no_column(argument: str) -> None:
    frame = pytest.importorskip("pandas").DataFrame({"text": ["a", "b"], "more": ["c", "d"]})
    dataset = pytest.importorskip("datasets").Dataset.from_dict({"text": ["a", "b"]})
    for table in (frame, dataset):
        arguments = {"predictions": ["a", "b"], "references": ["a", "b"], argument: table}
        with pytest.raises(InputError, match=f"`{argument}` is a {type(table).__name__}; give one of its columns"):
            Segments(**arguments)


class Series:
    """A column as polars has it: it can be iterated, its lists come as such columns, and that is all it has of ours."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Any:
        return (Series(item) if isinstance(item, list) else item for item in self.items)


def test_columns_of_other_libraries() -> None:
    segments = Segments(Series(PREDICTIONS), Series(REFERENCES))
    assert [segments.pair(i) for i in range(4)] == list(zip(PREDICTIONS, REFERENCES, strict=True))


def all_of(segments: Segments) -> list[tuple[str, list[str]]]:
    return [segments.pair(i) for i in range(len(segments))]


PAIRS = list(zip(PREDICTIONS, REFERENCES, strict=True))


@pytest.mark.parametrize("bad", [-1, 4, 10**30, 1.0, True, "1", None, [1]])
def test_indices_that_are_none(bad: Any) -> None:
    segments = Segments(PREDICTIONS, REFERENCES)
    with pytest.raises(InputError, match=r"^Segments\.pair: `segment` is .*; an int in range\(4\) is expected\.$"):
        segments.pair(bad)
    with pytest.raises(InputError, match=r"^Segments\.take: `indices\[1\]` is .*; an int in range\(4\) is expected\.$"):
        segments.take([0, bad])
    view = segments.read(words("whitespace"))
    with pytest.raises(InputError, match=r"^View\.tokens: `segment` is .*; an int in range\(4\) is expected\.$"):
        view.tokens(bad)
    if bad != 4:
        with pytest.raises(InputError, match=r"^View\.tokens_of: `index` is .*; an int in range\(11\) is expected\.$"):
            view.tokens_of(bad)


@pytest.mark.parametrize("bad", [None, 3, "01", {0: 1}, np.array(1)])
def test_indices_that_are_no_list(bad: Any) -> None:
    with pytest.raises(InputError, match=r"^Segments\.take: `indices` is a "):
        Segments(PREDICTIONS, REFERENCES).take(bad)


@pytest.mark.parametrize("indices", [[], (3, 0, 3), np.array([1, 2]), iter([2]), pa.array([0, 1]), range(4)])
def test_indices_in_any_list(indices: Any) -> None:
    wanted = [2] if hasattr(indices, "__next__") else [int(str(index)) for index in indices]
    assert all_of(Segments(PREDICTIONS, REFERENCES).take(indices)) == [PAIRS[i] for i in wanted]


@pytest.mark.parametrize("limits", [(0, 9), (-3, None), (None, -1), (3, 1), (9, 10**30), (-(10**30), 2), (2, 2)])
def test_slices_are_those_of_a_list(limits: Any) -> None:
    assert all_of(Segments(PREDICTIONS, REFERENCES).slice(*limits)) == PAIRS[slice(*limits)]


@pytest.mark.parametrize("limits", [(0.5, 2), ("a", 2), (0, [1])])
def test_slices_that_are_none(limits: Any) -> None:
    with pytest.raises(InputError, match=r"^Segments\.slice: `start`, `stop` are .*; ints or None are expected"):
        Segments(PREDICTIONS, REFERENCES).slice(*limits)


@pytest.mark.parametrize("count", [0, -1, 1.5, "2", None, True])
def test_shards_that_would_lose_segments(count: Any) -> None:
    with pytest.raises(InputError, match=r"^Segments\.shards: `count` is .*; an int of 1 or more is expected"):
        Segments(PREDICTIONS, REFERENCES).shards(count)


def test_shards_of_nothing() -> None:
    assert Segments([], []).shards(3) == []


@pytest.mark.slow
def test_more_than_two_gibibytes() -> None:
    """Arrow's 32-bit offsets end at 2^31 bytes; chunks of `string` and single lists go beyond."""
    line = "word " * 2_000
    count = 2**31 // len(line) // 2 + 1_000
    chunks = pa.chunked_array([pa.array([line] * count), pa.array([line] * count)])
    segments = Segments(chunks, pa.chunked_array([pa.array(["word"] * (2 * count))]))
    view = segments.read(words("whitespace"))
    assert segments.texts().buffers()[2].size > 2**31
    assert view.type_count == 1
    assert (view.lengths == 2_000).all()
    assert len(view.ids) == 2 * count * 2_001


@given(some=st.lists(texts(), max_size=6), order=st.lists(st.integers(0, 5), max_size=20))
def test_texts_that_come_again(some: list[str], order: list[int]) -> None:
    """A text that was read before has the tokens that it has alone, also where only its end tells it from another."""
    distinct = [*some, *(text + "x" for text in some)]
    corpus = [distinct[i % len(distinct)] for i in order] if distinct else []
    view = Segments(corpus, corpus[::-1]).read(words("whitespace"))
    assert [view.tokens(i) for i in range(len(corpus))] == [
        (text.split(), [other.split()]) for text, other in zip(corpus, corpus[::-1], strict=True)
    ]


@given(st.lists(st.tuples(texts(), st.lists(texts(), min_size=1, max_size=3)), max_size=8), st.integers(1, 60))
def test_parts_by_bytes(rows: list[tuple[str, list[str]]], most: int) -> None:
    """All segments, in order, in parts that are as large as they may be."""
    segments = Segments([text for text, _ in rows], [references for _, references in rows])

    def size(part: Segments) -> int:
        columns = part.predictions, part.references
        return sum(len(text.encode()) for column in columns for text in column.texts.to_pylist())

    parts = list(segments.slice(0, None).parts(most))
    assert [part.pair(i) for part in parts for i in range(len(part))] == [segments.pair(i) for i in range(len(rows))]
    assert all(size(part) <= most or len(part) == 1 for part in parts)
    assert all(size(one) + size(two.slice(0, 1)) > most for one, two in pairwise(parts))
    assert [part.first for part in parts] == np.cumsum([0, *map(len, parts)])[: len(parts)].tolist()

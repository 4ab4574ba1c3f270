"""Everything that can hold text gives the same segments, and everything that cannot is refused by index."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, texts

from metrologue.errors import InputError
from metrologue.segments import Segments

Corpus = tuple[list[str], list[list[str]]]

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
    "arrow-sliced": lambda xs: pa.array(["before", *xs, "after"]).slice(1, len(xs)),
    "arrow-dictionary": lambda xs: pa.array(xs).dictionary_encode(),
    "arrow-chunked": lambda xs: pa.chunked_array([xs[:1], [], xs[1:]], pa.string()),
    "pandas": lambda xs: pytest.importorskip("pandas").Series(xs, index=range(7, 7 + len(xs))),
    "pandas-objects": lambda xs: pytest.importorskip("pandas").Series(xs, dtype=object),
    "datasets": lambda xs: pytest.importorskip("datasets").Dataset.from_dict({"x": xs})["x"],
}
NESTED: dict[str, Any] = {
    "list": list,
    "tuples": lambda xs: tuple(map(tuple, xs)),
    "arrow": pa.array,
    "arrow-large": lambda xs: pa.array(xs, pa.large_list(pa.large_string())),
    "arrow-sliced": lambda xs: pa.array([["before"], *xs, ["after"]]).slice(1, len(xs)),
    "arrow-chunked": lambda xs: pa.chunked_array([xs[:1], xs[1:]], pa.list_(pa.string())),
    "arrays": lambda xs: [np.array(x) for x in xs],
    "pandas": lambda xs: pytest.importorskip("pandas").Series(xs, index=range(7, 7 + len(xs))),
    "datasets": lambda xs: pytest.importorskip("datasets").Dataset.from_dict({"x": xs})["x"],
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
    view = Segments(batch, batch[::-1]).view("char")
    spelled = [view.spelling(type_id) for type_id in range(view.types)]
    assert len(set(spelled)) == len(spelled)
    assert [spelled[i] for i in view.ids] == [c for text in [*batch, *batch[::-1]] for c in text if not c.isspace()]


@pytest.mark.parametrize("kind", ["whitespace", "13a", "char"])
def test_many_types(kind: str) -> None:
    """The table of types grows; tokens of up to eight bytes and longer ones live in it side by side."""
    words = [f"{'w' * (i % 23)}{i}" for i in range(40_000)]
    view = Segments([" ".join(words)] * 2, [" ".join(words[::-1])] * 2).view(kind)
    expected = set(words) if kind != "char" else set("w0123456789")
    assert {view.spelling(type_id) for type_id in range(view.types)} == expected
    assert view.types == len(expected)


def test_views_are_kept() -> None:
    segments = Segments(["A b"], ["a B"])
    assert segments.view("none") is segments.view("whitespace")
    assert segments.view("13a", lowercase=True) is not segments.view("13a")


nan = float("nan")


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["a", "b"], ["a"], "2 predictions but 1 references"),
        (["a"], [["a", "c"], ["b"]], "1 predictions but 2 references"),
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
    ],
)
def test_bad_input(predictions: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^Metric: .*{message}"):
        Segments(predictions, references, owner="Metric")


@pytest.mark.slow
def test_more_than_two_gibibytes() -> None:
    """Arrow's 32-bit offsets end at 2^31 bytes; chunks of `string` and single lists go beyond."""
    line = "word " * 2_000
    count = 2**31 // len(line) // 2 + 1_000
    chunks = pa.chunked_array([pa.array([line] * count), pa.array([line] * count)])
    segments = Segments(chunks, pa.chunked_array([pa.array(["word"] * (2 * count))]))
    view = segments.view("whitespace")
    assert segments.texts.buffers()[2].size > 2**31
    assert view.types == 1
    assert (view.lengths == 2_000).all()
    assert len(view.ids) == 2 * count * 2_001


@given(some=st.lists(texts(), max_size=6), order=st.lists(st.integers(0, 5), max_size=20))
def test_texts_that_come_again(some: list[str], order: list[int]) -> None:
    """A text that was read before has the tokens that it has alone, also where only its end tells it from another."""
    distinct = [*some, *(text + "x" for text in some)]
    corpus = [distinct[i % len(distinct)] for i in order] if distinct else []
    view = Segments(corpus, corpus[::-1]).view("whitespace")
    assert [view.tokens(i) for i in range(len(corpus))] == [
        (text.split(), [other.split()]) for text, other in zip(corpus, corpus[::-1], strict=True)
    ]

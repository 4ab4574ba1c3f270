"""Saved totals: columns go by name, and a file that holds anything else is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import SAMPLES, Columns, columns_of, sample_of
from needs import made

from metrologue.data.exact_sums import exact_group_sums, exact_sums
from metrologue.errors import InputError
from metrologue.scorers import (
    F1,
    Accuracy,
    Bleu,
    ConfusionMatrix,
    LexicalDiversity,
    Rouge,
    Scorer,
    Totals,
    list_scorers,
)
from metrologue.scorers.core.options import fitted_fields

CORPUS = (["the cat sat on the mat", "a dog"], [["the cat sat on the mat"], ["a dog"]])


def default(name: str) -> Scorer:
    """A metric with its defaults, and with its tables if it has any."""
    scorer = made(name)
    if not fitted_fields(type(scorer)):
        return scorer
    return scorer.fit(scorer._to_segments(**columns_of(name, *SAMPLES.get(name, CORPUS))))


def corpus_of(scorer: Scorer) -> Columns:
    return columns_of(scorer.name, *sample_of(scorer.name, *CORPUS))


SCORERS: list[Scorer] = [
    Bleu(),
    Bleu(aggregation="mean"),
    Rouge(),
    Rouge(aggregation="bootstrap-median", samples=5),
    *(default(name) for name in list_scorers() if name not in ("bleu", "rouge", "meteor")),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "totals.json"


def changed(path: Path, scorer: Scorer, change: Callable[[dict[str, Any]], Any]) -> Path:
    """The totals of a small corpus, saved and then changed by hand, without a digest."""
    scorer.accumulate(**corpus_of(scorer)).save(path)
    path.write_text(json.dumps(change(without("digest")(json.loads(path.read_text("utf-8"))))), "utf-8")
    return path


def key(name: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda data: {**data, name: value}


def without(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda data: {other: value for other, value in data.items() if other != name}


def column(name: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda data: {**data, "totals": {**data["totals"], name: value}}


@pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: f"{scorer.name}-{scorer.aggregation}")
def test_columns_go_by_name(scorer: Scorer, path: Path) -> None:
    corpus = corpus_of(scorer)
    whole = scorer.corpus(**corpus)
    totals = scorer.accumulate(**corpus)

    def backwards(data: dict[str, Any]) -> Any:
        return {**data, "totals": dict(reversed(data["totals"].items()))}

    loaded = Totals.load(changed(path, scorer, backwards))
    assert loaded.columns == totals.columns[::-1]
    assert scorer.score_totals(loaded) == scorer.score_totals(totals)
    assert scorer.score_totals(loaded).value == pytest.approx(whole.value, rel=1e-14)
    if scorer.about.by_index:
        return
    twice = scorer.corpus(**{name: [*rows, *rows] for name, rows in corpus.items()}).scores
    # What depends on the order has a place, so that the same totals are not counted twice.
    second = replace(totals, ranges=((2, 4),)) if scorer._totals_in_order else totals
    for merged in (second.merge(loaded), loaded.merge(second), scorer.accumulate(**corpus, totals=loaded)):
        assert merged.segments == 4
        assert scorer.score_totals(merged).scores == pytest.approx(twice, rel=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda data: {**data, "totals": without("clipped_count_2")(data["totals"])},
            "the column 'clipped_count_2' is missing",
        ),
        (column("bytes", 1.0), "the scorer has no column 'bytes'"),
    ],
)
def test_columns_of_another_scorer(change: Callable[[dict[str, Any]], Any], message: str, path: Path) -> None:
    loaded = Totals.load(changed(path, Bleu(), change))
    with pytest.raises(InputError, match=f"totals.json: {message}"):
        Bleu().score_totals(loaded)
    with pytest.raises(InputError, match=r"(the column '\w+' is missing|the scorer has no column '\w+')"):
        Bleu().accumulate(*CORPUS, loaded)
    with pytest.raises(InputError, match=r"(the column '\w+' is missing|the scorer has no column '\w+')"):
        Bleu().accumulate(*CORPUS).merge(loaded)


INFINITE = float("inf")
NO_NUMBERS = [
    "8", None, True, {}, float("nan"), INFINITE, -INFINITE, 10**400, -(10**400), [None], ["1"], [[1.0]],
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        *((column("count_1", value), "the column 'count_1' holds") for value in NO_NUMBERS),
        (column("count_1", [8.0, 8.0]), "the column 'count_1' does not have as many rows"),
        (column("count_1", []), "the column 'count_1' does not have as many rows"),
        *((key("segments", value), "`segments` is") for value in (-1, 2.0, "2", None, True, [2], float("nan"))),
        *((key("signature", value), "`signature` is") for value in (1, None, ["a"])),
        *((without(name), "is expected") for name in ("signature", "segments", "totals")),
        *((key("totals", value), "is expected") for value in ([1.0], 1.0, None, "a")),
        (key("totals", {}), "each column must occur exactly once"),
        *((lambda data, value=value: value, "is expected") for value in ([], 1, "a", [{}])),
    ],
)
def test_a_file_that_is_wrong(change: Callable[[dict[str, Any]], Any], message: str, path: Path) -> None:
    with pytest.raises(
        InputError, match=rf"^Totals\.load: .*totals\.json holds no saved totals \(.*{message}"
    ) as caught:
        Totals.load(changed(path, Bleu(), change))
    assert len(str(caught.value)) < 400


ROWS = Rouge(types=("rouge1",), aggregation="bootstrap-median", samples=5)


@pytest.mark.parametrize(
    ("scorer", "change", "message"),
    [
        (ROWS, column("rouge1_recall", [1.0]), "the column 'rouge1_recall' does not have as many rows"),
        (ROWS, column("rouge1_recall", 1.0), "the column 'rouge1_recall' does not have as many rows"),
        (ROWS, column("rouge1_recall", [1.0, [1.0]]), "the column 'rouge1_recall' holds"),
        (ROWS, column("rouge1_recall", [1.0, float("nan")]), "the column 'rouge1_recall' holds nan"),
        (
            ROWS,
            key("segments", 3),
            r"there are 2 rows, but `segments` is 3|the column 'segments' adds up",
        ),
        (Bleu(aggregation="mean"), key("segments", 3), "'segments' adds up to 2, but `segments` is 3"),
        (Bleu(aggregation="mean"), column("segments", 0), "'segments' adds up to 0, but `segments` is 2"),
    ],
)
def test_rows_that_are_wrong(scorer: Scorer, change: Callable[[dict[str, Any]], Any], message: str, path: Path) -> None:
    with pytest.raises(InputError, match=message):
        Totals.load(changed(path, scorer, change))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"signature": "a", "segments": 1, "totals": {"a": 1, "a": 2}}', "the key 'a' occurs twice"),
        (
            b'{"signature": "a", "signature": "b", "segments": 1, "totals": {}}',
            "the key 'signature' occurs twice",
        ),
        (b'{"signature": "a\xff", "segments": 1, "totals": {}}', "utf-8"),
        (b"[" * 100_000, "recursion"),
        (b'{"a":' * 100_000, "recursion"),
        (b'{"signature": "a", "segments": ' + b"9" * 5000 + b', "totals": {}}', "digits"),
        (b'{"signature": "a", "segments": 1, "totals": {"a": 1e400}}', "the column 'a' holds inf"),
        (b"", "Expecting value"),
        (b"\x00", ""),
        (b'{"signature": "a"', ""),
    ],
)
def test_text_that_is_no_object(content: bytes, message: str, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"^Totals\.load: .*totals\.json holds no saved totals \(.*{message}"):
        Totals.load(path)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for place in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match=r"^Totals\.load: .* holds no saved totals"):
            Totals.load(place)


def test_totals_made_by_hand() -> None:
    totals = Bleu().accumulate(*CORPUS)
    for wrong, message in (
        ({"values": totals.values[:-1]}, "each column needs a value"),
        ({"values": np.where(totals.values > 5, np.nan, totals.values)}, "not finite"),
        ({"values": [["a"] * len(totals.columns)]}, "are not numbers"),
        ({"values": np.stack([totals.values] * 3)}, "3 rows, but `segments` is 2"),
        ({"columns": totals.columns[:1] * len(totals.columns)}, "must occur exactly once"),
        ({"columns": (1, *totals.columns[1:])}, "is not a str"),
    ):
        with pytest.raises(InputError, match=message):
            replace(totals, **wrong)
    rows = replace(totals, values=np.stack([totals.values] * 2))
    with pytest.raises(InputError, match="totals has rows of segments"):
        Bleu().score_totals(rows)
    for one, other in ((rows, totals), (totals, rows)):
        with pytest.raises(InputError, match="one of the totals has sums"):
            one.merge(other)
    with pytest.raises(InputError, match="is not a Totals"):
        totals.merge({"signature": totals.signature})  # type: ignore[arg-type]
    large = replace(totals, values=np.full(len(totals.columns), 1e308))
    with pytest.raises(InputError, match="not finite"):
        large.merge(large)


def test_rows_without_places_are_not_merged(path: Path) -> None:
    """Totals of an older version have rows or texts, but not their places."""
    for scorer in (ROWS, LexicalDiversity(window=2)):
        totals = scorer.accumulate(*CORPUS)
        old = Totals.load(changed(path, scorer, without("ranges")))
        assert scorer.score_totals(old) == scorer.score_totals(totals)
        for one, other in ((old, totals), (totals, old)):
            with pytest.raises(InputError, match="it has rows or texts, but not the indices of its segments"):
                one.merge(other)


@given(st.lists(st.floats(-1e300, 1e300) | st.sampled_from([0.1, 1e16, -1e16, 2.0**53, 5e-324]), max_size=40))
def test_sums_are_exact(numbers: list[float]) -> None:
    found = exact_sums(np.array(numbers).reshape(-1, 1))[:, 0].tolist()
    assert sum(map(Fraction, found)) == sum(map(Fraction, numbers))
    assert found[0] == math.fsum(numbers)
    assert exact_sums(np.array(numbers[::-1]).reshape(-1, 1))[:, 0].tolist() == found
    groups = np.arange(len(numbers)) % 3
    of_groups = exact_group_sums(np.array(numbers), groups, 3)
    for group, column in enumerate(of_groups.T.tolist()):
        assert sum(map(Fraction, column)) == sum(map(Fraction, numbers[group::3]))


def test_sums_that_are_too_large_are_infinite() -> None:
    assert exact_sums(np.full((2, 1), 1.7e308))[0, 0] == math.inf
    assert exact_sums(np.array([[math.nan], [1.0]])).shape == (1, 1)


def test_sums_of_many_numbers_are_exact() -> None:
    numbers = np.random.default_rng(1).uniform(-1, 1, 100_000) * 2.0 ** np.arange(-50, 50).repeat(1000)
    found = exact_sums(numbers[:, None])[:, 0]
    assert found.tolist() == exact_sums(numbers[::-1, None])[:, 0].tolist()
    assert sum(map(Fraction, found.tolist())) == sum(map(Fraction, numbers.tolist()))


def test_weights_merge_in_any_order(path: Path) -> None:
    """0.1 and its like have no exact sum in float64."""
    draws = np.random.default_rng(0)
    labels, right, weights = draws.integers(0, 3, 60), draws.integers(0, 3, 60), draws.choice([0.1, 0.7, 1e-9, 3e7], 60)
    for scorer in (F1(average="macro"), ConfusionMatrix(), Accuracy(), F1(labels=("0", "2"), average="weighted")):
        whole = scorer.accumulate(labels, right, sample_weight=weights)
        whole.save(path)
        for _ in range(5):
            order = draws.permutation(60)
            parts = [
                scorer.accumulate(labels[part], right[part], sample_weight=weights[part])
                for part in np.split(order, [7, 7, 31])
                if len(part)
            ]
            merged = reduce(Totals.merge, parts)
            assert scorer.score_totals(merged).scores == scorer.score_totals(whole).scores
            merged.save(path.with_name("merged.json"))
            assert path.with_name("merged.json").read_bytes() == path.read_bytes()
            assert scorer.score_totals(Totals.load(path)).scores == scorer.score_totals(merged).scores


def test_a_bool_is_the_int_that_it_equals() -> None:
    parts = [Accuracy()._to_segments([True, False], [True, True]), Accuracy()._to_segments([1, 2], [2, 2])]
    one, other = (ConfusionMatrix().accumulate(part) for part in parts)
    for merged in (one.merge(other), other.merge(one)):
        assert [*map(type, merged.tables["confusion"].labels)] == [int] * 3


def test_a_save_that_fails_leaves_what_was_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    totals = Bleu().accumulate(*CORPUS)
    totals.save(path)
    before = path.read_bytes()
    opened = Path.open

    @contextmanager
    def full(self: Path, mode: str) -> Iterator[Any]:
        with opened(self, mode) as file:

            def half(content: bytes) -> None:
                file.write(content[: len(content) // 2])
                raise OSError(28, "No space left on device")

            yield SimpleNamespace(write=half)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", full)
        with pytest.raises(OSError, match="No space left"):
            totals.merge(totals).save(path)
    assert path.read_bytes() == before
    assert [*path.parent.iterdir()] == [path]

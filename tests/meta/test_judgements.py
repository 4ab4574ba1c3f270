"""Ratings of people: the data model, its checks, and JSON Lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.data.judgements import z_scores
from metrologue.errors import InputError
from metrologue.meta import Judgements, Ratings, read_judgements
from metrologue.meta.records import read_rated

NAN = float("nan")
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(*lines: Any, name: str = "rated.jsonl") -> Path:
        path = tmp_path / name
        text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    return written


def made(**changed: Any) -> Judgements:
    """Four texts of two systems for two segments, rated by three."""
    ratings = Ratings(np.array([[1.0, 2, 3], [2, 2, NAN], [5, 4, 5], [NAN, NAN, NAN]]), ("ann", "bob", "cid"), 1)
    fields: dict[str, Any] = {
        "segments": ("1", "2", "1", "2"),
        "hypotheses": ("a cat", "a dog", "cats", "the dog"),
        "ratings": {"fluency": ratings},
        "systems": ("amber", "amber", "birch", "birch"),
        "references": (("a cat",), ("dog",), ("a cat",), ("dog",)),
    }
    return Judgements(**{**fields, **changed})


@given(st.lists(st.lists(st.one_of(st.integers(-9, 9), st.none()), min_size=2, max_size=2), min_size=1, max_size=9))
def test_z_scores(rows):
    values = np.array([[NAN if each is None else each for each in row] for row in rows], float)
    for own, found in zip(values.T, z_scores(values).T, strict=True):
        known = own[~np.isnan(own)]
        assert np.array_equal(np.isnan(found), np.isnan(own) | (len(known) < 2))
        if len(known) > 1:
            spread = known.std(ddof=1)
            expected = (known - known.mean()) / spread if spread else 0 * known
            np.testing.assert_allclose(found[~np.isnan(own)], expected, atol=1e-12)


def test_means_do_not_depend_on_the_order_of_annotators():
    values = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.3, 0.1]])
    assert len({*Ratings(values, ("a", "b", "c")).means().tolist()}) == 1


def test_means_leave_out_what_is_missing():
    np.testing.assert_array_equal(made().ratings["fluency"].means(), [2, 2, 14 / 3, NAN])


def test_systems_that_miss_segments_are_named():
    short = made().where([True, True, True, False])
    assert [str(gap) for gap in short.gaps()] == ["birch misses 1 of 2 segments: 2"]
    assert made().gaps() == ()
    alone = made(segments=("1", "2", "3", "4"))  # no segment has two systems, so that none is missed
    assert alone.gaps() == ()


def test_rows_are_left_out_with_a_note():
    said = made()
    kept = said.without_systems(["amber"])
    assert (kept.hypotheses, kept.notes) == (("cats", "the dog"), ("2 texts of amber are left out.",))
    assert said.without_copies().notes == ("1 text equal to a reference is left out.",)
    assert said.without_systems([]) is said
    with pytest.raises(InputError, match="no system is called 'ambre'; did you mean 'amber'"):
        said.without_systems(["ambre"])
    with pytest.raises(InputError, match="no text is left"):
        said.without_systems(["amber", "birch"])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"hypotheses": ()}, "there is no text"),
        ({"ratings": {}}, "there is no rating"),
        ({"segments": ("1",)}, "`segments` has 1 entry for 4 hypotheses"),
        (
            {"segments": ("1", "1", "1", "2")},
            r"`hypotheses\[1\]` is a second text of the system 'amber' for the segment",
        ),
        ({"scores": {"comet": np.zeros(3)}}, r"`scores\['comet'\]` has 3"),
    ],
)
def test_parts_that_do_not_fit(changed, message):
    with pytest.raises(InputError, match=message):
        made(**changed)


def test_a_rating_outside_its_scale_is_named():
    said = made()
    said.check_scale({"": (1, 5)})
    with pytest.raises(
        InputError, match=r"fluency of segment '1' is 5 by annotator ann, and 1 more; the scale is 1 to 4"
    ):
        said.check_scale({"fluency": (1, 4)})
    with pytest.raises(InputError, match="no quality is called 'fluancy'; did you mean 'fluency'"):
        said.check_scale({"fluancy": (1, 4)})


def test_json_lines(write):
    lines = [
        {"system": "a", "segment": 7, "hypothesis": "x", "references": "y", "source": "s", "ratings": {"good": 3}},
        "",
        {
            "system": "b",
            "segment": 7,
            "hypothesis": "z",
            "references": ["y", "w"],
            "source": "",
            "ratings": {"good": None, "bad": [1]},
        },
    ]
    for name in ("rated.jsonl", "rated.jsonl.gz"):
        said = read_judgements(write(*lines, name=name))
        assert (said.segments, said.systems, said.contexts) == (("7", "7"), ("a", "b"), ("s", ""))
        assert said.references == (("y",), ("y", "w"))
        np.testing.assert_array_equal(said.ratings["good"].values, [[3], [NAN]])
        np.testing.assert_array_equal(said.ratings["bad"].values, [[NAN], [1]])


def test_ratings_by_annotator_may_have_holes(write):
    ratings = [{"good": [1, "N/A (no errors)", None]}, {"good": [2]}, {"good": {"2": 3, "dan": 4}}]
    own = read_rated(write(*({"hypothesis": "x", "ratings": each} for each in ratings))).ratings["good"]
    assert (own.annotators, own.declined) == (("1", "2", "3", "dan"), 1)
    np.testing.assert_array_equal(own.values, [[1, NAN, NAN, NAN], [2, NAN, NAN, NAN], [NAN, 3, NAN, 4]])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "the file is empty"),
        (("[1]",), "item 1 is 1; an object is expected"),
        (('"x"',), ":1: .* is not an object with the keys system, segment"),
        (("{",), ":1: not JSON"),
        (({"ratings": {"good": 1}},), ":1: no 'hypothesis'"),
        (({"hypothesis": 2.5, "ratings": {"good": 1}},), "'hypothesis' is 2.5; write a text"),
        (({"hypothesis": "x"},), ":1: the ratings are None; write an object of qualities"),
        (({"hypothesis": "x", "ratings": {"good": "high"}},), ":1: good is 'high'; write a number, null"),
        (({"hypothesis": "x", "ratings": {"good": True}},), ":1: good is True; write a number"),
        (({"hypothesis": "x", "ratings": {"good": [1, [2]]}},), r":1: good is \[2\]; write a number"),
        (({"hypothesis": "x", "ratings": {"good": []}},), "good has no rating"),
        (({"hypothesis": "x", "references": [], "ratings": {"good": 1}},), r"'references' is \[\]; write a text"),
        (
            ({"hypothesis": "x", "system": "a", "ratings": {"g": 1}}, {"hypothesis": "x", "ratings": {"g": 1}}),
            ":2: no 'system', but other lines have one",
        ),
    ],
)
def test_lines_that_are_refused(write, lines, message):
    with pytest.raises(InputError, match=message):
        read_rated(write(*lines))


def test_an_unknown_reader(write):
    with pytest.raises(InputError, match="'feed' is unknown; did you mean 'fed'"):
        read_judgements(write(), "feed")

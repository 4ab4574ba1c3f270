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
        (("[1]",), r"\[0\] is 1; an object is expected"),
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


ROWS = [
    {
        "system": system,
        "segment": str(segment),
        "hypothesis": f"a {system}, {segment}",
        "reference": "a b",
        "fluency": rating,
    }
    for system in ("x", "y")
    for segment, rating in enumerate((3, 4.5), 1)
]


def in_form(path: Path, form: str) -> Path:
    """The same four texts in a form that is read."""
    file = path / f"rated.{form.partition('-')[0]}"
    objects = [{**row, "ratings": {"fluency": row["fluency"]}} for row in ROWS]
    for each in objects:
        del each["fluency"]
    names = [*ROWS[0]]
    cells = [[str(row[name]) for name in names] for row in ROWS]
    if form == "json":
        file.write_text(json.dumps(objects))
    elif form == "jsonl-prediction":
        renamed = [{**each, "prediction": each["hypothesis"]} for each in objects]
        for each in renamed:
            del each["hypothesis"]
        file.write_text("".join(json.dumps(each) + "\n" for each in renamed))
    elif form == "jsonl-rating":
        flat = [{**each, "ratings": None, "rating": each["ratings"]["fluency"]} for each in objects]
        file.write_text("".join(json.dumps({k: v for k, v in each.items() if k != "ratings"}) + "\n" for each in flat))
    elif form == "tsv":
        file.write_text("".join("\t".join(row) + "\n" for row in [names, *cells]))
    elif form == "csv":
        quoted = [",".join(f'"{cell}"' for cell in row) for row in cells]
        file.write_text("".join(f"{row}\r\n" for row in [",".join(names), *quoted]))
    return file


@pytest.mark.parametrize("form", ["json", "jsonl-prediction", "jsonl-rating", "tsv", "csv"])
def test_every_form_of_rated_texts(tmp_path: Path, form: str) -> None:
    said = read_rated(in_form(tmp_path, form))
    [ratings] = said.ratings.values()
    assert said.qualities == ("rating" if form == "jsonl-rating" else "fluency",)
    assert ratings.values.tolist() == [[3.0], [4.5], [3.0], [4.5]]
    assert said.hypotheses == ("a x, 1", "a x, 2", "a y, 1", "a y, 2")
    assert (said.systems, said.segments, said.references) == (tuple("xxyy"), tuple("1212"), (("a b",),) * 4)


@pytest.mark.parametrize(
    "ratings",
    [
        [{"worker_1": {"fluency": 3, "depth": 1}}, {"worker_2": {"fluency": 4, "depth": 2}}],
        [{"A1B": {"fluency": 3, "depth": 1}}, {"C2": {"fluency": 4, "depth": 2}}, {"D3": {"fluency": 1, "depth": 1}}],
        [{"Expert A": {"fluency": 3, "depth": 1}, "Expert B": {"fluency": 2, "depth": 2}}] * 2,
    ],
)
def test_annotators_may_come_first(write, ratings) -> None:
    said = read_rated(write(*({"hypothesis": "x", "ratings": each} for each in ratings)))
    assert said.qualities == ("fluency", "depth")
    assert said.ratings["fluency"].annotators == tuple(dict.fromkeys(name for each in ratings for name in each))
    assert said.ratings["fluency"].values[0, 0] == 3
    assert said.notes == ("The ratings are by annotator first, then by quality.",)


def test_qualities_come_first_as_documented(write) -> None:
    """Also if some texts lack a quality, and with qualities that are numbered."""
    rows = [{"q1": {"ann": 3, "bob": 4}}, {"q1": {"ann": 2, "bob": 1}, "q2": {"ann": 1, "bob": 1}}, {"q1": {"ann": 1}}]
    said = read_rated(write(*({"hypothesis": "x", "ratings": each} for each in rows)))
    assert (said.qualities, said.ratings["q1"].annotators) == (("q1", "q2"), ("ann", "bob"))


def test_text_among_ratings_and_no_ratings(write) -> None:
    rows = [{"good": 3, "feedback": "built, not produced"}, {}, None, {"good": 2, "feedback": None}]
    said = read_rated(write(*({"hypothesis": "x", "ratings": each} for each in rows)))
    assert said.qualities == ("good",)
    assert np.isnan(said.ratings["good"].values[:, 0]).tolist() == [False, True, True, False]
    assert said.notes == ("feedback holds text, not ratings, and is left out.",)
    with pytest.raises(InputError, match=":2: good is 'high'; write a number"):
        read_rated(write({"hypothesis": "x", "ratings": {"good": 1}}, {"hypothesis": "x", "ratings": {"good": "high"}}))


def test_a_pickle_is_not_run(tmp_path: Path) -> None:
    for name in ("rated.pkl", "rated.jsonl"):
        (tmp_path / name).write_bytes(b"\x80\x04cos\nsystem\n.")
        with pytest.raises(InputError, match="is a pickle: reading it would run code") as caught:
            read_rated(tmp_path / name)
        assert "pickle.load" in str(caught.value)


def test_tables_that_are_refused(tmp_path: Path) -> None:
    for name, text, message in (
        ("a.csv", "hypothesis,good\nx,1,2\n", "a.csv:2: 3 cells, but the first line has 2"),
        ("b.csv", 'hypothesis,good\n"x,1\n', "b.csv:2: not a table of values with commas"),
        ("c.tsv", "hypothesis\tgood\nx\thigh\n", "c.tsv:2: the ratings are None"),
        ("d.csv", "", "the file is empty"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(InputError, match=message):
            read_rated(tmp_path / name)


def test_a_row_for_each_annotator(tmp_path: Path) -> None:
    """In a table whose columns have other names."""
    rows = ["sys_ref,orig_ref,judge,quality,sys", "a x,a b,7,3,x", "a x,a b,9,5,x", "a y,a b,7,2,y", "a y,a b,8,,y"]
    (tmp_path / "rated.csv").write_text("\n".join(rows))
    columns = {"hypothesis": "sys_ref", "references": "orig_ref", "annotator": "judge", "system": "sys"}
    said = read_judgements(tmp_path / "rated.csv", columns=columns)
    assert (said.hypotheses, said.systems, said.references) == (("a x", "a y"), ("x", "y"), (("a b",),) * 2)
    ratings = said.ratings["quality"]
    assert ratings.annotators == ("7", "9", "8")
    assert np.nan_to_num(ratings.values, nan=-1).tolist() == [[3, 5, -1], [2, -1, -1]]
    with pytest.raises(InputError, match=r"csv:2: no 'text'; there are sys_ref"):
        read_judgements(tmp_path / "rated.csv", columns={"hypothesis": "text"})
    with pytest.raises(InputError, match="columns: 'judge' is no part of a rated text"):
        read_judgements(tmp_path / "rated.csv", columns={"judge": "judge"})
    with pytest.raises(InputError, match="the reader 'usr' knows its columns"):
        read_judgements(tmp_path / "rated.csv", "usr", columns)
    (tmp_path / "rated.csv").write_text("\n".join([*rows, "a y,a b,7,1,y"]))
    with pytest.raises(InputError, match="csv:6: a second rating of quality by '7' for the same text"):
        read_judgements(tmp_path / "rated.csv", columns=columns)


def test_objects_for_each_annotator(write) -> None:
    rows = [{"hypothesis": "x", "worker": who, "ratings": {"good": rating}} for who, rating in (("a", 1), ("b", 2))]
    assert read_rated(write(*rows)).ratings["good"].values.tolist() == [[1.0, 2.0]]
    with pytest.raises(InputError, match=":2: no annotator, but other rows have one"):
        read_rated(write(rows[0], {"hypothesis": "x", "ratings": {"good": 1}}))


def test_segments_without_names_are_what_systems_share(write) -> None:
    rows = [
        {"hypothesis": f"{system} {source}", "system": system, "source": source, "ratings": {"good": 1}}
        for system in ("x", "y")
        for source in ("one", "two")
    ]
    assert read_rated(write(*rows)).segments == ("1", "2", "1", "2")
    again = [*rows, {**rows[0], "hypothesis": "another"}]  # so that the source is no name
    assert read_rated(write(*again)).segments == ("1", "2", "3", "4", "5")
    assert read_rated(write(*({**row, "system": "x"} for row in rows[:2]))).segments == ("1", "2")

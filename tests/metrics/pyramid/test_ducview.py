"""Files of DUCView: what is read from them, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metrics.pyramid.record import annotation, cases
from metrologue.errors import InputError
from metrologue.scorers import Pyramid
from metrologue.scorers.pyramid.ducview import read_ducview

FILE = annotation([[1, 2], [1], [1, 3]], [1, 1, 3], 2)


def written(folder: Path, text: str) -> Path:
    path = folder / "some.pan"
    path.write_bytes(text.encode("utf-8"))
    return path


@pytest.mark.parametrize("case", cases()[:8])
def test_round_trip(case: Any, tmp_path: Path) -> None:
    models, summary, unmatched = case
    found = read_ducview(written(tmp_path, annotation(*case)))
    assert found.models == [[str(key) for key in model] for model in models]
    assert found.summary == sorted(map(str, summary), key=int) + [f"0.{i + 1}" for i in range(unmatched)]
    assert {found.labels[key] for model in found.models for key in model} == {
        f"unit {key} & more" for model in models for key in model
    }
    again = found.spelled()
    assert Pyramid().corpus([found.summary], [found.models]) == Pyramid().corpus([again.summary], [again.models])
    if unmatched:
        assert again.summary[-1] == f"0.{unmatched} what else {unmatched - 1}"


def test_a_pyramid_alone(tmp_path: Path) -> None:
    start, end = FILE.index("<pyramid>"), FILE.index("</pyramid>") + len("</pyramid>")
    found = read_ducview(written(tmp_path, FILE[start:end]))
    assert (found.models, found.summary) == ([["1", "2"], ["1"], ["1", "3"]], None)
    assert found.spelled().summary is None


def test_a_file_that_does_not_say_where_models_begin(tmp_path: Path) -> None:
    start, end = FILE.index("<startDocumentRegEx>"), FILE.index("</startDocumentRegEx>") + len("</startDocumentRegEx>")
    path = written(tmp_path, FILE[:start] + FILE[end:])
    with pytest.raises(InputError, match=r"some\.pan: the file does not say where .* give their number, `models`"):
        read_ducview(path)
    # Only how many models have an SCU is known, and a score needs no more.
    assert read_ducview(path, models=3).models == [["1", "2", "3"], ["1"], ["1"]]
    with pytest.raises(InputError, match=r"line \d+: SCU 1 has 3 contributors, but there are 2 models"):
        read_ducview(path, models=2)
    with pytest.raises(InputError, match="read_ducview: `models`: 0 is not an int from 1"):
        read_ducview(path, models=0)


OUTSIDE = [
    ('<!DOCTYPE pyramid SYSTEM "file:///etc/passwd"><pyramid/>', "names another one, 'file:///etc/passwd'"),
    ('<!DOCTYPE pyramid PUBLIC "-//x" "http://a.b/c.dtd"><pyramid/>', "names another one, 'http://a.b/c.dtd'"),
    ('<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>&x;</p>', "declares the entity 'x'"),
    ('<!DOCTYPE p [<!ENTITY % x SYSTEM "http://a.b/c">%x;]><p/>', "declares the entity 'x'"),
    ('<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><p>&b;</p>', "declares the entity 'a'"),
    ("<!DOCTYPE p [%x;]><p>&y;</p>", "has a reference to an entity"),
    ("<p>&y;</p>", "not XML: undefined entity"),
]


@pytest.mark.parametrize(("text", "message"), OUTSIDE)
def test_nothing_outside_of_the_file_is_read(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"some.pan.*{message}"):
        read_ducview(written(tmp_path, text))


def test_declared_values_are_not_added(tmp_path: Path) -> None:
    declared = FILE.replace("comment CDATA #IMPLIED>", 'comment CDATA "a" uid CDATA "7">').replace(' uid="3"', "", 1)
    with pytest.raises(InputError, match=r"line \d+: `uid` is missing"):
        read_ducview(written(tmp_path, declared))


def test_a_pattern_that_would_take_for_ever(tmp_path: Path) -> None:
    """A backtracking engine needs time that doubles with each dash."""
    pattern = "([-]+)+x"
    path = written(
        tmp_path, FILE.replace("[-]*\\n D[0-9]*\\.M\\.[A-Z]\\n[-]*\\n", pattern).replace("-----", "-" * 5000)
    )
    with pytest.raises(InputError, match="which no text matches; give `models`"):
        read_ducview(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[-]*\\n D", "(?=D)", "startDocumentRegEx is .*, which cannot be used"),
        ("<pyramid>", "<other>", "not XML: mismatched tag"),
        (' <scu uid="3"', ' <scu uid="2"', r"line \d+: there is a scu 2 already"),
        (' <scu uid="3"', ' <scu uid="x"', r"line \d+: `uid` is 'x'; an int is expected"),
        ('start="0"', 'start="-1"', r"line \d+: `start` is '-1'; an int is expected"),
        ('<peerscu uid="3"', '<peerscu uid="4"', r"line \d+: the pyramid has no SCU '4'"),
        ("<part ", "<piece ", r"line \d+: a contributor has no part"),
    ],
)
def test_what_is_no_annotation(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in FILE
    with pytest.raises(InputError, match=message):
        read_ducview(written(tmp_path, FILE.replace(old, new)))


def test_other_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no SCU; a pyramid of DUCView is expected"):
        read_ducview(written(tmp_path, "<pyramid/>"))
    with pytest.raises(InputError, match="the file cannot be read: No such file"):
        read_ducview(tmp_path / "none.pyr")
    with pytest.raises(InputError, match="a contributor is outside of any SCU"):
        read_ducview(written(tmp_path, '<pyramid><contributor label="a"/></pyramid>'))
    with pytest.raises(InputError, match="the file is not XML"):
        read_ducview(written(tmp_path, '<?xml version="1.0" encoding="nothing"?><pyramid/>'))

"""HUSE against its definition and the authors' code, its trace, and input that has no score."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from compared import compared
from hypothesis import given
from hypothesis import strategies as st

from metrics.huse import plain
from metrologue import load, trace
from metrologue.errors import InputError
from metrologue.scorers import Huse

HERE = Path(__file__).parent
NAMES = ("huse", "huse_q", "huse_d")
# The toy of the definition: four texts by people, four by a model.
TEXTS = [[4, -8, 4], [5, -12, 6], [3, -9, 3], [4, -20, 8], [2, -4, 4], [3, -6, 5], [1, -3, 3], [2, -5, 4]]
AUTHORS = ["human"] * 4 + ["model"] * 4
# No two pairs of different values are equally far apart, so that rounding decides nothing.
point = st.tuples(st.sampled_from([0.0, 1.37, 2.91, 5.2]), st.sampled_from([-0.11, -1.7, -4.3, -9.9]))
judged = st.lists(st.tuples(point, st.booleans()), min_size=7, max_size=16).filter(
    lambda rows: len({by_model for _, by_model in rows}) == 2
)


def scores(rows: Any, authors: Any, **fields: Any) -> list[float]:
    found = Huse(**fields).corpus(Huse._to_segments(rows, authors)).scores  # without warnings
    return [found[name] for name in NAMES]


@given(rows=judged, neighbors=st.integers(1, 5), radius=st.sampled_from(["next", "last"]))
def test_definition(rows: list[tuple[tuple[float, float], bool]], neighbors: int, radius: str) -> None:
    points, by_model = [own for own, _ in rows], [label for _, label in rows]
    expected = plain.huse(points, by_model, neighbors, radius)
    assert scores(points, by_model, neighbors=neighbors, radius=radius) == pytest.approx([*expected.values()])


@pytest.mark.parametrize("variant", ["huse", "paper"])
def test_the_authors_code(variant: str) -> None:
    recorded = json.loads((HERE / f"{variant}.json").read_text("utf-8"))
    scorer = Huse.variant(variant)
    for corpus in recorded["corpora"]:
        rows, authors = [row[:3] for row in corpus["texts"]], [row[3] for row in corpus["texts"]]
        found = scorer.corpus(rows, authors).scores
        assert [found[name] for name in NAMES] == pytest.approx([corpus[name] for name in NAMES], rel=1e-12)
    compared(3 * len(recorded["corpora"]))


def test_the_authors_example() -> None:
    """The paper's row for summarization. $HUSE is a checkout of the authors' repository."""
    path = Path(os.environ.get("HUSE") or "none", "data", "summary_clean.csv")
    if not path.is_file():
        pytest.skip("$HUSE is not a checkout of https://github.com/hughbzhang/HUSE")
    with path.open(encoding="utf-8", newline="") as file:
        rows = [*csv.reader(file)][1:]
    texts, authors = [[float(row[0]), float(row[1]), float(row[3])] for row in rows], [row[2] for row in rows]
    assert scores(texts, authors) == pytest.approx([0.53, 0.58, 0.95], rel=1e-12)
    assert scores(texts, authors, radius="last") == pytest.approx([0.52, 0.58, 0.94], rel=1e-12)


def test_worked_numbers() -> None:
    found = Huse(neighbors=2).corpus(TEXTS, AUTHORS).scores
    assert found == {
        "huse": 0.0, "huse_q": 0.25, "huse_d": 0.75, "both_wrong": 0, "judgement_wrong": 1,
        "log_probability_wrong": found["log_probability_wrong"], "model_count": 4, "text_count": 8,
    }  # fmt: skip


@given(rows=judged, data=st.data())
def test_what_changes_nothing(rows: list[tuple[tuple[float, float], bool]], data: st.DataObject) -> None:
    """The order of the texts, and the unit of a feature: powers of two change no last bit."""
    points, authors = [own for own, _ in rows], [label for _, label in rows]
    before = scores(points, authors, neighbors=2)
    order = data.draw(st.permutations(range(len(rows))))
    assert scores([points[i] for i in order], [authors[i] for i in order], neighbors=2) == before
    assert scores([(2 * judgement, 4 * log) for judgement, log in points], authors, neighbors=2) == before


def test_the_length_divides_the_log_probability() -> None:
    per_token = [[judgement, log / length] for judgement, log, length in TEXTS]
    assert scores(per_token, AUTHORS, neighbors=2) == scores(TEXTS, AUTHORS, neighbors=2)
    assert scores([row[:2] for row in TEXTS], AUTHORS, neighbors=2) != scores(TEXTS, AUTHORS, neighbors=2)


def test_texts_that_cannot_be_told_and_texts_that_can() -> None:
    draw = np.random.default_rng(0)
    authors = np.arange(400) % 2
    alike = draw.normal(size=(400, 2))
    assert scores(alike, authors)[0] == pytest.approx(1, abs=0.15)
    judged = np.column_stack([alike[:, 0] - 20 * authors, alike[:, 1]])
    assert scores(judged, authors) == [0, 0, 1]
    # A model that repeats itself: people like its texts, and it finds them probable.
    repeats = np.column_stack([alike[:, 0], alike[:, 1] + 20 * authors])
    both, quality, diversity = scores(repeats, authors)
    assert both == 0
    assert quality == pytest.approx(1, abs=0.15)
    assert diversity == 1 - quality


def test_a_tie_is_a_vote_for_people() -> None:
    rows, authors = [[0, 0], [1, 0], [-1, 0], [9, 0], [9, 0]], ["human", "human", "model", "model", "human"]
    found = Huse(neighbors=2, radius="last").fit(Huse._to_segments(rows, authors))
    assert found.segments([[0, 0]], ["human"])[0] == 0.0
    assert found.segments([[0, 0]], ["model"], key="huse")[0] == 2.0  # it is not among the texts to compare with


@pytest.mark.parametrize(
    "rows",
    [
        ["4 -8 4", "5 -12 6", "3 -9 3", "4 -20 8", "2 -4 4", "3 -6 5", "1 -3 3", "2 -5 4"],
        np.array(TEXTS),
        pa.array(TEXTS),
        [tuple(row) for row in TEXTS],
    ],
)
def test_forms_of_texts(rows: Any) -> None:
    assert scores(rows, AUTHORS, neighbors=2) == [0, 0.25, 0.75]


@pytest.mark.parametrize(
    "authors",
    [
        [0, 0, 0, 0, 1, 1, 1, 1],
        [False] * 4 + [True] * 4,
        np.array([0.0] * 4 + [1.0] * 4),
        ["False"] * 4 + ["True"] * 4,
        [["human"]] * 4 + [["1"]] * 4,
        pa.array(AUTHORS),
    ],
)
def test_forms_of_authors(authors: Any) -> None:
    assert scores(TEXTS, authors, neighbors=2) == [0, 0.25, 0.75]
    module = load("huse")
    for start in (0, 4):
        module.add_batch(predictions=TEXTS[start : start + 4], references=authors[start : start + 4])
    assert module.compute(neighbors=2) == {"huse": 0.0, "huse_q": 0.25, "huse_d": 0.75}


BAD = [
    ([[4]], ["human"], r"`predictions\[0\]` is \[4\.0\]; a judgement, a log-probability and a length above 0"),
    ([[4, -1, 2, 3]], [0], r"`predictions\[0\]` is \[4\.0, -1\.0, 2\.0, 3\.0\]; a judgement"),
    ([[4, -1], [4, -1, 2]], [0, 1], r"`predictions\[1\]` is .*; all texts need as many numbers as the first one"),
    ([[4, -1, 2], [4, -1, 0]], [0, 1], r"`predictions\[1\]` is .*length above 0"),
    ([[4, -1, 2], [4, -1, -2]], [0, 1], r"`predictions\[1\]` is .*length above 0"),
    ([[4, float("-inf"), 2]], [0], r"`predictions\[0\]` is .*must be finite \(the authors take -1000 for -inf\)"),
    ([[4, float("nan"), 2]], [0], r"`predictions\[0\]\[1\]` is nan"),
    (["4 -1 x"], [0], r"`predictions\[0\]`, column 6: 'x' is not a number; numbers separated by whitespace"),
    ([4.0], [0], r"`predictions\[0\]` is float 4\.0; a list with the numbers of each text is expected"),
    ([[4, -1]] * 2, ["human", "robot"], r"""`references\[1\]` is 'robot'; "model" or "human", or 1 or 0"""),
    ([[4, -1]] * 2, [0, 2], r"`references\[1\]` is '2'"),
    ([[4, -1]] * 2, [0, 0.5], r"`references\[1\]` is '0\.5'"),
    ([[4, -1]] * 2, [0, None], r"`references\[1\]` is None"),
    ([[4, -1]], [["human", "model"]], r"`references\[0\]` is list \['human', 'model'\]"),
    ([[4, -1]] * 2, [0], "2 predictions but 1 reference"),
    ([[4, -1]], None, "`references` are missing"),
    (TEXTS, AUTHORS, "there are 7 other texts; `neighbors` is 15, which needs 16"),
    (TEXTS * 3, ["human"] * 24, "all texts are by people; give both"),
    (TEXTS * 3, [1] * 24, "all texts are by the model; give both"),
]


@pytest.mark.parametrize(("rows", "authors", "message"), BAD)
def test_input_without_a_score(rows: Any, authors: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^Huse: {message}"):
        Huse().corpus(rows, authors)


def test_the_least_number_of_texts() -> None:
    assert len(Huse(neighbors=6).segments(TEXTS, AUTHORS)) == 8
    with pytest.raises(InputError, match="7 other texts; `neighbors` is 7, which needs 8"):
        Huse(neighbors=7).segments(TEXTS, AUTHORS)
    assert len(Huse(neighbors=7, radius="last").segments(TEXTS, AUTHORS)) == 8


def test_more_texts_of_one_author() -> None:
    with pytest.warns(UserWarning, match="3 texts are by the model and 4 by people"):
        Huse(neighbors=2).corpus(TEXTS[:7], AUTHORS[:7])


def test_features_that_are_the_same_for_all_texts() -> None:
    """Their standard deviation may not be 0 exactly."""
    rows = [[4.1, log / 7] for log in range(8)]
    assert scores(rows, [0, 1] * 4, neighbors=2)[1] == 2.0
    assert scores([[4.1, -0.3]] * 8, [0, 1] * 4, neighbors=2) == [2, 2, 1]


def test_a_trace_shows_the_votes() -> None:
    found = trace(Huse(neighbors=2, scale=100), TEXTS, AUTHORS)
    assert found.formula == "HUSE = 100 · 2 · 0 / 8 = 0.0"
    assert found.table("classified").column("accuracy")[:2] == ("100.0%", "87.5%")
    assert found.table("texts").column("model to people, both")[0] == "1 to 2"
    assert "its 3 nearest neighbours" in found.text()
    assert "HUSE-Q = 100 · 2 · 1 / 8 = 25.00" in found.text()
    assert "its 2 nearest neighbours" in trace(Huse(neighbors=2, radius="last"), TEXTS, AUTHORS).text()

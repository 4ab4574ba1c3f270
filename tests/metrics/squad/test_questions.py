"""The module `squad`: questions as dicts, matched by their ids."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("evaluate", reason="`evaluate` is not installed")

import metrologue
from metrologue.errors import InputError


def answer(question: str, text: Any) -> dict[str, Any]:
    return {"id": question, "prediction_text": text}


def right(question: str, *texts: Any) -> dict[str, Any]:
    return {"id": question, "answers": {"text": [*texts], "answer_start": [0] * len(texts)}}


@pytest.fixture(scope="module")
def squad() -> Any:
    return metrologue.load("squad", keep_in_memory=True)


GIVEN = [answer("1", "the year 1976"), answer("2", "Rome."), answer("3", "a cat")]
RIGHT = [right("3", "dog"), right("1", "1976", "in 1976"), right("2", "Rome")]
NUMBERS = {"exact_match": 100 / 3, "f1": 500 / 9}


def test_questions_are_matched_by_id(squad: Any) -> None:
    result = squad.compute(predictions=GIVEN, references=RIGHT, per_segment=True)
    assert result["segments"]["exact_match"] == [0.0, 0.0, 100.0]
    assert {name: result[name] for name in NUMBERS} == pytest.approx(NUMBERS, rel=1e-15)


def test_batches_single_questions_and_texts(squad: Any) -> None:
    squad.add(prediction=GIVEN[2], reference=RIGHT[0])
    squad.add_batch(predictions=GIVEN[:1], references=RIGHT[1:2])
    assert squad.compute(predictions=["Rome."], references=[["Rome"]]) == pytest.approx(NUMBERS, rel=1e-15)


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([answer("1", "a")], [right("2", "a")], r"`references\[0\]` has the id '2', which no prediction has"),
        ([answer("1", "a"), answer("1", "b")], RIGHT[:2], r"`predictions\[1\]` has the id '1' of an earlier"),
        (GIVEN[:2], [RIGHT[1], RIGHT[1]], r"`references\[1\]` has the id '1', which no prediction has, or an earlier"),
        (GIVEN, RIGHT[:2], "3 predictions but 2 references"),
        ([{"id": "1"}], RIGHT[1:2], r"`predictions\[0\]` has no 'prediction_text'; its keys are 'id'"),
        ([{"prediction_text": "a"}], RIGHT[1:2], r"`predictions\[0\]` has no 'id'"),
        ([answer("2", "a"), answer("1", 3)], RIGHT[1:], r"`predictions\[1\]` is int 3; a str is expected"),
        ([{"id": 1, "prediction_text": "a"}], RIGHT[1:2], r"'id' of `predictions\[0\]` is int 1; a str is expected"),
        (GIVEN[:1], [{"id": "1", "answers": ["a"]}], r"'answers' of `references\[0\]` is list .*a dict is expected"),
        (GIVEN[:1], [{"id": "1", "answers": {}}], r"`references\[0\]` has no 'text'; it is empty"),
        (
            GIVEN[:1],
            [{"id": "1", "answers": {"text": "1976"}}],
            r"'text' of `references\[0\]` is str '1976'; a list of",
        ),
        (GIVEN[:1], [right("1")], r"`references\[0\]` is an empty list"),
        (GIVEN[:1], [right("1", "a", None)], r"`references\[0\]\[1\]` is None"),
        (GIVEN[:1], ["1976"], r"`references\[0\]` is str '1976'; a dict is expected"),
        (["1976"], RIGHT[1:2], r"`predictions\[0\]` is str '1976'; a dict is expected"),
    ],
)
def test_bad_questions_are_refused(squad: Any, predictions: list[Any], references: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^Squad: .*{message}"):
        squad.compute(predictions=predictions, references=references)
    assert len(squad) == 0

"""SQuAD 2.0 against its definition over lists of tokens, and the module against the Hub's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import TokenCorpus, spelled, token_corpora

import metrologue
from metrics.squad_v2 import plain
from metrologue.comparison.libraries import Missing, hub
from metrologue.errors import InputError
from metrologue.scorers import SquadV2
from metrologue.scorers.squad_v2 import best_threshold

ANSWERS = st.sampled_from(["", "the", "cat", "the cat", "a cat sat", "Cat!", "dog", "\u3000"])


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    scorer = SquadV2(tokenizer="whitespace")
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(plain.squad_v2(*corpus), rel=1e-12)
    for row, *segment in zip(scorer.segments(*spelled(corpus)), *corpus, strict=True):
        assert row == pytest.approx(plain.squad_v2(*([each] for each in segment)), rel=1e-12)


@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from([0.0, 0.5, 1.0]), st.booleans(), st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 1.0])
        ),
        min_size=1,
        max_size=8,
    )
)
def test_best_threshold(rows: list[tuple[float, bool, bool, float]]) -> None:
    columns = [[*each] for each in zip(*rows, strict=True)]
    scores, has_answer, answered, probabilities = map(np.array, columns)
    assert best_threshold(scores, has_answer, answered, probabilities) == plain.best_threshold(*columns)


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    """Answers, and right answers in another order; probabilities that are no numbers of 32 bits, and ties of them."""
    ids = draw(st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=6, unique=True))
    probability = st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0])
    predictions = [
        {"id": each, "prediction_text": draw(ANSWERS), "no_answer_probability": draw(probability)} for each in ids
    ]
    right = [{"id": each, "answers": {"text": draw(st.lists(ANSWERS, max_size=3)), "answer_start": []}} for each in ids]
    for each in right:
        each["answers"]["answer_start"] = [0] * len(each["answers"]["text"])
    options = {"no_answer_threshold": draw(st.sampled_from([0.1, 0.3, 0.5, 1.0]))} if draw(st.booleans()) else {}
    return {"predictions": predictions, "references": draw(st.permutations(right)), **options}


def test_the_hubs_module(hub_modules: Path, tmp_path: Path) -> None:
    if isinstance(theirs := hub.load("squad_v2"), Missing):
        pytest.skip(str(theirs))
    ours = metrologue.load("squad_v2", cache_dir=str(tmp_path))

    @given(call=questions())
    def compare(call: dict[str, Any]) -> None:
        expected, found = theirs.compute(**call), ours.compute(**call)
        assert [*found] == [*expected]
        assert found == pytest.approx(expected, rel=1e-12)
        assert {name: type(value) for name, value in found.items()} == {name: type(expected[name]) for name in found}

    compare()


def test_batches_and_texts() -> None:
    module = metrologue.load("squad_v2", keep_in_memory=True)
    answers = [
        {"id": "1", "prediction_text": "1976", "no_answer_probability": 0.25},
        {"id": "2", "prediction_text": "Rome", "no_answer_probability": 0.75},
    ]
    right = [{"id": "2", "answers": {"text": []}}, {"id": "1", "answers": {"text": ["1976"]}}]
    whole = module.compute(predictions=answers, references=right)
    module.add(prediction=answers[0], reference=right[1])
    module.add_batch(predictions=answers[1:], references=right[:1])
    assert module.compute() == whole
    texts = {"predictions": ["1976", "Rome"], "references": [["1976"], []]}
    assert module.compute(**texts, no_answer_probability=[0.25, 0.75]) == whole
    assert module.compute(**texts)["exact"] == whole["exact"] == 50.0
    assert module.compute(**texts, per_segment=True)["segments"]["HasAns_total"] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0.5], "2 predictions but 1 no_answer_probability"),
        ([0.5, float("nan")], r"`no_answer_probability\[1\]` is nan; a finite number is expected"),
        (["a", "b"], "`no_answer_probability` is .* a list of numbers is expected"),
        ([[0.5], [0.5]], "has 2 dimensions"),
    ],
)
def test_wrong_probabilities(given: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SquadV2().corpus(["a", "b"], ["a", "b"], no_answer_probability=given)

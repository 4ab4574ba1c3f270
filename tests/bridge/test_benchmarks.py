"""Benchmarks: the Hub's numbers for each task, live, and input that is refused."""

from __future__ import annotations

import copy
import json
import math
import random
import re
import warnings
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest
from compared import compared

import metrologue
from metrologue.bare_names import module_class
from metrologue.errors import InputError
from metrologue.modules import list_benchmarks

TEXTS = ("fleurs-asr", "mls", "voxpopuli", "babel", "covost2")
TASKS = [(name, task) for name in list_benchmarks() for task in module_class(name).tasks]
WORDS = ["the", "a", "cat", "Cat,", "dogs", "sat", "mat."]


def batch(task: str, draws: random.Random, count: int = 0, kinds: int = 0) -> dict[str, list[Any]]:
    """Predictions and references of a task; labels are two or three, and answers may be missing."""
    count, kinds = count or draws.choice([1, 3, 20]), kinds or draws.choice([2, 2, 3])

    def column() -> list[Any]:
        if task == "stsb":
            return [draws.random() * 5 for _ in range(count)]
        if task == "cvit-mkb-clsr":
            return [[draws.random() for _ in range(4)] for _ in range(30)]
        if task in TEXTS:
            return [" ".join(draws.choices(WORDS, k=draws.randrange(1, 7))) for _ in range(count)]
        return [draws.randrange(kinds) for _ in range(count)]

    predictions, references = column(), column()
    if task == "record":
        idx = [{"passage": 0, "query": k} for k in range(count)]
        predictions = [{"idx": each, "prediction_text": draws.choice(WORDS)} for each in idx]
        asked = [{**each, "query": 99} if each["query"] == 2 else each for each in idx]
        references = [{"idx": each, "answers": draws.choices(["the cat", *WORDS], k=2)} for each in asked]
    if task == "multirc":
        predictions = [
            {"idx": {"answer": k, "paragraph": draws.randrange(2), "question": draws.randrange(3)}, "prediction": label}
            for k, label in enumerate(predictions)
        ]
    return {"predictions": predictions, "references": references}


def same(ours: dict[str, Any], theirs: dict[str, Any], tolerance: float) -> bool:
    pairs = [(ours[key], float(theirs[key])) for key in theirs]
    return [*ours] == [*theirs] and all(
        math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-14) or (math.isnan(a) and math.isnan(b)) for a, b in pairs
    )


@pytest.mark.parametrize(("name", "task"), TASKS)
@pytest.mark.filterwarnings("ignore")
def test_the_hubs_numbers(name: str, task: str, hub_modules: Path) -> None:
    """The Hub's module computes "stsb" in 32 bits."""
    theirs = evaluate.load(str(hub_modules / name), task, keep_in_memory=True)
    ours, draws = metrologue.load(name, task), random.Random(f"{name} {task}")
    scored = 0
    for _ in range(8):
        given = batch(task, draws)
        try:
            expected = theirs.compute(**copy.deepcopy(given))
        except ValueError:  # F1 of three labels; correlations of one point
            with pytest.raises(InputError):
                ours.compute(**given)
            continue
        if task == "stsb" and len(given["predictions"]) < 3:  # two points always lie on a line
            continue
        found = ours.compute(**given)
        assert same(found, expected, 2e-6 if task == "stsb" else 1e-12), (given, found, expected)
        assert {*map(type, found.values())} == {float}
        assert json.dumps(found)
        scored += 1
    compared(scored)
    assert scored > 2


@pytest.mark.parametrize("options", [
    {"smooth_method": "floor", "smooth_value": 0.1, "lowercase": True, "tokenize": "char", "force": True},
    {"smooth_method": "add-k", "use_effective_order": True}, None,
])  # fmt: skip
def test_arguments_of_bleu(options: Any, hub_modules: Path) -> None:
    texts = {"predictions": ["a B c d e", "x"], "references": ["a b c d f", "x y"]}
    theirs = evaluate.load(str(hub_modules / "xtreme_s"), "covost2", keep_in_memory=True)
    expected = theirs.compute(**texts, bleu_kwargs=copy.copy(options))
    assert same(metrologue.load("xtreme_s", "covost2").compute(**texts, bleu_kwargs=options), expected, 1e-12)


@pytest.mark.parametrize("name", list_benchmarks())
def test_a_task_that_there_is_not(name: str, hub_modules: Path) -> None:
    if name == "xnli":  # the Hub's module takes any name
        assert metrologue.load(name, "fr").compute(predictions=[1], references=[1]) == {"accuracy": 1.0}
        return
    for task in ("nope", None):
        with pytest.raises(KeyError):
            evaluate.load(str(hub_modules / name), task, keep_in_memory=True)
        told = "there is no task 'nope'" if task else "a task is missing"
        with pytest.raises(InputError, match=rf"{told}; (did you mean|there are) "):
            metrologue.load(name, task)


def tasks_of(name: str) -> list[tuple[str, str]]:
    return [each for each in TASKS if each[0] == name]


@pytest.mark.parametrize("name", list_benchmarks())
def test_batches_are_one_column(name: str, tmp_path: Path) -> None:
    for _, task in tasks_of(name):
        given = batch(task, random.Random(9), count=12, kinds=2)
        module = evaluate.load(metrologue.module_path(name), task, cache_dir=str(tmp_path))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = module.compute(**given)
            for part in (slice(0, 2), slice(2, 2), slice(2, None)):
                module.add_batch(**{key: column[part] for key, column in given.items()})
            assert module.compute() == whole, task


def test_labels_may_be_arrays_and_whole_floats() -> None:
    glue = metrologue.load("glue", "sst2")
    for made in (np.array([0, 1, 1]), np.array([0.0, 1.0, 1.0]), (0, True, 1)):
        assert glue.compute(predictions=made, references=[0, 1, 0]) == {"accuracy": 2 / 3}
    with pytest.raises(InputError, match=r"Glue: `predictions\[1\]` is float 0.5; an int is expected"):
        glue.compute(predictions=[0, 0.5], references=[0, 1])


IDX = {"passage": 0, "query": 0}
QUESTION = {"answer": 0, "paragraph": 0, "question": 0}


@pytest.mark.parametrize(("task", "predictions", "references", "told"), [
    ("record", [{"idx": IDX}], [{"idx": IDX, "answers": ["a"]}], "`predictions[0]` has no 'prediction_text'"),
    ("record", [{"idx": IDX, "prediction_text": 3}], [{"idx": IDX, "answers": ["a"]}], "of `predictions[0]` is int 3"),
    ("record", [{"idx": IDX, "prediction_text": "a"}], [{"idx": IDX, "answers": []}], "of `references[0]` is []"),
    ("record", [{"idx": {}, "prediction_text": "a"}], [{"idx": IDX, "answers": ["a"]}], "has no 'passage'"),
    ("record", ["a"], ["a"], "`predictions[0]` is str 'a'; a dict is expected"),
    ("multirc", [{"idx": QUESTION, "prediction": "x"}], [1], "'prediction' of `predictions[0]` is str 'x'"),
    ("multirc", [{"idx": QUESTION, "prediction": 1}], ["x"], "`references[0]` is str 'x'; an int is expected"),
    ("multirc", [{"idx": QUESTION, "prediction": 1}], [1, 0], "1 predictions but 2 references"),
    ("multirc", None, [1], "`predictions` is a NoneType"),
    ("cb", [0], None, "`references` is a NoneType"),
])  # fmt: skip
def test_bad_input_is_named(task: str, predictions: Any, references: Any, told: str) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        metrologue.load("super_glue", task).compute(predictions=predictions, references=references)


def test_bad_options_and_rows_are_named() -> None:
    covost, search = metrologue.load("xtreme_s", "covost2"), metrologue.load("indic_glue", "cvit-mkb-clsr")
    with pytest.raises(InputError, match="`bleu_kwargs` has 'smoothing'"):
        covost.compute(predictions=["a"], references=["a"], bleu_kwargs={"smoothing": "exp"})
    with pytest.raises(InputError, match="`bleu_kwargs` is 3; a dict is expected"):
        covost.compute(predictions=["a"], references=["a"], bleu_kwargs=3)
    with pytest.raises(InputError, match=r"`predictions\[1\]` is int 3; a str is expected"):
        covost.compute(predictions=["a", 3], references=["a", "b"])
    with pytest.raises(InputError, match=r"`predictions\[1\]` has not as many numbers as the longest row"):
        search.compute(predictions=[[1, 2], [3]], references=[[1, 2], [3, 4]])


def test_a_question_without_a_prediction_is_told() -> None:
    record = metrologue.load("super_glue", "record")
    asked = [{"idx": {"passage": 0, "query": number}, "answers": ["a cat"]} for number in (0, 1)]
    given = [{"idx": {"passage": 0, "query": number}, "prediction_text": "cat"} for number in (0, 7)]
    with pytest.warns(UserWarning, match="1 of 2 questions have no prediction"):
        assert record.compute(predictions=given, references=asked) == {"exact_match": 0.5, "f1": 0.5}

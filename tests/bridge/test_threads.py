"""One module that several threads use: each call gives what it gives alone, and no row is lost."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import evaluate
import numpy as np
import pytest
from layouts import SAMPLES, columns_of
from needs import WITH_ENCODER, WITH_FRAMES, data_of, provide

import metrologue
from metrologue import InputError

METRICS = Path(__file__).parents[2] / "metrics"
FOLDERS = {path.name for path in METRICS.iterdir() if path.is_dir() and not path.name.startswith("_")}
THREADS = 4
COMPUTES = 20  # of each thread

# One of each kind; the others are the same code below.
EVERYDAY = ("accuracy", "bleu", "cohen_kappa", "likelihood", "mcnemar", "squad", "wer")

TEXTS = [
    "the cat sat on the mat", "a dog ran home today", "it rained in the park", "the dog sat", "a cat in the rain",
    "on the mat it sat", "home is a park", "today it rained on the cat",
]  # fmt: skip


@pytest.fixture(autouse=True)
def switching() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def _modules() -> list[Any]:
    names = sorted(FOLDERS - {*WITH_ENCODER, *WITH_FRAMES})
    return [pytest.param(name, marks=() if name in EVERYDAY else pytest.mark.slow) for name in names]


def _inputs(name: str, module: Any, number: int) -> dict[str, Any]:
    """What the call of this number is given: others for each, and every seventh time something that is refused."""
    draws = random.Random(number)
    count = draws.randrange(4, 9)
    wrong = number % 7 == 3
    if name == "shapley":
        return {"data": [None if wrong else 0.0, *(draws.random() for _ in range(2 ** (2 + number % 3) - 1))]}
    if name == "mcnemar" or name == "wilcoxon":
        bits = {column: [draws.randrange(2) for _ in range(count)] for column in module.columns}
        return {**bits, "predictions1": ["x"] * count} if wrong else bits
    if name in metrologue.list_statistics():
        row = name in ("fleiss_kappa", "krippendorff_alpha", "mauve")
        columns: dict[str, list[Any]] = {
            column: [[draws.randrange(3) for _ in range(3)] if row else draws.randrange(3) for _ in range(count)]
            for column in module.columns
        }
        return {column: [] for column in columns} if wrong else columns
    if name in SAMPLES:
        lines, references = SAMPLES[name]
        chosen = [*range(len(lines))] if name == "huse" else draws.choices(range(len(lines)), k=count)
        draws.shuffle(chosen)
        predictions, references = [lines[i] for i in chosen], [references[i] for i in chosen]
    else:
        predictions = draws.choices(TEXTS, k=count)
        references = [draws.sample(TEXTS, 1 + draws.randrange(2)) for _ in range(count)]
    if wrong:
        references = references[1:]
    if name in metrologue.list_comparisons():
        others = draws.choices(TEXTS, k=count)
        return {"predictions1": predictions, "predictions2": others, "references": references, "metric": "wer"}
    options: dict[str, Any] = {1: {"signature": True}, 2: {"per_segment": True}}.get(number % 4, {})
    if number % 8 == 5:
        options |= {"confidence": 0.9}
    columns = columns_of(module.metric, predictions, references)
    if wrong and "references" not in columns:
        options |= {"confidence": 2.0}
    return {**columns, **options}


def _said(module: Any, inputs: dict[str, Any]) -> str:
    """The result with all digits, or what is said instead."""
    try:
        return repr(module.compute(**inputs))
    except InputError as error:
        return f"InputError: {error}"


def _at_once(work: Callable[[int], Any]) -> list[Any]:
    """The results of `work` for the number of each thread. All of them start together."""
    start = Barrier(THREADS)

    def one(thread: int) -> Any:
        start.wait()
        return work(thread)

    with ThreadPoolExecutor(THREADS) as pool:
        return [*pool.map(one, range(THREADS))]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", _modules())
def test_threads_compute_with_one_module(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    if name not in {*metrologue.list_comparisons(), *metrologue.list_statistics()}:
        provide(request, data_of(metrologue.load(name).metric))
    module = metrologue.load(name, cache_dir=str(tmp_path))
    inputs = [_inputs(name, module, number) for number in range(THREADS * COMPUTES)]
    expected = [_said(module, each) for each in inputs]
    assert len(set(expected)) > 5
    assert any(each.startswith("InputError") for each in expected)
    shared = metrologue.load(name, cache_dir=str(tmp_path))
    found = _at_once(lambda thread: [_said(shared, each) for each in inputs[thread::THREADS]])
    assert [*map(list, zip(*found, strict=True))] == [
        expected[at : at + THREADS] for at in range(0, len(expected), THREADS)
    ]
    assert not [*tmp_path.rglob("*.arrow")]


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_no_row_of_a_thread_is_lost(keep_in_memory: bool, tmp_path: Path) -> None:
    module = metrologue.load("edit_distance", cache_dir=str(tmp_path), keep_in_memory=keep_in_memory)

    def add(thread: int) -> None:
        for i in range(COMPUTES):
            if i % 2:
                module.add_batch(predictions=[f"{thread} {i}"] * 2, references=["x"] * 2)
            else:
                module.add(prediction=f"{thread} {i}", reference="x")

    _at_once(add)
    assert len(module) == THREADS * COMPUTES * 3 // 2
    alone = metrologue.load("edit_distance", keep_in_memory=True)
    texts = [f"{thread} {i}" for thread in range(THREADS) for i in range(COMPUTES) for _ in range(1 + i % 2)]
    expected = alone.compute(predictions=texts, references=["x"] * len(texts), per_segment=True)
    found = module.compute(per_segment=True)
    assert Counter(found["segments"]["edit_distance"]) == Counter(expected["segments"]["edit_distance"])


def test_each_row_belongs_to_one_compute(tmp_path: Path) -> None:
    """However threads that add and threads that compute take turns."""
    module = metrologue.load("accuracy", cache_dir=str(tmp_path))

    def work(thread: int) -> int:
        """How many rows this thread has computed."""
        counted = 0
        for _ in range(COMPUTES):
            module.add_batch(predictions=[1, 1], references=[1, 1])
            if thread % 2:
                counted += _right(module)
        return counted

    assert sum(_at_once(work)) + _right(module) == THREADS * COMPUTES * 2
    assert not [*tmp_path.rglob("*.arrow")]


def _right(module: Any) -> int:
    """The number of right predictions among the rows that were added; 0 if another thread has had them all."""
    try:
        return int(module.compute(normalize=False)["accuracy"])
    except InputError:
        return 0


def test_labels_and_texts_cannot_be_mixed_by_threads(tmp_path: Path) -> None:
    """The form of the rows is that of the first batch, whichever thread it comes from."""
    module = metrologue.load("masi", cache_dir=str(tmp_path))

    def add(thread: int) -> int:
        rows: Any = [["a"]] if thread % 2 else ["a"]
        try:
            module.add_batch(predictions=rows, references=rows)
        except InputError:
            return 0
        return 1

    assert sum(_at_once(add)) == len(module) == THREADS // 2
    assert module.compute()["masi"] == 1.0


def test_a_function_in_place_of_a_tokenizer_is_that_of_its_call() -> None:
    """Functions of one name, in several threads."""
    module = metrologue.load("bleu", keep_in_memory=True)
    functions = [lambda text, n=n: [*text[n:]] for n in range(THREADS)]
    texts = {"predictions": ["abcdefgh i"], "references": ["xbcdefgh j"]}
    expected = [module.compute(**texts, tokenizer=function) for function in functions]
    assert expected[0] != expected[1]

    def work(thread: int) -> list[Any]:
        return [module.compute(**texts, tokenizer=functions[thread]) for _ in range(COMPUTES)]

    assert _at_once(work) == [[each] * COMPUTES for each in expected]


def test_a_function_in_place_of_a_tokenizer_can_compute_itself() -> None:
    """With another function of the same name."""
    inner, outer = (metrologue.load(name, keep_in_memory=True) for name in ("google_bleu", "bleu"))

    def cut(first: int) -> Callable[[str], list[str]]:
        def letters(text: str) -> list[str]:
            if first:
                assert inner.compute(predictions=["a"], references=["a"], tokenizer=cut(0))["google_bleu"] == 1.0
            return [*text[first:]]

        return letters

    texts = {"predictions": ["a b c d e", "abcdefgh i"], "references": [["x b c d e"], ["xbcdefgh j", "x"]]}
    expected = outer.compute(**texts, tokenizer=lambda text: [*text[1:]])
    assert outer.compute(**texts, tokenizer=cut(1)) == expected


def test_numpys_generator_stays_as_it_was() -> None:
    """All threads share it, so that no call may set it, not even for a while."""
    module = metrologue.load("bleu", seed=5)
    np.random.seed(1)
    expected = np.random.random(3).tolist()
    np.random.seed(1)
    drawn: list[float] = []

    def drawing(text: str) -> list[str]:
        drawn.append(float(np.random.random()))
        return text.split()

    module.compute(predictions=["a"], references=["b"], tokenizer=drawing)
    assert [*drawn, *np.random.random(3 - len(drawn)).tolist()] == expected


def test_a_module_can_be_copied_and_pickled() -> None:
    module = metrologue.load("accuracy")
    rows = {"predictions": [1, 0], "references": [1, 1]}
    for twin in (copy.copy(module), copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert twin.compute(**rows) == {"accuracy": 0.5}
        twin.add_batch(**rows)
        assert twin.compute() == {"accuracy": 0.5}


def test_combined_modules_take_their_rows(tmp_path: Path) -> None:
    """`evaluate.combine` adds rows and then computes: its modules still keep what was added."""
    both = evaluate.combine([metrologue.load(name, cache_dir=str(tmp_path)) for name in ("accuracy", "f1")])
    both.add_batch(predictions=[1, 0], references=[1, 1])
    assert both.compute()["accuracy"] == 0.5
    assert both.compute(predictions=[1], references=[1])["f1"] == 1.0

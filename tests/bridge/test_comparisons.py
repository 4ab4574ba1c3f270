"""The paired tests as modules of `evaluate`: the same contract as that of the metrics, where it applies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pyarrow as pa
import pytest

import metrologue
from metrologue import InputError
from metrologue.inference import paired_test
from metrologue.modules import list_benchmarks
from metrologue.scorers import make_scorer
from metrologue.segments import Segments

METRICS = Path(__file__).parents[2] / "metrics"
FIRST = ["the cat sat on a mat", "a dog ran home", "rain fell each day", "we met at one"] * 5
SECOND = ["the cat sat on the mat", "a dog ran home", "rain fell all day", "we meet at noon"] * 5
REFERENCES = ["the cat sat on the mat", "a dog ran home", "rain fell all day", "we met at noon"] * 5
TEXTS: dict[str, Any] = {"predictions1": FIRST, "predictions2": SECOND, "references": REFERENCES}


# Those of texts; test_numbers.py has those of numbers.
@pytest.fixture(params=["approximate_randomization", "paired_bootstrap"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def test(name: str, tmp_path: Path) -> Any:
    return evaluate.load(str(METRICS / name), cache_dir=str(tmp_path))


def test_every_folder_is_of_one_kind() -> None:
    folders = sorted(path.parent.name for path in METRICS.glob("*/*.py") if path.stem == path.parent.name)
    kinds = metrologue.list_metrics(), metrologue.list_comparisons(), metrologue.list_statistics(), list_benchmarks()
    assert folders == sorted(name for kind in kinds for name in kind)


def test_it_is_a_comparison_of_its_name(test: Any, name: str) -> None:
    assert type(test).__name__.lower() == name.replace("_", "")
    assert test.module_type == "comparison"
    assert isinstance(test, evaluate.Comparison)
    assert type(metrologue.load(name)).__name__ == type(test).__name__


@pytest.mark.parametrize("metric", ["bleu:nltk", "wer", "chrf", "rouge"])
def test_the_result_is_that_of_the_test(test: Any, metric: str) -> None:
    segments = Segments(FIRST, REFERENCES, shared=True)
    systems = {"first": segments, "second": segments.with_predictions(SECOND)}
    (expected,) = paired_test(make_scorer(metric), "first", systems, method=test.method, resamples=300)
    result = test.compute(**TEXTS, metric=metric, resamples=300)
    found = result["stat"], result["p"], result["score1"], result["score2"]
    assert found == (expected.difference, expected.p_value, expected.baseline_score, expected.score)
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert {type(value) for value in result.values()} == {float}


def test_signature_is_given_if_it_is_asked_for(test: Any) -> None:
    result = test.compute(**TEXTS, resamples=200, signature=True)
    assert result["signature"].endswith(
        f"|test={test.method}|resamples=200|seed=12345|resampling=metrologue|correction=none"
    )


def test_seed_is_that_of_the_module(name: str, tmp_path: Path) -> None:
    def p_value(**options: Any) -> float:
        options = {**TEXTS, "metric": "wer", "resamples": 200, **options}
        seed = options.pop("seed", None)
        loaded = evaluate.load(str(METRICS / name), cache_dir=str(tmp_path), seed=seed)
        near = {**options, "predictions2": [FIRST[0], *SECOND[1:2], *FIRST[2:]]}
        return float(loaded.compute(**{**near, "predictions1": SECOND[:3] + FIRST[3:]})["p"])

    assert p_value(seed=1) == p_value(seed=1)
    assert len({p_value(seed=seed) for seed in range(8)}) > 1


def test_batches_and_segments_are_one_corpus(test: Any) -> None:
    whole = test.compute(**TEXTS, resamples=100)
    for start in (0, 10):
        test.add_batch(**{key: column[start : start + 10] for key, column in TEXTS.items()})
    assert test.compute(resamples=100) == whole
    for first, second, reference in zip(FIRST, SECOND, REFERENCES, strict=True):
        test.add(prediction1=first, prediction2=second, reference=[reference])
    assert test.compute(resamples=100) == whole
    test.add_batch(predictions1=[], predictions2=[], references=[])
    columns = {"predictions1": np.array(FIRST), "predictions2": tuple(SECOND), "references": pa.array(REFERENCES)}
    assert test.compute(**columns, resamples=100) == whole


def test_a_metric_without_references_takes_none(test: Any) -> None:
    assert test.compute(predictions1=FIRST, predictions2=FIRST, metric="distinct_n", resamples=100)["p"] == 1.0
    with pytest.raises(InputError, match="`references` are missing; bleu compares each prediction with them"):
        test.compute(predictions1=FIRST, predictions2=FIRST, metric="bleu")
    assert test.compute(**TEXTS, resamples=100)["p"] < 1  # what was refused is not kept


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"predictions1": FIRST[:-1]}, r"19 predictions1 but 20 references"),
        ({"predictions2": SECOND[:-1]}, r"19 predictions2 but 20 references"),
        ({"predictions2": [*SECOND[:-1], 3]}, r"`predictions2\[19\]` is int 3"),
        ({"references": [*REFERENCES[:-1], None]}, r"`references\[19\]`"),
        ({"predictions1": None}, r"`predictions1` is a NoneType"),
        ({"predictions2": "abc"}, r"`predictions2`"),
        ({"metric": "bleurgh"}, r"bleurgh"),
        ({"resamples": 1}, "resamples: 1 is not an int"),
        ({"resampling": "moses"}, r"`resampling` is 'moses'"),
    ],
)
def test_bad_input_is_named(test: Any, change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        test.compute(**{**TEXTS, **change})
    assert test.compute(**TEXTS, resamples=100)["score1"] < test.compute(**TEXTS, resamples=100)["score2"]


def test_one_segment_and_no_segment_are_refused(test: Any) -> None:
    with pytest.raises(InputError, match="nothing to score; give `predictions1`, `predictions2`"):
        test.compute()
    with pytest.raises(InputError, match="at least two"):
        test.compute(predictions1=["a"], predictions2=["b"], references=["a"])


def test_unknown_arguments_are_refused(test: Any, name: str) -> None:
    with pytest.raises(TypeError, match="unknown argument 'alpha'"):
        test.compute(**TEXTS, alpha=1)
    with pytest.raises(TypeError, match="unknown argument 'lang'"):
        evaluate.load(str(METRICS / name), lang="cs")
    with pytest.raises(InputError, match="no configuration 'nltk'"):
        evaluate.load(str(METRICS / name), "nltk")

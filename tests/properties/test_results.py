"""A Result in other people's hands: a number, JSON, and a table in a notebook."""

from __future__ import annotations

import copy
import json
import math
import pickle

import numpy as np
import pytest

import metrologue
from metrologue.output import as_json

P, R = ["the cat sat on it today", "a dog ran off"], ["the cat sat on a mat today", "a dog ran away"]


def test_a_result_is_a_number() -> None:
    for name in ("bleu", "wer", "rougeL", "accuracy"):
        result = metrologue.score(name, P, R)
        assert (float(result), f"{result:.2f}") == (result.value, f"{result.value:.2f}")
        assert (round(result, 2), round(result)) == (round(result.value, 2), round(result.value))
        assert result < result.value + 1 and result <= result.value and result > result.value - 1  # noqa: PT018
        assert result.value - 1 < result and result.value >= result  # noqa: PT018
        assert result < np.float64(1e9)
        assert f"{result}" == str(result)
        assert result != result.value  # it is not the number itself: it has a signature
        assert copy.deepcopy(result) == pickle.loads(pickle.dumps(result)) == result
        with pytest.raises(TypeError):
            result < "1"  # noqa: B015
        with pytest.raises(AttributeError, match=r"no attribute 'score'; write \.value, or \.scores"):
            result.score  # noqa: B018
        assert not hasattr(result, "nothing_like_it")


def test_a_result_is_written() -> None:
    result = metrologue.score("bleu", P * 4, R * 4, confidence=0.95)
    told = json.loads(as_json({"bleu": result, "array": np.eye(2), "number": np.float64(math.inf), "n": np.int64(3)}))
    assert told["bleu"]["value"] == result.value
    assert told["bleu"]["scores"] == result.scores
    assert told["bleu"]["intervals"]["bleu"]["low"] == result.interval.low
    assert (told["array"], told["number"], told["n"]) == ([[1.0, 0.0], [0.0, 1.0]], "Infinity", 3)
    assert json.loads(as_json(metrologue.score("confusion_matrix", ["a"], ["b"])))["confusion"]
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json(np.array([math.nan]))


def test_mlflow_takes_a_result(tmp_path_factory: pytest.TempPathFactory) -> None:
    mlflow = pytest.importorskip("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path_factory.mktemp('mlflow')}/runs.db")
    result = metrologue.score("bleu", P, R)
    with mlflow.start_run() as run:
        mlflow.log_metric("bleu", result)
    assert mlflow.get_run(run.info.run_id).data.metrics["bleu"] == result.value


def test_doctor_shows_a_table() -> None:
    references = [f"Line {i}: The Cat sat on <Mat> {i}, and then it slept." for i in range(30)]
    found = metrologue.doctor([text.lower() for text in references], references)
    page = found._repr_html_()
    assert isinstance(found, list)
    assert "lower case" in page
    assert all(f"{each.repaired:.2f}" in page for each in found)
    sound = metrologue.doctor([text.replace("and then", "until") for text in references], references)
    assert sound == []
    assert "Nothing is plainly wrong" in sound._repr_html_()

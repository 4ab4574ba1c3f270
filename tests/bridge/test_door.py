"""The door of `evaluate` lets everything through: every option, at `compute` and at `load`, warnings, plain results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from inspect import signature
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import metrologue
from metrologue.errors import InputError
from metrologue.output import as_json
from metrologue.scorers import Bleu, Rouge

pytestmark = pytest.mark.bridge

GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party"
OTHER = "It is a guide to action that ensures that the military will forever heed Party commands"
TEXTS = {"predictions": [GUIDE], "references": [[OTHER]]}
LABELS = {"predictions": [0, 1, 1, 2], "references": [0, 1, 2, 2]}


@pytest.mark.parametrize(
    ("metric", "variant", "number", "fields"),
    [
        ("bleu", "nltk", "bleu", {"weights": [0.5, 0.5]}),
        ("bleu", "evaluate", "bleu", {"smoothing": "exp", "lowercase": True}),
        ("meteor", "nltk", "meteor", {"alpha": 0.5, "lowercase": False}),
        ("chrf", "sacrebleu", "score", {"beta": 1, "effective_order": False}),
        ("ter", "sacrebleu", "score", {"no_punct": True, "normalized": True}),
        ("google_bleu", "evaluate", "google_bleu", {"max_order": 2}),
        ("wer", "evaluate", "wer", {"lowercase": True}),
    ],
)
@pytest.mark.parametrize("when", ["compute", "load"])
def test_fields_are_arguments(metric: str, variant: str, number: str, fields: dict[str, Any], when: str) -> None:
    expected = metrologue.score(f"{metric}:{variant}", *TEXTS.values(), **fields).value
    at_load, at_compute = ({}, fields) if when == "compute" else (fields, {})
    found = metrologue.load(metric, variant, **at_load).compute(**TEXTS, **at_compute)
    assert (found[number] if isinstance(found, dict) else found) == expected


def test_compute_wins_over_load() -> None:
    module = metrologue.load("google_bleu", max_len=2, lowercase=True)
    assert "max_order=2|" in module.compute(**TEXTS, signature=True)["signature"] + "|"
    for given in ({"max_len": 3}, {"max_order": 3}):
        found = module.compute(**TEXTS, **given, signature=True)["signature"].split("|")
        assert {"max_order=3", "lowercase=true"} <= {*found}
    assert "max_order=2" in module.compute(**TEXTS, max_order=None, signature=True)["signature"].split("|")


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match="'max_len' and 'max_order' are the same option"):
        metrologue.load("google_bleu").compute(**TEXTS, max_len=2, max_order=3)
    with pytest.raises(TypeError, match=r"unknown argument 'max_oder'; there are .*max_order"):
        metrologue.load("bleu", max_oder=2)
    with pytest.raises(InputError, match="max_order"):
        metrologue.load("bleu", max_order=-1)
    with pytest.raises(InputError, match=r"`measures` has 'f1'; precision, recall and fmeasure are expected"):
        metrologue.load("rouge").compute(**TEXTS, measures=["f1"])


def test_a_function_is_an_option_at_load() -> None:
    """As a tokenizer is at compute."""
    at_load = metrologue.load("bleu", tokenizer=str.split).compute(**TEXTS)
    assert at_load == metrologue.load("bleu").compute(**TEXTS, tokenizer=str.split)


def test_combined_modules_have_their_own_options() -> None:
    both = evaluate.combine([metrologue.load("f1", average="weighted"), metrologue.load("accuracy")])
    assert both.compute(**LABELS) == {
        "f1": metrologue.score("f1", *LABELS.values(), average="weighted").value,
        "accuracy": 0.75,
    }


def test_a_name_of_evaluates_goes_to_both() -> None:
    """A seed is evaluate's and, where there is one, the scorer's: over all metrics whose scorer has such a field."""
    given = {*signature(evaluate.EvaluationModule.__init__).parameters}
    shared = {
        (name, field)
        for name in metrologue.list_metrics()
        for field in metrologue.load(name)._settings
        if field in given
    }
    assert shared == {("rouge", "seed"), ("self_bleu", "seed")}
    rouge = metrologue.load("rouge", seed=3)
    assert rouge.seed == 3
    assert Rouge.variant("evaluate", seed=3).signature == rouge.compute(**TEXTS, signature=True)["signature"]


@pytest.mark.parametrize(
    ("metric", "given", "expected"),
    [
        ("bleu", "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0", Bleu.variant("sacrebleu", lowercase=True)),
        ("bleu", Bleu(max_order=2).signature, Bleu(max_order=2)),
        ("rouge", Rouge(types=("rouge1",)).signature, Rouge(types=("rouge1",))),
    ],
)
def test_a_signature_is_a_config_name(metric: str, given: str, expected: Any) -> None:
    module = metrologue.load(metric, given)
    assert module.config_name == given
    module.add_batch(**TEXTS)  # into a file, whose folder has a shorter name
    assert module.compute(signature=True)["signature"] == expected.signature
    with pytest.raises(InputError, match="signature is one of"):
        metrologue.load("ter", given)


@pytest.mark.parametrize(
    ("metric", "predictions", "references", "word"),
    [
        ("rouge", ["Мост откроют"], ["Мост откроют"], "letters"),
        ("cider", ["a b"], ["a b"], "image"),
        ("sacrebleu", ["so it is ."] * 120, ["so it is."] * 120, "tokenized"),
    ],
)
def test_warnings_are_those_of_python(metric: str, predictions: list[str], references: list[str], word: str) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        metrologue.load(metric).compute(predictions=predictions, references=references)
    assert any(word in str(each.message) for each in told)


def test_measures_of_rouge() -> None:
    found = metrologue.load("rouge").compute(**TEXTS, rouge_types=["rouge1"], measures=["precision", "recall"])
    scores = metrologue.score("rouge:evaluate", *TEXTS.values(), types=["rouge1"]).scores
    assert found == {name: scores[name] for name in ("rouge1_precision", "rouge1_recall")}


def tensors(values: list[int]) -> Any:
    torch = pytest.importorskip("torch")
    return [*torch.tensor(values)]


@pytest.mark.parametrize(
    "made",
    [
        lambda values: [*map(np.array, values)],
        lambda values: np.array(values, np.int8),
        lambda values: pd.Series(values, index=range(5, 5 + len(values))),
        lambda values: pa.chunked_array([values[:1], values[1:]]),
        tensors,
        lambda values: pytest.importorskip("torch").tensor(values).to(pytest.importorskip("torch").bfloat16),
    ],
)
def test_labels_as_people_pass_them(made: Any) -> None:
    predictions, references = (made(values) for values in LABELS.values())
    assert metrologue.load("accuracy").compute(predictions=predictions, references=references) == {"accuracy": 0.75}
    found = metrologue.load("pearsonr").compute(predictions=predictions, references=references)
    assert found == metrologue.load("pearsonr").compute(**LABELS)


def test_arrays_are_written(tmp_path: Path) -> None:
    """They are the Hub's: `evaluate.save` refuses them, and ``as_json`` writes them."""
    for metric, given in (("confusion_matrix", {}), ("f1", {"average": None}), ("precision", {"average": None})):
        result = metrologue.load(metric).compute(**LABELS, **given)
        with pytest.raises(TypeError):
            evaluate.save(tmp_path / "refused.json", **result)
        lists = {metric: result[metric].tolist()}
        assert json.loads(as_json(result)) == lists
        evaluate.save(tmp_path / f"{metric}.json", **lists)


def test_data_is_another_name_of_predictions() -> None:
    texts = ["the cat sat", "a dog ran"]
    for metric in ("distinct_n", "self_bleu", "lexical_diversity"):
        module = metrologue.load(metric)
        assert module.compute(data=texts) == module.compute(predictions=texts)
        module.add_batch(data=texts[:1])
        module.add(data=texts[1])
        assert module.compute() == module.compute(predictions=texts)
        with pytest.raises(InputError, match="both `predictions` and `data` are given"):
            module.compute(data=texts, predictions=texts)
    with pytest.raises(TypeError, match="unknown argument 'data'"):
        metrologue.load("bleu").compute(data=texts, references=texts)


def test_load_without_a_place_for_files(tmp_path: Path) -> None:
    """The files lie on disk; `evaluate` alone makes a copy of them."""
    (tmp_path / "home").write_text("a file, in which no folder can be made")
    code = (
        "import metrologue\n"
        "module = metrologue.load('wer')\n"
        "print(module.compute(predictions=['a b'], references=['a c']), metrologue.load('bleu', max_order=1).metric)"
    )
    home = str(tmp_path / "home")
    environment = {**os.environ, "HOME": home, "HF_HOME": home, "HF_MODULES_CACHE": home, "HF_METRICS_CACHE": home}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "0.5 bleu\n"), done.stderr

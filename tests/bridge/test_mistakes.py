"""The commonest mistakes of a trainer: each gets its own sentence."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import evaluate
import numpy as np
import pytest
from bridge.conftest import NAMES
from layouts import CLASSIFICATION, columns_of, sample_of

import metrologue
from metrologue.errors import InputError

LOGITS = np.array([[0.1, 0.9], [0.8, 0.2]])


def _tensor(array: np.ndarray) -> Any:
    return pytest.importorskip("torch").tensor(array)


@pytest.mark.parametrize("name", CLASSIFICATION)
@pytest.mark.parametrize("made", [np.array, np.ndarray.tolist, list, _tensor, lambda each: (each, each)])
def test_logits_in_place_of_labels(name: str, made: Callable[[Any], Any]) -> None:
    for call in (
        lambda given: metrologue.load(name).compute(predictions=given, references=[1, 0]),
        lambda given: metrologue.score(name, given, [1, 0]),
    ):
        with pytest.raises(InputError, match=r"`predictions` are a 2-D (array|list) of floats.*argmax\(-1\)"):
            call(made(LOGITS))
    with pytest.raises(InputError, match=r"argmax\(-1\)"):
        metrologue.load(name).compute(predictions=np.eye(2).tolist(), references=[1, 0])


@pytest.mark.parametrize("made", [np.array, np.ndarray.tolist])
def test_logits_in_place_of_tags(made: Callable[[Any], Any]) -> None:
    with pytest.raises(InputError, match=r"3-D (array|list) of floats, such as logits; take `\.argmax\(-1\)`"):
        metrologue.load("seqeval").compute(predictions=made(np.zeros((2, 3, 4))), references=[["O"] * 3] * 2)


def test_logits_of_many_labels() -> None:
    with pytest.raises(InputError, match=r"`\(predictions > 0\)\.astype\(int\)`"):
        metrologue.load("f1", "multilabel").compute(predictions=LOGITS, references=[[1, 0], [1, 0]])


@pytest.mark.parametrize("name", CLASSIFICATION)
@pytest.mark.parametrize("ignored", [-100, "-100"])
def test_what_a_loss_leaves_out_is_told(name: str, ignored: Any) -> None:
    """The Hub's modules count -100 as a label, in silence; so the number stays, and a warning tells."""
    right = ["1", "0", ignored, ignored] if isinstance(ignored, str) else [1, 0, ignored, ignored]
    sides = {"predictions": [type(ignored)(1), type(ignored)(0)] * 2, "references": right}
    given = {"average": "macro"} if name in ("f1", "precision", "recall") else {}
    with pytest.warns(UserWarning, match="-100 stands 2 times among `references`"):
        metrologue.load(name).compute(**sides, **given)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        sound = {key: side[:2] for key, side in sides.items()}
        metrologue.load(name).compute(**sound, **given)
    assert not [each for each in told if "-100" in str(each.message)]


@pytest.mark.parametrize("name", ["bleu", "rouge", "sacrebleu", "chrf", "wer", "bertscore"])
@pytest.mark.parametrize("made", [np.array, np.ndarray.tolist, _tensor])
def test_token_ids_in_place_of_texts(name: str, made: Callable[[Any], Any]) -> None:
    ids = made(np.array([[5, 6], [7, 8]]))
    for sides in ({"predictions": ids, "references": ["a", "b"]}, {"predictions": ["a", "b"], "references": ids}):
        with pytest.raises(InputError, match=r"; of token ids, tokenizer\.batch_decode makes texts"):
            metrologue.load(name).compute(**sides)


def test_logits_in_place_of_texts() -> None:
    with pytest.raises(InputError, match=r"tokenizer\.batch_decode\(logits\.argmax\(-1\)\)"):
        metrologue.load("bleu").compute(predictions=np.zeros((2, 3, 4)), references=["a", "b"])


@pytest.mark.parametrize("name", ["kendalltau", "spearmanr", "pearsonr"])
def test_a_warning_names_the_columns_of_the_module(name: str) -> None:
    with pytest.warns(UserWarning, match="`predictions` and `references`") as told:
        metrologue.load(name).compute(predictions=[1, 1, 1], references=[1, 2, 3])
    assert not [each for each in told if "`scores`" in str(each.message) or "`human`" in str(each.message)]


@pytest.mark.parametrize("side", ["predictions", "references"])
def test_a_correlation_of_constant_labels_is_told(side: str) -> None:
    other = {"predictions": "references", "references": "predictions"}[side]
    with pytest.warns(UserWarning, match=f"all `{side}` are 1, so that 0 stands for the correlation"):
        metrologue.load("matthews_correlation").compute(**{side: [1, 1, 1], other: [1, 0, 1]})


TWO = {"predictions": [1, 2, 3], "references": [1, 3, 2]}
UNITS = {"data": [[1, 1], [2, 2], [1, 2]]}
SYSTEMS = {"predictions1": ["a b", "c d"], "predictions2": ["a c", "c d"], "references": ["a b", "c d"]}
NUMBERS: dict[str, dict[str, Any]] = {
    "pearsonr": TWO,
    "spearmanr": TWO,
    "kendalltau": TWO,
    "mse": TWO,
    "cohen_kappa": {"predictions": [1, 0, 1], "references": [1, 1, 0]},
    "krippendorff_alpha": UNITS,
    "fleiss_kappa": UNITS,
    "shapley": {"data": [0, 0, 0, 1]},
    "mauve": {"predictions": [[0.0, 1.0], [1.0, 0.5]] * 4, "references": [[0.0, 1.0], [2.0, 0.0]] * 4},
    "mcnemar": {"predictions1": [1, 0, 1], "predictions2": [1, 1, 0], "references": [1, 0, 1]},
    "wilcoxon": {"predictions1": [1.0, 2, 3, 4, 5], "predictions2": [2.0, 1, 3, 5, 9]},
    "paired_bootstrap": SYSTEMS,
    "approximate_randomization": SYSTEMS,
}
ALL = sorted({*NAMES, *metrologue.list_comparisons(), *metrologue.list_statistics()})


@pytest.mark.parametrize("name", ALL)
def test_every_module_in_combine(name: str) -> None:
    """`evaluate.combine` passes `predictions` and `references` to all, also to those that have no such columns."""
    module = metrologue.load(name)
    given = NUMBERS.get(name)
    if given is None:
        rows = ["a cat sat", "a dog ran", "it is late"], [["a cat"], ["dogs"], ["it is"]]
        given = columns_of(module.metric, *sample_of(module.metric, *rows))
    outcomes: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in (module, evaluate.combine([module])):
            try:
                outcomes.append([key for key, _ in each.compute(**given).items()])
            except InputError as error:  # what the metric needs, such as a model or WordNet
                outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


def test_an_unknown_column_is_still_refused() -> None:
    with pytest.raises(TypeError, match="unknown argument 'predictions'"):
        metrologue.load("wilcoxon").compute(predictions=[1, 2])

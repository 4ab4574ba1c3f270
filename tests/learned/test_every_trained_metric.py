"""What holds for every metric with a trained model. A new one needs no entry here: it is found by its field."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layouts import Columns, columns_of, rows_of
from needs import SAMPLED, TRAINED
from small_trained import trained

import metrologue
from metrologue.errors import InputError
from metrologue.learned import Network, PairFunction, TrainedModel, open_model, sample_model, save_model
from metrologue.scorers import get_scorer
from metrologue.scorers.bleurt.network import PairTransformer
from metrologue.scorers.core.shapes import PairScorer

TEXTS = ["Then Anna saw a cat", "abc -bcd e", "", "e e", "Anna ran home"] * 9
# That the model is a sample, did not beat its rival or was never measured, which is not what is tested.
pytestmark = pytest.mark.filterwarnings("ignore:[A-Z]")


def models(name: str) -> list[TrainedModel]:
    """A model with weights that are written by hand, and the sample, which has all layers of the network."""
    return [trained(name), *([sample_model(name)] if name in SAMPLED else [])]


def columns(name: str) -> Columns:
    return columns_of(name, TEXTS, [[text] for text in TEXTS[::-1]])


def stranger(name: str) -> TrainedModel:
    """A model of another metric."""
    return trained("factcc" if name == "composite" else "composite")


@pytest.mark.parametrize("name", TRAINED)
def test_a_model_that_is_missing_is_told(name: str) -> None:
    kind: Any = get_scorer(name)
    with pytest.raises(InputError, match=rf"^{kind.__name__}: `model` is missing; ") as told:
        kind().corpus(**columns(name))
    assert kind._authors in str(told.value) or "https://" in str(told.value)


@pytest.mark.parametrize("name", TRAINED)
def test_a_model_of_another_metric_is_refused(name: str) -> None:
    kind: Any = get_scorer(name)
    other = stranger(name)
    message = f"{kind.__name__}: `model` is {other.name}, which was trained for {other.metric}"
    with pytest.raises(InputError, match=re.escape(message)):
        kind(model=other)


@pytest.mark.parametrize("name", TRAINED)
def test_a_network_of_another_architecture_is_refused(name: str) -> None:
    kind: Any = get_scorer(name)
    own = type(trained(name).network)
    if own is Network:
        pytest.skip("its network has the architecture layers")
    other = replace(stranger(name), metric=name)
    with pytest.raises(InputError, match=r"its network has the architecture layers, and \w+ is needed"):
        kind(model=other).corpus(**columns(name))


@pytest.mark.parametrize("name", TRAINED)
def test_a_score_does_not_depend_on_company(name: str) -> None:
    kind: Any = get_scorer(name)
    given = columns(name)
    for model in models(name):
        scorer = kind(model=model)
        # torch, in 32 bits: the last ones depend on the batch
        gap = 1e-6 if isinstance(model.network, PairTransformer) else 0.0
        together = scorer.segments(**given)
        alone = [scorer.segments(**rows_of(given, at, at + 1))[0] for at in range(len(TEXTS))]
        np.testing.assert_allclose(together, alone, rtol=0, atol=gap)
        if isinstance(scorer, PairScorer) and scorer.about.two_texts and {*given} == {"predictions", "references"}:
            each = [[scorer.segments([one], [other])[0] for other in TEXTS[:3]] for one in TEXTS[:4]]
            np.testing.assert_allclose(scorer.pairwise(TEXTS[:4], TEXTS[:3]), each, rtol=0, atol=gap)


@pytest.mark.parametrize("name", TRAINED)
def test_a_model_that_was_saved_gives_equal_numbers(name: str, tmp_path: Path) -> None:
    kind: Any = get_scorer(name)
    given = columns(name)
    for model in models(name):
        folder = tmp_path / model.name
        save_model(model, folder)
        if isinstance(model.network, PairFunction):
            with pytest.raises(InputError, match="a folder holds no function"):
                open_model(folder)
            continue
        opened = open_model(folder)
        own, its = kind(model=model), kind(model=opened)
        assert (own, opened.name) == (its, model.name)
        first, second = (each.statistics(each._to_segments(**given)) for each in (own, its))
        assert first.tobytes() == second.tobytes()
        assert kind.from_signature(own.signature, model=str(folder)) == own
        module = metrologue.load(name)
        assert module.compute(**given, model=str(folder)) == module.compute(**given, model=model)

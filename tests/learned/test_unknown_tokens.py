"""Tokens that a model does not know are counted and told: to it, they are all equal."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from small_encoder import make_encoder

import metrologue

KNOWN, UNKNOWN = ["the cat sat on the mat"], ["кошка спит дома"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return make_encoder(tmp_path_factory.mktemp("encoder"))


def told(metric: str, texts: list[str], others: list[str], folder: Path) -> str:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metrologue.score(metric, texts, others, model=str(folder))
    return " | ".join(str(each.message) for each in caught)


@pytest.mark.parametrize("metric", ["bertscore", "moverscore", "semantic_similarity"])
def test_tokens_that_a_model_does_not_know(metric: str, folder: Path) -> None:
    assert "of the tokens (6 of 6) are unknown" in told(metric, UNKNOWN, ["дом стоит тут"], folder)
    assert "are unknown" not in told(metric, KNOWN, ["the dog sat on the log"], folder)

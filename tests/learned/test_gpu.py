"""Released networks on a GPU: the same code gives the same scores, where there is a GPU."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from later import imported_later

from metrologue.learned import open_model
from metrologue.scorers import get_scorer

imported_later("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
torch: Any = imported_later("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")

TEXTS: dict[str, Any] = {
    "predictions": ["the cat sat", "a green house", ""],
    "references": ["a cat sat on the mat", "the house is green", "a dog"],
    "sources": ["die katze", "das haus ist grün", "ein hund"],
}


@pytest.mark.parametrize(
    ("metric", "kind", "tokenizer"),
    [
        ("comet", {"kind": "regression_metric"}, "encoder"),
        ("comet", {"kind": "xcomet_metric"}, "encoder"),
        ("metricx", {"seed": 12}, "tokenizer"),
    ],
)
def test_scores_are_those_of_the_processor(metric: str, kind: dict[str, Any], tokenizer: str, tmp_path: Path) -> None:
    if not torch.cuda.is_available():
        pytest.skip("no GPU here")
    place = importlib.import_module(f"metrics.{metric}.small").make_checkpoint(tmp_path / "made", **kind)
    scorer: Any = get_scorer(metric)
    scores = [
        scorer(model=open_model(place, place / tokenizer, device=device)).segments(**TEXTS)
        for device in ("cpu", "cuda")
    ]
    np.testing.assert_allclose(scores[1], scores[0], rtol=1e-4, atol=1e-4)

"""ROUGE-WE against what the package summ-eval gave."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from compared import compared

from metrologue.scorers import RougeWe


@pytest.mark.parametrize("name", ["summ-eval", "s3"])
def test_the_program(name: str, tmp_path: Path) -> None:
    recorded = json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8"))
    path = tmp_path / "vectors.txt"
    path.write_text(recorded["vectors"], "utf-8")
    scorer = RougeWe.variant(name, vectors=path)
    texts = recorded["predictions"], recorded["references"]
    found, expected = scorer.segment_scores(*texts), np.array(recorded["scores"])
    for column, key in enumerate(("precision", "recall", "rouge_we")):
        assert found[key] == pytest.approx(expected[:, column], rel=1e-12, abs=0)
        compared(len(expected))
    assert scorer.corpus(*texts).value == pytest.approx(expected[:, 2].mean(), rel=1e-12)
    exact = RougeWe.variant(name, vectors=path, threshold=1.0).segments(*texts)
    assert (exact < expected[:, 2]).sum() > 10

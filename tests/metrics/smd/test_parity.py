"""Sentence Mover's Similarity against what the authors' program printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compared import compared

from metrologue.scorers import Smd
from metrologue.text.lexicon import register_stop_words

NAMES = ("sms", "wms", "s+wms")
RECORDED: dict[str, Any] = {
    name: json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8")) for name in NAMES
}


@pytest.mark.usefixtures("punkt_data")
@pytest.mark.parametrize("name", NAMES)
def test_the_program(name: str, tmp_path: Path) -> None:
    """The program computes in float32, and its solver takes weights as whole numbers."""
    recorded = RECORDED[name]
    path = tmp_path / "vectors.txt"
    path.write_text(recorded["vectors"], "utf-8")
    stops = register_stop_words("few", recorded["stop_words"])
    texts, expected = (recorded["predictions"], recorded["references"]), np.array(recorded["scores"])
    scorer = Smd.variant(name, vectors=path, stop_words=stops)
    assert -np.log(scorer.segments(*texts)) == pytest.approx(-np.log(expected), rel=1e-6, abs=1e-6)
    assert scorer.corpus(*texts).value == pytest.approx(expected.mean(), rel=1e-6)
    others = Smd.variant(name, vectors=path, stop_words=stops, missing="drop").segments(*texts)
    assert (np.abs(others - expected) > 1e-3).sum() > 20
    compared(len(expected))

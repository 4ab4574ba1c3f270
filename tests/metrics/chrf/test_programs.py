"""chrF against what the author's program prints, and where it fails."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from compared import compared
from parity.real_text import real_text

from metrics.chrf.record import OPTIONS, cases
from metrologue.scorers import Chrf

RECORDED = json.loads(Path(__file__).with_name("chrf++.py.json").read_text("utf-8"))["printed"]


@pytest.mark.parametrize("options", OPTIONS)
def test_chrf_is_what_the_program_prints(options: str, shared_data: Path) -> None:
    every = {**cases(), **{f"real {name}": corpus for name, corpus in real_text(shared_data, 20).items()}}
    words, characters, beta = OPTIONS[options]
    whole = Chrf.variant("chrf++.py", word_order=words, char_order=characters, beta=beta)
    mean = Chrf.variant("chrf++.py", word_order=words, char_order=characters, beta=beta, aggregation="mean")
    wrong = []
    for name, theirs in RECORDED[options].items():
        if name == "a segment without a match":
            continue
        ours = {"F": whole.corpus(*every[name]).value, "avgF": mean.corpus(*every[name]).value}
        wrong += [
            (name, key, ours[key], theirs[key])
            for key in ours
            if not math.isclose(ours[key], theirs[key], rel_tol=1e-12)
        ]
    assert wrong == []
    compared(2 * len(RECORDED[options]) - 2)


def test_the_program_counts_the_segment_before_again_where_nothing_matches() -> None:
    """Its best counts are those of the last reference that had a match; without an earlier segment it fails."""
    predictions, references = cases()["a segment without a match"]
    theirs = RECORDED[""]["a segment without a match"]["F"]
    scorer = Chrf.variant("chrf++.py")
    again = scorer.corpus([*predictions[:2], predictions[1]], [*references[:2], references[1]]).value
    assert math.isclose(again, theirs, rel_tol=1e-12)
    assert scorer.corpus(predictions, references).value < theirs

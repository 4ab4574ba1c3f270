"""The variant of KenLM against what its program printed, digit by digit."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from metrologue.scorers import Perplexity

PRINTED = Path(__file__).parents[1] / "perplexity" / "kenlm.json"


@pytest.fixture(scope="module")
def printed() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PRINTED.read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def scorer() -> Perplexity:
    return Perplexity.variant("kenlm", values="log-probabilities", log_base="10")


def summary(scores: dict[str, Any]) -> dict[str, str]:
    """The numbers as the program prints them."""
    names = {
        "Perplexity including OOVs": "perplexity",
        "Perplexity excluding OOVs": "perplexity_excluding_oovs",
        "OOVs": "oovs",
        "Tokens": "tokens",
    }
    return {name: repr(scores[key]) for name, key in names.items()}


def test_the_summary_of_all_lines(scorer: Perplexity, printed: dict[str, Any]) -> None:
    assert printed["version"] == Perplexity.variants()["kenlm"].version
    result = scorer.corpus(printed["predictions"], unknown=printed["unknown"])
    assert summary(dict(result.scores)) == printed["summary"]
    assert result.scores["cross_entropy"] == pytest.approx(math.log10(result.value), rel=1e-14)


def test_the_summary_of_each_line(scorer: Perplexity, printed: dict[str, Any]) -> None:
    texts = zip(printed["predictions"], printed["unknown"], printed["summaries"], strict=True)
    for line, unknown, expected in texts:
        assert summary(dict(scorer.corpus([line], unknown=[unknown]).scores)) == expected
    perplexities = scorer.segments(printed["predictions"], unknown=printed["unknown"]).tolist()
    assert [*map(repr, perplexities)] == [each["Perplexity including OOVs"] for each in printed["summaries"]]


def test_the_totals_of_lines_need_single_precision(scorer: Perplexity, printed: dict[str, Any]) -> None:
    segments = scorer._to_segments(printed["predictions"], unknown=printed["unknown"])
    totals = scorer.statistics(segments)[:, :2].sum(axis=1)
    # The program prints as many digits as a number of 32 bits needs.
    assert [float(f"{total:.8g}") for total in totals] == pytest.approx([*map(float, printed["totals"])], rel=1e-7)
    in_full = Perplexity.variant("kenlm", values="log-probabilities", log_base="10", precision="double")
    assert summary(dict(in_full.corpus(segments).scores)) != printed["summary"]


def test_the_worked_example() -> None:
    """Two lines of an ARPA file of 3 words, with one word that is not in it: the numbers of KenLM to 7 digits."""
    rows = [[-0.2, -0.1, -0.35, -0.5], [-0.2, -1.45, -0.8, -0.9]]
    scorer = Perplexity.variant("kenlm", values="log-probabilities", log_base="10")
    scores = scorer.corpus(rows, unknown=[[0] * 4, [0, 1, 0, 0]]).scores
    assert scores["perplexity"] == pytest.approx(3.651741, abs=5e-7)
    assert scores["perplexity_excluding_oovs"] == pytest.approx(2.727183, abs=5e-7)
    assert (scores["oovs"], scores["tokens"]) == (1, 8)
    assert scorer.segments(rows, unknown=[[0] * 4, [0, 1, 0, 0]]) == pytest.approx([1.93865, 6.87860], abs=5e-6)

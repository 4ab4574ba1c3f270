"""EED against its definition over lists of words, and against torchmetrics where the contract does not go."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from strategies import TokenCorpus, spelled, token_corpora

from metrics.eed.plain import eed
from metrologue.scorers import Eed


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    """The tokens of these corpora have no marks that are split off."""
    scorer = Eed(alpha=1.5, rho=0.25, deletion=0.5, insertion=0.75)
    expected = eed(*corpus, alpha=1.5, rho=0.25, deletion=0.5, insertion=0.75)
    assert scorer.corpus(*spelled(corpus)).value == pytest.approx(expected, rel=1e-12)
    assert Eed().corpus(*spelled(corpus)).value == pytest.approx(eed(*corpus), rel=1e-12)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_equal_to_the_last_bit(language: str) -> None:
    """Long texts, abbreviations, numbers and marks. torchmetrics's own function is not rounded to 32 bits."""
    module = pytest.importorskip("torchmetrics.functional.text.eed")
    prepared = module._preprocess_en if language == "en" else module._preprocess_ja
    chance = random.Random(7)
    words = [
        "Dr .",
        "Dr x",
        "e . g .",
        "e.g.",
        "3 . 5",
        "3.5",
        "U . S .",
        "a",
        "bb!",
        "?",
        "日本",
        "ﾃｽﾄ",
        "é",
        "  ",
        "\n",
    ]
    for length in (0, 1, 5, 40):
        one, other = (" ".join(chance.choices(words, k=length)) for _ in range(2))
        expected = module._eed_function(prepared(one), prepared(other))
        assert Eed(language=language).corpus([one], [other]).value == expected


def test_worked_numbers() -> None:
    """Two words at another place: one jump, and not twelve edits."""
    one, other = "on the mat the cat sat", "the cat sat on the mat"
    assert Eed().corpus([one], [other]).value < 0.5 < Eed(alpha=1000.0).corpus([one], [other]).value
    assert Eed(language="none", rho=0.0).segments(["", "a", "", "abc"], ["", "", "a", "abc"]).tolist() == [0, 1, 1, 0]

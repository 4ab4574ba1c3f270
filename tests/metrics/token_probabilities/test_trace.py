"""The trace of token probabilities: what each token costs."""

from __future__ import annotations

import json
import math

import pytest
from small_model import WordModel

import metrologue
from metrologue.errors import InputError
from metrologue.scorers import CrossEntropy, Likelihood, Perplexity
from metrologue.tracing import Curve, Texts

MODEL = WordModel("words@2", 2.0, {"a": -1.0, "b": -2.5, "c": -9.0}, -13.0)


def test_words_of_a_model() -> None:
    found = metrologue.trace(Perplexity(model=MODEL, oov="both"), "a b c zebra a b")
    assert found.value == Perplexity(model=MODEL).corpus(["a b c zebra a b"]).value
    assert found.formula == f"perplexity = 2^4.83333 = {found.value!r}"
    assert found.remarks == ("Tokens outside of the vocabulary: 1. They count in the first perplexity only.",)
    text = found.text()
    assert "a ░b ▓c █zebra a ░b" in text
    assert "zebra OOV" in text
    table = found.table("worst")
    assert table.numbers("bits") == (13.0, 9.0, 2.5, 2.5, 1.0, 1.0)
    assert table.numbers("place") == (4, 3, 2, 6, 1, 5)
    assert table.numbers("probability") == tuple(2.0**-bits for bits in table.numbers("bits"))
    (curve,) = found.every(Curve)
    assert (curve.places, curve.values) == ((1, 2, 3, 4, 5, 6), (1.0, 2.5, 9.0, 13.0, 1.0, 2.5))
    page = found.html()
    assert "trace-bits-4" in page
    assert "<svg" in page
    json.dumps(found.to_dict(), ensure_ascii=False)


def test_numbered_tokens() -> None:
    found = metrologue.trace(CrossEntropy(base="e"), [0.5, 0.25, 0.0, 0.01])
    assert found.formula == "cross_entropy = inf nats / 4 tokens = inf"
    assert found.remarks == ("Tokens with probability 0: 1. The curve leaves them out.",)
    assert found.every(Texts)[0].texts[0].name == "tokens"
    assert "1 ░2 █3 ▒4" in found.text()
    assert metrologue.trace(CrossEntropy(), "0.5 0.25 0.125").formula == "cross_entropy = 6 bits / 3 tokens = 2.0"
    assert metrologue.trace(CrossEntropy(base=8), "0.125").formula == "cross_entropy = 1 base-8 digits / 1 tokens = 1.0"
    scorer = Likelihood(scale=100, values="log-probabilities", log_base="10", base="10")
    assert metrologue.trace(scorer, "-1 -3").formula == "likelihood = 100 · 10^-2 = 1.0"


def test_bits_per_character() -> None:
    found = metrologue.trace(CrossEntropy(model=MODEL, per="character"), "a b c")
    assert found.formula == "cross_entropy = 12.5 bits / 5 characters = 2.5"
    assert found.values["characters"] == 5


def test_tokens_that_do_not_count() -> None:
    found = metrologue.trace(CrossEntropy(model=MODEL, oov="exclude"), "a zebra")
    assert found.formula == "cross_entropy = 1 bits / 1 tokens = 1.0"
    assert found.remarks == ("Tokens outside of the vocabulary: 1. They do not count.",)
    with pytest.raises(InputError, match="no tokens to score"):
        metrologue.trace(CrossEntropy(), "")


def test_flags_of_tokens() -> None:
    found = metrologue.trace(CrossEntropy(oov="exclude"), [0.5, 0.1, 0.25], None, unknown=[0, 1, 0])
    assert found.formula == "cross_entropy = 3 bits / 2 tokens = 1.5"
    assert "2 OOV" in found.text()
    assert metrologue.trace(CrossEntropy(), "0.5 0.1", mask=[1, 0]).value == 1.0
    with pytest.raises(InputError, match=r"`mask\[0\]` has 1 items, but there are 2 tokens"):
        metrologue.trace(CrossEntropy(), "0.5 0.1", mask=[1])


def test_a_long_text() -> None:
    found = metrologue.trace(Perplexity(), [0.5] * 3000)
    assert found.remarks == ("The text has 3000 tokens; the first 2000 are shown.",)
    assert len(found.every(Texts)[0].texts[0].sentences[0]) == 2000
    (curve,) = found.every(Curve)
    assert len(curve.values) == 200
    assert len(found.table("worst").rows) == 20
    assert math.isclose(found.value, 2.0)

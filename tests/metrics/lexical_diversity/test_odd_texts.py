"""Lexical diversity of odd and of long texts, live against the two packages."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from metrologue.comparison.libraries import Available, get_library
from metrologue.errors import InputError
from metrologue.scorers import LexicalDiversity

# Words that both packages' tokenizers leave as they are.
WORDS = ["q" + "".join(chr(97 + int(digit)) for digit in str(number)) for number in range(6000)]
LENGTHS = (2, 3, 9, 10, 11, 35, 41, 42, 43, 49, 50, 51, 52, 99, 100, 101, 277, 278)
TEXTS = {
    "nothing": "",
    "marks only": "... --- !?",
    "one token": "word",
    **{f"one type, {count}": "word " * count for count in LENGTHS},
    **{f"distinct types, {count}": " ".join(WORDS[:count]) for count in LENGTHS},
    **{f"one type twice, {count}": " ".join([*WORDS[: count - 1], WORDS[0]]) for count in LENGTHS},
    **{f"all types twice, {count}": " ".join((WORDS[: (count + 1) // 2] * 2)[:count]) for count in LENGTHS},
    "marks": "Hello, world! It's 3.5 -- don't. Hello 42 times @x #y.",
    "scripts": "Ça va? naïve Ünïcode 猫 猫 ёж ёж İstanbul \u2028 a\u00a0b ﬁ Ⅷ ǅ ß 🙂 🙂",
    "whitespace": "a\nb\n\tc  d\r\n e e",
}
# lexicalrichness divides by 0 as NumPy does, and takes the root of the noise of a difference that is 0.
INFINITE = {"yule_i", "simpson_d", "herdan_vm"}


def value_of(scorer: LexicalDiversity, text: str) -> float | None:
    """The scorer's number, or None where it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return scorer.corpus([text]).value
        except InputError:
            return None


def tolerance(measure: str, value: float) -> float:
    """The relative one. lexicalrichness fits vocd-D by a search that stops early where D is large."""
    return 1e-7 * max(1.0, value / 100) ** 2 if measure == "vocd_d" else 1e-12


def theirs(library: str, text: str, measure: str) -> float | None:
    """The package's number, or None where it raises."""
    peer = get_library(library)
    if not isinstance(peer.status(), Available):
        pytest.skip(str(peer.status()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return peer.scores("lexical_diversity", [text], [[]], measures=[measure])[measure]
        except (ValueError, ZeroDivisionError, KeyError):
            return None


@pytest.mark.parametrize("measure", LexicalDiversity.variant("lexicalrichness").measures)
def test_odd_texts_of_lexicalrichness(measure: str) -> None:
    """Without a number where the package raises; and where it gives infinity, NaN or noise."""
    scorer = LexicalDiversity.variant("lexicalrichness", measures=(measure,))
    for name, text in TEXTS.items():
        expected, ours = theirs("lexicalrichness", text, measure), value_of(scorer, text)
        if measure == "vocd_d" and name.startswith("distinct types"):
            assert ours is None  # the package gives the last step of its search
        elif expected is None or (measure in INFINITE and not math.isfinite(expected)):
            assert ours in (None, 0.0), name
        elif measure == "herdan_vm":
            assert ours == pytest.approx(expected, rel=1e-12, abs=1e-7), name
        else:
            assert ours == pytest.approx(expected, rel=tolerance(measure, expected), abs=1e-12), name


@pytest.mark.parametrize(
    "measure", [*LexicalDiversity.variant("lexical-diversity").measures, "mtld_ma_wrap", "mtld_ma_bid"]
)
def test_odd_texts_of_lexical_diversity(measure: str) -> None:
    scorer = LexicalDiversity.variant("lexical-diversity", measures=(measure,))
    for name, text in TEXTS.items():
        expected = theirs("lexical-diversity", text, measure)
        assert value_of(scorer, text) == pytest.approx(expected or 0.0, rel=1e-12, abs=1e-12), name


@pytest.mark.parametrize(
    ("library", "measure"),
    [
        *(("lexicalrichness", measure) for measure in ("msttr", "mattr", "hdd", "mtld", "vocd_d")),
        *(("lexical-diversity", measure) for measure in ("msttr", "mattr", "hdd", "mtld")),
    ],
)
def test_a_hundred_thousand_tokens(library: str, measure: str) -> None:
    drawn = np.random.default_rng(0).zipf(1.3, 100_000) % len(WORDS)
    text = " ".join(WORDS[number] for number in drawn)
    ours = LexicalDiversity.variant(library, measures=(measure,)).corpus([text]).value
    expected = theirs(library, text, measure)
    assert expected
    assert ours == pytest.approx(expected, rel=tolerance(measure, expected))

"""Whisper's normalizers: equal to the package, text by text, and told in traces."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrologue
from metrologue.errors import InputError
from metrologue.text.normalizers import NORMALIZERS, _package
from metrologue.text.reading import Normalize, Tokenize

pytest.importorskip("whisper_normalizer", reason="pip install 'metrologue[speech]'")
from whisper_normalizer.basic import BasicTextNormalizer
from whisper_normalizer.english import EnglishTextNormalizer

PACKAGE: dict[str, Callable[[str], str]] = {
    "whisper-english": EnglishTextNormalizer(), "whisper-basic": BasicTextNormalizer(),
}  # fmt: skip
# Words of every rule, plain words beside them, and marks.
WORDS = (
    "the cat and a half half. and. a, one two hundred thousand twenty five five, five. point oh double triple minus "
    "negative dollars cents cent per percent $5 5% % . .. ... $ ¢7 £3.50 1,000 1960s 5 st th 3 rd he'd been it's gone "
    "he's got 'tis dogs' don't can't i'ma wanna colour Mr. St. café ½ ² – - state-of-the-art (uh) [noise] <unk> um uh "
    "hmm mm first second tenths millions ones one's two's e.g. U.S. o'clock 10th 1 1s 0 00 .5 5. $2 € euro pounds plus "
    "\u0301 x\ty a1 1a 's 'd 't hello world this is plain qzxj"
)
TEXTS = st.lists(st.sampled_from(re.split(" ", WORDS)), max_size=9).map(" ".join)


@settings(max_examples=300)
@given(
    st.lists(st.lists(st.sampled_from(re.split(" ", WORDS)), max_size=9).map(" ".join), max_size=4),
    st.sampled_from([*PACKAGE]),
)
def test_a_normalizer_is_that_of_the_package(texts: list[str], name: str) -> None:
    try:
        theirs = [PACKAGE[name](text) for text in texts]
    except (AssertionError, ArithmeticError, AttributeError, TypeError, ValueError):
        with pytest.raises(InputError, match="fails on"):
            NORMALIZERS[name].make()(texts)
        return
    assert NORMALIZERS[name].make()(texts) == theirs


@given(st.lists(st.text(max_size=12), max_size=3))
def test_any_text_is_as_the_package_has_it(texts: list[str]) -> None:
    for name, package in PACKAGE.items():
        assert NORMALIZERS[name].make()(texts) == [*map(package, texts)]


@pytest.mark.parametrize("name", PACKAGE)
@pytest.mark.parametrize("rate", ["wer", "cer"])
def test_a_rate_is_jiwers_of_normalized_texts(rate: str, name: str) -> None:
    hypotheses = ["Mr. Smith's got twenty two colours.", "um, it is 5 dollars"]
    references = ["mister smith has got 22 colors", "It's five dollars!"]
    theirs = getattr(jiwer, rate)(*[[*map(PACKAGE[name], texts)] for texts in (references, hypotheses)])
    assert metrologue.score(rate, hypotheses, references, normalizer=name).value == theirs


def test_a_trace_says_what_was_changed() -> None:
    found = metrologue.trace("wer", "Two colours", ["two colors"], normalizer="whisper-english")
    assert found.remarks[1:] == (
        "whisper-english: 'Two colours' is '2 colors'", "whisper-english: 'two colors' is '2 colors'",
    )  # fmt: skip
    assert found.values["wer"] == 0


def test_the_edits_are_of_the_normalized_texts() -> None:
    scorer: Any = metrologue.WordErrorRate(normalizer="whisper-basic")
    assert scorer._words == (Normalize("whisper-basic"), Tokenize("jiwer"))


def test_a_missing_package_says_which_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    _package.cache_clear()
    for name in [each for each in sys.modules if each.startswith("whisper_normalizer")]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match="speech"):
        metrologue.score("wer", ["a"], ["b"], normalizer="whisper-english")

"""Normalizers: equal to their packages and programs, text by text, and told in traces; and functions."""

from __future__ import annotations

import json
import pickle
import re
import string
import sys
from collections.abc import Callable
from pathlib import Path
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
    "whisper-marks": BasicTextNormalizer(preserve_marks=True),
    "whisper-letters": BasicTextNormalizer(split_letters=True),
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


def test_marks_stay_and_letters_are_parted() -> None:
    text = ["मेरी किताब।"]
    assert NORMALIZERS["whisper-basic"].make()(text) == ["म र क त ब "]
    assert NORMALIZERS["whisper-marks"].make()(text) == ["मेरी किताब "]
    assert NORMALIZERS["whisper-letters"].make()(["你好。ab"]) == ["你 好 a b"]


def test_arabic_is_as_the_leaderboard_has_it() -> None:
    recorded = json.loads(Path(__file__).with_name("arabic_leaderboard.json").read_text("utf-8"))
    assert NORMALIZERS["arabic-leaderboard"].make()(recorded["texts"]) == recorded["normalized"]


def test_arabic_has_one_form_of_each_letter() -> None:
    texts = ["مدرسةٌ كبيرة", "هدى", "كتـــاب", "ٱلرَّحْمٰن", "أإآ ؤئ"]
    assert NORMALIZERS["arabic"].make()(texts) == ["مدرسه كبيره", "هدي", "كتاب", "الرحمن", "ااا وي"]
    assert NORMALIZERS["arabic-leaderboard"].make()(["هدى مدرسة"]) == ["هدى مدرسة"]


@pytest.mark.parametrize(("language", "text", "expected"), [
    ("de", "ich habe zweiundzwanzig Äpfel und ein Haus", "ich habe 22 Äpfel und ein Haus"),
    ("fr", "soixante-dix-sept personnes", "77 personnes"),
])  # fmt: skip
def test_numbers_are_those_of_text2num(language: str, text: str, expected: str) -> None:
    module = pytest.importorskip("text_to_num")
    assert NORMALIZERS[f"numbers-{language}"].make()([text, ""]) == [module.alpha2digit(text, language), ""]
    assert NORMALIZERS[f"numbers-{language}"].make()([text]) == [expected]


INDIC = {"hi": "क़ानून| ५ ज़रूर:", "bn": "ড়ো | কি", "pa": "ਖ਼ਬਰ ਅੈ", "gu": "કેમ|", "or": "ଓଡ଼ିଆ |", "ta": "தமிழ் |",
         "te": "తెలుగు :", "kn": "ಕನ್ನಡ |", "ml": "അവന്\u200d ചില്ല്"}  # fmt: skip


@pytest.mark.parametrize("language", INDIC)
def test_indic_scripts_are_as_indicnlp_has_them(language: str) -> None:
    module = pytest.importorskip("indicnlp.normalize.indic_normalize", reason="pip install 'metrologue[indic]'")
    theirs = module.IndicNormalizerFactory().get_normalizer(language)
    text = INDIC[language]
    assert NORMALIZERS["indicnlp"].make()([text, "plain | text"]) == [theirs.normalize(text), "plain | text"]
    bare = theirs.normalize(text.translate(str.maketrans("", "", string.punctuation + "।۔'-॥")))
    assert NORMALIZERS["indicwhisper"].make()([text]) == [re.sub(" +", " ", bare)]


def shouted(text: str) -> str:
    return text.upper()


def test_a_function_is_a_normalizer_everywhere() -> None:
    scorer = metrologue.WordErrorRate(normalizer=shouted)
    assert "|normalizer=" in scorer.signature
    assert f"{__name__}.shouted@" in scorer.signature
    assert metrologue.scorers.Scorer.from_signature(scorer.signature) == scorer == pickle.loads(pickle.dumps(scorer))
    texts = ["A b"], ["a B"]
    assert scorer.corpus(*texts).value == metrologue.score("wer", *texts, normalizer=shouted).value == 0
    assert metrologue.load("wer", normalizer=shouted).compute(predictions=texts[0], references=texts[1]) == 0
    assert metrologue.load("cer").compute(predictions=texts[0], references=texts[1], normalizer=shouted) == 0
    assert metrologue.trace("wer", "a", ["A"], normalizer=shouted).remarks[1:] == (f"{scorer.normalizer}: 'a' is 'A'",)
    found = metrologue.compare({"one": texts[0]}, texts[1], f"wer[normalizer={scorer.normalizer}]", libraries=[])
    assert {group.value for group in found.groups} == {0}


def test_functions_with_one_source_stay_apart() -> None:
    def without(letter: str) -> Callable[[str], str]:
        return lambda text: text.replace(letter, "")

    first, second = (metrologue.WordErrorRate(normalizer=without(letter)) for letter in "ab")
    assert (first.corpus(["ax"], ["x"]).value, second.corpus(["ax"], ["x"]).value) == (0, 1)
    assert first.signature != second.signature


def test_a_wrong_normalizer_is_refused() -> None:
    with pytest.raises(InputError, match="gave 1 for 'a'; a str is expected"):
        metrologue.score("wer", ["a"], ["a"], normalizer=len)
    with pytest.raises(InputError, match=r"whisper-english or .* or a function is expected"):
        metrologue.WordErrorRate(normalizer="whisper")

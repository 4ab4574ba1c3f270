"""Readability of generated texts against its definition, what it refuses, and what it warns of."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts as any_text

from metrics.readability import plain
from metrologue.errors import InputError
from metrologue.scorers import Readability
from metrologue.scorers.readability import words
from metrologue.scorers.readability.measures import MEASURES
from metrologue.scorers.readability.sentences import sample_of_sentences, sentence_counts
from metrologue.text.lexicon import word_lists
from metrologue.text.tokenizers import get_tokenizer

LINES = {"tokenizer": "whitespace", "sentences": "lines", "syllables": "pairs", "negative": "keep"}

lowercase = st.text("abeilosyz", min_size=1, max_size=9) | st.sampled_from(["the", "table", "yellow", "unbelievable"])
sentences = st.lists(st.lists(lowercase, min_size=1, max_size=9), min_size=1, max_size=6)


def spelled(text: list[list[str]]) -> str:
    return "\n".join(map(" ".join, text))


@given(text=sentences)
@pytest.mark.usefixtures("textstat")
def test_definition(text: list[list[str]]) -> None:
    scores = Readability(measures=MEASURES, **LINES).corpus([spelled(text)]).scores
    expected = plain.readability(text, {*words._easy_words()})
    assert {name: scores[name] for name in MEASURES} == pytest.approx(expected, rel=1e-12, abs=1e-11)


@given(corpus=st.lists(sentences, min_size=1, max_size=4))
@pytest.mark.usefixtures("textstat")
def test_a_corpus_is_one_text(corpus: list[list[list[str]]]) -> None:
    scorer = Readability(measures=MEASURES, **LINES)
    together = scorer.corpus([spelled([sentence for text in corpus for sentence in text])])
    assert scorer.corpus([*map(spelled, corpus)]).scores == together.scores


@given(corpus=st.lists(any_text(), min_size=1, max_size=4))
@pytest.mark.parametrize("variant", ["easse", "textstat", "textstat-0.7.3", "py-readability-metrics"])
@pytest.mark.usefixtures("punkt_data", "textstat", "cmudict")
@pytest.mark.filterwarnings("ignore:Readability")
def test_any_text_has_a_number(variant: str, corpus: list[str]) -> None:
    scores = Readability.variant(variant).corpus(corpus).scores
    assert scores["sentence_count"] >= 0
    assert scores["word_count"] >= 0


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.usefixtures("textstat")
def test_the_first_measure_is_the_value(measure: str) -> None:
    result = Readability(measures=(measure, "ari"), **LINES).corpus(["an unbelievable cat"])
    assert result.value == result.scores[measure]
    assert set(result.scores) == {measure, "ari", "sentence_count", "word_count", "syllable_count"}


def test_easier_text() -> None:
    scorer = Readability(**LINES)
    assert scorer.higher_is_better["fkgl"] is False
    assert scorer.higher_is_better["flesch"] is True
    assert "word_count" not in scorer.higher_is_better


@pytest.mark.parametrize(
    ("rule", "word", "count"),
    [
        ("fast", "The", 1),
        ("fast", "etc", 4),
        ("fast", "tree", 0),  # without any e at its end
        ("fast", "communism", 4),
        ("fast", "genii", 3),
        ("fast", "facial", 2),
        ("fast-cased", "the", 0),
        ("fast-cased", "tree", 1),
        ("fast-cased", "IDEA", 0),
        ("fast-cased", "café", 2),
        ("pairs", "I", 1),
        ("pairs", "Readability", 5),
        ("pairs", "bakes", 1),
        ("hyphens", "readability", 4),
    ],
)
@pytest.mark.usefixtures("textstat")
def test_syllables(rule: str, word: str, count: int) -> None:
    found = Readability(tokenizer="whitespace", sentences="lines", lowercase=False, syllables=rule).corpus([word])
    assert found.scores["syllable_count"] == count


@pytest.mark.usefixtures("cmudict", "textstat")
def test_words_that_the_dictionary_lacks_are_hyphenated() -> None:
    fields: dict[str, Any] = {"tokenizer": "whitespace", "sentences": "lines", "marks": "removed"}
    dictionary, hyphens = (Readability(syllables=each, **fields) for each in ("dictionary", "hyphens"))
    counts = [each.corpus(["area", "xyzzying"]).scores["syllable_count"] for each in (dictionary, hyphens)]
    rows = [each.segment_scores(["area", "xyzzying"])["syllable_count"].tolist() for each in (dictionary, hyphens)]
    assert counts == [*map(sum, rows)]
    assert rows[0][0] == 3 != rows[1][0]
    assert rows[0][1] == rows[1][1]


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), (" ", 1), ("...", 1), ("Go on. Do it.", 1), ("We go. We go on now! Is it so?", 2), ("a b - - c d.", 1)],
)
def test_sentences_by_their_ends(text: str, count: int) -> None:
    assert sentence_counts([text], "endings") == [count]


@pytest.mark.usefixtures("punkt_data")
def test_the_sample_of_smog() -> None:
    numbered = [f"This is number {count}." for count in range(47)]
    assert sample_of_sentences(" ".join(numbered[:29])) is None
    assert sample_of_sentences(" ".join(numbered)) == " ".join(numbered[:10] + numbered[18:28] + numbered[37:])


@given(text=any_text())
def test_words_of_tweets(text: str) -> None:
    from nltk.tokenize import TweetTokenizer

    assert get_tokenizer("nltk-tweets")(text) == TweetTokenizer().tokenize(text)


def test_a_missing_list_is_told_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "find_spec", lambda name: None)
    words._easy_words.cache_clear()
    with pytest.raises(InputError, match=r"easy words are in the package textstat: .*\[readability\]"):
        Readability(measures=("dale_chall",), **LINES).corpus(["a"])
    assert Readability(**LINES).corpus(["a"]).scores["word_count"] == 1
    monkeypatch.undo()
    words._easy_words.cache_clear()


def test_missing_hyphens_are_told_with_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyphen", None)
    words._hyphens.cache_clear()
    with pytest.raises(InputError, match=r"pyphen, which comes with textstat: .*\[readability\]"):
        Readability(tokenizer="whitespace", sentences="lines", syllables="hyphens").corpus(["a"])
    words._hyphens.cache_clear()


@pytest.mark.usefixtures("textstat")
def test_a_missing_dictionary_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_lists, "nltk_folders", list)
    with pytest.raises(InputError, match=r"python -m nltk\.downloader cmudict"):
        Readability(tokenizer="whitespace", sentences="lines", syllables="dictionary").corpus(["a"])


def test_a_text_without_words() -> None:
    scorer = Readability(tokenizer="whitespace", sentences="lines", undefined="error")
    with pytest.raises(InputError, match="segment 1, counted from 0, has no word"):
        scorer.segments(["a", " "])
    assert scorer.corpus(["a", ""]).scores["word_count"] == 1


@pytest.mark.parametrize("texts", [["猫はどこですか"], ["Он читает книгу, и мы идём домой."]])
def test_other_languages_are_told(texts: list[str]) -> None:
    with pytest.warns(UserWarning, match="100% of the letters are no English ones"):
        Readability(tokenizer="whitespace", sentences="lines").corpus(texts)


@pytest.mark.parametrize("fields", [{"measures": ()}, {"measures": ("lix",)}, {"fkgl_length": -1.0}])
def test_wrong_fields(fields: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"`{next(iter(fields))}`"):
        Readability(**fields)

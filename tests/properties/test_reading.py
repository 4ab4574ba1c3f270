"""Readings: steps, columns that are read once, and vocabularies that grow."""

from __future__ import annotations

from itertools import accumulate, chain
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import BLANKS, texts

from metrologue.data.arrays import up_to
from metrologue.data.strings import Strings, characters, of_characters
from metrologue.errors import InputError
from metrologue.kernels.interning import TypeTable
from metrologue.scorers import Bleu, Chrf, Rouge, WordErrorRate
from metrologue.segments import Segments
from metrologue.text.reading import (
    Drop,
    FirstBytes,
    FirstWords,
    Lower,
    LowerTokens,
    Retokenize,
    Sentences,
    Stem,
    Text,
    Tokenize,
    Vocabulary,
    text,
    words,
)
from metrologue.text.tokenizers import get_tokenizer
from metrologue.text.tokenizers.spans import intern

TOKENIZERS = ("13a", "whitespace", "char", "intl")


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every reading of a column that is made, from now on."""
    made: list[Any] = []
    read = text.read

    def counted(texts: pa.LargeStringArray, reading: Any) -> Any:
        made.append(reading)
        return read(texts, reading)

    monkeypatch.setattr(text, "read", counted)
    monkeypatch.setattr("metrologue.segments.read", counted)  # of texts that nothing else is compared with
    return made


def test_a_reference_is_read_once_for_all_systems(readings: list[Any]) -> None:
    """4 systems and their reference, under 4 tokenizers."""
    first = Segments(["a b c", "d"], ["a b d", "d"])
    systems = [first, *(first.with_predictions([f"a b {i}", "d e"]) for i in range(3))]
    for segments in systems:
        for tokenizer in TOKENIZERS:
            for scorer in (Bleu(tokenizer=tokenizer), WordErrorRate(tokenizer=tokenizer), Chrf(tokenizer=tokenizer)):
                value = scorer.corpus(segments).value
                pairs = [segments.pair(i) for i in range(2)]
                assert value == scorer.corpus([text for text, _ in pairs], [own for _, own in pairs]).value
    shared = list(readings)
    readings.clear()
    for segments in systems:
        for tokenizer in TOKENIZERS:
            Bleu(tokenizer=tokenizer, smoothing="none").corpus(segments)
    assert readings == []
    assert len(shared) > 20


def test_twenty_readings(readings: list[Any]) -> None:
    first = Segments(["a b c"], ["a b d"])
    for segments in (first, *(first.with_predictions(["a b"]) for _ in range(3))):
        for tokenizer in TOKENIZERS:
            Bleu(tokenizer=tokenizer).corpus(segments)
    assert len(readings) == (4 + 1) * 4


def test_parts_share_references_too(readings: list[Any]) -> None:
    first = Segments(["a b c", "d"] * 10, ["a b d", "d"] * 10)
    for segments in (first, first.with_predictions(["a b", "x"] * 10)):
        Bleu().corpus(segments, threads=4)
    assert len(readings) == 4 * (2 + 1)


def test_scorers_share_readings(readings: list[Any]) -> None:
    segments = Segments(["A b c"], ["a b d"])
    WordErrorRate(tokenizer="whitespace").corpus(segments)
    Rouge(types=("rouge1",), tokenizer="whitespace", sentences="none").corpus(segments)
    Bleu(tokenizer="none").corpus(segments)
    assert readings == [words("whitespace")]


@given(columns=st.lists(st.lists(texts(), max_size=5), min_size=1, max_size=4))
def test_a_number_is_a_word_in_every_column(columns: list[list[str]]) -> None:
    vocabulary, reading = Vocabulary(), words("whitespace")
    for column in columns:
        ids = Text(pa.array(column, pa.large_string())).read(reading, vocabulary).ids
        spelled = vocabulary.spellings()
        assert [spelled[number] for number in ids] == [word for text in column for word in text.split()]
    assert len(set(spelled)) == len(spelled) == len(vocabulary)
    assert [vocabulary.spelling(number) for number in range(len(vocabulary))] == spelled


@given(systems=st.lists(st.lists(texts(), min_size=3, max_size=3), min_size=1, max_size=4))
def test_other_predictions_change_no_number(systems: list[list[str]]) -> None:
    references = ["the cat sat", "", "a b. c"]
    first = Segments(systems[0], references)
    for scorer in (Bleu(max_order=2, smoothing="floor"), Rouge(), Chrf(word_order=2), WordErrorRate()):
        for system in systems:
            assert scorer.corpus(first.with_predictions(system)) == scorer.corpus(system, references)


def test_other_predictions_need_their_references() -> None:
    with pytest.raises(InputError, match=r"^Mine: 2 predictions but 1 reference;"):
        Segments(["a"], ["b"]).with_predictions(["a", "b"], owner="Mine")
    with pytest.raises(InputError, match=r"`predictions\[0\]` is int 3"):
        Segments(["a"], ["b"]).with_predictions([3])


def test_a_vocabulary_grows() -> None:
    table = TypeTable()
    expected: dict[bytes, int] = {}
    for part in range(6):
        spelled = [f"{'w' * (i % 29)}{i * 7 % 5003}é".encode() for i in range(part * 1_500, part * 1_500 + 3_000)]
        lengths = np.array([*map(len, spelled)])
        numbers = table.add(np.frombuffer(b"".join(spelled), np.uint8), np.cumsum(lengths) - lengths, lengths)
        assert numbers.tolist() == [expected.setdefault(word, len(expected)) for word in spelled]
        assert Strings(*table.strings(0, table.known)).to_pylist() == [word.decode() for word in expected]
    assert table.add(np.zeros(0, np.uint8), np.zeros(0, np.int64), np.zeros(0, np.int64)).tolist() == []


def test_a_layer_is_made_once_for_each_type() -> None:
    asked: list[list[str]] = []

    def lengths(spelled: list[str]) -> Any:
        asked.append(spelled)
        return np.array([*map(len, spelled)])

    vocabulary, cut = Vocabulary(), get_tokenizer("whitespace")
    vocabulary.ids(cut(pa.array(["a bb"], pa.large_string())))
    assert vocabulary.layer("length", lengths).tolist() == vocabulary.layer("length", lengths).tolist() == [1, 2]
    vocabulary.ids(cut(pa.array(["ccc bb"], pa.large_string())))
    assert vocabulary.layer("length", lengths).tolist() == [1, 2, 3]
    assert asked == [["a", "bb"], ["ccc"]]


def test_steps() -> None:
    segments = Segments(["The cats ran. They sat"], ["x"])

    def tokens(*steps: Any) -> list[str]:
        return segments.read(steps).tokens(0)[0]

    assert tokens(Tokenize("whitespace")) == ["The", "cats", "ran.", "They", "sat"]
    assert tokens(Lower(), Tokenize("13a"))[:4] == ["the", "cats", "ran", "."]
    assert tokens(FirstWords(2), Tokenize("whitespace")) == ["The", "cats"]
    assert tokens(FirstBytes(6), Tokenize("whitespace")) == ["The", "ca"]
    assert tokens(Tokenize("whitespace"), LowerTokens(), Stem("porter"))[:2] == ["the", "cat"]
    assert tokens(Tokenize("whitespace"), Retokenize("13a"))[2:4] == ["ran", "."]
    view = segments.read((Sentences("period"), Tokenize("whitespace")))
    assert (view.sentences.tolist(), view.sentence_offsets.tolist()) == ([0, 2, 3], [0, 3, 5, 6])


def test_capital_sigma_of_texts_and_of_tokens() -> None:
    segments = Segments(["ΑΣ,Β"], ["x"])
    assert segments.read(words("13a", True)).tokens(0)[0] == ["ας", ",", "β"]
    assert segments.read((Tokenize("char"), LowerTokens())).tokens(0)[0] == ["α", "σ", ",", "β"]


@given(found=st.lists(texts(), min_size=1, max_size=3), blank=st.sampled_from(BLANKS))
def test_words_in_lower_case_are_those_of_the_text_in_lower_case(found: list[str], blank: str) -> None:
    """Whitespace ends a word, so that a capital sigma before it is final in both."""
    found = [*found, f"ΑΣ{blank}Α ΑΣΑ{blank}Σ İΣ{blank}"]
    view = Segments(found, found).read(words("whitespace", lowercase=True))
    assert [view.tokens(i)[0] for i in range(len(found))] == [text.lower().split() for text in found]
    assert [text.lower().split() for text in found] == [[word.lower() for word in text.split()] for text in found]


def test_references_can_be_read_in_another_way() -> None:
    view = Segments(["a-b"], ["a-b a"]).read((Tokenize("whitespace"),), (Tokenize("char"),))
    assert view.tokens(0) == (["a-b"], [["a", "-", "b", "a"]])


@pytest.mark.parametrize(
    "reading",
    [(), (Lower(),), (Tokenize("13a"), Tokenize("13a")), (Tokenize("13a"), Lower()), (Drop(), Tokenize("13a"))],
)
def test_readings_that_are_none(reading: Any) -> None:
    with pytest.raises(InputError, match="a reading"):
        Segments(["a"], ["b"]).read(reading)


@pytest.mark.parametrize(
    ("step", "options", "message"),
    [
        (Tokenize, {"tokenizer": ["a"]}, r"Tokenize: `tokenizer` is \['a'\]; a str"),
        (Tokenize, {"tokenizer": "14a"}, "tokenizer '14a' is unknown"),
        (Retokenize, {"tokenizer": 3}, "Retokenize: `tokenizer` is 3"),
        (Sentences, {"rule": ["a"]}, r"Sentences: `rule` is \['a'\]; none or newline"),
        (FirstWords, {"limit": 1.5}, "FirstWords: `limit` is 1.5; an int of 1 or more"),
        (FirstBytes, {"limit": 0}, "FirstBytes: `limit` is 0"),
        (Stem, {"stemmer": [1]}, r"Stem: `stemmer` is \[1\]; porter"),
        (Stem, {"stemmer": "porter", "longer_than": True}, "Stem: `longer_than` is True"),
    ],
)
def test_steps_of_wrong_options(step: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        step(**options)


def test_equal_readings_are_one() -> None:
    segments = Segments(["A b"], ["a B"])
    assert segments.read(words("none")) is segments.read(words("whitespace"))
    assert Tokenize("none") == Tokenize("whitespace")


@given(lines=st.lists(st.text(max_size=9), max_size=5))
def test_texts_become_characters_and_back(lines: list[str]) -> None:
    points, offsets = characters(Strings.of(lines))
    assert points.tolist() == [ord(character) for line in lines for character in line]
    assert offsets.tolist() == [0, *accumulate(map(len, lines))]
    assert of_characters(points, offsets).to_pylist() == lines


@given(first=st.text(max_size=9), second=st.text(max_size=9), more=st.lists(st.text(max_size=9), max_size=3))
def test_texts_are_joined_however_many_they_are(first: str, second: str, more: list[str]) -> None:
    """A single text has no arrays of its own until they are asked for."""
    one = Strings.of([first])
    assert one.joined(Strings.of([second])).to_pylist() == [first, second]
    assert one.joined(Strings.of([second, *more])).to_pylist() == [first, second, *more]
    assert Strings.of([second, *more]).joined(one).to_pylist() == [second, *more, first]
    assert (len(one), one.arrow.to_pylist(), one.to_pylist()) == (1, [first], [first])


def test_few_numbers_are_always_the_same_array() -> None:
    """So nobody may write to them."""
    assert [up_to(count).tolist() for count in range(12)] == [[*range(count)] for count in range(12)]
    assert up_to(2) is up_to(2)
    with pytest.raises(ValueError, match="read-only"):
        up_to(2)[0] = 1


@given(parts=st.lists(st.lists(st.text(max_size=4), max_size=4), min_size=1, max_size=3))
def test_a_vocabulary_gives_its_types_as_bytes(parts: list[list[str]]) -> None:
    vocabulary = Vocabulary()
    for part in parts:
        vocabulary.ids(intern(part))
    spelled = vocabulary.spellings()
    assert spelled == [*dict.fromkeys(chain.from_iterable(parts))]
    for start in range(len(spelled) + 1):
        assert vocabulary.texts(start, len(spelled)).to_pylist() == spelled[start:]

"""Sentence Mover's Similarity against its definition by linear programming, and what must hold of it."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.smd.plain import Text, similarity, smd
from metrologue import InputError, Smd, Wmd, trace
from metrologue.representations import WordVectors

VECTORS: dict[str, tuple[float, ...]] = {
    "obama": (1, 0), "president": (0.9, 0.1), "speaks": (0, 1), "greets": (0.1, 0.9), "media": (0.5, 0.5),
    "press": (0.55, 0.5), "illinois": (0, 0.3), "chicago": (0.05, 0.25), "3rd": (3, 3), ".": (2, 2),
}  # fmt: skip
EXACT = {word: tuple(np.float32(vector).astype(float).tolist()) for word, vector in VECTORS.items() if word.isalpha()}
TOY = WordVectors.of_keyed_vectors(
    SimpleNamespace(index_to_key=[*VECTORS], vectors=np.array([*VECTORS.values()], np.float32)), "toy"
)
OBAMA, PRESIDENT = "obama speaks. media illinois.", "president greets. press chicago."
texts = st.lists(st.lists(st.sampled_from([*VECTORS, "unknown"]), min_size=1, max_size=4), max_size=4)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=2)), min_size=1, max_size=3)
bags = st.sampled_from(["sentences", "words", "both"])


def lines(text: Text) -> str:
    """A sentence a line."""
    return "\n".join(map(" ".join, text))


def scorer_of(bag: str, **fields: object) -> Smd:
    return Smd(vectors=TOY, tokenizer="whitespace", sentences="newline", bag=bag, **fields)


@pytest.mark.filterwarnings("ignore:Smd")
@settings(max_examples=60)
@given(corpus=corpora, bag=bags)
def test_definition(corpus: list[tuple[Text, list[Text]]], bag: str) -> None:
    hypotheses, references = [own for own, _ in corpus], [its for _, its in corpus]
    scorer = scorer_of(bag)
    given_texts = [*map(lines, hypotheses)], [[*map(lines, own)] for own in references]
    assert scorer.corpus(*given_texts).value == pytest.approx(smd(hypotheses, references, EXACT, bag), abs=1e-12)
    for value, hypothesis, own in zip(scorer.segments(*given_texts), hypotheses, references, strict=True):
        expected = max(similarity(hypothesis, other, EXACT, bag) for other in own)
        assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.filterwarnings("ignore:Smd")
@given(one=texts, other=texts, bag=bags)
def test_what_holds_of_a_similarity(one: Text, other: Text, bag: str) -> None:
    scorer = scorer_of(bag)
    own, its = lines(one), lines(other)
    value = scorer.corpus([own], [its]).value
    assert value == pytest.approx(scorer.corpus([its], [own]).value, abs=1e-12)
    assert value == pytest.approx(scorer.corpus([lines(one[::-1])], [its]).value, abs=1e-12)
    if {word for sentence in one for word in sentence} & {*EXACT}:
        assert scorer.corpus([own], [own]).value == 1.0
        assert scorer.corpus([own], [lines(one[::-1])]).value == pytest.approx(1)


@pytest.mark.filterwarnings("ignore:Smd", "ignore:Wmd")
@given(one=texts, other=texts)
def test_words_alone_have_the_word_movers_distance(one: Text, other: Text) -> None:
    """Also a sentence for each text: then the similarity is that of the means."""
    own, its = ([[word for word in sentence if word in EXACT] for sentence in text] for text in (one, other))
    scores = scorer_of("words").corpus([lines(own)], [lines(its)]).scores
    distance = Wmd(vectors=TOY, tokenizer="whitespace").corpus([lines(own)], [lines(its)]).value
    assert scores["smd"] == pytest.approx(math.exp(-distance), rel=1e-15)  # NumPy's exp may differ by the last bit
    assert scores["distance"] == distance
    whole = Smd(vectors=TOY, tokenizer="whitespace", sentences="none").corpus([lines(own)], [lines(its)]).scores
    centroids = Wmd(vectors=TOY, tokenizer="whitespace", transport="centroids")
    assert whole["distance"] == pytest.approx(centroids.corpus([lines(own)], [lines(its)]).value, abs=1e-12)


@pytest.mark.usefixtures("punkt_data")
def test_worked_numbers() -> None:
    found = {bag: Smd(vectors=TOY, bag=bag).corpus([PRESIDENT], [OBAMA]) for bag in ("sentences", "words", "both")}
    assert found["sentences"].value == pytest.approx(0.972436, abs=5e-7)
    assert found["sentences"].scores["distance"] == pytest.approx(0.0279508, rel=1e-5)
    assert found["words"].value == pytest.approx(0.904034, abs=5e-7)
    assert found["words"].value < found["both"].value < found["sentences"].value


def test_a_sentence_in_two() -> None:
    one, other, its = "obama speaks media", "obama\nspeaks media", "president greets\npress"
    assert scorer_of("words").corpus([one], [its]).value == scorer_of("words").corpus([other], [its]).value
    assert scorer_of("sentences").corpus([one], [its]).value != scorer_of("sentences").corpus([other], [its]).value


def test_only_letters_count() -> None:
    assert scorer_of("sentences").corpus(["obama 3rd ."], ["obama"]).value == 1
    assert scorer_of("sentences", letters=False).corpus(["obama ."], ["obama"]).value < 1


@pytest.mark.filterwarnings("ignore:Smd")
def test_texts_without_known_words() -> None:
    predictions, references = ["unknown", "", "obama"], ["x", "obama", "obama"]
    found = scorer_of("both").corpus(predictions, references).scores
    assert found == {"smd": pytest.approx(1 / 3), "distance": 0.0, "infinite": 2, "segments": 3}
    assert scorer_of("sentences", empty="equal").segments(predictions, references).tolist() == [1, 0, 1]
    assert scorer_of("sentences").corpus(["x"], ["y"]).scores["distance"] == math.inf
    assert scorer_of("sentences", missing="zero").corpus(["x"], ["obama"]).value == pytest.approx(math.exp(-1))
    with pytest.warns(UserWarning, match="Smd: 3 texts have no word with a vector; see `empty`"):
        scorer_of("sentences").corpus(predictions, references)
    with pytest.raises(InputError, match=r"`predictions\[0\]` has no word that has a vector"):
        scorer_of("sentences", empty="error").corpus(predictions, references)
    with pytest.raises(InputError, match=r"`references\[0\]` has the word 'y', which has no vector"):
        scorer_of("sentences", missing="error").corpus(["media ."], ["y"])


def test_the_nearest_reference_counts_even_if_all_are_far() -> None:
    far = WordVectors.of_keyed_vectors(
        SimpleNamespace(index_to_key=["a", "b", "c"], vectors=np.array([[0.0], [2000.0], [1000.0]], np.float32)), "far"
    )
    scores = Smd(vectors=far, sentences="none").corpus(["a"], [["b", "c"]]).scores
    assert (scores["smd"], scores["distance"]) == (0.0, 1000.0)


@pytest.mark.parametrize("bag", ["sentences", "words", "both"])
def test_the_trace_is_the_score(bag: str) -> None:
    long = "obama speaks media illinois obama speaks\nmedia the"
    scorer = scorer_of(bag, stop_words="sklearn")
    shown = trace(scorer, long, ["president greets\npress chicago", "unknown"])
    moves = shown.table("moves to reference 1")
    assert sum(moves.column("cost")) == pytest.approx(shown.values["distance"], rel=1e-12)
    assert sum(moves.column("weight")) == pytest.approx(1)
    text = shown.text()
    assert "stop words: the" in text
    assert "without a vector: unknown" in text
    assert "one of the texts has no" in text
    assert ("1: obama speaks media illinois..." in moves.column("from")) == (bag != "words")

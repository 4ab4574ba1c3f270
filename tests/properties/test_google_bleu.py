"""GLEU against its definition over lists of tokens."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

from metrologue.errors import InputError
from metrologue.scorers import GoogleBleu
from metrologue.segments import Segments

Corpus = tuple[list[str], list[list[str]]]


def ngrams(text: str, orders: range) -> Counter[tuple[str, ...]]:
    tokens = text.split()
    return Counter(tuple(tokens[i : i + n]) for n in orders for i in range(len(tokens) - n + 1))


def plain(corpus: Corpus, orders: range) -> float:
    """The definition: of each segment, matches and n-grams by the reference of the best ratio."""
    matches = total = 0
    for prediction, references in zip(*corpus, strict=True):
        ours = ngrams(prediction, orders)
        pairs = [((ours & ngrams(text, orders)).total(), max(ours.total(), ngrams(text, orders).total()))
                 for text in references]  # fmt: skip
        best = max((pair for pair in pairs if pair[1]), key=lambda pair: pair[0] / pair[1], default=(0, 0))
        matches, total = matches + best[0], total + best[1]
    return matches / total if total else 0.0


@given(corpus=corpora(), first=st.integers(1, 4), last=st.integers(1, 6))
def test_definition(corpus: Corpus, first: int, last: int) -> None:
    scorer = GoogleBleu(tokenizer="whitespace", min_order=first, max_order=last)
    assert scorer.corpus(*corpus).value == plain(corpus, range(first, last + 1))


@given(corpus=corpora(max_references=1))
def test_both_sides_are_alike(corpus: Corpus) -> None:
    predictions, references = corpus[0], [own[0] for own in corpus[1]]
    assert GoogleBleu().corpus(predictions, references).value == GoogleBleu().corpus(references, predictions).value


def test_the_lesser_of_precision_and_recall() -> None:
    scores = GoogleBleu().corpus(["the cat sat"], ["the cat"]).scores
    assert (scores["google_bleu"], scores["match_count"], scores["hypothesis_count"]) == (0.5, 3, 6)


def test_old_names_and_missing_references() -> None:
    with pytest.raises(InputError, match="`references` are missing"):
        GoogleBleu().corpus(["a"])
    with pytest.raises(InputError, match="`references` are missing"):
        GoogleBleu().score_segments(Segments(["a"]))

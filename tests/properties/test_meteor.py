"""Meteor: what its numbers must be, whatever the tables, and what it refuses. Nothing here needs lexical data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from strategies import corpora

from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.lexicon import register_function_words, register_paraphrases, register_synonyms
from metrologue.scorers import Meteor
from metrologue.scorers.meteor import TASKS, task_fields

Corpus = tuple[list[str], list[list[str]]]

OWN = {
    "tokenizer": "whitespace",
    "stemmer": "porter",
    "synonyms": register_synonyms("own", [["cat", "the"], ["a", "b"]]),
    "paraphrases": register_paraphrases("own", [["a b", "c"], ["the cat", "b"]]),
    "function_words": register_function_words("own", ["the", "a"]),
}


def test_by_hand() -> None:
    """Three words of four, the function word at 0.2: P = 0.8 * 2 + 0.2 by 0.8 * 3 + 0.2, in two chunks."""
    scores = Meteor(**OWN, alpha=0.5, beta=1, gamma=0.5, delta=0.8).corpus(["the dog sat x"], ["the dog y sat"]).scores
    assert scores["precision"] == pytest.approx(1.8 / 2.6)
    assert scores["recall"] == pytest.approx(1.8 / 2.6)
    assert scores["penalty"] == pytest.approx(0.5 * 2 / 3)
    assert scores["meteor"] == pytest.approx(1.8 / 2.6 * (1 - 1 / 3))
    assert (scores["exact_hypothesis_content_count"], scores["exact_hypothesis_function_count"]) == (2, 1)
    assert (scores["hypothesis_function_length"], scores["chunk_count"], scores["whole_count"]) == (1, 2, 0)


def test_characters_are_utf_16() -> None:
    scores = Meteor(**OWN, unit="characters").corpus(["dog 😀"], ["dog 😀 x"]).scores
    assert scores["hypothesis_length"] == 3 + 2
    assert scores["exact_reference_content_count"] == 3 + 2
    assert scores["hypothesis_match_count"] == 2


@pytest.mark.parametrize("aligner", ["beam", "paper", "greedy"])
@given(corpus=corpora())
def test_a_text_is_its_own_best_reference(aligner: str, corpus: Corpus) -> None:
    stages = ("exact", "stem", "synonym")
    scorer = Meteor(**OWN, aligner=aligner, stages=stages, weights=(1.0, 0.9, 0.8))
    predictions, references = corpus
    alone = scorer.segment_scores(predictions, [[text] for text in predictions])
    words = alone["hypothesis_length"] > 0
    np.testing.assert_array_equal(alone["meteor"], words.astype(float))
    np.testing.assert_array_equal(alone["hypothesis_match_count"], alone["hypothesis_length"])
    with_others = [[*texts, text] for text, texts in zip(predictions, references, strict=True)]
    np.testing.assert_array_equal(scorer.segments(predictions, with_others), words.astype(float))


@given(corpus=corpora())
def test_the_best_reference_counts(corpus: Corpus) -> None:
    scorer = Meteor(**OWN)
    predictions, references = corpus
    for prediction, texts, score in zip(predictions, references, scorer.segments(*corpus), strict=True):
        assert score == max(scorer.corpus([prediction], [text]).value for text in texts)


def test_case_is_folded_word_by_word() -> None:
    exact = {"stages": ("exact",), "weights": (1.0,)}
    assert Meteor(**OWN, **exact).corpus(["Dog"], ["dog"]).value == 0
    folded = Meteor(**OWN, **exact, lowercase=True)
    assert folded.corpus(["Dog dog"], ["dog DOG"]).value == 1
    assert folded.alignments("Dog", ["DOG x"])[0].reference == ("dog", "x")


def test_every_mixture_of_two_variants_is_a_scorer() -> None:
    words = {"stages": ("exact", "stem"), "weights": (1.0, 0.6)}
    own = {name: OWN[name] for name in ("synonyms", "paraphrases", "stemmer")}
    first = Meteor.variant("nltk", **own)
    second = Meteor.variant("meteor-1.5", **OWN)
    explanation = explain(first, second, ["The cats sat on a mat ."], [["the cat sat on c mat", "the x cat"]])
    assert {share.choice for share in explanation.contributions} == {
        "case", "stages and aligner", "function words", "parameters", "aggregation",
    }  # fmt: skip
    assert sum(share.share for share in explanation.contributions) == pytest.approx(explanation.gap, abs=1e-12)
    assert explain(first, first.variant("nltk", **own, **words), ["a"], ["a"]).gap == 0


def test_tasks_and_languages_are_values() -> None:
    assert Meteor.variant("meteor-1.5", task="rank") == Meteor()
    german = Meteor.variant("meteor-1.5", language="german", delta=0.9)
    assert (german.language, german.stages, german.weights) == ("de", ("exact", "stem", "paraphrase"), (1.0, 0.8, 0.2))
    assert (german.alpha, german.beta, german.gamma, german.delta) == (0.95, 1.0, 0.55, 0.9)
    assert Meteor.variant("meteor-1.5", language="pt", paraphrases=OWN["paraphrases"]).stages == ("exact", "stem")
    for task in TASKS:
        fields = task_fields(task)
        assert len(fields["weights"]) == len(fields["stages"])
        assert Meteor.variant("pycocoevalcap", task=task).weights == fields["weights"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"task": "fun"}, "`task` is 'fun'; rank or adq or hter"),
        ({"task": "adq", "language": "de"}, "'adq' has no parameters for 'de', only for en"),
        ({"language": "klingon"}, "`language` is 'klingon'; one of en"),
        ({"weights": (1.0,)}, r"`weights` is \(1\.0,\); a number for each of 4 stages"),
        ({"weights": (1.0, 1.0, 1.0, 1.5)}, r"`weights` is \(1\.0, .*1\.5\); a list of finite numbers from 0 to 1"),
        ({"weights": "1111"}, "`weights` is '1111'; a list"),
        ({"stages": "exact"}, "`stages` is 'exact'; a list"),
        ({"stages": ("exact", "exact"), "weights": (1, 1)}, "each once"),
        ({"stages": (), "weights": ()}, "some of exact, stem"),
        ({"stages": ("guess",), "weights": (1,)}, "some of exact, stem"),
        ({"aligner": "best"}, "beam or paper or greedy"),
        ({"aligner": "greedy"}, "a list without 'paraphrase', as the greedy"),
        ({"beam": 0}, "`beam` is 0; an int from 1 to 10000 is"),
        ({"alpha": float("nan")}, "`alpha`"),
        ({"beta": -1}, "`beta`"),
        ({"gamma": 2}, "`gamma`"),
        ({"delta": -0.1}, "`delta`"),
        ({"unit": "bytes"}, "words or characters"),
        ({"aggregation": "median"}, "corpus or mean"),
        ({"scale": -1}, "`scale`"),
        ({"synonyms": "nowhere"}, "nowhere"),
        ({"tokenizer": "none-such"}, "none-such"),
    ],
)
def test_values_out_of_range(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Meteor.variant("meteor-1.5", **fields)

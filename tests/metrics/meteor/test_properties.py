"""Meteor: what its numbers must be, whatever the tables, and what it refuses. Nothing here needs lexical data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

from metrologue.attribution import explain
from metrologue.data.strings import Strings
from metrologue.errors import InputError
from metrologue.scorers import Meteor, Scorer
from metrologue.scorers.core.options import options_of
from metrologue.scorers.meteor import TASKS, task_fields
from metrologue.segments import Segments
from metrologue.text import lexicon, stemmers
from metrologue.text.lexicon import register_function_words, register_paraphrases, register_stems, register_synonyms

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


@pytest.mark.parametrize("protocol", [False, True])
def test_each_word_is_worked_out_once(protocol: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the number of systems that are compared with the references, and of scorers."""
    systems, references = [["the cats sat", "a b a"], ["a cat sat", "b x |||"]], ["the cat sits", "b a ||| c"]
    scorers = [
        Meteor(**OWN, protocol=protocol),
        Meteor(**OWN, protocol=protocol, unit="characters", alpha=0.5, beam=3),
        Meteor(**OWN, protocol=protocol, stages=("stem", "synonym", "exact"), weights=(0.5, 1, 1), aligner="paper"),
    ]
    expected = [[scorer.corpus(system, references) for scorer in scorers] for system in systems]
    asked: dict[str, list[str]] = {}

    def count(owner: Any, name: str) -> None:
        make = getattr(owner, name)

        def counted(words: list[str] | Strings, *arguments: Any) -> Any:
            spelled = words.to_pylist() if isinstance(words, Strings) else words
            asked[name] = [*asked.get(name, []), *spelled]
            return make(words, *arguments)

        monkeypatch.setattr(owner, name, counted)

    count(stemmers, "stems")
    for name in ("synonym_keys", "phrase_words", "function_words", "java_hashes"):
        count(lexicon, name)
    first = Segments(systems[0], references, shared=True)
    for system, segments in enumerate([first, first.with_predictions(systems[1])]):
        assert [scorer.corpus(segments) for scorer in scorers] == expected[system]
    words = sorted({"the", "cats", "sat", "a", "b", "cat", "x", "sits", "c"} | ({"|||"} if not protocol else set()))
    for name in ("stems", "synonym_keys", "phrase_words", "function_words"):
        assert sorted(asked[name]) == words, name
    assert sorted(asked["java_hashes"]) == sorted([*words, *set(stemmers.porter(words))])


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
        "case",
        "stages and aligner",
        "function words",
        "parameters",
        "aggregation",
    }
    assert sum(share.share for share in explanation.contributions) == pytest.approx(explanation.gap, abs=1e-12)
    assert explain(first, first.variant("nltk", **own, **words), ["a"], ["a"]).gap == 0


# Text of which the counts or the best references depend on every field that is looked at.
SENSITIVE = (
    [
        "The dogs the cat sat on a b mat running , in the hat |||",
        "a b c d e f",
        "Cat sat.",
        "a b",
        "a b c d",
        "x c",
        "p q r s t u v w",
        "p q r s t u v w",
        "cars runs",
    ],
    [
        ["the dog a cat sat c the mats runs", "on b mat cat dog c in x ||| The dogs cat the", "sat the ||| a a a"],
        ["f e d a b c", "a x b y c z d", "c d e f a b"],
        ["cat sat .", "cat"],
        ["a b", "a b b a b"],
        ["a x x x x x x x x b", "c"],
        ["the cat x", "x on"],
        # Words in scattered order, or some of them in one chunk; a whole text of stems, or more than the whole.
        ["w v u t s r q p", "p q r x x x"],
        ["w v u t s r q p", "p q r"],
        ["car run", "cars runs x"],
    ],
)
OTHERS: dict[str, Any] = {
    "tokenizer": "13a", "lowercase": True, "protocol": True, "language": "de", "aligner": "paper", "beam": 1,
    "stages": ("exact", "stem", "paraphrase", "synonym"), "weights": (0.1, 1.0, 0.2, 0.9),
    "stemmer": register_stems("others", [["run", "running"], ["dog", "cat", "dogs"]]),
    "synonyms": register_synonyms("others", [["dogs", "cat"], ["on", "in"]]),
    "paraphrases": register_paraphrases("others", [["the cat", "c"], ["sat on", "c"]]),
    "unicode": "NFKC", "function_words": None, "delta": 0.1, "alpha": 0.1, "beta": 3.0, "gamma": 0.1,
    "penalize_whole": True,
    "unit": "characters", "aggregation": "mean", "scale": 100.0, "arithmetic": "product",
}  # fmt: skip


def test_no_stage_is_kept_for_a_scorer_that_differs_in_it() -> None:
    """On shared segments each field alone, before and after the others, gives what it gives on segments of its own."""

    def scores(scorer: Meteor, segments: Segments) -> dict[str, list[float]]:
        return {name: values.tolist() for name, values in scorer.segment_scores(segments).items()}

    assert OTHERS.keys() == options_of(Meteor).keys() - {"multi_reference"}
    scorers = {"": Meteor(**OWN), **{name: Meteor(**{**OWN, name: value}) for name, value in OTHERS.items()}}
    expected = {name: scores(scorer, Segments(*SENSITIVE)) for name, scorer in scorers.items()}
    same = {name for name in OTHERS if expected[name] == expected[""]}
    # The tables are of no language, segments are not averaged, and texts are ASCII.
    assert same == {"language", "aggregation", "unicode"}
    for order in (1, -1):
        shared = Segments(*SENSITIVE)
        for name in [*scorers][::order]:
            assert scores(scorers[name], shared) == expected[name], name


@given(st.lists(st.tuples(st.text("ab| ", max_size=9), st.lists(st.text("ab| ", max_size=9), min_size=1)), min_size=1))
def test_parts_of_a_reference_are_references(texts: list[tuple[str, list[str]]]) -> None:
    """What the line protocol parts is scored as several references are, segment by segment."""
    scorer = Meteor(**OWN, protocol=True)
    segments = Segments(*map(list, zip(*texts, strict=True)))
    parted = [[part for text in own for part in text.split("|||")] for _, own in texts]
    predictions = [text.replace("|||", "") for text, _ in texts]
    assert (
        len(scorer._pair_statistics(segments))
        == scorer._compared(segments).reference_offsets[-1]
        == sum(map(len, parted))
    )
    found, expected = scorer.segment_scores(segments), Meteor(**OWN).segment_scores(predictions, parted)
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)


def test_the_scale_does_not_choose_the_reference() -> None:
    plain, scaled = Meteor(**OWN), Meteor(**OWN, scale=1e-9)
    counts = [scorer.statistics(Segments(*SENSITIVE)) for scorer in (plain, scaled)]
    np.testing.assert_array_equal(*counts)


def test_a_signature_from_before_references_were_joined_by_a_field() -> None:
    meteor = Meteor(**OWN)
    before = meteor.signature.replace("multi_reference=best|", "")
    assert before != meteor.signature
    assert Scorer.from_signature(before) == meteor


def test_tasks_and_languages_are_values() -> None:
    assert Meteor.variant("meteor-1.5", task="rank") == Meteor()
    german = Meteor.variant("meteor-1.5", language="german", delta=0.9)
    assert (german.language, german.stages, german.weights) == ("de", ("exact", "stem", "paraphrase"), (0.0, 0.0, 0.0))
    assert Meteor.variant("meteor-1.5", language="de").weights == (1.0, 0.8, 0.2)
    assert (german.alpha, german.beta, german.gamma, german.delta) == (0.95, 1.0, 0.55, 0.9)
    assert Meteor.variant("meteor-1.5", language="pt", paraphrases=OWN["paraphrases"]).stages == ("exact", "stem")
    for task in TASKS:
        fields = task_fields(task)
        assert len(fields["weights"]) == len(fields["stages"])
        assert Meteor.variant("pycocoevalcap", task=task).weights == fields["weights"]


@pytest.mark.parametrize(
    ("fields", "weights"),
    [
        ({"alpha": 0.9, "beta": 3.0, "gamma": 0.5, "delta": 0.7}, (1.0, 1.0, 0.6, 0.8)),
        ({"beta": 0.2}, (1.0, 1.0, 0.6, 0.8)),  # also if it is the value of a task
        ({"task": "util", "gamma": 0.1}, (1.0, 1.0, 0.6, 0.8)),
        ({"delta": 0.7, "stages": ["exact", "synonym"]}, (1.0, 1.0)),
        ({"stages": ["exact", "paraphrase"]}, (1.0, 0.6)),
        ({"task": "hter", "stages": ["exact", "stem"]}, (1.0, 0.2)),
        ({"language": "da", "alpha": 0.5}, (0.0, 0.0)),
        ({"task": "adq", "alpha": 0.5, "weights": [1, 0.5]}, (1.0, 0.5, 0.0, 0.0)),
    ],
)
def test_weights_that_are_left_out(fields: dict[str, Any], weights: tuple[float, ...]) -> None:
    """Those that the program prints for -p, -t, -m and -w."""
    scorer = Meteor.variant("meteor-1.5", **fields)
    assert scorer._weight_of_each == weights
    assert Meteor.from_signature(scorer.signature) == scorer


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"task": "adq", "language": "de"}, "'adq' has no parameters for 'de', only for en"),
        ({"language": "klingon"}, "`language` is 'klingon'; one of en"),
        ({"weights": (1.0,) * 5}, r"`weights` is \(1\.0, .*\); a number for each of 4 stages, or fewer,"),
        ({"weights": (1.0, 1.0, 1.0, 1.5)}, r"`weights` is \(1\.0, .*1\.5\); a list of finite numbers from 0 to 1"),
        ({"weights": "1111"}, "`weights` is '1111'; a list"),
        ({"stages": "exact"}, "`stages` is 'exact'; a list"),
        ({"stages": ("exact", "exact"), "weights": (1, 1)}, "each once"),
        ({"stages": (), "weights": ()}, "some of exact, stem"),
        ({"stages": ("guess",), "weights": (1,)}, "exact or stem or synonym or paraphrase is"),
        ({"aligner": "greedy"}, "a list without 'paraphrase', as the greedy"),
        ({"aligner": "greedy-again"}, "a list without 'paraphrase', as the greedy"),
        ({"synonyms": "nowhere"}, "nowhere"),
    ],
)
def test_values_out_of_range(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Meteor.variant("meteor-1.5", **fields)

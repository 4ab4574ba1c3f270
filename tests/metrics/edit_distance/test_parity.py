"""The edit distance against rapidfuzz, nltk and torchmetrics, where the contract does not go."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
import rapidfuzz
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.distance import MAX_DISTANCE_INPUT_LEN, edit_distance
from rapidfuzz.distance import OSA, Levenshtein
from strategies import corpora, few_letters, texts

from metrologue.comparison.libraries import Missing, get_library
from metrologue.errors import InputError
from metrologue.scorers import EditDistance
from metrologue.segments import Segments

Newstest = tuple[dict[str, list[str]], list[str]]


@given(pair=st.one_of(st.tuples(texts(), texts()), st.tuples(few_letters, few_letters)))
def test_no_substitutions_at_all(pair: tuple[str, str]) -> None:
    """At an infinite cost: what is left is insertions and deletions, as at the cost of both or more."""
    never, dear = (EditDistance(substitution_cost=cost, normalization="maximum") for cost in (math.inf, 2))
    assert EditDistance.from_signature(never.signature) == never
    assert never.corpus([pair[0]], [pair[1]]).scores == dear.corpus([pair[0]], [pair[1]]).scores
    steps = never.edits(*pair).operations
    assert {step.kind for step in steps} <= {"H", "I", "D"}
    assert sum(step.kind != "H" for step in steps) == dear.corpus([pair[0]], [pair[1]]).scores["edit_distance"]


def test_nltk_refuses_long_texts() -> None:
    longest = "a" * MAX_DISTANCE_INPUT_LEN
    assert EditDistance.variant("nltk").corpus([longest], [longest]).value == edit_distance(longest, longest) == 0
    with pytest.raises(ValueError, match="MAX_DISTANCE_INPUT_LEN"):
        edit_distance(longest + "a", "a")
    with pytest.raises(InputError, match="2001 units, and `max_length` is 2000"):
        EditDistance.variant("nltk").corpus([longest + "a"], ["a"])
    with pytest.raises(InputError, match="2001 units, and `max_length` is 2000"):
        EditDistance.variant("nltk").edits("a", longest + "a")


def torchmetrics_distance(prediction: str, reference: str, **options: Any) -> float:
    library = get_library("torchmetrics")
    if isinstance(status := library.status(), Missing):
        pytest.skip(f"torchmetrics: {status}")
    return library.scores("edit_distance", [prediction], [reference], **options)["edit_distance"]


@pytest.mark.parametrize("lengths", [(120, 120), (20, 200), (200, 20), (3, 90), (90, 3)])
def test_beam_of_torchmetrics(lengths: tuple[int, int]) -> None:
    chance = random.Random(lengths[0])
    letters = [chr(0x4E00 + n) for n in range(150)]
    for _ in range(5):
        prediction, reference = ("".join(chance.sample(letters, k=min(n, 150))) for n in lengths)
        moved = reference[40:] + reference[:40]
        for text in (prediction, moved):
            ours = EditDistance.variant("torchmetrics").corpus([text], [reference]).value
            assert ours == torchmetrics_distance(text, reference)
    # The beam is to be seen: a block that moved further than it reaches.
    text = "".join(letters[:100])
    assert EditDistance.variant("torchmetrics").corpus([text[30:] + text[:30]], [text]).value == 100
    assert EditDistance().corpus([text[30:] + text[:30]], [text]).value == 60


def test_reduction_of_torchmetrics() -> None:
    library = get_library("torchmetrics")
    if isinstance(status := library.status(), Missing):
        pytest.skip(f"torchmetrics: {status}")
    both = ["rain", "lnaguaeg"], ["shine", "language"]
    for reduction, aggregation in (("mean", "mean"), ("sum", "corpus")):
        theirs = library.scores("edit_distance", *both, reduction=reduction)["edit_distance"]
        assert EditDistance.variant("torchmetrics", aggregation=aggregation).corpus(*both).value == theirs


def test_newstest(newstest: Newstest) -> None:
    systems, reference = newstest
    predictions = systems[min(systems)]
    theirs = rapidfuzz.process.cpdist(predictions, reference, scorer=Levenshtein.distance, workers=1)
    np.testing.assert_array_equal(EditDistance().segments(predictions, reference), theirs)
    theirs = rapidfuzz.process.cpdist(predictions[:200], reference[:200], scorer=OSA.distance, workers=1)
    ours = EditDistance(transpositions="adjacent").segments(predictions[:200], reference[:200])
    np.testing.assert_array_equal(ours, theirs)


def test_words_and_graphemes() -> None:
    predictions, references = ["the cat sat", "👩‍👩‍👧 e\u0301"], ["a cat sat down", "👩‍👧 é"]
    assert EditDistance(tokenizer="whitespace").segments(predictions, references).tolist() == [
        Levenshtein.distance(p.split(), r.split()) for p, r in zip(predictions, references, strict=True)
    ]
    assert EditDistance(tokenizer="graphemes").segments(predictions, references).tolist() == [8, 2]


@pytest.mark.parametrize("normalization", ["none", "maximum", "longer", "reference", "sum"])
@given(corpus=corpora())
def test_normalizations(normalization: str, corpus: tuple[list[str], list[list[str]]]) -> None:
    predictions, references = corpus[0], [own[0] for own in corpus[1]]
    divisors: dict[str, Any] = {
        "none": lambda p, r: 1,
        "maximum": lambda p, r: max(len(p), len(r)),
        "longer": lambda p, r: max(len(p), len(r)),
        "reference": lambda p, r: len(r),
        "sum": lambda p, r: len(p) + len(r),
    }
    both = [*zip(predictions, references, strict=True)]
    scorer = EditDistance(normalization=normalization)
    if any(p and not r for p, r in both) and normalization == "reference":
        with pytest.raises(InputError, match="but its divisor is 0"):
            scorer.corpus(predictions, references)
        return
    distances = [Levenshtein.distance(p, r) for p, r in both]
    expected = [d / divisors[normalization](*pair) if d else 0 for d, pair in zip(distances, both, strict=True)]
    assert scorer.segments(predictions, references).tolist() == expected
    assert scorer.corpus(predictions, references).value == pytest.approx(sum(expected) / len(expected), rel=1e-15)


@given(corpus=corpora())
def test_several_references(corpus: tuple[list[str], list[list[str]]]) -> None:
    best, mean = (EditDistance(multi_reference=rule).segments(*corpus) for rule in ("best", "mean"))
    for prediction, own, least, average in zip(*corpus, best, mean, strict=True):
        distances = [Levenshtein.distance(prediction, reference) for reference in own]
        assert least == min(distances)
        assert average == pytest.approx(sum(distances) / len(distances), rel=1e-15)


@given(corpus=corpora(), normalization=st.sampled_from(["maximum", "longer", "sum"]))
def test_several_references_of_a_normalized_distance(
    corpus: tuple[list[str], list[list[str]]], normalization: str
) -> None:
    """Each pair is divided by its own divisor, before the references join."""
    best, mean = (
        EditDistance(normalization=normalization, multi_reference=rule).segment_scores(Segments(*corpus))
        for rule in ("best", "mean")
    )
    for segment, (prediction, own) in enumerate(zip(*corpus, strict=True)):
        rows = EditDistance(normalization=normalization, aggregation="corpus").statistics(
            Segments([prediction] * len(own), own)
        )
        shares = np.divide(rows[:, 0], rows[:, 1], out=np.zeros(len(own)), where=rows[:, 1] > 0)
        assert best["normalized_distance"][segment] == shares.min()
        assert best["edit_distance"][segment] == rows[shares.argmin(), 0]
        distance, divisor = rows[:, :2].mean(axis=0)
        expected = distance / divisor if divisor else 0
        assert mean["normalized_distance"][segment] == pytest.approx(expected, rel=1e-15)


def test_normalizations_of_one_text_count_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    segments = Segments(["horse", "abc"], [["ros"], ["abc", "x"]])
    EditDistance().corpus(segments)
    monkeypatch.delattr(EditDistance, "_pair_statistics")
    value = EditDistance(normalization="maximum", multi_reference="mean").corpus(segments).value
    assert value == pytest.approx((3 / 5 + 3 / 6) / 2)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"insertion_cost": float("inf")}, "`insertion_cost`"),
        ({"substitution_cost": float("nan")}, "`substitution_cost` is nan; .* from 0 to 2147483647 or infinite"),
        ({"substitution_cost": float("-inf")}, "`substitution_cost`"),
        ({"transpositions": True}, "`transpositions` is True; a str"),
        ({"beam": 0}, "`beam` is 0; None or an int from 1 to 2147483647"),
        ({"max_length": 1.5}, "`max_length` is 1.5"),
    ],
)
def test_values_out_of_range(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        EditDistance(**fields)

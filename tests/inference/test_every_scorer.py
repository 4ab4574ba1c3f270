"""What holds for the intervals and tests of every scorer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from layouts import CLASSIFICATION, SAMPLES, Columns, columns_of
from needs import data_of, made, provide

from metrologue.errors import InputError
from metrologue.inference import confidence_interval, confidence_intervals, paired_test, significance_groups, winners
from metrologue.scorers import Rouge, Scorer, get_scorer, list_scorers
from metrologue.scorers.core.options import fitted_fields
from metrologue.segments import Segments

REFERENCES = [
    [f"the {animal} sat on Mount {place} {when}", f"a {animal} was on a {place}"]
    for animal, place, when in zip(
        ["cat", "dog", "bird", "horse"] * 5,
        ["mat", "roof", "chair", "hill", "boat"] * 4,
        ["today", "yesterday"] * 10,
        strict=True,
    )
]
GOOD = [own[0].replace("today", "now") for own in REFERENCES]
WORSE = [text.replace("sat on Mount", "is in the" if i % 2 else "lay under the") for i, text in enumerate(GOOD)]
LABELS = ["1", "0", "1", "1", "0"] * 4
FLIPPED = {"1": "0", "0": "1"}
# Probabilities are not texts; they have tests of their own, below and in tests/metrics/token_probabilities.
SCORERS = {
    name: next(iter(get_scorer(name).variants()))
    for name in list_scorers()
    if name in CLASSIFICATION or name not in SAMPLES
}
each_scorer = pytest.mark.parametrize("scorer", SCORERS, indirect=True)


@pytest.fixture(scope="module")
def scorer(request: pytest.FixtureRequest) -> Scorer:
    """The first variant of each metric, with what it looks up at hand."""
    provide(request, data_of(request.param))
    return made(request.param, SCORERS[request.param])


def references_of(scorer: Scorer) -> list[list[str]] | None:
    if scorer.name in CLASSIFICATION:
        return [[label] for label in LABELS]
    return REFERENCES if scorer.input("references") else None


def good(scorer: Scorer) -> list[str]:
    """What a good system says."""
    return ["0", *LABELS[1:]] if scorer.name in CLASSIFICATION else GOOD


def worse(scorer: Scorer) -> list[str]:
    """What a worse one says."""
    wrong = [label if i % 10 == 0 else FLIPPED[label] for i, label in enumerate(LABELS)]
    return wrong if scorer.name in CLASSIFICATION else WORSE


def corpus_of(scorer: Scorer, predictions: list[str]) -> Columns:
    """What a system says, and what is the same for all systems."""
    return {**columns_of(scorer.name, good(scorer), references_of(scorer)), "predictions": predictions}


def segments_of(scorer: Scorer, predictions: list[str]) -> Segments:
    return scorer._to_segments(**corpus_of(scorer, predictions))


@each_scorer
def test_an_interval_holds_its_mean_and_comes_again_with_its_seed(scorer: Scorer) -> None:
    segments = segments_of(scorer, worse(scorer))
    first = confidence_intervals(scorer, segments, resamples=200, seed=3)
    assert list(first) == list(scorer.range)
    assert first == confidence_intervals(scorer, segments, resamples=200, seed=3)
    for key, interval in first.items():
        low, high = scorer.range[key]
        assert low <= interval.low <= interval.median <= interval.high <= high * (1 + 1e-9)
        assert interval.low <= interval.mean <= interval.high or math.isclose(interval.low, interval.high)
        assert (interval.level, interval.resamples, interval.seed) == (0.95, 200, 3)
    narrow = confidence_intervals(scorer, segments, resamples=200, seed=3, level=0.5)[scorer.primary]
    wide = first[scorer.primary]
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert confidence_intervals(scorer, segments, resamples=200, seed=4) != first


@each_scorer
def test_the_score_lies_in_its_interval(scorer: Scorer) -> None:
    result = scorer.corpus(**corpus_of(scorer, worse(scorer)), confidence=0.99)
    assert result.interval is not None
    assert result.interval.low <= result.value <= result.interval.high
    assert str(result.interval) in str(result)


@each_scorer
def test_statistics_and_segments_give_the_same_interval(scorer: Scorer) -> None:
    segments = segments_of(scorer, worse(scorer))
    expected = confidence_intervals(scorer, segments, resamples=150)
    if scorer._for_resampling()._separable:
        assert confidence_intervals(scorer, scorer.statistics(segments), resamples=150) == expected
    else:
        with pytest.raises(InputError, match="give Segments"):
            confidence_intervals(scorer, scorer.statistics(segments))
    for threads in (1, 3):
        again = scorer.corpus(**corpus_of(scorer, worse(scorer)), threads=threads, confidence=0.95, seed=9)
        assert again.intervals == confidence_intervals(scorer, segments, seed=9)


@each_scorer
def test_sums_of_counts_score_what_the_drawn_texts_score(scorer: Scorer) -> None:
    """The statistics path against the texts themselves, for one resample."""
    scorer = scorer._for_resampling()
    segments = segments_of(scorer, worse(scorer))
    metric = scorer._separated([segments])
    if metric is None or fitted_fields(type(scorer)):
        pytest.skip("the scorer is resampled by pseudo-values, or a resample keeps its table of all references")
    drawn = np.random.default_rng(5).integers(0, 20, size=20)
    counts = np.bincount(drawn, minlength=20).astype(float)
    ours = metric.score(counts @ metric.statistics(segments))
    texts = scorer.corpus(segments.take(drawn))
    for key, value in texts.scores.items():
        assert float(ours[key]) == pytest.approx(value, rel=1e-12, abs=1e-12)


@each_scorer
@pytest.mark.parametrize("method", ["bootstrap", "randomization"])
def test_a_system_does_not_differ_from_itself(scorer: Scorer, method: str) -> None:
    segments = segments_of(scorer, worse(scorer))
    systems = {"one": segments, "two": segments, "three": segments.with_predictions(good(scorer))}
    same, other = paired_test(scorer, "one", systems, method=method, resamples=120)
    assert (same.p_value, same.difference, same.system, other.system) == (1.0, 0.0, "two", "three")
    assert 1 / 121 <= other.p_value <= 1
    assert other.score - other.baseline_score == other.difference
    again = paired_test(scorer, "one", systems, method=method, resamples=120)
    assert again == [same, other]
    if method == "bootstrap":
        assert same.wins == 0.5
        assert same.interval is not None
        assert same.difference_interval is not None
        assert (same.difference_interval.low, same.difference_interval.high) == (0.0, 0.0)


@each_scorer
def test_a_better_system_wins_under_either_direction(scorer: Scorer) -> None:
    if not scorer.input("references"):
        pytest.skip("without references, neither of the two systems is better")
    segments = segments_of(scorer, good(scorer))
    systems = {"worse": segments.with_predictions(worse(scorer)), "good": segments}
    (result,) = paired_test(scorer, "worse", systems, resamples=200)
    assert (result.difference > 0) == scorer.higher_is_better[scorer.primary]
    assert result.wins == 1.0 or result.difference == 0
    found = winners({"it": scorer}, systems, resamples=200)["it"]
    groups = significance_groups(scorer, systems)
    if result.difference:
        assert found.system == "good"
        assert groups == ({"worse": "b", "good": "a"} if found.is_clear else {"worse": "a", "good": "a"})


def test_a_bootstrap_is_resampled_as_the_mean_that_it_estimates() -> None:
    median = Rouge.variant("evaluate")
    segments = Segments(WORSE, REFERENCES)
    assert not median._additive
    assert confidence_intervals(median, segments) == confidence_intervals(Rouge.variant("rouge_score"), segments)


def test_probabilities_of_words_are_resampled_too() -> None:
    words = ["cat", "dog", "bird", "horse"] * 5
    lines = [f"{word}:0.{3 + i % 5} :0.2" for i, word in enumerate(words)]
    sure = Segments(lines, words)
    unsure = sure.with_predictions([line.replace(":0.", ":0.1") for line in lines])
    for name in ("log_loss_hashed", "likelihood_hashed", "perplexity_hashed"):
        scorer = get_scorer(name)()
        result = scorer.corpus(sure, confidence=0.95)
        assert result.interval is not None
        assert result.interval.low < result.value < result.interval.high
        (test,) = paired_test(scorer, "sure", {"sure": sure, "unsure": unsure}, resamples=200)
        assert test.wins == 0.0
        impossible = sure.with_predictions(["cat:1", *lines[1:-1], "dog:1"])
        assert not {*scorer._infinite} & confidence_intervals(scorer, impossible).keys()
        if scorer.primary in scorer._infinite:
            with pytest.raises(InputError, match="is infinite in a resample"):
                confidence_interval(scorer, impossible)

"""Pseudo-values: their definition, and that their spread is that of scores of other test sets."""

from __future__ import annotations

import numpy as np
import pytest

from metrologue.errors import InputError
from metrologue.inference import confidence_interval, confidence_intervals, paired_test
from metrologue.inference.jackknife import PseudoValues
from metrologue.scorers import DistinctN, LexicalDiversity, Scorer, SelfBleu
from metrologue.segments import Segments

SCORERS = {
    "distinct_2": DistinctN(),
    "mattr": LexicalDiversity(measures=("mattr", "ttr")),
    "self_bleu": SelfBleu(max_order=2),
}
each_scorer = pytest.mark.parametrize("scorer", SCORERS.values(), ids=[*SCORERS])


def written(generator: np.random.Generator, count: int) -> list[str]:
    """Texts of words with the frequencies of Zipf's law."""
    lengths = generator.integers(5, 15, count)
    return [" ".join(f"w{word % 5000}" for word in generator.zipf(1.3, length)) for length in lengths]


@each_scorer
@pytest.mark.parametrize("count", [7, 65])
def test_definition(scorer: Scorer, count: int) -> None:
    texts = written(np.random.default_rng(count), count)
    groups = np.array_split(np.arange(count), 30) if count == 65 else [[i] for i in range(count)]
    left = [scorer.corpus([text for i, text in enumerate(texts) if i not in group]).value for group in groups]
    whole, metric = scorer.corpus(texts).value, PseudoValues(scorer)
    rows = metric.statistics(Segments(texts))
    expected = whole + (len(groups) - 1) * (np.mean(left) - left)
    assert rows[:, metric.columns.index(scorer.primary)] == pytest.approx(expected, rel=1e-12)
    assert rows[:, -1].tolist() == [1] * len(groups)
    assert float(metric.score(metric.aggregate(rows))[scorer.primary]) == pytest.approx(whole, rel=1e-12)


@each_scorer
def test_the_spread_is_that_of_other_test_sets(scorer: Scorer) -> None:
    """The usual bootstrap is far from it: for distinct-2 its spread is four times as large, and the mean is lower."""
    generator = np.random.default_rng(2)
    scores, widths = [], []
    for _ in range(60):
        segments = Segments(written(generator, 120))
        scores.append(scorer.corpus(segments).value)
        interval = confidence_interval(scorer, segments, resamples=200)
        assert interval.low < scores[-1] < interval.high
        widths.append(interval.margin / 1.96)
    assert 0.8 < np.mean(widths) / np.std(scores) < 1.5


@each_scorer
def test_a_paired_bootstrap_finds_what_differs(scorer: Scorer) -> None:
    generator = np.random.default_rng(3)
    texts, others = written(generator, 120), written(generator, 120)
    dull = Segments([f"w1 w2 w3 {text}" for text in texts])
    systems = {"first": Segments(texts), "second": Segments(others), "dull": dull}
    same, other = paired_test(scorer, "first", systems)
    assert same.p_value > 0.01 > other.p_value
    assert other.score == pytest.approx(scorer.corpus(dull).value)
    assert other.difference_interval is not None
    assert other.difference_interval.low < other.difference < other.difference_interval.high


def test_a_number_stays_in_its_range() -> None:
    found = confidence_intervals(DistinctN(), Segments([f"a{i} b{i}" for i in range(40)] + ["a1 b1"] * 2))
    assert found["distinct_1"].high == found["distinct_2"].high == 1


def test_a_pool_makes_texts_independent() -> None:
    texts = written(np.random.default_rng(4), 50)
    fitted = SelfBleu().fit(Segments(texts))
    rows = fitted.statistics(Segments(texts))
    assert confidence_interval(fitted, rows) == confidence_interval(fitted, Segments(texts))


def test_a_sample_is_resampled_and_not_the_texts_beside_it() -> None:
    texts = written(np.random.default_rng(5), 80)
    of_sample = confidence_interval(SelfBleu(sample=40), Segments(texts))
    assert of_sample == confidence_interval(SelfBleu(), Segments(texts[:40]))


def test_too_few_segments() -> None:
    with pytest.raises(InputError, match=r"SelfBleu: its segments depend on each other.* of the 2 segments.*no other"):
        confidence_interval(SelfBleu(), Segments(["a b", "a c"]))

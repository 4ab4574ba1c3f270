"""The draws, the methods, the groups, and what is refused."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from inspect import isfunction, signature
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue import inference, score
from metrologue.errors import InputError
from metrologue.inference import (
    DRAWS,
    RESAMPLINGS,
    Resampling,
    agreement,
    confidence_interval,
    confidence_intervals,
    correlation,
    intervals,
    paired_test,
    resampling,
    significance_groups,
    totals,
    winners,
)
from metrologue.inference import draws as drawing
from metrologue.inference.between_systems import _letter, _letters, enough_resamples
from metrologue.inference.intervals import interval_of
from metrologue.inference.kernels import random_words, single_subset_sums, subset_sums
from metrologue.inference.totals import is_exact_in_float32, resampled_totals
from metrologue.scorers import Chrf, DistinctN, EditDistance, Scorer, Ter, TokenF1, WordErrorRate
from metrologue.segments import Segments

WER = WordErrorRate()
SEGMENTS = Segments(["a b", "c x", "e f", "g h"] * 3, ["a b", "c d", "e f", "g i"] * 3)
ROWS = WER.statistics(SEGMENTS)


def test_there_are_a_thousand_resamples_unless_the_user_says_otherwise() -> None:
    found = {}
    for module in (inference, agreement, correlation):
        for name in module.__all__:
            function = getattr(module, name)
            if isfunction(function) and "resamples" in (options := signature(function).parameters):
                found[name] = options["resamples"].default
    by_method = ("paired_test", "paired_test_over_tasks", "pairwise_tests", "significance_groups", "winners")
    assert [found.pop(name) for name in by_method] == [None] * len(by_method)
    assert len(found) == 7
    assert {*found.values()} == {1000}


# The draws.


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("n", [2, 7, 64, 65, 1001])
def test_a_resample_has_as_many_draws_as_segments(name: str, n: int) -> None:
    counts = np.concatenate([block.copy() for block in DRAWS[name](1).counts(n, 300)])
    assert counts.shape == (300, n)
    assert (counts.sum(axis=1) == n).all()
    assert counts.min() == 0
    # Each count is binomial with mean 1 and variance 1 - 1/n.
    assert counts.var(axis=0).mean() == pytest.approx(1 - 1 / n, rel=0.1)
    assert np.abs(counts.mean(axis=0) - 1).max() < 6 / np.sqrt(300)


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("n", [2, 8, 63, 65, 1001])
def test_half_of_the_segments_are_exchanged(name: str, n: int) -> None:
    bits = np.concatenate([*DRAWS[name](1).subsets(n, 400)])
    chosen = np.unpackbits(bits, axis=1, count=n, bitorder="little")
    assert chosen.shape == (400, n)
    assert np.abs(chosen.mean(axis=0) - 0.5).max() < 6 * 0.5 / np.sqrt(400)


@pytest.mark.parametrize("name", DRAWS)
def test_draws_do_not_depend_on_the_size_of_blocks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def all_of(n: int) -> tuple[np.ndarray, np.ndarray]:
        stream = DRAWS[name](5)
        counts = np.concatenate([block.copy() for block in stream.counts(n, 70)])
        return counts, np.concatenate([*stream.subsets(n, 100)])

    for n in (3, 11, 40):
        whole = all_of(n)
        with monkeypatch.context() as patch:
            patch.setattr(drawing, "_COUNTS", 1)
            patch.setattr(drawing, "_BITS", 1)
            for one, other in zip(whole, all_of(n), strict=True):
                np.testing.assert_array_equal(one, other)


NUMPYS = ["pcg64", "mt19937"]


def drawn(name: str, seed: int, resamples: int, n: int) -> np.ndarray:
    """The same draws, by NumPy's own functions: int64 (resamples, n)."""
    integers = {
        "pcg64": np.random.default_rng(seed).integers,
        "mt19937": np.random.RandomState(seed).randint,
    }[name]
    return integers(0, n, size=(resamples, n))


@pytest.mark.parametrize("name", NUMPYS)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 300), parts=st.lists(st.integers(1, 5), min_size=1, max_size=3))
def test_the_draws_are_those_of_numpy(name: str, seed: int, n: int, parts: list[int]) -> None:
    stream = DRAWS[name](seed)
    counts = [row.copy() for resamples in parts for block in stream.counts(n, resamples) for row in block]
    for row, own in zip(counts, drawn(name, seed, sum(parts), n), strict=True):
        np.testing.assert_array_equal(row, np.bincount(own, minlength=n))


@pytest.mark.parametrize("name", NUMPYS)
@pytest.mark.parametrize("n", [3004, 100_003])
def test_many_draws_are_those_of_numpy(name: str, n: int) -> None:
    """Of 100,003 segments, about 1 draw in 100,000 is rejected; the numbers after it then differ from plain ones."""
    ours = (row for block in DRAWS[name](3).counts(n, 40) for row in block)
    for row, own in zip(ours, drawn(name, 3, 40, n), strict=True):
        np.testing.assert_array_equal(row, np.bincount(own, minlength=n))


def test_the_legacy_draws_are_those_of_choice() -> None:
    np.random.seed(7)
    legacy = [np.random.choice(np.arange(9), size=9) for _ in range(50)]
    (counts,) = DRAWS["mt19937"](7).counts(9, 50)
    np.testing.assert_array_equal(counts, [np.bincount(row, minlength=9) for row in legacy])


def test_the_library_subsets_are_those_of_numpy() -> None:
    chosen = np.random.default_rng(12345).integers(2, size=(50, 9), dtype=bool)
    (bits,) = DRAWS["pcg64"](12345).subsets(9, 50)
    np.testing.assert_array_equal(np.unpackbits(bits, axis=1, count=9, bitorder="little"), chosen)


def words(seed: int) -> Iterator[int]:
    """SplitMix64, in Python's own numbers."""
    (state,) = np.random.SeedSequence(seed).generate_state(1, np.uint64).tolist()
    while True:
        word = state = (state + 0x9E3779B97F4A7C15) % 2**64
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            word = (word ^ word >> shift) * factor % 2**64
        yield word ^ word >> 31


def test_words_are_those_of_splitmix64() -> None:
    """The first words for the seed 1234567, as published with the reference implementation in C."""
    found = np.empty(5, np.uint64)
    random_words(np.array([1234567], np.uint64), found)
    assert found.tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def poisson_draws(stream: Iterator[int], n: int) -> tuple[list[int], int, int]:
    """One resample, as the definition says; how many counts were left over, and how many rows were made."""
    limits, rare = (table.tolist() for table in drawing._poisson(n))
    left_over = rows = 0
    total = n + 1
    while total > n:
        counts, rows = [], rows + 1
        for first in range(0, n, 512):
            chunk = list(itertools.islice(stream, 128))
            numbers = [(word >> 16 * quarter & 0xFFFF) >> 1 for word in chunk for quarter in range(4)]
            part = [sum(number > limit for limit in limits) for number in numbers[: n - first]]
            left_over += part.count(8)
            counts += [bisect_left(rare, next(stream)) if each == 8 else each for each in part]
        total = sum(counts)
    while total < n:
        word = next(stream)
        if word * n % 2**64 >= 2**64 % n:
            counts[word * n >> 64] += 1
            total += 1
    return counts, left_over, rows


@pytest.mark.parametrize(("n", "resamples"), [(2, 300), (9, 200), (511, 30), (512, 30), (513, 30), (3004, 30)])
def test_our_draws_are_poisson_counts_and_single_draws(n: int, resamples: int) -> None:
    stream, left_over, rows = words(n), 0, 0
    ours = (row for block in DRAWS["splitmix64"](n).counts(n, resamples) for row in block)
    for row in ours:
        expected, more, made = poisson_draws(stream, n)
        assert row.tolist() == expected
        left_over, rows = left_over + more, rows + made
    assert rows > resamples or n > 500, "some rows are made again"
    assert left_over or n < 3004, "some counts are left over"


@pytest.mark.parametrize("n", [2, 3, 12, 100, 3004, 10**6])
def test_the_law_of_the_counts_is_poissons(n: int) -> None:
    """The table's probabilities in whole numbers, against Poisson's with 50 digits."""
    limits, rare = (table.tolist() for table in drawing._poisson(n))
    left_over = 2**15 - 1 - limits[-1]
    numbers = [high - low for low, high in itertools.pairwise([-1, *limits])] + [0] * (len(rare) - 8)
    counts = [high - low for low, high in itertools.pairwise([-1, *rare])]
    assert sum(counts) == 2**64
    with localcontext(prec=50):
        mean = Decimal(1 / (1 + 2 / math.sqrt(n)))
        for k, (number, words) in enumerate(zip(numbers, counts, strict=True)):
            expected = (-mean).exp() * mean**k / math.factorial(k)
            found = (number + left_over * Decimal(words) / 2**64) / 2**15
            assert abs(found - expected) < Decimal("1e-15")


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_resamples_have_the_law_of_the_bootstrap(name: str, n: int) -> None:
    """All outcomes of n draws from n segments, against their multinomial probabilities, in 10^6 resamples."""
    stats = pytest.importorskip("scipy.stats")
    resamples = 1_000_000
    found: Counter[tuple[int, ...]] = Counter()
    for block in DRAWS[name](n).counts(n, resamples):
        found.update(map(tuple, block.tolist()))
    outcomes = [each for each in itertools.product(range(n + 1), repeat=n) if sum(each) == n]
    ways = [math.factorial(n) // math.prod(map(math.factorial, each)) for each in outcomes]
    assert {*found} == {*outcomes}
    result = stats.chisquare([found[each] for each in outcomes], [resamples * way / n**n for way in ways])
    assert result.pvalue > 1e-4


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("n", [12, 60, 700])
def test_as_many_segments_are_drawn_as_chance_draws(name: str, n: int) -> None:
    """How many different segments are in a resample, against its exact law: the law of occupied boxes."""
    stats = pytest.importorskip("scipy.stats")
    resamples = 20_000
    occupied = np.eye(1, n + 1)[0]  # the law after no draw
    for _ in range(n):
        share = np.arange(n + 1) / n
        occupied = occupied * share + np.concatenate([[0], (occupied * (1 - share))[:-1]])
    found = np.concatenate([np.count_nonzero(block, axis=1) for block in DRAWS[name](n).counts(n, resamples)])
    frequent = occupied * resamples > 5
    both = np.bincount(found, minlength=n + 1), resamples * occupied
    result = stats.chisquare(*(np.append(each[frequent], each[~frequent].sum()) for each in both))
    assert result.pvalue > 1e-4


# The kernels.


@pytest.mark.parametrize(("kernel", "dtype"), [(subset_sums, float), (single_subset_sums, np.float32)])
@given(n=st.integers(1, 20), k=st.integers(1, 40), trials=st.integers(0, 3), seed=st.integers(0, 99))
def test_subset_sums(kernel: Any, dtype: Any, n: int, k: int, trials: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    rows = chance.integers(-50, 50, size=(n, k)).astype(dtype)
    bits = chance.integers(0, 256, size=(trials, -(-n // 8)), dtype=np.uint8)
    sums = np.full((trials, k), 7.0, dtype)
    kernel(bits, rows, np.empty((256, k), dtype), sums)
    chosen = np.unpackbits(bits, axis=1, count=n, bitorder="little").astype(float)
    np.testing.assert_array_equal(sums, chosen @ rows)


# The quick way against a loop.


@st.composite
def counted(draw: st.DrawFn) -> list[np.ndarray]:
    """Statistics of WER of some systems, all with the same number of segments: small counts, and now and then large."""
    chance, n = np.random.default_rng(draw(st.integers(0, 999))), draw(st.integers(2, 150))
    greatest = draw(st.sampled_from([9, 100, 200_000, 1 << 40]))
    k = len(WER.columns)
    return [chance.integers(1, greatest + 1, size=(n, k)).astype(float) for _ in range(draw(st.integers(2, 4)))]


@pytest.mark.parametrize("name", NUMPYS)
@given(systems=counted(), seed=st.integers(0, 99))
def test_totals_are_the_sums_of_the_drawn_rows(name: str, systems: list[np.ndarray], seed: int) -> None:
    n = len(systems[0])
    totals = resampled_totals(systems, DRAWS[name](seed).counts(n, 30))
    assert totals.dtype == float
    for own, indices in zip(totals, drawn(name, seed, 30, n), strict=True):
        for total, rows in zip(own, systems, strict=True):
            expected = np.zeros(rows.shape[1])
            for i in indices:
                expected += rows[i]
            assert total.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("samples", "exact"),
    [
        ([[[1.0, 2], [3, 4]], [[0, 1], [2, 3]]], True),
        ([[[1.0, 2], [3, 4]], [[0, 1], [2, 3.5]]], False),
        ([[[1.0, 2], [3, 1 << 23]]], False),
        ([[[1.0, 2], [3, (1 << 23) - 1]]], True),
        ([[[1.0, -2], [3, -(1 << 23)]]], False),
    ],
)
def test_sums_of_small_whole_numbers_are_exact_in_float32(samples: list[list[list[float]]], exact: bool) -> None:
    assert is_exact_in_float32(*map(np.array, samples)) is exact


def test_equal_rows_are_drawn_together() -> None:
    """A large table with few distinct rows has the totals that it has row by row."""
    rows = np.random.default_rng(1).random((5, 8))[np.arange(1 << 16) % 5]
    [counts] = DRAWS["pcg64"](1).counts(len(rows), 2)
    np.testing.assert_allclose(resampled_totals([rows], [counts])[:, 0], counts.astype(float) @ rows, rtol=1e-12)


@given(systems=counted(), seed=st.integers(0, 99))
def test_an_exchange_is_one_of_rows(systems: list[np.ndarray], seed: int) -> None:
    n = len(systems[0])
    names = [str(i) for i in range(len(systems))]
    tested = paired_test(
        WER, "0", dict(zip(names, systems, strict=True)), method="randomization", resamples=120, seed=seed
    )
    chosen = np.concatenate(
        [
            np.unpackbits(bits, axis=1, count=n, bitorder="little").astype(bool)
            for bits in DRAWS["splitmix64"](seed).subsets(n, 120)
        ]
    )

    def wer(rows: np.ndarray) -> float:
        return float(WER.score(rows.sum(axis=0))["wer"])

    for found, system in zip(tested, systems[1:], strict=True):
        observed = abs(wer(system) - wer(systems[0]))
        at_least = 1e-12 * max(wer(system), wer(systems[0]))
        differences = [
            abs(wer(np.where(row[:, None], systems[0], system)) - wer(np.where(row[:, None], system, systems[0])))
            for row in chosen
        ]
        assert found.p_value == (sum(each >= observed - at_least for each in differences) + 1) / 121


def test_each_way_to_exchange_segments_is_scored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments that depend on each other are scored whole, again for each way: there are 4 ways for 2 segments."""
    scored: list[object] = []

    def score_of(scorer: Scorer, sample: Segments) -> dict[str, np.ndarray]:
        scored.append(sample)
        return resampling.score_of(scorer, sample)

    monkeypatch.setattr(totals, "score_of", score_of)
    first, second = Segments(["a b a c", "x y x z"]), Segments(["a b a b", "x y x y"])
    [found] = paired_test(DistinctN(), "first", {"first": first, "second": second}, method="randomization")
    assert len(scored) == 4
    # The observed difference is the greatest, and one half of the ways has it.
    assert found.p_value == pytest.approx(0.5, abs=0.02)


@given(scores=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50), share=st.floats(0, 1))
def test_quantiles_are_those_of_numpy(scores: list[float], share: float) -> None:
    ordered = np.sort(scores)
    (found,) = intervals._quantiles(ordered, share)
    assert found == pytest.approx(np.quantile(ordered, share), rel=1e-9, abs=1e-9)


# Intervals.


def test_faces_agree() -> None:
    texts = ["a b", "c x", "e f", "g h"] * 3, ["a b", "c d", "e f", "g i"] * 3
    expected = confidence_intervals(WER, SEGMENTS, level=0.9, seed=3)
    assert WER.corpus(*texts, confidence=0.9, seed=3).intervals == expected
    assert score(WER, *texts, confidence=0.9, confidence_seed=3).intervals == expected
    assert score("wer", *texts).intervals == {}
    assert WER.corpus(*texts).interval is None
    assert confidence_interval(WER, ROWS, level=0.9, seed=3, key="wil") == expected["wil"]


def test_signature_says_what_was_done() -> None:
    interval = confidence_interval(WER, ROWS, resamples=150, seed=4, method="bca", resampling="sacrebleu")
    assert interval.signature == "level=0.95|resamples=150|seed=4|method=bca|draws=pcg64"
    assert interval.to_dict()["low"] == interval.low
    assert interval.margin == (interval.high - interval.low) / 2
    custom = Resampling(draws="mt19937", null="centred-absolute")
    (result,) = paired_test(WER, "a", {"a": ROWS, "b": ROWS}, resamples=150, resampling=custom)
    assert result.signature == "test=bootstrap|resamples=150|seed=12345|resampling=mt19937|correction=none"


def test_scores_that_are_all_equal_have_an_interval_of_one_point() -> None:
    rows = WER.statistics(Segments(["a"] * 5, ["a"] * 5))
    for method in ("percentile", "bca", "order-statistics"):
        interval = confidence_interval(WER, rows, method=method)
        assert (interval.low, interval.mean, interval.high) == (0.0, 0.0, 0.0)


def test_order_statistics_are_sacrebleus_places() -> None:
    scores = np.random.default_rng(1).random(1000)
    from metrologue.inference.intervals import METHODS

    ordered = np.sort(scores)
    assert METHODS["order-statistics"].bounds(ordered, 0.95, 0.5, None) == (ordered[25], ordered[974])
    assert METHODS["order-statistics"].bounds(ordered[:39], 0.95, 0.5, None) == (ordered[0], ordered[38])


@pytest.mark.slow
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("skewed", [False, True])
def test_intervals_cover_the_true_mean(method: str, skewed: bool) -> None:
    """Of 2,000 samples with a known mean, about 95 per cent have it in their interval."""
    scorer = TokenF1(aggregation="mean")
    place = scorer.columns.index("token_f1")
    chance, covered, trials = np.random.default_rng(0), 0, 2000
    for trial in range(trials):
        rows = np.ones((80, len(scorer.columns)))
        rows[:, place] = chance.exponential(1.0, 80) if skewed else chance.normal(1.0, 1.0, 80)
        interval = confidence_interval(scorer, rows, seed=trial, method=method, resamples=400)
        covered += interval.low <= 1.0 <= interval.high
    assert (0.90 if skewed else 0.925) < covered / trials < 0.965


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bootstrap", "randomization"])
def test_p_values_are_uniform_if_systems_are_equally_good(method: str) -> None:
    scorer = TokenF1(aggregation="mean")
    place = scorer.columns.index("token_f1")
    chance, p_values = np.random.default_rng(0), []
    for trial in range(1000):
        systems = {name: np.ones((80, len(scorer.columns))) for name in "ab"}
        common = chance.normal(1.0, 1.0, 80)
        for rows in systems.values():
            rows[:, place] = common + chance.normal(0.0, 0.5, 80)
        (result,) = paired_test(scorer, "a", systems, seed=trial, method=method, resamples=300)
        p_values.append(result.p_value)
    assert np.mean(np.array(p_values) < 0.05) == pytest.approx(0.05, abs=0.02)
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.03)


# Groups.


@given(count=st.integers(1, 6), pairs=st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_systems_share_a_letter_if_and_only_if_they_do_not_differ(count: int, pairs: set[tuple[int, int]]) -> None:
    different = sorted({(min(a, b), max(a, b)) for a, b in pairs if a != b and max(a, b) < count})
    letters = [set(each) for each in _letters(range(count), different).values()]
    assert all(letters)
    for a, b in itertools.combinations(range(count), 2):
        assert bool(letters[a] & letters[b]) == ((a, b) not in different)
    if count:
        assert 0 in letters[0]  # the best one has the first letter
    for one, other in itertools.permutations({letter for each in letters for letter in each}, 2):
        members = [{i for i, each in enumerate(letters) if letter in each} for letter in (one, other)]
        assert not members[0] < members[1], "a letter that says nothing new"


def test_letters_go_on_after_z() -> None:
    assert [_letter(number) for number in (0, 25, 26, 51, 52)] == ["a", "z", "a1", "z1", "a2"]


def test_many_pairs_get_enough_resamples() -> None:
    assert enough_resamples(5, 0.05) == 800
    first = Segments(list("bcde") * 25, list("bcde") * 25, shared=True)
    systems = {name: first.with_predictions(list(("bcde"[:i] + "xxxx")[:4]) * 25) for i, name in enumerate("pqrst")}
    groups = significance_groups(TokenF1(), systems)
    assert groups == dict(zip("pqrst", "edcba", strict=True))
    assert significance_groups(TokenF1(), systems, resamples=100)["p"] == "a"  # too few for ten pairs under Holm


# What is refused.


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"level": 1.5}, r"the level of confidence is 1\.5; a number above 0 and below 1 is expected"),
        ({"level": 0}, "the level of confidence is 0;"),
        ({"level": 1}, "the level of confidence is 1;"),
        ({"level": float("nan")}, "the level of confidence is nan"),
        ({"level": "0.95"}, "the level of confidence is '0.95'"),
        ({"level": True}, "the level of confidence is True"),
        ({"resamples": 1}, "resamples: 1 is not an int from 2"),
        ({"resamples": 10.5}, r"resamples"),
        ({"seed": -1}, "seed: -1"),
        ({"method": "bcu"}, r"`method` is 'bcu'; did you mean 'bca'\?"),
        ({"resampling": "sacrebleau"}, r"`resampling` is 'sacrebleau'; did you mean 'sacrebleu'\?"),
        ({"resampling": 3}, "`resampling` is 3; a Resampling or its name is expected"),
        ({"resampling": Resampling(draws="dice")}, "`draws` is 'dice'"),
        ({"statistics": ROWS[:1]}, r"`statistics` has 1 segment\(s\); resampling needs at least two"),
        ({"statistics": SEGMENTS.slice(0, 1)}, r"has 1 segment\(s\)"),
        ({"statistics": ROWS[:, :2]}, r"has the shape \(12, 2\); Segments, or numbers of the shape \(n, \d+\)"),
        ({"statistics": "abc"}, "has the shape"),
        ({"key": "bleu"}, "`key` is 'bleu'"),
    ],
)
def test_bad_arguments_of_intervals(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        confidence_interval(WER, **{"statistics": ROWS, **change})


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_not_finite_is_named(bad: float) -> None:
    rows = ROWS.copy()
    rows[3, 1] = bad
    with pytest.raises(InputError, match=rf"`statistics\[3, 1\]` is {bad}"):
        confidence_interval(WER, rows)
    with pytest.raises(InputError, match=rf"`systems\['b'\]\[3, 1\]` is {bad}"):
        paired_test(WER, "a", {"a": ROWS, "b": rows})


@pytest.mark.parametrize(
    ("baseline", "change", "message"),
    [
        ("first", {}, r"`baseline` is 'first'; t.*here are a, b"),
        ("a", {"systems": {"a": ROWS}}, "fewer than two"),
        ("a", {"systems": [ROWS, ROWS]}, "no mapping"),
        ("a", {"systems": {"a": ROWS, "b": ROWS[:5]}}, "'b' has 5 segments, but 'a' has 12"),
        ("a", {"method": "t-test"}, "`method` is 't-test'; there are bootstrap, randomization"),
        ("a", {"correction": "holmes"}, r"`correction` is 'holmes'; did you mean 'holm'\?"),
        ("a", {"resampling": Resampling(null="none")}, "`null` is 'none'"),
        ("a", {"level": 2}, "the level of confidence is 2"),
    ],
)
def test_bad_arguments_of_tests(baseline: str, change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        paired_test(WER, baseline, **{"systems": {"a": ROWS, "b": ROWS}, **change})


SEEDED = Segments(["a b", "c d", "e f"] * 4, ["a b", "c x", "e x"] * 4)


@pytest.mark.parametrize(("variable", "expected"), [(None, 12345), ("7", 7), (" 8 ", 8), ("0", 0)])
def test_sacrebleus_variable_is_the_default_seed_of_its_resampling(
    variable: str | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if variable is None:
        monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    else:
        monkeypatch.setenv("SACREBLEU_SEED", variable)
    wer, systems = WordErrorRate(), {"a": SEEDED, "b": SEEDED}
    for manner, default in (("sacrebleu", expected), ("metrologue", 12345), ("rouge_score", 12345)):
        assert confidence_interval(wer, SEEDED, resampling=manner).seed == default
        assert paired_test(wer, "a", systems, resampling=manner)[0].seed == default
        assert winners({"wer": wer}, systems, resampling=manner)["wer"].tests[0].seed == default
    assert confidence_interval(wer, SEEDED, resampling="sacrebleu", seed=5).seed == 5


@pytest.mark.parametrize("spelled", ["none", "None", "NONE"])
def test_sacrebleus_variable_may_ask_for_a_new_seed_each_time(spelled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", spelled)
    seeds = {confidence_interval(WordErrorRate(), SEEDED, resampling="sacrebleu").seed for _ in range(4)}
    assert len(seeds) > 1
    one, two = winners({"a": WordErrorRate(), "b": Ter()}, {"a": SEEDED, "b": SEEDED}, resampling="sacrebleu").values()
    assert one.tests[0].seed == two.tests[0].seed, "one call has one seed, and its result says which"


@pytest.mark.parametrize("text", ["", "x", "1.5", "-1", str(2**32)])
def test_a_variable_that_is_no_seed_is_named(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", text)
    with pytest.raises(InputError, match=r"^SACREBLEU_SEED: .* is not an int from 0 to"):
        confidence_interval(WordErrorRate(), SEEDED, resampling="sacrebleu")


def test_few_resamples_are_warned_of() -> None:
    with pytest.warns(UserWarning, match="99 resamples are few"):
        confidence_interval(WER, ROWS, resamples=99)
    with pytest.warns(UserWarning, match="50 resamples are few"):
        paired_test(WER, "a", {"a": ROWS, "b": ROWS}, resamples=50)


def test_a_set_needs_its_segments() -> None:
    segments = Segments(["a b a", "a c", "d e"])
    with pytest.raises(InputError, match=r"DistinctN: `statistics` is .*; its segments depend on each other"):
        confidence_interval(DistinctN(), DistinctN().statistics(segments))


@pytest.mark.parametrize("level", ["0.5", "0.6", "0.7", "0.8", "0.9", "0.95", "0.98", "0.99", "0.998"])
def test_order_statistics_skip_as_many_as_exact_arithmetic_says(level: str) -> None:
    """1 - 0.9 is less than 0.1 in float64: half of it, of 1000 scores, is 49.99999999999999 and not 50."""
    for count in (100, 1000, 2000, 10_000):
        skipped = math.floor(count * (1 - Fraction(level)) / 2)
        found = interval_of(np.arange(count) * 1.0, 1.0, None, float(level), 1, "order-statistics", "wer", "pcg64")
        assert (found.low, found.high) == (skipped, count - 1 - skipped)


@given(
    scores=st.lists(st.integers(-3, 3), min_size=20, max_size=60),
    whole=st.integers(-2, 2),
    others=st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0]), min_size=3, max_size=12),
)
def test_bca_of_turned_scores_is_turned(scores: list[int], whole: int, others: list[float]) -> None:
    """Half of the resamples that score like the whole count as below it, so that neither direction is preferred."""
    try:
        found = [
            interval_of(
                sign * np.array(scores, float), sign * whole, sign * np.array(others), 0.9, 1, "bca", "wer", "pcg64"
            )
            for sign in (1, -1)
        ]
    except InputError:
        return
    assert (found[0].low, found[0].high) == (pytest.approx(-found[1].high), pytest.approx(-found[1].low))


def test_bca_of_ties() -> None:
    """Efron's formula by hand: of ten scores three are below the whole and four equal it, so that there is no bias."""
    scores, others = np.array([1.0, 1, 1, 2, 2, 2, 2, 3, 3, 3]), np.array([1.0, 2.0, 3.0])
    found = interval_of(scores, 2.0, others, 0.9, 1, "bca", "wer", "pcg64")
    assert (found.low, found.high) == (pytest.approx(1.0), pytest.approx(3.0))
    last_bit = interval_of(scores, float(np.nextafter(2.0, 3.0)), others, 0.9, 1, "bca", "wer", "pcg64")
    assert (last_bit.low, last_bit.high) == (found.low, found.high)
    wide = np.repeat(np.arange(1.0, 8.0), [30, 20, 100, 200, 60, 50, 40])
    below = (150 + 350) / 2 / 500  # no bias: it is 0.5
    assert below == 0.5
    unbiased = interval_of(wide, 4.0, others, 0.9, 1, "bca", "wer", "pcg64")
    percentile = interval_of(wide, 4.0, None, 0.9, 1, "percentile", "wer", "pcg64")
    assert (unbiased.low, unbiased.high) == (pytest.approx(percentile.low), pytest.approx(percentile.high))


@pytest.mark.parametrize("scorer", [Chrf(aggregation="mean"), WordErrorRate(aggregation="mean"), EditDistance()])
def test_ties_are_ties_although_they_differ_in_the_last_bit(scorer: Scorer) -> None:
    """The systems differ in one segment only: every exchange has the same difference, or its negative."""
    draws = np.random.default_rng(0)
    references = [" ".join(draws.choice([*"abcdefg"], 7)) for _ in range(40)]
    one = [" ".join(draws.choice([*"abcdefg"], 6)) for _ in range(40)]
    systems = {"one": Segments(one, references), "other": Segments([*one[:5], references[5], *one[6:]], references)}
    (found,) = paired_test(scorer, "one", systems, method="randomization", resamples=2000)
    assert found.difference
    assert found.p_value == 1.0


def test_what_is_nearly_a_tie_is_none() -> None:
    """In half of the exchanges the small difference is taken from the large one: these are less extreme."""
    rows = np.ones((20, len(EditDistance().columns)))
    other = rows.copy()
    other[3, 0] += 1.0
    other[7, 0] += 1e-8
    (found,) = paired_test(EditDistance(), "one", {"one": rows, "other": other}, method="randomization", resamples=2000)
    assert 0.45 < found.p_value < 0.55


def test_bca_says_when_it_has_no_interval() -> None:
    scores, others = np.linspace(0, 0.5, 100), np.linspace(0.8, 0.9, 30)
    with pytest.raises(InputError, match="'bca' has no interval here"):
        interval_of(scores, 0.9, others, 0.95, 1, "bca", "wer", "pcg64")
    assert interval_of(scores, 0.3, others, 0.95, 1, "bca", "wer", "pcg64").high <= 0.5


def test_names_of_resamplings_are_known() -> None:
    assert {resampling.name for resampling in RESAMPLINGS.values()} == {*RESAMPLINGS}
    assert Resampling(draws="pcg64").name == "pcg64"

"""Paired tests: whether the difference of two systems on the same segments could be chance; corrections of p-values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, instead_of, number_of, shown
from metrologue.inference.draws import DRAWS
from metrologue.inference.intervals import Interval, interval_of
from metrologue.inference.jackknife import resampled, separated
from metrologue.inference.metric import Metric
from metrologue.inference.resampling import (
    MOST_SEED,
    Resampling,
    Sample,
    checked_level,
    checked_number,
    checked_resamples,
    chosen_resampling,
    chosen_seed,
    count_of,
    few_segments,
    one_of,
    prepared,
    score_of,
    warn_of_few,
)
from metrologue.inference.totals import exchanged, resampled_scores
from metrologue.segments import Segments
from metrologue.tracing import notebook

# For each correction, the corrected values of sorted p-values, least first.
CORRECTIONS: Mapping[str, Callable[[Floats], Floats]] = {
    "bonferroni": lambda p: p * len(p),
    "holm": lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)),
    "benjamini-hochberg": lambda p: np.minimum.accumulate((p * (len(p) / np.arange(1, len(p) + 1)))[::-1])[::-1],
}


def check_correction(name: str | None) -> None:
    """Raise an InputError if there is no correction of this name. None stands for no correction."""
    if name is not None:
        one_of("correction", name, CORRECTIONS)


def corrected(p_values: Sequence[float], name: str | None) -> list[float]:
    """The corrected p-values, in the same order.

    Parameters
    ----------
    p_values : sequence of float
    name : str or None
        One of ``CORRECTIONS``: "bonferroni"; "holm", https://www.jstor.org/stable/4615733; "benjamini-hochberg",
        https://doi.org/10.1111/j.2517-6161.1995.tb02031.x. None: no correction.

    Raises
    ------
    InputError
        If there is no such correction.

    Examples
    --------
    >>> corrected([0.03, 0.01], "holm")
    [0.03, 0.02]
    """
    check_correction(name)
    values = np.array(p_values, float)
    if name is not None:
        order = np.argsort(values)
        values[order] = np.minimum(CORRECTIONS[name](values[order]), 1.0)
    return [*map(float, values)]


_Pair = tuple[int, int]

# The number of resamples or trials of each test, as in sacrebleu.
DEFAULT_RESAMPLES: Mapping[str, int] = {"bootstrap": 1000, "randomization": 10_000}
TESTS = (*DEFAULT_RESAMPLES,)


@dataclass(frozen=True, repr=False)
class PairedResult:
    """A system compared with the baseline.

    Attributes
    ----------
    system, baseline : str
        Their names.
    score, baseline_score : float
    difference : float
        ``score - baseline_score``.
    p_value : float
        How often a difference at least as large as this one, in either direction, comes about by chance, if both
        systems are equally good. It is never 0: with R resamples, the least value is 1 / (R + 1).
    corrected_p_value : float
        The p-value after the correction for several systems; equal to `p_value` without a correction.
    interval : Interval or None
        Of the system's score; None for a randomization test, which draws no test sets.
    difference_interval : Interval or None
        Of the difference, from the same resamples.
    wins : float or None
        The share of resamples in which the system is better than the baseline (Koehn 2004); half of those in which
        both are equal counts.
    method : str
        "bootstrap" or "randomization".
    correction : str or None
    resamples, seed : int
    resampling : str
        The draws and the rules: a name in ``RESAMPLINGS``, or the generator of others.
    segments : int or None
        How many segments there were; below 30, a bootstrap test is rough.
    """

    system: str
    baseline: str
    score: float
    baseline_score: float
    difference: float
    p_value: float
    corrected_p_value: float
    interval: Interval | None
    difference_interval: Interval | None
    wins: float | None
    method: str
    correction: str | None
    resamples: int
    seed: int
    resampling: str
    segments: int | None = None

    def is_significant(self, alpha: float = 0.05) -> bool:
        """Whether the corrected p-value is below `alpha`. A difference of 0 never is significant."""
        return self.difference != 0 and self.corrected_p_value < alpha

    @property
    def _p_shown(self) -> str:
        """The p-value, and the corrected one if there is a correction."""
        corrected = f" ({self.corrected_p_value:.4f} after {self.correction})" if self.correction else ""
        return f"{self.p_value:.4f}{corrected}"

    def __str__(self) -> str:
        interval = f" {self.difference_interval}" if self.difference_interval else ""
        return f"{self.system} − {self.baseline} = {self.difference:+.4f}{interval}, p = {self._p_shown}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: a table with one row, and the signature."""
        return PairedResults([self])._repr_html_()

    @property
    def signature(self) -> str:
        """The settings of the test, on one line."""
        parts = {"test": self.method, "resamples": self.resamples, "seed": self.seed, "resampling": self.resampling}
        return "|".join(f"{key}={value}" for key, value in {**parts, "correction": self.correction or "none"}.items())

    def to_dict(self) -> dict[str, Any]:
        """All attributes as plain values."""
        return asdict(self)


class PairedResults(list[PairedResult]):
    """A list of the results of one call, which a notebook shows as a table and ``print`` as lines."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "[]"

    def _repr_html_(self) -> str:
        """What a notebook shows: a table with a row for each system, and the signature."""
        if not self:
            return notebook.block(notebook.note("no paired results"))
        first = self[0]
        header = ["system", "score", "difference", "interval of the difference", "p"]
        rows = [[first.baseline, f"{first.baseline_score:.4f}", "baseline", "", ""]]
        for each in self:
            interval = str(each.difference_interval or "")
            rows.append([each.system, f"{each.score:.4f}", f"{each.difference:+.4f}", interval, each._p_shown])
        caption = f"Compared with {first.baseline}"
        told = few_segments(first.segments) if first.method == "bootstrap" else None
        notes = map(notebook.note, filter(None, (first.signature, told)))
        return notebook.block(notebook.table(caption, header, rows), *notes)


@dataclass(frozen=True)
class Test:
    """The checked arguments of a test, and what is resampled of each system."""

    scorer: Metric
    samples: Mapping[str, Sample]
    key: str
    method: str
    resamples: int
    seed: int
    level: float
    resampling: Resampling
    segments: int

    def wholes(self) -> list[float]:
        """The score of each system."""
        return [float(score_of(self.scorer, sample)[self.key]) for sample in self.samples.values()]

    def against(self, baseline: str) -> list[tuple[str, str]]:
        """The pairs of each other system and the baseline. Raises an InputError if there is no such system."""
        if baseline not in self.samples:
            raise InputError(f"paired_test: `baseline` is {shown(baseline)}; {instead_of(baseline, self.samples)}")
        return [(name, baseline) for name in self.samples if name != baseline]


def paired_test(
    scorer: Metric,
    baseline: str,
    systems: Mapping[str, Floats | Segments],
    *,
    method: str = "bootstrap",
    resamples: int | None = None,
    seed: int | None = None,
    correction: str | None = None,
    level: float = 0.95,
    key: str | None = None,
    resampling: str | Resampling = "metrologue",
) -> PairedResults:
    """Compare systems with a baseline on the same segments.

    Parameters
    ----------
    scorer : Scorer
    baseline : str
        The name of one of the systems.
    systems : mapping of str to float64 (n, k), or to Segments
        The statistics of each system, or its segments. A metric whose segments depend on each other needs segments.
    method : str
        "bootstrap": test sets are drawn from the segments, with replacement, the same for both systems (Koehn 2004;
        Riezler and Maxwell 2005). "randomization": the two systems exchange a random half of their segments (Riezler
        and Maxwell 2005). The p-value is the share of differences that are at least as large as the observed one; for
        the bootstrap, after they are moved so that their mean is 0.
    resamples : int, optional
        The number of test sets, 1000 by default, or of exchanges, 10,000 by default.
    seed : int, optional
        The seed of the draws, 0 to 2^32 - 1. All systems share the draws. By default 12345; with sacrebleu's
        resampling, the environment variable ``SACREBLEU_SEED`` if it is set.
    correction : str, optional
        For several systems, one of ``CORRECTIONS``: "bonferroni" or "holm" (1979) keep the probability of any wrong
        finding low, "benjamini-hochberg" (1995) the share of wrong findings. None: no correction.
    level : float
        The level of confidence of the intervals.
    key : str, optional
        The name of the number that is compared; the primary one by default.
    resampling : str or Resampling
        Whose draws and rules to take: one of ``RESAMPLINGS``.

    Returns
    -------
    PairedResults
        A list of PairedResult, one for each system except the baseline, in the order of `systems`.

    Raises
    ------
    InputError
        If the baseline is not among the systems or is the only one, systems do not have the same number of segments,
        there are fewer than two segments, or an argument is out of range.

    Warns
    -----
    FewSegmentsWarning
        If there are fewer than 30 segments and the method is "bootstrap".
    UserWarning
        If there are fewer than 100 resamples.

    References
    ----------
    Koehn 2004, https://aclanthology.org/W04-3250; Riezler and Maxwell 2005, https://aclanthology.org/W05-0908.

    Examples
    --------
    >>> from metrologue.scorers import TokenF1
    >>> first = Segments(["a b", "c d", "e f", "g h"] * 5, ["a b", "c x", "e x", "x y"] * 5)
    >>> second = first.with_predictions(["a x", "c d", "y f", "g h"] * 5)
    >>> (result,) = paired_test(TokenF1(), "first", {"first": first, "second": second})
    >>> round(result.difference, 2), result.p_value < 0.05
    (-37.5, True)
    """
    test = checked_test(scorer, systems, method, resamples, seed, level, key, resampling)
    return results_of([test], test.against(baseline), correction)


def paired_test_over_tasks(
    scorer: Metric,
    baseline: str,
    tasks: Mapping[str, Mapping[str, Floats | Segments]],
    *,
    method: str = "bootstrap",
    resamples: int | None = None,
    seed: int | None = None,
    correction: str | None = None,
    level: float = 0.95,
    key: str | None = None,
    resampling: str | Resampling = "metrologue",
) -> PairedResults:
    """Compare systems with a baseline over several tasks: the number that is tested is the mean of the tasks' scores.

    Each task counts alike, however many segments it has, as on a leaderboard. Test sets and exchanges are drawn within
    each task.

    Parameters
    ----------
    tasks : mapping of str to mapping
        For each task the `systems` of ``paired_test``. Every task has the same systems.
    scorer, baseline, method, resamples, seed, correction, level, key, resampling
        As for ``paired_test``. The draws of the second task have the next seed, and so on.

    Returns
    -------
    PairedResults
        As for ``paired_test``; scores and differences are means over the tasks.

    Raises
    ------
    InputError
        If there is no task, a task has other systems than the first one, or as for ``paired_test``.

    Examples
    --------
    >>> from metrologue.scorers import TokenF1
    >>> first = Segments(["a b", "c d", "e f", "g h"] * 5, ["a b", "c x", "e x", "x y"] * 5)
    >>> second = first.with_predictions(["a x", "c d", "y f", "g h"] * 5)
    >>> easy = {"first": first, "second": first}
    >>> (result,) = paired_test_over_tasks(TokenF1(), "first", {"easy": easy, "hard": easy | {"second": second}})
    >>> round(result.difference, 2), result.p_value < 0.05
    (-18.75, True)
    """
    if not isinstance(tasks, Mapping) or not tasks:
        raise InputError("`tasks` are no mapping, or empty; a mapping of names to the systems of each is expected.")
    begin = chosen_seed(seed, chosen_resampling(resampling))
    tests = []
    for place, (name, systems) in enumerate(tasks.items()):
        own = (begin + place) % (MOST_SEED + 1)
        tests.append(checked_test(scorer, systems, method, resamples, own, level, key, resampling))
        if [*tests[-1].samples] != [*tests[0].samples]:
            first = next(iter(tasks))
            raise InputError(f"`tasks[{name!r}]` has other systems than `tasks[{first!r}]`, or in another order.")
    return results_of(tests, tests[0].against(baseline), correction)


def results_of(tests: Sequence[Test], pairs: Sequence[tuple[str, str]], correction: str | None) -> PairedResults:
    """The results for pairs of a system and its baseline, whose p-values are corrected together.

    Over several tasks, each of which is a test of its own, scores are the means of the tasks' scores.
    """
    check_correction(correction)
    test = tests[0]
    names = [*test.samples]
    wholes = np.mean([each.wholes() for each in tests], axis=0).tolist()
    outcomes_of = _bootstrapped if test.method == "bootstrap" else _randomized
    places = [(names.index(a), names.index(b)) for a, b in pairs]
    outcomes = [*outcomes_of(tests, places, wholes)]
    p_values = corrected([each.p_value for each in outcomes], correction)
    return PairedResults(
        PairedResult(
            *pair, *each.scores, each.scores[0] - each.scores[1], each.p_value, p_value, each.interval,
            each.difference_interval, each.wins, test.method, correction, test.resamples, test.seed,
            test.resampling.name, sum(each.segments for each in tests),
        )
        for pair, each, p_value in zip(pairs, outcomes, p_values, strict=True)
    )  # fmt: skip


def checked_test(
    scorer: Metric, systems: Any, method: Any, resamples: Any, seed: Any, level: Any, key: str | None, resampling: Any
) -> Test:
    """The checked arguments, and what is resampled of each system."""
    if not isinstance(systems, Mapping) or len(systems) < 2:
        raise InputError("`systems` are fewer than two, or no mapping; a paired test needs two systems by their names.")
    one_of("method", method, TESTS)
    count = checked_resamples(DEFAULT_RESAMPLES[method] if resamples is None else resamples)
    chosen = chosen_resampling(resampling)
    one_of("null", chosen.null, _NULLS)
    number = checked_number(scorer, key)
    scorer = scorer._for_resampling()
    samples = {name: prepared(scorer, given, f"systems[{name!r}]") for name, given in systems.items()}
    first, count_of_first = next((name, len(sample)) for name, sample in samples.items())
    for name, sample in samples.items():
        if len(sample) != count_of_first:
            raise InputError(
                f"`systems`: {name!r} has {number_of(len(sample), 'segment')}, but {first!r} has {count_of_first}; a "
                "paired test compares outputs for the same segments."
            )
        if number in scorer._infinite and np.isinf(score_of(scorer, sample)[number]):
            raise InputError(f"`systems[{name!r}]`: its `{number}` is infinite, so that no difference can be tested.")
    scored = count_of(scorer, samples[first])
    # A trial of the randomization is another output for all texts, so it is scored as it is.
    rows_of = resampled if method == "bootstrap" else separated
    scorer, rows = rows_of(scorer, [*samples.values()])
    samples = dict(zip(samples, rows, strict=True))
    seed, level = chosen_seed(seed, chosen), checked_level(level)
    if method == "bootstrap":
        warn_of_few(scored)
    return Test(scorer, samples, number, method, count, seed, level, chosen, scored)


@dataclass(frozen=True)
class _Outcome:
    """The outcome for one pair of samples: the first is compared with the second."""

    scores: tuple[float, float]
    p_value: float
    interval: Interval | None = None
    difference_interval: Interval | None = None
    wins: float | None = None


def _bootstrapped(tests: Sequence[Test], pairs: Sequence[_Pair], wholes: Sequence[float]) -> Iterator[_Outcome]:
    test, segments = tests[0], sum(each.segments for each in tests)
    scores = _mean([_scores_of_resamples(each) for each in tests])
    better = 1 if test.scorer.higher_is_better.get(test.key, True) else -1
    bounds = "percentile" if test.resampling.method == "bca" else test.resampling.method

    def interval(values: Floats, whole: float) -> Interval:
        return interval_of(
            values, whole, None, test.level, test.seed, bounds, test.key, test.resampling.draws, segments
        )

    intervals: dict[int, Interval] = {}
    for a, b in pairs:
        for i in (a, b):
            intervals[i] = intervals.get(i) or interval(scores[i], wholes[i])
        differences, observed = scores[a] - scores[b], wholes[a] - wholes[b]
        wins = (np.sign(differences) * better + 1).mean() / 2
        p_value = _p_value(test, _NULLS[test.resampling.null](differences), (wholes[a], wholes[b]))
        yield _Outcome((wholes[a], wholes[b]), p_value, intervals[a], interval(differences, observed), float(wins))


def _scores_of_resamples(test: Test) -> Floats:
    """The score of each system in each resample, (systems, resamples)."""
    samples: list[Any] = [*test.samples.values()]
    blocks = DRAWS[test.resampling.draws](test.seed).counts(len(samples[0]), test.resamples)
    return resampled_scores(test.scorer, samples, blocks)[test.key].T


def _randomized(tests: Sequence[Test], pairs: Sequence[_Pair], wholes: Sequence[float]) -> Iterator[_Outcome]:
    of_tasks = [_differences_of_exchanges(each, pairs) for each in tests]
    for (a, b), differences in zip(pairs, zip(*of_tasks, strict=True), strict=True):
        scores = wholes[a], wholes[b]
        yield _Outcome(scores, _p_value(tests[0], np.abs(_mean(differences)), scores))


def _differences_of_exchanges(test: Test, pairs: Sequence[_Pair]) -> Iterator[Floats]:
    """For each pair, the difference after each exchange."""
    samples = [*test.samples.values()]
    blocks = DRAWS[test.resampling.draws](test.seed).subsets(len(samples[0]), test.resamples)
    yield from exchanged(test.scorer, test.key, samples, pairs, blocks)


def _mean(arrays: Sequence[Floats]) -> Floats:
    """The mean over tasks; of one task its own array."""
    return arrays[0] if len(arrays) == 1 else np.mean(arrays, axis=0)


# For each null hypothesis of the bootstrap, how extreme each resample's difference is.
_NULLS: Mapping[str, Callable[[Floats], Floats]] = {
    "centred": lambda differences: np.abs(differences - differences.mean()),
    "centred-absolute": lambda differences: np.abs(differences) - np.abs(differences).mean(),
}


def _p_value(test: Test, extremes: Floats, scores: tuple[float, float]) -> float:
    """The share of resamples that are at least as extreme as the observed difference; it counts as one of them."""
    if not np.isfinite(extremes).all():
        raise InputError(f"`{test.key}` of a resample is infinite or not a number; choose other field values.")
    observed = abs(scores[0] - scores[1])
    if test.resampling.count_ties:
        # Equal differences may not be equal to the last bit.
        count = np.sum(extremes >= observed - 1e-12 * max(map(abs, scores)))
    else:
        count = np.sum(extremes > observed)
    return float((count + 1) / (test.resamples + 1))

"""Scores whose segments depend on each other, as a mean of jackknife pseudo-values, which can be resampled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.inference.metric import Metric, OfRows
from metrologue.inference.resampling import Sample, score_of
from metrologue.segments import Segments

# More groups make the estimate of a spread steadier, and that of MTLD too large: each gap moves all its later factors.
_GROUPS = 30


def separated(scorer: Metric, samples: Sequence[Sample]) -> tuple[Metric, Sequence[Sample]]:
    """A metric with the same scores and the rows that it adds up; the scorer and its segments if there is none."""
    texts = [sample for sample in samples if isinstance(sample, Segments)]
    metric = scorer._separated(texts) if texts else None
    return (metric, [metric.statistics(sample) for sample in texts]) if metric else (scorer, samples)


def resampled(scorer: Metric, samples: Sequence[Sample]) -> tuple[Metric, list[Floats]]:
    """The metric and the rows that a bootstrap resamples: rows that add up, or else pseudo-values."""
    scorer, samples = separated(scorer, samples)
    metric = scorer if scorer._separable else PseudoValues(scorer)
    return metric, [metric.statistics(sample) if isinstance(sample, Segments) else sample for sample in samples]


class PseudoValues(OfRows):
    """A metric that is the mean of another metric's jackknife pseudo-values.

    A resample repeats texts. So it has fewer distinct n-grams than a test set of its size, and its texts have copies
    of themselves as references in Self-BLEU. The scores of resamples are then no scores of other test sets. But the
    score without some of the texts is that of a smaller test set. The texts are cut into 30 groups of neighbours, or
    into single ones if there are fewer than 60. With the score s of all texts, and the scores s_g without each of the m
    groups, which have the mean t, the pseudo-value of a group is s + (m - 1)(t - s_g). The mean of the pseudo-values is
    s. The variance of this mean is the jackknife's estimate, which is not too small on average (Efron and Stein 1981).

    Parameters
    ----------
    scorer : Scorer

    References
    ----------
    Tukey 1958, for pseudo-values; Efron and Stein 1981, https://doi.org/10.1214/aos/1176345462.

    Examples
    --------
    >>> from metrologue.scorers import DistinctN
    >>> metric = PseudoValues(DistinctN(orders=(1,)))
    >>> rows = metric.statistics(Segments(["a b", "a c", "d e"]))
    >>> rows[:, metric.columns.index("distinct_1")].round(4)
    array([0.6667, 0.6667, 1.1667])
    >>> float(metric.score(metric.aggregate(rows))["distinct_1"])
    0.8333333333333334
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """The numbers of the metric, and the number of groups."""
        return (*self.range, "groups")

    def statistics(self, segments: Segments) -> Floats:
        """The pseudo-values of each group, and a 1: (groups, k)."""
        segments = self._sampled(segments)
        return segments.memoize(("pseudo-values", self.scorer), lambda: self._values(segments))

    def _values(self, segments: Segments) -> Floats:
        n = len(segments)
        whole = self._scores(segments)
        groups = np.array_split(np.arange(n), _GROUPS if n >= 2 * _GROUPS else n)
        try:
            left = np.array([self._scores(segments.take(np.delete(np.arange(n), group))) for group in groups])
        except InputError as error:
            raise InputError(
                f"{type(self.scorer).__name__}: its segments depend on each other, so that resampling needs the score "
                f"without some of the {n} segments; it has none: {error}"
            ) from None
        values = whole + (len(groups) - 1) * (left.mean(axis=0) - left)
        return np.column_stack([values, np.ones(len(groups))])

    def _scores(self, segments: Segments) -> Floats:
        scores = score_of(self.scorer, segments)
        return np.array([scores[name] for name in self.range])

    def score(self, totals: Floats) -> dict[str, Floats]:
        """The mean pseudo-value of each number, from totals (..., k), clipped to the range of the number."""
        means = (
            (name, limits, totals[..., i] / totals[..., -1]) for i, (name, limits) in enumerate(self.range.items())
        )
        return {name: np.clip(mean, *limits) for name, limits, mean in means}

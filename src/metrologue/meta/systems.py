"""The scores of whole systems: corpus scores, means of segments, and their resamples of segments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from metrologue.data.arrays import Bytes, Floats
from metrologue.data.judgements import Judgements
from metrologue.errors import InputError, instead_of, shown
from metrologue.inference.correlation.systems import SystemScores
from metrologue.inference.draws import DRAWS
from metrologue.inference.jackknife import separated
from metrologue.inference.resampling import chosen_seed
from metrologue.inference.totals import resampled_totals
from metrologue.meta.scores import Scored
from metrologue.scorers.core.engine import for_resampling, is_mean
from metrologue.segments import Segments

SYSTEM_SCORES: Mapping[str, str] = {
    "corpus": "the metric's score of all texts of the system",
    "mean": "the mean of the segments' own scores",
}


def chosen_system_score(scored: Scored, asked: str | None) -> str:
    """How a system gets its score from a metric: "corpus", "mean", or "given" with the data.

    By default it is the corpus score, where this is not the mean of the segments' scores anyway. Raises an InputError
    if a corpus score is asked for that does not exist.
    """
    if asked not in (None, *SYSTEM_SCORES):
        raise InputError(f"meta_evaluate: `system_score` is {shown(asked)}; {instead_of(asked, SYSTEM_SCORES)}")
    if scored.of_systems:
        return "given"
    if scored.counted and asked != "mean":
        return "mean" if is_mean(scored.counted[0]) else "corpus"
    if scored.signature and asked == "corpus":  # a scorer that has scored each text several times
        raise InputError("meta_evaluate: a corpus has no score with the mean of several references; take another rule.")
    return "mean"


class Systems:
    """The systems of judgements, with the resamples of segments that all of their scores share."""

    def __init__(self, judgements: Judgements, resamples: int | None, seed: int | None) -> None:
        self.names = judgements.system_names
        system_of = {name: place for place, name in enumerate(self.names)}
        segment_of = {name: place for place, name in enumerate(dict.fromkeys(judgements.segments))}
        systems = np.array([system_of[name] for name in judgements.systems or ()])
        self.rows = [np.flatnonzero(systems == place) for place in range(len(self.names))]
        self.segments = np.array([segment_of[name] for name in judgements.segments])
        self.counts: Bytes | None = None
        if resamples is not None:
            draws = DRAWS["splitmix64"](chosen_seed(seed, "metrologue"))
            self.counts = np.concatenate([*map(np.copy, draws.counts(len(segment_of), resamples))])
        self._corpus: dict[int, SystemScores] = {}

    def means(self, values: Floats) -> SystemScores:
        """The mean of each system's values (n,), over those that are not NaN."""
        present = ~np.isnan(values)
        filled = np.where(present, values, 0.0)

        def mean(rows: np.ndarray) -> float:
            kept = values[rows[present[rows]]]
            return math.fsum(kept) / len(kept) if len(kept) else math.nan

        whole = np.array([mean(rows) for rows in self.rows])
        if self.counts is None:
            return SystemScores(whole)
        columns = []
        for rows in self.rows:
            weights = self.counts[:, self.segments[rows]].astype(float)
            with np.errstate(invalid="ignore"):
                columns.append(weights @ filled[rows] / (weights @ present[rows]))
        return SystemScores(whole, np.stack(columns, axis=1))

    def corpus(self, scored: Scored) -> SystemScores:
        """The corpus score of each system, over all its texts.

        If the segments of a metric depend on each other, so that no rows of statistics add up, resamples have no score.
        """
        assert scored.counted is not None
        if id(scored) not in self._corpus:
            scorer, segments = scored.counted
            texts = [segments.take(rows.tolist()) for rows in self.rows]
            values = np.array([scorer.corpus(each).scores[scorer.primary] for each in texts])
            made = SystemScores(values, None if self.counts is None else self._resampled(scored, texts))
            self._corpus[id(scored)] = made if scored.higher_is_better else made.negated()
        return self._corpus[id(scored)]

    def _resampled(self, scored: Scored, texts: Sequence[Segments]) -> Floats | None:
        assert scored.counted is not None
        assert self.counts is not None
        scorer = for_resampling(scored.counted[0])
        metric, samples = separated(scorer, texts)
        tables = []
        for rows, sample in zip(self.rows, samples, strict=True):
            if isinstance(sample, Segments):
                return None
            table = np.zeros((self.counts.shape[1], sample.shape[1]))
            table[self.segments[rows]] = sample  # a segment that the system misses adds nothing
            tables.append(table)
        try:
            numbers = metric.score(resampled_totals(tables, [self.counts]))
        except InputError:  # a resample has no score
            return None
        return np.asarray(numbers[scored.counted[0].primary])

    def by_name(self, scored: Scored) -> dict[str, float]:
        """The corpus score of each system by its name, with the metric's own sign."""
        made = self.corpus(scored)
        values = (made if scored.higher_is_better else made.negated()).values
        return dict(zip(self.names, values.tolist(), strict=True))

    def given(self, scored: Scored) -> SystemScores:
        """The scores that came with the data. They have no resamples."""
        made = SystemScores(np.array([scored.of_systems.get(name, math.nan) for name in self.names]))
        return made if scored.higher_is_better else made.negated()


def combined_systems(parts: Sequence[SystemScores]) -> SystemScores:
    """The mean of the z-scores over systems of several metrics."""
    resampled = [each.resampled for each in parts]
    whole = np.mean([_standard(each.values) for each in parts], axis=0)
    if any(each is None for each in resampled):
        return SystemScores(whole)
    return SystemScores(whole, np.mean([_standard(each) for each in resampled if each is not None], axis=0))


def _standard(values: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.nanstd(values, axis=-1, keepdims=True)
        centred: Floats = values - np.nanmean(values, axis=-1, keepdims=True)
        return np.where(spread > 0, centred / spread, 0.0)

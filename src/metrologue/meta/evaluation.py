"""How well metrics agree with people: correlations by quality, who is the best, and what combinations add."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrologue.attribution import composite_shares
from metrologue.data.arrays import Floats
from metrologue.data.judgements import Gap, Judgements
from metrologue.errors import InputError, heard, instead_of, number_of, shown, warn_caller
from metrologue.inference.correlation import (
    COEFFICIENTS,
    LEVELS,
    Correlation,
    UndefinedCorrelationWarning,
    correlations,
    leaders,
)
from metrologue.meta.annotators import AnnotatorAgreement, agreement_of
from metrologue.meta.scores import Scored, combined, score_metrics
from metrologue.scorers.core.scorer import Scorer

# What is compared with a score.
JUDGES: Mapping[str, str] = {"mean": "the mean of a text's annotators", "each": "every rating alone"}


@dataclass(frozen=True, eq=False)
class MetaEvaluation:
    """The result of ``meta_evaluate``.

    Attributes
    ----------
    judgements : Judgements
    metrics : tuple of Scored
        The combinations are the last ones.
    correlations : dict of str to dict of str to Correlation
        By metric, then by quality. Scores for which lower is better are negated first.
    best : dict of str to list of str
        For each quality the metric with the greatest correlation, and those that are not significantly worse; empty if
        no correlation is above 0, or without intervals.
    agreement : dict of str to AnnotatorAgreement
        By quality, of the ratings as they were given.
    shares : dict of str to dict of str to dict of str to float
        For each combination and quality the Shapley value of each part. They sum to the combination's correlation.
    method, level, judges, scale : str
        The coefficient, what is correlated, whose ratings, and the level of measurement for alpha.
    confidence : float or None
    resamples : int
    gaps : tuple of Gap
        The systems that miss segments.
    unscored : dict of str to list of str
        The texts without a score of a metric. They are left out for all metrics.
    undefined : tuple of str
        What has no correlation because it does not vary, in sentences.
    normalized : bool
        Whether ratings are the z-scores of each annotator.
    tie : float or str
        Which scores of a metric are ties, as it was asked for. Each correlation has the threshold that was taken.
    """

    judgements: Judgements
    metrics: tuple[Scored, ...]
    correlations: Mapping[str, Mapping[str, Correlation]]
    best: Mapping[str, Sequence[str]]
    agreement: Mapping[str, AnnotatorAgreement]
    shares: Mapping[str, Mapping[str, Mapping[str, float]]]
    method: str
    level: str
    judges: str
    scale: str
    confidence: float | None
    resamples: int
    gaps: tuple[Gap, ...]
    unscored: Mapping[str, Sequence[str]]
    undefined: tuple[str, ...] = ()
    normalized: bool = False
    tie: float | str = 0.0

    def told(self) -> list[str]:
        """The hints for a reader of the numbers, in sentences: what is missing, and what was left out."""
        told = [f"{gap}." for gap in self.gaps]
        for name, rows in self.unscored.items():
            some = ", ".join(rows[:3]) + ", …" * (len(rows) > 3)
            told.append(f"{name} has no score for {number_of(len(rows), 'text')}, left out for all metrics: {some}.")
        if self.normalized and any(each.annotators[0] == "1" for each in self.judgements.ratings.values()):
            told.append(
                "Annotators are known by their order in a list; z-scores take those at one place for one person."
            )
        if self.judges == "each" and self.confidence:
            told.append("A resample draws single ratings: intervals are too narrow if the ratings of a text are alike.")
        return [*told, *self.undefined, *self.judgements.notes]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON. A number that does not exist is None."""
        return {
            "texts": len(self.judgements),
            "systems": len(self.judgements.system_names),
            **{name: getattr(self, name) for name in ("method", "level", "judges", "normalized", "tie", "confidence")},
            "resamples": self.resamples if self.confidence else None,
            "agreement": {name: each.to_dict() for name, each in self.agreement.items()},
            "metrics": [
                {
                    "name": each.name,
                    "signature": each.signature,
                    "higher_is_better": each.higher_is_better,
                    "correlations": {quality: self._cell(each.name, quality) for quality in self.judgements.qualities},
                    **({"shares": self.shares[each.name]} if each.name in self.shares else {}),
                }
                for each in self.metrics
            ],
            "notes": self.told(),
        }

    def _cell(self, metric: str, quality: str) -> dict[str, Any]:
        each = self.correlations[metric][quality]
        return {
            "value": _finite(each.value),
            "low": each.interval and each.interval.low,
            "high": each.interval and each.interval.high,
            "p_value": _finite(each.p_value),
            "units": each.units,
            "is_among_best": metric in self.best.get(quality, ()),
            "tie": each.tie,
        }


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def meta_evaluate(
    judgements: Judgements,
    metrics: Sequence[Scorer | str] | Mapping[str, Scorer | str] = (),
    *,
    combine: Sequence[Sequence[str]] = (),
    lower_is_better: Sequence[str] = (),
    references: str = "all",
    judges: str = "mean",
    normalize: bool = False,
    method: str = "spearman",
    level: str = "segment",
    tie: float | str = 0.0,
    confidence: float | None = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    scale: str = "ordinal",
    threads: int | None = None,
    begin: Callable[[str], None] = lambda name: None,
) -> MetaEvaluation:
    """How well metrics agree with people, for each quality that people rated.

    Parameters
    ----------
    judgements : Judgements
        Texts with ratings. Its ``scores`` are evaluated too.
    metrics : sequence or mapping of str to Scorer or str
        Scorers, names such as "bleu:nltk", or signatures. The keys of a mapping are the names in tables.
    combine : sequence of sequences of str
        Names of metrics: each combination is the mean of their z-scores, and is one more metric.
    lower_is_better : sequence of str
        Metrics among ``judgements.scores`` for which a lower score is better.
    references : str
        How a text with several references gets its score: one of ``metrologue.meta.REFERENCE_RULES``.
    judges : str
        "mean": a score is compared with the mean of the text's ratings. "each": with every rating alone.
    normalize : bool
        Whether to take the z-scores of each annotator's ratings, which takes out who is strict and who is mild.
    method : str
        One of ``metrologue.inference.correlation.COEFFICIENTS``.
    level, tie : str, float or str
        As for ``metrologue.inference.correlation.correlation``.
    confidence : float or None
        The level of the intervals; None: no intervals, and no best metric.
    resamples : int
    seed : int, optional
    scale : str
        What the ratings are, for Krippendorff's alpha: "nominal", "ordinal", "interval" or "ratio".
    threads : int, optional
    begin : callable, optional
        Is called with the name of each metric before its work, and at last with "correlations".

    Raises
    ------
    InputError
        If there is no metric, or none of that name; if a metric needs what the data do not have; if there are fewer
        than three units; if a level needs systems and the data have none.

    Warns
    -----
    UndefinedCorrelationWarning
        If scores or ratings do not vary, so that there is no correlation.

    Examples
    --------
    >>> from metrologue.meta import Judgements, Ratings, meta_evaluate
    >>> said = Judgements(
    ...     segments=("1", "2", "3", "4"),
    ...     hypotheses=("a cat sat", "the dog", "a sat cat", "cat"),
    ...     references=(("a cat sat",), ("a dog ran",), ("a cat sat down",), ("cats",)),
    ...     ratings={"adequacy": Ratings(np.array([[5.0, 4.0], [2.0, 2.0], [3.0, 4.0], [1.0, 1.0]]), ("ann", "bob"))},
    ... )
    >>> found = meta_evaluate(said, ["chrf", "ter"], confidence=None)
    >>> [(name, round(row["adequacy"].value, 4)) for name, row in found.correlations.items()]
    [('chrf', 0.4), ('ter', 1.0)]
    >>> round(found.agreement["adequacy"].alpha, 4)
    0.9028
    """
    for name, value, known in (("judges", judges, JUDGES), ("method", method, COEFFICIENTS), ("level", level, LEVELS)):
        if value not in known:
            raise InputError(f"meta_evaluate: `{name}` is {shown(value)}; {instead_of(value, known)}")
    if combine and tie:
        raise InputError("meta_evaluate: a combination has no `tie`; leave out one of them.")
    scored = _scored(judgements, metrics, lower_is_better, references, threads, begin)
    begin("correlations")
    unscored = {each.name: _named_rows(judgements, np.isnan(each.values)) for each in scored}
    missing = np.isnan(np.array([each.values for each in scored])).any(axis=0)
    parts = _parts(combine, scored)
    whole = [replace(each, values=np.where(missing, math.nan, each.values)) for each in scored]
    table = _Table(judgements, missing, judges, level)
    human = table.human(normalize)
    with heard(UndefinedCorrelationWarning):  # ``_undefined`` says the same in fewer sentences
        groups = [combined([each for each in whole if each.name in names]) for names in parts]
        scores = {each.name: table.scores(each) for each in (*whole, *groups)}
        by_metric = correlations(
            scores, human, method=method, level=level, tie=tie, confidence=confidence, resamples=resamples, seed=seed
        )
        shares = {
            group.name: {
                quality: composite_shares(
                    {part: scores[part] for part in group.parts}, values, method=method, level=level
                )
                for quality, values in human.items()
            }
            for group in groups
        }
    undefined = [*_undefined(scores, human, by_metric)]
    for told in undefined:
        warn_caller(told, UndefinedCorrelationWarning)
    settings: dict[str, Any] = {"method": method, "level": level, "judges": judges, "scale": scale, "tie": tie}
    settings |= {"confidence": confidence, "resamples": resamples, "normalized": normalize}
    return MetaEvaluation(
        judgements=judgements,
        metrics=(*scored, *groups),
        correlations=by_metric,
        best={} if confidence is None else {name: _best(by_metric, name, confidence) for name in human},
        agreement={
            name: agreement_of(ratings, scale, resamples if confidence else 0, seed)
            for name, ratings in judgements.ratings.items()
        },
        shares={name: {quality: each.shares for quality, each in row.items()} for name, row in shares.items()},
        gaps=judgements.gaps(),
        unscored={name: rows for name, rows in unscored.items() if rows},
        undefined=tuple(undefined),
        **settings,
    )


def _undefined(
    scores: Mapping[str, Floats], human: Mapping[str, Floats], by_metric: Mapping[str, Mapping[str, Correlation]]
) -> Iterator[str]:
    """What has no correlation, and why, in sentences."""
    constant = [name for name, values in (*scores.items(), *human.items()) if np.nanmin(values) == np.nanmax(values)]
    if constant:
        one = len(constant) == 1
        yield f"{', '.join(constant)} {'does' if one else 'do'} not vary, so that there is no correlation."
    for quality in human:
        most = max(0 if math.isnan(row[quality].value) else row[quality].undefined for row in by_metric.values())
        if most and quality not in constant:
            yield f"{quality}: up to {number_of(most, 'item')} left out of the mean, because scores do not vary there."


def _scored(
    judgements: Judgements,
    metrics: Sequence[Scorer | str] | Mapping[str, Scorer | str],
    lower_is_better: Sequence[str],
    references: str,
    threads: int | None,
    begin: Callable[[str], None],
) -> list[Scored]:
    """The scores that came with the data, and those of our scorers."""
    for name in lower_is_better:
        if name not in judgements.scores:
            raise InputError(
                f"lower_is_better: no scores are called {shown(name)}; {instead_of(name, judgements.scores)}"
            )
    given = [Scored(name, scores, name not in lower_is_better) for name, scores in judgements.scores.items()]
    scored = [*given, *score_metrics(judgements, metrics, references, threads, begin)]
    if not scored:
        raise InputError("meta_evaluate: there is no metric; give one, or segment scores.")
    names = [each.name for each in scored]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"meta_evaluate: two metrics are called {twice[0]!r}; give them other names.")
    return scored


def _named_rows(judgements: Judgements, rows: Floats) -> list[str]:
    systems = judgements.systems
    return [
        f"{systems[row]} {judgements.segments[row]}" if systems else judgements.segments[row]
        for row in np.flatnonzero(rows).tolist()
    ]


def _parts(combine: Sequence[Sequence[str]], scored: Sequence[Scored]) -> list[list[str]]:
    """The names of each combination, in the order of the metrics."""
    names_of_all = [each.name for each in scored]
    for names in combine:
        for name in names:
            if name not in names_of_all:
                raise InputError(f"combine: no metric is called {shown(name)}; {instead_of(name, names_of_all)}")
        if len(set(names)) < 2:
            raise InputError(f"combine: {number_of(len(set(names)), 'metric')}; at least 2 are expected.")
    return [[name for name in names_of_all if name in names] for names in combine]


class _Table:
    """Scores and ratings laid out for a level: in one row, or by system and segment."""

    def __init__(self, judgements: Judgements, missing: Floats, judges: str, level: str) -> None:
        self.judgements, self.missing, self.judges = judgements, missing, judges
        self.annotators = max(each.values.shape[1] for each in judgements.ratings.values()) if judges == "each" else 1
        if level != "segment" and judgements.systems is None:
            raise InputError(f"meta_evaluate: the level {level!r} needs systems, and these data name none.")
        if level != "segment" and judges == "each":
            raise InputError(f"meta_evaluate: judges='each' is for the level 'segment', not {level!r}.")
        self.place: tuple[Any, Any] | None = None
        if level != "segment":
            named = judgements.systems or (), judgements.segments
            places = [{name: i for i, name in enumerate(dict.fromkeys(names))} for names in named]
            rows, columns = (
                np.array([place[name] for name in names]) for place, names in zip(places, named, strict=True)
            )
            self.place, self.shape = (rows, columns), tuple(map(len, places))

    def _laid_out(self, values: Floats) -> Floats:
        if self.place is None:
            return values
        table = np.full(self.shape, math.nan)
        table[self.place] = values
        return table

    def scores(self, metric: Scored) -> Floats:
        """The scores of a metric, with the sign by which higher is better."""
        if self.judges == "each":
            return np.tile(metric.oriented, (self.annotators, 1))
        return self._laid_out(metric.oriented)

    def human(self, normalize: bool) -> dict[str, Floats]:
        """The ratings of people, by quality; NaN for a text that a metric did not score."""
        by_quality = {}
        for name, given in self.judgements.ratings.items():
            ratings = given.normalized() if normalize else given
            if self.judges == "each":
                values = np.full((self.annotators, len(self.missing)), math.nan)
                values[: ratings.values.shape[1]] = np.where(self.missing, math.nan, ratings.values.T)
                by_quality[name] = values
            else:
                by_quality[name] = self._laid_out(np.where(self.missing, math.nan, ratings.means()))
        return by_quality


def _best(by_metric: Mapping[str, Mapping[str, Correlation]], quality: str, confidence: float) -> list[str]:
    """The metrics with the greatest correlation above 0, the greatest first."""
    positive = {name: row[quality] for name, row in by_metric.items() if row[quality].value > 0}
    return leaders(positive, confidence=confidence) if positive else []

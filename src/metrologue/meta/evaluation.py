"""How well metrics agree with people: correlations by quality, who is the best, and what combinations add."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    SystemScores,
    UndefinedCorrelationWarning,
    correlations,
    leaders,
    soft_pairwise_accuracy,
    system_correlations,
)
from metrologue.inference.resampling import checked_resamples
from metrologue.meta.annotators import AnnotatorAgreement, agreement_of
from metrologue.meta.ranking import TESTS, Ranking, ranking_of
from metrologue.meta.scores import Scored, combined, score_metrics
from metrologue.meta.systems import Systems, chosen_system_score, combined_systems
from metrologue.scorers.core.scorer import Scorer

# The coefficients, and what is compared with a score.
METHODS: Mapping[str, str] = {
    **{name: each.about for name, each in COEFFICIENTS.items()},
    "spa": "soft pairwise accuracy: whether a metric is as sure as people are which of two systems is better",
}
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
        For each quality the metric with the greatest correlation, and those that are not significantly worse than it:
        by resamples that both share, or by the test, whatever their clusters. Empty if no correlation is above 0, or
        without intervals.
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
    system_scores : dict of str to str
        At the level "system": how systems get their scores from each metric, "corpus", "mean" or "given".
    test : str or None
        The test of every two metrics.
    rankings : dict of str to Ranking
        By quality, if there is a test.
    of_systems : dict of str to dict of str to float
        The corpus scores of the systems by metric, where a metric has them.
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
    system_scores: Mapping[str, str] = field(default_factory=dict)
    test: str | None = None
    rankings: Mapping[str, Ranking] = field(default_factory=dict)
    of_systems: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def under(self, quality: str) -> MetaEvaluation:
        """The same, with another name for its only quality."""
        (old,) = self.judgements.qualities

        def renamed(by_quality: Mapping[str, Any]) -> dict[str, Any]:
            return dict.fromkeys([quality], next(iter(by_quality.values()))) if by_quality else {}

        return replace(
            self,
            judgements=replace(self.judgements, ratings={quality: self.judgements.ratings[old]}),
            correlations={name: renamed(row) for name, row in self.correlations.items()},
            shares={name: renamed(row) for name, row in self.shares.items()},
            best=renamed(self.best), agreement=renamed(self.agreement), rankings=renamed(self.rankings),
        )  # fmt: skip

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
                    "number": each.number or None,
                    "signature": each.signature,
                    "higher_is_better": each.higher_is_better,
                    "correlations": {quality: self._cell(each.name, quality) for quality in self.judgements.qualities},
                    **({"system_score": self.system_scores[each.name]} if each.name in self.system_scores else {}),
                    **({"systems": dict(self.of_systems[each.name])} if each.name in self.of_systems else {}),
                    **({"shares": self.shares[each.name]} if each.name in self.shares else {}),
                }
                for each in self.metrics
            ],
            **({"test": self.test} if self.test else {}),
            **({"rankings": {name: each.to_dict() for name, each in self.rankings.items()}} if self.test else {}),
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
            **({"cluster": self.rankings[quality].clusters.get(metric)} if self.test else {}),
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
    level: str | None = None,
    system_score: str | None = None,
    tie: float | str | None = None,
    test: str | None = None,
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
        One of ``metrologue.inference.correlation.COEFFICIENTS``; or "spa", soft pairwise accuracy, which has no
        interval.
    level : str, optional
        As for ``metrologue.inference.correlation.correlation``; "segment" by default, and "system" for "spa".
    system_score : str, optional
        At the level "system", how a system gets its score: "corpus", from all its texts, or "mean", of the segments'
        scores. By default "corpus" for a metric whose corpus score is not a mean, such as BLEU. Then intervals are
        from resamples of segments, for all metrics; otherwise from resamples of systems.
    tie : float or str, optional
        As for ``correlation``; by default "calibrated" for acc23, as WMT takes it, and 0 for others.
    test : str, optional
        Test every two metrics, and rank them in WMT's clusters: "perm-both", PERM-BOTH, or "williams". Permutations are
        as many as `resamples`, and a metric outperforms another one if the p-value is at most 1 - `confidence`.
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
    is_soft = method == "spa"
    level = level or ("system" if is_soft else "segment")
    _check_names(
        judges=(judges, JUDGES), method=(method, METHODS), level=(level, LEVELS), test=(test or None, (None, *TESTS))
    )
    if is_soft and (level != "system" or system_score == "corpus" or tie):
        raise InputError("meta_evaluate: 'spa' compares systems by the scores of their segments; leave out the rest.")
    tie = ("calibrated" if method == "acc23" else 0.0) if tie is None else tie
    if combine and tie:
        raise InputError("meta_evaluate: a combination has no `tie`; leave out one of them.")
    corpus = level == "system" and system_score != "mean" and not is_soft
    scored = _scored(judgements, metrics, lower_is_better, references, threads, begin, corpus)
    begin("correlations")
    if (level != "system" or is_soft) and (alone := [each.name for each in scored if each.of_systems]):
        raise InputError(f"meta_evaluate: {alone[0]} has scores of systems only; take the level 'system'.")
    of_texts = [each for each in scored if not each.of_systems]
    unscored = {each.name: _named_rows(judgements, np.isnan(each.values)) for each in of_texts}
    missing = np.logical_or.reduce([np.zeros(len(judgements), bool), *(np.isnan(each.values) for each in of_texts)])
    parts = _parts(combine, scored)
    whole = [replace(each, values=np.where(missing, math.nan, each.values)) for each in scored]
    table = _Table(judgements, missing, judges, level)
    ways = {}
    if level == "system":
        ways = {each.name: chosen_system_score(each, "mean" if is_soft else system_score) for each in scored}
    human = table.human(normalize)
    drawn: dict[str, Any] = {"method": method, "tie": tie, "confidence": confidence, "seed": seed}
    with heard(UndefinedCorrelationWarning):  # ``_undefined`` says the same in fewer sentences
        groups = [combined([each for each in whole if each.name in names]) for names in parts]
        scores = {each.name: dict.fromkeys(human, table.scores(each)) for each in (*whole, *groups)}
        flat = {name: next(iter(row.values())) for name, row in scores.items()}
        corpora: dict[str, dict[str, float]] = {}
        if is_soft:
            by_metric = _soft(flat, human)
        elif {"corpus", "given"} & {*ways.values()}:
            systems = Systems(judgements, None if confidence is None else checked_resamples(resamples), seed)
            own, people = _of_systems(systems, (*whole, *groups), table.rows_of(human), ways)
            by_metric = system_correlations(own, people, **drawn)
            scores = {name: {quality: each.values for quality, each in row.items()} for name, row in own.items()}
            human = {name: each.values for name, each in people.items()}
            corpora = {each.name: systems.by_name(each) for each in whole if ways[each.name] == "corpus"}
        else:
            by_metric = correlations(flat, human, level=level, resamples=resamples, **drawn)
        combinations = [] if is_soft else groups
        shares = {each.name: _shares(each.parts, scores, human, method, level) for each in combinations}
        rankings: dict[str, Ranking] = {}
        for quality, values in human.items() if test else ():
            columns = {name: row[quality] for name, row in scores.items()}
            rankings[quality] = ranking_of(
                {name: row[quality] for name, row in by_metric.items()}, columns, values, str(test), method=method,
                level=level, alpha=1 - (confidence or 0.95), permutations=resamples, seed=seed,
            )  # fmt: skip
    undefined = [*_undefined(scores, human, by_metric)]
    for told in undefined:
        warn_caller(told, UndefinedCorrelationWarning)
    settings: dict[str, Any] = {"method": method, "level": level, "judges": judges, "scale": scale, "tie": tie}
    settings |= {"confidence": confidence, "resamples": resamples, "normalized": normalize, "test": test}
    best = {} if confidence is None or is_soft else {name: _best(by_metric, name, confidence) for name in human}
    return MetaEvaluation(
        judgements=judgements,
        metrics=(*scored, *groups),
        correlations=by_metric,
        best=best
        | {name: _not_outperformed(own, by_metric, name, 1 - (confidence or 0.95)) for name, own in rankings.items()},
        agreement={
            name: agreement_of(ratings, scale, resamples if confidence else 0, seed)
            for name, ratings in judgements.ratings.items()
        },
        shares=shares,
        gaps=judgements.gaps(),
        unscored={name: rows for name, rows in unscored.items() if rows},
        undefined=tuple(undefined),
        system_scores=ways,
        rankings=rankings,
        of_systems=corpora,
        **settings,
    )


def _check_names(**given: tuple[str | None, Collection[str | None]]) -> None:
    """Refuse an argument that is none of the names it may be."""
    for argument, (value, names) in given.items():
        if value not in names:
            known = [name for name in names if name is not None]
            raise InputError(f"meta_evaluate: `{argument}` is {shown(value)}; {instead_of(value, known)}")


def _shares(
    parts: Sequence[str],
    scores: Mapping[str, Mapping[str, Floats]],
    human: Mapping[str, Floats],
    method: str,
    level: str,
) -> dict[str, Mapping[str, float]]:
    """What each part of a combination contributes to its correlation with each quality."""
    return {
        quality: composite_shares(
            {part: scores[part][quality] for part in parts}, values, method=method, level=level
        ).shares
        for quality, values in human.items()
    }


def _soft(scores: Mapping[str, Floats], human: Mapping[str, Floats]) -> dict[str, dict[str, Correlation]]:
    """The soft pairwise accuracy of each metric under each quality."""
    return {
        metric: {
            quality: Correlation(soft_pairwise_accuracy(x, y), None, "spa", "system", len(y))
            for quality, y in human.items()
        }
        for metric, x in scores.items()
    }


def _undefined(
    scores: Mapping[str, Mapping[str, Floats]],
    human: Mapping[str, Floats],
    by_metric: Mapping[str, Mapping[str, Correlation]],
) -> Iterator[str]:
    """What has no correlation, and why, in sentences."""
    columns = {name: next(iter(row.values())) for name, row in scores.items()} | dict(human)
    constant = [name for name, values in columns.items() if np.nanmin(values) == np.nanmax(values)]
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
    corpus: bool,
) -> list[Scored]:
    """The scores that came with the data, and those of our scorers."""
    for name in lower_is_better:
        if name not in (known := [*judgements.scores, *judgements.system_scores]):
            raise InputError(f"lower_is_better: no scores are called {shown(name)}; {instead_of(name, known)}")
    given = [Scored(name, scores, name not in lower_is_better) for name, scores in judgements.scores.items()]
    missing = np.full(len(judgements), math.nan)
    given += [
        Scored(name, missing, name not in lower_is_better, of_systems=own)
        for name, own in judgements.system_scores.items()
    ]
    scored = [*given, *score_metrics(judgements, metrics, references, threads, begin, corpus)]
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


def _of_systems(
    systems: Systems, metrics: Sequence[Scored], human: Mapping[str, Floats], ways: Mapping[str, str]
) -> tuple[dict[str, dict[str, SystemScores]], dict[str, SystemScores]]:
    """The scores of systems by metric and quality, with the sign by which higher is better; and people's."""
    scores: dict[str, dict[str, SystemScores]] = {}
    for each in metrics:
        if each.parts:
            own = {name: combined_systems([scores[part][name] for part in each.parts]) for name in human}
        elif ways[each.name] == "mean":
            own = {
                name: systems.means(np.where(np.isnan(rows), math.nan, each.oriented)) for name, rows in human.items()
            }
        else:
            own = dict.fromkeys(human, systems.corpus(each) if each.counted else systems.given(each))
        scores[each.name] = own
    return scores, {name: systems.means(rows) for name, rows in human.items()}


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

    def rows_of(self, by_quality: Mapping[str, Floats]) -> dict[str, Floats]:
        """What was laid out by system and segment, as rows again."""
        return {name: values[self.place] for name, values in by_quality.items()}

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


def _not_outperformed(
    ranking: Ranking, by_metric: Mapping[str, Mapping[str, Correlation]], quality: str, alpha: float
) -> list[str]:
    """The strongest metric, if it agrees with people at all, and those that the test does not tell from it."""
    if not ranking.metrics or by_metric[ranking.metrics[0]][quality].value <= 0:
        return []
    return [name for name, p in zip(ranking.metrics, ranking.p_values[0], strict=True) if not p <= alpha]


def _best(by_metric: Mapping[str, Mapping[str, Correlation]], quality: str, confidence: float) -> list[str]:
    """The metrics with the greatest correlation above 0, the greatest first."""
    positive = {name: row[quality] for name, row in by_metric.items() if row[quality].value > 0}
    return leaders(positive, confidence=confidence) if positive else []

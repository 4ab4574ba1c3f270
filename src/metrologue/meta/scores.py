"""The scores of metrics for the texts that people rated: of our scorers, from files, and combined."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from metrologue.attribution import composite_scores
from metrologue.data.arrays import Floats
from metrologue.data.judgements import Judgements
from metrologue.errors import InputError, number_of, shown
from metrologue.files.objects import json_lines, read_table, score_of
from metrologue.files.records import kind_of
from metrologue.meta.wmt import score_rows
from metrologue.scorers.core.engine import hints_of, is_mean
from metrologue.scorers.core.hints import warn
from metrologue.scorers.core.registry import make_scorer
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.typed import number_shown, printed
from metrologue.segments import Segments

# How a text with several references gets its score.
REFERENCE_RULES: Mapping[str, str] = {
    "all": "the metric's own way to join several references",
    "mean": "the mean of the scores with each reference alone",
    "first": "the first reference",
}
# A combination is named by its parts if that is not longer.
_LETTERS = 36
# What the columns of a file with scores are called, apart from the metrics.
_ABOUT = ("system", "segment")


@dataclass(frozen=True, eq=False)
class Scored:
    """The scores of one metric.

    Attributes
    ----------
    name : str
        As tables show it.
    values : float64 (n,)
        NaN where there is none.
    higher_is_better : bool
    signature : str or None
        Of our scorer; None for scores from elsewhere.
    parts : tuple of str
        The names of the metrics that are combined; empty for a single one.
    number : str
        What is measured, such as "rougeL F"; empty if the name says it.
    counted : (Scorer, Segments) or None
        What gives the scores, for corpus scores.
    of_systems : mapping of str to float
        The scores of systems that came with the data, by system.
    """

    name: str
    values: Floats
    higher_is_better: bool = True
    signature: str | None = None
    parts: tuple[str, ...] = ()
    number: str = ""
    counted: tuple[Scorer, Segments] | None = field(default=None, repr=False)
    of_systems: Mapping[str, float] = field(default_factory=dict)

    @property
    def oriented(self) -> Floats:
        """The scores with the sign by which higher is better."""
        return self.values if self.higher_is_better else -self.values


def score_metrics(
    judgements: Judgements,
    metrics: Sequence[Scorer | str] | Mapping[str, Scorer | str],
    references: str = "all",
    threads: int | None = None,
    begin: Callable[[str], None] = lambda name: None,
    corpus: bool = False,
) -> list[Scored]:
    """The segment scores of our scorers for n texts that people rated.

    Parameters
    ----------
    judgements : Judgements
    metrics : sequence or mapping of str to Scorer or str
        Scorers, names such as "bleu:nltk", or signatures. The keys of a mapping are the names in tables.
    references : str
        One of ``REFERENCE_RULES``.
    threads : int, optional
    begin : callable, optional
        Is called with the name of each metric before its work.
    corpus : bool
        Whether corpus scores of these texts are wanted, so that hints on the scores of segments are left out.

    Raises
    ------
    InputError
        If there is no such metric or rule, if a metric needs references or other input that the data do not have, or
        if two metrics have the same name.
    """
    if references not in REFERENCE_RULES:
        known = ", ".join(REFERENCE_RULES)
        raise InputError(f"references: {shown(references)} is unknown; there are {known}.")
    named = dict(metrics) if isinstance(metrics, Mapping) else {_name(each): each for each in metrics}
    if len(named) < len(metrics):
        raise InputError("metrics: one metric is given twice with the same fields.")
    texts = _Texts(judgements, references, corpus)
    scored = []
    for name, each in named.items():
        begin(name)
        scored.append(texts.scored(name, make_scorer(each), threads))
    return scored


def _name(metric: Scorer | str) -> str:
    return metric if isinstance(metric, str) and not set("|[ ") & {*metric} else printed(make_scorer(metric))


class _Texts:
    """The texts as scorers take them, read once for all metrics."""

    def __init__(self, judgements: Judgements, rule: str, corpus: bool) -> None:
        self.rule, self.corpus = rule, corpus
        self.judgements = judgements
        self.paired: Segments | None = None
        self.counts = np.ones(len(judgements), np.int64)
        texts, references = judgements.hypotheses, judgements.references
        if references is None:
            return
        if rule == "first":
            references = tuple(each[:1] for each in references)
        if rule == "mean":
            self.counts = np.array([*map(len, references)])
            texts = tuple(text for text, each in zip(texts, references, strict=True) for _ in each)
            references = tuple((one,) for each in references for one in each)
        self.paired = Segments([*texts], [[*each] for each in references])

    def _with_inputs(self, scorer: Scorer, segments: Segments, counts: np.ndarray) -> Segments:
        """The segments with the other inputs of the metric that the data have, each text repeated by its count."""
        columns = dict(segments.columns)
        for each in scorer.inputs[1:]:
            given = None if each.name == "references" else self.judgements.input(each.name)
            if given is not None:
                texts = [text for text, count in zip(given, counts, strict=True) for _ in range(count)]
                columns[each.name] = each.column(texts, "meta", columns)
        return Segments.of_columns(columns)

    def scored(self, name: str, scorer: Scorer, threads: int | None) -> Scored:
        """The scores of one metric."""
        segments, counts = self.paired, self.counts
        if not scorer.input("references"):
            segments, counts = Segments([*self.judgements.hypotheses]), np.ones_like(counts)
        elif segments is None:
            raise InputError(f"{name}: it compares texts with references, and these data have none.")
        segments = self._with_inputs(scorer, segments, counts)
        warn(hints_of(scorer, segments, of_each=not self.corpus or is_mean(scorer)))
        values = scorer.segments(segments, threads=threads)
        is_repeated = self.rule == "mean" and bool(scorer.input("references"))
        if is_repeated:
            # Exact sums: the order of references must not split a tie, which rank statistics would see.
            parts = np.split(values, np.cumsum(counts)[:-1])
            values = np.array([*map(math.fsum, parts)]) / counts
        higher = scorer.higher_is_better.get(scorer.primary, True)
        return Scored(
            name, values, higher, scorer.signature, number=number_shown(scorer),
            counted=None if is_repeated and counts.max() > 1 else (scorer, segments),
        )  # fmt: skip


def with_scores_from(judgements: Judgements, path: str | Path) -> Judgements:
    """The judgements with the scores of a file, of texts or of systems.

    Parameters
    ----------
    judgements : Judgements
    path : str or path
        Tab-separated values, JSON Lines if the name ends in .jsonl, or the scores of WMT if it ends in .seg.score or
        .sys.score. The columns (or keys) ``segment`` and, where the data have systems, ``system`` say to which text a
        row belongs. Every other column is a metric. Without a column ``segment``, a row for each system has the scores
        of whole systems; otherwise the rows are those of the data, in order. An empty cell or ``null`` is a missing
        score.

    Returns
    -------
    Judgements
        A text without a row has no score (NaN), and a note counts rows for texts that nobody rated.

    Raises
    ------
    InputError
        If a score is not a number, if a text has two rows, if a metric is there already, or if rows without names are
        not as many as the texts.
    """
    of_systems = _of_systems(_score_rows(path), judgements)
    scores, unknown = ({}, 0) if of_systems else read_scores(path, judgements.systems, judgements.segments)
    if twice := [name for name in (*scores, *of_systems) if name in (*judgements.scores, *judgements.system_scores)]:
        raise InputError(f"{path}: the metric {twice[0]!r} is there already; give it another name.")
    if of_systems:
        return replace(judgements, system_scores={**judgements.system_scores, **of_systems})
    told = f"{number_of(unknown, 'row')} of {path} {'is' if unknown == 1 else 'are'} for texts that are not rated here."
    notes = (*judgements.notes, told) if unknown else judgements.notes
    return replace(judgements, scores={**judgements.scores, **scores}, notes=notes)


def _score_rows(path: str | Path) -> list[tuple[str, Mapping[str, object]]]:
    if str(path).endswith(".score"):
        return [*score_rows(Path(path))[1]]
    return [*(_json_rows(path) if kind_of(path) == "jsonl" else read_table(path)[1])]


def _of_systems(
    rows: Sequence[tuple[str, Mapping[str, object]]], judgements: Judgements
) -> dict[str, dict[str, float]]:
    """The scores of whole systems by metric, if each row has a system of its own and no segment; otherwise nothing."""
    systems = [str(row.get("system", "")) for _, row in rows]
    if any("segment" in row for _, row in rows) or len({*systems}) < len(systems) or len(rows) == len(judgements):
        return {}
    if not {*judgements.system_names} <= {*systems}:
        return {}
    by_metric: dict[str, dict[str, float]] = {}
    for system, (where, row) in zip(systems, rows, strict=True):
        for name in row.keys() - {*_ABOUT}:
            by_metric.setdefault(name, {})[system] = score_of(row[name], f"{where}: {name}")
    return by_metric


def read_scores(
    path: str | Path, systems: Sequence[str] | None, segments: Sequence[str]
) -> tuple[dict[str, Floats], int]:
    """The segment scores of a file for n texts, by metric, and how many rows are for other texts.

    The form of the file and the errors are those of ``with_scores_from``. `systems` and `segments` are as in
    ``Judgements``. A text without a score has NaN.
    """
    rows = _score_rows(path)
    names = [name for name in dict.fromkeys(name for _, row in rows for name in row) if name not in _ABOUT]
    if not names:
        what = f"name the metrics in the first line, after {', '.join(_ABOUT)}."
        raise InputError(f"{path}: no column has scores; {what}")
    places, unknown = _places(systems, segments, rows, path)
    scores = {name: np.full(len(segments), math.nan) for name in names}
    for (where, row), place in zip(rows, places, strict=True):
        if place is not None:
            for name in names:
                scores[name][place] = score_of(row.get(name), f"{where}: {name}")
    return scores, unknown


def _places(
    systems: Sequence[str] | None,
    segments: Sequence[str],
    rows: Sequence[tuple[str, Mapping[str, object]]],
    path: str | Path,
) -> tuple[list[int | None], int]:
    """The text of each row; None, and counted, if nobody rated it."""
    if not any("segment" in row for _, row in rows):
        if len(rows) != len(segments):
            raise InputError(
                f"{path}: {number_of(len(rows), 'row')} for {number_of(len(segments), 'text')}; give a row for each, "
                "in the order of the data, or a column 'segment'."
            )
        return [*range(len(rows))], 0
    place_of = {key: place for place, key in enumerate(zip(systems or [""] * len(segments), segments, strict=True))}
    places: list[int | None] = []
    seen: dict[int, str] = {}
    for where, row in rows:
        system = str(row.get("system", "")) if systems else ""
        place = place_of.get((system, str(row.get("segment", ""))))
        if place is not None and seen.setdefault(place, where) != where:
            raise InputError(f"{where}: the same text as at {seen[place]}; give each text once.")
        places.append(place)
    return places, places.count(None)


def _json_rows(path: str | Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The rows of JSON Lines. Scores may stand in an object of their own, under ``scores``."""
    for record in json_lines(path):
        inner = record.fields.get("scores")
        row = {key: value for key, value in record.fields.items() if key != "scores" or not isinstance(inner, dict)}
        yield record.where, {**row, **(inner if isinstance(inner, dict) else {})}


def combined(parts: Sequence[Scored]) -> Scored:
    """The mean of the z-scores of several metrics, each with the sign by which higher is better.

    Examples
    --------
    >>> made = combined([Scored("a", np.array([1.0, 2.0, 3.0])), Scored("b", np.array([3.0, 2.0, 1.0]), False)])
    >>> made.name, made.values.round(4)
    ('a + b', array([-1.2247,  0.    ,  1.2247]))
    """
    names = tuple(each.name for each in parts)
    return Scored(_of_all(names), composite_scores({each.name: each.oriented for each in parts}), parts=names)


def _of_all(names: Sequence[str]) -> str:
    """The name of a combination, short enough for a table."""
    whole = " + ".join(names)
    return whole if len(whole) <= _LETTERS else f"mean of {len(names)} metrics"

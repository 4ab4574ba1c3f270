"""The numbers of many scorers of the same texts: what they count alike is counted, summed and scored once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.options import options_of
from metrologue.scorers.core.scorer import Scorer
from metrologue.segments import Segments

# The numbers of a scorer by name: shares of a perfect score, or in the metric's own unit.
Numbers = Mapping[str, float]
# What a scorer gives: its numbers; the error that says why it has none; None if it was not tried.
Outcome = Numbers | InputError | None


def wanted(scorer: Scorer) -> list[str]:
    """The numbers that people print under the metric's name: the primary one, then those whose names begin with it.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Rouge
    >>> wanted(Bleu(max_order=2)), wanted(Rouge(types=("rouge1",)))
    (['bleu', 'bleu_1', 'bleu_2'], ['rouge1_fmeasure', 'rouge1_precision', 'rouge1_recall'])
    """
    unit = scorer._reported[scorer.primary].unit
    named = [name for name, one in scorer._reported.items() if name.startswith(scorer.name) and one.unit == unit]
    return [*dict.fromkeys([scorer.primary, *named])]


def means_of(scorer: Scorer) -> Mapping[str, tuple[str, ...]]:
    """The means that people print in place of the metric's number, if the scorer reports all their parts.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> means_of(Bleu()), means_of(Bleu(max_order=2))
    ({'mean of BLEU-1 to BLEU-4': ('bleu_1', 'bleu_2', 'bleu_3', 'bleu_4')}, {})
    """
    reported = scorer._reported
    return {
        name: parts for name, parts in scorer.about.printed_means.items() if all(part in reported for part in parts)
    }


class SharedTotals:
    """Sums of rows, to be scored together by all settings that only differ in how their texts are read and counted."""

    def __init__(self) -> None:
        self.waiting: dict[Hashable, list[tuple[int, Scorer, Floats]]] = {}
        self.sums: dict[Hashable, Floats] = {}
        self.means: dict[Hashable, Numbers] = {}

    def add(self, found: list[Outcome], place: int, scorer: Scorer, segments: Segments) -> None:
        """Take in what a setting counts. Its numbers come with ``score``, unless they are no score of sums."""
        if not scorer._additive:
            found[place] = _numbers(scorer, scorer.score(scorer._total(segments, None)))
            return
        rows = scorer._rows(segments, None)
        # Two readings that cut these texts alike have the same rows.
        digest = segments.memoize(("digest", id(rows)), lambda: (rows.shape, hash(rows.tobytes())))
        how, plain = _scoring(scorer), type(scorer).statistics is Scorer.statistics
        if scorer.aggregation == "mean" and plain and type(scorer).score is Scorer.score:
            if (digest, how) not in self.means:
                each = scorer._score(rows)
                self.means[digest, how] = _numbers(scorer, {name: each[name].mean() for name in wanted(scorer)})
            found[place] = self.means[digest, how]
            return
        key = digest, None if plain and scorer.aggregation == "corpus" else how
        if key not in self.sums:
            self.sums[key] = scorer.aggregate(scorer.statistics(segments))
        self.waiting.setdefault(how, []).append((place, scorer, self.sums[key]))

    def score(self, found: list[Outcome]) -> None:
        """Score all sums that wait, those of one kind together."""
        waiting, self.waiting = self.waiting, {}
        for group in waiting.values():
            scorer, sums = group[0][1], np.stack([each for _, _, each in group])
            try:
                numbers = scorer.score(sums)
            except InputError:  # some of them have no score
                for place, own, each in group:
                    try:
                        found[place] = _numbers(own, own.score(each))
                    except InputError as error:
                        found[place] = error
                continue
            for at, (place, own, _) in enumerate(group):
                found[place] = _numbers(own, {name: numbers[name][at] for name in wanted(own)})


def _scoring(scorer: Scorer) -> tuple[Any, ...]:
    """All that decides how rows become numbers. A score depends on fields of all stages but `read`."""
    named: Iterable[str] = (name for name, declared in options_of(type(scorer)).items() if declared.stage != "read")
    return (type(scorer), scorer._columns, perfect_score(scorer), *(getattr(scorer, name) for name in named))


def _numbers(scorer: Scorer, numbers: Mapping[str, Any]) -> Numbers:
    """The numbers that are finite, and the means of several numbers that people print."""
    perfect = perfect_score(scorer) or 1.0
    own = {name: float(numbers[name]) / perfect for name in wanted(scorer)}
    means = {name: sum(own[part] for part in parts) / len(parts) for name, parts in means_of(scorer).items()}
    return {name: value for name, value in {**own, **means}.items() if np.isfinite(value)}

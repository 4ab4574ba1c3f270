"""Where one system beats another: by length, word frequency, script and order of n-grams; and in which segments.

This is the view of compare-mt (Neubig et al. 2019), for any metric whose statistics add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from metrologue.comparison.findings.ngrams import Length, NGram, length_differences, ngram_matches
from metrologue.comparison.findings.number import Sampling
from metrologue.comparison.findings.significance import told_already
from metrologue.data.arrays import Floats
from metrologue.data.strings import of_strings
from metrologue.errors import InputError
from metrologue.inference import paired_test
from metrologue.scorers import Bleu, Scorer
from metrologue.scorers.core.engine import is_separable
from metrologue.scorers.core.numbers import perfect_score
from metrologue.segments import Segments
from metrologue.text.reading import words
from metrologue.text.reading.text import Text
from metrologue.text.scripts import main_script

__all__ = ["BY", "Differing", "Part", "Where", "where"]

# What the parts are made by, in words.
BY: Mapping[str, str] = {
    "length": "length of the reference",
    "frequency": "how often all references have its words",
    "script": "script",
    "order": "precision of n-grams",
}

# Buckets of equal size: at most so many, of so many segments at least.
_BUCKETS, _LEAST = 4, 10
# So many segments are shown of each system's best.
_SHOWN = 3
_NGRAMS = Bleu.variant("sacrebleu")

Labels = Mapping[str, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Part:
    """Two systems on a part of the segments, or by one order of n-grams.

    Attributes
    ----------
    by : {"length", "frequency", "script", "order"}
        What the parts are made by: the words of the first reference; the mean frequency of these words in all first
        references; their script; or the precision of n-grams of one order, of all segments.
    name : str
        Such as "13 to 19 words".
    segments : int
    first, second, difference : float
        The numbers of both systems and ``first - second``, in the unit of the comparison; precisions in points.
    limits : (float, float) or None
        The confidence interval of the difference, from resamples of these segments; None if they have none.
    """

    by: str
    name: str
    segments: int
    first: float
    second: float
    difference: float
    limits: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Differing:
    """A segment that two systems render with very different scores, which are in the unit of the comparison."""

    segment: int
    first: float
    second: float
    predictions: tuple[str, str]
    references: list[str]


@dataclass(frozen=True, kw_only=True)
class Where:
    """Where the first of two systems is better than the second, and where it is worse.

    Attributes
    ----------
    first, second : str
        The systems.
    variant : str
        The variant whose numbers are shown.
    parts : list of Part
    segments : list of Differing
        First those where the first system is ahead most, then those where the second one is.
    ngrams : list of NGram
        What the first system has right more often, then what the second one has.
    lengths : list of Length
        How many texts of each are longer or shorter than the first reference.
    """

    first: str
    second: str
    variant: str
    parts: list[Part] = field(default_factory=list)
    segments: list[Differing] = field(default_factory=list)
    ngrams: list[NGram] = field(default_factory=list)
    lengths: list[Length] = field(default_factory=list)

    def by(self, kind: str) -> list[Part]:
        """The parts of one kind."""
        return [part for part in self.parts if part.by == kind]


def where(
    variant: str, scorer: Scorer, texts: Mapping[str, Segments], how: Sampling, in_points: bool = True
) -> Where | None:
    """Where the first of two systems beats the second.

    Parameters
    ----------
    variant : str
        The name of the scorer.
    scorer : Scorer
    texts : mapping of str to Segments
        The two systems.
    how : Sampling
        Level, resamples and seed of the intervals.
    in_points : bool
        Whether a perfect score is 100.

    Returns
    -------
    Where or None
        None if the metric has no statistics that add up, or if the segments are not texts with references.

    Examples
    --------
    >>> references = ["a cat sat on a mat", "dogs run"] * 10
    >>> texts = {"a": Segments(["a cat sat on a mat", "cats run"] * 10, references)}
    >>> texts["b"] = texts["a"].with_predictions(["a dog sat on a hat", "dogs run"] * 10)
    >>> from metrologue.scorers import WordErrorRate
    >>> found = where("jiwer", WordErrorRate(), texts, Sampling())
    >>> [(part.name, part.segments, round(part.difference, 2)) for part in found.by("length")]
    [('up to 2 words', 10, 50.0), ('3 or more words', 10, -33.33)]
    """
    (first, one), (second, other) = texts.items()
    of_texts = all(isinstance(one.columns.get(name), Text) for name in ("predictions", "references"))
    if not (is_separable(scorer) and of_texts):
        return None
    try:
        rows = {name: scorer.statistics(segments) for name, segments in texts.items()}
        factor = (100.0 if in_points else 1.0) / (perfect_score(scorer) or 1.0)
        parts = [
            _part(by, name, scorer, {system: own[chosen] for system, own in rows.items()}, factor, how)
            for by, buckets in _buckets(one).items()
            for name, chosen in buckets.items()
        ]
        parts += _by_order(texts, how)
        scores = [factor * scorer.segment_scores(segments)[scorer.primary] for segments in (one, other)]
    except InputError:  # a part of the segments may have no score
        return None
    sign = 1 if scorer.higher_is_better[scorer.primary] else -1
    return Where(
        first=first, second=second, variant=variant, parts=parts, segments=[*_differing(scores, sign, (one, other))],
        ngrams=[*ngram_matches(one, other)], lengths=[*length_differences(one, other)],
    )  # fmt: skip


def _part(
    by: str, name: str, scorer: Scorer, rows: Mapping[str, Floats], factor: float, how: Sampling, key: str | None = None
) -> Part:
    first, second = rows
    key = key or scorer.primary
    scores = [factor * float(scorer.score(scorer.aggregate(own))[key]) for own in rows.values()]
    limits = None
    if len(rows[first]) > 1:
        with told_already():
            [test] = paired_test(
                scorer, second, rows, resamples=how.resamples, seed=how.seed, level=how.level, key=key
            )  # fmt: skip
        if interval := test.difference_interval:
            limits = factor * interval.low, factor * interval.high
    return Part(
        by=by, name=name, segments=len(rows[first]), first=scores[0], second=scores[1],
        difference=scores[0] - scores[1], limits=limits,
    )  # fmt: skip


def _buckets(segments: Segments) -> dict[str, Labels]:
    """Parts of the segments by name, as flags (n,). What does not divide the segments is left out."""
    view = segments.read(words("13a", lowercase=True))
    starts = view.offsets[len(view) + view.reference_offsets[:-1]]
    lengths = view.reference_lengths[view.reference_offsets[:-1]]
    tokens = [view.ids[start : start + length] for start, length in zip(starts, lengths, strict=True)]
    counts = np.bincount(np.concatenate(tokens), minlength=view.type_count)
    frequencies = np.array([np.exp(np.log(counts[own]).mean()) if len(own) else 0.0 for own in tokens])
    references = (segments.pair(index)[1][0] for index in range(len(segments)))
    scripts = np.array([main_script(of_strings([text])) for text in references])
    found: dict[str, Labels] = {
        "length": _quantiles(lengths.astype(float), "{} words"),
        "frequency": _quantiles(np.rint(frequencies), "words of frequency {}"),
        "script": {str(name): scripts == name for name in dict.fromkeys(scripts.tolist())},
    }
    return {by: own for by, own in found.items() if len(own) > 1}


def _quantiles(values: Floats, name: str) -> dict[str, np.ndarray]:
    """Parts of about equal size by value, with their names; equal values are in one part."""
    count = min(_BUCKETS, len(values) // _LEAST)
    shares = np.arange(1, count) / count
    ends = sorted({*np.quantile(values, shares, method="inverted_cdf").tolist()} - {values.max()}) if count > 1 else []
    found: dict[str, np.ndarray] = {}
    low = -1.0
    for end in ends:
        span = f"up to {end:.0f}" if low < 0 else f"{low + 1:.0f} to {end:.0f}" if low + 1 < end else f"{end:.0f}"
        found[name.format(span)] = (values > low) & (values <= end)
        low = end
    return {**found, name.format(f"{low + 1:.0f} or more"): values > low}


def _by_order(texts: Mapping[str, Segments], how: Sampling) -> Iterator[Part]:
    """The precision of n-grams by order, whatever the metric."""
    rows = {name: _NGRAMS.statistics(segments) for name, segments in texts.items()}
    for order in range(1, _NGRAMS.max_order + 1):
        yield _part("order", f"{order}-grams", _NGRAMS, rows, 1.0, how, f"precision_{order}")


def _differing(scores: Sequence[Floats], sign: int, texts: Sequence[Segments]) -> Iterator[Differing]:
    lead = sign * (scores[0] - scores[1])
    order = np.argsort(-lead, kind="stable")
    ahead = [index for index in order[:_SHOWN] if lead[index] > 0]
    behind = [index for index in order[::-1][:_SHOWN] if lead[index] < 0]
    for index in map(int, (*ahead, *behind)):
        pairs = [segments.pair(index) for segments in texts]
        yield Differing(
            segment=index, first=float(scores[0][index]), second=float(scores[1][index]),
            predictions=(pairs[0][0], pairs[1][0]), references=list(pairs[0][1]),
        )  # fmt: skip

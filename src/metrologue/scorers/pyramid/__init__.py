"""Pyramid (Nenkova and Passonneau 2004): how much of what several models say a summary says, by how many say it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Flags, Floats, Integers
from metrologue.data.columns import gathered
from metrologue.data.intake import with_type
from metrologue.errors import InputError, checked_int, shown
from metrologue.scorers.core.about import About
from metrologue.scorers.core.hints import refuse_empty
from metrologue.scorers.core.inputs import Input, sets
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import of_means, option
from metrologue.scorers.core.rows import by_name, harmonic_mean, ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments
from metrologue.text.reading import words
from metrologue.text.reading.view import View

__all__ = ["Pyramid", "Pyramids", "models_of", "pyramids_of"]

_SCORES = ("score_sum", "original_sum", "modified_sum")
_COUNTS = ("weight", "unit_count", "matched_count", "scu_count", "contributor_count", "model_count")
_COLUMNS = (*_SCORES, *_COUNTS, "summary_count")


def models_of(weights: Mapping[Hashable, int], models: int) -> list[list[Hashable]]:
    """The SCUs of each model, for a pyramid of which only the weights are known.

    A pyramid depends only on how many models have an SCU, not on which. Here the first models have it.

    Parameters
    ----------
    weights : mapping of hashable to int
        Each SCU, and the number of models that have it.
    models : int
        The number of models, 1 or more.

    Returns
    -------
    list of `models` lists
        What ``Pyramid`` takes as the references of a summary.

    Raises
    ------
    InputError
        If a weight is not an int from 1 to `models`.

    Examples
    --------
    >>> models_of({"a train crashed": 2, "nobody was hurt": 1}, models=2)
    [['a train crashed', 'nobody was hurt'], ['a train crashed']]
    """
    checked_int("models_of: `models`", models, 1)
    if not isinstance(weights, Mapping):
        raise InputError(f"models_of: `weights` is {with_type(weights)}; a mapping of SCUs to ints is expected.")
    for scu, weight in weights.items():
        if not isinstance(weight, (int, np.integer)) or isinstance(weight, bool) or not 1 <= weight <= models:
            raise InputError(
                f"models_of: `weights[{shown(scu)}]` is {with_type(weight)}; an int from 1 to {models}, the number of "
                "models, is expected."
            )
    return [[scu for scu, weight in weights.items() if weight > model] for model in range(models)]


@dataclass(frozen=True, kw_only=True)
class Pyramid(OfTexts, Scorer):
    """The weight of what a summary says, divided by the greatest that it could have; higher is better, mostly 0-1.

    People mark the content units (SCUs) of several model summaries, and those that the summary expresses. An SCU weighs
    as much as the number of models that have it. The weights of the summary's SCUs are added up, and divided by the
    weight of an ideal summary, which has the heaviest SCUs. ``original`` is the quotient for an ideal summary that has
    as many SCUs as the summary itself, like precision. ``modified`` is that for one that has as many as a model has on
    average, like recall; it is above 1 for a long summary that says more. ``pyramid`` is the one that `ideal` names.

    A prediction is the list of the SCUs of a summary, and its references are such lists of the models. An SCU is any
    label. One that no model has weighs nothing, but counts for the size of the summary. ``models_of`` makes the models
    of a pyramid whose weights are known, and ``read_ducview`` in ``metrologue.scorers.pyramid.ducview`` reads the files
    of DUCView. Texts may be given in place of lists; then each word is a unit.

    The score of a corpus is the mean of its summaries. A summary without units scores 0.

    Raises
    ------
    InputError
        If no model of a summary has a unit, or a value is out of range.

    References
    ----------
    Nenkova and Passonneau 2004, https://aclanthology.org/N04-1019; Nenkova et al. 2007,
    https://doi.org/10.1145/1233912.1233913.

    Examples
    --------
    Two models say that a train crashed, and one each where and when. The summary says when, and something else.

    >>> models = [["crash", "where"], ["crash", "when"]]
    >>> Pyramid().corpus([["when", "weather"]], [models]).scores["original"]
    0.3333333333333333
    >>> Pyramid().corpus([["crash", "when"]], [models]).value
    1.0
    """

    name: ClassVar[str] = "pyramid"
    about: ClassVar = About(papers=("nenkova-passonneau-2004-pyramid", "nenkova-etal-2007-pyramid"))
    inputs: ClassVar[tuple[Input, ...]] = (
        sets("predictions"),
        sets("references", many=True, about="the metric compares sets with them"),
    )

    # fmt: off
    tokenizer: str = option(
        "whitespace", stage="read", choice="tokenizer", kind="tokenizer",
        about="How a text is cut, as `metrologue list tokenizers` shows. It does not apply to labels.",
    )
    lowercase: bool = option(
        False, stage="read", choice="case",
        about="Whether to apply ``str.lower()`` to texts first. It does not apply to labels.",
    )
    repeats: str = option(
        "once", stage="join", choice="size of the summary",
        about="A unit that a summary expresses several times.",
        one_of={
            "once": "it counts once",
            "each": "its weight counts once, but for the size of the summary it counts each time",
        },
    )
    average: str = option(
        "nearest", stage="join", choice="size of a model",
        about="The number of SCUs that a model has on average, if it is not whole.",
        one_of={
            "nearest": "the nearest int; halves are rounded up",
            "floor": "the int below it",
            "exact": "it is left as it is, and an ideal summary has a part of its last SCU",
        },
    )
    capped: bool = option(False, stage="join", choice="limit", about="Whether a modified score above 1 counts as 1.")
    ideal: str = option(
        "models", stage="join", choice="ideal summary",
        about="How many SCUs an ideal summary has.",
        one_of={
            "models": "as many as a model has on average: the modified score",
            "summary": "as many as the summary has units: the original score",
            "both": "the harmonic mean of both scores",
        },
    )
    # fmt: on
    aggregation: str = of_means("the mean of the summaries' own scores")

    _columns = _COLUMNS

    numbers: ClassVar = (
        number(
            "pyramid", 0, "_most", better="higher", title="Pyramid", unit="points",
            about="weight of the summary's SCUs, divided by that of an ideal summary",
        ),
        number(
            "original", 0, "scale", better="higher", heading="original",
            about="the score for an ideal summary that has as many SCUs as the summary has units",
        ),
        number(
            "modified", 0, "_most_modified", better="higher", heading="modified", unit="points",
            about="the score for an ideal summary that has as many SCUs as a model has on average",
        ),
        counted("weight", "models", better="higher", about="sum of the weights of the SCUs that summaries express"),
        counted("unit_count", "units", about="units of the summaries"),
        counted("matched_count", "SCUs", about="SCUs of the pyramids that summaries express"),
        counted("scu_count", "SCUs", about="SCUs of the pyramids"),
        counted("contributor_count", "SCUs", about="SCUs of all models; the sum of all weights"),
        counted("model_count", "models", about="models"),
    )  # fmt: skip

    @property
    def _most_modified(self) -> float:
        """The greatest modified score: a summary can say more than a model does."""
        return self.scale if self.capped else math.inf

    @property
    def _most(self) -> float:
        """The greatest score."""
        return self.scale if self.ideal == "summary" else self._most_modified

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A hint that words stand for SCUs, if texts are given."""
        hints = super()._hints(segments, of_each)
        if len(segments) and not segments.holds_items:
            hints.append(
                "Pyramid: the predictions are texts, so that each word counts as a content unit. The method needs "
                "lists of units (SCUs) that people have marked."
            )
        return hints

    def _pyramids(self, segments: Segments) -> Pyramids:
        """The pyramid of each segment, and which of its SCUs the summary expresses."""
        return pyramids_of(segments.units(words(self.tokenizer, self.lowercase)))

    def _statistics(self, segments: Segments) -> Floats:
        """The scores of each summary, the counts behind them, and a 1."""
        pyramids = self._pyramids(segments)
        refuse_empty(self._label, "references", pyramids.scu_counts == 0, "have no units; drop the summary",
                     segments.first)  # fmt: skip
        sizes = pyramids.mention_counts if self.repeats == "each" else pyramids.unit_counts
        weight = pyramids.weights
        original = ratio(weight, pyramids.ideal_weights(sizes))
        modified = ratio(weight, pyramids.ideal_weights(self._average(pyramids)))
        if self.capped:
            modified = np.minimum(modified, 1)
        scores = {"models": modified, "summary": original, "both": harmonic_mean(original, modified)}
        counts = (
            weight,
            sizes,
            pyramids.matched_counts,
            pyramids.scu_counts,
            pyramids.contributor_counts,
            pyramids.model_counts,
        )
        return np.column_stack([scores[self.ideal], original, modified, *counts, np.ones(len(weight))])

    def _average(self, pyramids: Pyramids) -> Floats:
        """How many SCUs a model of each pyramid has on average."""
        average: Floats = pyramids.contributor_counts / pyramids.model_counts
        if self.average == "exact":
            return average
        return np.floor(average + (0.5 if self.average == "nearest" else 0.0))

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        sums = by_name(_COLUMNS, statistics)
        means = (self.scale * sums[name] / sums["summary_count"] for name in _SCORES)
        return {**dict(zip((self.name, "original", "modified"), means, strict=True)), **{n: sums[n] for n in _COUNTS}}

    _variants: ClassVar = {
        "modified": Variant("Nenkova", "the score of DUC 2005 and 2006, with the size of a model"),
        "original": Variant(
            "Nenkova", "the score of the first paper, with the size of the summary", {"ideal": "summary"},
            version="2004",
        ),
        "ducview": Variant(
            "DUCView", "its comprehensive score; its quality score is `original`, and its coverage score `modified`",
            {"repeats": "each", "average": "floor", "capped": True, "ideal": "both"},
        ),
    }  # fmt: skip


@dataclass(frozen=True)
class Pyramids:
    """The pyramids of n segments. Those of each have their SCUs in a row, the heaviest first."""

    ids: Integers  # (n_scus,): the unit that each SCU is
    tiers: Floats  # (n_scus,): the weight of each SCU: the number of models that have it
    expressed: Flags  # (n_scus,): whether the summary of its segment has it
    offsets: Integers  # (n + 1,): the SCUs of segment s are ``offsets[s]:offsets[s + 1]``
    # (n,): The distinct units of each summary, and all of them.
    unit_counts: Floats
    mention_counts: Floats
    model_counts: Floats  # (n,): the models of each segment

    def _sums(self, values: Floats) -> Floats:
        """The sum over the SCUs of each segment, (n,)."""
        sums = np.concatenate([[0.0], np.cumsum(values)])
        return sums[self.offsets[1:]] - sums[self.offsets[:-1]]  # type: ignore[no-any-return]  # an array

    @property
    def weights(self) -> Floats:
        """The weight of each summary, (n,)."""
        return self._sums(self.tiers * self.expressed)

    @property
    def matched_counts(self) -> Floats:
        """How many SCUs each summary expresses, (n,)."""
        return self._sums(self.expressed.astype(np.float64))

    @property
    def scu_counts(self) -> Floats:
        """How many SCUs each pyramid has, (n,)."""
        return np.diff(self.offsets).astype(np.float64)

    @property
    def contributor_counts(self) -> Floats:
        """The sum of all weights of each pyramid, (n,)."""
        return self._sums(self.tiers)

    def ideal_weights(self, sizes: Floats) -> Floats:
        """The weight of an ideal summary of each size: its segment's heaviest SCUs, the last one in part, (n,)."""
        sums = np.concatenate([[0.0], np.cumsum(self.tiers)])
        first, last = self.offsets[:-1], self.offsets[1:]
        whole = np.minimum(first + np.floor(sizes).astype(np.int64), last)
        part = np.where(whole < last, sizes - np.floor(sizes), 0.0)
        weights: Floats = sums[whole] - sums[first] + part * (sums[np.minimum(whole + 1, last)] - sums[whole])
        return weights


def pyramids_of(view: View) -> Pyramids:
    """The pyramids of the references of each segment, with the units of its hypothesis.

    The counts are exact: they are sums of ints.
    """
    hypotheses, references = view.pairs
    starts = view.reference_offsets[:-1]
    count, models = len(starts), np.diff(view.reference_offsets)
    segment_of = np.repeat(np.arange(count), models)
    width = max(view.type_count, 1)

    def units(texts: Integers) -> tuple[Integers, Integers]:
        """The unit of each token of the texts, under a number that no two texts share; and how many each text has."""
        tokens, offsets = gathered(view.offsets, texts)
        lengths = np.diff(offsets)
        return np.repeat(np.arange(len(texts)), lengths) * width + view.ids[tokens], lengths

    of_models, _ = units(references)
    # A model that has an SCU twice counts once.
    texts, ids = np.divmod(np.unique(of_models), width)
    keys, tiers = np.unique(segment_of[texts] * width + ids, return_counts=True)
    own, mentions = units(hypotheses[starts])
    own = np.unique(own)
    segments, ids = np.divmod(keys, width)
    order = np.lexsort((-tiers, segments))
    return Pyramids(
        ids=ids[order],
        tiers=tiers[order].astype(np.float64),
        expressed=np.isin(keys, own, assume_unique=True)[order],
        offsets=np.searchsorted(segments, np.arange(count + 1)),
        unit_counts=np.bincount(own // width, minlength=count).astype(np.float64),
        mention_counts=mentions.astype(np.float64),
        model_counts=models.astype(np.float64),
    )

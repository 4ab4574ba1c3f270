"""What some metrics can do besides: bases with the hooks that only they need. They come last among the bases."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metrologue.errors import InputError
from metrologue.scorers.core.inputs import in_form
from metrologue.scorers.core.options import Choice, choices_of, fitted_fields, reading_fields
from metrologue.scorers.core.result import Result, check_counted
from metrologue.scorers.core.totals import Totals
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource

if TYPE_CHECKING:
    from metrologue.scorers.core.tables import State
    from metrologue.tracing.blocks import Block

# A scorer. The module that defines it imports this one.
Scorer = Any


class Fitted:
    """A metric with tables that are made from all references, such as weights of n-grams. Its fields hold them."""

    # Whether the metric needs no table, but what `_weigh` makes, if it is not fitted.
    _weighs: ClassVar[bool] = False

    @abstractmethod
    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        """The tables: the name of each field, with its arrays by name."""

    def _fit_counts(self, segments: Segments) -> Mapping[str, State]:
        """What the tables are made from, as counts that can be merged."""
        raise InputError(f"{type(self).__name__}: fit needs all segments at once; its table is not made from counts.")

    def _fit_from(self, counts: Totals) -> dict[str, dict[str, Any]]:
        """As `_fit`, from merged counts of the same references."""
        raise NotImplementedError

    def _weigh(self, segments: Segments, threads: int) -> None:
        """Read all texts, and make what `_statistics` asks ``of_texts`` for, in several threads."""


class Encoded:
    """A metric with an encoder, whose vectors two of its scorers can share."""

    @abstractmethod
    def _share_encoding(self, other: Any, segments: Segments) -> None:
        """Encode texts at once for this scorer and another one of the metric, before mixtures of both score them."""

    @abstractmethod
    def _choices_beside(self, other: Any) -> tuple[Choice, ...]:
        """The choices in which this scorer and another one can differ, so that every mixture of both is a scorer."""


class Reported:
    """A metric that prints more than its numbers below them, or a title that depends on its fields."""

    title: ClassVar[str]

    @property
    def _title_here(self) -> str:
        """The title with what a paper says of the fields, such as chrF2++."""
        return self.title

    def _below(self, result: Result) -> Sequence[Block]:
        """What is printed below the numbers of a corpus, such as a confusion matrix."""
        return ()

    def _beside(self, segments: Segments) -> Mapping[str, Sequence[Any]]:
        """What is told of each segment beside its numbers, by name, as plain values: a list of dicts for each."""
        return {}


def fitted(scorer: Scorer, segments: Segments | Totals) -> Scorer:
    """The scorer with tables made from these references, or from counts of them. See ``Scorer.fit``."""
    if isinstance(segments, Totals):
        if segments.signature != f"fit|{scorer.signature}":
            raise InputError(f"{scorer._label}: fit has counts of another scorer: {segments.signature}.")
        check_counted(scorer._label, segments.segments)
        made = scorer._fit_from(segments)
    else:
        _check(scorer, segments)
        check_counted(scorer._label, len(segments))
        made = scorer._fit(in_form(scorer, segments))
    about = reading_fields(scorer)
    tables: dict[str, Any] = {key: Resource.of(f"{scorer.name}-{key}", made[key], about) for key in made}
    return replace(scorer, **tables)


def fit_totals(scorer: Scorer, segments: Segments) -> Totals:
    """The counts for ``fit`` of a part of the references. Those of all parts, merged, make the tables."""
    _check(scorer, segments)
    counts = scorer._fit_counts(in_form(scorer, segments))
    return Totals.of_sums(f"fit|{scorer.signature}", ("fit",), np.zeros((0, 1)), len(segments), counts)


def _check(scorer: Scorer, segments: Segments) -> None:
    kind: Any = type(scorer)
    scorer._check_inputs(segments)
    if not fitted_fields(kind):
        raise InputError(f"{scorer._label}: has nothing to fit.")


def choices_beside(scorer: Scorer, other: Scorer) -> tuple[Choice, ...]:
    """The choices in which two scorers of a metric can differ, so that every mixture of both is a scorer."""
    kind: Any = type(scorer)
    return scorer._choices_beside(other) if isinstance(scorer, Encoded) else choices_of(kind)


def share_encoding(scorer: Scorer, other: Scorer, segments: Segments) -> None:
    """Encode texts once for two scorers of a metric, before mixtures of both score them."""
    if isinstance(scorer, Encoded):
        scorer._share_encoding(other, in_form(scorer, segments))


def blocks_below(scorer: Scorer, result: Result) -> Sequence[Block]:
    """What is printed below the numbers of a corpus, such as a confusion matrix."""
    return scorer._below(result) if isinstance(scorer, Reported) else ()


def title_of(scorer: Scorer) -> str:
    """The metric's name as a paper prints it, such as chrF2++."""
    return str(scorer._title_here if isinstance(scorer, Reported) else scorer.title)


def told_beside(scorer: Scorer, segments: Segments) -> Mapping[str, Sequence[Any]]:
    """What is told of each segment beside its numbers, such as the errors that a network marks; by name."""
    return scorer._beside(in_form(scorer, segments)) if isinstance(scorer, Reported) else {}

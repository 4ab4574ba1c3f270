"""What all metrics of classification share: labels in place of texts, and totals that are confusion counts."""

from __future__ import annotations

from abc import abstractmethod
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from metrologue.data.confusion import Confusion, count_pairs
from metrologue.errors import InputError
from metrologue.scorers.core.inputs import Input
from metrologue.scorers.core.options import LabelText, option
from metrologue.scorers.core.result import Result
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import SetScorer
from metrologue.scorers.core.totals import Totals
from metrologue.scorers.families.classification.pairs import INPUTS, LISTS, Pairs, confusion_of, label_pairs
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.tracing.notebook import Markup

__all__ = ["LabelResult", "OfConfusion", "OfLabels"]

# A notebook shows a confusion matrix of up to this many labels.
_MOST_LABELS = 30


@dataclass(frozen=True, repr=False)
class LabelResult(Result):
    """A corpus score of labels.

    Attributes
    ----------
    confusion : Confusion
        How often each label met each other one.
    """

    confusion: Confusion = field(kw_only=True, compare=False)

    @classmethod
    def of(cls, result: Result, confusion: Confusion) -> LabelResult:
        """The result with these confusion counts."""
        return cls(**vars(result), confusion=confusion)

    def more_json(self) -> dict[str, Any]:
        return {"confusion": self.confusion.to_json()}

    def _more_html(self) -> list[Markup]:
        from metrologue.tracing import notebook

        if not self.confusion.is_square or len(self.confusion.labels) > _MOST_LABELS:
            return []
        labels = [*map(str, self.confusion.labels)]
        counts = zip(labels, self.confusion.matrix(), strict=True)
        matrix = [[label, *(f"{n:g}" for n in row)] for label, row in counts]
        return [notebook.table("rows: actual, columns: predicted", ["", *labels], matrix)]


@dataclass(frozen=True, kw_only=True)
class OfLabels(Scorer):
    """Base of the metrics that compare a predicted label with the right one."""

    inputs: ClassVar[tuple[Input, ...]] = INPUTS
    _traces_all: ClassVar[bool] = True
    _papers: ClassVar[tuple[str, ...]] = ("pedregosa-etal-2011-scikit",)
    _compares_texts: ClassVar[bool] = False

    aggregation: str = option("corpus", stage="score", choice=None, one_of=("corpus",))
    # fmt: off
    lists: str = option(
        "sets", stage="read", choice="lists of labels",
        about="What the labels of a segment are, if it has several.",
        one_of=LISTS,
    )
    # fmt: on

    def _paired(self, segments: Segments) -> Pairs:
        """The labels of the segments. A mean over segments has no weights."""
        pairs = label_pairs(segments, self._label, self.lists)
        if pairs.weights is not None and self.aggregation == "mean":
            raise InputError(f"{self._label}: `sample_weight` has no place in a mean of segments; leave it out.")
        return pairs

    def _confusion(self, segments: Segments) -> Confusion:
        """The confusion counts of the segments."""
        return confusion_of(segments, self._label, self.lists)


@dataclass(frozen=True, kw_only=True)
class OfConfusion(OfLabels, SetScorer):
    """Base of the metrics whose totals are confusion counts."""

    # Whether labels of the configuration may be missing, as they are in some resamples.
    _lenient: ClassVar[bool] = False

    _added = ("count",)
    # fmt: off
    labels: tuple[LabelText, ...] | None = option(
        None, stage="pairs", choice="labels",
        about="The labels to score; None: all that predictions or references have.",
    )
    # fmt: on

    def _check_together(self) -> None:
        labels = self.labels
        holds = labels is None or 0 < len(set(labels)) == len(labels)
        self._check("labels", holds, "None or a list of labels, each once,")

    @abstractmethod
    def _check_labels(self, confusion: Confusion) -> None:
        """Raise an InputError if the labels that were found do not suit the configuration."""

    def _found(self, confusion: Confusion) -> Confusion:
        """The counts, checked."""
        if not self._lenient:
            self._check_labels(confusion)
        return confusion

    def _for_resampling(self) -> Self:
        """The scorer without the check that all labels are there: a resample may lack some."""
        found = copy(self)
        object.__setattr__(found, "_lenient", True)
        return found

    def _pairs_of(self, segments: Segments) -> Pairs:
        self._check_inputs(segments)
        return self._paired(segments)

    def _tables(self, segments: Segments) -> dict[str, Confusion]:
        if not len(segments):
            return {"confusion": count_pairs((), np.zeros(0, np.int32), np.zeros(0, np.int32))}
        self._pairs_of(segments)
        return {"confusion": self._confusion(segments)}

    def _totals(self, segments: Segments, threads: int | None) -> Totals:
        if self._additive:
            return super()._totals(segments, threads)
        # Rows of segments are not needed for the totals.
        tables = self._tables(segments)
        weights = self._paired(segments).weights if len(segments) else None
        counts = np.array([[float(len(segments))]]) if weights is None else weights[:, None]
        return Totals.of_sums(self.signature, self._added, counts, len(segments), tables)

    def _scored(self, segments: Segments, threads: int | None) -> Result:
        return LabelResult.of(super()._scored(segments, threads), self._tables(segments)["confusion"])

    def score_totals(self, totals: Totals) -> Result:
        """As for every scorer. The result has the confusion counts."""
        result, confusion = super().score_totals(totals), totals.tables.get("confusion")
        return LabelResult.of(result, confusion) if isinstance(confusion, Confusion) else result

"""The result of a metric of labels: its numbers, and how often each label met each other one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metrologue.data.confusion import Confusion
from metrologue.scorers.core.result import Result

if TYPE_CHECKING:
    from metrologue.tracing.notebook import Markup

__all__ = ["LabelResult"]

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

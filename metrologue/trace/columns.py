"""The trace of a metric that draws none of its own: what was counted with each reference, and the numbers of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from metrologue.scorers import Scorer
from metrologue.segments import Segments
from metrologue.trace.base import Trace, table, trace

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["ColumnTrace"]


@dataclass(frozen=True, kw_only=True)
class ColumnTrace(Trace):
    """Every number of one segment: with each reference alone, and together.

    Attributes
    ----------
    value : float
        The score, on the scorer's own scale.
    scorer : Scorer
    header : tuple of str
        What each column of `rows` is.
    rows : tuple of tuple of str
        The name of a number, and its values.
    """

    template: ClassVar[str] = "trace_columns.html"

    value: float
    scorer: Scorer
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def signature(self) -> str:
        """The scorer's configuration."""
        return self.scorer.signature

    @property
    def formula(self) -> str:
        """The number that the scorer reports."""
        return f"{self.scorer.primary} = {self.value}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """None: the table says it all."""
        return ()

    def parts(self) -> Iterator[RenderableType]:
        """The score, the table and the signature."""
        yield from (self.formula, "", table(self.header, self.rows), "", self.signature)


@trace.register
def _trace_columns(scorer: Scorer, prediction: str, references: Sequence[str]) -> ColumnTrace:
    segment = Segments([prediction], [references] if references else None, owner=type(scorer).__name__)
    result = scorer.score_segments(segment)
    alone: list[dict[str, float | int]] = []
    if len(references) > 1:
        alone = [scorer.score_segments(Segments([prediction], [[text]])).scores for text in references]
    columns = [*alone, result.scores]
    names = [f"reference {number}" for number in range(1, len(alone) + 1)]
    together = "together" if alone else "value"
    return ColumnTrace(
        value=result.value,
        scorer=scorer,
        header=("", *names, together),
        rows=tuple((name, *(f"{column[name]:.6g}" for column in columns)) for name in result.scores),
    )

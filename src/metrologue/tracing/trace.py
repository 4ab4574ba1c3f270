"""A trace: how a scorer computes its score for one segment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from metrologue.tracing.blocks import Body, Section
from metrologue.tracing.html import render_html
from metrologue.tracing.text import render_text

__all__ = ["Trace"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Trace(Body):
    """How a scorer computes its score for one segment: a formula, and blocks that show its parts.

    Attributes
    ----------
    metric : str
        The metric's name.
    value : float
        The score, on the scorer's own scale.
    signature : str
        The scorer's configuration.
    formula : str
        The metric's formula with this segment's numbers in it.
    remarks : tuple of str
        The rules of the formula.
    blocks : tuple of Block
        What was counted.
    values : mapping of str to float
        The numbers of the blocks, by name.

    Examples
    --------
    >>> from metrologue.tracing import Row, Table
    >>> words = Table(name="words", header=("text", "words"), rows=(Row(cells=("a b", 2)), Row(cells=("a", 1))))
    >>> found = Trace(metric="ratio", value=2.0, signature="ratio|metrologue=1", formula="ratio = 2/1", blocks=(words,))
    >>> found
    <Trace of ratio = 2.0000, shown by .text() and .html()>
    >>> print(found.text())
    ratio = 2/1
    ratio|metrologue=1
    <BLANKLINE>
    text  words
    a b       2
    a         1
    >>> found.table("words").column("words")
    (2, 1)
    """

    kind: ClassVar[str] = "trace"

    metric: str
    value: float
    signature: str
    formula: str
    remarks: tuple[str, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        return f"<Trace of {self.metric} = {self.value:.4f}, shown by .text() and .html()>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return self.html()

    @property
    def sections(self) -> list[Section]:
        """The sections of the trace: one for each reference, or for each type of the metric."""
        return self.every(Section)

    def text(self) -> str:
        """Plain text for a terminal. Columns stay aligned with wide and combining characters."""
        return render_text((self.formula, *self.remarks, self.signature), self.blocks)

    def html(self, style: bool = True) -> str:
        """An HTML fragment. Everything that comes from the texts is escaped.

        Parameters
        ----------
        style : bool
            Whether the fragment has its stylesheet. A page with several traces needs it only once.
        """
        return render_html(self.formula, self.remarks, self.blocks, self.signature, style)

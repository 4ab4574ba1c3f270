"""A matrix of numbers with labels at its rows and columns: as a table for a terminal, and as a picture for a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from metrologue.tracing.blocks import Block
from metrologue.tracing.picture import LETTER
from metrologue.tracing.spelling import visible

__all__ = ["Matrix"]

# The picture's measures, in pixels.
CELL_HEIGHT, LEAST_WIDTH, GAP, LINE = 32.0, 44.0, 12.0, 22.0


@dataclass(frozen=True, kw_only=True)
class Matrix(Block):
    """Numbers in rows and columns, such as a confusion matrix.

    Attributes
    ----------
    name : str
    axes : tuple of two str
        What the rows are, and what the columns are.
    labels : tuple of str
        The names of the rows, which are those of the columns too.
    cells : tuple of tuple of float
        The rows, from above.
    """

    kind: ClassVar[str] = "matrix"

    name: str
    axes: tuple[str, str]
    labels: tuple[str, ...]
    cells: tuple[tuple[float, ...], ...]

    @property
    def orientation(self) -> str:
        """What rows and columns are, in words.

        Examples
        --------
        >>> Matrix(name="counts", axes=("actual", "predicted"), labels=("a",), cells=((1,),)).orientation
        'rows: actual, columns: predicted'
        """
        return f"rows: {self.axes[0]}, columns: {self.axes[1]}"

    @property
    def corner(self) -> str:
        """The heading of the column of labels."""
        return "\\".join(self.axes)

    @property
    def rows(self) -> list[tuple[str, list[str]]]:
        """Each label with its numbers, as text."""
        return [
            (visible(label), [f"{value:.6g}" for value in row])
            for label, row in zip(self.labels, self.cells, strict=True)
        ]

    # What the picture draws.

    @property
    def left(self) -> float:
        """The width of the labels at the left."""
        return LETTER * max(_width(text) for text in (self.corner, *map(visible, self.labels))) + GAP

    @property
    def step(self) -> float:
        """The width of a column."""
        texts = [*map(visible, self.labels), *(text for _, row in self.rows for text in row)]
        return max(LEAST_WIDTH, LETTER * max(map(_width, texts)) + GAP)

    @property
    def width(self) -> float:
        """The width of the picture."""
        return self.left + self.step * len(self.labels)

    @property
    def height(self) -> float:
        """The height of the picture."""
        return LINE + CELL_HEIGHT * len(self.labels)

    @property
    def headings(self) -> list[tuple[float, float, str]]:
        """The labels of rows and columns: the middle of each, and its text."""
        names = [visible(label) for label in self.labels]
        across = [(self.left + self.step * (j + 0.5), LINE / 2, name) for j, name in enumerate(names)]
        down = [(self.left / 2, LINE + CELL_HEIGHT * (i + 0.5), name) for i, name in enumerate(names)]
        return [(self.left / 2, LINE / 2, self.corner), *across, *down]

    @property
    def squares(self) -> list[tuple[float, float, float, str, str, str]]:
        """The cells: the corner of each, its share of its row, its number, whether it is right, and a sentence."""
        found = []
        for i, (label, row) in enumerate(self.rows):
            total = sum(self.cells[i])
            for j, (text, value) in enumerate(zip(row, self.cells[i], strict=True)):
                other = visible(self.labels[j])
                sentence = f"{self.axes[0]} {label}, {self.axes[1]} {other}: {text}"
                place = self.left + self.step * j, LINE + CELL_HEIGHT * i
                share = value / total if total else 0.0
                found.append((*place, share, text, "circle" if i == j else "triangle", sentence))
        return found

    cell_height: ClassVar[float] = CELL_HEIGHT


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)

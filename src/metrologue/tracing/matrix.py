"""A matrix of numbers with labels at its rows and columns: as a table for a terminal, and as a picture for a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from metrologue.tracing.blocks import Block, Notes
from metrologue.tracing.picture import LETTER
from metrologue.tracing.spelling import visible, width_of

# The picture's measures, in pixels.
CELL_HEIGHT, LEAST_WIDTH, GAP, LINE = 32.0, 44.0, 12.0, 22.0
MOST_WORDS = 40  # a map of more does not fit a page
# A wider picture scrolls: its letters would be small if it fitted a page. The names of its columns stand upright.
WIDEST = 720.0
NAME = LETTER * 11 / 14  # the width of a letter of a name


@dataclass(frozen=True, kw_only=True)
class Matrix(Block):
    """Numbers in rows and columns, such as a confusion matrix.

    Attributes
    ----------
    name : str
    axes : tuple of two str
        What the rows are, and what the columns are.
    labels : tuple of str
        The names of the rows.
    cells : tuple of tuple of float
        The rows, from above.
    columns : tuple of str
        The names of the columns; by default those of the rows.
    marked : tuple of (int, int), or None
        The row and the column of each cell that is marked. The shade of a cell is then its number, from 0 to 1. None:
        the diagonal is marked, and the shade is the share of the cell's row.
    """

    kind: ClassVar[str] = "matrix"

    name: str
    axes: tuple[str, str]
    labels: tuple[str, ...]
    cells: tuple[tuple[float, ...], ...]
    columns: tuple[str, ...] = ()
    marked: tuple[tuple[int, int], ...] | None = None

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

    @cached_property
    def headers(self) -> list[str]:
        """The names of the columns, as text."""
        return [visible(label) for label in self.columns or self.labels]

    @cached_property
    def rows(self) -> list[tuple[str, list[str]]]:
        """Each label with its numbers, as text."""
        return [
            (visible(label), [f"{value:.6g}" for value in row])
            for label, row in zip(self.labels, self.cells, strict=True)
        ]

    # What the picture draws. A page asks for it at each cell, so it is computed once.

    @cached_property
    def left(self) -> float:
        """The width of the labels at the left."""
        return LETTER * max(width_of(text) for text in (self.corner, *map(visible, self.labels))) + GAP

    @cached_property
    def _broad(self) -> float:
        """The width of a column whose name lies flat."""
        return max(self._narrow, LETTER * max(map(width_of, self.headers)) + GAP)

    @cached_property
    def _narrow(self) -> float:
        """The width of a column whose name stands upright."""
        return max(LEAST_WIDTH, LETTER * max(width_of(text) for _, row in self.rows for text in row) + GAP)

    @cached_property
    def is_upright(self) -> bool:
        """Whether the names of the columns stand upright."""
        return self.left + self._broad * len(self.headers) > WIDEST

    @cached_property
    def step(self) -> float:
        """The width of a column."""
        return self._narrow if self.is_upright else self._broad

    @cached_property
    def top(self) -> float:
        """The height of the names of the columns."""
        return max(LINE, NAME * max(map(width_of, self.headers)) + GAP) if self.is_upright else LINE

    @property
    def fits(self) -> bool:
        """Whether the picture may become smaller on a phone."""
        return self.width <= WIDEST

    @cached_property
    def width(self) -> float:
        """The width of the picture."""
        return self.left + self.step * len(self.headers)

    @property
    def height(self) -> float:
        """The height of the picture."""
        return self.top + CELL_HEIGHT * len(self.labels)

    @property
    def headings(self) -> list[tuple[float, float, str, bool]]:
        """The labels of rows and columns: the middle of each, its text, and whether it stands upright."""
        left, step, top, upright = self.left, self.step, self.top, self.is_upright
        across = [(left + step * (j + 0.5), top / 2, name, upright) for j, name in enumerate(self.headers)]
        down = [(left / 2, top + CELL_HEIGHT * (i + 0.5), visible(each), False) for i, each in enumerate(self.labels)]
        return [(left / 2, top - LINE / 2, self.corner, False), *across, *down]

    @property
    def squares(self) -> list[tuple[float, float, float, str, str, str]]:
        """The cells: the corner of each, its share of its row, its number, whether it is right, and a sentence."""
        squares = []
        left, step, top, headers = self.left, self.step, self.top, self.headers
        for i, (label, row) in enumerate(self.rows):
            total = 1.0 if self.marked is not None else sum(self.cells[i])
            for j, (text, value) in enumerate(zip(row, self.cells[i], strict=True)):
                sentence = f"{self.axes[0]} {label}, {self.axes[1]} {headers[j]}: {text}"
                place = left + step * j, top + CELL_HEIGHT * i
                share = min(max(value / total, 0.0), 1.0) if total else 0.0
                squares.append((*place, share, text, "circle" if self.is_marked(i, j) else "triangle", sentence))
        return squares

    def is_marked(self, row: int, column: int) -> bool:
        """Whether a cell is marked."""
        return row == column if self.marked is None else (row, column) in self.marked

    cell_height: ClassVar[float] = CELL_HEIGHT


def heat_map(
    name: str, words: tuple[Sequence[str], Sequence[str]], cells: Iterable[Iterable[float]],
    marked: Iterable[tuple[int, int]], noun: str,
) -> Block:  # fmt: skip
    """How similar the words of a hypothesis and of a reference are; a note, if a text has none or they are too many.

    Examples
    --------
    >>> heat_map("cosines", (["a"], []), [[]], [], "words; a map of cosines").lines
    ('1 and 0 words; a map of cosines is shown for 1 to 40',)
    """
    sizes = [*map(len, words)]
    if not all(sizes) or max(sizes) > MOST_WORDS:
        return Notes(lines=(f"{sizes[0]} and {sizes[1]} {noun} is shown for 1 to {MOST_WORDS}",))
    return Matrix(
        name=name, axes=("hypothesis", "reference"), labels=tuple(words[0]), columns=tuple(words[1]),
        cells=tuple(map(tuple, cells)), marked=tuple(sorted(marked)),
    )  # fmt: skip

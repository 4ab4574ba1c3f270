"""The picture of an alignment: both texts as rows of words, and a line for each match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

from metrologue.tracing.blocks import Alignment, Link, Word
from metrologue.tracing.spelling import direction, visible, width_of

# The picture's measures, in pixels. The width of letters is that of a monospaced font of 14 pixels.
LETTER, WORD_GAP, LEAST_WORD = 8.43, 14.0, 22.0
NAME_Y, WORDS_Y, BARS_Y, MARKS_Y = 10.0, 34.0, 47.0, 56.0
HEIGHT, LEAST_WIDTH = 208.0, 120.0
# Each mark is drawn around the point (0, 0).
SHAPES = {
    "circle": "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
    "triangle": "M0-5.5L5.5 4.5H-5.5z",
    "diamond": "M0-6L6 0L0 6L-6 0z",
    "square": "M-4.5-4.5H4.5V4.5H-4.5z",
}


@dataclass(frozen=True)
class Picture:
    """What the SVG draws, in pixels: both texts as rows of words, and a line for each match.

    Attributes
    ----------
    alignment : Alignment
    """

    alignment: Alignment
    height: ClassVar[float] = HEIGHT
    shapes: ClassVar[dict[str, str]] = SHAPES

    @cached_property
    def direction(self) -> str:
        """ "ltr" or "rtl"."""
        return direction(word.text for row in self.alignment.rows for word in row)

    @cached_property
    def width(self) -> float:
        """The width of the longer row."""
        return max([LEAST_WIDTH, *(row[-1][1] + WORD_GAP / 2 for row in self._edges if row)])

    @cached_property
    def _edges(self) -> list[list[tuple[float, float]]]:
        """The beginning and the end of each word, row by row, measured from the beginning of the text."""
        edges = []
        for row in self.alignment.rows:
            widths = [max(LETTER * width_of(visible(word.text)), LEAST_WORD) for word in row]
            starts = accumulate(widths, lambda start, width: start + width + WORD_GAP, initial=WORD_GAP / 2)
            edges.append([(start, start + width) for start, width in zip(starts, widths, strict=False)])
        return edges

    def _mirrored(self, x: float) -> float:
        return self.width - x if self.direction == "rtl" else x

    @staticmethod
    def _y(row: int, depth: float) -> float:
        """The y of a depth below the upper edge for the hypothesis, or above the lower edge for the reference."""
        return HEIGHT - depth if row else depth

    def spelled(self, link: Link) -> str:
        """The words of a match in both texts, and the stage that found it."""
        ours, theirs = (" ".join(map(visible, words)) for words in self.alignment.words(link))
        return f"{ours} – {theirs} ({link.name})"

    @property
    def sentence(self) -> str:
        """All matches in words, for readers who cannot see the picture."""
        return "; ".join(map(self.spelled, self.alignment.links)) or "no match"

    @property
    def names(self) -> list[tuple[float, float, str]]:
        """The position of each row's name."""
        x = self._mirrored(WORD_GAP / 2)
        return [(x, self._y(row, NAME_Y), name) for row, name in enumerate(self.alignment.names)]

    @property
    def words(self) -> list[tuple[float, float, Word]]:
        """The position of the middle of each word."""
        return [
            (self._mirrored(sum(edges) / 2), self._y(row, WORDS_Y), word)
            for row in (0, 1)
            for edges, word in zip(self._edges[row], self.alignment.rows[row], strict=True)
        ]

    def _span(self, link: Link, row: int) -> tuple[float, float]:
        first = link.starts[row]
        last = first + link.lengths[row] - 1
        return self._mirrored(self._edges[row][first][0]), self._mirrored(self._edges[row][last][1])

    @property
    def bars(self) -> list[tuple[float, float, float, Link]]:
        """The bars below or above the words of each phrase: both ends, the height, and the link."""
        return [
            (*self._span(link, row), self._y(row, BARS_Y), link)
            for link in self.alignment.links
            for row in (0, 1)
            if link.lengths[row] > 1
        ]

    @property
    def curves(self) -> list[tuple[str, list[tuple[float, float]], Link]]:
        """The line of each match as an SVG path, and its two ends, where the marks are."""
        curves = []
        for link in self.alignment.links:
            ends = [(sum(self._span(link, row)) / 2, self._y(row, MARKS_Y)) for row in (0, 1)]
            (x, y), (other_x, other_y) = ends
            path = (
                f"M{x:.1f} {y:.1f}C{x:.1f} {HEIGHT / 2:.1f} {other_x:.1f} {HEIGHT / 2:.1f} {other_x:.1f} {other_y:.1f}"
            )
            curves.append((path, ends, link))
        return curves

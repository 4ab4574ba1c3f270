"""Edits of a text, and where they and other places are in the text that they make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = ["Edit", "Span", "edited", "moved"]

Span = tuple[int, int]


class Edit(NamedTuple):
    """The characters `start` to `stop` of a text become another text."""

    start: int
    stop: int
    text: str

    @property
    def span(self) -> Span:
        """What it replaces."""
        return self.start, self.stop


def edited(text: str, edits: Iterable[Edit]) -> tuple[str, list[Span]]:
    """The text after edits that do not overlap, and where what they put in is; of each edit, in the order of the text.

    Examples
    --------
    >>> edited("Anna ran home", [Edit(9, 13, "away"), Edit(0, 4, "Bo")])
    ('Bo ran away', [(0, 2), (7, 11)])
    """
    made: list[str] = []
    spans: list[Span] = []
    end = length = 0
    for edit in sorted(edits):
        made += [text[end : edit.start], edit.text]
        length += edit.start - end
        spans.append((length, length + len(edit.text)))
        length, end = length + len(edit.text), edit.stop
    return "".join([*made, text[end:]]), spans


def moved(span: Span, edits: Sequence[Edit]) -> Span:
    """Where a span is after edits that do not overlap it.

    Examples
    --------
    >>> moved((5, 8), [Edit(0, 4, "Bo"), Edit(9, 13, "away")])
    (3, 6)
    """
    step = sum(len(edit.text) - (edit.stop - edit.start) for edit in edits if edit.stop <= span[0])
    return span[0] + step, span[1] + step

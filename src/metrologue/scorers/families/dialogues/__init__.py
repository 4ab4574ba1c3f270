"""Dialogues as input: a response with the turns before it, or a whole dialogue."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from metrologue.errors import InputError
from metrologue.files.turns import lines_of
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import Input, groups, turns
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import OfTexts
from metrologue.segments import Segments
from metrologue.text.reading.text import Groups

__all__ = ["CONTEXTS", "OfDialogues", "turns_of"]

# The name of the column with the turns before each prediction.
CONTEXTS = "contexts"


def turns_of(segments: Segments, name: str) -> list[list[str]]:
    """The turns of each segment in a column: the texts of a list, or the lines of a text; none without such a column.

    Examples
    --------
    >>> segments = Segments(["Hi!\\nHello."])
    >>> turns_of(segments, "predictions"), turns_of(segments, "contexts")
    ([['Hi!', 'Hello.']], [[]])
    """
    column = segments.columns.get(name)
    if column is None:
        return [[] for _ in range(len(segments))]
    rows = [column.entries(segment) for segment in range(len(segments))]
    if isinstance(column, Groups):
        return [[text.strip() for text in row] for row in rows]
    return [lines_of(row[0]) for row in rows]


class OfDialogues(OfTexts, Scorer):
    """A metric of responses, each with the turns before it, or of whole dialogues.

    A prediction is a response, or a dialogue: a list of its turns, or a text whose lines are its turns. `contexts` has
    the turns before each prediction, in the same forms. Both together are the conversation.
    """

    inputs: ClassVar[tuple[Input, ...]] = (
        groups("predictions"),
        turns(CONTEXTS, required=False, about="the turns before each prediction"),
    )
    _of_turns: ClassVar[tuple[str, ...]] = ()  # what a trace shows after each turn; by default the primary number
    about: ClassVar = About(two_texts=False)

    def _conversations(self, segments: Segments) -> list[list[str]]:
        """The turns of each conversation: those of its context and of its prediction, which has one at least."""
        befores, own = turns_of(segments, CONTEXTS), turns_of(segments, "predictions")
        return [[*before, *(turns or [""])] for before, turns in zip(befores, own, strict=True)]

    def _along(self, segment: Segments) -> Segments:
        """A segment as one conversation for each of its turns, which ends with this turn."""
        [turns] = self._conversations(segment)
        row = np.zeros(len(turns), np.int64)
        others = {name: each.take(row) for name, each in segment.columns.items() if name != CONTEXTS}
        stops = range(1, len(turns) + 1)
        return Segments.of_columns(
            {**others, "predictions": Groups.others([turns[:stop] for stop in stops], self._label)}
        )

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        alone = sum(len(turns) == 1 for turns in self._conversations(segments))
        if not alone:
            return []
        have = "conversation has" if alone == 1 else "conversations have"
        return [f"{self._label}: {alone} {have} one turn only; give `contexts`."]

    def _refuse_missing(self, what: str) -> InputError:
        return InputError(f"{self._label}: `model` is missing; {what}")

"""Groups of texts as segments: all that a system wrote for one prompt, or all captions of one picture."""

from __future__ import annotations

from typing import Any

from metrologue.data.intake import are_lists, listed
from metrologue.segments import Segments
from metrologue.text.reading.text import Groups, Text

__all__ = ["group_segments", "holds_groups", "single_texts"]


def group_segments(predictions: Any, references: Any = None, owner: str = "Segments") -> Segments:
    """Segments of groups of texts if the first prediction is a list, and of single texts otherwise.

    Parameters
    ----------
    predictions : sequence of n sequences of str, or of n str
        A group has at least one text. The sizes of groups may differ.
    references, owner
        As for ``Segments``.

    Raises
    ------
    InputError
        As for ``Segments``; or if lists and strings are mixed, or a group is empty.

    Examples
    --------
    >>> segments = group_segments([["a cat", "a dog"], ["a bird"]])
    >>> len(segments), segments.pair(0), len(single_texts(segments))
    (2, (['a cat', 'a dog'], []), 3)
    """
    predictions = listed(predictions, "predictions", owner)
    if not are_lists(predictions):
        return Segments(predictions, references, owner)
    groups = Groups.others(predictions, owner)
    if references is None:
        return Segments.of_columns({"predictions": groups}, owner)
    checked = Segments([""] * len(groups), references, owner)
    return Segments.of_columns({**checked.columns, "predictions": groups}, owner)


def holds_groups(segments: Segments) -> bool:
    """Whether the segments are groups of texts."""
    return isinstance(segments.predictions, Groups)


def single_texts(segments: Segments) -> Segments:
    """The texts of all groups, each as a segment without references; the segments themselves if there are no groups."""
    if not holds_groups(segments):
        return segments
    return segments.memoize(("single texts",), lambda: Segments.of_columns({"predictions": Text(segments.texts())}))

"""What HUSE knows of each text: how typical people find it, how probable the model finds it, and who wrote it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from metrologue.data.arrays import Flags, Floats
from metrologue.data.columns import Column, Numbers
from metrologue.data.intake import as_text, is_list, listed, with_type
from metrologue.data.labels import encoded
from metrologue.errors import InputError, shown
from metrologue.scorers.core.inputs import Columns
from metrologue.scorers.families.token_probabilities.reading import parse_lines
from metrologue.segments import Segments
from metrologue.text.reading.text import Text

__all__ = ["Points", "author_column", "points_of"]

# Whether a text is by the model.
_AUTHORS = {"model": True, "1": True, "true": True, "human": False, "0": False, "false": False}
_WANTED = '"model" or "human", or 1 or 0, is expected'


class Points(NamedTuple):
    """Texts as points.

    Attributes
    ----------
    features : float64 (n, 2)
        The judgement, and the logarithm of the probability for each token.
    by_model : bool (n,)
        Whether the model wrote the text.
    """

    features: Floats
    by_model: Flags


def author_column(references: Any, argument: str, owner: str, columns: Columns) -> Column:
    """Who wrote each text, as a column of texts.

    Raises
    ------
    InputError
        If a reference is neither a str nor 0 or 1, nor a list of one of these.
    """
    rows = listed(references, "references", owner, of="labels")
    values = rows.to_pylist() if isinstance(rows, pa.Array) else rows
    found = []
    for index, row in enumerate(values):
        single = [*row] if is_list(row) and not isinstance(row, str) else [row]
        if len(single) != 1 or not isinstance(single[0], (str, int, float, np.number, np.bool_)):
            raise InputError(f"{owner}: `references[{index}]` is {with_type(row)}; {_WANTED}.")
        label = single[0]
        found.append(label if isinstance(label, str) else f"{label:g}")
    return Text(as_text(found, "references", owner), np.arange(len(found) + 1))


def points_of(segments: Segments, owner: str) -> Points:
    """The points of all texts.

    Raises
    ------
    InputError
        If a text has not two or three finite numbers, its length is not above 0, or its author is neither.
    """
    return segments.memoize(("points",), lambda: _points(segments, owner))


def _points(segments: Segments, owner: str) -> Points:
    column = segments.predictions
    if isinstance(column, Numbers):
        values, offsets = column.values, column.offsets
    else:
        values, offsets = parse_lines(segments, owner, "numbers separated by whitespace are expected.")
    widths = np.diff(offsets)

    def refuse(wrong: Any, what: str) -> None:
        if np.any(wrong):
            at = int(np.argmax(wrong))
            row = values[offsets[at] : offsets[at + 1]].tolist()
            raise InputError.at(owner, "predictions", segments.first + at, f" is {row}; {what}.")

    expected = "a judgement, a log-probability and a length above 0 are expected"
    refuse((widths < 2) | (widths > 3), expected)
    refuse(widths != widths[:1], "all texts need as many numbers as the first one")
    table = values.reshape(len(widths), -1) if len(widths) else np.zeros((0, 2))
    refuse(~np.isfinite(table).all(axis=1), f"{expected}, and all must be finite (the authors take -1000 for -inf)")
    if table.shape[1] == 3:
        refuse(table[:, 2] <= 0, expected)
        table = np.column_stack([table[:, 0], table[:, 1] / table[:, 2]])
    return Points(table, _authors(segments, owner))


def _authors(segments: Segments, owner: str) -> Flags:
    """Whether each text is by the model, (n,)."""
    several = np.diff(segments.reference_offsets) != 1
    if several.any():
        at = int(np.argmax(several))
        raise InputError.at(owner, "references", segments.first + at, f" has several items; {_WANTED}.")
    codes, labels = encoded(segments.texts("references"))
    known = [_AUTHORS.get(str(label).lower()) for label in labels]
    if None in known:
        unknown = known.index(None)
        at = int(np.argmax(codes == unknown))
        raise InputError.at(owner, "references", segments.first + at, f" is {shown(labels[unknown])}; {_WANTED}.")
    found: Flags = np.array(known, np.bool_)[codes]
    return found

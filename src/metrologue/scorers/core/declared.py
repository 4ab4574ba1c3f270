"""What the author of a metric declared, held against what the metric gives: mistakes are said once, and early.

The messages are for authors, so they are no InputErrors: no text and no field mends them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import shown

# A scorer. The module that defines it imports this one.
Scorer = Any

# By what share of its limits a number may be out of its range: a sum of floats is not exact.
_ROUNDING = 1e-6


def check_rows(scorer: Scorer, rows: Floats, segments: int, method: str) -> None:
    """Raise a TypeError unless there is a row for each of these things, and a column for each name."""
    columns, shape = scorer._columns, np.shape(rows)
    if shape != (segments, len(columns)):
        raise TypeError(
            f"{scorer._label}: `{method}` gives the shape {shape}; {(segments, len(columns))} is expected, with the "
            f"columns {', '.join(columns)}."
        )
    scorer._proven.add(method)


def check_numbers(scorer: Scorer, numbers: Mapping[str, Floats]) -> None:
    """Raise a TypeError unless these are the declared numbers, in order; a ValueError if one is out of its range."""
    names, expected = [*numbers], [*scorer._reported]
    if names != expected:
        wrong = [name for name in names if name not in expected]
        missing = [name for name in expected if name not in names]
        told = (
            f"gives {shown(wrong[0])}, which `numbers` does not declare" if wrong
            else f"does not give {shown(missing[0])}, which `numbers` declares" if missing
            else f"gives {shown(names)}; `numbers` declares them in another order"
        )  # fmt: skip
        raise TypeError(f"{scorer._label}: `_score` {told}; the declared names are {', '.join(expected)}.")
    for name, (least, greatest) in scorer._ranges.items():
        values = np.asarray(numbers[name])
        below, above = (limit * _ROUNDING if np.isfinite(limit) else 0.0 for limit in (least, greatest))
        outside = values[(values < least - abs(below) - _ROUNDING) | (values > greatest + abs(above) + _ROUNDING)]
        if outside.size:
            raise ValueError(
                f"{scorer._label}: `{name}` is {outside.flat[0]:g}; its declared range is {least:g} to {greatest:g}."
            )
    scorer._proven.add("_score")

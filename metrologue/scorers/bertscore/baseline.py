"""Baselines: the score of unrelated texts, at which a rescaled score is 0."""

from __future__ import annotations

import csv
from pathlib import Path

from metrologue.errors import InputError

__all__ = ["read_baseline"]

_HEADER = ["LAYER", "P", "R", "F"]


def read_baseline(path: Path, layer: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of unrelated texts on a layer, from a file of comma-separated values.

    Raises
    ------
    InputError
        If the file cannot be read, is no such table, or does not have the layer.
    """
    try:
        header, *rows = [row for row in csv.reader(path.read_text("utf-8").splitlines()) if row]
    except (OSError, UnicodeDecodeError, ValueError, csv.Error) as error:
        raise InputError(f"BertScore: the baselines in {path} cannot be read: {error}.") from error
    if [each.strip() for each in header] != _HEADER:
        raise InputError(f"BertScore: {path} has no baselines; its first line must be {','.join(_HEADER)}.")
    try:
        table = {int(row[0]): (float(row[1]), float(row[2]), float(row[3])) for row in rows}
    except (ValueError, IndexError) as error:
        raise InputError(f"BertScore: {path} has a line that is no layer with three numbers: {error}.") from error
    if layer not in table:
        raise InputError(f"BertScore: {path} has no baseline for layer {layer}; it has {', '.join(map(str, table))}.")
    return table[layer]

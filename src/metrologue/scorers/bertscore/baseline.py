"""Baselines: the score of unrelated texts, at which a rescaled score is 0."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, checked_int
from metrologue.representations.base import Encoder
from metrologue.scorers.bertscore.matching import Weighted, matched
from metrologue.scorers.families.token_vectors import unit_vectors

_HEADER = ["LAYER", "P", "R", "F"]
_AT_ONCE = 512  # pairs whose vectors on all layers are in memory
_QUANTILE = 1.959963984540054  # of the normal distribution, for 95 %


@dataclass(frozen=True)
class Baseline:
    """The mean score of random pairs of texts on one layer.

    Attributes
    ----------
    layer : int
    values : tuple of three float
        Precision, recall and F1.
    margins : tuple of three float
        Half the width of the 95 % interval of each.
    pairs : int
        The number of pairs.
    """

    layer: int
    values: tuple[float, ...]
    margins: tuple[float, ...]
    pairs: int

    @property
    def line(self) -> str:
        """The layer and the values as a line of a file of baselines."""
        return ",".join([str(self.layer), *(f"{value:.8g}" for value in self.values)])


def estimated_baselines(
    encoder: Encoder, texts: Sequence[str], pairs: int | None = None, seed: int = 12345
) -> list[Baseline]:
    """The baselines of all layers of an encoder, from random pairs of texts, as the authors make them.

    No text is in two pairs. So the pairs are independent, and the interval is that of a mean: 1.96 standard errors.
    Raises an InputError if there are fewer than four distinct texts with content, or a number is out of range.

    Parameters
    ----------
    encoder : Encoder
    texts : sequence of str
        Equal texts count once.
    pairs : int, optional
        At most so many pairs; by default as many as there are.
    seed : int

    Examples
    --------
    >>> from metrologue.representations import FunctionEncoder
    >>> def letters(texts):
    ...     return [[[word.count(letter) for letter in "abcdefgh"] for word in text.split()] for text in texts]
    >>> encoder = FunctionEncoder("letters", letters, "1")
    >>> [found] = estimated_baselines(encoder, ["a bad cab", "a bag", "had a head", "he", "a deaf chef", "fed"])
    >>> found.line, found.pairs
    ('0,0.36718634,0.48503747,0.40647005', 3)
    """
    distinct = [text for text in dict.fromkeys(texts) if text.strip()]
    if len(distinct) < 4:
        raise InputError(f"baseline: {len(distinct)} distinct texts with content; give at least 4, better 10,000.")
    most = len(distinct) // 2
    count = most if pairs is None else min(most, checked_int("`pairs`", pairs, 2))
    order = np.random.default_rng(checked_int("`seed`", seed, 0, 2**32 - 1)).permutation(len(distinct))[: 2 * count]
    chosen = [distinct[at] for at in order.tolist()]
    blocks = [_of_block(encoder, chosen[first : first + 2 * _AT_ONCE]) for first in range(0, len(chosen), 2 * _AT_ONCE)]
    rows = np.concatenate(blocks, axis=1)
    means, errors = rows.mean(axis=1), rows.std(axis=1, ddof=1) / np.sqrt(count)
    return [
        Baseline(layer, tuple(means[layer].tolist()), tuple((_QUANTILE * errors[layer]).tolist()), count)
        for layer in range(encoder.layers + 1)
    ]


def _of_block(encoder: Encoder, texts: Sequence[str]) -> Any:
    """Precision, recall and F1 of pairs of neighbours on each layer, (layers, pairs, 3)."""
    found = encoder.encode_tokens(texts, range(encoder.layers + 1))
    one, other = np.arange(0, len(texts), 2), np.arange(1, len(texts), 2)
    weights = found.counted.astype(np.float64)

    def on_layer(layer: int) -> Floats:
        scores = matched(
            Weighted(unit_vectors(found.vectors[layer]), found.offsets, weights, found.counted), one, other
        )
        whole = scores.sum(axis=1)
        f1 = np.divide(2 * scores.prod(axis=1), whole, out=np.zeros(len(scores)), where=whole != 0)
        return np.column_stack([scores, f1])

    return np.stack([on_layer(layer) for layer in range(encoder.layers + 1)])


def read_baseline(path: Path, layer: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of unrelated texts on a layer, from a file of comma-separated values.

    Raises an InputError if the file cannot be read, is no such table, or does not have the layer.
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

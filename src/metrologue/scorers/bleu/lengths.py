"""The rules for the reference length of a segment with several references."""

from __future__ import annotations

import numpy as np

from metrologue.data.arrays import Floats, Integers
from metrologue.scorers.core.options import Rule

__all__ = ["REFERENCE_LENGTHS"]


# Each function takes the lengths of the hypotheses (n,), the lengths of all references (n_references,), and where each
# segment's references begin (n + 1,). It gives a length for each segment (n,).


def _closest_by(tie: Integers, lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    """The value in `tie` of the closest reference. Among equally close references, the smallest `tie` wins."""
    if len(tie) == len(lengths):
        return tie  # one reference each: there is nothing to choose
    distances = np.abs(reference_lengths - np.repeat(lengths, np.diff(offsets)))
    # Distance and tie are packed into one number, so that one pass minimises both.
    span = int(tie.max(initial=0)) + 1
    packed: Integers = np.minimum.reduceat(distances * span + tie, offsets[:-1])
    return packed % span


def _closest(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    return _closest_by(reference_lengths, lengths, reference_lengths, offsets)


def _closest_first(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    order = np.arange(len(reference_lengths))
    return reference_lengths[_closest_by(order, lengths, reference_lengths, offsets)]


def _shortest(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    shortest: Integers = np.minimum.reduceat(reference_lengths, offsets[:-1])
    return shortest


def _longest(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Integers:
    longest: Integers = np.maximum.reduceat(reference_lengths, offsets[:-1])
    return longest


def _average(lengths: Integers, reference_lengths: Integers, offsets: Integers) -> Floats:
    average: Floats = np.add.reduceat(reference_lengths, offsets[:-1]) / np.diff(offsets)
    return average


REFERENCE_LENGTHS: dict[str, Rule[[Integers, Integers, Integers], Integers | Floats]] = {
    "closest": Rule(_closest, "that of the closest reference; of two equally close ones, the shorter"),
    "closest-first": Rule(_closest_first, "that of the closest reference; of two equally close ones, the first"),
    "shortest": Rule(_shortest, "that of the shortest reference"),
    "longest": Rule(_longest, "that of the longest reference"),
    "average": Rule(_average, "the mean of all"),
}

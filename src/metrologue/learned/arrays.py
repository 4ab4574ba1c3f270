"""The arrays of a network, checked against each other before anything is computed with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.errors import InputError, shown


def shape_of(owner: str, arrays: Mapping[str, np.ndarray], name: str, dimensions: int | None = None) -> tuple[int, ...]:
    """The shape of an array, which has so many dimensions.

    Raises an InputError if there is no such array, or it has another number of dimensions. `owner` is the network in
    the message.

    Examples
    --------
    >>> shape_of("Reward", {"out": np.zeros((2, 3))}, "out", 2)
    (2, 3)
    """
    if name not in arrays:
        raise InputError(f"{owner}: there is no array {name!r}.")
    shape = arrays[name].shape
    if dimensions is not None and len(shape) != dimensions:
        raise InputError(f"{owner}: the array {name!r} has the shape {shape}; {dimensions} dimensions are expected.")
    return shape


def check_arrays(owner: str, arrays: Mapping[str, np.ndarray], shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Refuse arrays that are not exactly those of a network.

    Raises an InputError if an array is missing or unknown, its shape does not fit the others, or a number is not
    finite.

    Parameters
    ----------
    owner : str
        The network, for messages.
    arrays : mapping of str to array
    shapes : mapping of str to tuple of int
        The shape of each array that the network has.

    Examples
    --------
    >>> check_arrays("Network", {"mean": np.zeros(2)}, {"mean": (3,)})
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: Network: the shape of 'mean' is (2,), which does not fit the others; (3,) is expected.
    """
    for name, shape in shapes.items():
        if name not in arrays:
            raise InputError(f"{owner}: there is no array {name!r}.")
        if arrays[name].shape != shape:
            own = arrays[name].shape
            raise InputError(
                f"{owner}: the shape of {name!r} is {own}, which does not fit the others; {shape} is expected."
            )
    for name, each in arrays.items():
        if name not in shapes:
            raise InputError(f"{owner}: the array {shown(name)} is unknown.")
        if not np.isfinite(each).all():
            raise InputError(f"{owner}: {name!r} has a number that is not finite; the training has diverged.")


def check_width(owner: str, rows: Any, width: int) -> None:
    """Refuse rows, (n, k), of another width than those that a network was trained on, with an InputError."""
    if rows.shape[-1] != width:
        raise InputError(
            f"{owner}: it was trained on {width} numbers, and {rows.shape[-1]} are given; give the encoder, and the "
            "texts, that it was trained on."
        )


def softmax(logarithms: Floats, axis: int = 1) -> Floats:
    """The softmax of each row; of each column for axis 0."""
    powers = np.exp(logarithms - logarithms.max(axis=axis, keepdims=True))
    shares: Floats = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def sigmoid(values: Floats) -> Floats:
    """1 / (1 + exp(-x)) of each number, without overflow."""
    shares: Floats = np.exp(-np.logaddexp(0.0, -values))
    return shares

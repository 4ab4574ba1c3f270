"""N-gram scores of one short text after another, by a kernel that is called again and again with the same arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.jit import Kernel
from metrologue.kernels.arrays import Flags, Ids, Offsets, Words
from metrologue.kernels.ngram_scores import scoring_arrays, scoring_kernel

__all__ = ["ShortTexts", "bound"]


def bound(kernel: Kernel, arguments: Sequence[Any]) -> Callable[[], object]:
    """A function that runs a kernel on these arguments. Only the content of the arrays may change between calls.

    Parameters
    ----------
    kernel : Kernel
        Returns nothing.
    arguments : sequence
        As for the kernel. The arrays have to live as long as the function is called.

    Raises
    ------
    TypeError
        If an array has another dtype or dimension, or is not contiguous.
    """
    run, kinds, _ = kernel._loaded
    place = ctypes.c_void_p()
    values: list[Any] = []
    for (dtype, ndim), value in zip(kinds, arguments, strict=True):
        if ndim == 0:
            values.append(value)
            continue
        if value.dtype != dtype or value.ndim != ndim or not value.flags.c_contiguous:
            raise TypeError(f"kernel {kernel.name}: {value.dtype} of {value.ndim} dimensions came for {dtype}.")
        values += (None, None, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides)
    # Values that have their C types already are passed on as they are.
    typed = [kind(value) for kind, value in zip(run.argtypes, (ctypes.addressof(place), None, *values), strict=True)]
    return _Bound(partial(run, *typed), place)


class _Bound:
    """A call, with the place that its machine code writes to."""

    def __init__(self, call: Callable[[], object], place: object) -> None:
        self._call, self._place = call, place

    def __call__(self) -> None:
        self._call()


class ShortTexts:
    """Scores one short text after another, each in a few microseconds. It serves one thread.

    The arrays are made once, and so are the arguments of the machine code, which take longer to make than the scores.

    Parameters
    ----------
    layout, words, begin, end
        As for ``score_texts``.
    """

    longest = 4096  # bytes

    def __init__(self, layout: Offsets, words: Words, begin: bool, end: bool) -> None:
        most = self.longest // 2 + 2
        self._buffer, self._offsets = np.zeros(self.longest, np.uint8), np.zeros(2, np.int64)
        self._text = memoryview(self._buffer)  # type: ignore[arg-type]  # an array is a buffer
        self._ends, self._logs = np.zeros(2, np.int64), np.empty(most)
        self._unknown, self._lengths = np.empty(most, np.bool_), np.empty(most, np.int32)
        # The machine code keeps addresses only, so the arrays have to live as long as this object.
        self._kept = (
            self._buffer, self._offsets, layout, words, words.view(np.float32), words.view(np.uint8), begin, end,
            *scoring_arrays(layout, most + 1), self._ends, self._logs, self._unknown, self._lengths,
        )  # fmt: skip
        kernel: Any = scoring_kernel
        self._run = bound(kernel, self._kept)

    def scores(self, text: bytes) -> tuple[NDArray[np.float64], Flags, Ids]:
        """The log-probabilities, the unknown tokens and the lengths of ``score_texts``, for up to `longest` bytes."""
        size = len(text)
        self._text[:size] = text
        self._offsets[1] = size
        self._run()
        count = int(self._ends[1])
        return self._logs[:count].copy(), self._unknown[:count].copy(), self._lengths[:count].copy()

"""Random draws: which segments a resample has, and which segments two systems exchange."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.resampling import count_draws, count_indices

__all__ = ["DRAWS", "Draws"]

Floats = NDArray[np.float64]
Bits = NDArray[np.uint8]

# The counts and the bits of one block: as many as stay in the processor's cache.
_COUNTS, _BITS = 1 << 18, 1 << 23


class Draws(ABC):
    """A stream of random draws. Each call goes on where the last one ended.

    Resamples come in blocks, so that memory stays bounded. The draws do not depend on the size of a block.
    """

    def counts(self, n: int, resamples: int) -> Iterator[Floats]:
        """How often each of n segments is in each resample of n draws: blocks of float64 (b, n).

        A block is overwritten by the next one.
        """
        most = max(1, _COUNTS // n)
        block = np.empty((min(most, resamples), n))
        for start in range(0, resamples, most):
            counts = block[: min(most, resamples - start)]
            self._count(counts)
            yield counts

    def subsets(self, n: int, trials: int) -> Iterator[Bits]:
        """A random half of n segments for each trial: blocks of uint8 (b, ceil(n / 8)), a bit for each segment."""
        # A generator of single bits takes 32 of them at a time.
        most = 32 * max(1, _BITS // (32 * n))
        for start in range(0, trials, most):
            yield self._choose(min(most, trials - start), n)

    @abstractmethod
    def _count(self, counts: Floats) -> None:
        """Draw n of n segments for each row of `counts` (b, n), and count them there."""

    @abstractmethod
    def _choose(self, trials: int, n: int) -> Bits:
        """Random bits (trials, ceil(n / 8)); those after the n-th are ignored."""


class _Words(Draws):
    """Draws from random words of 64 bits: the quick way."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.SFC64(seed)

    def _count(self, counts: Floats) -> None:
        resamples, n = counts.shape
        count_draws(self._generator.random_raw(resamples * ((n + 1) // 2)), counts)

    def _choose(self, trials: int, n: int) -> Bits:
        words = self._generator.random_raw(trials * -(-n // 64)).reshape(trials, -1)
        return np.ascontiguousarray(words.view(np.uint8)[:, : -(-n // 8)])


class _Indices(Draws):
    """Draws that a library makes one by one, with NumPy's function for random integers below a limit."""

    def __init__(self, integers: Callable[..., NDArray[Any]]) -> None:
        self._integers = integers

    def _count(self, counts: Floats) -> None:
        count_indices(self._integers(0, counts.shape[1], size=counts.size, dtype=np.int64), counts)

    def _choose(self, trials: int, n: int) -> Bits:
        chosen = self._integers(0, 2, size=(trials, n), dtype=np.bool_)
        return np.packbits(chosen, axis=1, bitorder="little")


# For each generator, its stream from a seed. "sfc64": our own. "pcg64": NumPy's `default_rng`, as in sacrebleu and
# scipy. "mt19937": NumPy's legacy generator, as in rouge_score.
DRAWS: Mapping[str, Callable[[int], Draws]] = {
    "sfc64": _Words,
    "pcg64": lambda seed: _Indices(np.random.default_rng(seed).integers),
    "mt19937": lambda seed: _Indices(np.random.RandomState(seed).randint),
}

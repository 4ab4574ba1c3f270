"""Random draws: which segments a resample has, and which segments two systems exchange."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Bytes
from metrologue.inference.kernels import CHUNK, count_draws, count_legacy_draws, count_poisson_draws, random_words

# The counts and the bits of one block: as many as stay in the processor's cache.
_COUNTS, _BITS = 1 << 18, 1 << 22


class Draws:
    """Random draws from a seed: one stream of resamples, and one of subsets.

    Each call goes on where the last one ended. Draws come in blocks, so that memory stays bounded. They do not depend
    on the size of a block.

    `count` draws n of n segments for each row of uint8 (b, n), and counts them there. `choose` makes random bits from
    two ints, b and n: uint8 (b, ceil(n / 8)). Those after the n-th are ignored.
    """

    def __init__(self, count: Callable[[Bytes], None], choose: Callable[[int, int], Bytes]) -> None:
        self._count, self._choose = count, choose

    def counts(self, n: int, resamples: int) -> Iterator[Bytes]:
        """How often each of n segments is in each resample of n draws: blocks of uint8 (b, n).

        A block is overwritten by the next one. A count of 256 would be taken for 0. Its probability is below n / 256!.
        """
        most = max(1, _COUNTS // n)
        block = np.empty((min(most, resamples), n), np.uint8)
        for start in range(0, resamples, most):
            counts = block[: min(most, resamples - start)]
            self._count(counts)
            yield counts

    def subsets(self, n: int, trials: int) -> Iterator[Bytes]:
        """A random half of n segments for each trial: blocks of uint8 (b, ceil(n / 8)), a bit for each segment."""
        # NumPy's generators of single bits take 32 of them at a time.
        most = 32 * max(1, _BITS // (32 * n))
        for start in range(0, trials, most):
            yield self._choose(min(most, trials - start), n)


def _splitmix64(seed: int) -> Draws:
    state = np.random.SeedSequence(seed).generate_state(1, np.uint64)
    words = np.empty(CHUNK // 4, np.uint64)

    def count(counts: Bytes) -> None:
        count_poisson_draws(state, *_poisson(counts.shape[1]), words, words.view(np.uint16), counts)

    def choose(trials: int, n: int) -> Bytes:
        chosen = np.empty((trials, -(-n // 64)), np.uint64)
        random_words(state, chosen.reshape(-1))
        return np.ascontiguousarray(chosen.view(np.uint8)[:, : -(-n // 8)])

    return Draws(count, choose)


@lru_cache(maxsize=16)
def _poisson(n: int) -> tuple[NDArray[np.uint16], NDArray[np.uint64]]:
    """The `limits` and `rare` of ``count_poisson_draws``, for the Poisson law with the mean 1 / (1 + 2 / sqrt(n)).

    Any law would do. With this one, the sum of n counts is two standard deviations below n, so that few rows are made
    again, and few draws are missing. Each count's probability is right to 1e-15.
    """
    counts = range(24)
    mean = 1 / (1 + 2 / math.sqrt(n))
    numbers = np.array([math.exp(-mean) * mean**k / math.factorial(k) for k in counts]) * 2.0**15
    whole = np.floor(numbers)
    rest = (numbers - whole).cumsum()
    rare = [max(int(share * 2.0**64), 1) - 1 for share in (rest / rest[-1]).tolist()]
    return (whole.cumsum()[:8] - 1).astype(np.uint16), np.array(rare, np.uint64)


def _pcg64(seed: int) -> Draws:
    generator = np.random.PCG64(seed)
    wide = generator.state["state"]
    words = [half for number in (wide["state"], wide["inc"]) for half in divmod(number, 1 << 64)]
    return Draws(
        partial(count_draws, np.array([*words, 0, 0], np.uint64)),
        _from_integers(np.random.Generator(generator).integers),
    )


def _mt19937(seed: int) -> Draws:
    generator = np.random.RandomState(seed)
    state = generator.get_state(legacy=False)["state"]
    return Draws(
        partial(count_legacy_draws, np.append(state["key"], np.uint32(state["pos"]))), _from_integers(generator.randint)
    )


def _from_integers(integers: Callable[..., Bytes]) -> Callable[[int, int], Bytes]:
    """Random bits from NumPy's function for integers below a limit."""
    return lambda trials, n: np.packbits(integers(0, 2, size=(trials, n), dtype=np.bool_), axis=1, bitorder="little")


# For each generator, its draws from a seed. "splitmix64": our own choice, the quickest; it counts as
# `count_poisson_draws` says, takes its subsets from words of 64 bits, and begins each trial with a new word. "pcg64":
# `default_rng(seed)`, as in sacrebleu and scipy. "mt19937": `RandomState(seed)`, as in rouge_score. The resamples of
# these two are the numbers that `integers` or `randint` draws.
DRAWS: Mapping[str, Callable[[int], Draws]] = {"splitmix64": _splitmix64, "pcg64": _pcg64, "mt19937": _mt19937}

"""Types in random samples of a text, drawn as Python's ``random.sample`` draws them."""

from __future__ import annotations

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Ids, Number, Offsets, Rows, Words
from metrologue.native import helper, kernel

__all__ = ["sampled_types"]


@helper
def _below(limit: Number, words: Words, read: Offsets) -> Number:
    """A random number below `limit`, from as many bits as `limit` has; -1 if the words are at an end."""
    bits = 0
    while limit >> bits:
        bits += 1
    while read[0] < len(words):
        drawn = int64(words[read[0]] >> uint64(32 - bits))
        read[0] += 1
        if drawn < limit:
            return drawn
    return -1


@kernel
def _sampled_types(
    ids: Ids,
    words: Words,
    shortest: int,
    samples: int,
    read: Offsets,
    pool: Offsets,
    drawn: Offsets,
    seen: Offsets,
    types: Rows,
) -> bool:
    """Invariant: a token of this sample has the number of the sample in `drawn`, and its type has it in `seen`.

    Where a sample is large for its text, a drawn token leaves the pool. Otherwise a token that comes again is drawn
    anew. `types[run, j]` is the sum over the samples of `shortest + j` tokens. Returns whether the words were enough.
    """
    number = 0
    for run in range(len(types)):
        for column in range(types.shape[1]):
            size = shortest + column
            most = 1
            while most < 3 * size:
                most *= 4
            has_pool = len(ids) <= most + 21
            for _ in range(samples):
                number += 1
                for i in range(len(ids) if has_pool else 0):
                    pool[i] = i
                for i in range(size):
                    token = _below(len(ids) - i if has_pool else len(ids), words, read)
                    while not has_pool and token >= 0 and drawn[token] == number:
                        token = _below(len(ids), words, read)
                    if token < 0:
                        return False
                    if has_pool:
                        place, token = token, pool[token]
                        pool[place] = pool[len(ids) - i - 1]
                    drawn[token] = number
                    types[run, column] += seen[ids[token]] != number
                    seen[ids[token]] = number
    return True


def sampled_types(ids: Ids, shortest: int, longest: int, samples: int, runs: int, seed: int) -> NDArray[np.int64]:
    """The number of types in `samples` random samples of each size, added up: (runs, longest - shortest + 1).

    A sample is drawn without replacement, with the generator and the rules of ``random.sample`` after
    ``random.seed(seed)``. `shortest` is 6 or more, and `longest` is at most the number of tokens.

    Parameters
    ----------
    ids : int32 (n_tokens,)
        The tokens of one text.
    shortest, longest : int
    samples, runs, seed : int
    """
    shape = runs, longest - shortest + 1
    # A limit just above a power of two needs two words for a draw, on average.
    count = 3 * runs * samples * sum(range(shortest, longest + 1)) + 1000
    while True:
        # This seed in a list is what Python's generator makes of the number.
        words = np.random.RandomState([seed]).randint(0, 1 << 32, count, dtype=np.uint32).astype(np.uint64)
        types, read = np.zeros(shape, np.int64), np.zeros(1, np.int64)
        pool, drawn = np.zeros(len(ids), np.int64), np.zeros(len(ids), np.int64)
        seen = np.zeros(int(ids.max(initial=-1)) + 1, np.int64)
        if _sampled_types(ids, words, shortest, samples, read, pool, drawn, seen, types):
            return types
        count *= 2

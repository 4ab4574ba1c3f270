"""Resampling: how often each segment was drawn, and the sums of many subsets of rows.

PCG64 and the Mersenne Twister are NumPy's, and so are the ways to make a number below a limit from their words: the
draws equal those of NumPy's functions. A call of a generator per number would take several times as long. SplitMix64
makes our own draws.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy import int64, uint8, uint16, uint32, uint64, uintp
from numpy.typing import NDArray

from metrologue.kernels.arrays import FloatRows, Number, Words
from metrologue.kernels.words import lesser
from metrologue.native import helper, instruction, kernel

__all__ = [
    "CHUNK",
    "count_draws",
    "count_legacy_draws",
    "count_poisson_draws",
    "random_words",
    "single_subset_sums",
    "subset_sums",
]

ByteRows = Annotated[NDArray[np.uint8], 2]
SingleRows = Annotated[NDArray[np.float32], 2]
HalfWords = NDArray[np.uint32]
QuarterWords = NDArray[np.uint16]

LOW = uint64(0xFFFFFFFF)
# PCG64 multiplies its state of 128 bits by this number.
PCG64_HIGH, PCG64_LOW = uint64(0x2360ED051FC65DA4), uint64(0x4385DF649FCCF645)
# SplitMix64 adds the first number to its state, and multiplies by the others.
GAMMA, MIX_1, MIX_2 = uint64(0x9E3779B97F4A7C15), uint64(0xBF58476D1CE4E5B9), uint64(0x94D049BB133111EB)
# The segments that are counted at a time, one for each quarter of a word.
CHUNK = 512


@instruction
def high_product(typing_context: Any, a: Any, b: Any) -> Any:
    """The high 64 bits of a product of 128 bits."""
    from llvmlite import ir
    from numba.core.types import uint64 as word

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
        return builder.trunc(builder.lshr(product, wide(64)), ir.IntType(64))

    return word(word, word), generate


@helper
def splitmix64(state: Number) -> Number:
    """The word of SplitMix64 (Steele, Lea and Flood 2014) for a state; each state is the last one plus ``GAMMA``."""
    word = (state ^ (state >> uint64(30))) * MIX_1
    word = (word ^ (word >> uint64(27))) * MIX_2
    return word ^ (word >> uint64(31))


@helper
def fill(words: Words, state: Number) -> Number:
    """Fill `words` with the next words of SplitMix64, and return the state after them."""
    for i in range(uintp(len(words))):
        words[i] = splitmix64(state + (uint64(i) + uint64(1)) * GAMMA)
    return state + uint64(len(words)) * GAMMA


@kernel
def random_words(state: Words, words: Words) -> None:
    """Fill `words` with words of SplitMix64. `state`, of one word, goes on."""
    state[0] = fill(words, state[0])


@helper
def above(limit: Number, number: Number) -> Number:
    """Whether a number is above a limit, as 0 or 1; both are below 2^15. On vectors a comparison takes longer."""
    return uint16(uint16(limit - number) >> uint16(15))


@kernel
def count_poisson_draws(
    state: Words, limits: QuarterWords, rare: Words, words: Words, quarters: QuarterWords, counts: ByteRows
) -> None:
    """Draw as many segments as there are, with replacement, for each row of `counts`, and count them there.

    If counts are independent and have the same Poisson law, then, given their sum, they are those of draws with
    replacement. So each segment gets a Poisson count, and single draws fill the row up to n. A row whose sum is above n
    is made again. This takes many fewer random bits than n single draws.

    A count comes from 15 bits, a number below 2^15: it is how many of the eight `limits` the number is above. The law's
    probabilities are no multiples of 2^-15. So counts have as many numbers as they fill, and the numbers above all
    limits are left over. Then the next word gives the count: how many entries of `rare` it is above. A single draw is
    the high half of a word's product with n (Lemire 2019).

    Parameters
    ----------
    state : uint64 (1,)
        Of SplitMix64; it goes on.
    limits : uint16 (8,)
        The last number of each count below 8.
    rare : uint64 (m,)
        The last word of each count, if the number is left over.
    words, quarters : uint64 (CHUNK / 4,) and uint16 (CHUNK,)
        The same memory. It is overwritten.
    counts : uint8 (b, n)

    Invariant: `total` is the sum of the first `first` counts of the row.
    """
    resamples, n = counts.shape
    scale = uint64(n)
    reject = (uint64(0) - scale) % scale  # 2^64 mod n
    t0, t1, t2, t3, t4, t5, t6, t7 = (
        limits[0],
        limits[1],
        limits[2],
        limits[3],
        limits[4],
        limits[5],
        limits[6],
        limits[7],
    )
    now = state[0]
    for row in range(resamples):
        total = n + 1
        while total > n:
            total = 0
            for first in range(0, n, CHUNK):
                now = fill(words, now)
                size = uintp(lesser(CHUNK, n - first))
                chunk, seen = uint16(0), uint16(0)
                for i in range(size):
                    number = uint16(quarters[i] >> uint16(1))
                    count = uint16(
                        above(t0, number)
                        + above(t1, number)
                        + above(t2, number)
                        + above(t3, number)
                        + above(t4, number)
                        + above(t5, number)
                        + above(t6, number)
                        + above(t7, number)
                    )
                    counts[row, uintp(first) + i] = uint8(count)
                    chunk = uint16(chunk + count)
                    seen = uint16(seen | count)
                total += int64(chunk)
                if seen & uint16(8):
                    for i in range(size):
                        if counts[row, uintp(first) + i] == uint8(8):
                            now += GAMMA
                            word = splitmix64(now)
                            entry = int64(0)
                            while word > rare[entry]:
                                entry += 1
                            counts[row, uintp(first) + i] = uint8(entry)
                            total += entry - 8
        while total < n:
            now += GAMMA
            word = splitmix64(now)
            if word * scale >= reject:
                counts[row, uintp(high_product(word, scale))] += uint8(1)
                total += 1
    state[0] = now


@helper
def pcg64(high: Number, low: Number, step_high: Number, step_low: Number) -> Number:
    """The next state of PCG64 (O'Neill 2014), and the word that it gives. The state and its step have 128 bits each."""
    product = high * PCG64_LOW + low * PCG64_HIGH + high_product(low, PCG64_LOW)
    moved = low * PCG64_LOW + step_low
    high = product + step_high + uint64(moved < step_low)
    mixed, turn = high ^ moved, high >> uint64(58)
    return high, moved, step_high, step_low, (mixed >> turn) | (mixed << ((uint64(64) - turn) & uint64(63)))


@helper
def count_half(half: Number, scale: Number, reject: Number, counts: ByteRows, row: Number) -> Number:
    """Count the segment floor(half n / 2^32), unless the half is rejected. Returns whether it is, as 0 or 1."""
    product = half * scale
    if (product & LOW) < reject:
        return int64(0)
    counts[row, uintp(product >> uint64(32))] += uint8(1)
    return int64(1)


@kernel
def count_draws(state: Words, counts: ByteRows) -> None:
    """Draw as many segments as there are, with replacement, for each row of `counts`, and count them there.

    A word gives two halves h, the low one first, and a half draws the segment floor(h n / 2^32). Halves for which the
    product's low bits are below 2^32 mod n are rejected, so that equally many are left for each segment (Lemire 2019).

    `state` goes on. It has the four words of PCG64, the last word that it made, and whether the high half of that word
    is still to be used.

    Invariant: row `row` has all its draws except `missing` ones.
    """
    resamples, n = counts.shape
    scale = uint64(n)
    reject = (LOW + uint64(1)) % scale
    # In registers: the compiler cannot know that `counts` is not a part of `state`.
    a, b, c, d, word, left = state[0], state[1], state[2], state[3], state[4], state[5]
    for row in range(resamples):
        for s in range(n):
            counts[row, s] = uint8(0)
        missing = int64(n)
        if left:
            missing -= count_half(word >> uint64(32), scale, reject, counts, row)
            left = uint64(0)
        while missing > 0:
            a, b, c, d, word = pcg64(a, b, c, d)
            missing -= count_half(word & LOW, scale, reject, counts, row)
            left = uint64(missing == 0)
            if missing > 0:
                missing -= count_half(word >> uint64(32), scale, reject, counts, row)
    state[0], state[1], state[2], state[3], state[4], state[5] = a, b, c, d, word, left


@helper
def twist(state: HalfWords, i: Number, after: Number, far: Number) -> None:
    """The next word i of the Mersenne Twister, before it is tempered."""
    joined = (state[i] & uint32(0x80000000)) | (state[after] & uint32(0x7FFFFFFF))
    odd = uint32(0) - (joined & uint32(1))
    state[i] = state[far] ^ (joined >> uint32(1)) ^ (odd & uint32(0x9908B0DF))


@kernel
def count_legacy_draws(state: HalfWords, counts: ByteRows) -> None:
    """``count_draws`` with the Mersenne Twister (Matsumoto and Nishimura 1998), and as NumPy's legacy functions draw.

    A word of 32 bits draws the segment of its low bits, as many as n - 1 has. Words that give n or more are rejected.
    `state` goes on. It has the generator's 624 words, and the number of words that were used since they were made.

    Invariant: row `row` has `drawn` draws.
    """
    resamples, n = counts.shape
    mask = uint32(1)
    while mask < uint32(n - 1):
        mask = uint32(2) * mask + uint32(1)
    used = int64(state[624])
    for row in range(resamples):
        for s in range(n):
            counts[row, s] = uint8(0)
        drawn = int64(0)
        while drawn < n:
            if used == 624:
                for i in range(uintp(227)):
                    twist(state, i, i + uintp(1), i + uintp(397))
                for i in range(uintp(227), uintp(623)):
                    twist(state, i, i + uintp(1), i - uintp(227))
                twist(state, 623, 0, 396)
                used = int64(0)
            word = state[used]
            used += 1
            word ^= word >> uint32(11)
            word ^= (word << uint32(7)) & uint32(0x9D2C5680)
            word ^= (word << uint32(15)) & uint32(0xEFC60000)
            segment = (word ^ (word >> uint32(18))) & mask
            # No branch, because nothing tells which words will be rejected.
            taken = segment < uint32(n)
            counts[row, uintp(segment) if taken else uintp(0)] += uint8(taken)
            drawn += int64(taken)
    state[624] = uint32(used)


@helper
def add_subsets(bits: ByteRows, rows: Number, table: Number, sums: Number) -> None:
    """For each row of `bits`, the sum of those rows whose bit is set; bit 0 is the lowest bit of byte 0.

    The rows are added in groups of eight: `table` has the sum of every subset of the group, so that a group costs one
    addition, and not eight.

    Invariant: `sums` has the sums over the groups before `group`.
    """
    trials, groups = bits.shape
    n = len(rows)
    columns = uintp(rows.shape[1])  # indices without a sign let LLVM add several columns at once
    for trial in range(trials):
        for c in range(columns):
            sums[trial, c] = 0.0
    for group in range(groups):
        first = 8 * group
        for c in range(columns):
            table[0, c] = 0.0
        subsets = 1
        for s in range(first, lesser(first + 8, n)):
            for subset in range(uintp(subsets)):
                for c in range(columns):
                    table[uintp(subsets) + subset, c] = table[subset, c] + rows[uintp(s), c]
            subsets *= 2
        for trial in range(uintp(trials)):
            chosen = uintp(bits[trial, uintp(group)] & (subsets - 1))
            for c in range(columns):
                sums[trial, c] += table[chosen, c]


@kernel
def subset_sums(bits: ByteRows, rows: FloatRows, table: FloatRows, sums: FloatRows) -> None:
    """``add_subsets``; `table` has 256 rows."""
    add_subsets(bits, rows, table, sums)


@kernel
def single_subset_sums(bits: ByteRows, rows: SingleRows, table: SingleRows, sums: SingleRows) -> None:
    """``add_subsets`` in float32, which takes half the time; `table` has 256 rows."""
    add_subsets(bits, rows, table, sums)

"""Tables that can be merged: the count of each n-gram, by a hash of its text. The hash is the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.kernels.hashing import tally

__all__ = ["Table", "hash_types"]

Words = NDArray[np.uint64]


class Table(NamedTuple):
    """How often each key was seen.

    Attributes
    ----------
    keys : uint64 (n_keys, 2)
        Hashes of 128 bits, each once.
    counts : int64 (n_keys,)

    Examples
    --------
    >>> one = Table.of([(1, 2), (3, 4), (1, 2)])
    >>> one.merge(Table.of([(3, 4)])).to_json()
    {'00000000000000010000000000000002': 2, '00000000000000030000000000000004': 2}
    """

    keys: Words
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, keys: Any) -> Table:
        """The table that counts these keys, (n, 2). A key may come several times."""
        words = np.asarray(keys, np.uint64).reshape(-1, 2)
        return cls._summed(words, np.ones(len(words), np.int64))

    @classmethod
    def _summed(cls, keys: Words, counts: NDArray[np.int64]) -> Table:
        firsts, sums = tally(keys, counts)
        return cls(keys[firsts], sums)

    def merge(self, other: Table) -> Table:
        """One table from two: the counts of equal keys add up."""
        return self._summed(np.concatenate([self.keys, other.keys]), np.concatenate([self.counts, other.counts]))

    def to_json(self) -> dict[str, int]:
        """Hexadecimal keys and their counts. They are sorted, so equal tables have equal JSON."""
        names = (f"{high:016x}{low:016x}" for high, low in self.keys.tolist())
        return dict(sorted(zip(names, self.counts.tolist(), strict=True)))

    @classmethod
    def from_json(cls, counts: Mapping[str, Any]) -> Table:
        """The table that ``to_json`` wrote. Raises a ValueError for anything else."""
        for name, count in counts.items():
            if len(name) != 32 or type(count) is not int or not 0 < count < 2**63:
                raise ValueError(f"{name!r:.40} is not the hash of an n-gram, or {count!r:.20} is not its count")
        keys = [(int(name[:16], 16), int(name[16:], 16)) for name in counts]
        return cls(np.array(keys, np.uint64).reshape(-1, 2), np.array([*counts.values()], np.int64))


def hash_types(types: Iterable[str]) -> Words:
    """A BLAKE2b hash of 128 bits for each text, (n_types, 2). It is the same in every process and batch."""
    digests = b"".join(blake2b(text.encode(), digest_size=16).digest() for text in types)
    return np.frombuffer(digests, "<u8").astype(np.uint64).reshape(-1, 2)

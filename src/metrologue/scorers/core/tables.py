"""What merges but does not add up: the count of each n-gram, or all tokens, by hashes that are the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Words
from metrologue.data.confusion import Confusion
from metrologue.errors import shown
from metrologue.scorers.core.kernels.hashing import number_keys, tally
from metrologue.text.reading.view import View


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
        return dict(sorted(zip(_hexadecimal(self.keys), self.counts.tolist(), strict=True)))

    @classmethod
    def from_json(cls, counts: Mapping[str, Any]) -> Table:
        """The table that ``to_json`` wrote. Raises a ValueError for anything else."""
        for name, count in counts.items():
            if len(name) != 32 or type(count) is not int or not 0 < count < 2**63:
                raise ValueError(
                    f"{shown(name, 40)} is not the hash of an n-gram, or {shown(count, 20)} is not its count"
                )
        return cls(_words(counts), np.array([*counts.values()], np.int64))


class Tokens(NamedTuple):
    """All tokens of texts, in their order.

    Attributes
    ----------
    types : uint64 (n_types, 2)
        The hash of each type, each once.
    ids : int32 (n_tokens,)
        The type of each token.
    lengths : int64 (n_texts,)
        The number of tokens of each text.

    Examples
    --------
    >>> one = Tokens.of(hash_types(["a", "b", "c"]), np.array([2, 0, 2], np.int32), np.array([3]))
    >>> both = one.merge(Tokens.of(hash_types(["c"]), np.array([0], np.int32), np.array([1])))
    >>> both.ids, both.lengths
    (array([0, 1, 0, 0], dtype=int32), array([3, 1]))
    """

    types: Words
    ids: NDArray[np.int32]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, types: Words, ids: NDArray[np.int32], lengths: NDArray[np.int64]) -> Tokens:
        """The tokens with these ids. The types get new numbers, in the order in which they come."""
        hashes = types[ids]
        firsts, numbers = number_keys(hashes)
        return cls(hashes[firsts], numbers.astype(np.int32), lengths)

    def merge(self, other: Tokens, order: NDArray[np.int64] | None = None) -> Tokens:
        """The texts of `other` after these, or all texts in this order."""
        types = np.concatenate([self.types, other.types])
        ids = np.concatenate([self.ids, other.ids + np.int32(len(self.types))])
        lengths = np.concatenate([self.lengths, other.lengths])
        if order is not None:
            starts, lengths = (np.cumsum(lengths) - lengths)[order], lengths[order]
            # The place of each token is that of its text's first token, and then one more for each further token.
            ids = ids[np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(len(ids))]
        return self.of(types, ids, lengths)

    def to_json(self) -> dict[str, list[Any]]:
        """Hexadecimal types, the number of each token's type, and the lengths of the texts."""
        return {"types": _hexadecimal(self.types), "tokens": self.ids.tolist(), "lengths": self.lengths.tolist()}

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Tokens:
        """The tokens that ``to_json`` wrote. Raises a ValueError for anything else."""
        names, tokens, lengths = (saved.get(key) for key in ("types", "tokens", "lengths"))
        if not (isinstance(names, list) and isinstance(tokens, list) and isinstance(lengths, list)):
            raise ValueError("`types`, `tokens` and `lengths` are expected, a list each")
        if any(not isinstance(name, str) or len(name) != 32 for name in names):
            raise ValueError("a type is not the hash of a token")
        if any(type(token) is not int or not 0 <= token < len(names) for token in tokens):
            raise ValueError("a token is not the number of a type")
        if any(type(length) is not int or length < 0 for length in lengths) or sum(lengths) != len(tokens):
            raise ValueError("the lengths of the texts do not add up to the number of tokens")
        return cls(_words(names), np.array(tokens, np.int32), np.array(lengths, np.int64))


class Followed(NamedTuple):
    """How often each n-gram was seen, (n_keys,), and what its first n - 1 tokens are.

    `keys` and `prefixes`, uint64 (n_keys, 2), are hashes of 128 bits: each n-gram once, and its first n - 1 tokens,
    which are (0, 0) for a single word.
    """

    keys: Words
    prefixes: Words
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, keys: Words, prefixes: Words, counts: NDArray[np.int64]) -> Followed:
        """The counts of these keys. A key may come several times."""
        firsts, sums = tally(keys, counts)
        return cls(keys[firsts], prefixes[firsts], sums)

    def merge(self, other: Followed) -> Followed:
        """Both together: the counts of equal keys add up."""
        return self.of(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))

    def to_json(self) -> dict[str, Any]:
        """Hexadecimal keys, each with its prefix and its count."""
        columns = _hexadecimal(self.keys), _hexadecimal(self.prefixes), self.counts.tolist()
        return {"followed": sorted(zip(*columns, strict=True))}

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Followed:
        """The counts that ``to_json`` wrote. Raises a ValueError for anything else."""
        rows, kinds = saved["followed"], [str, str, int]
        if not isinstance(rows, list) or any(not isinstance(row, list) or [*map(type, row)] != kinds for row in rows):
            raise ValueError("`followed` is not a list of n-grams with their prefixes and counts")
        if any(len(key) != 32 or len(prefix) != 32 or not 0 < count < 2**63 for key, prefix, count in rows):
            raise ValueError("`followed` holds something that is not a hash, or a count that is none")
        keys, prefixes = (_words(row[i] for row in rows) for i in range(2))
        return cls(keys, prefixes, np.array([row[2] for row in rows], np.int64))


def _hexadecimal(keys: Words) -> list[str]:
    return [f"{high:016x}{low:016x}" for high, low in keys.tolist()]


def _words(names: Iterable[str]) -> Words:
    """The keys that ``_hexadecimal`` wrote, (n, 2). Raises a ValueError for other text."""
    return np.array([(int(name[:16], 16), int(name[16:], 16)) for name in names], np.uint64).reshape(-1, 2)


# What a scorer of sets keeps of a batch; and what `fit` counts.
State: TypeAlias = Table | Tokens | Confusion | Followed
KINDS: dict[str, Callable[..., State]] = {kind.__name__: kind for kind in (Confusion, Followed, Table, Tokens)}


def merge_states(first: State, second: State, order: NDArray[np.int64] | None = None) -> State:
    """Both together, and the texts of tokens in this order. Raises a TypeError if they are not of one kind."""
    if type(first) is not type(second):
        raise TypeError("tables of different kinds do not merge")
    if isinstance(first, Tokens):
        return first.merge(cast("Tokens", second), order)
    return first.merge(cast("Any", second))


def state_from_json(saved: Mapping[str, Any]) -> State:
    """The table, the tokens or the counts that ``to_json`` wrote. Raises a ValueError for anything else."""
    if "labels" in saved:
        return Confusion.from_json(saved)
    if "followed" in saved:
        return Followed.from_json(saved)
    return Tokens.from_json(saved) if "tokens" in saved else Table.from_json(saved)


def hash_types(types: Iterable[str]) -> Words:
    """A BLAKE2b hash of 128 bits for each text, (n_types, 2). It is the same in every process and batch."""
    from hashlib import blake2b  # slow to import

    digests = b"".join(blake2b(text.encode(), digest_size=16).digest() for text in types)
    return np.frombuffer(digests, "<u8").astype(np.uint64).reshape(-1, 2)


def type_hashes(view: View) -> Words:
    """The hash of each type of a view, (n_types, 2). It is computed once for each vocabulary."""
    return view.vocabulary.layer("hash", hash_types)[: view.type_count]

"""The pool of texts that Self-BLEU compares each text with: the two greatest counts of each n-gram, and all lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Offsets, Words
from metrologue.scorers.core.kernels.hashing import find_keys, hash_apart, hash_ngrams, hash_texts, number_keys
from metrologue.scorers.self_bleu.kernels import clipped_by_others, two_greatest
from metrologue.text.lexicon.table_cache import Table
from metrologue.threads import each_of


class Texts(NamedTuple):
    """Tokens of texts, the start of each text, and the hash of each type.

    With groups, `groups` are the offsets of the texts of each group, and an n-gram has another hash in each group.
    """

    ids: NDArray[np.int32]
    offsets: Offsets
    types: Words
    groups: Offsets | None = None

    def ends(self, order: int) -> Offsets:
        """The start of the n-grams of each text, among all n-grams of this order, (n_texts + 1,)."""
        return np.concatenate([[0], np.cumsum(np.maximum(np.diff(self.offsets) - order + 1, 0))])

    def ngrams(self, order: int) -> Words:
        """The hash of each n-gram."""
        hashes = hash_ngrams(self.ids, self.offsets, self.types, order)
        if self.groups is None:
            return hashes
        return hash_apart(hashes, np.repeat(group_numbers(self.groups), np.diff(self.ends(order))))


class Pool(NamedTuple):
    """The counts that a pool keeps of its texts."""

    orders: int  # the longest n-gram that was counted
    ngrams: Words  # the hash of each n-gram of each order, (n_ngrams, 2)
    first: Offsets  # its greatest count in one text, (n_ngrams,)
    second: Offsets  # its greatest count in another text
    lengths: Offsets  # the tokens of each text, in ascending order, in each group
    texts: Words  # the hash of each text, (n_distinct_texts, 2)

    @classmethod
    def of(cls, texts: Texts, orders: int, threads: int = 1) -> tuple[Pool, list[Offsets]]:
        """The pool of these texts, and for each order the numbers of their n-grams in it; orders in several threads."""

        def count(order: int) -> tuple[Words, Offsets, Offsets, Offsets]:
            hashes = texts.ngrams(order)
            firsts, numbers = number_keys(hashes)
            return hashes[firsts], *two_greatest(numbers, texts.ends(order), len(firsts)), numbers

        *columns, numbers_of = zip(*each_of(count, range(1, orders + 1), threads), strict=True)
        ngrams, first, second = (np.concatenate(column) for column in columns)
        starts = np.cumsum([0, *map(len, columns[0])])
        all_numbers = [numbers + before for numbers, before in zip(numbers_of, starts, strict=False)]
        text_hashes = hash_texts(texts.ids, texts.offsets, texts.types)
        lengths = np.diff(texts.offsets)
        numbers = np.zeros_like(lengths) if texts.groups is None else group_numbers(texts.groups)
        lengths = lengths[np.lexsort((lengths, numbers))]
        return cls(orders, ngrams, first, second, lengths, text_hashes[number_keys(text_hashes)[0]]), all_numbers

    def table(self) -> dict[str, Any]:
        """The arrays of a ``Resource``."""
        return {
            "orders": np.array([self.orders]),
            "high": self.ngrams[:, 0],
            "low": self.ngrams[:, 1],
            "first": self.first,
            "second": self.second,
            "lengths": self.lengths,
            "text_high": self.texts[:, 0],
            "text_low": self.texts[:, 1],
        }

    @classmethod
    def from_table(cls, table: Table) -> Pool:
        """The pool whose ``table`` this is."""
        ngrams, texts = (np.column_stack([table[f"{of}high"], table[f"{of}low"]]) for of in ("", "text_"))
        return cls(int(table["orders"][0]), ngrams, table["first"], table["second"], table["lengths"], texts)

    def holds(self, texts: Texts) -> NDArray[np.bool_]:
        """Whether each text is in the pool, (n_texts,)."""
        return find_keys(self.texts, hash_texts(texts.ids, texts.offsets, texts.types)) >= 0

    def find(self, texts: Texts, orders: int) -> list[Offsets]:
        """For each order, the number of each n-gram in the pool; -1 if no text of the pool has it."""
        hashes = [texts.ngrams(order) for order in range(1, orders + 1)]
        return np.split(find_keys(self.ngrams, np.concatenate(hashes)), np.cumsum([*map(len, hashes)])[:-1])

    def clipped(
        self, texts: Texts, numbers: Sequence[Offsets], inside: NDArray[np.bool_], threads: int = 1
    ) -> NDArray[np.float64]:
        """For each text and order, the clipped count against the pool without the text, (n_texts, orders)."""

        def count(order: int) -> Offsets:
            of_order = np.ascontiguousarray(numbers[order - 1])
            return clipped_by_others(of_order, texts.ends(order), inside, self.first, self.second)

        return np.column_stack(each_of(count, range(1, len(numbers) + 1), threads)).astype(np.float64)


def group_numbers(offsets: Offsets) -> Offsets:
    """The number of each text's group.

    Examples
    --------
    >>> group_numbers(np.array([0, 2, 3]))
    array([0, 0, 1])
    """
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def lengths_of_others(
    rule: str, pool: Offsets, own: Offsets, inside: NDArray[np.bool_], groups: Offsets | None = None
) -> Offsets:
    """The reference length of each text: that of the closest, the shortest or the longest other text, (n_texts,).

    Of two equally close lengths, the shorter counts. The lengths of the `pool` ascend. A text that is `inside` of the
    pool is left out. `groups` are offsets in `pool` and in `own` alike: the others of a text are those of its group.

    Examples
    --------
    >>> lengths_of_others("closest", np.array([2, 4, 4, 9]), np.array([2, 4, 9]), np.array([True, True, True]))
    array([4, 4, 4])
    """
    if not len(pool):
        return np.zeros(len(own), np.int64)
    first: int | Offsets = 0
    last: int | Offsets = len(pool) - 1
    keys, own_keys = pool, own
    if groups is not None:
        # The key of a length is greater than all keys of the groups before its own.
        numbers = group_numbers(groups)
        first, last = groups[numbers], groups[numbers + 1] - 1
        keys, own_keys = (lengths + numbers * (pool.max() + 1) for lengths in (pool, own))
    # The first of the lengths that are not below the own one, and with the text inside, the one after it.
    start = np.searchsorted(keys, own_keys)
    after = start + inside
    if rule == "shortest":
        lengths: Offsets = pool[np.minimum(np.where(start == first, after, first), last)]
        return lengths
    if rule == "longest":
        is_last = inside & (np.searchsorted(keys, own_keys, "right") == last + 1)
        lengths = pool[np.maximum(last - is_last, first)]
        return lengths
    above, below = pool[np.minimum(after, last)], pool[np.maximum(start - 1, first)]
    lower: NDArray[np.bool_] = (after > last) | ((start > first) & (own - below <= above - own))
    return np.where(lower, below, above)

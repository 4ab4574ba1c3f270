"""A reading of many texts in several threads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.strings import Strings
from metrologue.text.reading.pages import Reading
from metrologue.text.reading.steps import read
from metrologue.text.reading.vocabulary import Vocabulary
from metrologue.text.tokenizers.base import Tokens
from metrologue.threads import each_of

Offsets = NDArray[np.int64]


class ReadTexts(NamedTuple):
    """The tokens of texts as ids, as in ``View``."""

    ids: NDArray[np.int32]
    sentences: Offsets
    sentence_offsets: Offsets
    vocabulary: Vocabulary


class _Slice(NamedTuple):
    """A slice of each column, read together: tokens, sentences, and where each column begins among the sentences."""

    tokens: Tokens
    sentences: Offsets
    limits: Offsets  # (n_columns + 1,), in texts


def read_slices(slices: Sequence[Sequence[Strings]], reading: Reading, threads: int) -> ReadTexts:
    """The tokens of some columns, one after another. Each slice has consecutive texts of every column.

    Types have the ids that they have if all texts are read at once, because they are numbered in the order in which
    they first occur. A type without a token has no id.
    """

    def read_slice(columns: Sequence[Strings]) -> _Slice:
        limits = np.cumsum([0, *map(len, columns)])
        return _Slice(*read(reduce(Strings.joined, columns), reading), limits)

    parts = each_of(read_slice, slices, threads)
    vocabulary, numbers = Vocabulary(), [np.empty(len(each.tokens.starts), np.int32) for each in parts]
    pieces: list[tuple[int, NDArray[np.int32], Offsets, Offsets]] = []
    numbered = [0] * len(parts)
    for column in range(len(slices[0])):
        for at, each in enumerate(parts):
            first, last = each.limits[column : column + 2]
            sentences = each.sentences[first : last + 1]
            offsets = each.tokens.offsets[sentences[0] : sentences[-1] + 1]
            ids = each.tokens.ids[offsets[0] : offsets[-1]]
            seen = max(numbered[at], int(ids.max(initial=-1)) + 1)
            numbers[at][numbered[at] : seen] = vocabulary.numbers(each.tokens, numbered[at], seen)
            numbered[at] = seen
            pieces.append((at, ids, sentences - sentences[0], offsets - offsets[0]))
    ends = np.cumsum([0, *(len(ids) for _, ids, _, _ in pieces)])
    all_ids = np.empty(ends[-1], np.int32)

    def renumber(place: int) -> None:
        at, ids, *_ = pieces[place]
        numbers[at].take(ids, out=all_ids[ends[place] : ends[place + 1]], mode="clip")

    each_of(renumber, range(len(pieces)), threads)
    sentences, offsets = (chained([*each]) for each in [*zip(*pieces, strict=True)][2:])
    return ReadTexts(all_ids, sentences, offsets, vocabulary)


def chained(offsets: Sequence[Offsets]) -> Offsets:
    """Offsets into several arrays as offsets into their concatenation."""
    ends = np.cumsum([0, *(each[-1] for each in offsets)])
    return np.concatenate([*(each[:-1] + end for each, end in zip(offsets, ends[:-1], strict=True)), ends[-1:]])

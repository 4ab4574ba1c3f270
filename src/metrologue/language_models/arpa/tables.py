"""The tables of a model: made once from an ARPA file, kept in the cache, and mapped into memory.

A file has the words of the tables first, in whole blocks. Then come the layout, the digest of each block, the numbers
of these two, and a seal of everything after the tables. So a file of any size opens at once: a block of the tables is
compared with its digest when a kernel first reads it.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.cache import identity, kept_file, replace_damaged, seal, told_if_long
from metrologue.data.arrays import Integers, Words
from metrologue.errors import InputError, shown
from metrologue.language_models.arpa.kernels.blocks import BLOCK, block_digests
from metrologue.language_models.arpa.kernels.ngram_models import (
    COUNT,
    DUPLICATE,
    FULL,
    NO_UNIGRAM,
    ORDER,
    SENTENCE,
    SENTENCE_END,
    SLOTS,
    TABLES,
    TEXT,
    UNIGRAMS,
    VOCABULARY,
    add_ngrams,
    add_words,
    find_words,
)
from metrologue.language_models.arpa.reader import ArpaFile, Ngrams
from metrologue.text.lexicon.file_digest import digest
from metrologue.writing import progress_bar

_SEAL = 64  # bytes


class Tables(NamedTuple):
    """A model as kernels read it."""

    layout: Integers  # what is where; see ``metrologue.language_models.arpa.kernels.ngram_models``
    words: Words
    unread: Words  # the state of the blocks of `words`; see ``metrologue.language_models.arpa.kernels.blocks``
    file: tuple[int, int]  # the ``identity`` of the file


def mapped(target: Path, size: int) -> Words:
    """A file of this many words, mapped into memory so that the system can write it out and drop it at any time."""
    with target.open("ab") as file:
        if hasattr(os, "posix_fallocate"):  # a full disk is an error here, and would kill the process later
            os.posix_fallocate(file.fileno(), 0, 8 * size)
        file.truncate(8 * size)
    return np.asarray(np.memmap(target, np.uint64, "r+"))


def add_seal(name: str, target: Path, words: Words, layout: Integers) -> None:
    """Complete the file of these tables, for the name that it has in the cache."""
    digests = block_digests(words)
    rest = b"".join(part.tobytes() for part in (layout, digests, np.array([len(layout), len(digests)])))
    with target.open("ab") as file:
        file.write(rest + seal(name, rest))


def read_sealed(name: str, file: BinaryIO) -> Tables | None:
    """The tables in an open file; None if it is not complete, was damaged, or comes from another name."""
    size = os.fstat(file.fileno()).st_size
    if size % 8 or size < 16 + _SEAL:
        return None
    file.seek(size - _SEAL - 16)
    fields, blocks = np.frombuffer(file.read(16), np.int64).tolist()
    start = 8 * BLOCK * blocks
    if min(fields, blocks) < 1 or start + 8 * (fields + blocks) + 16 + _SEAL != size:
        return None
    file.seek(start)
    rest, sealed = file.read(size - _SEAL - start), file.read(_SEAL)
    if sealed != seal(name, rest):
        return None
    numbers = np.frombuffer(rest, np.int64)
    words: Words = np.asarray(np.memmap(file, np.uint64, "r", shape=BLOCK * blocks))
    unread = np.append(numbers[fields : fields + blocks].view(np.uint64), np.uint64(0))
    return Tables(numbers[:fields].copy(), words, unread, identity(file))


_FORMAT = 4  # the version of the format: after a change, all models are read again
# A table has this many slots for each n-gram.
_ROOM = 1.5
_UNKNOWN = -100.0  # the log-probability that KenLM gives <unk> if the file has none
_LONGEST = 1 << 24  # bytes of a word
_LARGEST = 2**32 - 2  # words of a vocabulary and slots of a table: their numbers have 32 bits


class KeptTables:
    """The tables of an ARPA file, from the cache if they are there. If they turn out damaged, they are made again.

    The file is plain, or packed by gzip, xz or zstd. Raises an InputError that names the line if it is malformed, and
    an OSError if it cannot be read.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.path.abspath(path)  # the file stays the same if the process changes its folder
        self.content = digest([Path(path)])
        self.tables = self._opened(os.fspath(path))
        self._lock = threading.Lock()

    def replace(self, damaged: Tables) -> None:
        """Make the tables again, unless another thread has done it.

        Raises an InputError if the ARPA file is gone, or has changed.
        """
        with self._lock:
            if self.tables is damaged:
                self._check(self.path, "its tables in the cache are damaged and cannot be made again")
                replace_damaged(damaged.file)
                self.tables = self._opened(self.path)

    def _opened(self, path: str) -> Tables:
        name = f"arpa/{self.content}-{_FORMAT}.ngrams"
        return kept_file(name, lambda target: self._make(path, name, target), lambda file: read_sealed(name, file))

    def _check(self, path: str, what: str) -> None:
        """Raise an InputError if the file is no longer what it was."""
        try:
            same = digest([Path(path)]) == self.content
        except OSError as error:
            raise InputError(f"{path} cannot be read ({error.strerror}): {what}.") from error
        if not same:
            raise InputError(f"{path} has changed since it was opened: {what}.")

    def _make(self, path: str, name: str, target: Path) -> None:
        """Write the tables. If one turns out too small, start again with a larger one."""
        room: dict[int, float] = {}
        with told_if_long(f"reading {path}"):
            while True:
                try:
                    with progress_bar(os.path.getsize(path), in_bytes=True) as update:
                        made = _write(ArpaFile(path, lambda read: update(advance=read)), target, room)
                    break
                except _Full as full:
                    room[full.args[0]] = 2 * room.get(full.args[0], _ROOM)
            add_seal(name, target, *made)
        self._check(path, "its tables may be of neither content")


class _Full(Exception):
    """A table has no room for the suffixes that the file leaves out."""


def _write(file: ArpaFile, target: Path, room: dict[int, float]) -> tuple[Words, Integers]:
    """Write the tables of a file, without their seal, and return them with their layout."""
    os.truncate(target, 0)  # an attempt with smaller tables may have left something
    layout = _layout(file, room)
    used, state = np.zeros(len(file.counts) + 1, np.int64), np.array([1, 0, 0])
    words, text = mapped(target, int(layout[TEXT])), np.zeros(1 << 16, np.uint8)
    for order, blocks in file.sections():
        for block in blocks:
            if order == 1:
                text = _with_words(file, block, layout, text, state, words)
            else:
                _with_ngrams(file, block, layout, text, bool(state[1]), used, words)
        if order == 1:
            if not state[1]:
                words.view(np.float32)[2 * layout[UNIGRAMS]] = _UNKNOWN
            layout[COUNT] = state[0]
            layout[[SENTENCE, SENTENCE_END]] = find_words(["<s>", "</s>"], layout, text, words)
            for word, number in (("<s>", layout[SENTENCE]), ("</s>", layout[SENTENCE_END])):
                if number < 0:
                    raise InputError(f"{file.path}: {word} is not among the 1-grams; a model needs <s> and </s>.")
    spelled = int(state[2])
    blocks_in_all = (int(layout[TEXT]) + spelled // 8) // BLOCK + 1
    words = mapped(target, BLOCK * blocks_in_all)
    words.view(np.uint8)[8 * layout[TEXT] :][:spelled] = text[:spelled]
    return words, layout


def _layout(file: ArpaFile, room: dict[int, float]) -> Integers:
    counts = file.counts
    slots = (int(count * room.get(order, _ROOM)) + 16 for order, count in enumerate(counts[1:], 2))
    sizes = [0, 0, *map(_whole_lines, slots)]
    if max(counts[0], *sizes) > _LARGEST:
        raise InputError(f"{file.path}: the header promises {max(counts)} n-grams of one order, which are too many.")
    layout = np.zeros(TABLES + 2 * len(sizes), np.int64)
    layout[ORDER], layout[SLOTS] = len(counts), _whole_lines(2 * counts[0] + 16)
    layout[VOCABULARY] = 0
    layout[UNIGRAMS] = layout[VOCABULARY] + layout[SLOTS]
    first = layout[UNIGRAMS] + _whole_lines(2 * (counts[0] + 1))
    layout[TABLES::2] = first + 2 * (np.cumsum(sizes) - sizes)
    layout[TABLES + 1 :: 2] = sizes
    layout[TEXT] = first + 2 * sum(sizes)
    return layout


def _whole_lines(size: int) -> int:
    """A number of words that fills whole lines of the processor's cache, so that no slot lies on two of them."""
    return (size + 7) // 8 * 8


def _with_words(
    file: ArpaFile, block: Ngrams, layout: Integers, text: NDArray[np.uint8], state: Integers, words: Words
) -> NDArray[np.uint8]:
    """Add the words of a block. Returns their spellings, with room for more."""
    lengths = (block.stops - block.starts)[:, 0]
    if len(long := np.flatnonzero(lengths >= _LONGEST)):
        file.fail(f"a word of {lengths[long[0]]:,} bytes; fewer than {_LONGEST:,} are expected.", block.lines[long[0]])
    needed = int(state[2]) + int(lengths.sum()) + 8
    if needed > len(text):
        text = np.concatenate([text, np.zeros(2 * needed - len(text), np.uint8)])
    twice = add_words(block.buffer, block.starts, block.stops, block.numbers, layout, text, state, words)
    if twice >= 0:
        file.fail(f"the word {shown(block.word(twice, 0))} comes twice in the 1-grams.", int(block.lines[twice]))
    return text


def _with_ngrams(
    file: ArpaFile,
    block: Ngrams,
    layout: Integers,
    text: NDArray[np.uint8],
    has_unknown: bool,
    used: Integers,
    words: Words,
) -> None:
    """Add the n-grams of a block."""
    spelled = block.buffer, block.starts, block.stops
    i, what, number = add_ngrams(*spelled, block.numbers, layout, text, has_unknown, used, words)
    if i < 0:
        return
    if what == FULL:
        raise _Full(number)
    order, line = block.starts.shape[1], int(block.lines[i])
    if what == NO_UNIGRAM:
        word = shown(block.word(i, number))
        file.fail(f"the word {word} is not among the 1-grams, which have to list all words.", line)
    ngram = [block.word(i, k) for k in range(order)]
    if what == DUPLICATE:
        file.fail(f"the {order}-gram {shown(' '.join(ngram))} comes twice.", line)
    context = shown(" ".join(ngram[:-1]))
    file.fail(f"{context} begins a {order}-gram, but is not among the {order - 1}-grams.", line)

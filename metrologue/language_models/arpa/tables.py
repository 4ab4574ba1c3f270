"""The tables of a model: made once from an ARPA file, kept in the cache, and mapped into memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.cache import kept_file, told_if_long
from metrologue.errors import InputError, shown
from metrologue.kernels.ngram_tables import (
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
)  # fmt: skip
from metrologue.language_models.arpa.reader import ArpaFile, Ngrams
from metrologue.lexicon.table_cache import digest
from metrologue.output import progress_bar

__all__ = ["Tables", "open_tables"]

_FORMAT = 3  # the version of the format: after a change, all models are read again
_MARK = int.from_bytes(b"ngrams" + bytes([_FORMAT, 0]), "little")
_HEAD = 3  # words: the mark, the number of words in the file, the length of the layout
# A table has this many slots for each n-gram.
_ROOM = 1.5
_UNKNOWN = -100.0  # the log-probability that KenLM gives <unk> if the file has none
_LONGEST = 1 << 24  # bytes of a word
_LARGEST = 2**32 - 2  # words of a vocabulary and slots of a table: their numbers have 32 bits

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]


class Tables(NamedTuple):
    """A model that is ready.

    Attributes
    ----------
    layout : int64
        What is where; see ``metrologue.kernels.ngram_tables``.
    words : uint64
    """

    layout: Integers
    words: Words


def open_tables(path: str | os.PathLike[str]) -> tuple[Tables, str]:
    """The tables of an ARPA file, from the cache if they are there, and the digest of the file.

    Parameters
    ----------
    path : str or path
        Plain, or packed by gzip or xz.

    Raises
    ------
    InputError
        If the file is malformed. The message names the line.
    OSError
        If the file cannot be read.
    """
    content = digest([Path(path)])
    made = kept_file(f"arpa/{content}-{_FORMAT}.ngrams", lambda target: _make(path, target), _is_whole)
    words: Words = np.asarray(np.memmap(made, np.uint64, "r"))
    return Tables(words[_HEAD : _HEAD + int(words[2])].astype(np.int64), words), content


def _is_whole(path: Path) -> bool:
    """Whether a file holds tables of this format, in full length."""
    with path.open("rb") as file:
        head = np.frombuffer(file.read(16), np.uint64).tolist()
        return len(head) == 2 and head[0] == _MARK and os.fstat(file.fileno()).st_size == 8 * head[1]


class _Full(Exception):
    """A table has no room for the suffixes that the file leaves out."""


def _make(path: str | os.PathLike[str], target: Path) -> None:
    """Write the tables of an ARPA file. If a table turns out too small, start again with a larger one."""
    room: dict[int, float] = {}
    with told_if_long(f"reading {path}"):
        while True:
            try:
                with progress_bar(os.path.getsize(path), in_bytes=True) as update:
                    return _write(ArpaFile(path, lambda read: update(advance=read)), target, room)
            except _Full as full:
                room[full.args[0]] = 2 * room.get(full.args[0], _ROOM)


def _write(file: ArpaFile, target: Path, room: dict[int, float]) -> None:
    target.unlink(missing_ok=True)  # what an attempt with smaller tables has left
    layout = _layout(file, room)
    used, state = np.zeros(len(file.counts) + 1, np.int64), np.array([1, 0, 0])
    words, text = _mapped(target, int(layout[TEXT])), np.zeros(1 << 16, np.uint8)
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
    size = int(layout[TEXT]) + spelled // 8 + 1
    words = _mapped(target, size)
    words.view(np.uint8)[8 * layout[TEXT] :][:spelled] = text[:spelled]
    words[:_HEAD] = _MARK, size, len(layout)
    words[_HEAD : _HEAD + len(layout)] = layout


def _layout(file: ArpaFile, room: dict[int, float]) -> Integers:
    counts = file.counts
    slots = (int(count * room.get(order, _ROOM)) + 16 for order, count in enumerate(counts[1:], 2))
    sizes = [0, 0, *map(_whole_lines, slots)]
    if max(counts[0], *sizes) > _LARGEST:
        raise InputError(f"{file.path}: the header promises {max(counts)} n-grams of one order, which are too many.")
    layout = np.zeros(TABLES + 2 * len(sizes), np.int64)
    layout[ORDER], layout[SLOTS] = len(counts), _whole_lines(2 * counts[0] + 16)
    layout[VOCABULARY] = _whole_lines(_HEAD + len(layout))
    layout[UNIGRAMS] = layout[VOCABULARY] + layout[SLOTS]
    first = layout[UNIGRAMS] + _whole_lines(2 * (counts[0] + 1))
    layout[TABLES::2] = first + 2 * (np.cumsum(sizes) - sizes)
    layout[TABLES + 1 :: 2] = sizes
    layout[TEXT] = first + 2 * sum(sizes)
    return layout


def _whole_lines(size: int) -> int:
    """A number of words that fills whole lines of the processor's cache, so that no slot lies on two of them."""
    return (size + 7) // 8 * 8


def _mapped(target: Path, size: int) -> Words:
    """A file of this many words, mapped into memory so that the system can write it out and drop it at any time."""
    with target.open("ab") as file:
        if hasattr(os, "posix_fallocate"):  # a full disk is an error here, and would kill the process later
            os.posix_fallocate(file.fileno(), 0, 8 * size)
        file.truncate(8 * size)
    return np.asarray(np.memmap(target, np.uint64, "r+"))


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
    known: bool,
    used: Integers,
    words: Words,
) -> None:
    """Add the n-grams of a block."""
    i, what, number = add_ngrams(
        block.buffer, block.starts, block.stops, block.numbers, layout, text, known, used, words
    )  # fmt: skip
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

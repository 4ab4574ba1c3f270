"""Tables of phrases that mean the same."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, combinations, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrow import pa
from metrologue.errors import InputError, shown
from metrologue.kernels.interning import tokenize
from metrologue.kernels.lookup import Phrases, Tree, find_phrases
from metrologue.kernels.spans import BLANK, ORDINARY, token_spans
from metrologue.text.lexicon.locate import File
from metrologue.text.lexicon.table_cache import Table

__all__ = ["Phrases", "find", "group_arrays", "is_meteors", "meteor_arrays"]

_AT_ONCE = 1_000_000  # entries
_GZIP = b"\x1f\x8b"


def find(table: Table, ids: NDArray[np.int32], offsets: NDArray[np.int64], numbers: NDArray[np.int32]) -> Phrases:
    """The phrases of a table in texts. `numbers` has the table's number for the word of each id, or -1."""
    tree = Tree(*(table[name] for name in Tree._fields))
    return find_phrases(ids, offsets, numbers, tree, int(table["longest"][0]))


def is_meteors(head: bytes) -> bool:
    """Whether a table with this beginning is in METEOR's format: compressed, or without a TAB."""
    return head.startswith(_GZIP) or b"\t" not in head


def meteor_arrays(file: File) -> dict[str, Any]:
    """The arrays of a table in METEOR's format.

    An entry has three lines: a probability, which METEOR does not use, a phrase and its paraphrase. Raises an
    InputError if a packed file is damaged, the lines do not come in threes, the first line of an entry is not a number,
    or a phrase is empty.

    Parameters
    ----------
    file : path
        Compressed by gzip or not.
    """
    try:
        return _pairs(file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{file}: not a valid gzip file ({error}); pack it again.") from None


def _pairs(file: File) -> dict[str, Any]:
    kept = []
    read = 0
    with file.open("rb") as raw:
        compressed = raw.read(len(_GZIP)) == _GZIP
        raw.seek(0)
        stream = gzip.GzipFile(fileobj=raw) if compressed else raw
        while lines := list(islice(stream, 3 * _AT_ONCE)):
            if len(lines) % 3:
                raise InputError(f"{file}, line {read + len(lines)}: the table ends within an entry of three lines.")
            for line, entry in enumerate(lines[::3]):
                try:
                    float(entry)
                except ValueError:
                    where = f"{file}, line {read + 3 * line + 1}"
                    raise InputError(f"{where}: {shown(entry)} is not a probability; an entry has 3 lines.") from None
            read += len(lines)
            del lines[::3]
            kept.append(b"".join(lines))
    return _arrays(b"".join(kept), lambda line: f"{file}, line {line // 2 * 3 + line % 2 + 2}")


def group_arrays(groups: Iterable[Sequence[str]], owner: str) -> dict[str, Any]:
    """The arrays of a user's table. The phrases of a group mean the same.

    Raises an InputError if a phrase has no words or spans lines.
    """
    # Each pair is kept once. A pair that came twice, or in both orders, would give two rival matches of the same words.
    pairs = {frozenset(pair): pair for group in groups for pair in combinations(group, 2)}.values()
    if not pairs:
        raise InputError(f"{owner}: the table has no two phrases that mean the same.")
    for phrase in chain.from_iterable(pairs):
        if not phrase.split() or "\n" in phrase:
            raise InputError(f"{owner}: {shown(phrase)} is not a phrase of one or more words.")
    return _arrays("".join(f"{one}\n{other}\n" for one, other in pairs).encode(), lambda line: owner)


def _arrays(text: bytes, place: Callable[[int], str]) -> dict[str, Any]:
    """The arrays of a table, from lines that alternate between a phrase and its paraphrase."""
    import pyarrow.compute as pc  # slow to import, and a table in the cache does not need it

    try:
        text.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{place(text.count(10, 0, error.start))}: the line is not UTF-8.") from error
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n")) + 1
    if not text.endswith(b"\n"):
        ends = np.append(ends, len(text))
    lines = np.frombuffer(text.ljust(8), np.uint8)  # the kernel reads eight bytes at a time
    rules = _classes(), ORDINARY, False, False
    ids, offsets, starts, lengths = tokenize(lines, np.concatenate([[0], ends]), token_spans, rules)
    if len(empty := np.flatnonzero(np.diff(offsets) == 0)):
        raise InputError(f"{place(int(empty[0]))}: the phrase is empty.")
    # Words are numbered in sorted order. As big-endian bytes of these numbers, phrases sort by their words.
    spans = zip(starts.tolist(), (starts + lengths).tolist(), strict=True)
    words = pa.array([text[start:stop].decode() for start, stop in spans], pa.large_string())
    order = pc.sort_indices(words).to_numpy()
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    content = pa.py_buffer(rank[ids].astype(">i4"))
    every = pa.Array.from_buffers(pa.large_binary(), len(ends), [None, pa.py_buffer(4 * offsets), content])
    every = every.dictionary_encode()
    sorting = pc.sort_indices(every.dictionary)
    tree, nodes = _tree(every.dictionary.take(sorting), len(order))
    node_of = np.empty(len(nodes), np.int32)
    node_of[sorting.to_numpy()] = nodes
    sources, targets = node_of[every.indices.to_numpy()].reshape(-1, 2).T
    return {
        **tree,
        "vocabulary": words.take(pa.array(order)),
        "target_offsets": np.searchsorted(np.sort(sources), np.arange(len(tree["words"]) + 1)).astype(np.int32),
        "targets": targets[np.argsort(sources, kind="stable")],
    }


@cache
def _classes() -> NDArray[np.uint8]:
    """The character classes that cut words where Java's StringTokenizer does."""
    classes = np.full(0x110000, ORDINARY, np.uint8)
    classes[list(b"\t\n\f\r ")] = BLANK
    return classes


def _tree(phrases: Any, vocabulary: int) -> tuple[dict[str, Any], NDArray[np.int32]]:
    """Sorted phrases as a tree (see ``find_phrases``), level by level, and the node of each phrase."""
    _, limits, content = phrases.buffers()
    offsets = np.frombuffer(limits, np.int64)[: len(phrases) + 1] // 4
    items = np.frombuffer(content, ">i4").astype(np.int32)
    lengths = np.diff(offsets)
    longest = int(lengths.max(initial=0))
    node = np.full(len(phrases), -1, np.int32)
    begins = np.zeros(len(phrases), np.bool_)  # whether a phrase is the first one with its words up to this level
    words, parents, count = [], [], 0
    for level in range(longest):
        word = np.full(len(phrases), -1, np.int32)
        deep = np.flatnonzero(lengths > level)
        word[deep] = items[offsets[deep] + level]
        begins |= word != np.concatenate([[-1], word[:-1]])
        first = np.flatnonzero(begins & (word >= 0))
        words.append(word[first])
        parents.append(node[first])
        node[deep] = (count - 1 + np.cumsum(begins & (word >= 0)))[deep]
        count += len(first)
    roots = np.full(vocabulary, -1, np.int32)
    roots[words[0]] = np.arange(len(words[0]))
    return {
        "words": np.concatenate(words),
        "roots": roots,
        "children": np.searchsorted(np.concatenate(parents), np.arange(count + 1)).astype(np.int32),
        "longest": np.array([longest]),
    }, node

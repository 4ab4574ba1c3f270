"""Predictions that are cut otherwise than their references: a new cut of the whole output."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.intake import as_text, holds_lists, listed
from metrologue.errors import InputError
from metrologue.files.kernels import middle_cut

__all__ = ["Resegmented", "resegment"]


# Characters of scripts without spaces between words, with the punctuation of Chinese and Japanese: Thai, Lao, Tibetan,
# Burmese, Khmer; kana and Han.
_ALONE = (
    (0xE00, 0x10A0), (0x1780, 0x1800), (0x3000, 0x3100), (0x3400, 0xA000), (0xF900, 0xFB00), (0xFF00, 0xFFF0),
    (0x20000, 0x34000),
)  # fmt: skip


class _Unit(NamedTuple):
    """A word, or a character of a script without spaces; whether white space stands before it, and its line."""

    text: str
    spaced: bool
    line: int


@cache
def _units_in() -> re.Pattern[str]:
    """Finds a character of these scripts with its marks, or a run of other characters."""
    alone = "".join(f"{chr(first)}-{chr(last - 1)}" for first, last in _ALONE)
    marks = "".join(chr(point) for point in range(0x300, 0x3100) if unicodedata.category(chr(point))[0] == "M")
    return re.compile(rf"[^\S\u3000]*(?:([{alone}][{marks}\u200c\u200d]*)|[^\s{alone}]+)")


def _units(lines: list[str]) -> list[_Unit]:
    """The units of all lines. A line begins with a space, unless both units at its beginning stand without any."""
    found: list[_Unit] = []
    after_alone = False
    for number, line in enumerate(lines):
        if line.isascii():  # as the pattern has it, but quicker
            words = line.split()
            found += [_Unit(word, True, number) for word in words]
            after_alone = after_alone and not words
            continue
        for place, match in enumerate(_units_in().finditer(line)):
            text = match[0].lstrip()
            if not text:
                continue
            alone = match[1] is not None
            spaced = match[0] != text or (place == 0 and not (alone and after_alone))
            found.append(_Unit(text, spaced, number))
            after_alone = alone
    return found


class Resegmented(list[str]):
    """Predictions, one for each reference.

    Attributes
    ----------
    moved : int
        How many words stand in a segment with another index than before.
    words : int
        How many words there are. A character of a script without spaces between words is counted as one.
    """

    moved: int = 0
    words: int = 0


def resegment(predictions: Any, references: Any) -> Resegmented:
    """Cut the whole output anew, with the least edit distance to the references.

    This is what mwerSegmenter (Matusov et al. 2005) does for speech translation and subtitles, whose segments are not
    those of the references. Words are what stands between white space, and are compared without case; a character of a
    script without spaces between words, such as Chinese, Japanese or Thai, is a word of its own. No word is changed,
    and none changes its place in the output. Of several references of a segment, the nearest one counts.

    Parameters
    ----------
    predictions : sequence of str
        The output in its order, in any number of segments.
    references : sequence of n str, or of n sequences of str

    Returns
    -------
    Resegmented, a list of n str

    Raises
    ------
    InputError
        If there are no references, or an item is not a string.

    Examples
    --------
    >>> cut = resegment(["the cat", "sat a dog barked"], ["the cat sat", "the dog barked"])
    >>> cut
    ['the cat sat', 'a dog barked']
    >>> cut.moved, cut.words
    (1, 6)
    """
    spoken = _units(_texts(predictions, "predictions"))
    rows = listed(references, "references", "resegment")
    groups = (
        [_texts(row, f"references[{i}]") for i, row in enumerate(_plain(rows))]
        if holds_lists(rows)
        else [[text] for text in _texts(rows, "references")]
    )
    if not groups:
        raise InputError("resegment: no `references`; at least one is expected.")
    for i, group in enumerate(groups):
        if not group:
            raise InputError(f"resegment: `references[{i}]` is empty; at least one reference is expected.")
    numbers: dict[str, int] = {}
    output = _numbered([unit.text for unit in spoken], numbers)
    texts = [[unit.text for unit in _units([text])] for group in groups for text in group]
    ids = _numbered([word for text in texts for word in text], numbers)
    offsets = _offsets([len(text) for text in texts])
    cuts = _cuts(output, ids, offsets, _offsets([len(group) for group in groups]))
    made = Resegmented(_joined(spoken[start:stop]) for start, stop in pairwise(cuts))
    before = np.array([unit.line for unit in spoken], np.int64)
    after = np.repeat(np.arange(len(groups)), np.diff(cuts))
    made.moved, made.words = int(np.count_nonzero(before != after)), len(spoken)
    return made


def _joined(units: list[_Unit]) -> str:
    return "".join(" " * unit.spaced + unit.text for unit in units).removeprefix(" ")


def _texts(values: Any, argument: str) -> list[str]:
    texts: list[str] = as_text(listed(values, argument, "resegment"), argument, "resegment").to_pylist()
    return texts


def _plain(rows: Any) -> list[Any]:
    return rows if isinstance(rows, list) else rows.to_pylist()


def _numbered(words: list[str], numbers: dict[str, int]) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.array([numbers.setdefault(word.lower(), len(numbers)) for word in words], np.int32)


def _offsets(counts: list[int]) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


def _cuts(words: Any, ids: Any, offsets: Any, segments: Any) -> list[int]:
    """Where each segment begins, and the last one ends.

    The cut in the middle is found first, and then those of both halves, so that no table of all pairs of words is kept.
    """
    cuts = [0] * len(segments)
    cuts[-1] = len(words)
    room = np.empty((2, 3 * (len(words) + 1)), np.int64)
    waiting = [(0, len(segments) - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        middle, start, stop = (first + last) // 2, cuts[first], cuts[last]
        costs, ends = (row[: 3 * (stop - start + 1)].reshape(3, -1) for row in room)
        part = segments[first : last + 1]
        cuts[middle] = start + middle_cut(words[start:stop], ids, offsets, part, middle - first, costs, ends)
        waiting += [(first, middle), (middle, last)]
    return cuts

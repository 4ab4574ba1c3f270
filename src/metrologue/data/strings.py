"""Texts as bytes: the buffers of Arrow arrays, and replacements in them.

``pa.array`` of a list or of a NumPy array and ``to_numpy`` import pandas first, which takes longer than many programs.
So arrays are made from buffers here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from itertools import accumulate, pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrow import pa
from metrologue.data.kernels import Held, measured
from metrologue.kernels.arrays import row_lengths
from metrologue.kernels.utf8 import ascii_lowered, byte_offsets, cut_out, erased, mapped

# The Unicode forms that texts are compared in.
Form: TypeAlias = Literal["NFC", "NFKC"]
# So few strings are encoded in Python in less time than it takes to find them in memory.
_FEW = 128
_PLAIN = frozenset({str})
_NOTHING = np.empty(0, np.uint8)
# Letters with case are below this. The lower case of the dotted I is two characters; that of a sigma depends on where
# it is. The first characters of two, three and four bytes in UTF-8.
_CASED, _DOTTED_I, _SIGMA = 0x20000, 0x130, 0x3A3
_WIDER = np.array([0x80, 0x800, 0x10000])


class Strings:
    """Texts as their bytes in UTF-8, one after another. The Arrow array is made only if it is asked for.

    Many strings of Python are not encoded before their bytes are asked for: each thread then encodes its own part.

    Parameters
    ----------
    buffer : uint8 (n_bytes,)
    offsets : int64 (n + 1,)
        Text t is ``buffer[offsets[t]:offsets[t + 1]]``.
    held : Held, optional
        The strings, if they are not encoded yet. `offsets` then begins with 0.
    """

    def __init__(self, buffer: NDArray[np.uint8], offsets: NDArray[np.int64], held: Held | None = None) -> None:
        self.offsets = offsets
        self._buffer = buffer
        self._held = held

    @property
    def buffer(self) -> NDArray[np.uint8]:
        """The bytes of the texts."""
        if self._held is not None:
            self._encode(np.empty(self.offsets.item(-1), np.uint8))
        return self._buffer

    def _encode(self, buffer: NDArray[np.uint8]) -> None:
        if (held := self._held) is None:  # another thread was faster
            buffer[:] = self._buffer
            return
        held.write(self.offsets, buffer)
        self._buffer = buffer
        self._held = None  # at the end: whoever finds None finds the bytes

    def __reduce__(self) -> tuple[Any, ...]:
        return Strings, (self.buffer, self.offsets)

    @classmethod
    def of(cls, strings: Sequence[str]) -> Strings:
        """These strings, of the type str itself. Raises a UnicodeEncodeError if one has a lone surrogate."""
        if len(strings) > _FEW and (found := cls.read(strings)):
            return found
        data = "".join(strings).encode()
        if len(strings) == 1:
            return _Single(data)
        buffer = np.frombuffer(data, np.uint8)
        if data.isascii():  # each character is a byte
            return cls(buffer, np.array([*accumulate(map(len, strings), initial=0)], np.int64))
        return cls(buffer, byte_offsets(buffer, np.array([*map(len, strings)], np.int64)))

    @classmethod
    def of_plain(cls, objects: Sequence[Any]) -> Strings | None:
        """These strings, if all are of the type str itself, and none has a lone surrogate."""
        if len(objects) > _FEW:
            return cls.read(objects)
        try:
            return cls.of(objects) if _PLAIN.issuperset(map(type, objects)) else None
        except UnicodeEncodeError:
            return None

    @classmethod
    def read(cls, objects: Sequence[Any]) -> Strings | None:
        """These strings, if they are many, all of the type str itself, and none has a lone surrogate."""
        found = measured(objects) if len(objects) > _FEW else None
        return cls(_NOTHING, found[1], found[0]) if found else None

    @classmethod
    def of_arrow(cls, texts: pa.LargeStringArray) -> Strings:
        """The texts of an Arrow array, without a copy."""
        strings = cls(*buffers(texts))
        strings.arrow = texts
        return strings

    @cached_property
    def arrow(self) -> pa.LargeStringArray:
        """The texts as an Arrow array."""
        return of_buffers(self.buffer, self.offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def to_pylist(self) -> list[str]:
        """The texts as strings."""
        first, last = self.offsets.item(0), self.offsets.item(-1)  # they may share the bytes of many more
        data, limits = self.buffer[first:last].tobytes(), (self.offsets - first).tolist()
        return [data[start:stop].decode() for start, stop in pairwise(limits)]

    def cut(self, start: int, stop: int) -> Strings:
        """The texts `start` to `stop`, as a slice of a list. They share the bytes of all texts if those are encoded."""
        if (held := self._held) is not None:
            return Strings(_NOTHING, self.offsets[start : stop + 1] - self.offsets[start], held.part(start, stop))
        return Strings(self._buffer, self.offsets[start : stop + 1])

    def leading(self, count: int) -> bytes:
        """The bytes of the first `count` texts."""
        if self._held is not None:
            return self.cut(0, count).buffer.tobytes()
        return self._buffer[self.offsets[0] : self.offsets[: count + 1][-1]].tobytes()

    def ending(self, ending: bytes) -> int:
        """How many of the texts end with these characters of ASCII, one or more."""
        if (held := self._held) is not None:
            return held.ending(ending)
        ends = self.offsets[1:][np.diff(self.offsets) >= len(ending)]
        same = [self._buffer[ends - at] == byte for at, byte in enumerate(reversed(ending), 1)]
        return int(np.count_nonzero(np.logical_and.reduce(same)))

    def joined(self, other: Strings) -> Strings:
        """These texts, then the others."""
        offsets = np.concatenate((self.offsets, other.offsets[1:]))
        count = len(self.offsets)
        first, last = self.offsets.item(0), self.offsets.item(-1)
        start, stop = other.offsets.item(0), other.offsets.item(-1)
        if first:
            offsets[:count] -= first
        offsets[count:] += last - first - start
        if self._held is None or other._held is None:
            # Texts that are not encoded yet are encoded by this question.
            ours = self._buffer if self._held is None else self.buffer
            theirs = other._buffer if other._held is None else other.buffer
            return Strings(np.concatenate((ours[first:last], theirs[start:stop])), offsets)
        buffer = np.empty(last + stop, np.uint8)
        self._encode(buffer[:last])
        other._encode(buffer[last:])
        return Strings(buffer, offsets)


class _Single(Strings):
    """One text. Its arrays are made if they are asked for: a text that is joined with another one needs none."""

    _held = None

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def _buffer(self) -> NDArray[np.uint8]:  # type: ignore[override]  # made when asked for
        return np.frombuffer(self.data, np.uint8)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:  # type: ignore[override]  # made when asked for
        """0, and the number of bytes."""
        return np.array((0, len(self.data)), np.int64)

    def __len__(self) -> int:
        return 1

    def to_pylist(self) -> list[str]:
        return [self.data.decode()]

    def cut(self, start: int, stop: int) -> Strings:
        return self if start == 0 and stop >= 1 else super().cut(start, stop)

    def leading(self, count: int) -> bytes:
        return self.data if count else b""

    def joined(self, other: Strings) -> Strings:
        """This text, then the others."""
        if not isinstance(other, _Single):
            return super().joined(other)
        data = self.data + other.data
        return Strings(np.frombuffer(data, np.uint8), np.array((0, len(self.data), len(data)), np.int64))


AnyTexts: TypeAlias = "pa.LargeStringArray | Strings"


def arrow(texts: AnyTexts) -> pa.LargeStringArray:
    """The texts as an Arrow array."""
    return texts.arrow if isinstance(texts, Strings) else texts


def buffers(texts: AnyTexts) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes and the offsets (n + 1,) of texts, without a copy."""
    if isinstance(texts, Strings):
        return texts.buffer, texts.offsets
    _, offsets, data = texts.buffers()
    first, count = texts.offset, len(texts)
    limits = np.frombuffer(offsets, np.int64)[first : first + count + 1] if offsets else np.zeros(1, np.int64)
    return np.frombuffer(data or b"", np.uint8), limits


def characters(texts: Strings) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The characters of all texts one after another, and the offsets of each text there, (n + 1,)."""
    first, last = texts.offsets.item(0), texts.offsets.item(-1)
    data = texts.buffer[first:last]
    offsets = texts.offsets - first
    points = np.frombuffer(data.tobytes().decode().encode("utf-32-le"), np.int32)
    if len(points) < len(data):  # a character begins with each byte that does not go on with another one
        offsets = np.concatenate([[0], np.cumsum(data & 0xC0 != 0x80)])[offsets]
    return points, offsets


def of_characters(points: NDArray[np.int32], offsets: NDArray[np.int64]) -> Strings:
    """The texts of which ``characters`` gives these characters and offsets."""
    buffer = np.frombuffer(points.tobytes().decode("utf-32-le").encode(), np.uint8)
    return Strings(buffer, offsets if len(buffer) == len(points) else byte_offsets(buffer, row_lengths(offsets)))


def of_buffers(buffer: NDArray[np.uint8], offsets: NDArray[np.int64]) -> pa.LargeStringArray:
    """The Arrow array with these bytes and offsets (n + 1,)."""
    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(buffer))


def of_strings(strings: Sequence[str]) -> pa.LargeStringArray:
    """``pa.array(strings, pa.large_string())``, for strings of the type str itself.

    Raises a UnicodeEncodeError if a string has a lone surrogate.

    Examples
    --------
    >>> of_strings(["a", "é"]).to_pylist()
    ['a', 'é']
    """
    return Strings.of(strings).arrow


def of_numbers(values: NDArray[Any]) -> pa.Array:
    """``pa.array(values)`` of ints or floats.

    Examples
    --------
    >>> of_numbers(np.array([1, 2])).to_pylist()
    [1, 2]
    """
    held = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, held])


def replaced(
    buffer: NDArray[np.uint8], offsets: NDArray[np.int64], rows: NDArray[np.int64], replace: Callable[[str], str]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes and offsets of the texts after `replace` has changed the texts of `rows`, which must ascend."""
    if not len(rows):
        first, last = offsets.item(0), offsets.item(-1)
        whole = first == 0 and last == len(buffer)
        return (buffer, offsets) if whole else (buffer[first:last], offsets - first)
    parts: list[bytes | memoryview] = []
    lengths = np.diff(offsets)
    copied = offsets[0]
    for row in rows:
        start, stop = offsets[row : row + 2]
        text = replace(buffer[start:stop].tobytes().decode()).encode()
        parts += [buffer[copied:start].data, text]
        lengths[row] = len(text)
        copied = stop
    parts.append(buffer[copied : offsets[-1]].data)
    return np.frombuffer(b"".join(parts), np.uint8), np.concatenate([[0], np.cumsum(lengths)])


def lower(texts: AnyTexts) -> Strings:
    """``str.lower()`` of each text. Arrow's own function does not handle the final sigma and the dotted I."""
    buffer, limits = buffers(texts)
    first, last = limits.item(0), limits.item(-1)  # a slice of texts shares the bytes of all texts
    lowered, is_ascii = ascii_lowered(buffer[first:last])
    offsets = limits - first if first else limits
    if is_ascii:
        return Strings(lowered, offsets)
    lowered, left = mapped(lowered, offsets, _lower_table())
    # A text in which some letters are lower case already has the same lower case as before.
    return Strings(*replaced(lowered, offsets, np.flatnonzero(left), str.lower))


@cache
def _lower_table() -> NDArray[np.int32]:
    """The lower case of each code point; -1 if that has another number of bytes, or depends on its neighbours."""
    table = np.arange(_CASED, dtype=np.int32)
    apart = [_DOTTED_I, _SIGMA]
    single = np.delete(table, [*apart, *range(0xD800, 0xE000)])
    lowered = single.tobytes().decode("utf-32-le").lower().encode("utf-32-le")
    table[single] = np.frombuffer(lowered, "<i4")
    longer = np.searchsorted(_WIDER, table, "right") != np.searchsorted(_WIDER, np.arange(_CASED), "right")
    table[longer] = -1
    table[apart] = -1
    return table


def without_characters(texts: AnyTexts, characters: str) -> Strings:
    """Each text without these characters, which must be ASCII."""
    return Strings(*erased(*buffers(texts), characters))


def without_string(texts: AnyTexts, unwanted: str) -> Strings:
    """Each text without a string: ``text.replace(unwanted, "")``."""
    return Strings(*cut_out(*buffers(texts), unwanted.encode(errors="surrogatepass")))


def without_matches(texts: AnyTexts, pattern: str) -> Strings:
    """``re.sub(pattern, "", text)`` of each text."""
    return changed(texts, partial(re.compile(pattern).sub, ""))


def normalized(texts: Strings, form: Form) -> Strings:
    """Texts in a Unicode form, by the tables of ``unicodedata``; these themselves if they have it."""
    limits = texts.offsets
    whole = texts.buffer[limits[0] : limits[-1]].tobytes()
    if whole.isascii() or unicodedata.is_normalized(form, whole.decode()):
        return texts
    return changed(texts, partial(unicodedata.normalize, form))


def changed(texts: AnyTexts, change: Callable[[str], str]) -> Strings:
    """``change(text)`` of each text, called once for each distinct text."""
    return changed_all(texts, lambda distinct: [*map(change, distinct)])


def changed_all(texts: AnyTexts, change: Callable[[list[str]], list[str]]) -> Strings:
    """The texts after a change of all distinct texts at once."""
    distinct = arrow(texts).dictionary_encode()
    return Strings.of_arrow(of_strings(change(distinct.dictionary.to_pylist())).take(distinct.indices))

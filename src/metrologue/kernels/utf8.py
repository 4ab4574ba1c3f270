"""UTF-8, character by character and letter by letter."""

from __future__ import annotations

import numpy as np
from numpy import int64, uint8, uint64

from metrologue.kernels.arrays import Bytes, Flags, Ids, Number, Offsets, Words
from metrologue.kernels.words import lesser, read8, trailing_zeros, write8
from metrologue.native import helper, kernel

__all__ = [
    "ascii_lower",
    "ascii_lowered",
    "byte_offsets",
    "code_point",
    "cut_out",
    "erased",
    "letters_from",
    "line_count",
    "mapped",
    "mark_letters",
    "place_of_byte",
    "rows_with",
    "spans_with",
    "split_lines",
    "width",
    "word_at",
]


# So few bytes are searched as one object of Python, before a kernel says which text has what was found.
_FEW = 1 << 10
_LOW_BITS = uint64(0x7F7F7F7F7F7F7F7F)  # all bits of a word but the highest one of each byte


@helper
def width(lead: Number) -> Number:
    """The number of bytes of the character that begins with `lead`."""
    return 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


@helper
def code_point(buffer: Bytes, i: Number) -> Number:
    """The character at byte `i` of valid UTF-8."""
    lead = int64(buffer[i])
    if lead < 0x80:
        return lead
    point = lead & (0x1F if lead < 0xE0 else 0x0F if lead < 0xF0 else 0x07)
    for k in range(i + 1, i + width(lead)):
        point = point << 6 | int64(buffer[k] & 0x3F)
    return point


@helper
def word_at(buffer: Bytes, start: Number) -> Number:
    """The eight bytes from `start`, with zeros beyond the end of a buffer of eight bytes or more."""
    at = lesser(start, len(buffer) - 8)
    beyond = uint64(4 * (start - at))
    return read8(buffer, at) >> beyond >> beyond  # a shift by 64 at once would be undefined


@helper
def place_of_byte(buffer: Bytes, start: Number, stop: Number, byte: Number) -> Number:
    """Where a byte is first from `start` on; `stop` if it is not before it. The buffer has eight bytes or more."""
    each = uint64(0x0101010101010101)
    while start < stop:
        word = word_at(buffer, start) ^ (each * uint64(byte))
        zeros = (word - each) & ~word & (each * uint64(0x80))
        if zeros:
            return lesser(start + int64(trailing_zeros(zeros) >> uint64(3)), stop)
        start += 8
    return stop


@helper
def _stops(word: Number) -> Number:
    """Which of a word's eight bytes are not ASCII letters, as eight bits. All bytes are tested at once."""
    each = uint64(0x0101010101010101)
    low = (word | (each * uint64(0x20))) & (each * uint64(0x7F))
    # A byte's high bit is set by the first sum from "a" on, by the second one beyond "z".
    letters = (low + each * uint64(0x80 - 0x61)) & ~(low + each * uint64(0x7F - 0x7A)) & ~word
    # The product gathers the high bits of all bytes in its own highest byte.
    return ((~letters >> uint64(7)) & each) * uint64(0x0102040810204080) >> uint64(56)


@helper
def mark_letters(buffer: Bytes, begin: Number, end: Number, marks: Words) -> None:
    """Set bit i of `marks`, 64 to a word, where byte begin + i is not an ASCII letter, and the bit after the text."""
    length = end - begin
    for block in range((length >> 6) + 1):
        first = begin + 64 * block
        mark = uint64(0)
        if first + 64 <= len(buffer):
            for k in range(8):
                mark |= _stops(read8(buffer, first + 8 * k)) << uint64(8 * k)
        else:
            for k in range((end - first + 7) >> 3):
                mark |= _stops(word_at(buffer, first + 8 * k)) << uint64(8 * k)
        marks[block] = mark
    marks[length >> 6] |= uint64(1) << uint64(length & 63)
    marks[(length >> 6) + 1] = 0


@helper
def letters_from(marks: Words, i: Number) -> Number:
    """The number of letters from byte i of the text on, up to 64. One read finds the next mark at any distance."""
    block, bit = i >> 6, uint64(i & 63)
    return int64(trailing_zeros(marks[block] >> bit | marks[block + 1] << uint64(1) << (uint64(63) - bit)))


@helper
def _is_wanted(byte: Number, wanted: Bytes, high: Number) -> Number:
    """Not zero for one of four bytes, or if one of the bits `high` is set."""
    return (
        uint8(byte == wanted[0])
        | uint8(byte == wanted[1])
        | uint8(byte == wanted[2])
        | uint8(byte == wanted[3])
        | uint8(byte & high)
    )


@kernel
def _rows_with(buffer: Bytes, offsets: Offsets, wanted: Bytes, high: int, blocks: Bytes, found: Flags) -> None:
    """Mark the blocks of 64 bytes that hold a wanted byte, then search those blocks in each text.

    The first loop has no branch, so that the processor tests a whole block at once. `blocks` has one entry for each
    block; the last block may be incomplete.
    """
    first, last = offsets[0], offsets[-1]
    bits = uint8(high)
    full = (last - first) >> 6
    for b in range(full):
        block = buffer[first + 64 * b : first + 64 * b + 64]
        hit = uint8(0)
        for k in range(64):
            hit |= _is_wanted(block[k], wanted, bits)
        blocks[b] = hit
    if first + 64 * full < last:
        blocks[full] = 1
    for t in range(len(found)):
        begin, end = offsets[t], offsets[t + 1]
        i = begin
        while i < end:
            after = lesser(end, first + (((i - first) >> 6) + 1 << 6))
            if blocks[(i - first) >> 6]:
                while i < after and not _is_wanted(buffer[i], wanted, bits):
                    i += 1
                if i < after:
                    break
            i = after
        found[t] = i < end


def rows_with(buffer: Bytes, offsets: Offsets, wanted: bytes = b"", beyond_ascii: bool = False) -> Flags:
    """Which texts hold one of the `wanted` bytes, up to four, or a byte beyond ASCII, (n_texts,)."""
    found = np.zeros(len(offsets) - 1, np.bool_)
    first, last = offsets.item(0), offsets.item(-1)
    if last - first <= _FEW:
        data = buffer[first:last].tobytes()
        if not any(map(data.__contains__, wanted)) and not (beyond_ascii and not data.isascii()):
            return found
    if wanted or beyond_ascii:
        blocks = np.empty((last - first >> 6) + 1, np.uint8)
        each = np.frombuffer(wanted.ljust(4, wanted[:1] or b"\xff"), np.uint8)
        _rows_with(buffer, offsets, each, 0x80 if beyond_ascii else 0, blocks, found)
    return found


@kernel
def _spans_with(buffer: Bytes, starts: Offsets, lengths: Offsets, wanted: Flags, found: Flags) -> None:
    last = len(wanted) - 1
    for s in range(len(starts)):
        i, end = starts[s], starts[s] + lengths[s]
        while i < end and not wanted[lesser(code_point(buffer, i), last)]:
            i += width(buffer[i])
        found[s] = i < end


def spans_with(buffer: Bytes, starts: Offsets, lengths: Offsets, wanted: Flags) -> Flags:
    """Which spans hold a wanted character, (n_spans,). `wanted[c]` is for code point c, the last one for all beyond."""
    found = np.zeros(len(starts), np.bool_)
    _spans_with(buffer, starts, lengths, wanted, found)
    return found


@kernel
def _erased(buffer: Bytes, offsets: Offsets, unwanted: Flags, kept: Bytes, limits: Offsets) -> None:
    """Each byte is written. An unwanted one is then overwritten, so no branch depends on the text."""
    size = 0
    for t in range(len(offsets) - 1):
        for i in range(offsets[t], offsets[t + 1]):
            kept[size] = buffer[i]
            size += not unwanted[buffer[i]]
        limits[t + 1] = size


def erased(buffer: Bytes, offsets: Offsets, characters: str) -> tuple[Bytes, Offsets]:
    """The bytes and the offsets (n + 1,) of texts without these ASCII characters."""
    unwanted = np.zeros(256, np.bool_)
    unwanted[list(characters.encode("ascii"))] = True
    kept, limits = np.empty(int(offsets[-1] - offsets[0]), np.uint8), np.zeros_like(offsets)
    _erased(buffer, offsets, unwanted, kept, limits)
    return kept[: limits[-1]], limits


@kernel
def _cut_out(buffer: Bytes, offsets: Offsets, unwanted: Bytes, kept: Bytes, limits: Offsets) -> None:
    size, longest = 0, len(unwanted)
    for t in range(len(offsets) - 1):
        i, end = offsets[t], offsets[t + 1]
        while i < end:
            k = 0
            if buffer[i] == unwanted[0] and i + longest <= end:
                while k < longest and buffer[i + k] == unwanted[k]:
                    k += 1
            if k == longest:
                i += longest
            else:
                kept[size] = buffer[i]
                i, size = i + 1, size + 1
        limits[t + 1] = size


def cut_out(buffer: Bytes, offsets: Offsets, unwanted: bytes) -> tuple[Bytes, Offsets]:
    """The bytes and the offsets (n + 1,) of texts without a string of one byte or more, as ``str.replace`` has it."""
    kept, limits = np.empty(int(offsets[-1] - offsets[0]), np.uint8), np.zeros_like(offsets)
    _cut_out(buffer, offsets, np.frombuffer(unwanted, np.uint8), kept, limits)
    return kept[: limits[-1]], limits


@kernel
def _limits(lengths: Offsets, limits: Offsets) -> int:
    total: Number = int64(0)
    limits[0] = 0
    for s in range(len(lengths)):
        total += lengths[s]
        limits[s + 1] = total
    return total


@kernel
def _joined(buffer: Bytes, starts: Offsets, limits: Offsets, data: Bytes) -> None:
    for s in range(len(starts)):
        for k in range(limits[s + 1] - limits[s]):
            data[limits[s] + k] = buffer[starts[s] + k]


def joined(buffer: Bytes, starts: Offsets, lengths: Offsets) -> tuple[Bytes, Offsets]:
    """The bytes of these spans one after another, and the offsets of each span there, (n_spans + 1,)."""
    limits = np.empty(len(starts) + 1, np.int64)
    data = np.empty(_limits(lengths, limits), np.uint8)
    _joined(buffer, starts, limits, data)
    return data, limits


@kernel
def _ascii_lower(buffer: Bytes, lowered: Bytes) -> bool:
    """No branch depends on the text, so that the processor takes many bytes at once. Returns whether all are ASCII."""
    seen = uint8(0)
    for i in range(len(buffer)):
        byte = buffer[i]
        seen |= byte
        lowered[i] = byte | uint8(uint8(byte - uint8(0x41)) < uint8(26)) << uint8(5)
    return bool(seen < uint8(0x80))


def ascii_lower(buffer: Bytes) -> Bytes:
    """The bytes with A to Z in lower case."""
    return ascii_lowered(buffer)[0]


def ascii_lowered(buffer: Bytes) -> tuple[Bytes, bool]:
    """The bytes with A to Z in lower case, and whether all of them are ASCII."""
    lowered = np.empty_like(buffer)
    return lowered, bool(_ascii_lower(buffer, lowered))


@kernel
def _mapped(offsets: Offsets, table: Ids, buffer: Bytes, left: Flags) -> None:
    """A character has as many bytes after the map as before, so it is written where it was.

    Eight bytes at a time are searched for the first bytes of characters beyond ASCII.
    """
    t = 0
    for begin in range(offsets[0], offsets[-1], 8):
        word = word_at(buffer, begin)
        leads = word & word << uint64(1) & uint64(0x8080808080808080)  # the two highest bits of a byte are 1
        while leads:
            i = begin + int64(trailing_zeros(leads) >> uint64(3))
            leads &= leads - uint64(1)
            if i >= offsets[-1]:
                break
            point, size = code_point(buffer, i), width(buffer[i])
            image = int64(table[point]) if point < len(table) else point
            if image < 0:
                while offsets[t + 1] <= i:
                    t += 1
                left[t] = True
            elif image != point:
                for k in range(i + size - 1, i, -1):
                    buffer[k] = 0x80 | (image & 0x3F)
                    image >>= 6
                buffer[i] = (0xF00 >> size & 0xFF) | image


def mapped(buffer: Bytes, offsets: Offsets, table: Ids) -> tuple[Bytes, Flags]:
    """The bytes with each character beyond ASCII replaced, and which texts hold one that stayed, (n_texts,).

    The bytes are changed in place, so they must be nobody else's. `table[c]` is the character that replaces code point
    c, of as many bytes in UTF-8. It is -1 for one that stays and is reported. Characters beyond the table stay.
    """
    left = np.zeros(len(offsets) - 1, np.bool_)
    words = buffer if len(buffer) >= 8 else np.concatenate([buffer, np.zeros(8, np.uint8)])  # read eight at a time
    _mapped(offsets, table, words, left)
    return words[: len(buffer)], left


@helper
def _line_ends(word: Number) -> Number:
    """The highest bit of each byte of a word that is a line feed; no other bit."""
    word ^= uint64(0x0A0A0A0A0A0A0A0A)
    return ~(((word & _LOW_BITS) + _LOW_BITS) | word | _LOW_BITS)


@kernel
def _line_count(block: Bytes) -> int:
    """Eight counts of a byte each, which are added up before one of them can overflow."""
    count: Number = 0
    whole = len(block) & ~7
    for start in range(0, whole, 8 * 255):
        counts = uint64(0)
        for i in range(start, lesser(start + 8 * 255, whole), 8):
            counts += _line_ends(read8(block, i)) >> uint64(7)
        pairs = (counts & uint64(0x00FF00FF00FF00FF)) + (counts >> uint64(8) & uint64(0x00FF00FF00FF00FF))
        count += int64(pairs * uint64(0x0001000100010001) >> uint64(48))
    for i in range(whole, len(block)):
        count += block[i] == 0x0A
    return count


def line_count(block: bytes) -> int:
    """``block.count(b"\\n")``, which takes longer for many."""
    return _line_count(np.frombuffer(block, np.uint8))


@kernel
def _split_lines(block: Bytes, text: Bytes, offsets: Offsets) -> int:
    """Copy the block without line ends. Returns the number of lines. The copy has room for eight bytes more.

    Eight bytes are written as if none of them were a line end, and as many of them count as come before the first one.
    The processor guesses that it is all eight, and does not wait for the answer.
    """
    i, end, line = 0, 0, 0
    while i < len(block):
        before = lesser(8, len(block) - i)
        if before == 8:
            word = read8(block, i)
            write8(text, end, word)
            found = _line_ends(word)
            if not found:
                i, end = i + 8, end + 8
                continue
            before = int64(trailing_zeros(found)) >> 3
        else:
            k = 0
            while k < before and block[i + k] != 0x0A:
                text[end + k] = block[i + k]
                k += 1
            before = k
        i, end = i + before, end + before
        if i < len(block) and block[i] == 0x0A:
            end -= int64(i > 0 and block[i - 1] == 0x0D)
            line += 1
            offsets[line] = end
            i += 1
    if len(block) and block[len(block) - 1] != 0x0A:
        line += 1
        offsets[line] = end
    return line


def split_lines(block: bytes, most: int) -> tuple[Bytes, Offsets]:
    """The bytes and the offsets (n + 1,) of lines. They end at a line feed, or at a carriage return before it.

    The block has at most `most` line ends.
    """
    # The system gives memory only when it is first touched, so there may be room for many lines.
    text, offsets = np.empty(len(block) + 8, np.uint8), np.zeros(most + 2, np.int64)
    offsets = offsets[: _split_lines(np.frombuffer(block, np.uint8), text, offsets) + 1]
    return text[: offsets[-1]], offsets


@kernel
def _byte_offsets(buffer: Bytes, lengths: Offsets, offsets: Offsets) -> None:
    """Invariant: `left` characters of the text begin at byte `i` or after. Eight that are ASCII are passed at once."""
    i = 0
    for text in range(len(lengths)):
        left = lengths[text]
        while left > 0:
            if left >= 8 and i + 8 <= len(buffer) and read8(buffer, i) & uint64(0x8080808080808080) == 0:
                i, left = i + 8, left - 8
            else:
                i, left = i + width(buffer[i]), left - 1
        offsets[text + 1] = i


def byte_offsets(buffer: Bytes, lengths: Offsets) -> Offsets:
    """Where texts begin in UTF-8 that holds them one after another, (n + 1,), by their numbers of characters, (n,)."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    _byte_offsets(buffer, lengths, offsets)
    return offsets

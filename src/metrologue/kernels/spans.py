"""Where tokens begin and end in UTF-8 bytes, by classes of characters."""

from __future__ import annotations

from typing import NamedTuple

from metrologue.kernels.arrays import Bytes, Ids, Number, Offsets, Words
from metrologue.kernels.utf8 import code_point, letters_from, mark_letters, width
from metrologue.native import helper, kernel

__all__ = [
    "BLANK",
    "DASH",
    "DIGIT",
    "LONE",
    "ORDINARY",
    "POINT",
    "SYMBOL",
    "Rules",
    "Spans",
    "cut_texts",
    "token_spans",
]

# The classes of characters for a tokenizer. ORDINARY and DIGIT come first: they only lengthen the current token.
# BLANK is whitespace. LONE is whitespace next to other whitespace, and an ordinary character otherwise.
ORDINARY, DIGIT, BLANK, SYMBOL, POINT, DASH, LONE = range(7)


class Rules(NamedTuple):
    """How texts are cut; see ``token_spans``."""

    classes: Bytes
    edge: int
    keep_empty: bool
    strip: bool


class Spans(NamedTuple):
    """Where the tokens of the texts that were cut begin and end, and how many each text has."""

    starts: Offsets
    stops: Offsets
    counts: Ids


@helper
def _stripped(buffer: Bytes, begin: Number, end: Number, classes: Bytes) -> Number:
    """Where a text ends without its trailing whitespace."""
    while end > begin:
        i = end - 1
        while buffer[i] & 0xC0 == 0x80:
            i -= 1
        if classes[code_point(buffer, i)] != BLANK:
            break
        end = i
    return end


@helper
def _cut(
    buffer: Bytes, begin: Number, end: Number, rules: Rules, plain: Number, marks: Words, cut: Spans, n: Number
) -> Number:
    """Write the spans of a text, from the n-th on. `buffer[start:i]` is always the current token."""
    i = start = begin
    previous = rules.edge
    while i < end:
        if plain:
            letters = letters_from(marks, i - begin)
            if letters:
                i += letters
                previous = ORDINARY
                continue
        kind = rules.classes[code_point(buffer, i)]
        after = i + width(buffer[i])
        if kind <= DIGIT:  # the current token goes on
            previous = kind
            i = after
            continue
        if kind == LONE:
            following = rules.edge if after >= end else rules.classes[code_point(buffer, after)]
            kind = BLANK if previous == BLANK or following in (BLANK, LONE) else ORDINARY
        if kind == POINT:
            last = i
            run = 1
            while after < end and rules.classes[code_point(buffer, after)] == POINT:
                last = after
                after += width(buffer[after])
                run += 1
            after_digit = previous == DIGIT
            before_digit = (rules.edge if after >= end else rules.classes[code_point(buffer, after)]) == DIGIT
            # mteval's rules match points in pairs. So each point of a run is a token, with two exceptions: a single
            # point between two digits joins them, and the last point joins a digit after it if no pair includes it.
            if not (run == 1 and after_digit and before_digit):
                joins = before_digit and (run % 2 == 1) == after_digit
                while i < (last if joins else after):
                    if start < i:
                        cut.starts[n], cut.stops[n] = start, i
                        n += 1
                    start = i + width(buffer[i])
                    cut.starts[n], cut.stops[n] = i, start
                    n += 1
                    i = start
        elif kind > DIGIT and (kind != DASH or (previous == DIGIT and i > begin)):
            if start < i or (rules.keep_empty and kind == BLANK):
                cut.starts[n], cut.stops[n] = start, i
                n += 1
            if kind != BLANK:
                cut.starts[n], cut.stops[n] = i, after
                n += 1
            start = after
        previous = kind
        i = after
    if start < end or rules.keep_empty:
        cut.starts[n], cut.stops[n] = start, end
        n += 1
    return n


@helper
def cut_texts(
    buffer: Bytes, offsets: Offsets, repeats: Offsets, first: Number, rules: Rules, marks: Words, cut: Spans
) -> Number:
    """``token_spans`` inside of a kernel."""
    plain = rules.classes[0x61] == ORDINARY  # then all ASCII letters are ordinary: no tokenizer tells them apart
    n = 0
    for t in range(first, len(offsets) - 1):
        begin, end = offsets[t], offsets[t + 1]
        cut.counts[t] = 0
        if repeats[t] >= 0:
            continue
        if n + end - begin >= len(cut.starts):
            return t
        if rules.strip:
            end = _stripped(buffer, begin, end, rules.classes)
        if plain:
            mark_letters(buffer, begin, end, marks)
        before = n
        n = _cut(buffer, begin, end, rules, plain, marks, cut, n)
        cut.counts[t] = n - before
    return len(offsets) - 1


@kernel
def token_spans(
    buffer: Bytes, offsets: Offsets, repeats: Offsets, first: int, rules: Rules, marks: Words, cut: Spans
) -> int:
    """The spans of tokens: words between whitespace, with mteval's rules for points, dashes and symbols.

    Text t is `buffer[offsets[t]:offsets[t + 1]]`, valid UTF-8. Texts are read from `first` on, for as long as `starts`
    has room. `classes` gives the class of each code point. `edge` is the class that is assumed beyond both ends of a
    text. `strip` drops trailing whitespace first. `keep_empty` keeps tokens without a character. A text with
    `repeats[t]` of 0 or more is skipped. `marks` has a bit for each byte of the longest text, and one more word.

    Fills `starts`, `stops` and `counts`, the number of tokens of each text. Returns the first text that was not read.
    """
    return cut_texts(buffer, offsets, repeats, first, rules, marks, cut)

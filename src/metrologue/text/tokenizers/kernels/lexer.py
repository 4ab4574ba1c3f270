"""Where tokens begin and end in UTF-8 bytes, by an automaton that finds the longest match at each place."""

from __future__ import annotations

import numpy as np

from metrologue.kernels.arrays import Bytes, IdRows, Ids, Number, Offsets, WordRows, Words, longest_row
from metrologue.kernels.spans import Spans
from metrologue.kernels.utf8 import code_point, width
from metrologue.kernels.words import lesser
from metrologue.native import helper, kernel

__all__ = ["KEPT", "LEFT", "PERIOD", "SKIPPED", "SOFT", "dead_ends", "longest_matches"]

# Columns of `cuts`, which say how much of a match is the token. KEPT: the number of characters that are the token, or 0
# for no limit. LEFT: the number of characters at the end that are not part of it. PERIOD: 1 if it ends with its first
# period that no letter follows; 2 if that period is then read once more. SOFT: 1 if soft hyphens are left out.
KEPT, LEFT, PERIOD, SOFT = range(4)
# In `texts`: the match is its own text; the match is no token.
_ITSELF, SKIPPED = -1, -2
# Dead ends are looked up at the first character of each block of 1 << _BLOCK bytes of a text.
_BLOCK = 8


@helper
def _end_of(buffer: Bytes, i: Number, matched: Number, end: Number, cuts: IdRows, rule: Number) -> Number:
    """Where the token ends whose match is `buffer[i:matched]`. `matched` is `end + 1` if it includes the text's end."""
    if cuts[rule, KEPT] > 0:
        matched = i
        for _ in range(cuts[rule, KEPT]):
            matched += width(buffer[matched])
    elif cuts[rule, PERIOD] > 0:
        matched = i + 1
        while buffer[matched - 1] != 0x2E or (matched < end and 0x61 <= buffer[matched] | 0x20 <= 0x7A):
            matched += 1
    for _ in range(cuts[rule, LEFT]):
        matched -= 1
        while matched < end and buffer[matched] & 0xC0 == 0x80:
            matched -= 1
    return matched


@helper
def _step(buffer: Bytes, j: Number, state: Number, classes: Bytes, moves: IdRows) -> Number:
    """The state after the character at byte j, and the next character's byte."""
    byte = buffer[j]
    if byte < 0x80:
        return moves[state, classes[byte]], j + 1
    return moves[state, classes[code_point(buffer, j)]], j + width(byte)


@helper
def _longest(
    buffer: Bytes,
    begin: Number,
    i: Number,
    end: Number,
    classes: Bytes,
    moves: IdRows,
    accepted: Ids,
    ending: Number,
    failed: WordRows,
) -> Number:
    """The rule with the longest match from byte i on, or -1; where the match ends; where the search ended.

    Invariant: `state` is the state after `buffer[i:j]`. At the first character of a block, but not of the next one
    after i, the search ends if `failed` says that no match ends beyond.
    """
    state = 0
    rule = -1
    matched = j = i
    stop = lesser(begin + ((((i - begin) >> _BLOCK) + 2) << _BLOCK), end)
    while True:
        while j < stop:
            state, j = _step(buffer, j, state, classes, moves)
            if state < 0:
                return rule, matched, j
            if accepted[state] >= 0:
                rule = accepted[state]
                matched = j
        if j == end:
            break
        block = (j - begin) >> _BLOCK
        if (failed[block, state >> 6] >> np.uint64(state & 63)) & np.uint64(1):
            return rule, matched, j
        stop = lesser(begin + ((block + 1) << _BLOCK), end)
    state = moves[state, ending]
    if state >= 0 and accepted[state] >= 0:
        return accepted[state], end + 1, j
    return rule, matched, j


@helper
def _remember(
    buffer: Bytes,
    begin: Number,
    i: Number,
    matched: Number,
    stop: Number,
    classes: Bytes,
    moves: IdRows,
    failed: WordRows,
) -> None:
    """Note the states of a search from i to `stop`: no match ends between them and the end of the text."""
    state = 0
    while i < stop:
        block = (i - begin) >> _BLOCK
        state, i = _step(buffer, i, state, classes, moves)
        if state < 0:
            return
        if i >= matched and (i - begin) >> _BLOCK > block:
            failed[(i - begin) >> _BLOCK, state >> 6] |= np.uint64(1) << np.uint64(state & 63)


@helper
def _without_soft_hyphens(buffer: Bytes, start: Number, stop: Number) -> Number:
    """Move a token's bytes over its soft hyphens. Returns where it ends now."""
    kept = start
    i = start
    while i < stop:
        if buffer[i] == 0xC2 and buffer[i + 1] == 0xAD:
            i += 2
        else:
            buffer[kept] = buffer[i]
            kept += 1
            i += 1
    if kept == start:
        buffer[kept] = 0x2D
        kept += 1
    return kept


@kernel
def longest_matches(
    buffer: Bytes,
    offsets: Offsets,
    repeats: Offsets,
    first: int,
    classes: Bytes,
    moves: IdRows,
    accepted: Ids,
    cuts: IdRows,
    texts: Offsets,
    sizes: Offsets,
    ending: int,
    failed: WordRows,
    marks: Words,
    cut: Spans,
) -> int:
    """The spans of tokens by rules, for texts of valid UTF-8; see ``metrologue.text.tokenizers.automaton``.

    At each place the longest match of a rule becomes a token, and the next match begins after that token.
    `moves[s, c]` is the state after state s and a character of class c, or -1. `accepted[s]` is the rule that matches
    up to state s, or -1. Where no rule matches, one character is skipped. The class `ending` follows the last character
    of each text. The text of a token of rule r is `buffer[texts[r]:texts[r] + sizes[r]]`, or the match itself if
    `texts[r]` is -1; there is no token if it is -2. A token without its soft hyphens is written into `buffer`, at its
    own place. The other arguments are those of ``spans.token_spans``.

    A search can go far beyond the match that it finds. `failed` keeps it from going the same way again (Reps 1998,
    "Maximal-munch" tokenization in linear time). It has a bit for each block of a text and each state, all 0 between
    two texts.

    Invariant: the tokens of `buffer[begin:i]` are written.
    """
    n = 0
    for t in range(first, len(offsets) - 1):
        begin, end = offsets[t], offsets[t + 1]
        cut.counts[t] = 0
        if repeats[t] >= 0:
            continue
        if n + end - begin >= len(cut.starts):
            return t
        before = n
        i = begin
        remembered = False
        while i < end:
            rule, matched, read = _longest(buffer, begin, i, end, classes, moves, accepted, ending, failed)
            if read - matched > 1 << _BLOCK:
                _remember(buffer, begin, i, matched, read, classes, moves, failed)
                remembered = True
            if rule < 0:
                i += width(buffer[i])
                continue
            matched = _end_of(buffer, i, matched, end, cuts, rule)
            if texts[rule] >= 0:
                cut.starts[n], cut.stops[n] = texts[rule], texts[rule] + sizes[rule]
                n += 1
            elif texts[rule] == _ITSELF:
                cut.starts[n], cut.stops[n] = (
                    i,
                    _without_soft_hyphens(buffer, i, matched) if cuts[rule, SOFT] else matched,
                )
                n += 1
            i = matched - (cuts[rule, PERIOD] == 2)
        if remembered:
            failed[: ((end - begin) >> _BLOCK) + 1] = 0
        cut.counts[t] = n - before
    return len(offsets) - 1


def dead_ends(offsets: Offsets, n_states: int) -> WordRows:
    """The array `failed` of ``longest_matches`` for these texts."""
    longest = longest_row(offsets)
    return np.zeros(((longest >> _BLOCK) + 1, (n_states >> 6) + 1), np.uint64)

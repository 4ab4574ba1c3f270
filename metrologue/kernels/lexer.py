"""Where tokens begin and end in UTF-8 bytes, by an automaton that finds the longest match at each place."""

from __future__ import annotations

from metrologue.kernels.arrays import Bytes, IdRows, Ids, Number, Offsets, Words
from metrologue.kernels.utf8 import code_point, width
from metrologue.native import helper, kernel

__all__ = ["KEPT", "LEFT", "PERIOD", "SKIPPED", "longest_matches"]

# Columns of `cuts`, which say how much of a match is the token. KEPT: the number of characters that are the token, or 0
# for no limit. LEFT: the number of characters at the end that are not part of it. PERIOD: 1 if it ends with its first
# period that no letter follows; 2 if that period is then read once more.
KEPT, LEFT, PERIOD = range(3)
# In `texts`: the match is its own text; the match is no token.
_ITSELF, SKIPPED = -1, -2


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


@kernel
def longest_matches(
    buffer: Bytes, offsets: Offsets, repeats: Offsets, first: int, classes: Bytes, moves: IdRows, accepted: Ids,
    cuts: IdRows, texts: Offsets, sizes: Offsets, ending: int, marks: Words, starts: Offsets, stops: Offsets,
    counts: Ids,
) -> int:  # fmt: skip
    """The spans of tokens by rules, for texts of valid UTF-8; see ``metrologue.tokenizers.automaton``.

    At each place the longest match of a rule becomes a token, and the next match begins after that token.
    `moves[s, c]` is the state after state s and a character of class c, or -1. `accepted[s]` is the rule that matches
    up to state s, or -1. Where no rule matches, one character is skipped. The class `ending` follows the last character
    of each text. The text of a token of rule r is `buffer[texts[r]:texts[r] + sizes[r]]`, or the match itself if
    `texts[r]` is -1; there is no token if it is -2. The other arguments are those of ``spans.word_spans``.

    Invariant: the tokens of `buffer[begin:i]` are written.
    """
    n = 0
    for t in range(first, len(offsets) - 1):
        begin, end = offsets[t], offsets[t + 1]
        counts[t] = 0
        if repeats[t] >= 0:
            continue
        if n + end - begin >= len(starts):
            return t
        before = n
        i = begin
        while i < end:
            state = 0
            rule = -1
            matched = j = i
            while j < end:
                byte = buffer[j]
                if byte < 0x80:
                    state = moves[state, classes[byte]]
                    j += 1
                else:
                    state = moves[state, classes[code_point(buffer, j)]]
                    j += width(byte)
                if state < 0:
                    break
                if accepted[state] >= 0:
                    rule = accepted[state]
                    matched = j
            if state >= 0:
                state = moves[state, ending]
                if state >= 0 and accepted[state] >= 0:
                    rule = accepted[state]
                    matched = end + 1
            if rule < 0:
                i += width(buffer[i])
                continue
            matched = _end_of(buffer, i, matched, end, cuts, rule)
            if texts[rule] >= 0:
                starts[n], stops[n] = texts[rule], texts[rule] + sizes[rule]
                n += 1
            elif texts[rule] == _ITSELF:
                starts[n], stops[n] = i, matched
                n += 1
            i = matched - (cuts[rule, PERIOD] == 2)
        counts[t] = n - before
    return len(offsets) - 1

"""Where tokens begin and end in UTF-8 bytes, by an automaton that finds the longest match at each place."""

from __future__ import annotations

from metrologue.jit import kernel
from metrologue.kernels.arrays import Bytes, IdRows, Ids, Offsets, Words
from metrologue.kernels.utf8 import code_point, width

__all__ = ["longest_matches"]


@kernel
def longest_matches(
    buffer: Bytes, offsets: Offsets, repeats: Offsets, first: int, classes: Bytes, moves: IdRows, accepted: Ids,
    keep: Ids, back: Ids, upto: Ids, again: Ids, texts_from: Offsets, texts_to: Offsets, ending: int, marks: Words, starts: Offsets,
    stops: Offsets, counts: Ids,
) -> int:  # fmt: skip
    """The spans of tokens, by rules; see ``metrologue.tokenizers.automaton``.

    At each place the longest match of a rule is a token, and the next match begins after it. `accepted[s]` is the rule
    that matches up to state s, or -1. Only the first `heads[r]` characters of a match of rule r are the token if that is
    0 or more, otherwise all but the last `tails[r]`. Its text is `buffer[texts_from[r]:texts_to[r]]`, if that begins at
    0 or more; it is the match itself at -1, and there is no token at -2. Without a match, one character is no token. The
    class `ending` follows the last character of each text. The other arguments are those of ``spans.word_spans``.

    Invariant: the rules have matched `buffer[begin:i]`.
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
            matched = i
            j = i
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
            if state >= 0 and moves[state, ending] >= 0 and accepted[moves[state, ending]] >= 0:
                rule = accepted[moves[state, ending]]
                matched = end + 1
            if rule < 0:
                i += width(buffer[i])
                continue
            if keep[rule] >= 0:
                matched = i
                for _ in range(keep[rule]):
                    matched += width(buffer[matched])
            elif upto[rule]:
                while matched > end or buffer[matched - 1] != upto[rule]:
                    matched -= 1
            else:
                for _ in range(back[rule]):
                    matched -= 1
                    while matched < end and buffer[matched] & 0xC0 == 0x80:
                        matched -= 1
            if texts_from[rule] >= 0:
                starts[n], stops[n] = texts_from[rule], texts_to[rule]
                n += 1
            elif texts_from[rule] == -1:
                starts[n], stops[n] = i, matched
                n += 1
            i = matched - again[rule]
        counts[t] = n - before
    return len(offsets) - 1

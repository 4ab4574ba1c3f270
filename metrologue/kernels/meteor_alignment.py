"""Word alignments of METEOR: the beam search of METEOR 1.5, and nltk's greedy matching.

Words are types of one vocabulary. In each stage of an aligner a type has keys as a word of the hypothesis and keys as a
word of the reference, and two words match if they share one: spellings are keys, so are stems and the numbers of
synonym sets. Only paraphrases are of several words; they have a table of their own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import boolean, int32, int64, types, uint64
from numpy.typing import NDArray

from metrologue.jit import kernel
from metrologue.kernels.ngrams import longest_of
from metrologue.kernels.tokens import Ids, Number, Offsets, read_only

__all__ = ["align"]

Rows = NDArray[np.int32]
Flags = NDArray[np.bool_]

# Columns of a match: where it begins and how long it is in the reference and in the hypothesis; its stage.
_START, _LENGTH, _OTHER_START, _OTHER_LENGTH, _STAGE = range(5)
_NONE = -1


@kernel()
def _chain(
    ids: Ids, begin: Number, length: Number, upwards: Number, row: Number, offsets: Offsets, keys: Ids, heads: Ids,
    links: Rows,
) -> None:  # fmt: skip
    """Chain the words of a text by key: `heads[key]` is a link (position, next link), positions going up or down."""
    used = 0
    for k in range(length):
        position = length - 1 - k if upwards else k
        kind = row + ids[begin + position]
        for entry in range(offsets[kind], offsets[kind + 1]):
            links[used, 0], links[used, 1] = position, heads[keys[entry]]
            heads[keys[entry]] = used
            used += 1


@kernel()
def _unchain(
    ids: Ids, begin: Number, length: Number, row: Number, offsets: Offsets, keys: Ids, heads: Ids
) -> None:  # fmt: skip
    for position in range(length):
        kind = row + ids[begin + position]
        for entry in range(offsets[kind], offsets[kind + 1]):
            heads[keys[entry]] = _NONE


@kernel()
def _sort(values: Offsets, n: Number) -> None:
    """Sort the first n by insertion: they are few, and chains come sorted."""
    for k in range(1, n):
        value = values[k]
        place = k
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            place -= 1
        values[place] = value


@kernel()
def _word_matches(
    ids: Ids, h: Number, n1: Number, r: Number, n2: Number, stage: Number, row: Number, same_words: Number,
    spellings: Ids, offsets: Offsets, keys: Ids, reference_offsets: Offsets, reference_keys: Ids,
    heads: Ids, links: Rows, seen: Offsets, found: Offsets, matches: Rows, count: Number,
) -> Number:  # fmt: skip
    """Append the matches of a stage of single words, for each reference word those of the hypothesis from the left.

    Returns how many matches there are then, or a number below 0 if there is no room for them.
    """
    _chain(ids, h, n1, True, row, offsets, keys, heads, links)
    for i in range(n1):
        seen[i] = _NONE
    for j in range(n2):
        kind = row + ids[r + j]
        n = 0
        for entry in range(reference_offsets[kind], reference_offsets[kind + 1]):
            link = heads[reference_keys[entry]]
            while link != _NONE:
                i = links[link, 0]
                if seen[i] != j:
                    seen[i] = j
                    if same_words or spellings[ids[h + i]] != spellings[ids[r + j]]:
                        found[n] = i
                        n += 1
                link = links[link, 1]
        if count + n > len(matches):
            count = _NONE
            break
        _sort(found, n)
        for k in range(n):
            matches[count, _START], matches[count, _LENGTH] = j, 1
            matches[count, _OTHER_START], matches[count, _OTHER_LENGTH] = found[k], 1
            matches[count, _STAGE] = stage
            count += 1
    _unchain(ids, h, n1, row, offsets, keys, heads)
    return count


@kernel()
def _phrase_matches(
    one: Number, other: Number, one_is_reference: Number, stage: Number,
    found: Offsets, starts: Ids, phrases: Ids, lengths: Ids, target_offsets: Offsets, targets: Ids,
    heads: Ids, links: Rows, matches: Rows, count: Number,
) -> Number:  # fmt: skip
    """Append the matches of the phrases found in one text with their paraphrases in the other one, from the left.

    Returns what `_word_matches` returns.
    """
    for k in range(found[other + 1] - 1, found[other] - 1, -1):
        link = k - found[other]
        links[link, 0], links[link, 1] = starts[k], heads[phrases[k]]
        heads[phrases[k]] = link
    for k in range(found[one], found[one + 1]):
        for entry in range(target_offsets[phrases[k]], target_offsets[phrases[k] + 1]):
            link = heads[targets[entry]]
            while link != _NONE and 0 <= count < len(matches):
                length, other_length = lengths[phrases[k]], lengths[targets[entry]]
                if one_is_reference:
                    matches[count, _START], matches[count, _LENGTH] = starts[k], length
                    matches[count, _OTHER_START], matches[count, _OTHER_LENGTH] = links[link, 0], other_length
                else:
                    matches[count, _START], matches[count, _LENGTH] = links[link, 0], other_length
                    matches[count, _OTHER_START], matches[count, _OTHER_LENGTH] = starts[k], length
                matches[count, _STAGE] = stage
                count += 1
                link = links[link, 1]
            if link != _NONE:
                count = _NONE
    for k in range(found[other], found[other + 1]):
        heads[phrases[k]] = _NONE
    return count


@kernel()
def _order_by_start(matches: Rows, count: Number, n2: Number, first: Offsets, order: Offsets) -> None:
    """Let `order[first[j]:first[j + 1]]` be the matches that begin at word j of the reference, as they were found."""
    first[: n2 + 1] = 0
    for m in range(count):
        first[matches[m, _START]] += 1
    for j in range(n2):
        first[j + 1] += first[j]
    # Each place is now behind its matches, and moves before them.
    for m in range(count - 1, -1, -1):
        j = matches[m, _START]
        first[j] -= 1
        order[first[j]] = m


@kernel()
def _settled(
    matches: Rows, count: Number, n1: Number, n2: Number, first: Offsets, order: Offsets, covered: Offsets,
    other_covered: Offsets, chosen: Offsets,
) -> Number:  # fmt: skip
    """Choose the matches none of whose words is in another match. Returns whether that was all of them."""
    covered[:n2] = 0
    other_covered[:n1] = 0
    for m in range(count):
        for k in range(matches[m, _OTHER_LENGTH]):
            other_covered[matches[m, _OTHER_START] + k] += 1
        for k in range(matches[m, _LENGTH]):
            covered[matches[m, _START] + k] += 1
    left = count
    for j in range(n2):
        chosen[j] = _NONE
        if first[j + 1] - first[j] == 1:
            m = order[first[j]]
            alone = True
            for k in range(matches[m, _OTHER_LENGTH]):
                alone &= other_covered[matches[m, _OTHER_START] + k] == 1
            for k in range(matches[m, _LENGTH]):
                alone &= covered[matches[m, _START] + k] == 1
            if alone:
                chosen[j] = m
                left -= 1
    return left == 0


# A path's merit is one number, the less the better: matched words above this bit, negative, and chunks below.
_CHUNK_BITS = 32


@kernel()
def _gain(matches: Rows, m: Number, exact: Number, halved: Number) -> Number:
    """What a match adds to a path's covered words: `halved` are all but exact ones, each side rounded down."""
    half = int64(halved and matches[m, _STAGE] != exact)
    return (int64(matches[m, _LENGTH]) >> half) + (int64(matches[m, _OTHER_LENGTH]) >> half)


@kernel()
def _enter(
    merits: Offsets, distances: Offsets, moves: Rows, n: Number,
    merit: Number, distance: Number, parent: Number, match: Number,
) -> Number:  # fmt: skip
    """Put a path behind those that are as good, if there is room for it among the best. Returns how many there are."""
    room = len(merits)
    if n == room and (merits[n - 1] < merit or (merits[n - 1] == merit and distances[n - 1] <= distance)):
        return n
    place = min(n, room - 1)
    while place > 0 and (
        merits[place - 1] > merit or (merits[place - 1] == merit and distances[place - 1] > distance)
    ):  # fmt: skip
        merits[place], distances[place] = merits[place - 1], distances[place - 1]
        moves[place, 0], moves[place, 1] = moves[place - 1, 0], moves[place - 1, 1]
        place -= 1
    merits[place], distances[place] = merit, distance
    moves[place, 0], moves[place, 1] = parent, match
    return min(n + 1, room)


class _Paths(NamedTuple):
    """The paths of a search at one word: what `_search` says of them.

    Attributes
    ----------
    merits, distances, last, ends, following : int64 (beam,)
    used : uint64 (beam, any)
    """

    merits: Offsets
    distances: Offsets
    last: Offsets
    ends: Offsets
    following: Offsets
    used: NDArray[np.uint64]


@kernel(allocates=True)
def _room_for_paths(beam: Number, longest: Number) -> _Paths:
    return _Paths(
        np.empty(beam, np.int64),
        np.empty(beam, np.int64),
        np.empty(beam, np.int64),
        np.empty(beam, np.int64),
        np.empty(beam, np.int64),
        np.empty((beam, (longest + 63) >> 6), np.uint64),
    )


@kernel()
def _is_free(used: NDArray[np.uint64], path: Number, start: Number, stop: Number) -> Number:
    free = True
    for i in range(start, stop):
        free &= (used[path, i >> 6] >> uint64(i & 63)) & uint64(1) == 0
    return free


@kernel()
def _search(
    matches: Rows, first: Offsets, order: Offsets, n1: Number, n2: Number, exact: Number, by_paper: Number,
    now: _Paths, then: _Paths, moves: Rows, nodes: Rows, chosen: Offsets,
) -> None:  # fmt: skip
    """Choose among overlapping matches: most words covered, then fewest chunks, then least distance between starts.

    The search of METEOR 1.5 goes from left to right over the reference, with the best paths at each word, as many as
    there is room for, of equal ones those that came first. The program differs from its papers in two things: a word
    counts half in all stages but the exact one, and a match adds its distance to the paths that its parent makes after
    it, not to its own.

    Invariant: before word j the paths stand in the order of merit; each has decided on all matches that begin before j,
    and `used` has a bit for each word of the hypothesis that they cover. `following` is the next word that a path
    decides on, and `ends` is where the hypothesis has to go on for the path's last chunk to go on, -1 if none is open.
    `last` is the path's last node, a match and the node before it.
    """
    words = (n1 + 63) >> 6
    now.merits[0], now.distances[0], now.last[0], now.ends[0], now.following[0] = 0, 0, _NONE, _NONE, 0
    now.used[0] = 0
    made = 0
    paths = 1
    for j in range(n2):
        n = 0
        for p in range(paths):
            distance, inside, settled = now.distances[p], now.following[p] > j, chosen[j] != _NONE
            for k in range(first[j + 1] if inside else first[j], first[j + 1] + (inside or not settled)):
                m, merit, apart = int64(_NONE), now.merits[p], int64(0)
                if k < first[j + 1]:
                    m = order[k]
                    start = int64(matches[m, _OTHER_START])
                    if not _is_free(now.used, p, start, start + matches[m, _OTHER_LENGTH]):
                        continue
                    merit -= _gain(matches, m, exact, not by_paper) << _CHUNK_BITS
                    merit += now.ends[p] != _NONE and start != now.ends[p]
                    apart = abs(j - start)
                elif not inside:
                    merit += now.ends[p] != _NONE
                own = apart * (settled or by_paper)
                n = _enter(then.merits, then.distances, moves, n, merit, distance + own, p, m)
                distance += apart - own
        for p in range(n):
            parent, m = int64(moves[p, 0]), int64(moves[p, 1])
            for word in range(words):
                then.used[p, word] = now.used[parent, word]
            then.last[p], then.ends[p], then.following[p] = now.last[parent], now.ends[parent], now.following[parent]
            if m != _NONE:
                start = int64(matches[m, _OTHER_START])
                stop = start + matches[m, _OTHER_LENGTH]
                for i in range(start, stop):
                    then.used[p, i >> 6] |= uint64(1) << uint64(i & 63)
                then.ends[p], then.following[p] = stop, j + matches[m, _LENGTH]
                nodes[made, 0], nodes[made, 1] = m, now.last[parent]
                then.last[p] = made
                made += 1
            elif now.following[parent] <= j:
                then.ends[p], then.following[p] = _NONE, j + 1
        now, then = then, now
        paths = n
    best = 0
    for p in range(paths):
        now.merits[p] += now.ends[p] != _NONE
        better = now.merits[p] < now.merits[best]
        if better or (now.merits[p] == now.merits[best] and now.distances[p] < now.distances[best]):
            best = p
    node = now.last[best]
    while node != _NONE:
        chosen[matches[nodes[node, 0], _START]] = nodes[node, 0]
        node = nodes[node, 1]


@kernel()
def _greedy_matches(
    ids: Ids, h: Number, n1: Number, r: Number, n2: Number, stage: Number, row: Number,
    offsets: Offsets, keys: Ids, reference_offsets: Offsets, reference_keys: Ids,
    heads: Ids, links: Rows, free: Flags, chosen: Offsets, matches: Rows, count: Number,
) -> Number:  # fmt: skip
    """Match each free word of the hypothesis, from the right, with the last free word of the reference that it can.

    Invariant: a chain that was looked at begins with a free word of the reference, since no word gets free again.
    """
    _chain(ids, r, n2, False, row, reference_offsets, reference_keys, heads, links)
    for i in range(n1 - 1, -1, -1):
        if not free[i]:
            continue
        kind = row + ids[h + i]
        best = _NONE
        for entry in range(offsets[kind], offsets[kind + 1]):
            link = heads[keys[entry]]
            while link != _NONE and chosen[links[link, 0]] != _NONE:
                link = links[link, 1]
            heads[keys[entry]] = link
            if link != _NONE:
                best = max(best, links[link, 0])
        if best != _NONE:
            matches[count, _START], matches[count, _LENGTH] = best, 1
            matches[count, _OTHER_START], matches[count, _OTHER_LENGTH] = i, 1
            matches[count, _STAGE] = stage
            chosen[best] = count
            free[i] = False
            count += 1
    _unchain(ids, r, n2, row, reference_offsets, reference_keys, heads)
    return count


@kernel()
def _tally(
    ids: Ids, h: Number, n1: Number, r: Number, n2: Number, matches: Rows, chosen: Offsets, n_stages: Number,
    function: Flags, sizes: Offsets, row: Offsets,
) -> None:  # fmt: skip
    """Write the counts of one alignment; a word counts as much as its size."""
    whole = 0
    for side in range(2):
        begin, n = (r, n2) if side else (h, n1)
        for i in range(n):
            size = sizes[ids[begin + i]]
            row[side] += size
            row[2 + side] += size * function[ids[begin + i]]
    chunks, hypothesis_words, reference_words = 4 + 4 * n_stages, 6 + 4 * n_stages, 7 + 4 * n_stages
    following, end = _NONE, _NONE
    for j in range(n2):
        m = chosen[j]
        if m == _NONE:
            continue
        start, stop = matches[m, _OTHER_START], matches[m, _OTHER_START] + matches[m, _OTHER_LENGTH]
        row[chunks] += j != following or start != end
        following, end = j + matches[m, _LENGTH], stop
        column = 4 + 4 * matches[m, _STAGE]
        for i in range(start, stop):
            kind = ids[h + i]
            row[column + 2 * function[kind]] += sizes[kind]
            whole += sizes[kind]
        for i in range(j, following):
            kind = ids[r + i]
            row[column + 1 + 2 * function[kind]] += sizes[kind]
            whole += sizes[kind]
        row[hypothesis_words] += matches[m, _OTHER_LENGTH]
        row[reference_words] += matches[m, _LENGTH]
    row[chunks + 1] = whole == row[0] + row[1] and row[chunks] == 1


@kernel(
    (
        *[read_only(kind) for kind in (int32, int64, int64, int64)], int64,
        *[read_only(kind) for kind in (int64, int32, int64, int32, int32)], int64, int64, int64,
        *[read_only(kind) for kind in (int64, int32, int32, int32, int64, int32)],
        read_only(types.bool_), read_only(int64), int64, boolean, boolean,
    )
)  # fmt: skip
def align(
    ids: Ids, offsets: Offsets, hypotheses: Offsets, references: Offsets, n_stages: Number,
    word_offsets: Offsets, keys: Ids, reference_offsets: Offsets, reference_keys: Ids, spellings: Ids,
    n_keys: Number, exact: Number, paraphrase: Number,
    found: Offsets, starts: Ids, phrases: Ids, lengths: Ids, target_offsets: Offsets, targets: Ids,
    function: Flags, sizes: Offsets, beam: Number, by_paper: Number, keep: Number,
) -> tuple[NDArray[np.int64], Rows]:  # fmt: skip
    """Align the text `hypotheses[p]` with the text `references[p]`, for each pair p.

    Type t of n_types has in stage s the keys from `word_offsets[s * n_types + t]` on as a word of the hypothesis, and
    those from `reference_offsets[…]` on as a word of the reference, all below `n_keys`. Types with the same number in
    `spellings` are one word; a stage other than `exact` matches different words only. In the stage `paraphrase` phrases
    match: those found in text t are entries `found[t]:found[t + 1]` of `starts` (from the text's first word) and
    `phrases`, from the left and the shorter first; phrase i has `lengths[i]` words, and its paraphrases are those from
    `target_offsets[i]` on, in the order in which they are tried. Either stage may be -1: there is none.

    With a beam of 0 the alignment is nltk's: each stage goes over what is free, without paraphrases. Else texts that
    are equal are aligned by the first stage alone, as METEOR 1.5 does; see `_search` for all others.

    Returns (counts, matches). Columns of the counts, (pairs, 8 + 4 * n_stages): size of hypothesis and reference, size
    of their function words; for each stage what is matched of the content of the hypothesis, of the content of the
    reference, of the function words of either; chunks, whether all is matched in one chunk, matched words of either.
    Rows of the matches, in the order of pairs and reference words, if these are to be kept: pair, stage, where it
    begins in the hypothesis and its length there, the same in the reference.
    """
    n_types = len(spellings)
    longest = longest_of(offsets)
    widest = max(longest_of(word_offsets), longest_of(reference_offsets))
    heads = np.full(n_keys, _NONE, np.int32)
    phrase_heads = np.full(len(lengths), _NONE, np.int32)
    # Memory that is never touched is never given: the bounds may be generous.
    links = np.empty((max(longest * widest, longest_of(found)), 2), np.int32)
    seen, sorted_words = np.empty(longest, np.int64), np.empty(longest, np.int64)
    chosen, free = np.empty(longest, np.int64), np.empty(longest, np.bool_)
    first = np.empty(longest + 1, np.int64)
    now, then = _room_for_paths(max(beam, 1), longest), _room_for_paths(max(beam, 1), longest)
    moves, nodes = np.empty((beam, 2), np.int32), np.empty((beam * longest, 2), np.int32)
    # Only these are too many to have room for the most that there can be.
    matches, order = np.empty((longest, 5), np.int32), np.empty(longest, np.int64)
    counts = np.zeros((len(references), 8 + 4 * n_stages), np.int64)
    words = int64(0)
    for r in references:
        words += offsets[r + 1] - offsets[r]
    kept, kept_rows = np.empty((words if keep else 0, 6), np.int32), 0
    p = 0
    while p < len(references):
        h, r = offsets[hypotheses[p]], offsets[references[p]]
        n1, n2 = offsets[hypotheses[p] + 1] - h, offsets[references[p] + 1] - r
        count = int64(0)
        if beam == 0:
            free[:n1] = True
            chosen[:n2] = _NONE
            for stage in range(n_stages):
                count = _greedy_matches(
                    ids, h, n1, r, n2, stage, stage * n_types, word_offsets, keys, reference_offsets, reference_keys,
                    heads, links, free, chosen, matches, count,
                )  # fmt: skip
        else:
            equal = n1 == n2
            for i in range(n1 if equal else 0):
                equal &= spellings[ids[h + i]] == spellings[ids[r + i]]
            for stage in range(1 if equal else n_stages):
                if stage == paraphrase:
                    for side in range(2):
                        one, other = (hypotheses[p], references[p]) if side else (references[p], hypotheses[p])
                        if count >= 0:
                            count = _phrase_matches(
                                one, other, side == 0, stage, found, starts, phrases, lengths, target_offsets, targets,
                                phrase_heads, links, matches, count,
                            )  # fmt: skip
                elif count >= 0:
                    count = _word_matches(
                        ids, h, n1, r, n2, stage, stage * n_types, stage == exact, spellings, word_offsets, keys,
                        reference_offsets, reference_keys, heads, links, seen, sorted_words, matches, count,
                    )  # fmt: skip
            if count < 0:
                matches, order = np.empty((2 * len(matches), 5), np.int32), np.empty(2 * len(matches), np.int64)
                continue
            _order_by_start(matches, count, n2, first, order)
            if not _settled(matches, count, n1, n2, first, order, seen, sorted_words, chosen):
                _search(matches, first, order, n1, n2, exact, by_paper, now, then, moves, nodes, chosen)
        _tally(ids, h, n1, r, n2, matches, chosen, n_stages, function, sizes, counts[p])
        if keep:
            for j in range(n2):
                m = chosen[j]
                if m != _NONE:
                    kept[kept_rows, 0], kept[kept_rows, 1] = p, matches[m, _STAGE]
                    kept[kept_rows, 2], kept[kept_rows, 3] = matches[m, _OTHER_START], matches[m, _OTHER_LENGTH]
                    kept[kept_rows, 4], kept[kept_rows, 5] = j, matches[m, _LENGTH]
                    kept_rows += 1
        p += 1
    return counts, kept[:kept_rows].copy()

"""Word alignments of METEOR: the beam search of METEOR 1.5, and nltk's greedy matching.

Words are types of one vocabulary. In each stage of an aligner a type has keys as a word of the hypothesis and keys as a
word of the reference, and two words match if they share one: spellings are keys, so are stems and the numbers of
synonym sets. Only paraphrases are of several words; they have a table of their own.
"""

from __future__ import annotations

import numpy as np
from numpy import int64

from metrologue.jit import helper, kernel
from metrologue.kernels.arrays import Flags, IdRows, Ids, Number, Offsets, Rows
from metrologue.kernels.words import greater

__all__ = ["align"]

# Columns of a match: its pair of texts, its stage; where it begins and how long it is in the hypothesis, which is the
# other text here, since the search goes over the reference; the same in the reference.
_PAIR, _STAGE, _OTHER_START, _OTHER_LENGTH, _START, _LENGTH = range(6)
_NONE = -1


@helper
def _put(
    matches: IdRows, row: Number, p: Number, stage: Number, other_start: Number, other_length: Number, start: Number,
    length: Number,
) -> None:  # fmt: skip
    matches[row, _PAIR], matches[row, _STAGE] = p, stage
    matches[row, _OTHER_START], matches[row, _OTHER_LENGTH] = other_start, other_length
    matches[row, _START], matches[row, _LENGTH] = start, length


@helper
def _chain(
    ids: Ids, begin: Number, length: Number, upwards: Number, row: Number, offsets: Offsets, keys: Ids, heads: Ids,
    links: IdRows,
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


@helper
def _unchain(
    ids: Ids, begin: Number, length: Number, row: Number, offsets: Offsets, keys: Ids, heads: Ids
) -> None:  # fmt: skip
    for position in range(length):
        kind = row + ids[begin + position]
        for entry in range(offsets[kind], offsets[kind + 1]):
            heads[keys[entry]] = _NONE


@helper
def _sort(values: Offsets, n: Number) -> None:
    """Sort the first n by insertion: they are few, and chains come sorted."""
    for k in range(1, n):
        value = values[k]
        place = k
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            place -= 1
        values[place] = value


@helper
def _word_matches(
    ids: Ids, p: Number, h: Number, n1: Number, r: Number, n2: Number, stage: Number, row: Number, same_words: Number,
    spellings: Ids, offsets: Offsets, keys: Ids, reference_offsets: Offsets, reference_keys: Ids,
    heads: Ids, links: IdRows, seen: Offsets, found: Offsets, matches: IdRows, count: Number,
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
            _put(matches, count, p, stage, found[k], 1, j, 1)
            count += 1
    _unchain(ids, h, n1, row, offsets, keys, heads)
    return count


@helper
def _phrase_matches(
    p: Number, one: Number, other: Number, one_is_reference: Number, stage: Number,
    found: Offsets, starts: Ids, phrases: Ids, lengths: Ids, target_offsets: Offsets, targets: Ids,
    heads: Ids, links: IdRows, matches: IdRows, count: Number,
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
                start, length = int64(starts[k]), int64(lengths[phrases[k]])
                other_start, other_length = int64(links[link, 0]), int64(lengths[targets[entry]])
                if not one_is_reference:
                    start, length, other_start, other_length = other_start, other_length, start, length
                _put(matches, count, p, stage, other_start, other_length, start, length)
                count += 1
                link = links[link, 1]
            if link != _NONE:
                count = _NONE
    for k in range(found[other], found[other + 1]):
        heads[phrases[k]] = _NONE
    return count


@helper
def _order_by_start(matches: IdRows, count: Number, n2: Number, first: Offsets, order: Offsets) -> None:
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


@helper
def _settled(
    matches: IdRows, count: Number, n1: Number, n2: Number, first: Offsets, order: Offsets, covered: Offsets,
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


@helper
def _gain(matches: IdRows, m: Number, exact: Number, halved: Number) -> Number:
    """What a match adds to a path's covered words: `halved` are all but exact ones, each side rounded down."""
    half = int64(halved and matches[m, _STAGE] != exact)
    return (int64(matches[m, _LENGTH]) >> half) + (int64(matches[m, _OTHER_LENGTH]) >> half)


# A path is a row of these, and of a bit for each word of the hypothesis that it covers: see `_search`.
_MERIT, _DISTANCE, _LAST, _END, _FOLLOWING, _USED = range(6)


@helper
def _enter(paths: Rows, moves: IdRows, n: Number, merit: Number, distance: Number, parent: Number, m: Number) -> Number:
    """Put a path behind those that are as good, if there is room for it among the best. Returns how many there are."""
    last = len(paths) - 1
    place = n
    if n > last:
        if paths[last, _MERIT] < merit or (paths[last, _MERIT] == merit and paths[last, _DISTANCE] <= distance):
            return n
        place = last
    stop = place + 1
    while place > 0 and (
        paths[place - 1, _MERIT] > merit
        or (paths[place - 1, _MERIT] == merit and paths[place - 1, _DISTANCE] > distance)
    ):
        for column in range(2):
            paths[place, column], moves[place, column] = paths[place - 1, column], moves[place - 1, column]
        place -= 1
    paths[place, _MERIT], paths[place, _DISTANCE] = merit, distance
    moves[place, 0], moves[place, 1] = parent, m
    return stop


@helper
def _is_free(path: Offsets, start: Number, stop: Number) -> Number:
    free = True
    for i in range(start, stop):
        free &= (path[_USED + (i >> 6)] >> (i & 63)) & 1 == 0
    return free


@helper
def _search(
    matches: IdRows, first: Offsets, order: Offsets, n1: Number, n2: Number, exact: Number, by_paper: Number,
    now: Rows, then: Rows, moves: IdRows, nodes: IdRows, chosen: Offsets,
) -> None:  # fmt: skip
    """Choose among overlapping matches: most words covered, then fewest chunks, then least distance between starts.

    The search of METEOR 1.5 goes from left to right over the reference, with the best paths at each word, as many as
    there is room for, of equal ones those that came first. The program differs from its papers in two things: a word
    counts half in all stages but the exact one, and a match adds its distance to the paths that its parent makes after
    it, not to its own.

    Invariant: before word j the paths stand in the order of merit; each has decided on all matches that begin before j.
    Its following word is the next one that it decides on, its end is where the hypothesis has to go on for its last
    chunk to go on, -1 if none is open, and its last node is a match and the node before it.
    """
    width = _USED + ((n1 + 63) >> 6)
    now[0, :width] = 0
    now[0, _LAST], now[0, _END] = _NONE, _NONE
    made = 0
    paths = 1
    for j in range(n2):
        settled = chosen[j] != _NONE
        n = 0
        for p in range(paths):
            path = now[p]
            distance, inside = path[_DISTANCE], path[_FOLLOWING] > j
            for k in range(first[j + 1] if inside else first[j], first[j + 1] + (inside or not settled)):
                m, merit, apart = int64(_NONE), path[_MERIT], int64(0)
                if k < first[j + 1]:
                    m = order[k]
                    start = int64(matches[m, _OTHER_START])
                    if not _is_free(path, start, start + matches[m, _OTHER_LENGTH]):
                        continue
                    merit -= _gain(matches, m, exact, not by_paper) << _CHUNK_BITS
                    merit += path[_END] != _NONE and start != path[_END]
                    apart = abs(j - start)
                elif not inside:
                    merit += path[_END] != _NONE
                own = apart * (settled or by_paper)
                n = _enter(then, moves, n, merit, distance + own, p, m)
                distance += apart - own
        for p in range(n):
            path, parent, m = then[p], now[moves[p, 0]], int64(moves[p, 1])
            for column in range(_LAST, width):
                path[column] = parent[column]
            if m != _NONE:
                start = int64(matches[m, _OTHER_START])
                stop = start + matches[m, _OTHER_LENGTH]
                for i in range(start, stop):
                    path[_USED + (i >> 6)] |= int64(1) << (i & 63)
                nodes[made, 0], nodes[made, 1] = m, parent[_LAST]
                path[_LAST], path[_END], path[_FOLLOWING] = made, stop, j + matches[m, _LENGTH]
                made += 1
            elif parent[_FOLLOWING] <= j:
                path[_END], path[_FOLLOWING] = _NONE, j + 1
        now, then = then, now
        paths = n
    best = 0
    for p in range(paths):
        now[p, _MERIT] += now[p, _END] != _NONE
        better = now[p, _MERIT] < now[best, _MERIT]
        if better or (now[p, _MERIT] == now[best, _MERIT] and now[p, _DISTANCE] < now[best, _DISTANCE]):
            best = p
    node = now[best, _LAST]
    while node != _NONE:
        chosen[matches[nodes[node, 0], _START]] = nodes[node, 0]
        node = int64(nodes[node, 1])


@kernel
def _align_by_search(
    ids: Ids, offsets: Offsets, hypotheses: Offsets, references: Offsets, n_stages: int,
    word_offsets: Offsets, keys: Ids, reference_offsets: Offsets, reference_keys: Ids, spellings: Ids,
    exact: int, paraphrase: int,
    found: Offsets, starts: Ids, phrases: Ids, lengths: Ids, target_offsets: Offsets, targets: Ids, by_paper: bool,
    heads: Ids, phrase_heads: Ids, links: IdRows, work: Rows, now: Rows, then: Rows, moves: IdRows, nodes: IdRows,
    matches: IdRows, order: Offsets, state: Offsets, kept: IdRows,
) -> bool:  # fmt: skip
    """Align pairs for as long as there is room for what can match in them. Returns whether there was too little.

    `state` has the next pair, and how many matches are kept. Invariant: between two chains all heads are -1.
    """
    seen, sorted_words, chosen, first = work[0], work[1], work[2], work[3]
    rows = state[1]
    for p in range(state[0], len(references)):
        one, other = references[p], hypotheses[p]
        h, r = offsets[other], offsets[one]
        n1, n2 = offsets[other + 1] - h, offsets[one + 1] - r
        equal = n1 == n2
        for i in range(n1 if equal else 0):
            equal &= spellings[ids[h + i]] == spellings[ids[r + i]]
        count = 0
        for stage in range(1 if equal else n_stages):
            if stage == paraphrase:
                for side in range(2):
                    if count >= 0:
                        count = _phrase_matches(
                            p, one, other, side == 0, stage, found, starts, phrases, lengths, target_offsets, targets,
                            phrase_heads, links, matches, count,
                        )  # fmt: skip
                    one, other = other, one
            elif count >= 0:
                count = _word_matches(
                    ids, p, h, n1, r, n2, stage, stage * len(spellings), stage == exact, spellings, word_offsets, keys,
                    reference_offsets, reference_keys, heads, links, seen, sorted_words, matches, count,
                )  # fmt: skip
        if count < 0:
            state[0], state[1] = p, rows
            return True
        _order_by_start(matches, count, n2, first, order)
        if not _settled(matches, count, n1, n2, first, order, seen, sorted_words, chosen):
            _search(matches, first, order, n1, n2, exact, by_paper, now, then, moves, nodes, chosen)
        for j in range(n2):
            if chosen[j] != _NONE:
                for column in range(6):
                    kept[rows, column] = matches[chosen[j], column]
                rows += 1
    state[1] = rows
    return False


@kernel
def _align_greedily(
    ids: Ids, offsets: Offsets, hypotheses: Offsets, references: Offsets, n_stages: int, n_types: int,
    word_offsets: Offsets, keys: Ids, reference_offsets: Offsets, reference_keys: Ids,
    heads: Ids, links: IdRows, work: Rows, free: Flags, kept: IdRows,
) -> int:  # fmt: skip
    """Match each free word of a hypothesis, from the right, with the last free word of the reference that it can.

    Returns how many matches there are. Invariant: a chain that was looked at begins with a free word of the reference,
    since no word gets free again; between two chains all heads are -1.
    """
    partners, stages = work[0], work[1]
    rows = 0
    for p in range(len(references)):
        h, r = offsets[hypotheses[p]], offsets[references[p]]
        n1, n2 = offsets[hypotheses[p] + 1] - h, offsets[references[p] + 1] - r
        free[:n1] = True
        partners[:n2] = _NONE
        for stage in range(n_stages):
            row = stage * n_types
            _chain(ids, r, n2, False, row, reference_offsets, reference_keys, heads, links)
            for i in range(n1 - 1, -1, -1):
                if not free[i]:
                    continue
                kind = row + ids[h + i]
                best = _NONE
                for entry in range(word_offsets[kind], word_offsets[kind + 1]):
                    link = heads[keys[entry]]
                    while link != _NONE and partners[links[link, 0]] != _NONE:
                        link = links[link, 1]
                    heads[keys[entry]] = link
                    if link != _NONE:
                        best = greater(best, int64(links[link, 0]))
                if best != _NONE:
                    partners[best], stages[best] = i, stage
                    free[i] = False
            _unchain(ids, r, n2, row, reference_offsets, reference_keys, heads)
        for j in range(n2):
            if partners[j] != _NONE:
                _put(kept, rows, p, stages[j], partners[j], 1, j, 1)
                rows += 1
    return rows


@kernel
def _count(
    ids: Ids, offsets: Offsets, hypotheses: Offsets, references: Offsets, n_stages: int, function: Flags,
    sizes: Offsets, matches: IdRows, counts: Rows,
) -> None:  # fmt: skip
    """Write the counts of alignments; a word counts as much as its size."""
    chunks, hypothesis_words, reference_words = 4 + 4 * n_stages, 6 + 4 * n_stages, 7 + 4 * n_stages
    m = 0
    for p in range(len(references)):
        row = counts[p]
        h, r = offsets[hypotheses[p]], offsets[references[p]]
        for side in range(2):
            text = references[p] if side else hypotheses[p]
            for i in range(offsets[text], offsets[text + 1]):
                size = sizes[ids[i]]
                row[side] += size
                row[2 + side] += size * function[ids[i]]
        whole = 0
        following, end = _NONE, _NONE
        while m < len(matches) and matches[m, _PAIR] == p:
            start, other_start = int64(matches[m, _START]), int64(matches[m, _OTHER_START])
            row[chunks] += start != following or other_start != end
            following, end = start + matches[m, _LENGTH], other_start + matches[m, _OTHER_LENGTH]
            column = 4 + 4 * matches[m, _STAGE]
            for i in range(h + other_start, h + end):
                row[column + 2 * function[ids[i]]] += sizes[ids[i]]
                whole += sizes[ids[i]]
            for i in range(r + start, r + following):
                row[column + 1 + 2 * function[ids[i]]] += sizes[ids[i]]
                whole += sizes[ids[i]]
            row[hypothesis_words] += end - other_start
            row[reference_words] += following - start
            m += 1
        row[chunks + 1] = whole == row[0] + row[1] and row[chunks] == 1


def align(
    ids: Ids, offsets: Offsets, hypotheses: Offsets, references: Offsets, n_stages: int,
    word_offsets: Offsets, keys: Ids, reference_offsets: Offsets, reference_keys: Ids, spellings: Ids,
    n_keys: int, exact: int, paraphrase: int,
    found: Offsets, starts: Ids, phrases: Ids, lengths: Ids, target_offsets: Offsets, targets: Ids,
    function: Flags, sizes: Offsets, beam: int, by_paper: bool,
) -> tuple[Rows, IdRows]:  # fmt: skip
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
    Rows of the matches, in the order of pairs and reference words: pair, stage, where it begins in the hypothesis and
    its length there, the same in the reference.
    """
    texts = ids, offsets, hypotheses, references, n_stages
    tables = word_offsets, keys, reference_offsets, reference_keys
    longest = _longest(offsets)
    most_links = max(longest * max(_longest(word_offsets), _longest(reference_offsets)), _longest(found))
    heads = np.full(n_keys, _NONE, np.int32)
    # Memory that is never touched is never given: the bounds may be generous.
    links, work = np.empty((most_links, 2), np.int32), np.empty((4, longest + 1), np.int64)
    kept = np.empty((np.diff(offsets)[references].sum(), 6), np.int32)
    if beam == 0:
        free = np.empty(longest, np.bool_)
        rows = _align_greedily(*texts, len(spellings), *tables, heads, links, work, free, kept)
    else:
        phrase_heads = np.full(len(lengths), _NONE, np.int32)
        now, then = np.empty((2, beam, _USED + (longest + 63 >> 6)), np.int64)
        moves, nodes = np.empty((beam, 2), np.int32), np.empty((beam * longest, 2), np.int32)
        state = np.zeros(2, np.int64)
        # Only what can match is too much to have room for the most that there can be.
        room = longest
        while _align_by_search(
            *texts, *tables, spellings, exact, paraphrase, found, starts, phrases, lengths, target_offsets, targets,
            by_paper, heads, phrase_heads, links, work, now, then, moves, nodes, np.empty((room, 6), np.int32),
            np.empty(room, np.int64), state, kept,
        ):  # fmt: skip
            room *= 2
        rows = int(state[1])
    counts = np.zeros((len(references), 8 + 4 * n_stages), np.int64)
    _count(*texts, function, sizes, kept[:rows], counts)
    return counts, kept[:rows]


def _longest(offsets: Offsets) -> int:
    return int(np.diff(offsets).max(initial=0))

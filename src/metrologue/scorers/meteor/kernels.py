"""The possible matches between two texts, for METEOR: words that share a key, and phrases of a table.

Words are types of one vocabulary. In each stage of an aligner a type has keys as a word of the hypothesis and keys as a
word of the reference. Two words match if they share a key. Keys are spellings, stems or the numbers of synonym sets.
Only paraphrases can have several words; they have their own table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import (
    Flags,
    FloatRows,
    Floats,
    IdRows,
    Ids,
    Number,
    Offsets,
    Rows,
    longest_text,
    row_lengths,
)
from metrologue.kernels.lookup import Phrases
from metrologue.kernels.words import greater
from metrologue.native import helper, kernel

__all__ = ["Stages", "align", "matched_shares", "meteor_ratios", "weighted_means"]

# Columns of a match: its pair of texts, its stage, its start and length in the hypothesis, and its start and length in
# the reference. The search goes over the reference, so the hypothesis is the other text here.
PAIR, STAGE, OTHER_START, OTHER_LENGTH, START, LENGTH = range(6)
NONE = -1


class Stages(NamedTuple):
    """The keys of words, by stage and type: see ``align``."""

    word_offsets: Offsets
    keys: Ids
    reference_offsets: Offsets
    reference_keys: Ids


class _Room(NamedTuple):
    """The arrays of `_search`, and of what finds the matches for it."""

    heads: Ids
    phrase_heads: Ids
    links: IdRows
    seen: Offsets
    sorted_words: Offsets
    chosen: Offsets
    first: Offsets
    now: Rows
    then: Rows
    moves: IdRows
    nodes: IdRows
    matches: IdRows
    order: Offsets


@helper
def _put(
    matches: IdRows,
    row: Number,
    p: Number,
    stage: Number,
    other_start: Number,
    other_length: Number,
    start: Number,
    length: Number,
) -> None:
    matches[row, PAIR], matches[row, STAGE] = p, stage
    matches[row, OTHER_START], matches[row, OTHER_LENGTH] = other_start, other_length
    matches[row, START], matches[row, LENGTH] = start, length


@helper
def _chain(
    ids: Ids,
    begin: Number,
    length: Number,
    upwards: Number,
    row: Number,
    offsets: Offsets,
    keys: Ids,
    heads: Ids,
    links: IdRows,
) -> None:
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
def _unchain(ids: Ids, begin: Number, length: Number, row: Number, offsets: Offsets, keys: Ids, heads: Ids) -> None:
    for position in range(length):
        kind = row + ids[begin + position]
        for entry in range(offsets[kind], offsets[kind + 1]):
            heads[keys[entry]] = NONE


@helper
def _sort(values: Offsets, n: Number) -> None:
    """Sort the first n values by insertion: they are few, and each chain is sorted already."""
    for k in range(1, n):
        value = values[k]
        place = k
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            place -= 1
        values[place] = value


@helper
def _word_matches(
    room: _Room,
    ids: Ids,
    p: Number,
    h: Number,
    n1: Number,
    r: Number,
    n2: Number,
    stage: Number,
    row: Number,
    same_words: Number,
    spellings: Ids,
    stages: Stages,
    count: Number,
) -> Number:
    """Append the matches of a stage of single words: for each reference word, the hypothesis words from the left.

    Returns the new number of matches, or a number below 0 if there is no room for them.
    """
    _chain(ids, h, n1, True, row, stages.word_offsets, stages.keys, room.heads, room.links)
    for i in range(n1):
        room.seen[i] = NONE
    for j in range(n2):
        kind = row + ids[r + j]
        n = 0
        for entry in range(stages.reference_offsets[kind], stages.reference_offsets[kind + 1]):
            link = room.heads[stages.reference_keys[entry]]
            while link != NONE:
                i = room.links[link, 0]
                if room.seen[i] != j:
                    room.seen[i] = j
                    if same_words or spellings[ids[h + i]] != spellings[ids[r + j]]:
                        room.sorted_words[n] = i
                        n += 1
                link = room.links[link, 1]
        if count + n > len(room.matches):
            count = NONE
            break
        _sort(room.sorted_words, n)
        for k in range(n):
            _put(room.matches, count, p, stage, room.sorted_words[k], 1, j, 1)
            count += 1
    _unchain(ids, h, n1, row, stages.word_offsets, stages.keys, room.heads)
    return count


@helper
def _phrase_matches(
    room: _Room,
    p: Number,
    one: Number,
    other: Number,
    one_is_reference: Number,
    stage: Number,
    phrases: Phrases,
    count: Number,
) -> Number:
    """Append the matches of the phrases in one text with their paraphrases in the other text, from the left.

    Returns what `_word_matches` returns.
    """
    for k in range(phrases.offsets[other + 1] - 1, phrases.offsets[other] - 1, -1):
        link = k - phrases.offsets[other]
        room.links[link, 0], room.links[link, 1] = phrases.starts[k], room.phrase_heads[phrases.numbers[k]]
        room.phrase_heads[phrases.numbers[k]] = link
    for k in range(phrases.offsets[one], phrases.offsets[one + 1]):
        for entry in range(phrases.target_offsets[phrases.numbers[k]], phrases.target_offsets[phrases.numbers[k] + 1]):
            link = room.phrase_heads[phrases.targets[entry]]
            while link != NONE and 0 <= count < len(room.matches):
                start, length = int64(phrases.starts[k]), int64(phrases.lengths[phrases.numbers[k]])
                other_start, other_length = int64(room.links[link, 0]), int64(phrases.lengths[phrases.targets[entry]])
                if not one_is_reference:
                    start, length, other_start, other_length = other_start, other_length, start, length
                _put(room.matches, count, p, stage, other_start, other_length, start, length)
                count += 1
                link = room.links[link, 1]
            if link != NONE:
                count = NONE
    for k in range(phrases.offsets[other], phrases.offsets[other + 1]):
        room.phrase_heads[phrases.numbers[k]] = NONE
    return count


@helper
def _order_by_start(room: _Room, count: Number, n2: Number) -> None:
    """Let `order[first[j]:first[j + 1]]` be the matches that begin at word j of the reference, first found first."""
    room.first[: n2 + 1] = 0
    for m in range(count):
        room.first[room.matches[m, START]] += 1
    for j in range(n2):
        room.first[j + 1] += room.first[j]
    # `first[j]` is now the end of the matches of word j. The loop moves it to their beginning.
    for m in range(count - 1, -1, -1):
        j = room.matches[m, START]
        room.first[j] -= 1
        room.order[room.first[j]] = m


@helper
def _settled(room: _Room, count: Number, n1: Number, n2: Number) -> Number:
    """Choose the matches that share no word with another match. Returns whether these are all matches."""
    room.seen[:n2] = 0
    room.sorted_words[:n1] = 0
    for m in range(count):
        for k in range(room.matches[m, OTHER_LENGTH]):
            room.sorted_words[room.matches[m, OTHER_START] + k] += 1
        for k in range(room.matches[m, LENGTH]):
            room.seen[room.matches[m, START] + k] += 1
    left = count
    for j in range(n2):
        room.chosen[j] = NONE
        if room.first[j + 1] - room.first[j] == 1:
            m = room.order[room.first[j]]
            alone = True
            for k in range(room.matches[m, OTHER_LENGTH]):
                alone &= room.sorted_words[room.matches[m, OTHER_START] + k] == 1
            for k in range(room.matches[m, LENGTH]):
                alone &= room.seen[room.matches[m, START] + k] == 1
            if alone:
                room.chosen[j] = m
                left -= 1
    return left == 0


# A path's merit is one number, and less is better. The bits from this one on hold the covered words, as a negative
# number; the bits below hold the chunks.
_CHUNK_BITS = 32


@helper
def _gain(matches: IdRows, m: Number, exact: Number, halved: Number) -> Number:
    """What a match adds to a path's covered words. If `halved`, only exact matches count in full; halves round down."""
    half = int64(halved and matches[m, STAGE] != exact)
    return (int64(matches[m, LENGTH]) >> half) + (int64(matches[m, OTHER_LENGTH]) >> half)


# The columns of a path: see `_search`. From USED on there is one bit for each word of the hypothesis, set if covered.
_MERIT, _DISTANCE, _LAST, _END, _FOLLOWING, USED = range(6)


@helper
def _enter(paths: Rows, moves: IdRows, n: Number, merit: Number, distance: Number, parent: Number, m: Number) -> Number:
    """Insert a path after those that are as good, if there is room among the best. Returns the number of paths."""
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
        free &= (path[USED + (i >> 6)] >> (i & 63)) & 1 == 0
    return free


@helper
def _search(room: _Room, n1: Number, n2: Number, exact: Number, by_paper: Number) -> None:
    """Choose among overlapping matches: most words covered, then fewest chunks, then least distance between starts.

    The search of METEOR 1.5 goes over the reference from left to right. At each word it keeps the best paths, up to the
    size of the beam; of equal paths it keeps those that were found first. The program differs from its papers in two
    things. A word counts half in all stages but the exact one. The distance of a match is not added to the path that
    takes the match, but to the paths that the same parent makes afterwards.

    Invariant: before word j the paths are sorted by merit, and each has decided on all matches that begin before j.
    A path's following word is the next one that it decides on. Its end is the word of the hypothesis that would
    continue its last chunk, or -1 if no chunk is open. Its last node holds a match and the index of the node before.
    """
    now, then = room.now, room.then
    width = USED + ((n1 + 63) >> 6)
    now[0, :width] = 0
    now[0, _LAST], now[0, _END] = NONE, NONE
    made = 0
    paths = 1
    for j in range(n2):
        settled = room.chosen[j] != NONE
        n = 0
        for p in range(paths):
            path = now[p]
            distance, inside = path[_DISTANCE], path[_FOLLOWING] > j
            for k in range(room.first[j + 1] if inside else room.first[j], room.first[j + 1] + (inside or not settled)):
                m, merit, apart = int64(NONE), path[_MERIT], int64(0)
                if k < room.first[j + 1]:
                    m = room.order[k]
                    start = int64(room.matches[m, OTHER_START])
                    if not _is_free(path, start, start + room.matches[m, OTHER_LENGTH]):
                        continue
                    merit -= _gain(room.matches, m, exact, not by_paper) << _CHUNK_BITS
                    merit += path[_END] != NONE and start != path[_END]
                    apart = abs(j - start)
                elif not inside:
                    merit += path[_END] != NONE
                own = apart * (settled or by_paper)
                n = _enter(then, room.moves, n, merit, distance + own, p, m)
                distance += apart - own
        for p in range(n):
            path, parent, m = then[p], now[room.moves[p, 0]], int64(room.moves[p, 1])
            for column in range(_LAST, width):
                path[column] = parent[column]
            if m != NONE:
                start = int64(room.matches[m, OTHER_START])
                stop = start + room.matches[m, OTHER_LENGTH]
                for i in range(start, stop):
                    path[USED + (i >> 6)] |= int64(1) << (i & 63)
                room.nodes[made, 0], room.nodes[made, 1] = m, parent[_LAST]
                path[_LAST], path[_END], path[_FOLLOWING] = made, stop, j + room.matches[m, LENGTH]
                made += 1
            elif parent[_FOLLOWING] <= j:
                path[_END], path[_FOLLOWING] = NONE, j + 1
        now, then = then, now
        paths = n
    best = 0
    for p in range(paths):
        now[p, _MERIT] += now[p, _END] != NONE
        better = now[p, _MERIT] < now[best, _MERIT]
        if better or (now[p, _MERIT] == now[best, _MERIT] and now[p, _DISTANCE] < now[best, _DISTANCE]):
            best = p
    node = now[best, _LAST]
    while node != NONE:
        room.chosen[room.matches[room.nodes[node, 0], START]] = room.nodes[node, 0]
        node = int64(room.nodes[node, 1])


@kernel
def _align_by_search(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    n_stages: int,
    stages: Stages,
    spellings: Ids,
    exact: int,
    paraphrase: int,
    phrases: Phrases,
    by_paper: bool,
    room: _Room,
    state: Offsets,
    kept: IdRows,
) -> bool:
    """Align pairs for as long as there is room for their possible matches. Returns whether there was too little room.

    `state` has the next pair and the number of kept matches. Invariant: between two chains all heads are -1.
    """
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
                        count = _phrase_matches(room, p, one, other, side == 0, stage, phrases, count)
                    one, other = other, one
            elif count >= 0:
                count = _word_matches(
                    room, ids, p, h, n1, r, n2, stage, stage * len(spellings), stage == exact, spellings, stages, count
                )
        if count < 0:
            state[0], state[1] = p, rows
            return True
        _order_by_start(room, count, n2)
        if not _settled(room, count, n1, n2):
            _search(room, n1, n2, exact, by_paper)
        for j in range(n2):
            if room.chosen[j] != NONE:
                for column in range(6):
                    kept[rows, column] = room.matches[room.chosen[j], column]
                rows += 1
    state[1] = rows
    return False


@kernel
def _align_greedily(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    n_stages: int,
    n_types: int,
    stages: Stages,
    heads: Ids,
    links: IdRows,
    partners: Offsets,
    stage_of: Offsets,
    free: Flags,
    kept: IdRows,
) -> int:
    """Match each free word of a hypothesis, from the right, with the last free word of the reference that can match it.

    Returns the number of matches. Invariant: a chain that was used begins with a free word of the reference, because no
    word becomes free again. Between two chains all heads are -1.
    """
    rows = 0
    for p in range(len(references)):
        h, r = offsets[hypotheses[p]], offsets[references[p]]
        n1, n2 = offsets[hypotheses[p] + 1] - h, offsets[references[p] + 1] - r
        free[:n1] = True
        partners[:n2] = NONE
        for stage in range(n_stages):
            row = stage * n_types
            _chain(ids, r, n2, False, row, stages.reference_offsets, stages.reference_keys, heads, links)
            for i in range(n1 - 1, -1, -1):
                if not free[i]:
                    continue
                kind = row + ids[h + i]
                best = NONE
                for entry in range(stages.word_offsets[kind], stages.word_offsets[kind + 1]):
                    link = heads[stages.keys[entry]]
                    while link != NONE and partners[links[link, 0]] != NONE:
                        link = links[link, 1]
                    heads[stages.keys[entry]] = link
                    if link != NONE:
                        best = greater(best, int64(links[link, 0]))
                if best != NONE:
                    partners[best], stage_of[best] = i, stage
                    free[i] = False
            _unchain(ids, r, n2, row, stages.reference_offsets, stages.reference_keys, heads)
        for j in range(n2):
            if partners[j] != NONE:
                _put(kept, rows, p, stage_of[j], partners[j], 1, j, 1)
                rows += 1
    return rows


@kernel
def _count(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    n_stages: int,
    function: Flags,
    sizes: Offsets,
    matches: IdRows,
    counts: Rows,
) -> None:
    """Write the counts of alignments. A word counts by its size."""
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
        following, end = NONE, NONE
        while m < len(matches) and matches[m, PAIR] == p:
            start, other_start = int64(matches[m, START]), int64(matches[m, OTHER_START])
            row[chunks] += start != following or other_start != end
            following, end = start + matches[m, LENGTH], other_start + matches[m, OTHER_LENGTH]
            column = 4 + 4 * matches[m, STAGE]
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
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    n_stages: int,
    stages: Stages,
    spellings: Ids,
    n_keys: int,
    exact: int,
    paraphrase: int,
    phrases: Phrases,
    function: Flags,
    sizes: Offsets,
    beam: int,
    by_paper: bool,
) -> tuple[Rows, IdRows]:
    """Align the text `hypotheses[p]` with the text `references[p]`, for each pair p.

    In stage s, type t of n_types has the keys from `stages.word_offsets[s * n_types + t]` on as a word of the
    hypothesis, and the keys from `stages.reference_offsets[s * n_types + t]` on as a word of the reference. All keys
    are below `n_keys`. Types with the same number in `spellings` are one word. A stage other than `exact` matches
    different words only.

    In the stage `paraphrase` phrases match, and paraphrases are tried in their order. `exact` or `paraphrase` is -1 if
    there is no such stage.

    With a beam of 0 the alignment is nltk's: each stage matches the words that are free, without paraphrases.
    Otherwise, equal texts are aligned by the first stage alone, as METEOR 1.5 does; see `_search` for all others.

    Returns (counts, matches). The counts are (pairs, 8 + 4 * n_stages). Their columns are: the size of the hypothesis
    and of the reference, the size of the function words of each; then, for each stage, the matched size of content
    words in the hypothesis, of content words in the reference, of function words in the hypothesis and of function
    words in the reference; then the chunks, whether everything is matched in one chunk, and the matched words of the
    hypothesis and of the reference. The matches are sorted by pair and reference word. Their columns are: pair, stage,
    start and length in the hypothesis, start and length in the reference.
    """
    texts = ids, offsets, hypotheses, references, n_stages
    longest = longest_text(ids, offsets)
    most_keys = max(
        longest_text(stages.keys, stages.word_offsets), longest_text(stages.reference_keys, stages.reference_offsets)
    )
    most_links = max(longest * most_keys, longest_text(phrases.starts, phrases.offsets))
    heads = np.full(n_keys, NONE, np.int32)
    # The system gives memory only when it is first touched, so the bounds may be generous.
    links = np.empty((most_links, 2), np.int32)
    one, other, chosen, first = np.empty((4, longest + 1), np.int64)
    most = len(ids) if len(references) == 1 else row_lengths(offsets)[references].sum()
    kept = np.empty((most, 6), np.int32)
    if beam == 0:
        free = np.empty(longest, np.bool_)
        rows = _align_greedily(*texts, len(spellings), *stages, heads, links, one, other, free, kept)
    else:
        phrase_heads = np.full(len(phrases.lengths), NONE, np.int32)
        now, then = np.empty((2, beam, USED + (longest + 63 >> 6)), np.int64)
        moves, nodes = np.empty((beam, 2), np.int32), np.empty((beam * longest, 2), np.int32)
        state, matches, order = np.zeros(2, np.int64), np.empty((longest, 6), np.int32), np.empty(longest, np.int64)
        # The possible matches can be too many to have room for their greatest number, so the room starts small.
        room = _Room(heads, phrase_heads, links, one, other, chosen, first, now, then, moves, nodes, matches, order)
        while _align_by_search(*texts, *stages, spellings, exact, paraphrase, *phrases, by_paper, *room, state, kept):
            size = 2 * len(room.order)
            room = room._replace(matches=np.empty((size, 6), np.int32), order=np.empty(size, np.int64))
        rows = int(state[1])
    counts = np.zeros((len(references), 8 + 4 * n_stages), np.int64)
    _count(*texts, function, sizes, kept[:rows], counts)
    return counts, kept[:rows]


@helper
def _share(
    content: Floats,
    content_at: Number,
    function: Floats,
    function_at: Number,
    step: Number,
    length: Number,
    function_length: Number,
    weights: Floats,
    delta: Number,
) -> Number:
    """The weighted share of the words that are matched. The counts of the next stage are `step` places further.

    One stage is added after another, all of content words first, as METEOR 1.5 does.
    """
    matched: Number = 0.0
    for stage in range(len(weights)):
        matched += content[content_at + stage * step] * weights[stage] * delta
    for stage in range(len(weights)):
        matched += function[function_at + stage * step] * weights[stage] * (1.0 - delta)
    whole = delta * (length - function_length) + (1.0 - delta) * function_length
    return matched / whole if whole > 0.0 else 0.0


@helper
def _mean(precision: Number, recall: Number, alpha: Number, product: Number) -> Number:
    if product:
        mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    else:
        mean = 1.0 / ((1.0 - alpha) / precision + alpha / recall)
    return mean if mean == mean else 0.0


@kernel
def _matched_shares(
    content: Floats,
    function: Floats,
    lengths: Floats,
    function_lengths: Floats,
    weights: Floats,
    delta: float,
    found: Floats,
) -> None:
    for i in range(len(found)):
        at = i * len(weights)
        found[i] = _share(content, at, function, at, 1, lengths[i], function_lengths[i], weights, delta)


def matched_shares(
    content: Floats, function: Floats, lengths: Floats, function_lengths: Floats, weights: Floats, delta: float
) -> Floats:
    """The weighted share of matched words, of the shape of `lengths`; 0 if no word has a weight.

    `content` and `function` have another axis, with the matched words of each stage; `weights` are those of the stages.
    Content words have the weight `delta`, and function words 1 - `delta`.
    """
    found = np.empty(lengths.shape)
    counts = map(_flat, (content, function, lengths, function_lengths))
    _matched_shares(*counts, weights, delta, found.reshape(-1))
    return found


@kernel
def _weighted_means(precisions: Floats, recalls: Floats, alpha: float, product: bool, found: Floats) -> None:
    for i in range(len(found)):
        found[i] = _mean(precisions[i], recalls[i], alpha, product)


def weighted_means(precisions: Floats, recalls: Floats, alpha: float, product: bool) -> Floats:
    """The harmonic means in which recall has the weight `alpha`; 0 if either is 0. Both have the same shape (...).

    With `product` a mean is P R / (alpha P + (1 - alpha) R), otherwise 1 / ((1 - alpha) / P + alpha / R).
    """
    found = np.empty(np.shape(precisions))
    _weighted_means(_flat(precisions), _flat(recalls), alpha, product, found.reshape(-1))
    return found


@kernel
def _meteor_ratios(
    rows: Floats,
    weights: Floats,
    delta: float,
    alpha: float,
    product: bool,
    beta: float,
    gamma: float,
    penalize_whole: bool,
    found: FloatRows,
) -> None:
    stages = len(weights)
    for i in range(len(found)):
        row = i * (8 + 4 * stages)
        first, last = row + 4, row + 4 + 4 * stages
        precision = _share(rows, first, rows, first + 2, 4, rows[row], rows[row + 2], weights, delta)
        recall = _share(rows, first + 1, rows, first + 3, 4, rows[row + 1], rows[row + 3], weights, delta)
        mean = _mean(precision, recall, alpha, product)
        chunks = rows[last] - (0.0 if penalize_whole else rows[last + 1])
        matches = (rows[last + 2] + rows[last + 3]) / 2
        penalty = gamma * (chunks / matches if matches > 0.0 else 0.0) ** beta
        both = precision + recall
        found[i, 0], found[i, 1], found[i, 2] = mean * (1.0 - penalty), precision, recall
        found[i, 3], found[i, 4], found[i, 5] = 2 * precision * recall / both if both > 0.0 else 0.0, mean, penalty


def meteor_ratios(
    rows: Floats,
    weights: Floats,
    delta: float,
    alpha: float,
    product: bool,
    beta: float,
    gamma: float,
    penalize_whole: bool,
) -> Floats:
    """METEOR, precision, recall, their harmonic mean, that with the weight `alpha`, and the penalty: (..., 6).

    The rows (..., 8 + 4 * n_stages) have the columns of ``metrologue.scorers.meteor.kernels.align``. For `product`,
    see ``weighted_means``. Without `penalize_whole`, a segment that one chunk matches completely has no penalty.
    """
    found = np.empty((*rows.shape[:-1], 6))
    _meteor_ratios(
        _flat(rows), weights, delta, alpha, product, beta, gamma, penalize_whole, found.reshape(-1, found.shape[-1])
    )
    return found


def _flat(values: Floats) -> Floats:
    return np.ascontiguousarray(values, np.float64).reshape(-1)

"""The possible matches between two texts, for METEOR: words that share a key, and phrases of a table.

Words are types of one vocabulary. In each stage of an aligner a type has keys as a word of the hypothesis and keys as a
word of the reference. Two words match if they share a key. Keys are spellings, stems or the numbers of synonym sets.
Only paraphrases can have several words; they have their own table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser
from metrologue.native import helper, kernel

__all__ = ["Stages", "Weighting", "align", "matched_shares", "meteor_ratios", "weighted_means"]

# Columns of a match: its pair of texts, its stage, its start and length in the hypothesis, and its start and length in
# the reference. The search goes over the reference, so the hypothesis is the other text here.
PAIR, STAGE, OTHER_START, OTHER_LENGTH, START, LENGTH = range(6)
NONE = -1


class Stages(NamedTuple):
    """The stages of an aligner, and the keys of words: two words match in a stage if they share a key there.

    Attributes
    ----------
    stage_count, exact, paraphrase : int
        The number of stages. In the stage `paraphrase` phrases match, and they are tried in their order. A stage other
        than `exact` matches different words only. Either is -1 if there is no such stage.
    key_count : int
        All keys are below this number.
    spellings : int32 (n_types,)
        Types with the same number are one word.
    word_offsets, reference_offsets : int64 (n_types * stage_count + 1,)
    keys, reference_keys : int32
        In stage s, type t has the keys from ``word_offsets[t * stage_count + s]`` on as a word of the hypothesis, and
        the keys from ``reference_offsets[t * stage_count + s]`` on as a word of the reference.
    """

    stage_count: int
    exact: int
    paraphrase: int
    key_count: int
    spellings: Ids
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
    nodes: IdRows
    matches: IdRows
    order: Offsets
    options: Rows


@helper
def _put(row: Ids, match: Any) -> None:
    row[PAIR], row[STAGE], row[OTHER_START], row[OTHER_LENGTH], row[START], row[LENGTH] = match


@helper
def _chain(
    words: Ids, upwards: Number, stage: Number, stages: Number, offsets: Offsets, keys: Ids, heads: Ids, links: IdRows
) -> None:
    """Chain the words of a text by key: `heads[key]` is a link (position, next link), positions going up or down."""
    used = 0
    for k in range(len(words)):
        position = len(words) - 1 - k if upwards else k
        kind = words[position] * stages + stage
        for entry in range(offsets[kind], offsets[kind + 1]):
            links[used, 0], links[used, 1] = position, heads[keys[entry]]
            heads[keys[entry]] = used
            used += 1


@helper
def _unchain(words: Ids, stage: Number, stages: Number, offsets: Offsets, keys: Ids, heads: Ids) -> None:
    for word in words:
        kind = word * stages + stage
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
def _word_matches(texts: Pairs, p: Number, stages: Stages, stage: Number, room: _Room, count: Number) -> Number:
    """Append the matches of a stage of single words: for each reference word, the hypothesis words from the left.

    Returns the new number of matches, or a number below 0 if there is no room for them.
    """
    h, n1, r, n2 = places(texts, p)
    words, others = texts.ids[h : h + n1], texts.ids[r : r + n2]
    _chain(words, True, stage, stages.stage_count, stages.word_offsets, stages.keys, room.heads, room.links)
    for i in range(n1):
        room.seen[i] = NONE
    for j in range(n2):
        kind = others[j] * stages.stage_count + stage
        n = 0
        for entry in range(stages.reference_offsets[kind], stages.reference_offsets[kind + 1]):
            link = room.heads[stages.reference_keys[entry]]
            while link != NONE:
                i = room.links[link, 0]
                if room.seen[i] != j:
                    room.seen[i] = j
                    if stage == stages.exact or stages.spellings[words[i]] != stages.spellings[others[j]]:
                        room.sorted_words[n] = i
                        n += 1
                link = room.links[link, 1]
        if count + n > len(room.matches):
            count = NONE
            break
        _sort(room.sorted_words, n)
        for k in range(n):
            _put(room.matches[count], (p, stage, room.sorted_words[k], 1, j, 1))
            count += 1
    _unchain(words, stage, stages.stage_count, stages.word_offsets, stages.keys, room.heads)
    return count


@helper
def _phrase_matches(
    texts: Pairs, p: Number, from_reference: Number, stage: Number, phrases: Phrases, room: _Room, count: Number
) -> Number:
    """Append the matches of the phrases in one text with their paraphrases in the other text, from the left.

    Returns what `_word_matches` returns.
    """
    one, other = texts.hypotheses[p], texts.references[p]
    if from_reference:
        one, other = other, one
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
                if not from_reference:
                    start, length, other_start, other_length = other_start, other_length, start, length
                _put(room.matches[count], (p, stage, other_start, other_length, start, length))
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


# The columns of a path: see `_search`. From USED on there is one bit for each word of the hypothesis, set if covered.
# AT does not belong to a path: in row r it has the row of the path that is number r from the best.
_MERIT, _DISTANCE, _PARENT, _OPTION, _AT, _LAST, _END, _FOLLOWING, USED = range(9)


@helper
def _is_worse(path: Offsets, merit: Number, distance: Number, parent: Number) -> Number:
    """Whether a path comes after another one: of paths that are equally good, the one whose parent comes later."""
    if path[_MERIT] != merit:
        return path[_MERIT] > merit
    return path[_DISTANCE] > distance or (path[_DISTANCE] == distance and path[_PARENT] > parent)


@helper
def _is_late(paths: Rows, n: Number, merit: Number, distance: Number, parent: Number) -> Number:
    """Whether the beam is full of paths that come before."""
    return n == len(paths) and not _is_worse(paths[paths[n - 1, _AT]], merit, distance, parent)


@helper
def _advance(paths: Rows, place: Number) -> None:
    """Move a path before those that come after it. The paths before are sorted."""
    row = paths[place, _AT]
    merit, distance, parent = paths[row, _MERIT], paths[row, _DISTANCE], paths[row, _PARENT]
    while place > 0 and _is_worse(paths[paths[place - 1, _AT]], merit, distance, parent):
        paths[place, _AT] = paths[place - 1, _AT]
        place -= 1
    paths[place, _AT] = row


@helper
def _enter(paths: Rows, n: Number, merit: Number, distance: Number, parent: Number, option: Number) -> Number:
    """Keep a path if it is among the best. Returns the number of paths."""
    if _is_late(paths, n, merit, distance, parent):
        return n
    if n < len(paths):
        paths[n, _AT] = n
        n += 1
    path = paths[paths[n - 1, _AT]]
    path[_MERIT], path[_DISTANCE], path[_PARENT], path[_OPTION] = merit, distance, parent, option
    _advance(paths, n - 1)
    return n


@helper
def _decide_alike(
    paths: Rows, n: Number, j: Number, start: Number, end: Number, following: Number, agree: Number
) -> Number:
    """Let all paths that decide on word j take the same match, or none (`start` and `end` are -1), and sort them.

    What is added to all paths alike is left out: covered words and distance, and the chunk, if the paths agree on the
    word before. Returns whether they agree on this one.
    """
    if agree:
        for p in range(n if paths[0, _FOLLOWING] <= j else 0):
            paths[p, _END], paths[p, _FOLLOWING] = end, following
        return True
    agree = True
    for p in range(n):
        path = paths[paths[p, _AT]]
        path[_PARENT] = p
        if path[_FOLLOWING] <= j:
            path[_MERIT] += path[_END] != NONE and path[_END] != start
            path[_END], path[_FOLLOWING] = end, following
        else:
            agree = False
        _advance(paths, p)
    return agree


# The columns of an option, a match that begins at the current word of the reference: its number; where it begins and
# stops in the hypothesis; the column of a path with the bit of its first word, the bits of its words there, and the
# first word beyond; what it adds to the merit and to the distance; the word of the reference that follows.
_NUMBER, _BEGIN, _STOP, _COLUMN, _MASK, _REST, _GAIN, _APART, _NEXT = range(9)


@helper
def _list_options(room: _Room, j: Number, exact: Number, halved: Number) -> Number:
    """List the options of word j. If `halved`, words count half, rounded down, in all stages but the exact one.

    Returns the best merit that an option can add.
    """
    best: Number = 0
    for k in range(room.first[j], room.first[j + 1]):
        option, match = room.options[k - room.first[j]], room.matches[room.order[k]]
        start, length = int64(match[OTHER_START]), int64(match[OTHER_LENGTH])
        half = int64(halved and match[STAGE] != exact)
        option[_NUMBER], option[_BEGIN], option[_STOP] = room.order[k], start, start + length
        option[_COLUMN], option[_REST] = USED + (start >> 6), ((start >> 6) + 1) << 6
        option[_MASK] = (-1 if length >= 64 else (int64(1) << length) - 1) << (start & 63)
        option[_GAIN] = -(((int64(match[LENGTH]) >> half) + (length >> half)) << _CHUNK_BITS)
        option[_APART], option[_NEXT] = abs(j - start), j + match[LENGTH]
        best = lesser(best, option[_GAIN])
    return best


@helper
def _is_free(path: Offsets, option: Offsets) -> Number:
    free = path[option[_COLUMN]] & option[_MASK] == 0
    for i in range(option[_REST], option[_STOP]):
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
    agree = False  # whether all paths have the same end and following word
    for j in range(n2):
        if room.chosen[j] != NONE:
            match = room.matches[room.chosen[j]]
            start = int64(match[OTHER_START])
            stop, following = start + match[OTHER_LENGTH], j + match[LENGTH]
            agree = _decide_alike(now, paths, j, start, stop, following, agree)
            continue
        if room.first[j] == room.first[j + 1]:
            agree = _decide_alike(now, paths, j, NONE, NONE, j + 1, agree)
            continue
        best = _list_options(room, j, exact, not by_paper)
        # First all paths that take a match: they are better, and so the beam is soon full of good paths.
        n = 0
        for p in range(paths):
            path = now[now[p, _AT]]
            if _is_late(then, n, path[_MERIT] + best, path[_DISTANCE], p):
                break
            for k in range(0 if path[_FOLLOWING] > j else room.first[j + 1] - room.first[j]):
                option = room.options[k]
                if _is_free(path, option):
                    merit = path[_MERIT] + option[_GAIN] + (path[_END] != NONE and option[_BEGIN] != path[_END])
                    n = _enter(then, n, merit, path[_DISTANCE] + option[_APART] * by_paper, p, k)
                    path[_DISTANCE] += option[_APART] * (not by_paper)
        for p in range(paths):
            path = now[now[p, _AT]]
            if _is_late(then, n, path[_MERIT], 0, 0):
                break
            breaks = path[_FOLLOWING] <= j and path[_END] != NONE
            n = _enter(then, n, path[_MERIT] + breaks, path[_DISTANCE], p, NONE)
        for p in range(n):
            path = then[p]
            parent = now[now[path[_PARENT], _AT]]
            for column in range(_LAST, width):
                path[column] = parent[column]
            if path[_OPTION] != NONE:
                option = room.options[path[_OPTION]]
                path[option[_COLUMN]] |= option[_MASK]
                for i in range(option[_REST], option[_STOP]):
                    path[USED + (i >> 6)] |= int64(1) << (i & 63)
                room.nodes[made, 0], room.nodes[made, 1] = option[_NUMBER], path[_LAST]
                path[_LAST], path[_END], path[_FOLLOWING] = made, option[_STOP], option[_NEXT]
                made += 1
            elif path[_FOLLOWING] <= j:
                path[_END], path[_FOLLOWING] = NONE, j + 1
        now, then = then, now
        paths, agree = n, False
    # The chunks that are still open count now.
    _decide_alike(now, paths, n2, NONE, NONE, n2, agree)
    node = now[now[0, _AT], _LAST]
    while node != NONE:
        room.chosen[room.matches[room.nodes[node, 0], START]] = room.nodes[node, 0]
        node = int64(room.nodes[node, 1])


@kernel
def _align_by_search(
    texts: Pairs, stages: Stages, phrases: Phrases, by_paper: bool, room: _Room, state: Offsets, kept: IdRows
) -> bool:
    """Align pairs for as long as there is room for their possible matches. Returns whether there was too little room.

    `state` has the next pair and the number of kept matches. Invariant: between two chains all heads are -1.
    """
    rows = state[1]
    for p in range(state[0], len(texts.references)):
        h, n1, r, n2 = places(texts, p)
        equal = n1 == n2
        for i in range(n1 if equal else 0):
            equal &= stages.spellings[texts.ids[h + i]] == stages.spellings[texts.ids[r + i]]
        count = 0
        for stage in range(1 if equal else stages.stage_count):
            if stage == stages.paraphrase:
                for side in range(2):
                    if count >= 0:
                        count = _phrase_matches(texts, p, side == 0, stage, phrases, room, count)
            elif count >= 0:
                count = _word_matches(texts, p, stages, stage, room, count)
        if count < 0:
            state[0], state[1] = p, rows
            return True
        _order_by_start(room, count, n2)
        if not _settled(room, count, n1, n2):
            _search(room, n1, n2, stages.exact, by_paper)
        for j in range(n2):
            if room.chosen[j] != NONE:
                for column in range(6):
                    kept[rows, column] = room.matches[room.chosen[j], column]
                rows += 1
    state[1] = rows
    return False


@kernel
def _align_greedily(
    texts: Pairs,
    stages: Stages,
    heads: Ids,
    links: IdRows,
    partners: Offsets,
    stage_of: Offsets,
    free: Flags,
    again: int,
    own: Rows,
    kept: IdRows,
) -> int:
    """Match each free word of a hypothesis, from the right, with the last free word of the reference that can match it.

    The words of the stage `again` are free after it, if it is not -1. `own` has their partners and all others, by words
    of the hypothesis, and the matches are then in this order, otherwise in that of the reference.

    Returns the number of matches. Invariant: a chain that was used begins with a free word of the reference, because no
    word becomes free again before the chain's end. Between two chains all heads are -1.
    """
    rows = 0
    for p in range(len(texts.references)):
        h, n1, r, n2 = places(texts, p)
        words, others = texts.ids[h : h + n1], texts.ids[r : r + n2]
        free[:n1] = True
        partners[:n2] = NONE
        if again != NONE:
            own[:, :n1] = NONE
        for stage in range(stages.stage_count):
            offsets, keys = stages.reference_offsets, stages.reference_keys
            _chain(others, False, stage, stages.stage_count, offsets, keys, heads, links)
            for i in range(n1 - 1, -1, -1):
                if not free[i]:
                    continue
                kind = words[i] * stages.stage_count + stage
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
            _unchain(others, stage, stages.stage_count, offsets, keys, heads)
            for j in range(n2 if stage == again else 0):
                if partners[j] != NONE and stage_of[j] == again:
                    own[0, partners[j]] = j
                    free[partners[j]] = True
                    partners[j] = NONE
        for j in range(n2):
            if again != NONE:
                if partners[j] != NONE:
                    own[1, partners[j]] = j
            elif partners[j] != NONE:
                _put(kept[rows], (p, stage_of[j], partners[j], 1, j, 1))
                rows += 1
        for i in range(n1 if again != NONE else 0):
            if own[0, i] != NONE:
                _put(kept[rows], (p, again, i, 1, own[0, i], 1))
                rows += 1
            if own[1, i] != NONE:
                _put(kept[rows], (p, stage_of[own[1, i]], i, 1, own[1, i], 1))
                rows += 1
    return rows


@kernel
def _count(texts: Pairs, n_stages: int, function: Flags, sizes: Offsets, matches: IdRows, counts: Rows) -> None:
    """Write the counts of alignments. A word counts by its size."""
    ids, offsets, hypotheses, references = texts
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
    texts: Pairs,
    stages: Stages,
    phrases: Phrases,
    function: Flags,
    sizes: Offsets,
    beam: int,
    by_paper: bool,
    again: int = NONE,
) -> tuple[Rows, IdRows]:
    """Align the hypothesis of each pair with its reference.

    With a beam of 0 the alignment is nltk's: each stage matches the words that are free, without paraphrases. The words
    that match in the stage `again` stay free; -1 for no such stage.
    Otherwise, equal texts are aligned by the first stage alone, as METEOR 1.5 does; see `_search` for all others.
    `function` says which types are function words, and `sizes` how much each counts.

    Returns (counts, matches). The counts are (pairs, 8 + 4 * stages.stage_count). Their columns are: the size of the
    hypothesis and of the reference, the size of the function words of each; then, for each stage, the matched size of
    content words in the hypothesis, of content words in the reference, of function words in the hypothesis and of
    function words in the reference; then the chunks, whether everything is matched in one chunk, and the matched words
    of the hypothesis and of the reference. The matches are sorted by pair and reference word; with `again` by pair and
    hypothesis word. Their columns are: pair, stage, start and length in the hypothesis, start and length in the
    reference.
    """
    ids, offsets, _, references = texts
    longest = longest_text(ids, offsets)
    most_keys = max(
        longest_text(stages.keys, stages.word_offsets), longest_text(stages.reference_keys, stages.reference_offsets)
    )
    most_links = max(longest * most_keys, longest_text(phrases.starts, phrases.offsets))
    heads = np.full(stages.key_count, NONE, np.int32)
    # The system gives memory only when it is first touched, so the bounds may be generous.
    links = np.empty((most_links, 2), np.int32)
    one, other, chosen, first = np.empty((4, longest + 1), np.int64)
    most = len(ids) if len(references) == 1 else row_lengths(offsets)[references].sum()
    kept = np.empty((most if again == NONE else 2 * most, 6), np.int32)
    if beam == 0:
        own = np.empty((2, longest if again != NONE else 0), np.int64)
        rows = _align_greedily(*texts, *stages, heads, links, one, other, np.empty(longest, np.bool_), again, own, kept)
    else:
        phrase_heads = np.full(len(phrases.lengths), NONE, np.int32)
        now, then = np.empty((2, beam, USED + (longest + 63 >> 6)), np.int64)
        nodes = np.empty((beam * longest, 2), np.int32)
        state, size, full = np.zeros(2, np.int64), longest, True
        # The possible matches can be too many to have room for their greatest number, so the room starts small.
        while full:
            found = np.empty((size, 6), np.int32), np.empty(size, np.int64), np.empty((size, 9), np.int64)
            room = _Room(heads, phrase_heads, links, one, other, chosen, first, now, then, nodes, *found)
            full = _align_by_search(*texts, *stages, *phrases, by_paper, *room, state, kept)
            size *= 2
        rows = int(state[1])
    counts = np.zeros((len(references), 8 + 4 * stages.stage_count), np.int64)
    _count(*texts, stages.stage_count, function, sizes, kept[:rows], counts)
    return counts, kept[:rows]


class Weighting(NamedTuple):
    """How matches become scores.

    Attributes
    ----------
    stages : float64 (n_stages,)
        The weight of each stage.
    delta : float
        The weight of content words; that of function words is 1 - `delta`.
    alpha : float
        The weight of recall in the mean.
    product : bool
        Whether a mean is P R / (alpha P + (1 - alpha) R), otherwise 1 / ((1 - alpha) / P + alpha / R).
    beta, gamma : float
        The exponent and the greatest value of the penalty.
    penalize_whole : bool
        Without it, a segment that one chunk matches completely has no penalty.
    """

    stages: Floats
    delta: float
    alpha: float
    product: bool
    beta: float
    gamma: float
    penalize_whole: bool


@helper
def _share(
    content: Floats, function: Floats, length: Number, functions: Number, weights: Floats, delta: Number
) -> Number:
    """The weighted share of the words that are matched, from those matched in each stage, and how many there are.

    One stage is added after another, all of content words first, as METEOR 1.5 does.
    """
    matched: Number = 0.0
    for stage in range(len(weights)):
        matched += content[stage] * weights[stage] * delta
    for stage in range(len(weights)):
        matched += function[stage] * weights[stage] * (1.0 - delta)
    whole = delta * (length - functions) + (1.0 - delta) * functions
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
    content: Floats, function: Floats, lengths: Floats, functions: Floats, weights: Floats, delta: float, shares: Floats
) -> None:
    for i in range(len(shares)):
        first, last = i * len(weights), (i + 1) * len(weights)
        shares[i] = _share(content[first:last], function[first:last], lengths[i], functions[i], weights, delta)


def matched_shares(
    content: Floats, function: Floats, lengths: Floats, function_lengths: Floats, weights: Floats, delta: float
) -> Floats:
    """The weighted share of matched words, of the shape of `lengths`; 0 if no word has a weight.

    `content` and `function` have another axis, with the matched words of each stage; `weights` are those of the stages.
    Content words have the weight `delta`, and function words 1 - `delta`.
    """
    shares = np.empty(lengths.shape)
    counts = map(_flat, (content, function, lengths, function_lengths))
    _matched_shares(*counts, weights, delta, shares.reshape(-1))
    return shares


@kernel
def _weighted_means(precisions: Floats, recalls: Floats, alpha: float, product: bool, means: Floats) -> None:
    for i in range(len(means)):
        means[i] = _mean(precisions[i], recalls[i], alpha, product)


def weighted_means(precisions: Floats, recalls: Floats, alpha: float, product: bool) -> Floats:
    """The harmonic means under `alpha` and `product` of ``Weighting``; 0 if either is 0. Both have one shape (...)."""
    means = np.empty(np.shape(precisions))
    _weighted_means(_flat(precisions), _flat(recalls), alpha, product, means.reshape(-1))
    return means


@kernel
def _meteor_ratios(rows: FloatRows, by: Weighting, ratios: FloatRows) -> None:
    stop = 4 + 4 * len(by.stages)
    for i in range(len(ratios)):
        row, matched = rows[i], rows[i, 4:stop]
        precision = _share(matched[::4], matched[2::4], row[0], row[2], by.stages, by.delta)
        recall = _share(matched[1::4], matched[3::4], row[1], row[3], by.stages, by.delta)
        mean = _mean(precision, recall, by.alpha, by.product)
        chunks = row[stop] - (0.0 if by.penalize_whole else row[stop + 1])
        matches = (row[stop + 2] + row[stop + 3]) / 2
        penalty = by.gamma * (chunks / matches if matches > 0.0 else 0.0) ** by.beta
        both = precision + recall
        ratios[i, 0], ratios[i, 1], ratios[i, 2] = mean * (1.0 - penalty), precision, recall
        ratios[i, 3], ratios[i, 4], ratios[i, 5] = 2 * precision * recall / both if both > 0.0 else 0.0, mean, penalty


def meteor_ratios(rows: Floats, weighting: Weighting) -> Floats:
    """METEOR, precision, recall, their harmonic mean, that with the weight `alpha`, and the penalty: (..., 6).

    The rows (..., 8 + 4 * n_stages) have the columns of ``metrologue.scorers.meteor.kernels.align``.
    """
    ratios = np.empty((*rows.shape[:-1], 6))
    _meteor_ratios(_flat(rows).reshape(-1, rows.shape[-1]), *weighting, ratios.reshape(-1, 6))
    return ratios


def _flat(values: Floats) -> Floats:
    return np.ascontiguousarray(values, np.float64).reshape(-1)

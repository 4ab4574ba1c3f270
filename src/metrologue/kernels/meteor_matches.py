"""The possible matches between two texts, for METEOR: words that share a key, and phrases of a table.

Words are types of one vocabulary. In each stage of an aligner a type has keys as a word of the hypothesis and keys as a
word of the reference. Two words match if they share a key. Keys are spellings, stems or the numbers of synonym sets.
Only paraphrases can have several words; they have their own table.
"""

from __future__ import annotations

from numpy import int64

from metrologue.kernels.arrays import IdRows, Ids, Number, Offsets
from metrologue.native import helper

__all__ = [
    "LENGTH", "NONE", "OTHER_LENGTH", "OTHER_START", "PAIR", "STAGE", "START", "chain", "order_by_start",
    "phrase_matches", "put", "settled", "unchain", "word_matches",
]  # fmt: skip

# Columns of a match: its pair of texts, its stage, its start and length in the hypothesis, and its start and length in
# the reference. The search goes over the reference, so the hypothesis is the other text here.
PAIR, STAGE, OTHER_START, OTHER_LENGTH, START, LENGTH = range(6)
NONE = -1


@helper
def put(
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
def chain(
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
def unchain(ids: Ids, begin: Number, length: Number, row: Number, offsets: Offsets, keys: Ids, heads: Ids) -> None:
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
def word_matches(
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
    offsets: Offsets,
    keys: Ids,
    reference_offsets: Offsets,
    reference_keys: Ids,
    heads: Ids,
    links: IdRows,
    seen: Offsets,
    found: Offsets,
    matches: IdRows,
    count: Number,
) -> Number:
    """Append the matches of a stage of single words: for each reference word, the hypothesis words from the left.

    Returns the new number of matches, or a number below 0 if there is no room for them.
    """
    chain(ids, h, n1, True, row, offsets, keys, heads, links)
    for i in range(n1):
        seen[i] = NONE
    for j in range(n2):
        kind = row + ids[r + j]
        n = 0
        for entry in range(reference_offsets[kind], reference_offsets[kind + 1]):
            link = heads[reference_keys[entry]]
            while link != NONE:
                i = links[link, 0]
                if seen[i] != j:
                    seen[i] = j
                    if same_words or spellings[ids[h + i]] != spellings[ids[r + j]]:
                        found[n] = i
                        n += 1
                link = links[link, 1]
        if count + n > len(matches):
            count = NONE
            break
        _sort(found, n)
        for k in range(n):
            put(matches, count, p, stage, found[k], 1, j, 1)
            count += 1
    unchain(ids, h, n1, row, offsets, keys, heads)
    return count


@helper
def phrase_matches(
    p: Number,
    one: Number,
    other: Number,
    one_is_reference: Number,
    stage: Number,
    found: Offsets,
    starts: Ids,
    phrases: Ids,
    lengths: Ids,
    target_offsets: Offsets,
    targets: Ids,
    heads: Ids,
    links: IdRows,
    matches: IdRows,
    count: Number,
) -> Number:
    """Append the matches of the phrases in one text with their paraphrases in the other text, from the left.

    Returns what `word_matches` returns.
    """
    for k in range(found[other + 1] - 1, found[other] - 1, -1):
        link = k - found[other]
        links[link, 0], links[link, 1] = starts[k], heads[phrases[k]]
        heads[phrases[k]] = link
    for k in range(found[one], found[one + 1]):
        for entry in range(target_offsets[phrases[k]], target_offsets[phrases[k] + 1]):
            link = heads[targets[entry]]
            while link != NONE and 0 <= count < len(matches):
                start, length = int64(starts[k]), int64(lengths[phrases[k]])
                other_start, other_length = int64(links[link, 0]), int64(lengths[targets[entry]])
                if not one_is_reference:
                    start, length, other_start, other_length = other_start, other_length, start, length
                put(matches, count, p, stage, other_start, other_length, start, length)
                count += 1
                link = links[link, 1]
            if link != NONE:
                count = NONE
    for k in range(found[other], found[other + 1]):
        heads[phrases[k]] = NONE
    return count


@helper
def order_by_start(matches: IdRows, count: Number, n2: Number, first: Offsets, order: Offsets) -> None:
    """Let `order[first[j]:first[j + 1]]` be the matches that begin at word j of the reference, first found first."""
    first[: n2 + 1] = 0
    for m in range(count):
        first[matches[m, START]] += 1
    for j in range(n2):
        first[j + 1] += first[j]
    # `first[j]` is now the end of the matches of word j. The loop moves it to their beginning.
    for m in range(count - 1, -1, -1):
        j = matches[m, START]
        first[j] -= 1
        order[first[j]] = m


@helper
def settled(
    matches: IdRows,
    count: Number,
    n1: Number,
    n2: Number,
    first: Offsets,
    order: Offsets,
    covered: Offsets,
    other_covered: Offsets,
    chosen: Offsets,
) -> Number:
    """Choose the matches that share no word with another match. Returns whether these are all matches."""
    covered[:n2] = 0
    other_covered[:n1] = 0
    for m in range(count):
        for k in range(matches[m, OTHER_LENGTH]):
            other_covered[matches[m, OTHER_START] + k] += 1
        for k in range(matches[m, LENGTH]):
            covered[matches[m, START] + k] += 1
    left = count
    for j in range(n2):
        chosen[j] = NONE
        if first[j + 1] - first[j] == 1:
            m = order[first[j]]
            alone = True
            for k in range(matches[m, OTHER_LENGTH]):
                alone &= other_covered[matches[m, OTHER_START] + k] == 1
            for k in range(matches[m, LENGTH]):
                alone &= covered[matches[m, START] + k] == 1
            if alone:
                chosen[j] = m
                left -= 1
    return left == 0

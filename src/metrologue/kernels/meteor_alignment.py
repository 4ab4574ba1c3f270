"""Word alignments of METEOR and their counts: by the beam search of METEOR 1.5, or by nltk's greedy matching."""

from __future__ import annotations

import numpy as np
from numpy import int64

from metrologue.kernels.arrays import Flags, IdRows, Ids, Offsets, Rows, longest_text, row_lengths
from metrologue.kernels.meteor_matches import (
    LENGTH,
    NONE,
    OTHER_LENGTH,
    OTHER_START,
    PAIR,
    STAGE,
    START,
    chain,
    order_by_start,
    phrase_matches,
    put,
    settled,
    unchain,
    word_matches,
)
from metrologue.kernels.meteor_search import USED, search
from metrologue.kernels.words import greater
from metrologue.native import kernel

__all__ = ["align"]


@kernel
def _align_by_search(
    ids: Ids,
    offsets: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    n_stages: int,
    word_offsets: Offsets,
    keys: Ids,
    reference_offsets: Offsets,
    reference_keys: Ids,
    spellings: Ids,
    exact: int,
    paraphrase: int,
    found: Offsets,
    starts: Ids,
    phrases: Ids,
    lengths: Ids,
    target_offsets: Offsets,
    targets: Ids,
    by_paper: bool,
    heads: Ids,
    phrase_heads: Ids,
    links: IdRows,
    work: Rows,
    now: Rows,
    then: Rows,
    moves: IdRows,
    nodes: IdRows,
    matches: IdRows,
    order: Offsets,
    state: Offsets,
    kept: IdRows,
) -> bool:
    """Align pairs for as long as there is room for their possible matches. Returns whether there was too little room.

    `state` has the next pair and the number of kept matches. Invariant: between two chains all heads are -1.
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
                        count = phrase_matches(
                            p,
                            one,
                            other,
                            side == 0,
                            stage,
                            found,
                            starts,
                            phrases,
                            lengths,
                            target_offsets,
                            targets,
                            phrase_heads,
                            links,
                            matches,
                            count,
                        )
                    one, other = other, one
            elif count >= 0:
                count = word_matches(
                    ids,
                    p,
                    h,
                    n1,
                    r,
                    n2,
                    stage,
                    stage * len(spellings),
                    stage == exact,
                    spellings,
                    word_offsets,
                    keys,
                    reference_offsets,
                    reference_keys,
                    heads,
                    links,
                    seen,
                    sorted_words,
                    matches,
                    count,
                )
        if count < 0:
            state[0], state[1] = p, rows
            return True
        order_by_start(matches, count, n2, first, order)
        if not settled(matches, count, n1, n2, first, order, seen, sorted_words, chosen):
            search(matches, first, order, n1, n2, exact, by_paper, now, then, moves, nodes, chosen)
        for j in range(n2):
            if chosen[j] != NONE:
                for column in range(6):
                    kept[rows, column] = matches[chosen[j], column]
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
    word_offsets: Offsets,
    keys: Ids,
    reference_offsets: Offsets,
    reference_keys: Ids,
    heads: Ids,
    links: IdRows,
    work: Rows,
    free: Flags,
    kept: IdRows,
) -> int:
    """Match each free word of a hypothesis, from the right, with the last free word of the reference that can match it.

    Returns the number of matches. Invariant: a chain that was used begins with a free word of the reference, because no
    word becomes free again. Between two chains all heads are -1.
    """
    partners, stages = work[0], work[1]
    rows = 0
    for p in range(len(references)):
        h, r = offsets[hypotheses[p]], offsets[references[p]]
        n1, n2 = offsets[hypotheses[p] + 1] - h, offsets[references[p] + 1] - r
        free[:n1] = True
        partners[:n2] = NONE
        for stage in range(n_stages):
            row = stage * n_types
            chain(ids, r, n2, False, row, reference_offsets, reference_keys, heads, links)
            for i in range(n1 - 1, -1, -1):
                if not free[i]:
                    continue
                kind = row + ids[h + i]
                best = NONE
                for entry in range(word_offsets[kind], word_offsets[kind + 1]):
                    link = heads[keys[entry]]
                    while link != NONE and partners[links[link, 0]] != NONE:
                        link = links[link, 1]
                    heads[keys[entry]] = link
                    if link != NONE:
                        best = greater(best, int64(links[link, 0]))
                if best != NONE:
                    partners[best], stages[best] = i, stage
                    free[i] = False
            unchain(ids, r, n2, row, reference_offsets, reference_keys, heads)
        for j in range(n2):
            if partners[j] != NONE:
                put(kept, rows, p, stages[j], partners[j], 1, j, 1)
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
    word_offsets: Offsets,
    keys: Ids,
    reference_offsets: Offsets,
    reference_keys: Ids,
    spellings: Ids,
    n_keys: int,
    exact: int,
    paraphrase: int,
    found: Offsets,
    starts: Ids,
    phrases: Ids,
    lengths: Ids,
    target_offsets: Offsets,
    targets: Ids,
    function: Flags,
    sizes: Offsets,
    beam: int,
    by_paper: bool,
) -> tuple[Rows, IdRows]:
    """Align the text `hypotheses[p]` with the text `references[p]`, for each pair p.

    In stage s, type t of n_types has the keys from `word_offsets[s * n_types + t]` on as a word of the hypothesis, and
    the keys from `reference_offsets[s * n_types + t]` on as a word of the reference. All keys are below `n_keys`. Types
    with the same number in `spellings` are one word. A stage other than `exact` matches different words only.

    In the stage `paraphrase` phrases match. The phrases of text t are the entries `found[t]:found[t + 1]` of `phrases`
    and of `starts`, which counts from the text's first word. They are sorted from the left, the shorter first. Phrase i
    has `lengths[i]` words, and its paraphrases are those from `target_offsets[i]` on, in the order in which they are
    tried. `exact` or `paraphrase` is -1 if there is no such stage.

    With a beam of 0 the alignment is nltk's: each stage matches the words that are free, without paraphrases.
    Otherwise, equal texts are aligned by the first stage alone, as METEOR 1.5 does; see `search` for all others.

    Returns (counts, matches). The counts are (pairs, 8 + 4 * n_stages). Their columns are: the size of the hypothesis
    and of the reference, the size of the function words of each; then, for each stage, the matched size of content
    words in the hypothesis, of content words in the reference, of function words in the hypothesis and of function
    words in the reference; then the chunks, whether everything is matched in one chunk, and the matched words of the
    hypothesis and of the reference. The matches are sorted by pair and reference word. Their columns are: pair, stage,
    start and length in the hypothesis, start and length in the reference.
    """
    texts = ids, offsets, hypotheses, references, n_stages
    tables = word_offsets, keys, reference_offsets, reference_keys
    longest = longest_text(ids, offsets)
    most_keys = max(longest_text(keys, word_offsets), longest_text(reference_keys, reference_offsets))
    most_links = max(longest * most_keys, longest_text(starts, found))
    heads = np.full(n_keys, NONE, np.int32)
    # The system gives memory only when it is first touched, so the bounds may be generous.
    links, work = np.empty((most_links, 2), np.int32), np.empty((4, longest + 1), np.int64)
    most = len(ids) if len(references) == 1 else row_lengths(offsets)[references].sum()
    kept = np.empty((most, 6), np.int32)
    if beam == 0:
        free = np.empty(longest, np.bool_)
        rows = _align_greedily(*texts, len(spellings), *tables, heads, links, work, free, kept)
    else:
        phrase_heads = np.full(len(lengths), NONE, np.int32)
        now, then = np.empty((2, beam, USED + (longest + 63 >> 6)), np.int64)
        moves, nodes = np.empty((beam, 2), np.int32), np.empty((beam * longest, 2), np.int32)
        state = np.zeros(2, np.int64)
        # The possible matches can be too many to have room for their greatest number, so the room starts small.
        room = longest
        while _align_by_search(
            *texts,
            *tables,
            spellings,
            exact,
            paraphrase,
            found,
            starts,
            phrases,
            lengths,
            target_offsets,
            targets,
            by_paper,
            heads,
            phrase_heads,
            links,
            work,
            now,
            then,
            moves,
            nodes,
            np.empty((room, 6), np.int32),
            np.empty(room, np.int64),
            state,
            kept,
        ):
            room *= 2
        rows = int(state[1])
    counts = np.zeros((len(references), 8 + 4 * n_stages), np.int64)
    _count(*texts, function, sizes, kept[:rows], counts)
    return counts, kept[:rows]

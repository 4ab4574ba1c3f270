"""Common subsequences: their length, the positions of their tokens, and their weight.

A text is a sequence of sentences, and a sentence is a sequence of tokens. Text t has the sentences `texts[t]` to
`texts[t + 1]`. Sentence s is `ids[sentences[s]:sentences[s + 1]]`.
"""

from __future__ import annotations

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import Bytes, Floats, Ids, Number, Offsets, Rows, Words, longest_row, longest_text
from metrologue.kernels.words import lesser, trailing_zeros
from metrologue.native import helper, kernel

__all__ = ["lcs_lengths", "union_hits", "union_lcs", "weighted_lcs"]


@helper
def _lcs_word(
    ids: Ids, column: Number, columns: Number, row: Number, positions: Words, carries: Words, vectors: Words
) -> None:
    """Take up to 64 columns through all rows. `vectors[i]` is their bit vector after row i.

    Invariant (Hyyrö 2004): bit j is 0 if the LCS of the rows so far with the columns up to j is longer than their LCS
    with the columns before j. `carries[i]` is 1 if row i made the LCS with all columns so far longer.
    """
    for j in range(columns):
        positions[ids[column + j]] |= uint64(1) << uint64(j)
    word = ~uint64(0)
    for i in range(len(vectors)):
        matched = word & positions[ids[row + i]]
        total = word + matched
        carried = total + carries[i]
        carries[i] = uint64((total < word) | (carried < total))
        word = carried | (word ^ matched)
        vectors[i] = word
    for j in range(columns):
        positions[ids[column + j]] = 0


@helper
def _lcs_moves(
    ids: Ids,
    column: Number,
    columns: Number,
    row: Number,
    rows: Number,
    positions: Words,
    words: Number,
    moves: Words,
    carries: Words,
) -> Number:
    """Write the bit vectors of all columns into `moves`, 64 columns after 64 columns. Returns the length of the LCS.

    If a bit is 1, the LCS is as long without its column. `moves` has room for this many `words` of 64 columns; when it
    is full, the first ones are overwritten.
    """
    carries[:rows] = 0
    for first in range(0, columns, 64):
        begin = (first >> 6) % words * rows
        vectors = moves[begin : begin + rows]
        _lcs_word(ids, column + first, lesser(columns - first, 64), row, positions, carries, vectors)
    length = int64(0)
    for i in range(rows):
        length += int64(carries[i])
    return length


@helper
def _weighted_word(
    ids: Ids,
    column: Number,
    columns: Number,
    row: Number,
    positions: Words,
    edge: Floats,
    edge_runs: Offsets,
    powers: Floats,
    vectors: Words,
    values: NDArray[np.float64],
    runs: Offsets,
) -> None:
    """Take up to 64 columns through all rows by the weighted LCS of the ROUGE paper; `vectors` as in `_lcs_word`.

    Invariant: `values[j]` is the weight of the rows so far with the columns up to j. Bit j of `level` says that it is
    not more than `values[j - 1]`, and bit j of `falls` that it is less. It can be less because tokens that match are
    always taken, even where that is not the best. Where no tokens match, a weight is the greater of the weights to the
    left and above. So a row changes values only from a match or a fall on, up to the first weight above that is as
    great. A fall in the column before these counts as well.

    On entry, `edge` has the weight of the column before these in each row, and `edge_runs` the length of the run of
    matches that ends there. In the end they have those of the last column. `values` (64,) and `runs` (2, 65) are room
    to work in.
    """
    for k in range(columns):
        positions[ids[column + k]] |= uint64(1) << uint64(k)
        values[k] = 0
    runs[0, 0] = 0
    level, falls = ~uint64(0), uint64(0)
    behind, edge_above = uint64(1), 0.0  # bit j of `behind`: `runs[i & 1, j]` ends in the row above, left of column j
    for i in range(len(vectors)):
        matched = positions[ids[row + i]]
        starts = matched | falls | uint64(edge[i] != edge_above)
        falls = uint64(0)
        while starts:
            j: Number = int64(trailing_zeros(starts))
            left, diagonal = (values[j - 1], values[j - 1]) if j else (edge[i], edge_above)
            while j < columns:
                bit, above = uint64(1) << uint64(j), values[j]
                if matched & bit:
                    run = runs[i & 1, j] if behind & bit else 0
                    runs[(i + 1) & 1, j + 1] = run + 1
                    value = diagonal + powers[run + 1] - powers[run]
                    level = level & ~bit | uint64(left >= value) << uint64(j)
                    falls |= uint64(left > value) << uint64(j)
                    left = value
                elif above >= left:
                    level = level & ~bit | uint64(left == above) << uint64(j)
                    break
                else:
                    level |= bit
                values[j] = left
                diagonal = above
                j += 1
            # Done up to column j. After the last of 64 columns, a shift by 64 would be undefined.
            starts &= ~uint64(0) << uint64(j) << uint64(1) if j < columns else uint64(0)
        runs[(i + 1) & 1, 0], edge_above = edge_runs[i], edge[i]
        behind = matched << uint64(1) | uint64(1)
        edge[i] = values[columns - 1]
        edge_runs[i] = runs[(i + 1) & 1, columns] if matched >> uint64(columns - 1) & uint64(1) else 0
        vectors[i] = level
    for k in range(columns):
        positions[ids[column + k]] = 0


@helper
def _weighted_moves(
    ids: Ids,
    column: Number,
    columns: Number,
    row: Number,
    rows: Number,
    positions: Words,
    words: Number,
    moves: Words,
    powers: Floats,
    edge: Floats,
    edge_runs: Offsets,
    values: Floats,
    runs: Rows,
) -> Number:
    """Do what `_lcs_moves` does, by the weighted LCS. Returns its weight."""
    edge[:rows] = 0
    edge_runs[:rows] = 0
    for first in range(0, columns, 64):
        begin = (first >> 6) % words * rows
        _weighted_word(
            ids,
            column + first,
            lesser(columns - first, 64),
            row,
            positions,
            edge,
            edge_runs,
            powers,
            moves[begin : begin + rows],
            values,
            runs,
        )
    return edge[rows - 1] if rows else 0.0


@helper
def _mark(
    ids: Ids,
    column: Number,
    columns: Number,
    row: Number,
    rows: Number,
    moves: Words,
    mark_rows: Number,
    marked: Bytes,
) -> None:
    """Walk back through the moves and mark the tokens that match, in the rows or in the columns."""
    i, j = rows - 1, columns - 1
    while i >= 0 and j >= 0:
        if ids[row + i] == ids[column + j]:
            marked[i if mark_rows else j] = 1
            i -= 1
            j -= 1
        elif moves[(j >> 6) * rows + i] >> uint64(j & 63) & uint64(1):
            j -= 1
        else:
            i -= 1


def _room(longest: int, weight: float) -> tuple[Floats, Floats, Offsets, Floats, Rows]:
    """The powers of all lengths of runs, and the arrays of `_weighted_moves`, for texts of up to `longest` tokens."""
    # The mirrored libraries use C's power, as Python does. NumPy's can differ in the last bit, which can break a tie.
    powers = np.array([float(k) ** weight for k in range(longest + 2)])
    return powers, np.empty(longest), np.empty(longest, np.int64), np.empty(64), np.empty((2, 65), np.int64)


@kernel
def _lcs_lengths(
    ids: Ids,
    offsets: Offsets,
    left: Offsets,
    right: Offsets,
    positions: Words,
    moves: Words,
    carries: Words,
    lengths: Floats,
) -> None:
    for p in range(len(left)):
        column, columns = offsets[left[p]], offsets[left[p] + 1] - offsets[left[p]]
        row, rows = offsets[right[p]], offsets[right[p] + 1] - offsets[right[p]]
        lengths[p] = _lcs_moves(ids, column, columns, row, rows, positions, 1, moves, carries)


def lcs_lengths(ids: Ids, offsets: Offsets, left: Offsets, right: Offsets, vocabulary: int) -> Floats:
    """Length of the longest common subsequence of the texts `left[p]` and `right[p]`: (pairs,).

    Text t is `ids[offsets[t]:offsets[t + 1]]`. The algorithm is bit-parallel at any length. A pair of n and m tokens
    takes n * m / 64 steps, and memory for m.
    """
    lengths, longest = np.empty(len(left)), longest_text(ids, offsets)
    moves, carries = np.empty(longest, np.uint64), np.empty(longest, np.uint64)
    _lcs_lengths(ids, offsets, left, right, np.zeros(vocabulary, np.uint64), moves, carries, lengths)
    return lengths


@kernel
def _weighted_lcs(
    ids: Ids,
    offsets: Offsets,
    left: Offsets,
    right: Offsets,
    positions: Words,
    moves: Words,
    powers: Floats,
    edge: Floats,
    edge_runs: Offsets,
    work: Floats,
    runs: Rows,
    values: Floats,
) -> None:
    for p in range(len(left)):
        column, columns = offsets[left[p]], offsets[left[p] + 1] - offsets[left[p]]
        row, rows = offsets[right[p]], offsets[right[p] + 1] - offsets[right[p]]
        values[p] = _weighted_moves(
            ids, column, columns, row, rows, positions, 1, moves, powers, edge, edge_runs, work, runs
        )


def weighted_lcs(
    ids: Ids, offsets: Offsets, left: Offsets, right: Offsets, vocabulary: int, weight: float
) -> NDArray[np.float64]:
    """Weighted LCS of the texts `left[p]` and `right[p]`, where a run of k matches is worth k ** weight: (pairs,).

    Text t is `ids[offsets[t]:offsets[t + 1]]`. The definition is in Lin 2004, section 3.3,
    https://aclanthology.org/W04-1013.
    """
    values = np.zeros(len(left))
    longest = longest_row(offsets)
    positions, moves = np.zeros(vocabulary, np.uint64), np.empty(longest, np.uint64)
    _weighted_lcs(ids, offsets, left, right, positions, moves, *_room(longest, weight), values)
    return values


@kernel
def _longest_moves(
    sentences: Offsets, texts: Offsets, hypotheses: Offsets, references: Offsets, keep_reference: bool
) -> int:
    """The greatest number of words that the moves of two sentences take."""
    most: Number = int64(0)
    for p in range(len(references)):
        h, r = hypotheses[p], references[p]
        for theirs in range(texts[r], texts[r + 1]):
            for ours in range(texts[h], texts[h + 1]):
                n, m = sentences[ours + 1] - sentences[ours], sentences[theirs + 1] - sentences[theirs]
                size = ((n + 63) >> 6) * m if keep_reference else ((m + 63) >> 6) * n
                if size > most:
                    most = size
    return most


@kernel
def _union_lcs(
    ids: Ids,
    sentences: Offsets,
    texts: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    weighted: bool,
    keep_reference: bool,
    positions: Words,
    moves: Words,
    carries: Words,
    powers: Floats,
    edge: Floats,
    edge_runs: Offsets,
    work: Floats,
    runs: Rows,
    marked: Bytes,
) -> None:
    begin = int64(0)
    for p in range(len(references)):
        h, r = hypotheses[p], references[p]
        for theirs in range(texts[r], texts[r + 1]):
            length = sentences[theirs + 1] - sentences[theirs]
            for ours in range(texts[h], texts[h + 1]):
                across, down = (ours, theirs) if keep_reference else (theirs, ours)
                column, columns = sentences[across], sentences[across + 1] - sentences[across]
                row, rows = sentences[down], sentences[down + 1] - sentences[down]
                words = (columns + 63) >> 6
                if weighted:
                    _weighted_moves(
                        ids, column, columns, row, rows, positions, words, moves, powers, edge, edge_runs, work, runs
                    )
                else:
                    _lcs_moves(ids, column, columns, row, rows, positions, words, moves, carries)
                _mark(ids, column, columns, row, rows, moves, keep_reference, marked[begin : begin + length])
            begin += length


def union_lcs(
    ids: Ids,
    sentences: Offsets,
    texts: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    vocabulary: int,
    weight: float,
    keep_reference: bool,
) -> Bytes:
    """Which tokens of the references are in an LCS of their sentence with some sentence of the hypothesis.

    Pairs of texts are `hypotheses[p]` and `references[p]`. The result has a byte, 0 or 1, for each token of the
    references, pair after pair. A `weight` above 1 asks for the weighted LCS.

    There can be several LCS of one length. Where either token could be dropped, ROUGE-1.5.5, rouge_score, PyRouge and
    torchmetrics drop the reference's token. `rouge` drops the hypothesis' token: `keep_reference`. If both sides are
    swapped and `keep_reference` is negated, the same LCS is marked in the hypotheses.

    A bit of the moves says whether its column can be dropped, so the side that is dropped first is in the columns. The
    moves take n * m / 8 bytes for sentences of n and m tokens.
    """
    lengths = sentences[texts[1:]] - sentences[texts[:-1]]
    marked = np.zeros(int(lengths[references].sum()), np.uint8)
    longest = longest_row(sentences)
    size = _longest_moves(sentences, texts, hypotheses, references, keep_reference)
    moves, carries = np.empty(size, np.uint64), np.empty(longest, np.uint64)
    _union_lcs(
        ids,
        sentences,
        texts,
        hypotheses,
        references,
        weight != 1.0,
        keep_reference,
        np.zeros(vocabulary, np.uint64),
        moves,
        carries,
        *_room(longest, weight),
        marked,
    )
    return marked


@helper
def _fill(bag: Ids, bags: Ids, begin: Number, end: Number, once: Number) -> None:
    """Count the unigrams of a text into an empty bag."""
    for i in range(begin, end):
        bag[bags[i]] = 1 if once else bag[bags[i]] + 1


@helper
def _empty(bag: Ids, bags: Ids, begin: Number, end: Number) -> None:
    for i in range(begin, end):
        bag[bags[i]] = 0


@kernel
def _union_hits(
    ids: Ids,
    sentences: Offsets,
    texts: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    marked: Bytes,
    bags: Ids,
    bag_offsets: Offsets,
    once: bool,
    powers: Floats,
    ours: Ids,
    theirs: Ids,
    hits: Offsets,
    values: Floats,
) -> None:
    begin = int64(0)
    for p in range(len(references)):
        h, r = hypotheses[p], references[p]
        _fill(ours, bags, bag_offsets[h], bag_offsets[h + 1], once)
        _fill(theirs, bags, bag_offsets[r], bag_offsets[r + 1], once)
        for sentence in range(texts[r], texts[r + 1]):
            start, length = sentences[sentence], sentences[sentence + 1] - sentences[sentence]
            run = 0
            for i in range(length):
                token = ids[start + i]
                if marked[begin + i] and ours[token] > 0 and theirs[token] > 0:
                    ours[token] -= 1
                    theirs[token] -= 1
                    hits[p] += 1
                    run += 1
                    if i + 1 == length or not marked[begin + i + 1]:
                        values[p] += powers[run]
                        run = 0
            begin += length
        _empty(ours, bags, bag_offsets[h], bag_offsets[h + 1])
        _empty(theirs, bags, bag_offsets[r], bag_offsets[r + 1])


def union_hits(
    ids: Ids,
    sentences: Offsets,
    texts: Offsets,
    hypotheses: Offsets,
    references: Offsets,
    marked: Bytes,
    bags: Ids,
    bag_offsets: Offsets,
    vocabulary: int,
    weight: float,
    once: bool,
) -> tuple[Offsets, NDArray[np.float64]]:
    """Hits among the `marked` tokens of `union_lcs`, and the weight of their runs, by ROUGE-1.5.5: (pairs,) each.

    A marked token is a hit if both texts still have an unused unigram of its type. The unigrams of text t are
    `bags[bag_offsets[t]:bag_offsets[t + 1]]`, in general its own tokens. With `once`, each type is a hit only once, as
    in `rouge`.

    The weight of a run of k hits is k ** weight. In ROUGE-1.5.5 a run ends at a hit if the next token of the sentence
    is not marked. A token that is marked but not a hit does not end a run. A run that is open at the end of a sentence
    is lost.

    Invariant: `ours` and `theirs` are the numbers of unused unigrams of each type in the hypothesis and the reference.
    """
    hits, values = np.zeros(len(references), np.int64), np.zeros(len(references))
    powers = _room(longest_row(sentences), weight)[0]
    ours, theirs = np.zeros((2, vocabulary), np.int32)
    _union_hits(
        ids,
        sentences,
        texts,
        hypotheses,
        references,
        marked,
        bags,
        bag_offsets,
        once,
        powers,
        ours,
        theirs,
        hits,
        values,
    )
    return hits, values

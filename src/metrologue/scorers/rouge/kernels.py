"""Common subsequences: their length, the positions of their tokens, and their weight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from metrologue.kernels.arrays import (
    Bytes,
    FloatRows,
    Floats,
    Ids,
    Number,
    Offsets,
    Rows,
    Words,
    longest_row,
    longest_text,
)
from metrologue.kernels.pairs import Pairs, places
from metrologue.kernels.words import greater, lesser, trailing_zeros
from metrologue.native import helper, kernel

__all__ = [
    "Sentences",
    "counts_by_length",
    "counts_of_pairs",
    "lcs_lengths",
    "measures_of",
    "put_f_measures",
    "skip_bigram_counts",
    "skip_bigram_matches",
    "union_hits",
    "union_lcs",
    "weighted_lcs",
]


class _Room(NamedTuple):
    """The powers of all lengths of runs, and the other arrays of `_weighted_moves`."""

    powers: Floats
    edge: Floats
    edge_runs: Offsets
    work: Floats
    runs: Rows

    @classmethod
    def of(cls, longest: int, weight: float) -> _Room:
        """Room for texts of up to `longest` tokens."""
        edge, edge_runs = np.empty(longest), np.empty(longest, np.int64)
        return cls(_powers(longest, weight), edge, edge_runs, np.empty(64), np.empty((2, 65), np.int64))


def _powers(longest: int, weight: float) -> Floats:
    # The mirrored libraries use C's power, as Python does. NumPy's can differ in the last bit, which can break a tie.
    return np.array([float(k) ** weight for k in range(longest + 2)])


class _Bits(NamedTuple):
    """The columns of each type, and the bit vectors and carries of rows: see `_lcs_word`."""

    positions: Words
    moves: Words
    carries: Words


class Sentences(NamedTuple):
    """``Pairs`` of texts that are sequences of sentences.

    Text t has the sentences ``texts[t]:texts[t + 1]``, and sentence s is ``ids[sentences[s]:sentences[s + 1]]``.
    """

    ids: Ids
    sentences: Offsets
    texts: Offsets
    hypotheses: Offsets
    references: Offsets


class _Bags(NamedTuple):
    """The unigrams of texts, and how many of each type both texts of a pair have that are not used yet."""

    unigrams: Ids
    offsets: Offsets
    own: Ids
    its: Ids


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
    ids: Ids, column: Number, columns: Number, row: Number, rows: Number, bits: _Bits, words: Number
) -> Number:
    """Write the bit vectors of all columns into `moves`, 64 columns after 64 columns. Returns the length of the LCS.

    If a bit is 1, the LCS is as long without its column. `moves` has room for this many `words` of 64 columns; when it
    is full, the first ones are overwritten.
    """
    bits.carries[:rows] = 0
    for first in range(0, columns, 64):
        begin = (first >> 6) % words * rows
        vectors = bits.moves[begin : begin + rows]
        _lcs_word(ids, column + first, lesser(columns - first, 64), row, bits.positions, bits.carries, vectors)
    length = int64(0)
    for i in range(rows):
        length += int64(bits.carries[i])
    return length


@helper
def _weighted_word(
    ids: Ids, column: Number, columns: Number, row: Number, positions: Words, room: _Room, vectors: Words
) -> None:
    """Take up to 64 columns through all rows by the weighted LCS of the ROUGE paper; `vectors` as in `_lcs_word`.

    Invariant: `work[j]` is the weight of the rows so far with the columns up to j. Bit j of `level` says that it is
    not more than `work[j - 1]`, and bit j of `falls` that it is less. It can be less because tokens that match are
    always taken, even where that is not the best. Where no tokens match, a weight is the greater of the weights to the
    left and above. So a row changes work only from a match or a fall on, up to the first weight above that is as
    great. A fall in the column before these counts as well.

    On entry, `edge` has the weight of the column before these in each row, and `edge_runs` the length of the run of
    matches that ends there. In the end they have those of the last column. `work` (64,) and `runs` (2, 65) are room
    to work in.
    """
    for k in range(columns):
        positions[ids[column + k]] |= uint64(1) << uint64(k)
        room.work[k] = 0
    room.runs[0, 0] = 0
    level, falls = ~uint64(0), uint64(0)
    behind, edge_above = uint64(1), 0.0  # bit j of `behind`: `runs[i & 1, j]` ends in the row above, left of column j
    for i in range(len(vectors)):
        matched = positions[ids[row + i]]
        starts = matched | falls | uint64(room.edge[i] != edge_above)
        falls = uint64(0)
        while starts:
            j: Number = int64(trailing_zeros(starts))
            left, diagonal = (room.work[j - 1], room.work[j - 1]) if j else (room.edge[i], edge_above)
            while j < columns:
                bit, above = uint64(1) << uint64(j), room.work[j]
                if matched & bit:
                    run = room.runs[i & 1, j] if behind & bit else 0
                    room.runs[(i + 1) & 1, j + 1] = run + 1
                    value = diagonal + room.powers[run + 1] - room.powers[run]
                    level = level & ~bit | uint64(left >= value) << uint64(j)
                    falls |= uint64(left > value) << uint64(j)
                    left = value
                elif above >= left:
                    level = level & ~bit | uint64(left == above) << uint64(j)
                    break
                else:
                    level |= bit
                room.work[j] = left
                diagonal = above
                j += 1
            # Done up to column j. After the last of 64 columns, a shift by 64 would be undefined.
            starts &= ~uint64(0) << uint64(j) << uint64(1) if j < columns else uint64(0)
        room.runs[(i + 1) & 1, 0], edge_above = room.edge_runs[i], room.edge[i]
        behind = matched << uint64(1) | uint64(1)
        room.edge[i] = room.work[columns - 1]
        room.edge_runs[i] = room.runs[(i + 1) & 1, columns] if matched >> uint64(columns - 1) & uint64(1) else 0
        vectors[i] = level
    for k in range(columns):
        positions[ids[column + k]] = 0


@helper
def _weighted_moves(
    ids: Ids, column: Number, columns: Number, row: Number, rows: Number, bits: _Bits, words: Number, room: _Room
) -> Number:
    """Do what `_lcs_moves` does, by the weighted LCS. Returns its weight."""
    room.edge[:rows] = 0
    room.edge_runs[:rows] = 0
    for first in range(0, columns, 64):
        begin = (first >> 6) % words * rows
        _weighted_word(
            ids,
            column + first,
            lesser(columns - first, 64),
            row,
            bits.positions,
            room,
            bits.moves[begin : begin + rows],
        )
    return room.edge[rows - 1] if rows else 0.0


@helper
def _mark(
    ids: Ids, column: Number, columns: Number, row: Number, rows: Number, moves: Words, mark_rows: Number, marked: Bytes
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


@kernel
def _lcs_lengths(texts: Pairs, bits: _Bits, lengths: Floats) -> None:
    for p in range(len(lengths)):
        column, columns, row, rows = places(texts, p)
        lengths[p] = _lcs_moves(texts.ids, column, columns, row, rows, bits, 1)


def lcs_lengths(texts: Pairs, vocabulary: int) -> Floats:
    """Length of the longest common subsequence of each pair of texts: (pairs,).

    The algorithm is bit-parallel at any length. A pair of n and m tokens takes n * m / 64 steps, and memory for m.
    """
    lengths, longest = np.empty(len(texts.hypotheses)), longest_text(texts.ids, texts.offsets)
    bits = _Bits(np.zeros(vocabulary, np.uint64), *np.empty((2, longest), np.uint64))
    _lcs_lengths(*texts, *bits, lengths)
    return lengths


@kernel
def _weighted_lcs(texts: Pairs, bits: _Bits, room: _Room, values: Floats) -> None:
    for p in range(len(values)):
        column, columns, row, rows = places(texts, p)
        values[p] = _weighted_moves(texts.ids, column, columns, row, rows, bits, 1, room)


def weighted_lcs(texts: Pairs, vocabulary: int, weight: float) -> NDArray[np.float64]:
    """Weighted LCS of each pair of texts, where a run of k matches is worth k ** weight: (pairs,).

    The definition is in Lin 2004, section 3.3, https://aclanthology.org/W04-1013.
    """
    values = np.zeros(len(texts.hypotheses))
    longest = longest_row(texts.offsets)
    bits = _Bits(np.zeros(vocabulary, np.uint64), *np.empty((2, longest), np.uint64))
    _weighted_lcs(*texts, *bits, *_Room.of(longest, weight), values)
    return values


@kernel
def _longest_moves(written: Sentences, keep_reference: bool) -> int:
    """The greatest number of words that the moves of two sentences take."""
    _, sentences, texts, hypotheses, references = written
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
    written: Sentences, weighted: bool, keep_reference: bool, bits: _Bits, room: _Room, marked: Bytes
) -> None:
    begin = int64(0)
    for p in range(len(written.references)):
        h, r = written.hypotheses[p], written.references[p]
        for theirs in range(written.texts[r], written.texts[r + 1]):
            length = written.sentences[theirs + 1] - written.sentences[theirs]
            for ours in range(written.texts[h], written.texts[h + 1]):
                across, down = (ours, theirs) if keep_reference else (theirs, ours)
                column, columns = written.sentences[across], written.sentences[across + 1] - written.sentences[across]
                row, rows = written.sentences[down], written.sentences[down + 1] - written.sentences[down]
                words = (columns + 63) >> 6
                if weighted:
                    _weighted_moves(written.ids, column, columns, row, rows, bits, words, room)
                else:
                    _lcs_moves(written.ids, column, columns, row, rows, bits, words)
                _mark(
                    written.ids, column, columns, row, rows, bits.moves, keep_reference, marked[begin : begin + length]
                )
            begin += length


def union_lcs(written: Sentences, vocabulary: int, weight: float, keep_reference: bool) -> Bytes:
    """Which tokens of the references are in an LCS of their sentence with some sentence of the hypothesis.

    The result has a byte, 0 or 1, for each token of the references, pair after pair. A `weight` above 1 asks for the
    weighted LCS.

    There can be several LCS of one length. Where either token could be dropped, ROUGE-1.5.5, rouge_score, PyRouge and
    torchmetrics drop the reference's token. `rouge` drops the hypothesis' token: `keep_reference`. If both sides are
    swapped and `keep_reference` is negated, the same LCS is marked in the hypotheses.

    A bit of the moves says whether its column can be dropped, so the side that is dropped first is in the columns. The
    moves take n * m / 8 bytes for sentences of n and m tokens.
    """
    lengths = np.diff(written.sentences[written.texts])
    marked = np.zeros(int(lengths[written.references].sum()), np.uint8)
    longest, size = longest_row(written.sentences), _longest_moves(*written, keep_reference)
    bits = _Bits(np.zeros(vocabulary, np.uint64), np.empty(size, np.uint64), np.empty(longest, np.uint64))
    room = _Room.of(longest, weight)
    _union_lcs(*written, weight != 1.0, keep_reference, *bits, *room, marked)
    return marked


@helper
def _fill(bags: _Bags, text: Number, bag: Ids, once: Number) -> None:
    """Count the unigrams of a text into an empty bag."""
    for i in range(bags.offsets[text], bags.offsets[text + 1]):
        bag[bags.unigrams[i]] = 1 if once else bag[bags.unigrams[i]] + 1


@helper
def _empty(bags: _Bags, text: Number, bag: Ids) -> None:
    for i in range(bags.offsets[text], bags.offsets[text + 1]):
        bag[bags.unigrams[i]] = 0


@kernel
def _union_hits(
    written: Sentences, marked: Bytes, bags: _Bags, once: bool, powers: Floats, hits: Offsets, values: Floats
) -> None:
    begin = int64(0)
    for p in range(len(hits)):
        h, r = written.hypotheses[p], written.references[p]
        _fill(bags, h, bags.own, once)
        _fill(bags, r, bags.its, once)
        for sentence in range(written.texts[r], written.texts[r + 1]):
            start, length = written.sentences[sentence], written.sentences[sentence + 1] - written.sentences[sentence]
            run = 0
            for i in range(length):
                token = written.ids[start + i]
                if marked[begin + i] and bags.own[token] > 0 and bags.its[token] > 0:
                    bags.own[token] -= 1
                    bags.its[token] -= 1
                    hits[p] += 1
                    run += 1
                    if i + 1 == length or not marked[begin + i + 1]:
                        values[p] += powers[run]
                        run = 0
            begin += length
        _empty(bags, h, bags.own)
        _empty(bags, r, bags.its)


def union_hits(
    written: Sentences, marked: Bytes, unigrams: Ids, offsets: Offsets, vocabulary: int, weight: float, once: bool
) -> tuple[Offsets, NDArray[np.float64]]:
    """Hits among the `marked` tokens of `union_lcs`, and the weight of their runs, by ROUGE-1.5.5: (pairs,) each.

    A marked token is a hit if both texts still have an unused unigram of its type. The unigrams of text t are
    `unigrams[offsets[t]:offsets[t + 1]]`, in general its own tokens. With `once`, each type is a hit only once, as
    in `rouge`.

    The weight of a run of k hits is k ** weight. In ROUGE-1.5.5 a run ends at a hit if the next token of the sentence
    is not marked. A token that is marked but not a hit does not end a run. A run that is open at the end of a sentence
    is lost.
    """
    pairs = len(written.references)
    hits, values = np.zeros(pairs, np.int64), np.zeros(pairs)
    powers = _powers(longest_row(written.sentences), weight)
    bags = _Bags(unigrams, offsets, *np.zeros((2, vocabulary), np.int32))
    _union_hits(*written, marked, *bags, once, powers, hits, values)
    return hits, values


def skip_bigram_counts(lengths: NDArray[np.int64], gap: int) -> NDArray[np.int64]:
    """The number of skip-bigrams in texts of these lengths.

    Parameters
    ----------
    lengths : int64 (n,)
        The number of tokens of each text.
    gap : int
        The greatest number of tokens between the two. Below 0, there is no limit.

    Returns
    -------
    int64 (n,)

    Examples
    --------
    >>> skip_bigram_counts(np.array([0, 1, 4, 4]), 0), skip_bigram_counts(np.array([4, 5]), -1)
    (array([0, 0, 3, 3]), array([ 6, 10]))
    """
    reach = np.maximum(lengths - 1, 0)
    if gap >= 0:
        reach = np.minimum(reach, gap + 1)
    counts: NDArray[np.int64] = reach * lengths - reach * (reach + 1) // 2
    return counts


class _Skips(NamedTuple):
    heads: Ids
    following: Ids
    reference_heads: Ids
    reference_following: Ids
    left: Offsets
    positions: Words
    own: Words
    open_after: Words

    @classmethod
    def of(cls, longest: int, vocabulary: int) -> _Skips:
        """Room for texts of up to `longest` tokens."""
        # Four bytes each, so that the tables of a large vocabulary fit into the processor's cache.
        heads, reference_heads = np.zeros((2, vocabulary), np.int32)
        following, reference_following = np.empty((2, longest), np.int32)
        left = np.zeros(vocabulary, np.int64)  # 64 bits: a token that occurs n times makes n (n - 1) / 2 skip-bigrams
        words = np.zeros(vocabulary, np.uint64), np.empty(longest, np.uint64), np.empty(64, np.uint64)
        return cls(heads, following, reference_heads, reference_following, left, *words)


@helper
def _list(ids: Ids, start: Number, stop: Number, heads: Ids, following: Ids) -> None:
    """Link the positions of each type: `heads` has 1 + the first, `following` 1 + the next, and 0 ends a list."""
    for i in range(stop - start - 1, -1, -1):
        token = ids[start + i]
        following[i] = heads[token]
        heads[token] = i + 1


@helper
def _shared(texts: Pairs, p: Number, reach: Number, leading: Offsets, room: _Skips) -> Number:
    """The number of skip-bigrams that a text shares with a reference.

    Invariant: all skip-bigrams that begin with one type are handled together. So `left` needs one number for each type:
    how many of the reference's skip-bigrams that end with it are not matched yet.
    """
    ids, own_leading, its_leading = texts.ids, leading[texts.hypotheses[p]], leading[texts.references[p]]
    start, length, reference, its_length = places(texts, p)
    stop, end = start + length, reference + its_length
    matches = 0
    _list(ids, start, stop, room.heads, room.following)
    _list(ids, reference, end, room.reference_heads, room.reference_following)
    for i in range(start, stop):
        first = ids[i]
        k = room.reference_heads[first]
        if k == 0 or room.heads[first] != i - start + 1:  # handled at the first token of the type
            continue
        alone = 0
        while k:
            alone += k <= its_leading
            for j in range(reference + k, lesser(reference + k + reach, end)):
                room.left[ids[j]] += 1
            k = room.reference_following[k - 1]
        k = room.heads[first]
        while k:
            if alone > 0 and k <= own_leading:
                alone -= 1
                matches += 1
            for j in range(start + k, lesser(start + k + reach, stop)):
                # No branch: the processor would often guess wrong whether a token matches.
                match = room.left[ids[j]] > 0
                room.left[ids[j]] -= match
                matches += match
            k = room.following[k - 1]
        k = room.reference_heads[first]
        while k:
            for j in range(reference + k, lesser(reference + k + reach, end)):
                room.left[ids[j]] = 0
            k = room.reference_following[k - 1]
    for i in range(start, stop):
        room.heads[ids[i]] = 0
    for i in range(reference, end):
        room.reference_heads[ids[i]] = 0
    return matches


@helper
def _shared_with_64(texts: Pairs, p: Number, reach: Number, leading: Offsets, room: _Skips) -> Number:
    """The number of skip-bigrams that a text shares with a reference of up to 64 tokens.

    The reference's positions are the bits of a word. Invariant: bit q of `open_after[k]` says that the reference's
    tokens k and q are a skip-bigram that is not matched yet. Bit q of `alone` says that token q is a unigram that is
    not matched yet. Among equal ones, it does not matter which is matched.
    """
    ids, own_leading, its_leading = texts.ids, leading[texts.hypotheses[p]], leading[texts.references[p]]
    start, length, reference, n = places(texts, p)
    alone, one = uint64(0), uint64(1)
    for k in range(n):
        room.positions[ids[reference + k]] |= one << uint64(k)
        alone |= uint64(k < its_leading) << uint64(k)
        last = lesser(k + reach, n - 1)
        room.open_after[k] = (one << uint64(last) << one) - (one << uint64(k) << one)
    # No branch depends on whether a token matches: the processor would often guess wrong.
    count = 0
    for i in range(length):
        room.own[i] = room.positions[ids[start + i]]
        room.following[count] = i
        count += room.own[i] != 0
    matches = 0
    for c in range(count):
        i = room.following[c]
        first = room.own[i]
        match = alone & first & (uint64(0) - uint64(i < own_leading))
        alone &= ~(match & -match)
        matches += match != 0
        within = lesser(i + 1 + reach, length)
        if not first & (first - one):  # the reference has the type once: nearly always so
            k = trailing_zeros(first)
            left = room.open_after[k]
            for j in range(i + 1, within):
                match = left & room.own[j]
                left ^= match & -match
                matches += match != 0
            room.open_after[k] = left
            continue
        for j in range(i + 1, within):
            firsts = first if room.own[j] else uint64(0)
            while firsts:
                k = trailing_zeros(firsts)
                firsts &= firsts - one
                match = room.open_after[k] & room.own[j]
                if match:
                    room.open_after[k] ^= match & -match
                    matches += 1
                    break
    for k in range(n):
        room.positions[ids[reference + k]] = 0
    return matches


@kernel
def _skip_bigram_matches(texts: Pairs, reach: int, leading: Offsets, room: _Skips, matches: Offsets) -> None:
    for p in range(len(matches)):
        _, _, _, length = places(texts, p)
        if length <= 64:
            matches[p] = _shared_with_64(texts, p, reach, leading, room)
        else:
            matches[p] = _shared(texts, p, reach, leading, room)


def skip_bigram_matches(texts: Pairs, vocabulary: int, gap: int, leading: Offsets) -> Offsets:
    """The number of skip-bigrams that the texts of each pair share, as bags: (pairs,).

    At most `gap` tokens are between the two tokens; below 0, there is no limit. The first `leading[t]` tokens of text t
    count as unigrams too. For a text of n tokens, a `leading` of 0 is ROUGE-S and n is ROUGE-SU. ROUGE-1.5.5 and
    PyRouge leave out the last token, which is n - 1. A marker before the text would be paired with gap + 1 tokens.
    """
    matches = np.zeros(len(texts.hypotheses), np.int64)
    longest = longest_row(texts.offsets)
    reach = gap + 1 if gap >= 0 else longest
    room = _Skips.of(longest, vocabulary)
    _skip_bigram_matches(*texts, reach, leading, *room, matches)
    return matches


@kernel
def _counts_of_pairs(
    matches: FloatRows,
    hypothesis: FloatRows,
    reference: FloatRows,
    compared: FloatRows,
    hypotheses: Offsets,
    references: Offsets,
    counts: FloatRows,
) -> None:
    for p in range(len(matches)):
        h, r = hypotheses[p], references[p]
        for k in range(matches.shape[1]):
            counts[p, 4 * k], counts[p, 4 * k + 1] = matches[p, k], hypothesis[h, k]
            counts[p, 4 * k + 2], counts[p, 4 * k + 3] = reference[r, k], compared[r, k]


def counts_of_pairs(
    matches: Floats, hypothesis: Floats, reference: Floats, compared: Floats, hypotheses: Offsets, references: Offsets
) -> Floats:
    """The four counts of each of k types side by side, (pairs, 4 k).

    The matches are those of pairs, (pairs, k). The totals are those of texts, (texts, k). Pair p has the texts
    `hypotheses[p]` and `references[p]`.
    """
    counts = np.empty((len(matches), 4 * matches.shape[1]))
    _counts_of_pairs(matches, hypothesis, reference, compared, hypotheses, references, counts)
    return counts


@kernel
def _counts_by_length(matches: FloatRows, texts: Pairs, counts: FloatRows) -> None:
    for p in range(len(matches)):
        _, hypothesis, _, reference = places(texts, p)
        for k in range(matches.shape[1]):
            counts[p, 4 * k], counts[p, 4 * k + 1] = matches[p, k], greater(hypothesis - k, 0)
            counts[p, 4 * k + 2] = counts[p, 4 * k + 3] = greater(reference - k, 0)


def counts_by_length(matches: Floats, texts: Pairs) -> Floats:
    """What ``counts_of_pairs`` gives if the totals are the n-grams of orders 1 to k of the texts."""
    counts = np.empty((len(matches), 4 * matches.shape[1]))
    _counts_by_length(matches, *texts, counts)
    return counts


@helper
def _share(part: Number, whole: Number) -> Number:
    return part / whole if whole > 0 else 0.0


@helper
def _f_measure(precision: Number, recall: Number, factor: Number, own: Number, its: Number, epsilon: Number) -> Number:
    if precision > 0 and recall > 0:
        return factor * precision * recall / (its * recall + own * precision + epsilon)
    return 0.0


@kernel
def _measures_of(counts: FloatRows, factor: float, own: float, its: float, epsilon: float, measures: FloatRows) -> None:
    for i in range(len(counts)):
        precision, recall = _share(counts[i, 0], counts[i, 1]), _share(counts[i, 0], counts[i, 2])
        measures[i, 0], measures[i, 1] = precision, recall
        measures[i, 2] = _f_measure(precision, recall, factor, own, its, epsilon)
        measures[i, 3] = _share(counts[i, 0], counts[i, 3])


def measures_of(counts: Floats, form: tuple[float, float, float, float]) -> Floats:
    """Precision, recall, F and the third share, (..., 4), from matches and three totals, (..., 4).

    F is ``form[0] P R / (form[2] R + form[1] P + form[3])``, and 0 where P or R is 0.
    """
    measures = np.empty(counts.shape)
    _measures_of(np.ascontiguousarray(counts).reshape(-1, 4), *form, measures.reshape(-1, 4))
    return measures


@kernel
def _put_f_measures(rows: FloatRows, factor: float, own: float, its: float, epsilon: float) -> None:
    for i in range(len(rows)):
        rows[i, 2] = _f_measure(rows[i, 0], rows[i, 1], factor, own, its, epsilon)


def put_f_measures(rows: Floats, form: tuple[float, float, float, float]) -> None:
    """Write F into column 2 of rows (..., k), from the precision and the recall in columns 0 and 1."""
    _put_f_measures(rows.reshape(-1, rows.shape[-1]), *form)

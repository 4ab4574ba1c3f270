"""NIST (Doddington 2002): n-gram matches, weighted by their information."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats, Offsets, up_to
from metrologue.scorers.core.about import About
from metrologue.scorers.core.capabilities import Fitted
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.hints import refuse_undefined
from metrologue.scorers.core.kernels.hashing import find_keys, hash_ngrams
from metrologue.scorers.core.kernels.ngram_numbers import Numbered, numbered_ngrams, put_values, room_of, shared_tokens
from metrologue.scorers.core.numbers import counted, each, number
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import Tokenized
from metrologue.scorers.core.tables import Followed, hash_types, type_hashes
from metrologue.scorers.core.totals import Totals
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.kernels.c_math import exps, logs, powers
from metrologue.scorers.nist_mt.kernels import numbers_of, weighted_counts, weighted_pairs
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource, in_key_order
from metrologue.text.reading import View
from metrologue.threads import each_of

__all__ = ["Nist", "NistMt", "length_penalty", "nist_mt"]


_NLTK = {"multi_reference": "best-each-order", "empty": "error", "zero_is_false": False}
# With this factor the penalty is 0.5 if the hypothesis has two thirds of the reference's words.
_BETA = -math.log(0.5) / math.log(1.5) ** 2


def length_penalty(length_ratio: Floats) -> Floats:
    """NIST's penalty for short hypotheses: 0.5 at two thirds of the reference length, 1 from the full length on.

    Parameters
    ----------
    length_ratio : float64 (...)
        Words of the hypotheses, divided by words of the references.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> length_penalty(np.array([0.0, 2 / 3, 1.2])).round(12)
    array([0. , 0.5, 1. ])
    """
    return exps(-_BETA * powers(logs(np.minimum(length_ratio, 1.0)), 2.0))


def nist_mt(information: Floats, count: Floats, length_ratio: Floats) -> Floats:
    """NIST: the information of the matches per n-gram, summed over the orders, times the length penalty.

    Parameters
    ----------
    information, count : float64 (..., max_order)
        For each order, the bits of the matches and the n-grams of the hypotheses.
    length_ratio : float64 (...)

    Returns
    -------
    float64 (...)
        Bits, 0 or more.

    Examples
    --------
    >>> float(nist_mt(np.array([6.0, 1.0]), np.array([3.0, 2.0]), np.array(1.0)))
    2.5
    """
    precision: Floats = np.add.accumulate(information / np.maximum(count, 1), axis=-1)[..., -1]
    return precision * length_penalty(length_ratio)


@dataclass(frozen=True, kw_only=True)
class NistMt(Tokenized, Scorer, Fitted):
    """The information of the matching n-grams, in bits per n-gram, with a penalty for short texts; higher is better.

    The information of an n-gram says how much rarer it is in the references than its first n - 1 words:
    log2(count of the first n - 1 words / count of the n-gram). For a single word it is
    log2(number of all words / count of the word). A score has no upper limit. It depends on all references, so scores
    on different test sets are not comparable. The score of a single segment uses the information from all references.

    References
    ----------
    Doddington 2002, https://dl.acm.org/doi/10.5555/1289189.1289273; mteval-v13a.pl of the Moses project; nltk's
    ``nist_score``.

    Examples
    --------
    >>> NistMt.variant("nltk").corpus(["It is a guide to action"], ["It is a guide to action"]).value
    2.584962500721156
    """

    name: ClassVar[str] = "nist_mt"
    _weighs: ClassVar[bool] = True
    about: ClassVar = About(papers=("doddington-2002-automatic",))

    tokenizer: str = "mteval-v13a"
    # fmt: off
    max_order: int = option(5, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM, about="Longest n-gram.")
    zero_is_false: bool = option(
        True, stage="pairs", choice="information",
        about='Whether a bigram that starts with "0" has the information of a single word with the same count. mteval '
        'does this, because "0" is false in Perl.',
    )
    information: Resource | None = option(
        None, stage="pairs", choice="information", kind="fitted",
        about="The bits of each n-gram, as ``fit`` computes them from references. None: they come from the references "
        "that are scored.",
    )
    multi_reference: str = option(
        "most", stage="join", choice="several references",
        about="How several references join.",
        one_of={
            "most": "an n-gram counts at most as often as it occurs in a single reference, and the reference length is "
                "the mean (mteval)",
            "best-each-order": "for each order the reference with the most information counts; ties: the longest. "
                "Lengths are summed over the orders (nltk)",
        },
    )
    empty: str = option(
        "zero", stage="score", choice="empty",
        about="What happens if the hypotheses have no n-gram of an order.",
        one_of={"zero": "0 bits for that order", "error": "an InputError (nltk)"},
    )
    # fmt: on

    @property
    def _columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        each = (f"{name}_{n}" for name in ("information", "count") for n in orders)
        return (*each, "hypothesis_length", "reference_length")

    numbers: ClassVar = (
        number(
            "nist_mt", 0, math.inf, better="higher", title="NIST", unit="bits",
            about="information of the matching n-grams, per n-gram, summed over the orders, times the brevity penalty",
        ),
        each("max_order", number(
            "nist_{n}", 0, math.inf, better="higher", title="NIST-{n}", unit="bits",
            about="NIST of the orders 1 to {n}",
        )),
        number("length_ratio", 0, math.inf, about="hypothesis length, divided by the reference length"),
        each("max_order", number(
            "information_{n}", 0, math.inf, unit="bits", about="information of the {n}-grams that match",
        )),
        each("max_order", counted("count_{n}", "n-grams", about="{n}-grams of the hypotheses")),
        counted("hypothesis_length", "tokens", about="tokens of the hypotheses"),
        counted("reference_length", "tokens", about="tokens of the references"),
        number(
            "brevity_penalty", 0, 1, better="higher",
            about="1 from the reference length on, 0.5 at two thirds of it, and less for shorter hypotheses",
        ),
    )  # fmt: skip

    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        view = self._view(segments)
        (ids, offsets), types, zero = _references(view), type_hashes(view), self._zero(view)
        keys, all_bits = [], []
        for order, (numbered, bits) in enumerate(_information(ids, room_of(offsets), self.max_order, zero), 1):
            informative = bits > 0  # an n-gram without information weighs as much as an unknown one
            ngrams = ids[numbered.places[informative][:, None] + np.arange(order)].ravel()
            keys.append(hash_ngrams(ngrams, np.arange(0, len(ngrams) + 1, order), types, order))
            all_bits.append(bits[informative])
        high, low = np.concatenate(keys).T
        return {"information": in_key_order({"high": high, "low": low, "bits": np.concatenate(all_bits)})}

    def _fit_counts(self, segments: Segments) -> dict[str, Followed]:
        view = self._view(segments)
        ids, offsets = _references(view)
        room, types = room_of(offsets), type_hashes(view)
        hashes = [hash_ngrams(ids, offsets, types, n) for n in range(1, self.max_order + 1)]
        # An n-gram and its first n - 1 tokens begin at the same token, if so many tokens are left there.
        prefixes = [each[room[room >= n] > n] for n, each in enumerate(hashes[:-1], 1)]
        keys = np.concatenate(hashes)
        starts = np.concatenate([np.zeros_like(hashes[0]), *prefixes])
        return {"information": Followed.of(keys, starts, np.ones(len(keys), np.int64))}

    def _fit_from(self, counts: Totals) -> dict[str, dict[str, Any]]:
        table: Any = counts.tables["information"]
        all_words = table.counts[(table.prefixes == 0).all(axis=1)].sum()
        frequent = np.append(table.counts, all_words)[find_keys(table.keys, table.prefixes)]
        if self.zero_is_false:
            zero = hash_ngrams(np.zeros(1, np.int32), np.array([0, 1]), hash_types(["0"]), 1)
            frequent = np.where((table.prefixes == zero).all(axis=1), all_words, frequent)
        bits = _log2(frequent, table.counts)
        (high, low), informative = table.keys.T, bits > 0
        return {
            "information": in_key_order({"high": high[informative], "low": low[informative], "bits": bits[informative]})
        }

    def _weigh(self, segments: Segments, threads: int) -> None:
        segments.read(self._words, threads=threads)
        self._bits_of(segments, threads)

    def _statistics(self, segments: Segments) -> Floats:
        view, orders = self._view(segments), self.max_order
        rows = np.empty((len(view), 2 * orders + 2))
        rows[:, orders:-2] = np.maximum(view.lengths[:, None] - up_to(orders), 0)
        rows[:, :orders], rows[:, -2], rows[:, -1] = _JOINS[self.multi_reference](view, self._bits_of(segments))
        return rows

    @cached_property
    def _bits_key(self) -> tuple[object, ...]:
        return ("bits", *self._key("pairs"))

    def _bits_of(self, segments: Segments, threads: int = 1) -> Floats:
        return of_texts(segments, self._bits_key, lambda: self._bits(self._view(segments), threads))

    def _bits(self, view: View, threads: int) -> Floats:
        """For each order and token, the bits of the n-gram of the references that begins there, float64 (orders, n).

        They are 0 where no n-gram begins, where its information is unknown, and for hypotheses.
        """
        bits = np.zeros((self.max_order, len(view.ids)))
        of_references = bits[:, view.offsets[view.first_reference] :]
        ids, offsets = _references(view)
        room = room_of(offsets)
        if self.information is None:
            zero = self._zero(view)

            def weigh(share: Offsets) -> None:
                weighed = _information(ids, room, self.max_order, zero, share)
                for places, (ngrams, values) in zip(of_references, weighed, strict=True):
                    put_values(ngrams, values, places)

            each_of(weigh, shared_tokens(ids, threads), threads)
            return bits
        table, types = self.information.table, type_hashes(view)
        keys = np.column_stack([table["high"], table["low"]])
        for n in range(self.max_order):
            entries = find_keys(keys, hash_ngrams(ids, offsets, types, n + 1))
            of_references[n, room > n] = np.append(table["bits"], 0.0)[entries]
        return bits

    def _zero(self, view: View) -> int:
        """The id of "0", if bigrams with it are special; -1 otherwise."""
        return view.vocabulary.find("0") if self.zero_is_false else -1

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        orders = self.max_order
        count = statistics[..., orders : 2 * orders]
        reason = "has no tokens in its references, so that the length ratio would divide by zero"
        refuse_undefined(self._label, statistics[..., -1] == 0, reason)
        if self.empty == "error" and not count.all():
            refuse_undefined(
                self._label,
                (count == 0).any(axis=-1),
                f"has no n-gram of some order up to {orders} in its predictions, and nltk divides by zero then; choose "
                "a smaller max_order, or empty='zero'",
            )
        return dict(zip(self._reported, numbers_of(statistics, self.scale, -_BETA), strict=True))

    _variants: ClassVar = {
        "mteval-v13a": Variant(
            "mteval-v13a.pl", "the program's NIST, over its tokens in lower case",
            recommended=Recommended("it is the program that defines NIST", "doddington-2002-automatic"),
        ),
        "evaluate": Variant(
            "evaluate", "the Hub's `nist_mt`: nltk's corpus_nist over the tokens of its NISTTokenizer",
            {**_NLTK, "tokenizer": "nist"}, live="evaluate.nist_mt", needs=("perluniprops",),
        ),
        "nltk": Variant(
            "nltk", "corpus_nist over str.split()", {**_NLTK, "tokenizer": "whitespace"}, live="nltk.nist_mt",
        ),
    }  # fmt: skip


# The name in most papers.
Nist = NistMt


def _most(view: View, bits: Floats) -> tuple[Floats, Floats, Floats]:
    """For each segment: the bits of each order, the hypothesis length, and the mean length of the references."""
    n, offsets = len(view), view.reference_offsets
    if offsets[-1] == n:  # one reference each: there is a quicker way to compare two texts
        sums = weighted_pairs(view.paired, bits)
    else:
        sums = weighted_counts(view.ids, view.offsets, view.first_hypothesis, view.first_reference + offsets, bits)
    means: Floats = np.add.reduceat(view.reference_lengths.astype(np.float64), offsets[:-1]) / np.diff(offsets)
    return sums, view.lengths.astype(np.float64), means


def _best_each_order(view: View, bits: Floats) -> tuple[Floats, Floats, Floats]:
    """For each segment: the bits of each order with its best reference; both lengths, summed over the orders."""
    pairs = weighted_pairs(view.paired, bits)
    orders = float(pairs.shape[1])
    lengths = view.lengths.astype(np.float64) * orders
    if len(pairs) == len(view):
        return pairs, lengths, view.reference_lengths.astype(np.float64) * orders
    best = np.maximum.reduceat(pairs, view.reference_offsets[:-1])
    best_of_each = np.repeat(best, np.diff(view.reference_offsets), axis=0)
    longest = np.where(pairs == best_of_each, view.reference_lengths[:, None], 0)
    of_references = np.maximum.reduceat(longest, view.reference_offsets[:-1]).sum(axis=1)
    return best, lengths, of_references.astype(np.float64)


_JOINS = {"most": _most, "best-each-order": _best_each_order}


def _references(view: View) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Ids and offsets of the references alone."""
    offsets = view.offsets[view.first_reference :]
    return view.ids[offsets[0] :], offsets - offsets[0]


def _information(
    ids: NDArray[np.int32], room: NDArray[np.int32], max_order: int, zero: int, share: Offsets | None = None
) -> Iterator[tuple[Numbered, Floats]]:
    """The n-grams of some texts, or a share of them, order by order, with the bits of each.

    An n-gram without a number has no information, because its first n - 1 tokens occur once. A bigram that starts with
    the type `zero` has the information of a single word.
    """
    prefix_counts = np.array([len(ids)])
    for order, numbered in enumerate(numbered_ngrams(ids, room, max_order, share), 1):
        if not len(numbered.counts):  # nor is there an n-gram of a higher order
            yield numbered, np.zeros(0)
            continue
        yield numbered, _log2(prefix_counts[numbered.prefixes], numbered.counts)
        prefix_counts = (
            np.where(ids[numbered.places] == zero, len(ids), numbered.counts) if order == 1 else numbered.counts
        )


def _log2(frequent: NDArray[np.int64], counts: NDArray[np.int64]) -> Floats:
    """``math.log(frequent / count, 2)``, which Python computes as a ratio of two logarithms of C."""
    return logs(frequent / counts) / math.log(2.0)

"""NIST (Doddington 2002): n-gram matches, each by the information that it carries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError
from metrologue.kernels.hashing import find_keys, hash_ngrams, number_keys
from metrologue.kernels.ngrams import weighted_counts
from metrologue.lexicon.resource import Resource
from metrologue.reading import View, words
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.tables import hash_types
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["Nist", "NistMt", "length_penalty", "nist_mt"]

Floats = NDArray[np.float64]

_NLTK = {"multi_reference": "best-each-order", "empty": "error", "zero_is_false": False}
# The penalty is a half where the hypothesis has two thirds of the reference's words.
_BETA = -math.log(0.5) / math.log(1.5) ** 2


def length_penalty(length_ratio: Floats) -> Floats:
    """NIST's penalty for short hypotheses: 1 from the reference's length on, 0.5 at two thirds of it.

    Parameters
    ----------
    length_ratio : float64 (...)
        Words of the hypotheses by words of the references.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> length_penalty(np.array([0.0, 2 / 3, 1.2])).round(12)
    array([0. , 0.5, 1. ])
    """
    with np.errstate(divide="ignore"):
        logs = np.log(np.minimum(length_ratio, 1.0))
    return np.exp(-_BETA * logs * logs)


def nist_mt(information: Floats, count: Floats, length_ratio: Floats) -> Floats:
    """NIST: the information of the n-grams that match by the number of n-grams, summed over the orders.

    Parameters
    ----------
    information, count : float64 (..., max_order)
        Bits of the matches of each order, and n-grams of the hypotheses.
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
    precision: Floats = (information / np.maximum(count, 1)).sum(axis=-1)
    return precision * length_penalty(length_ratio)


@dataclass(frozen=True, kw_only=True)
class NistMt(Scorer):
    """The information of the n-grams that match, in bits by n-gram, with a penalty for short texts; higher is better.

    An n-gram of the references carries the bits by which it is rarer than its first n - 1 words: log2(how often these
    come / how often it comes), for a single word log2(all words / how often it comes). A score has no upper limit and
    depends on the references as a whole: scores of different test sets do not compare. A segment's own score is made
    with the information of all references.

    Parameters
    ----------
    tokenizer : str
        One of ``metrologue.tokenizers.list_tokenizers()``.
    lowercase : bool
        Whether to apply ``str.lower()`` first.
    max_order : int
        Longest n-gram, 1 to 100.
    zero_is_false : bool
        Whether an n-gram of two words whose first one is "0" carries as much as a single word so frequent: in Perl, "0"
        is false.
    information : Resource or None
        The bits of each n-gram, as ``fit`` takes them from references; None for those that are scored.
    multi_reference : str
        "most": an n-gram counts as often as in the reference that has the most of it, and the references' lengths are
        averaged, as mteval has it; "best-each-order": for each order the reference with the most information counts,
        the longest of several, and lengths are summed over the orders, as nltk has it.
    empty : str
        What hypotheses without an n-gram of some order have: "zero" bits of that order, or an "error", as nltk.

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
    papers: ClassVar[tuple[str, ...]] = ("doddington-2002-automatic",)

    tokenizer: str = option("mteval-v13a", stage="read", choice="tokenizer", kind="tokenizer")
    lowercase: bool = option(False, stage="read", choice="case")
    max_order: int = option(5, stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM)
    zero_is_false: bool = option(True, stage="pairs", choice="information")
    information: Resource | None = option(None, stage="pairs", choice="information", kind="fitted")
    multi_reference: str = option("most", stage="join", choice="several references", one_of=("most", "best-each-order"))
    empty: str = option("zero", stage="score", choice="empty", one_of=("zero", "error"))

    @property
    def _columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        each = (f"{name}_{n}" for name in ("information", "count") for n in orders)
        return (*each, "hypothesis_length", "reference_length")

    @property
    def perfect_score(self) -> None:
        """None: a text that is its reference has as many bits as the reference has."""

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """Bits and counts have no limit."""
        orders = range(1, self.max_order + 1)
        names = ("nist_mt", *(f"nist_{n}" for n in orders), "length_ratio", *self._columns)
        return {**dict.fromkeys(names, (0.0, math.inf)), "brevity_penalty": (0.0, 1.0)}

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """True for NIST and its penalty."""
        return dict.fromkeys(("nist_mt", *(f"nist_{n}" for n in range(1, self.max_order + 1)), "brevity_penalty"), True)

    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        view = segments.read(words(self.tokenizer, self.lowercase))
        first = view.offsets[len(view)]
        ids, offsets = view.ids[first:], view.offsets[len(view) :] - first
        zero = view.spellings().index("0") if self.zero_is_false and "0" in view.spellings() else -1
        keys, bits = _information(ids, offsets, _hashes(view), self.max_order, zero)
        return {"information": {"high": keys[:, 0], "low": keys[:, 1], "bits": bits}}

    def _statistics(self, segments: Segments) -> Floats:
        view = segments.read(words(self.tokenizer, self.lowercase))
        counts = np.maximum(view.lengths[:, None] - np.arange(self.max_order), 0)
        information, *lengths = _JOINS[self.multi_reference](view, self._bits(view))
        return np.column_stack([information, counts, *lengths])

    def _bits(self, view: View) -> Floats:
        """The bits of the n-gram of each order that begins at each token of the hypotheses, 0 beyond a text's end."""
        assert self.information
        table = self.information.table
        keys = np.column_stack([table["high"], table["low"]])
        offsets = view.offsets[: len(view) + 1]
        ids, types = view.ids[: offsets[-1]], _hashes(view)
        orders = range(1, self.max_order + 1)
        hashes = [hash_ngrams(ids, offsets, types, n) for n in orders]
        rows = find_keys(keys, np.concatenate(hashes))
        bits = np.append(table["bits"], 0.0)[rows]  # the last one, of n-grams that no reference has
        weights = np.zeros((len(ids), self.max_order))
        ends = np.cumsum([0, *map(len, hashes)])
        for n in orders:
            weights[_begins(offsets, n), n - 1] = bits[ends[n - 1] : ends[n]]
        return weights

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        orders = self.max_order
        information, count = statistics[..., :orders], statistics[..., orders : 2 * orders]
        length, reference_length = statistics[..., -2], statistics[..., -1]
        if (reference_length == 0).any():
            raise InputError("NistMt: references without a token have no length to compare with.")
        if self.empty == "error" and (count == 0).any():
            raise InputError(
                f"NistMt: predictions without an n-gram of some order up to {orders}, where nltk divides by zero; "
                "choose a smaller max_order, or empty='zero'."
            )
        ratio = length / reference_length
        return {
            "nist_mt": self.scale * nist_mt(information, count, ratio),
            **{
                f"nist_{n}": self.scale * nist_mt(information[..., :n], count[..., :n], ratio)
                for n in range(1, orders + 1)
            },
            "length_ratio": ratio,
            **dict(zip(self._columns, np.moveaxis(statistics, -1, 0), strict=True)),
            "brevity_penalty": length_penalty(ratio),
        }

    _variants: ClassVar = {
        "mteval-v13a": Variant("mteval-v13a.pl", "the program's NIST, over its lower-cased tokens"),
        "evaluate": Variant(
            "evaluate",
            "the Hub's `nist_mt`: nltk's on its NISTTokenizer",
            {**_NLTK, "tokenizer": "nist"},
            live="evaluate.nist_mt",
            needs=("perluniprops",),
        ),
        "nltk": Variant(
            "nltk",
            "corpus_nist over str.split()",
            {**_NLTK, "tokenizer": "whitespace"},
            live="nltk.nist_mt",
        ),
    }


# What most papers call it.
Nist = NistMt


def _most(view: View, bits: Floats) -> tuple[Floats, Floats, Floats]:
    """Of each segment: its bits of each order, its length, and the mean length of its references."""
    n, offsets = len(view), view.reference_offsets
    sums = weighted_counts(view.ids, view.offsets, np.arange(n), n + offsets[:-1], n + offsets[1:], bits)
    means: Floats = np.add.reduceat(view.reference_lengths.astype(np.float64), offsets[:-1]) / np.diff(offsets)
    return sums, view.lengths.astype(np.float64), means


def _best_each_order(view: View, bits: Floats) -> tuple[Floats, Floats, Floats]:
    """Of each segment: its bits of each order with the best reference, its length and theirs, over all orders."""
    hypotheses, references = view.pairs
    pairs = weighted_counts(view.ids, view.offsets, hypotheses, references, references + 1, bits)
    orders = pairs.shape[1]
    sums: Floats = np.empty((len(view), orders))
    lengths: Floats = np.zeros(len(view))
    for n in range(orders):
        # The last of each segment's pairs, from the least information to the most, then from the shortest on.
        best = np.lexsort((view.reference_lengths, pairs[:, n], hypotheses))[view.reference_offsets[1:] - 1]
        sums[:, n] = pairs[best, n]
        lengths += view.reference_lengths[best]
    return sums, view.lengths.astype(np.float64) * orders, lengths


_JOINS = {"most": _most, "best-each-order": _best_each_order}


def _hashes(view: View) -> NDArray[np.uint64]:
    """The hash of each type, made once a vocabulary."""
    return view.vocabulary.layer("hash", hash_types)[: view.type_count]


def _begins(offsets: NDArray[np.int64], order: int) -> NDArray[np.bool_]:
    """At which tokens an n-gram begins that ends in the same text."""
    ends = np.repeat(offsets[1:], np.diff(offsets))
    inside: NDArray[np.bool_] = np.arange(len(ends)) + order <= ends
    return inside


def _information(
    ids: NDArray[np.int32], offsets: NDArray[np.int64], types: NDArray[np.uint64], max_order: int, zero: int
) -> tuple[NDArray[np.uint64], Floats]:
    """Each n-gram of the texts once, by its hash (n, 2), and the bits that it carries (n,).

    One of two words whose first one is the type `zero` is taken for a single word.
    """
    keys, bits = [], []
    prefix_of = np.zeros(len(ids), np.int64)  # of each token: which n-gram of the order before begins there
    prefix_counts = np.array([len(ids)])
    for n in range(1, max_order + 1):
        begins = _begins(offsets, n)
        hashes = hash_ngrams(ids, offsets, types, n)
        firsts, numbers = number_keys(hashes)
        counts = np.bincount(numbers, minlength=len(firsts))
        frequent = prefix_counts[prefix_of[begins][firsts]]
        if n == 2:
            frequent = np.where(ids[begins][firsts] == zero, len(ids), frequent)
        keys.append(hashes[firsts])
        bits.append(_log2(frequent / counts))
        prefix_of = np.zeros(len(ids), np.int64)
        prefix_of[begins] = numbers
        prefix_counts = counts
    return np.concatenate(keys), np.concatenate(bits)


def _log2(values: Floats) -> Floats:
    """``math.log(value, 2)`` of each: NumPy's own logarithms differ from it in the last bit on some processors."""
    different, which = np.unique(values, return_inverse=True)
    return np.array([math.log(value, 2) for value in different.tolist()], float)[which]

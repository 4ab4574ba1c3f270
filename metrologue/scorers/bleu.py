"""BLEU (Papineni et al. 2002), as every library computes it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError
from metrologue.kernels.ngrams import clipped_counts
from metrologue.scorers.base import LONGEST_NGRAM, Choice, Scorer
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments, View
from metrologue.tokenizers import canonical_name

__all__ = ["Bleu"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Bleu(Scorer):
    """Geometric mean of clipped n-gram precisions, times a brevity penalty; higher is better, 0 to `scale`.

    The defaults are sacrebleu's.

    Parameters
    ----------
    tokenizer : str
        One of ``metrologue.tokenizers.list_tokenizers()``.
    lowercase : bool
        ``str.lower()`` before tokenizing.
    max_order : int
        Longest n-gram, 1 to 100; the length of `weights` by default.
    weights : tuple of float
        Weight of each order's log precision, -100 to 100; uniform by default. An order of weight 0 is left out,
        whatever its count.
    reference_length : str
        Which of a segment's references sets its length: "closest" (the shorter of two at one distance), "closest-first"
        (the first of two), "shortest", "longest" or "average".
    floor_totals : bool
        Count at least one n-gram of each order in each segment, however short (nltk).
    smoothing : str
        What an order without a match is worth (Chen & Cherry 2014): "none"; "tiny", the least normal double (nltk's
        method0); "floor", `smooth_value` instead of 0 matches (1); "add-k", `smooth_value` more matches and n-grams
        from order `smooth_from` on (2); "exp", half of the order before that had none (3); "chen-cherry-4",
        "chen-cherry-5", "chen-cherry-6", "chen-cherry-7", as nltk has them. The last three are of one segment only.
    smooth_value : float
        epsilon of "floor" (0.1), k of "add-k" (1), k of "chen-cherry-4" and "-7" (5), alpha of "chen-cherry-6" (5).
        From 0 to 2^31 - 1.
    smooth_from : int
        First order that "add-k" changes, 1 to 100.
    epsilons : (float, float)
        Added to every numerator and to every denominator, of precisions and of the length ratio (pycocoevalcap); 0 to
        2^31 - 1.
    zero_when : str
        What makes the score 0 at once: "no-match" at any order, "any-order" without a match, or "never".
    skip_zero : bool
        Leave out orders whose precision is still 0, instead of scoring 0 (nltk).
    effective_order : bool
        Leave out orders of which the hypothesis has no n-gram; the other weights grow to the same sum.
    auto_reweigh : bool
        Weigh the first n orders the same, and no others, where the hypothesis has n tokens, fewer than four, and there
        are four orders of one weight; as nltk's option of that name, which counts the tokens of the whole corpus.
    empty : str
        A corpus without a token on one side scores "zero", or is an "error" (the Hub's `bleu` divides by zero).
    aggregation : str
        "corpus", or "mean" of the segments' scores.
    scale : float
        What a perfect score is.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Papineni et al. 2002, https://aclanthology.org/P02-1040; Chen & Cherry 2014, https://aclanthology.org/W14-3346.

    Examples
    --------
    >>> references = [["It is a guide to action that ensures that the military will forever heed Party commands."]]
    >>> predictions = ["It is a guide to action which ensures that the military always obeys the commands."]
    >>> for name in ("sacrebleu", "nltk", "pycocoevalcap"):
    ...     print(f"{name} {Bleu.variant(name).corpus(predictions, references).value:.4f}")
    sacrebleu 46.3655
    nltk 0.4714
    pycocoevalcap 0.4714
    """

    name: ClassVar[str] = "bleu"

    tokenizer: str = "13a"
    lowercase: bool = False
    max_order: int = 0
    weights: tuple[float, ...] = ()
    reference_length: str = "closest"
    floor_totals: bool = False
    smoothing: str = "exp"
    smooth_value: float | None = None
    smooth_from: int = 2
    epsilons: tuple[float, float] = (0.0, 0.0)
    zero_when: str = "no-match"
    skip_zero: bool = False
    effective_order: bool = False
    auto_reweigh: bool = False
    empty: str = "zero"
    scale: float = 100.0

    _choices: ClassVar[tuple[Choice, ...]] = (
        Choice("tokenizer", ("tokenizer",), "view"),
        Choice("case", ("lowercase",), "view"),
        Choice("orders and weights", ("max_order", "weights"), "statistics"),
        Choice("reference length", ("reference_length",), "statistics"),
        Choice("floor of totals", ("floor_totals",), "statistics"),
        Choice("smoothing", ("smoothing", "smooth_value", "smooth_from", "epsilons"), "score"),
        Choice("zero rule", ("zero_when", "skip_zero"), "score"),
        Choice("effective order", ("effective_order", "auto_reweigh"), "score"),
        Choice("empty text", ("empty",), "score"),
        Choice("aggregation", ("aggregation",), "score"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_names(
            reference_length=_REFERENCE_LENGTHS, smoothing=_SMOOTHINGS, zero_when=_ZERO_RULES, empty=("zero", "error")
        )
        order = self.max_order or len(self.weights) or 4
        self._set_field(tokenizer=canonical_name(self.tokenizer), max_order=order)
        self._check_numbers("max_order", "smooth_from", least=1, greatest=LONGEST_NGRAM)
        self._check("max_order", order >= 3 or self.smoothing != "chen-cherry-6", "3 or more under chen-cherry-6")
        self._set_field(weights=self.weights or (1 / order,) * order)
        self._check("weights", len(self.weights) == order, f"a list of {order} finite numbers")
        self._check_numbers("weights", least=-100, greatest=100)
        self._check("epsilons", len(self.epsilons) == 2, "a pair of numbers")
        if self.smooth_value is None:
            self._set_field(smooth_value=_SMOOTH_VALUES.get(self.smoothing))
        self._check_numbers("smooth_value", "epsilons")

    @property
    def primary(self) -> str:
        """Always "bleu"."""
        return "bleu"

    @property
    def _orders(self) -> int:
        """Orders that are counted: nltk's methods 5 and 7 look at order 5, whatever the longest."""
        return max(self.max_order, 5) if self.smoothing in ("chen-cherry-5", "chen-cherry-7") else self.max_order

    @property
    def count_columns(self) -> tuple[str, ...]:
        """Lengths, clipped counts and counts of each order; the number of segments where there may be only one."""
        orders = range(1, self._orders + 1)
        return (
            "hypothesis_length", "reference_length",
            *(f"clipped_count_{n}" for n in orders), *(f"count_{n}" for n in orders),
            *(("segments",) if self.smoothing in _ONE_SEGMENT else ()),
        )  # fmt: skip

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """Least and greatest value of each number; some smoothings lift a precision above 1 (nltk's method5 does)."""
        orders = range(1, self.max_order + 1)
        bounded = self.smoothing in _AT_MOST_ONE and _value(self) <= 1 and min(self.weights) >= 0
        best = self.scale if bounded else math.inf
        return {
            **dict.fromkeys(("bleu", *(f"bleu_{n}" for n in orders)), (0.0, best)),
            **dict.fromkeys((f"precision_{n}" for n in orders), (0.0, best)),
            "brevity_penalty": (0.0, 1.0),
            **dict.fromkeys(("length_ratio", "hypothesis_length", "reference_length"), (0.0, math.inf)),
            **{f"{key}_{n}": (0.0, math.inf) for key in ("clipped_count", "count") for n in orders},
        }

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """True for BLEU, its precisions and the brevity penalty."""
        return {key: True for key in self.range if key.startswith(("bleu", "precision", "brevity"))}

    def counts(self, segments: Segments) -> Floats:
        """Rows of `count_columns`: the view's n-grams, counted and clipped by the references' greatest count."""
        view = segments.view(self.tokenizer, self.lowercase)
        n, orders = len(view), self._orders
        rows = np.empty((n, len(self.count_columns)))
        rows[:, 0] = view.lengths
        rows[:, 1] = _REFERENCE_LENGTHS[self.reference_length](view)
        rows[:, 2 : 2 + orders] = clipped_counts(view.ids, view.offsets, n, view.reference_offsets, orders)
        rows[:, 2 + orders : 2 + 2 * orders] = np.maximum(
            view.lengths[:, None] - np.arange(orders), 1 if self.floor_totals else 0
        )
        rows[:, 2 + 2 * orders :] = 1
        return rows

    def numbers(self, counts: Floats) -> dict[str, Floats]:
        """BLEU and what it is made of: ``BP * exp(sum_n w_n log p_n)``."""
        orders, longest = self._orders, self.max_order
        length, reference_length = counts[..., 0], counts[..., 1]
        clipped, total = counts[..., 2 : 2 + orders], counts[..., 2 + orders : 2 + 2 * orders]
        self._refuse_undefined(counts)

        zero = _ZERO_RULES[self.zero_when](clipped[..., :longest] == 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = _SMOOTHINGS[self.smoothing](self, clipped, total, length)[..., :longest]
            exists = np.logical_and.accumulate(np.isfinite(precision), axis=-1)
            precision = np.where(exists & ~zero, precision, 0.0)
            brevity_penalty = self._brevity_penalty(length, reference_length)
            logs = np.log(precision)
            uniform = np.ones(longest)
            cumulative = [
                self._geometric_mean(logs[..., :n], exists[..., :n], uniform[:n] / n) for n in range(1, longest + 1)
            ]
            weighted = self._geometric_mean(logs, exists, self.weights_of(length))
            ratio = np.where(reference_length > 0, length / reference_length, 0.0)
        scaled = {"bleu": np.where(zero[..., -1], 0.0, weighted) * brevity_penalty}
        for n in range(longest):
            scaled[f"bleu_{n + 1}"] = np.where(zero[..., n], 0.0, cumulative[n]) * brevity_penalty
        for n in range(longest):
            scaled[f"precision_{n + 1}"] = precision[..., n]
        return {
            **{key: self.scale * number for key, number in scaled.items()},
            "brevity_penalty": brevity_penalty,
            "length_ratio": ratio,
            "hypothesis_length": length,
            "reference_length": reference_length,
            **{f"clipped_count_{n + 1}": clipped[..., n] for n in range(longest)},
            **{f"count_{n + 1}": total[..., n] for n in range(longest)},
        }

    def weights_of(self, length: Floats) -> Floats:
        """The weights of the orders where hypotheses have so many tokens.

        Parameters
        ----------
        length : float64 (...)

        Returns
        -------
        float64 (max_order,) or (..., max_order)

        Examples
        --------
        >>> Bleu(auto_reweigh=True).weights_of(np.array([2.0, 9.0]))
        array([[0.5 , 0.5 , 0.  , 0.  ],
               [0.25, 0.25, 0.25, 0.25]])
        """
        weights = np.array(self.weights)
        if not self.auto_reweigh or self.weights != (0.25,) * 4:
            return weights
        tokens = length[..., None]
        return np.where(tokens < 4, (np.arange(4) < tokens) / np.maximum(tokens, 1), weights)

    def _geometric_mean(self, logs: Floats, exists: NDArray[np.bool_], weights: Floats) -> Floats:
        counted = np.broadcast_to(weights != 0, logs.shape)
        if self.skip_zero:
            counted = counted & (logs > -np.inf)
        grown = weights
        if self.effective_order:
            counted = counted & exists
            total = weights.sum(axis=-1, keepdims=True)
            grown = weights * (total / (weights * exists).sum(axis=-1, keepdims=True))
        with np.errstate(over="ignore"):  # what is not finite is refused, and not here
            mean: Floats = np.exp(np.sum(np.where(counted, grown * logs, 0.0), axis=-1))
        return mean

    def _brevity_penalty(self, length: Floats, reference_length: Floats) -> Floats:
        numerator, denominator = length + self.epsilons[0], reference_length + self.epsilons[1]
        return np.where(numerator < denominator, np.exp(1 - denominator / numerator), 1.0)

    def _refuse_undefined(self, counts: Floats) -> None:
        """An InputError for counts of which the mirrored library makes no number."""
        if self.smoothing in _ONE_SEGMENT and (counts[..., -1] > 1).any():
            raise InputError(
                f"Bleu: `smoothing` {self.smoothing!r} is of one segment only (nltk's corpus_bleu hands it the texts "
                "of the last one); take `segments`, or aggregation='mean'."
            )
        if self.empty == "error":
            self._refuse(
                (counts[..., 0] == 0) | (counts[..., 1] == 0),
                "has no token in its predictions or references, where the mirrored library divides by zero",
            )
        if self.smoothing == "chen-cherry-6":
            self._refuse(
                (counts[..., 2] > 0) & (counts[..., 4] == 0),
                "has unigrams but no trigrams in common, where nltk's method6 fails",
            )

    def _refuse(self, wrong: NDArray[np.bool_], reason: str) -> None:
        if wrong.any():
            what = f"segment {np.flatnonzero(wrong)[0]}" if wrong.ndim else "the corpus"
            raise InputError(f"Bleu: {what} {reason}; choose another variant, smoothing or `empty`.")

    _variants: ClassVar[dict[str, Variant]] = {}


# Which reference sets the length of a segment, (n_segments,).


def _reduced(view: View, operation: np.ufunc, values: NDArray[np.int64]) -> NDArray[np.int64]:
    reduced: NDArray[np.int64] = operation.reduceat(values, view.reference_offsets[:-1])
    return reduced


def _closest(view: View, tie: NDArray[np.int64]) -> NDArray[np.int64]:
    """The length at the smallest distance, the smallest `tie` among equals: both packed into one number to minimise."""
    if len(tie) == len(view):
        return tie  # one reference each: there is nothing to choose
    hypotheses = np.repeat(view.lengths, np.diff(view.reference_offsets))
    span = int(tie.max(initial=0)) + 1
    nearest = _reduced(view, np.minimum, np.abs(view.reference_lengths - hypotheses) * span + tie)
    return nearest % span


_REFERENCE_LENGTHS: dict[str, Callable[[View], NDArray[np.int64] | Floats]] = {
    "closest": lambda view: _closest(view, view.reference_lengths),
    "closest-first": lambda view: view.reference_lengths[_closest(view, np.arange(len(view.reference_lengths)))],
    "shortest": lambda view: _reduced(view, np.minimum, view.reference_lengths),
    "longest": lambda view: _reduced(view, np.maximum, view.reference_lengths),
    "average": lambda view: _reduced(view, np.add, view.reference_lengths) / np.diff(view.reference_offsets),
}

# From "no match at this order" (..., N) to "BLEU-n is 0" (..., N).

_ZERO_RULES: dict[str, Callable[[NDArray[np.bool_]], NDArray[np.bool_]]] = {
    "no-match": lambda missing: np.logical_and.accumulate(missing, axis=-1),
    "any-order": lambda missing: np.logical_or.accumulate(missing, axis=-1),
    "never": np.zeros_like,
}

# Precisions (..., N) from clipped counts and totals (..., N) and the hypothesis length (...); not finite for an order
# that does not exist.


def _ratio(bleu: Bleu, clipped: Floats, total: Floats) -> Floats:
    return (clipped + bleu.epsilons[0]) / (total + bleu.epsilons[1])


def _where_zero(bleu: Bleu, clipped: Floats, total: Floats, matches: Floats | float) -> Floats:
    return np.where(clipped == 0, matches / total, _ratio(bleu, clipped, total))


def _halvings(clipped: Floats, total: Floats) -> Floats:
    """2, 4, 8, … at the first, second, third … order without a match."""
    halvings: Floats = np.exp2(np.cumsum((clipped == 0) & (total > 0), axis=-1))
    return halvings


def _none(bleu: Bleu, clipped: Floats, total: Floats, length: Floats) -> Floats:
    return _ratio(bleu, clipped, total)


def _tiny(bleu: Bleu, clipped: Floats, total: Floats, length: Floats) -> Floats:
    return np.where(clipped == 0, sys.float_info.min, _ratio(bleu, clipped, total))


def _floor(bleu: Bleu, clipped: Floats, total: Floats, length: Floats) -> Floats:
    return _where_zero(bleu, clipped, total, _value(bleu))


def _add_k(bleu: Bleu, clipped: Floats, total: Floats, length: Floats) -> Floats:
    more = np.where(np.arange(1, clipped.shape[-1] + 1) >= bleu.smooth_from, _value(bleu), 0.0)
    return _ratio(bleu, clipped + more, total + more)


def _exp(bleu: Bleu, clipped: Floats, total: Floats, length: Floats) -> Floats:
    return _where_zero(bleu, clipped, total, 1 / _halvings(clipped, total))


def _chen_cherry_4(bleu: Bleu, clipped: Floats, total: Floats, length: Floats) -> Floats:
    matches = np.log(length)[..., None] / (_halvings(clipped, total) * _value(bleu))
    return _where_zero(bleu, clipped, total, np.where(length[..., None] > 1, matches, 0.0))


def _averaged(precision: Floats) -> Floats:
    """Each precision with its neighbours: the smoothed one before it, the plain one after it."""
    averaged = np.empty_like(precision[..., :-1])
    before = precision[..., 0] + 1
    for n in range(averaged.shape[-1]):
        averaged[..., n] = before = (before + precision[..., n] + precision[..., n + 1]) / 3
    return averaged


def _with_fifth(bleu: Bleu, precision: Floats, fifth: Floats) -> Floats:
    """The precisions of the orders wanted, then that of order 5, which nltk takes as the neighbour of the last."""
    return np.concatenate([precision[..., : bleu.max_order], fifth[..., 4:5]], axis=-1)


def _chen_cherry_5(bleu: Bleu, clipped: Floats, total: Floats, length: Floats) -> Floats:
    precision = _ratio(bleu, clipped, total)
    return _averaged(_with_fifth(bleu, precision, precision))


def _chen_cherry_6(bleu: Bleu, clipped: Floats, total: Floats, length: Floats) -> Floats:
    precision, alpha = _ratio(bleu, clipped, total), _value(bleu)
    for n in range(2, precision.shape[-1]):
        expected = precision[..., n - 1] ** 2 / precision[..., n - 2]
        ngrams = np.maximum(length - n, 0)
        precision[..., n] = (clipped[..., n] + alpha * expected) / (ngrams + alpha)
    return precision


def _chen_cherry_7(bleu: Bleu, clipped: Floats, total: Floats, length: Floats) -> Floats:
    smoothed = _chen_cherry_4(bleu, clipped, total, length)
    return _averaged(_with_fifth(bleu, smoothed, _ratio(bleu, clipped, total)))


def _value(bleu: Bleu) -> float:
    return bleu.smooth_value or 0.0


_SMOOTHINGS: dict[str, Callable[[Bleu, Floats, Floats, Floats], Floats]] = {
    "none": _none,
    "tiny": _tiny,
    "floor": _floor,
    "add-k": _add_k,
    "exp": _exp,
    "chen-cherry-4": _chen_cherry_4,
    "chen-cherry-5": _chen_cherry_5,
    "chen-cherry-6": _chen_cherry_6,
    "chen-cherry-7": _chen_cherry_7,
}
_SMOOTH_VALUES = {"floor": 0.1, "add-k": 1.0, "chen-cherry-4": 5.0, "chen-cherry-6": 5.0, "chen-cherry-7": 5.0}
_AT_MOST_ONE = ("none", "tiny", "floor", "add-k", "exp")
_ONE_SEGMENT = ("chen-cherry-5", "chen-cherry-6", "chen-cherry-7")

Bleu._variants.update(
    sacrebleu=Variant(
        "sacrebleu",
        "corpus_bleu and BLEU(): mteval-v13a tokens, exponential smoothing, closest length",
        live="sacrebleu.bleu",
    ),
    evaluate=Variant(
        "evaluate",
        "the Hub's `bleu` (tensorflow/nmt): mteval-v13a tokens, shortest reference, no smoothing; fails on empty text",
        {
            "tokenizer": "13a-unstripped", "reference_length": "shortest", "smoothing": "none", "zero_when": "never",
            "empty": "error", "scale": 1.0,
        },
        live="evaluate.bleu",
    ),
    nltk=Variant(
        "nltk",
        "corpus_bleu over str.split(): a zero precision becomes the least double, each order counts one n-gram or more",
        {
            "tokenizer": "whitespace", "smoothing": "tiny", "floor_totals": True, "skip_zero": True, "scale": 1.0,
        },
        live="nltk.bleu",
    ),
    pycocoevalcap=Variant(
        "pycocoevalcap",
        "BLEU-N of Bleu(N) over str.split(): 1e-15 and 1e-9 added to numerators and denominators",
        {
            "tokenizer": "whitespace", "smoothing": "none", "epsilons": (1e-15, 1e-9), "zero_when": "never",
            "scale": 1.0,
        },
        live="pycocoevalcap.bleu",
    ),
    torchmetrics=Variant(
        "torchmetrics",
        "bleu_score over str.split(), in float32 there: 0 if any order has no match, first of two closest lengths",
        {
            "tokenizer": "whitespace", "reference_length": "closest-first", "smoothing": "none",
            "zero_when": "any-order", "scale": 1.0,
        },
        live="torchmetrics.bleu",
    ),
    bleuscore=Variant(
        "bleuscore",
        "compute: as the Hub's `bleu`, with Rust's blanks and a number for empty text",
        {
            "tokenizer": "13a-rust", "reference_length": "shortest", "smoothing": "none", "zero_when": "never",
            "scale": 1.0,
        },
        live="bleuscore.bleu",
    ),
)  # fmt: skip

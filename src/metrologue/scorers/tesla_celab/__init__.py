"""TESLA-CELAB (Liu and Ng 2012): how much of two texts is covered by n-grams of characters that match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Floats, Ids, Integers, Offsets
from metrologue.data.strings import Strings
from metrologue.errors import InputError
from metrologue.scorers.core.about import About, Growth
from metrologue.scorers.core.configuration import settle_table
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import join, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.means import OfMeans
from metrologue.scorers.tesla_celab.kernels import CoveredTexts, coverage, links_of
from metrologue.segments import Segments
from metrologue.text.reading import View, words

__all__ = ["TeslaCelab", "weighted_coverage"]

_LONGEST = 10


def weighted_coverage(covered: Floats, ngrams: Floats, precision_weight: float) -> Floats:
    """The covered n-grams of both texts, divided by all n-grams; those of the hypothesis count `precision_weight`.

    Parameters
    ----------
    covered, ngrams : float64 (..., 2)
        Of the hypothesis and of the reference.
    precision_weight : float

    Examples
    --------
    >>> weighted_coverage(np.array([[3.0, 3.0]]), np.array([[3.0, 6.0]]), 0.25).round(6)
    array([0.555556])
    """
    weights = np.array([precision_weight, 1.0])
    return ratio(covered @ weights, ngrams @ weights)


@dataclass(frozen=True, kw_only=True)
class TeslaCelab(OfMeans):
    """How much of two texts is covered by n-grams of characters that match; higher is better, 0-1.

    All n-grams of up to four characters take part at once. Two n-grams match if they can be cut into units that match
    one by one, in the same order. Units match if they are equal, or synonyms in `synonyms`, of any number of
    characters. An n-gram sends a weight of at most 1 to those that it matches. It is covered by the weights of all
    n-grams that contain it, up to 1. So it does not matter how a text is cut into words, and a synonym covers its
    parts, although they match nothing. The weights with the greatest coverage count (a linear program, solved exactly).
    The score is the covered n-grams of both texts, those of the hypothesis times `precision_weight`, divided by the
    same sum of all n-grams. That of a segment is the mean over its references, and that of a corpus the mean over its
    segments. A text without characters scores 0.

    The paper uses the dictionary CILIN, which is not part of this package: give its file as `synonyms`. Without it,
    only equal characters match.

    Raises
    ------
    InputError
        If the table `synonyms` is not there, a value is out of range, or a pair has thousands of repeated n-grams that
        overlap.

    References
    ----------
    Liu and Ng 2012, https://aclanthology.org/P12-1097; the authors' program https://github.com/drplanar/tesla-celab.

    Examples
    --------
    The paper's example, in which 雨伞 and 伞 are synonyms:

    >>> from metrologue.text.lexicon import register_synonyms
    >>> celab = TeslaCelab(synonyms=register_synonyms("umbrellas", [["雨伞", "伞"]]))
    >>> celab.corpus(["买伞"], ["买雨伞"]).value
    1.0
    >>> {name: round(value, 6) for name, value in TeslaCelab().corpus(["买伞"], ["买雨伞"]).scores.items()}
    {'tesla_celab': 0.37037, 'precision': 0.666667, 'recall': 0.333333, 'segments': 1}
    """

    name: ClassVar[str] = "tesla_celab"
    title: ClassVar[str] = "TESLA-CELAB"
    about: ClassVar = About(papers=("liu-ng-2012-character",), growth=Growth("words", 3, 5_000))

    # fmt: off
    tokenizer: str = option(
        "char", stage="read", choice="tokenizer", kind="tokenizer",
        about="How a text is cut, as `metrologue list tokenizers` shows. The paper's units are characters; with "
        '"whitespace", they are what stands between spaces.',
    )
    lowercase: bool = option(False, stage="read", choice="case", about="Whether to apply ``str.lower()`` first.")
    synonyms: str | None = option(
        None, stage="pairs", choice="synonyms", kind="table",
        about="Sets of n-grams that mean the same: the file of CILIN, or a table of your own. None: only equal "
        "n-grams match.",
    )
    first_units: str = option(
        "any", stage="pairs", choice="first units",
        about="The first two units of a match.",
        one_of={
            "any": "they may have any lengths",
            "short": "one of them is a single token, as in the authors' program; so a match cannot begin with two "
            "synonyms of two characters each",
        },
    )
    max_order: int = option(
        4, stage="pairs", choice="orders", least=1, greatest=_LONGEST, about="Longest n-gram; the shortest is 1."
    )
    precision_weight: float = option(
        0.25, stage="join", choice="precision weight", about="How much the n-grams of the hypothesis count."
    )
    multi_reference: str = option(
        "mean", stage="join", choice="several references",
        about="How several references join.",
        one_of={"mean": "the mean of their scores", "best": "the one with the best score; ties: the first"},
    )
    # fmt: on

    numbers: ClassVar = (
        number(
            "tesla_celab", 0, "scale", better="higher", title="TESLA-CELAB", about="mean of the scores of the segments"
        ),
        number(
            "precision", 0, "scale", better="higher", heading="P",
            about="mean of the covered shares of the hypotheses' n-grams",
        ),
        number(
            "recall", 0, "scale", better="higher", heading="R",
            about="mean of the covered shares of the references' n-grams",
        ),
        counted("segments", "segments", about="segments, of whose numbers these are means"),
    )  # fmt: skip

    def _check_together(self) -> None:
        settle_table(self, "synonyms")

    def _texts(self, segments: Segments) -> tuple[View, CoveredTexts]:
        """The tokens of all texts, and their n-grams."""
        view = segments.read(words(self.tokenizer, self.lowercase))

        def make() -> CoveredTexts:
            types = Strings.of(view.spellings())
            return covered_texts(view.ids, view.offsets, types, self.max_order, self._keys)

        key = self.tokenizer, self.lowercase, self.synonyms, self.max_order
        return view, of_texts(segments, ("covered texts", *key), make)

    def _keys(self, spelled: Strings) -> tuple[Any, ...]:
        """The keys of n-grams as their synonyms have them, for hypotheses and for references."""
        if self.synonyms is None:
            nothing = np.zeros(len(spelled) + 1, np.int64), np.zeros(0, np.int32)
            return (*nothing, *nothing)
        from metrologue.text.lexicon.lookup import synonym_keys  # here: it takes long to import

        own, its = synonym_keys(spelled.to_pylist(), self.synonyms)
        return own.offsets, own.owned(), its.offsets, its.owned()

    def _pair_statistics(self, segments: Segments) -> Floats:
        """How many n-grams of the hypothesis and of the reference are covered, and how many there are."""
        view, texts = self._texts(segments)
        pairs: tuple[Offsets, Offsets] = view.pairs
        links = links_of(texts, *pairs, self.max_order, self.first_units == "short")
        try:
            return coverage(texts, *pairs, links, self.max_order)
        except InputError as error:
            raise InputError(f"{self._label}: {error}") from None

    def _of_pairs(self, counts: Floats) -> Floats:
        """Score, precision and recall of each pair, (n, 3)."""
        covered, ngrams = counts[:, :2], counts[:, 2:]
        shares = ratio(covered, ngrams)
        return np.column_stack([weighted_coverage(covered, ngrams, self.precision_weight), shares])

    def _statistics(self, segments: Segments) -> Floats:
        measured = self._of_pairs(self._pairs(segments))
        rows = np.column_stack([measured, np.ones(len(measured))])
        return join(self.multi_reference, rows, segments.reference_offsets, self._quality)

    _variants: ClassVar = {
        "characters": Variant("Liu", "the paper's definition over characters; `synonyms` may be given", version="2012"),
        "tc-match.py": Variant(
            "tc-match.py",
            "the authors' program, whose texts have spaces between units; `synonyms` is the file of CILIN",
            {"tokenizer": "whitespace", "first_units": "short"},
        ),
    }


def covered_texts(
    ids: Ids, offsets: Offsets, types: Strings, max_order: int, keys_of: Callable[[Strings], tuple[Any, ...]]
) -> CoveredTexts:
    """The n-grams of texts.

    Parameters
    ----------
    ids, offsets : int32 (n_tokens,), int64 (n_texts + 1,)
        The tokens of text t are ``ids[offsets[t]:offsets[t + 1]]``.
    types : Strings
        The tokens by their ids.
    max_order : int
        The longest n-grams.
    keys_of : callable
        The last fields of ``CoveredTexts``, for the characters of all n-grams.
    """
    count = len(ids)
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    left = np.repeat(offsets[1:], np.diff(offsets)) - np.arange(count)  # tokens to the end of the text
    kinds, spelled = _kinds(ids, left, types, max_order)
    numbers: dict[str, int] = {}
    units = np.array([numbers.setdefault(each, len(numbers)) for each in spelled], np.int64)
    # A kind of n-gram by its characters first, so that entries ascend by their units.
    rank = np.empty(len(spelled), np.int64)
    rank[np.argsort(units, kind="stable")] = np.arange(len(spelled))
    places = np.where(kinds >= 0, np.concatenate([rank, [-1]])[kinds], -1)
    cells = np.flatnonzero(places.ravel() >= 0)
    keyed = owners[cells // max_order] * np.int64(len(spelled) + 1) + places.ravel()[cells]
    found, first, inverse, counts = np.unique(keyed, return_index=True, return_inverse=True, return_counts=True)
    limits = np.searchsorted(found, np.arange(len(offsets)) * np.int64(len(spelled) + 1))
    local, of_cells = np.full(count * max_order, -1, np.int64), np.full(count * max_order, -1, np.int32)
    local[cells] = inverse.ravel() - limits[owners[cells // max_order]]
    of_cells[cells] = units[kinds.ravel()[cells]]
    starts, orders = cells[first] // max_order, cells[first] % max_order + 1
    keys = keys_of(Strings.of([*numbers]))
    return CoveredTexts(offsets, local, limits, starts, orders, counts.astype(np.int64), of_cells, *keys)


def _kinds(ids: Ids, left: Integers, types: Strings, max_order: int) -> tuple[Integers, list[str]]:
    """The number of each n-gram by its tokens, (n_tokens, max_order), -1 past the end; and the characters of each."""
    count, kinds = len(ids), np.full((len(ids), max_order), -1, np.int64)
    tokens, codes, spelled = types.to_pylist(), ids.astype(np.int64), list[str]()
    for order in range(1, max_order + 1):
        if order > 1:
            codes = codes[: max(count - order + 1, 0)] * np.int64(count + len(types) + 1) + ids[order - 1 :]
        codes = np.unique(codes, return_inverse=True)[1].ravel()
        at = np.flatnonzero(left[: len(codes)] >= order)
        _, first, inverse = np.unique(codes[at], return_index=True, return_inverse=True)
        kinds[at, order - 1] = len(spelled) + inverse.ravel()
        distinct = ids[at[first][:, None] + np.arange(order)].tolist()
        spelled += ["".join([tokens[one] for one in ngram]) for ngram in distinct]
    return kinds, spelled

"""CIDEr and CIDEr-D (Vedantam et al. 2015): the n-grams that a caption shares with most captions of its image."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats, Offsets, Words
from metrologue.errors import InputError, shown
from metrologue.kernels.sums import reference_sums
from metrologue.scorers.cider.kernels import dot_products, ngram_documents, ngram_rarities, put_cosines
from metrologue.scorers.core.about import About
from metrologue.scorers.core.capabilities import Fitted
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.kernels.hashing import hash_ids, hash_ngrams, ngram_values
from metrologue.scorers.core.numbers import counted, each, number
from metrologue.scorers.core.options import LONGEST_NGRAM, of_means, option, reading_fields, with_default
from metrologue.scorers.core.rows import by_name, join, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.tables import Table, hash_types, type_hashes
from metrologue.scorers.core.totals import Totals
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.kernels.c_math import powers
from metrologue.segments import Segments
from metrologue.text.lexicon.document_frequencies import is_number, named_frequencies, read_frequencies
from metrologue.text.lexicon.resource import Resource, in_key_order, is_saved
from metrologue.text.reading import View

__all__ = ["Cider", "cosine", "length_penalty"]


def cosine(product: Floats, own_squares: Floats, its_squares: Floats) -> Floats:
    """The cosine of two vectors of n-grams; 0 if one of them is all zeros.

    Parameters
    ----------
    product, own_squares, its_squares : float64 (...)
        The dot product, and the sum of the squares of each vector.

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> cosine(np.array([2.0, 0.0]), np.array([4.0, 0.0]), np.array([4.0, 1.0]))
    array([0.5, 0. ])
    """
    sums = np.stack(np.broadcast_arrays(product, own_squares, its_squares), axis=-1).astype(np.float64)
    cosines = np.empty(sums.shape[:-1])
    put_cosines(sums.reshape(-1, 1, 3), cosines.reshape(-1, 1))
    return cosines


def length_penalty(difference: Floats, sigma: float) -> Floats:
    """CIDEr-D's penalty: 1 for equal lengths, less for longer and for shorter hypotheses.

    Parameters
    ----------
    difference : float64 (...)
        Words of the hypothesis, less words of the reference.
    sigma : float
        The standard deviation of the bell curve; without a penalty it is infinite.

    Returns
    -------
    float64 (...)
        0 to 1.

    Examples
    --------
    >>> length_penalty(np.array([0.0, 6.0, -6.0]), 6.0).round(6)
    array([1.      , 0.606531, 0.606531])
    """
    return powers(math.e, -(difference**2) / (2 * sigma**2))


# For so few tokens, one table of n-grams of all orders is quicker than one of each order.
_FEW = 1 << 10


@dataclass(frozen=True, kw_only=True)
class Cider(Tokenized, PairScorer, Fitted):
    """The mean cosine of a caption's n-grams with those of its references, weighted by tf-idf; higher is better, 0-10.

    A text is a vector for each order: how often it has each n-gram, times the n-gram's weight. The weight is
    ln(number of images / number of images whose references have the n-gram). An n-gram that no image has counts as
    if one had it. The score of an image is the mean over its references and over all orders, and that of a corpus is
    the mean of its images. A segment stands for an image.

    CIDEr-D has two more parts, against captions that repeat words to gain points: an entry of the hypothesis counts in
    the product at most as much as that of the reference, and a penalty lowers the score if the lengths differ.
    The program of COCO computes CIDEr-D and prints it as CIDEr. The defaults are COCO's.

    The weights depend on all references, so scores on different test sets are not comparable. The score of a single
    segment uses the weights of all of them. With a single image all weights are ln(1) = 0, and so is the score; ``fit``
    makes the weights from more references, and ``with_frequencies`` takes them from a table. The libraries count
    a text's length in bigrams. The difference of two lengths is the same in words, unless one text is empty, and then
    the score is 0.

    Raises
    ------
    InputError
        If a value is out of range, or the table has shorter n-grams only.

    References
    ----------
    Vedantam et al. 2015, https://arxiv.org/abs/1411.5726, without the stemming of the paper, as the authors' program
    https://github.com/vrama91/cider; pycocoevalcap's ``Cider``, which is CIDEr-D.

    Examples
    --------
    >>> predictions = ["a cat is on the mat", "a dog is running in the park"]
    >>> references = [["a cat sits on the mat", "the cat is on the mat"], ["a dog runs in the park"]]
    >>> round(Cider().corpus(predictions, references).value, 6)
    4.78824
    """

    name: ClassVar[str] = "cider"
    _weighs: ClassVar[bool] = True
    about: ClassVar = About(papers=("vedantam-etal-2015-cider",))

    tokenizer: str = "ptb"
    # A table has n-grams up to one order, so both belong together.
    # fmt: off
    max_order: int = option(
        4, stage="pairs", choice="n-grams", least=1, greatest=LONGEST_NGRAM, about="Longest n-gram."
    )
    document_frequency: Resource | None = option(
        None, stage="pairs", choice="n-grams", kind="fitted",
        about="The images whose references have each n-gram, as ``fit`` counts them. None: they come from the "
        "references that are scored.",
    )
    clipped: bool = option(
        True, stage="pairs", choice="clipping",
        about="Whether an entry of the hypothesis is at most that of the reference, in the product (CIDEr-D).",
    )
    sigma: float = option(
        6.0, stage="join", choice="length penalty", least=1e-9, infinite=True,
        about="The standard deviation of the length penalty, in words. Infinite: there is no penalty (CIDEr).",
    )
    multi_reference: str = option(
        "mean", stage="join", choice="several references",
        about="How several references join.",
        one_of={"mean": "the mean of their cosines", "best": "the reference with the best score; ties: the first"},
    )
    scale: float = with_default(
        10.0,
        about="The score of a text that equals its only reference and has `max_order` words or more. The libraries "
        "have 10.",
    )
    aggregation: str = of_means()
    # fmt: on

    def _check_together(self) -> None:
        if self.document_frequency and (most := int(self.document_frequency.table["max_order"][0])) < self.max_order:
            raise InputError(
                f"Cider: `document_frequency` has n-grams of at most {most} tokens, but `max_order` is "
                f"{self.max_order}; fit it again."
            )

    @property
    def _columns(self) -> tuple[str, ...]:
        return (*(f"similarity_{n}" for n in range(1, self.max_order + 1)), "similarity", "segments")

    numbers: ClassVar = (
        number("cider", 0, "scale", better="higher", title="CIDEr", about="mean of the CIDEr of all orders"),
        each("max_order", number(
            "cider_{n}", 0, "scale", better="higher", title="CIDEr-{n}",
            about="mean cosine of the {n}-grams of captions and references, weighted by tf-idf",
        )),
        each("max_order", number(
            "similarity_{n}", 0, np.inf, about="sum over the segments of the cosine of {n}-grams, from 0 to 1 each",
        )),
        number("similarity", 0, np.inf, about="sum over the segments of the mean cosine of all orders"),
        counted("segments", "segments", about="images, one for each segment"),
    )  # fmt: skip

    def with_frequencies(self, frequencies: Mapping[tuple[str, ...], float], documents: float) -> Self:
        """The scorer with weights from a table of document frequencies.

        Parameters
        ----------
        frequencies : mapping of n-grams to float
            The number of images whose references have the n-gram. An n-gram is a tuple of tokens.
        documents : float
            The number of images, 1 or more.

        Raises
        ------
        InputError
            If a key is not an n-gram, or a frequency is not a number from 0 to `documents`.

        Examples
        --------
        >>> scorer = Cider(max_order=1).with_frequencies({("a",): 9, ("cat",): 1}, 10)
        >>> round(scorer.corpus(["a cat"], ["one cat"]).value, 4)
        7.0637
        """
        arrays = _table_of(frequencies, documents)
        table = Resource.of(f"{self.name}-document_frequency", arrays, reading_fields(self))
        return replace(self, document_frequency=table)

    def with_table(self, path: str | Path, documents: float | None = None) -> Self:
        """The scorer with the weights of a saved table.

        Parameters
        ----------
        path : str or Path
            A file that ``document_frequency.save`` wrote, or a pickled table; see
            ``metrologue.text.lexicon.document_frequencies.read_frequencies``. "coco-val-df" is COCO's, the file
            ``coco-val-df.p`` in this folder, its folder ``data`` or the cache's folder.
        documents : float, optional
            The number of images, for a pickled table that does not have it.

        Raises
        ------
        InputError
            If the file has no such table, or the number of images is missing.

        Examples
        --------
        >>> scorer = Cider().with_table("coco-val-df.p", documents=40504)  # doctest: +SKIP
        """
        path, known = named_frequencies(path)
        documents = known if documents is None else documents
        if is_saved(path):
            return replace(self, document_frequency=Resource.load(path))
        frequencies, stored = read_frequencies(path)
        images = documents if stored is None else stored
        if images is None:
            raise InputError(f"Cider: {path} does not say how many images it is made from; give `documents`.")
        return self.with_frequencies(frequencies, images)

    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        return {"document_frequency": in_key_order(self._frequencies(self._view(segments)))}

    def _fit_counts(self, segments: Segments) -> dict[str, Table]:
        table = self._frequencies(self._view(segments))
        keys = np.column_stack([table["high"], table["low"]])
        return {"document_frequency": Table(keys, table["frequency"].astype(np.int64))}

    def _fit_from(self, counts: Totals) -> dict[str, dict[str, Any]]:
        table: Any = counts.tables["document_frequency"]
        arrays = self._frequency_arrays(table.keys, table.counts, counts.segments)
        return {"document_frequency": in_key_order(arrays)}

    def _frequencies(self, view: View) -> dict[str, Any]:
        """How many segments have each n-gram in their references, by the hash of the n-gram."""
        keys, counts = self._documents(view, type_hashes(view))
        return self._frequency_arrays(keys, counts, len(view))

    def _frequency_arrays(self, keys: Words, counts: Floats | Offsets, documents: int) -> dict[str, Any]:
        return {
            "high": keys[:, 0],
            "low": keys[:, 1],
            "frequency": counts.astype(np.float64, copy=False),
            "documents": np.array([float(documents)]),
            "max_order": np.array([self.max_order]),
        }

    def _documents(self, view: View, types: Words) -> tuple[Words, Floats]:
        """The hash of each n-gram of the references, (n, 2), and how many segments have it, (n,)."""
        offsets, documents = view.offsets[len(view) :], view.reference_offsets
        keys, counts = ngram_documents(view.ids, offsets, documents, types, self.max_order)
        return keys, counts.astype(np.float64)

    def _weigh(self, segments: Segments, threads: int) -> None:
        segments.read(self._words, threads=threads)
        self._weighted(segments, threads)

    def _weighted(self, segments: Segments, threads: int = 1) -> Floats:
        """The weight of the n-gram of each order that begins at each token of all texts, (n_tokens, max_order)."""
        key = ("weights", *self._key("pairs"))
        return of_texts(segments, key, lambda: self._weights(self._view(segments), threads))

    def _weights(self, view: View, threads: int = 1) -> Floats:
        if self.document_frequency is not None:
            table = self.document_frequency.table
            types, documents, frequency = type_hashes(view), table["documents"].item(), table["frequency"]
            keys = np.column_stack([table["high"], table["low"]])
        elif len(view.ids) > _FEW:
            first, documents = view.first_reference, view.reference_offsets
            if view.offsets[first] < len(view.ids):
                return ngram_rarities(view.ids, view.offsets, first, documents, self.max_order, threads)
            frequency = np.empty(0)
        else:  # nobody keeps the table, so hashes of the ids are good enough
            types, documents = hash_ids(view.type_count), float(len(view))
            keys, frequency = self._documents(view, types)
        if not len(frequency):
            raise InputError("Cider: the references have no tokens, so n-grams have no weights.")
        most = np.log(documents)
        rarities = most - np.log(np.maximum(frequency, 1.0))
        return ngram_values(view.ids, view.offsets, types, keys, rarities, float(most), self.max_order)

    def _pair_statistics(self, segments: Segments) -> Floats:
        """The cosine of each pair for each order, and by how many words the lengths differ."""
        view = self._view(segments)
        hypotheses, references = view.pairs
        sums = dot_products(view.paired, self._weighted(segments), self.clipped)
        lengths = view.text_lengths
        rows = np.empty((len(sums), self.max_order + 1))
        put_cosines(sums, rows)
        rows[:, -1] = lengths[hypotheses] - lengths[references]
        return rows

    def _statistics(self, segments: Segments) -> Floats:
        pairs = self._pairs(segments)
        penalty = length_penalty(pairs[:, -1:], self.sigma)
        cosines, offsets = pairs[:, :-1] * penalty, segments.reference_offsets
        if self.multi_reference == "mean":
            return self._rows_of(reference_sums(cosines, offsets), np.diff(offsets)[:, None])
        return join(self.multi_reference, self._rows_of(cosines, 1), offsets, self._quality)

    def _rows_of(self, cosines: Floats, counts: Offsets | int) -> Floats:
        """Rows from sums of cosines over references, and how many these are. COCO's program divides by them last."""
        rows = np.ones((len(cosines), self.max_order + 2))
        np.divide(cosines, counts, rows[:, :-2])
        np.divide(np.add.reduce(cosines, axis=1, keepdims=True) / self.max_order, counts, rows[:, -2:-1])
        return rows

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        segments = statistics[..., -1:]
        means = ratio(statistics[..., :-1], segments)
        return {
            "cider": self.scale * means[..., -1],
            **{f"cider_{n}": self.scale * means[..., n - 1] for n in range(1, self.max_order + 1)},
            **by_name(self._columns, statistics),
        }

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A warning if the weights come from a single image, or from images with the same references."""
        if self.document_frequency is not None or not len(segments):
            return super()._hints(segments, of_each)
        if len(segments) > 1:
            first = {*segments.pair(0)[1]}
            if not all({*segments.pair(i)[1]} == first for i in range(1, len(segments))):  # mostly, the first ends it
                return super()._hints(segments, of_each)
            return [
                f"Cider: all {len(segments)} images have the same references, so the weights of their n-grams are "
                "ln(1) = 0, and so is the score; make them from more images with fit(segments), or give "
                "`document_frequency`."
            ]
        return [
            "Cider: the weights of n-grams come from the references of a single image, so all of them are "
            "ln(1/1) = 0, and so is the score; make them from more images with fit(segments), or give "
            "`document_frequency`."
        ]

    _variants: ClassVar = {
        "coco": Variant(
            "pycocoevalcap", "the CIDEr of COCO's table: CIDEr-D over PTB tokens", live="pycocoevalcap.coco_cider",
            needs=("java",),
            recommended=Recommended(
                "it is the pipeline of the captioning challenge, for English", "vedantam-etal-2015-cider"
            ),
        ),
        "pycocoevalcap": Variant(
            "pycocoevalcap", "Cider().compute_score without its PTB tokenizer: CIDEr-D over str.split()",
            {"tokenizer": "whitespace"}, live="pycocoevalcap.cider",
        ),
        "cider": Variant(
            "Vedantam", "the paper's CIDEr, as the authors' Cider over PTB tokens: no clipping, no penalty",
            {"clipped": False, "sigma": np.inf},
        ),
        "cider-d": Variant("Vedantam", "the paper's CIDEr-D, as the authors' CiderD over PTB tokens: it equals `coco`"),
    }  # fmt: skip


def _table_of(frequencies: Mapping[tuple[str, ...], float], documents: float) -> dict[str, Any]:
    """The arrays of a fitted table: the hash of each n-gram and its frequency, the documents, and the longest order.

    Raises
    ------
    InputError
        If a key is not an n-gram, or a frequency is not a number from 0 to `documents`.
    """
    if not is_number(documents) or documents < 1:
        raise InputError(f"with_frequencies: `documents` is {shown(documents)}; a number of 1 or more is expected.")
    numbers: dict[str, int] = {}
    keys = [np.empty((0, 2), np.uint64)]
    values: list[float] = []
    by_order: dict[int, list[int]] = {}
    of_order: dict[int, list[float]] = {}
    for ngram, value in frequencies.items():
        if not isinstance(ngram, tuple) or not ngram or not all(isinstance(token, str) for token in ngram):
            raise InputError(f"with_frequencies: the key {shown(ngram)} is not an n-gram; a tuple of str is expected.")
        if not is_number(value) or not 0 <= value <= documents:
            raise InputError(
                f"with_frequencies: {shown(ngram)} is in {shown(value)} documents; a number from 0 to {documents} "
                "is expected."
            )
        by_order.setdefault(len(ngram), []).extend(numbers.setdefault(token, len(numbers)) for token in ngram)
        of_order.setdefault(len(ngram), []).append(float(value))
    types = hash_types(numbers)
    for order, ids in by_order.items():
        offsets = np.arange(0, len(ids) + 1, order)
        keys.append(hash_ngrams(np.array(ids, np.int32), offsets, types, order))
        values += of_order[order]
    hashes = np.concatenate(keys)
    return {
        "high": np.ascontiguousarray(hashes[:, 0]),
        "low": np.ascontiguousarray(hashes[:, 1]),
        "frequency": np.array(values, np.float64),
        "documents": np.array([float(documents)]),
        "max_order": np.array([max(by_order, default=0)]),
    }

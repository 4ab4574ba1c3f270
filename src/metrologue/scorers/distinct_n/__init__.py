"""Distinct-n: the share of distinct n-grams in texts (Li et al. 2016)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import Input, groups, single_texts
from metrologue.scorers.core.kernels.hashing import hash_apart, hash_ngrams, tally
from metrologue.scorers.core.numbers import counted, each, number
from metrologue.scorers.core.options import LONGEST_NGRAM, option
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.shapes import SetScorer, Tokenized
from metrologue.scorers.core.tables import Table, type_hashes
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["DistinctN", "distinct_n", "expected_distinct"]


def distinct_n(distinct_count: Floats, count: Floats) -> Floats:
    """Distinct-n: distinct n-grams, divided by all n-grams (in the paper by all tokens); 0 if there are none.

    Parameters
    ----------
    distinct_count, count : float64 (...)

    Returns
    -------
    float64 (...)

    Examples
    --------
    "the cat sat", "the cat ran" and "a dog ran fast" have 10 words, and 7 of them are distinct.

    >>> distinct_n(np.array(7.0), np.array(10.0))
    array(0.7)
    """
    return ratio(distinct_count, count)


def expected_distinct(count: Floats, vocabulary: int) -> Floats:
    """The expected number of distinct n-grams in `count` random draws from `vocabulary` n-grams (Liu et al. 2022).

    Parameters
    ----------
    count : float64 (...)
    vocabulary : int

    Returns
    -------
    float64 (...)

    Examples
    --------
    >>> float(expected_distinct(np.array(10.0), 1000).round(5))
    9.95512
    """
    # V (1 - (1 - 1/V)^C), computed with logarithms. If V is far above C, the plain formula loses nearly all digits.
    missing = np.log1p(-1 / vocabulary) if vocabulary > 1 else -math.inf
    with np.errstate(invalid="ignore"):
        return np.where(count > 0, -vocabulary * np.expm1(count * missing), 0.0)


@dataclass(frozen=True, kw_only=True)
class DistinctN(Tokenized, SetScorer):
    """The share of distinct n-grams in texts; higher is more diverse, 0-1. There are no references.

    Each order n has three numbers. ``distinct_n`` is the share in all texts together. ``mean_distinct_n`` is the mean
    of the shares of single texts, over the texts that have an n-gram. ``entropy_n`` is the entropy of the n-grams of
    all texts, in nats (Zhang et al. 2018). No n-gram crosses from one text into the next. Longer texts have a lower
    distinct-n, so only texts of about the same length are comparable.

    A prediction may also be a list of texts: a group, such as all answers to one prompt, or all captions of a picture.
    Then the shares of groups take the place of those of single texts. With ``denominator="tokens"`` their mean is Div-n
    (Shetty et al. 2017).

    References
    ----------
    Li et al. 2016, https://aclanthology.org/N16-1014; Shetty et al. 2017, https://arxiv.org/abs/1703.10476; Zhang et
    al. 2018, https://arxiv.org/abs/1809.05972; Liu et al. 2022, https://aclanthology.org/2022.acl-short.86.

    Examples
    --------
    >>> result = DistinctN().corpus(["the cat sat", "the cat ran", "a dog ran fast"])
    >>> result.scores["distinct_1"], result.scores["mean_distinct_1"], round(result.value, 4)
    (0.7, 1.0, 0.8571)
    >>> round(DistinctN(orders=(1,), vocabulary=1000).corpus(["the cat sat", "the cat ran", "a dog ran fast"]).value, 6)
    0.703156
    >>> groups = [["the cat sat", "the cat ran"], ["a dog ran", "a cow mooed"]]
    >>> round(DistinctN(orders=(1,), level="sentence", denominator="tokens").corpus(groups).value, 4)
    0.75
    """

    name: ClassVar[str] = "distinct_n"
    about: ClassVar = About(papers=("li-etal-2016-diversity", "liu-etal-2022-rethinking"))
    inputs: ClassVar[tuple[Input, ...]] = (groups("predictions"),)
    title: ClassVar[str] = "distinct-n"

    # fmt: off
    orders: tuple[int, ...] = option(
        (1, 2), stage="pairs", choice="orders", least=1, greatest=LONGEST_NGRAM,
        about="The n of the n-grams. `value` is that of the last one.",
    )
    denominator: str = option(
        "ngrams", stage="join", choice="denominator",
        about="What the number of distinct n-grams is divided by.",
        one_of={"ngrams": "all n-grams of the order", "tokens": "all tokens (the paper, for every order)"},
    )
    vocabulary: int | None = option(
        None, stage="join", choice="expectation", least=1,
        about="Expectation-adjusted distinct (EAD): divide by the expected number of distinct n-grams in as many "
        "random draws from `vocabulary` n-grams, and not by the number of draws. The paper takes the size of a model's "
        "vocabulary, or the number of types of a data set. None: do not adjust.",
    )
    level: str = option(
        "corpus", stage="score", choice="level",
        about="What `value` is. The result has both.",
        one_of={
            "corpus": "distinct-n of all texts together, all that a system wrote",
            "sentence": "the mean distinct-n of single texts, or of groups",
        },
    )
    # fmt: on

    def _check_together(self) -> None:
        self._check("orders", 0 < len(set(self.orders)) == len(self.orders), "a list of at least one order, each once,")

    @property
    def _usual(self) -> str:
        """``distinct_n`` or ``mean_distinct_n`` of the last order."""
        return f"{'' if self.level == 'corpus' else 'mean_'}distinct_{self.orders[-1]}"

    @property
    def _columns(self) -> tuple[str, ...]:
        return ("token_count", *(f"{name}_{n}" for n in self.orders for name in _ADDED + _OF_TABLE))

    numbers: ClassVar = (
        each(
            "orders",
            number(
                "distinct_{n}", 0, "_most", better="higher", title="distinct-{n}", unit="points",
                about="distinct {n}-grams of all texts together, divided by all {n}-grams, or as `denominator` says",
            ),
            number(
                "mean_distinct_{n}", 0, "_most", better="higher", title="mean distinct-{n}", unit="points",
                about="mean of the distinct-{n} of single texts, or of groups",
            ),
        ),
        each(
            "orders",
            number(
                "entropy_{n}", 0, math.inf, better="higher", unit="nats",
                about="entropy of the {n}-grams of all texts",
            ),
            counted("distinct_count_{n}", "n-grams", about="distinct {n}-grams of all texts"),
            counted("count_{n}", "n-grams", about="{n}-grams of all texts"),
        ),
        counted("token_count", "tokens", about="tokens of all texts"),
    )  # fmt: skip

    @property
    def _most(self) -> float:
        """The greatest share: the scale, unless shares are adjusted."""
        return self.scale if self.vocabulary is None else math.inf

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A hint if no text is as long as an n-gram."""
        longest = int(np.diff(self._texts(segments)[1]).max(initial=0))
        missing = [f"{n}-gram" for n in self.orders if n > longest]
        told = f"DistinctN: no text has a {' or a '.join(missing)}, and 0 stands for their numbers."
        return [*super()._hints(segments, of_each), *([told] if missing else [])]

    def _statistics(self, segments: Segments) -> Floats:
        ids, offsets, types = self._texts(segments)
        segment_of = np.repeat(np.arange(len(segments)), np.diff(segments.predictions.offsets))
        lengths = np.diff(offsets)

        def summed(of_texts: NDArray[np.int64]) -> Floats:
            return np.bincount(segment_of, of_texts, len(segments)).astype(np.float64)

        tokens = summed(lengths)
        columns = [tokens]
        for n in self.orders:
            each = np.maximum(lengths - n + 1, 0)
            groups = np.repeat(segment_of, each)
            distinct, count_log_count = _each_group(hash_ngrams(ids, offsets, types, n), groups, len(segments))
            count = summed(each)
            share = self._share(distinct, count, tokens)
            columns += [count, np.minimum(count, 1), share, distinct, count_log_count]
        return np.column_stack(columns)

    def _tables(self, segments: Segments) -> dict[str, Table]:
        ids, offsets, types = self._texts(segments)
        return {f"ngrams_{n}": Table.of(hash_ngrams(ids, offsets, types, n)) for n in self.orders}

    @property
    def _added(self) -> tuple[str, ...]:
        return ("token_count", *(f"{name}_{n}" for n in self.orders for name in _ADDED))

    def _of_tables(self, tables: Mapping[str, Table]) -> dict[str, float]:
        counts = {n: np.sort(tables[f"ngrams_{n}"].counts) for n in self.orders}
        return {
            **{f"distinct_count_{n}": float(len(count)) for n, count in counts.items()},
            **{f"count_log_count_{n}": float((count * np.log(count)).sum()) for n, count in counts.items()},
        }

    def _texts(self, segments: Segments) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint64]]:
        """The tokens of the predictions, the start of each text, and the hash of each type."""
        view = single_texts(segments).read(self._words)
        offsets = view.offsets[: len(view) + 1]
        types = type_hashes(view)
        return view.ids[: offsets[-1]], offsets, types

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        column = by_name(self._columns, statistics)
        tokens = column["token_count"]
        numbers: dict[str, Floats] = {}
        for n in self.orders:
            count, distinct, texts = (column[f"{name}_{n}"] for name in ("count", "distinct_count", "text_count"))
            entropy = np.log(np.maximum(count, 1)) - column[f"count_log_count_{n}"] / np.maximum(count, 1)
            numbers |= {
                f"distinct_{n}": self.scale * self._share(distinct, count, tokens),
                f"mean_distinct_{n}": self.scale * column[f"sum_of_shares_{n}"] / np.maximum(texts, 1),
                f"entropy_{n}": np.maximum(entropy, 0.0),
                f"distinct_count_{n}": distinct,
                f"count_{n}": count,
            }
        return {name: numbers.get(name, tokens) for name in self.range}

    def _share(self, distinct_count: Floats, count: Floats, tokens: Floats) -> Floats:
        total = count if self.denominator == "ngrams" else tokens
        return distinct_n(
            distinct_count, total if self.vocabulary is None else expected_distinct(total, self.vocabulary)
        )

    _variants: ClassVar = {
        "metrologue": Variant("metrologue", "distinct n-grams divided by all n-grams of the order, as in most code"),
        "paper-2016": Variant("Li", "the paper: distinct n-grams divided by all tokens", {"denominator": "tokens"}),
    }


# Columns of each order: those that add up, and those that come from the table of n-grams.
_ADDED, _OF_TABLE = ("count", "text_count", "sum_of_shares"), ("distinct_count", "count_log_count")


def _each_group(hashes: NDArray[np.uint64], groups: NDArray[np.int64], n_groups: int) -> tuple[Floats, Floats]:
    """For each group: the number of distinct n-grams, and the sum of c log c over their counts c, (n_groups,) each."""
    firsts, counts = tally(hash_apart(hashes, groups), np.ones(len(hashes), np.int64))
    distinct = np.bincount(groups[firsts], minlength=n_groups).astype(np.float64)
    count_log_count = np.bincount(groups[firsts], counts * np.log(counts), n_groups).astype(np.float64)
    return distinct, count_log_count

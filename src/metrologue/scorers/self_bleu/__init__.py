"""Self-BLEU: how much the texts of one system are alike (Zhu et al. 2018, Texygen)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.scorers.bleu import Bleu, count_ngrams
from metrologue.scorers.bleu.rules import Counts
from metrologue.scorers.core.capabilities import Fitted
from metrologue.scorers.core.inputs import Input, groups, holds_groups, single_texts
from metrologue.scorers.core.kernels.hashing import hash_ids
from metrologue.scorers.core.numbers import counted, each, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.result import finite
from metrologue.scorers.core.tables import type_hashes
from metrologue.scorers.core.threads import thread_count
from metrologue.scorers.core.totals import Totals
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.self_bleu.pool import Pool, Texts, group_numbers, lengths_of_others
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource

__all__ = ["SelfBleu"]


@dataclass(frozen=True, kw_only=True)
class SelfBleu(Bleu, Fitted):
    """BLEU of each text with all other texts as its references; lower is more diverse, 0 to `scale`.

    A corpus has the mean of its texts' scores. There are no references. Two equal texts are references of each other,
    so each scores 1. The fields of ``Bleu`` have their meaning there. The defaults are those of nltk's sentence_bleu
    with its method1, in a loop over all texts.

    Such a loop takes n passes over n texts. Here one pass keeps, for each n-gram, the two greatest counts in different
    texts. The greatest count in the other texts is the second one if the text itself has the first one. A sorted list
    of lengths gives the closest length of the others.

    References
    ----------
    Zhu et al. 2018, https://arxiv.org/abs/1802.01886; Shetty et al. 2017, https://arxiv.org/abs/1703.10476, for groups.

    Examples
    --------
    >>> scorer = SelfBleu(max_order=2)
    >>> texts = ["the cat sat", "the cat ran", "a dog ran fast"]
    >>> scorer.segments(texts).round(4)
    array([0.5774, 0.7071, 0.0913])
    >>> round(scorer.corpus(texts).value, 4)
    0.4586

    Groups:

    >>> groups = [["the cat sat", "the cat ran"], ["a dog ran", "a cow mooed", "a dog ran"]]
    >>> SelfBleu(max_order=2, others="group").segments(groups).round(4)
    array([0.5774, 0.7097])

    Batches of single texts need one pool:

    >>> scorer = scorer.fit(Segments(texts))
    >>> totals = scorer.accumulate(texts[2:], totals=scorer.accumulate(texts[:2]))
    >>> round(scorer.score_totals(totals).value, 4)
    0.4586
    """

    name: ClassVar[str] = "self_bleu"
    about: ClassVar = replace(
        Bleu.about,
        papers=("zhu-etal-2018-texygen", "papineni-etal-2002-bleu"),
    )
    inputs: ClassVar[tuple[Input, ...]] = (groups("predictions"),)

    tokenizer: str = "whitespace"
    # fmt: off
    reference_length: str = option(
        "closest", stage="join", choice="reference length",
        about="The reference length of a text.",
        one_of={
            "closest": "that of the closest other text; the shorter of two equally close ones",
            "shortest": "that of the shortest other text",
            "longest": "that of the longest other text",
        },
    )
    floor_totals: bool = True
    smoothing: str = "floor"
    skip_zero: bool = True
    aggregation: str = "mean"
    arithmetic: str = "weighted-logs-exact"
    scale: float = 1.0
    sample: int | None = option(
        None, stage="pairs", choice="sample", least=2,
        about="Score only this many texts, each against the others of them, or this many groups. None: all texts.",
    )
    seed: int | None = option(
        None, stage="pairs", choice="sample", greatest=2**32 - 1,
        about="The seed that draws the sample without replacement. None: the first texts are the sample (Texygen).",
    )
    alone: str = option(
        "error", stage="join", choice="one text",
        about="A text without any other text.",
        one_of={"error": "it is refused (nltk)", "zero": "it scores 0"},
    )
    others: str = option(
        "all", stage="pairs", choice="pool",
        about="What a text is compared with.",
        one_of={
            "all": "all others",
            "group": "those of its group. A prediction is then a list of texts, such as all answers to one prompt, or "
                "all captions of a picture. The score of a group is the mean of its texts' scores, and that of a "
                "corpus is the mean of its groups. For captions this is mBLEU (Shetty et al. 2017). Groups do not "
                "depend on each other: batches add up",
        },
    )
    pool: Resource | None = option(
        None, stage="pairs", choice="pool", kind="fitted",
        about="The texts that are the references, as ``fit`` keeps them from predictions. A text that is in the pool "
        "is compared with the rest of it. None: the texts that are scored, or the sample of them. With a pool, all "
        "given texts are scored, and batches add up.",
    )
    # fmt: on

    def _check_together(self) -> None:
        super()._check_together()
        self._check("pool", self.pool is None or self.others == "all", "None for others='group'")

    numbers: ClassVar = (
        number(
            "self_bleu", 0, "_best", better="lower", title="Self-BLEU", unit="points",
            about="BLEU of a text with the other texts as its references; high if the texts are alike",
        ),
        each("max_order", number(
            "self_bleu_{n}", 0, "_best", better="lower", title="Self-BLEU-{n}", unit="points",
            about="Self-BLEU of the orders 1 to {n}, with equal weights",
        )),
        each("max_order", number(
            "precision_{n}", 0, "_best", unit="points",
            about="share of the {n}-grams of a text that other texts have, after smoothing",
        )),
        number(
            "brevity_penalty", 0, 1,
            about="exp(1 - reference length / text length) if the text is shorter, otherwise 1",
        ),
        number("length_ratio", 0, np.inf, about="length of the text, divided by the reference length"),
        counted("hypothesis_length", "tokens", about="tokens of the texts"),
        counted("reference_length", "tokens", about="tokens of the other text that `reference_length` chooses"),
        each("max_order", counted(
            "clipped_count_{n}", "n-grams",
            about="matching {n}-grams: each counts at most as often as in one other text",
        )),
        each("max_order", counted("count_{n}", "n-grams", about="{n}-grams of the texts")),
    )  # fmt: skip

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A hint if texts of different groups are compared. Those of ``Bleu`` alone are about translations."""
        hints = super(Bleu, self)._hints(segments, of_each)
        if self.others == "group" or not holds_groups(segments):
            return hints
        return [
            *hints,
            "SelfBleu: texts of all lists are compared with each other; others='group' compares those of each.",
        ]

    @property
    def _separable(self) -> bool:
        """Whether there is a pool, or groups: otherwise each text is a reference of all others."""
        return self.pool is not None or self.others == "group"

    @property
    def _is_fitted(self) -> bool:
        """Whether there is a pool, or none is needed."""
        return self._separable

    def _sampled(self, segments: Segments) -> Segments:
        """The segments that are scored: all of them, or the sample."""
        if self.others == "all":
            segments = single_texts(segments)
        count = len(segments)
        if self.sample is None or self.sample >= count or self.pool is not None:
            return segments
        size, seed = self.sample, self.seed

        def drawn() -> Segments:
            if seed is None:
                return segments.slice(0, size)
            return segments.take(np.sort(np.random.default_rng(seed).choice(count, size, replace=False)))

        return segments.memoize(("sample", size, seed), drawn)

    def statistics(self, segments: Segments, threads: int | None = None) -> Floats:
        """The statistics of each text, as for ``Bleu``; for groups their sums, or the means of their numbers."""
        rows = super().statistics(segments, threads)
        if self.others == "all" or not len(rows):
            return rows
        offsets = self._sampled(segments).predictions.offsets
        sums: Floats = np.add.reduceat(rows, offsets[:-1])
        return sums if self.aggregation == "corpus" else sums / np.diff(offsets)[:, None]

    def _of_each(self, segments: Segments, threads: int | None) -> dict[str, Floats]:
        """Every number of each text, or of each group, each of shape (n,)."""
        return finite(self._label, self.score(self.statistics(segments, threads)), self._infinite)

    def _rows(self, segments: Segments, threads: int | None) -> Floats:
        return super()._rows(self._sampled(segments), threads)

    def _totals(self, segments: Segments, threads: int | None) -> Totals:
        return super()._totals(self._sampled(segments), threads)

    def _fit(self, segments: Segments) -> dict[str, dict[str, Any]]:
        if self.others == "group":
            raise InputError("SelfBleu: others='group' has nothing to fit.")
        segments = self._sampled(segments)
        table = Pool.of(self._texts(segments, kept=True), self._counted_orders)[0].table()
        return {"pool": {**table, "text": segments.texts()}}  # the texts are for traces

    def _texts(self, segments: Segments, kept: bool, threads: int = 1) -> Texts:
        """The tokens of the predictions. In a pool that is kept, a type is named by a hash of its text."""
        view = single_texts(segments).read(self._words, threads=threads)
        offsets = view.offsets[: len(view) + 1]
        types = type_hashes(view) if kept else hash_ids(view.type_count)
        groups = segments.predictions.offsets if self.others == "group" else None
        return Texts(view.ids[: offsets[-1]], offsets, types, groups)

    def _counted(self, segments: Segments, threads: int | None) -> Floats:
        if self.pool is not None:
            return super()._counted(segments, threads)
        if self.others == "group" and not holds_groups(segments):
            raise InputError("SelfBleu: `predictions` are single texts; others='group' needs a list of texts for each.")
        count = thread_count(threads)
        texts = self._texts(segments, kept=False, threads=count)
        pool, numbers = Pool.of(texts, self._counted_orders, count)
        return self._against(pool, texts, numbers, np.ones(len(texts.offsets) - 1, np.bool_), segments.first, count)

    def _statistics(self, segments: Segments) -> Floats:
        assert self.pool
        pool, texts, orders = Pool.from_table(self.pool.table), self._texts(segments, kept=True), self._counted_orders
        if pool.orders < orders:
            raise InputError(f"SelfBleu: `pool` was fitted with n-grams up to {pool.orders}; {orders} are needed.")
        return self._against(pool, texts, pool.find(texts, orders), pool.holds(texts), segments.first)

    def _against(
        self,
        pool: Pool,
        texts: Texts,
        numbers: list[NDArray[np.int64]],
        inside: NDArray[np.bool_],
        start: int,
        threads: int = 1,
    ) -> Floats:
        """BLEU's counts of each text with the pool, without the text itself where it is inside."""
        lengths, orders = np.diff(texts.offsets), self._counted_orders
        groups = np.arange(len(lengths)) if texts.groups is None else group_numbers(texts.groups)
        sizes = len(pool.lengths) if texts.groups is None else np.diff(texts.groups)[groups]
        others = sizes - inside
        if self.alone == "error" and (others == 0).any():
            what = " has no other text to be compared with; give two texts or more, or alone='zero'."
            raise InputError.at("SelfBleu", "predictions", start + int(groups[others == 0][0]), what)
        of_others = lengths_of_others(self.reference_length, pool.lengths, lengths, inside, texts.groups)
        rows = np.ones((len(lengths), len(self._columns)))
        counts = Counts.of(rows, orders)
        counts.length[:], counts.reference_length[:] = lengths, np.where(others > 0, of_others, 0)
        counts.clipped[:] = np.where(others[:, None] > 0, pool.clipped(texts, numbers, inside, threads), 0)
        count_ngrams(self, counts)
        return rows

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        return {_renamed(name): value for name, value in super()._score(statistics).items()}

    _variants: ClassVar = {
        "nltk": Variant(
            "nltk", "sentence_bleu with method1 over str.split(), each text against all others; the mean",
            live="nltk.self_bleu",
        ),
        "texygen": Variant(
            "Texygen",
            "SelfBleu: nltk's sentence_bleu with method1, orders 1 to 3, over word_tokenize; the first 500 texts only",
            {"tokenizer": "nltk-words", "max_order": 3, "sample": 500}, needs=("punkt",),
        ),
        "fast-bleu": Variant(
            "fast-bleu", "SelfBLEU over str.split(): nltk's method1; a single text has 0", {"alone": "zero"},
            live="fast-bleu.self_bleu",
        ),
        "sacrebleu": Variant(
            "sacrebleu",
            "sentence_bleu, each text against all others: 13a tokens, exponential smoothing, per cent; the mean",
            {
                "tokenizer": "13a", "floor_totals": False, "smoothing": "exp", "skip_zero": False,
                "effective_order": True, "arithmetic": "mean-of-logs", "scale": 100.0,
            },
            live="sacrebleu.self_bleu",
        ),
    }  # fmt: skip


def _renamed(name: str) -> str:
    return f"self_{name}" if name.startswith("bleu") else name

"""Lexical diversity: how many different words a text has for its length; the type-token ratio and its family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.errors import InputError
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import Input, in_form, texts
from metrologue.scorers.core.kernels.hashing import hash_ids, hash_ngrams, number_keys
from metrologue.scorers.core.numbers import chosen, counted
from metrologue.scorers.core.options import LONGEST_NGRAM, option, with_default
from metrologue.scorers.core.result import check_counted
from metrologue.scorers.core.rows import by_name
from metrologue.scorers.core.shapes import SetScorer, Tokenized
from metrologue.scorers.core.tables import State, Table, Tokens, type_hashes
from metrologue.scorers.core.threads import thread_count
from metrologue.scorers.families.kernels.c_math import logs
from metrologue.scorers.lexical_diversity.kernels import type_counts
from metrologue.scorers.lexical_diversity.measures import (
    MEASURES,
    NUMBERS,
    OF_COUNTS,
    Counts,
    entropy_column,
    hdd_column,
    mattr_column,
    moving_mtld_column,
    msttr_column,
    mtld_column,
    sums,
    vocd_column,
)
from metrologue.scorers.lexical_diversity.variants import VARIANTS
from metrologue.segments import Segments
from metrologue.threads import each_of

__all__ = ["LexicalDiversity"]


# The measures that need the tokens in their order; vocd-D needs it for random samples.
_ORDERED = ("msttr", "mattr", "mtld", "mtld_ma_wrap", "mtld_ma_bid")
# The measures that take longer than all others together.
_SLOW = ("mtld_ma_wrap", "mtld_ma_bid")


@dataclass(frozen=True, kw_only=True)
class LexicalDiversity(Tokenized, SetScorer):
    """How many different words texts have for their length. There are no references.

    The numbers of a corpus are those of all texts as one running text, in their order; only the n-grams of the entropy
    end with their text. `measures` says what each number is. The first eight fall or rise with the length of the text;
    MATTR, HD-D, vocd-D and MTLD depend on it very little.

    Raises
    ------
    InputError
        If `value` is not defined and `undefined` is "error".

    Notes
    -----
    Batches merge. Without MSTTR, MATTR and MTLD the totals are the count of each type, by a hash of its text. These
    three depend on the order of the tokens, and so does vocd-D of random samples. With one of them the totals keep all
    tokens: 4 bytes each, and 16 bytes for each type. The parts of one text then need their places:
    ``accumulate(..., first=1000)``, if 1000 segments come before the part.

    References
    ----------
    McCarthy & Jarvis 2007, https://doi.org/10.1177/0265532207080767, and 2010, https://doi.org/10.3758/BRM.42.2.381;
    Covington & McFall 2010, https://doi.org/10.1080/09296171003643098; Tweedie & Baayen 1998,
    https://doi.org/10.1023/A:1001749303137, for the older measures; McKee, Malvern & Richards 2000,
    https://doi.org/10.1093/llc/15.3.323, for vocd-D.

    Examples
    --------
    >>> text = "the cat sat on the mat and the dog sat on the log while the cat and the dog ran"
    >>> scores = LexicalDiversity(window=5).corpus([text]).scores
    >>> scores["ttr"], scores["mattr"], round(scores["mtld"], 4)
    (0.5, 0.9, 12.455)
    """

    name: ClassVar[str] = "lexical_diversity"
    about: ClassVar = About(papers=("mccarthy-jarvis-2010-mtld",))
    inputs: ClassVar[tuple[Input, ...]] = (texts("predictions"),)
    title: ClassVar[str] = "lexical diversity"

    # fmt: off
    tokenizer: str = with_default(
        "whitespace",
        about='How a text is cut, as `metrologue list tokenizers` shows. "whitespace" keeps a mark with its word: '
        '"cat." is not the type "cat", but it is with "unicode-words".',
    )
    lowercase: bool = True
    measures: tuple[str, ...] = option(
        tuple(one.name for one in NUMBERS if one.name not in _SLOW), stage="pairs", choice="measures",
        about="The numbers to give; `value` is the first one. By default all but the two of moving stretches: their "
        "time grows with the product of the text's length and their value. N is the number of tokens, V the number of "
        "types, and S the sum of the squared counts of the types.",
        one_of={one.name: one.about for one in NUMBERS},
    )
    window: int = option(
        50, stage="pairs", choice="window", least=1, about="Tokens of a segment of MSTTR, and of a window of MATTR."
    )
    msttr_rest: str = option(
        "drop", stage="pairs", choice="rest of MSTTR",
        about="What MSTTR does with the tokens after the last whole segment.",
        one_of={
            "drop": "it leaves them out",
            "keep": "they are a segment",
            "drop-last": "the last segment is left out, even if it is whole (lexicalrichness)",
        },
    )
    draws: int = option(
        42, stage="pairs", choice="sample of HD-D", least=1, greatest=10_000, about="Tokens of a sample of HD-D."
    )
    vocd_longest: int = option(
        50, stage="pairs", choice="samples of vocd-D", least=35, greatest=10_000,
        about="Tokens of the longest sample of vocd-D; the shortest one has 35. A text has no vocd-D if it is not "
        "longer than the longest sample.",
    )
    vocd_samples: int | None = option(
        None, stage="pairs", choice="samples of vocd-D", least=1, greatest=10_000,
        about="None: the ratios of the curve are those that are expected of random samples, and the value is exact. Or "
        "random samples of each length: those that Python's ``random.sample`` draws (lexicalrichness).",
    )
    vocd_runs: int = option(
        3, stage="pairs", choice="samples of vocd-D", least=1, greatest=1000,
        about="How often the random samples are drawn and a curve is fitted; the value is the mean.",
    )
    vocd_seed: int = option(
        42, stage="pairs", choice="samples of vocd-D", greatest=2**32 - 1, about="The seed of the random samples."
    )
    short_window: str = option(
        "cut", stage="pairs", choice="short window",
        about="A text shorter than `window`.",
        one_of={
            "cut": "it is one segment, or one window",
            "undefined": "MSTTR and MATTR have no value; MSTTR has none for a text of just one segment either "
                "(lexicalrichness)",
        },
    )
    short_sample: str = option(
        "cut", stage="pairs", choice="short sample",
        about="A text shorter than `draws`.",
        one_of={"cut": "it is the sample", "undefined": "HD-D has no value"},
    )
    mtld_threshold: float = option(
        0.72, stage="pairs", choice="threshold of MTLD", greatest=1,
        about="The type-token ratio that completes a factor.",
    )
    mtld_comparison: str = option(
        "at-most", stage="pairs", choice="comparison of MTLD",
        about="When a factor is complete.",
        one_of={
            "at-most": "as soon as its ratio is at most the threshold",
            "below": "as soon as its ratio is below the threshold",
        },
    )
    mtld_least_length: int = option(
        0, stage="pairs", choice="least length of MTLD", about="Tokens of the shortest factor."
    )
    mtld_bid_least_length: int | None = option(
        None, stage="pairs", choice="least length of MTLD",
        about="Tokens of the shortest factor of ``mtld_ma_bid``; None: `mtld_least_length`. lexical-diversity has 10, "
        "whatever its `min`.",
    )
    mtld_whole_end: bool = option(
        True, stage="pairs", choice="end of MTLD",
        about="Whether a factor may be complete at the last token. Otherwise the last token is always in a partial "
        "factor, which counts for more than 1 if its ratio is below the threshold (lexical-diversity).",
    )
    mtld_unbroken: str = option(
        "length", stage="pairs", choice="no factor of MTLD",
        about="MTLD of a text without a repeated type.",
        one_of={"length": "its length", "undefined": "it has no value"},
    )
    entropy_order: int = option(
        1, stage="pairs", choice="entropy", least=1, greatest=LONGEST_NGRAM, about="The n of the entropy's n-grams."
    )
    maas_log: str = option(
        "natural", stage="score", choice="logarithm of Maas",
        about="The logarithm of Maas' a^2.",
        one_of={"natural": "ln", "decimal": "log10, with which a^2 is 2.3 times as large"},
    )
    summer_log: str = option(
        "natural", stage="score", choice="logarithm of Summer",
        about="The logarithm of Summer's S, which is not the same for all bases.",
        one_of={"natural": "ln", "decimal": "log10, as in quanteda and koRpus"},
    )
    arithmetic: str = option(
        "types", stage="pairs", choice=None,
        about="What MSTTR and MATTR add up, which changes the last bits only.",
        one_of={"types": "the types of the windows", "ratios": "their type-token ratios (lexical-diversity)"},
    )
    undefined: str = option(
        "zero", stage="score", choice="undefined",
        about="`value`, where it is not defined, such as a ratio without tokens. The other numbers are 0 where they "
        "are not defined, and a warning names them.",
        one_of={"zero": "it is 0", "error": "an InputError"},
    )
    aggregation: str = option(
        "corpus", stage="score", choice="aggregation",
        one_of={"corpus": "all texts are one running text", "mean": "the mean of the texts' own numbers"},
    )
    scale: float = with_default(
        1.0, about="The value of a ratio of 1, for the type-token ratio, MSTTR, MATTR and HD-D."
    )
    # fmt: on

    def _derive(self) -> None:
        self._set_field(measures=tuple(dict.fromkeys(self.measures)))

    def _check_together(self) -> None:
        self._check("measures", bool(self.measures), "a list of at least one measure")

    @property
    def _columns(self) -> tuple[str, ...]:
        of_texts = (name for name in MEASURES if name not in OF_COUNTS and name in self.measures)
        return ("token_count", "type_count", "square_count", *of_texts)

    @property
    def _most_summer(self) -> float:
        """The greatest S: of decimal logarithms, those of fewer than ten words are below 1, and so S has no limit."""
        return 1.0 if self.summer_log == "natural" else np.inf

    @property
    def _keeps_order(self) -> bool:
        """Whether a measure needs the tokens in their order."""
        draws = "vocd_d" in self.measures and self.vocd_samples is not None
        return draws or not {*_ORDERED}.isdisjoint(self.measures)

    numbers: ClassVar = (
        chosen("measures", *NUMBERS),
        counted("token_count", "tokens", about="tokens, N"),
        counted("type_count", "types", about="distinct tokens, V"),
    )

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Hints where a text is shorter than a window or a sample, and where a number is not defined."""
        lengths = self._view(segments).lengths
        each = of_each or self._additive
        least = int(lengths.min(initial=2**62) if each else lengths.sum())
        cut = [("window", self.short_window, {"msttr", "mattr"}), ("draws", self.short_sample, {"hdd"})]
        short = [
            f"`{name}` of {getattr(self, name)}"
            for name, rule, needing in cut
            if rule == "cut" and needing & {*self.measures} and 0 < least < getattr(self, name)
        ]
        hints = super()._hints(segments, of_each)
        if short:
            hints.append(
                f"LexicalDiversity: a text of {least} token{'s' * (least > 1)} is shorter than the "
                f"{' and the '.join(short)}. Its value is the type-token ratio of the whole text, which falls with the "
                "length."
            )
        numbers = self._numbers(self._rows(segments, None) if each else self._total(segments, None))
        if missing := [f"`{name}`" for name, value in numbers.items() if not np.isfinite(value).all()]:
            hints.append(f"LexicalDiversity: 0 stands for what is not defined for a text here: {', '.join(missing)}.")
        return hints

    def _statistics(self, segments: Segments) -> Floats:
        ids, offsets = self._texts(segments)
        counts = type_counts(ids, offsets)
        return self._rows_of(np.diff(offsets), counts, self._ngram_counts(ids, offsets, counts), (ids, offsets))

    def _total(self, segments: Segments, threads: int | None) -> Floats:
        if self._additive:
            return super()._total(segments, threads)

        segments = in_form(self, segments)

        def whole() -> Floats:
            check_counted(self._label, len(segments))
            count = thread_count(threads)
            return self._whole(*self._texts(segments, count), count)

        return segments.memoize((*self._key("join"), "total"), whole)

    def _whole(self, ids: NDArray[np.int32], offsets: NDArray[np.int64], threads: int = 1) -> Floats:
        """The columns of all texts as one running text, (k,)."""
        ends = np.array([0, len(ids)])
        counts = type_counts(ids, ends)
        ngrams = self._ngram_counts(ids, offsets, counts)
        row: Floats = self._rows_of(np.diff(ends), counts, ngrams, (ids, ends), threads)[0]
        return row

    def _tables(self, segments: Segments) -> Mapping[str, State]:
        ids, offsets = self._texts(segments)
        view = self._view(segments)
        types = type_hashes(view)
        if self._keeps_order:
            return {"tokens": Tokens.of(types, ids, np.diff(offsets))}
        orders = {1, self.entropy_order} if "entropy" in self.measures else {1}
        return {f"ngrams_{n}": Table.of(hash_ngrams(ids, offsets, types, n)) for n in sorted(orders)}

    _added = ("token_count",)

    @property
    def _totals_in_order(self) -> bool:
        """Whether the totals are all tokens, in their order."""
        return self._keeps_order and not self._additive

    def _of_tables(self, tables: Mapping[str, Any]) -> dict[str, float]:
        if self._keeps_order:
            tokens: Tokens = tables["tokens"]
            row = self._whole(tokens.ids, np.concatenate([[0], np.cumsum(tokens.lengths)]))
        else:
            order = self.entropy_order if "entropy" in self.measures else 1
            counted = [np.sort(tables[f"ngrams_{n}"].counts) for n in (1, order)]
            counts, ngrams = ((each, np.array([0, len(each)])) for each in counted)
            row = self._rows_of(counts[0].sum()[None], counts, ngrams, None)[0]
        return {name: value for name, value in zip(self._columns, row.tolist(), strict=True) if name != "token_count"}

    def _texts(self, segments: Segments, threads: int = 1) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The tokens of the predictions, and the start of each text."""
        view = segments.read(self._words, threads=threads)
        offsets = view.offsets[: len(view) + 1]
        return view.ids[: offsets[-1]], offsets

    def _ngram_counts(self, ids: NDArray[np.int32], offsets: NDArray[np.int64], types: Counts) -> Counts:
        """How often each n-gram of the entropy occurs, in each text or in all, as `types` has it for the types."""
        order, in_all = self.entropy_order, len(types[1]) != len(offsets)
        if "entropy" not in self.measures:
            return np.zeros(0, np.int64), np.zeros(len(types[1]), np.int64)
        if order == 1:
            return types
        hashes = hash_ngrams(ids, offsets, hash_ids(int(ids.max(initial=-1)) + 1), order)
        numbers = number_keys(hashes)[1].astype(np.int32)
        lengths = np.maximum(np.diff(offsets) - order + 1, 0)
        return type_counts(numbers, np.concatenate([[0], [len(numbers)] if in_all else np.cumsum(lengths)]))

    def _rows_of(
        self,
        lengths: NDArray[np.int64],
        counts: Counts,
        ngrams: Counts,
        order: tuple[NDArray[np.int32], NDArray[np.int64]] | None,
        threads: int = 1,
    ) -> Floats:
        """The columns of texts, (n_texts, k), from the counts of their types and n-grams, and their tokens in order."""
        columns: dict[str, Floats] = {
            "token_count": lengths.astype(np.float64),
            "type_count": np.diff(counts[1]).astype(np.float64),
            "square_count": sums(counts[0].astype(np.float64) ** 2, counts[1]),
        }
        whole_window, factor = self.short_window == "cut", (self.mtld_threshold, self.mtld_comparison == "below")
        bid_least, shares = self.mtld_bid_least_length, self.arithmetic == "ratios"
        least_of_both = self.mtld_least_length if bid_least is None else bid_least
        ids, offsets = order or (np.zeros(0, np.int32), np.zeros(len(lengths) + 1, np.int64))
        made: dict[str, Callable[[], Floats]] = {  # what takes long begins first
            "mtld_ma_wrap": lambda: moving_mtld_column(ids, offsets, *factor, self.mtld_least_length, True, threads),
            "mtld_ma_bid": lambda: moving_mtld_column(ids, offsets, *factor, least_of_both, False, threads),
            "mtld": lambda: mtld_column(
                ids, offsets, *factor, self.mtld_least_length, self.mtld_whole_end, self.mtld_unbroken, threads
            ),
            "hdd": lambda: hdd_column(lengths, counts, self.draws, self.short_sample == "cut"),
            "vocd_d": lambda: vocd_column(
                lengths, counts, order, self.vocd_longest, self.vocd_samples, self.vocd_runs, self.vocd_seed
            ),
            "entropy": lambda: entropy_column(ngrams),
            "msttr": lambda: msttr_column(ids, offsets, self.window, self.msttr_rest, whole_window, shares),
            "mattr": lambda: mattr_column(ids, offsets, self.window, whole_window, shares),
        }
        wanted = [name for name in made if name in self._columns]
        columns.update(zip(wanted, each_of(lambda name: made[name](), wanted, threads), strict=True))
        return np.column_stack([columns[name] for name in self._columns])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        numbers = self._numbers(statistics)
        is_defined = np.isfinite(numbers[self.primary])
        if self.undefined == "error" and not is_defined.all():
            self._refuse(is_defined, statistics[..., 0])
        defined = {name: np.where(np.isfinite(value), value, 0.0) for name, value in numbers.items()}
        return {**defined, "token_count": statistics[..., 0], "type_count": statistics[..., 1]}

    def _numbers(self, statistics: Floats) -> dict[str, Floats]:
        """The value of each measure; not finite where it is not defined."""
        column = by_name(self._columns, statistics)
        tokens, types, squares = (column[name] for name in ("token_count", "type_count", "square_count"))
        units = dict.fromkeys(_SCALED, self.scale)
        decimal = _MAAS_LOG * (self.maas_log == "decimal") + ("summer_s",) * (self.summer_log == "decimal")
        numbers: dict[str, Floats] = {}
        for name in self.measures:
            of_counts, log = OF_COUNTS.get(name), partial(logs, decimal=name in decimal)
            with np.errstate(divide="ignore", invalid="ignore"):
                value = of_counts(tokens, types, squares, log) if of_counts else column[name]
                numbers[name] = units.get(name, 1.0) * value
        return numbers

    def _refuse(self, is_defined: NDArray[np.bool_], tokens: Floats) -> None:
        index = int(np.flatnonzero(~is_defined)[0])
        what = f"segment {index}, counted from 0" if is_defined.ndim else "the text"
        raise InputError(
            f"{self._label}: `{self.primary}` is not defined for {what}, of {tokens.flat[index]:.0f} tokens; "
            "choose another measure, a smaller `window` or `draws`, or undefined='zero'."
        )

    _variants: ClassVar = VARIANTS


# The measures that have the logarithm of `maas_log`. In Herdan's C it changes the last bit only.
_MAAS_LOG = ("herdan_c", "maas_a2")
_SCALED = tuple(one.name for one in NUMBERS if one.unit == "points")

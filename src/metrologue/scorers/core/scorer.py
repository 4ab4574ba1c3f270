"""The base of every metric: statistics of each segment, their aggregate, and the score of the aggregate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.exact_sums import exact_sums
from metrologue.errors import InputError, instead_of, shown
from metrologue.scorers.core.about import About
from metrologue.scorers.core.capabilities import Fitted, fitted
from metrologue.scorers.core.configuration import Configuration
from metrologue.scorers.core.declared import check_numbers, check_rows
from metrologue.scorers.core.hints import are_plain, dropped_characters, unparted, warn
from metrologue.scorers.core.inputs import REFERENCES, Input, given_to, holds_groups, in_form, segments_of, texts
from metrologue.scorers.core.numbers import Numbered
from metrologue.scorers.core.options import fitted_fields, option
from metrologue.scorers.core.result import Result, check_counted, finite, plain_numbers
from metrologue.scorers.core.text_hints import hints_of_texts
from metrologue.scorers.core.threads import each_part, each_part_of_whole, each_rows
from metrologue.scorers.core.totals import Totals, checked_totals
from metrologue.segments import Segments
from metrologue.text.scripts import Language
from metrologue.text.tokenizers.registry import cuts_words

if TYPE_CHECKING:
    from metrologue.inference.metric import Metric


@dataclass(frozen=True, kw_only=True)
class Scorer(Numbered, Configuration):
    """A metric with its configuration. Two scorers with equal fields are equal.

    A metric defines four things: `numbers` declares what it reports, `_columns` names what is counted, `_statistics`
    counts it in each segment, and `_score` computes the numbers. `_score` works on sums and on single rows alike, so
    this class does the rest.

    Raises
    ------
    InputError
        If a value does not have its field's type, or is out of range. A bool is not a number, and 1 is not a bool. A
        number is stored in the field's type, and a list or a NumPy array as a tuple: equal values make equal scorers.
    """

    # What it takes for each segment: predictions first.
    inputs: ClassVar[tuple[Input, ...]] = (texts("predictions"), REFERENCES)
    about: ClassVar[About] = About()

    aggregation: str = option(
        "corpus",
        stage="score",
        choice="aggregation",
        about="How the segments of a corpus make one score.",
        one_of={"corpus": "the score of the summed statistics", "mean": "the mean of the segments' own scores"},
    )
    scale: float = option(1.0, stage="score", choice=None, least=1e-9, about="The value of a perfect score.")

    @property
    @abstractmethod
    def _columns(self) -> tuple[str, ...]:
        """Names of the columns of `_statistics`."""

    @abstractmethod
    def _statistics(self, segments: Segments) -> Floats:
        """The counts of each segment, float64 (n_segments, len(_columns)), after the stages read, pairs and join."""

    @abstractmethod
    def _score(self, statistics: Floats) -> dict[str, Floats]:
        """Every number, each of shape (...), from statistics of shape (..., len(_columns))."""

    def fit(self, segments: Segments | Totals) -> Self:
        """The scorer with tables made from the references of these segments, such as weights of n-grams.

        A scorer without such a table makes it from the segments that it scores. Totals in place of segments are merged
        parts of ``metrologue.integrations.fit_counts``, which several processes counted.

        Raises
        ------
        InputError
            If the metric has no such table, or there are no references; if the totals come from another scorer.
        """
        made: Self = fitted(self, segments)
        return made

    @cached_property
    def _is_fitted(self) -> bool:
        """Whether the scorer has the tables that ``fit`` makes, or needs none."""
        return all(getattr(self, name) is not None for name in fitted_fields(type(self)))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the k statistics: what is summed over segments."""
        return self._columns if self.aggregation == "corpus" else (*self.range, "segments")

    def statistics(self, segments: Segments, threads: int | None = None) -> Floats:
        """The statistics of each segment, which are summed over segments; for a mean, its numbers and a 1.

        Parameters
        ----------
        segments : Segments
        threads : int, optional
            ``$METROLOGUE_THREADS``, or 1, by default; the result is the same for any number.

        Returns
        -------
        float64 (n_segments, k)

        Raises
        ------
        InputError
            If the scorer needs references and there are none, or if the metric refuses a segment.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu(max_order=1).statistics(Segments(["a b"], ["a c d"]))
        array([[2., 3., 1., 2.]])
        """
        rows = self._rows(segments, threads)
        if self.aggregation == "corpus":
            return rows
        try:
            return np.concatenate(each_rows(self._row_numbers, rows, threads))
        except InputError:  # it names a row of a slice
            return self._row_numbers(rows)

    def _row_numbers(self, rows: Floats) -> Floats:
        """The numbers of each row, and a 1: what is summed for a mean."""
        numbers = self._score(rows)
        if "_score" not in self._proven:
            check_numbers(self, numbers)
        return np.column_stack([*numbers.values(), np.ones(len(rows))])

    def _rows(self, segments: Segments, threads: int | None) -> Floats:
        """`_statistics`, computed once for all scorers that differ only in the stage score."""
        segments = in_form(self, segments)
        self._check_inputs(segments)
        if not len(segments):  # the metric itself is not asked; ``aggregate`` says that there is no score
            return np.zeros((0, len(self._columns)))
        rows = segments.memoize(self._rows_key, lambda: self._counted(segments, threads))
        if "_statistics" not in self._proven:
            # Of groups, a metric may count each text.
            check_rows(self, rows, len(rows) if holds_groups(segments) else len(segments), "_statistics")
        return rows

    @cached_property
    def _proven(self) -> set[str]:
        """The methods of the author that gave what is declared: each is checked once."""
        return set()

    @cached_property
    def _rows_key(self) -> tuple[object, ...]:
        # The columns are part of the key, because they may depend on fields of the stage score.
        return (*self._key("join"), self._columns)

    def _counted(self, segments: Segments, threads: int | None) -> Floats:
        if self._is_fitted and self.about.one_call:
            parts = [self._statistics(segments)]
        elif self._is_fitted:
            parts = each_part(self._statistics, segments, threads)
        elif isinstance(self, Fitted) and self._weighs:
            parts = each_part_of_whole(self._statistics, self._weigh, segments, threads)
        else:  # with tables from all segments, not from each part
            return self.fit(segments)._counted(segments, threads)
        return np.concatenate(parts) if len(parts) > 1 else np.ascontiguousarray(parts[0])

    @classmethod
    def input(cls, name: str) -> Input | None:
        """The input of this name; None if the metric takes none.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu.input("references").many, Bleu.input("sources")
        (True, None)
        """
        return next((each for each in cls.inputs if each.name == name), None)

    @classmethod
    def input_names(cls) -> tuple[str, ...]:
        """The names of the inputs, "predictions" first."""
        return tuple(each.name for each in cls.inputs)

    @classmethod
    def takes(cls, *kinds: str) -> bool:
        """Whether predictions may be of one of these kinds; see ``Kind``."""
        return cls.inputs[0].kind.name in kinds

    def _check_inputs(self, segments: Segments) -> None:
        """Refuse segments that lack a required input. Without segments, nothing is missing."""
        for each in self.inputs[1:]:
            if each.required and not segments.has(each.name):
                raise InputError(f"{self._label}: {each.missing}")

    def aggregate(self, rows: Floats) -> Floats:
        """Totals (k,) of rows (n, k): their sum, rounded once. Raises an InputError if there are no rows."""
        check_counted(self._label, len(rows))
        sums: Floats = exact_sums(rows)[0]
        return sums

    def score(self, totals: Floats) -> dict[str, Floats]:
        """Every number, each of shape (...), from totals (..., k): of many resamples, systems or segments at once."""
        if self.aggregation == "corpus":
            return self._score(totals)
        return {key: totals[..., i] / totals[..., -1] for i, key in enumerate(self.range)}

    def _scored(self, segments: Segments, threads: int | None) -> Result:
        """``score(aggregate(statistics(segments)))``, as a result."""
        return _result_of(self, self.score(self._total(segments, threads)))

    def _total(self, segments: Segments, threads: int | None) -> Floats:
        return self.aggregate(self.statistics(segments, threads))

    def _of_each(self, segments: Segments, threads: int | None) -> dict[str, Floats]:
        numbers = self._score(self._rows(segments, threads))
        if "_score" not in self._proven:
            check_numbers(self, numbers)
        return finite(self._label, numbers, self._infinite)

    def corpus(
        self,
        predictions: Any,
        references: Any = None,
        threads: int | None = None,
        *,
        confidence: float | None = None,
        seed: int = 12345,
        **inputs: Any,
    ) -> Result:
        """The score of a whole corpus.

        Parameters
        ----------
        predictions : n strings, or Segments
        references : n strings, or n lists of strings
            For all accepted types see ``Segments``, and ``Segments.of_items`` for metrics that take labels. A
            ``Segments`` in place of both is read once, however many scorers score it; it is scored without warnings.
        threads : int, optional
            ``$METROLOGUE_THREADS``, or 1, by default; the result is the same for any number.
        confidence, seed : float and int, optional
            A level such as 0.95, and a seed: also give the intervals of ``inference.confidence_intervals``.
        **inputs
            The metric's other inputs, by their names; see ``inputs``.

        Returns
        -------
        Result

        Raises
        ------
        InputError
            If the input has no score; the message says where and why.

        Warns
        -----
        UserWarning
            If the texts are unlike the texts that the scorer is made for; see ``hints``.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu.variant("nltk").corpus(["a b c d e"], ["a b c d x"]).value
        0.668740304976422
        >>> str(Bleu(max_order=1).corpus(["a b", "c d", "e f"], ["a b", "c x", "e f"], confidence=0.95).interval)
        '[50.0000, 100.0000]'
        """
        segments = given_to(self, predictions, references, inputs)
        result = self._scored(segments, threads)
        if confidence is not None:
            from metrologue.inference import confidence_intervals

            result = replace(result, intervals=confidence_intervals(self, segments, level=confidence, seed=seed))
        if segments is not predictions and (hints := self._hints(segments)):
            warn(hints)
        return result

    def segment_scores(
        self, predictions: Any, references: Any = None, threads: int | None = None, **inputs: Any
    ) -> dict[str, Floats]:
        """Every number of each segment on its own, each of shape (n,). Arguments and errors as for ``corpus``."""
        segments = given_to(self, predictions, references, inputs)
        numbers = self._of_each(segments, threads)
        if segments is not predictions:
            warn(self._hints(segments, of_each=True))
        return numbers

    def segments(
        self,
        predictions: Any,
        references: Any = None,
        key: str | None = None,
        threads: int | None = None,
        **inputs: Any,
    ) -> Floats:
        """One number of each segment on its own, (n,): the primary number, or the one named `key`.

        Arguments and errors are those of ``corpus``. An InputError also says if there is no such number.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu(max_order=1).segments(["a b", "c"], ["a x", "c"])
        array([ 50., 100.])
        """
        numbers = self.segment_scores(predictions, references, threads, **inputs)
        chosen = self.primary if key is None else key
        if not isinstance(chosen, str) or chosen not in numbers:
            raise InputError(f"{self._label}: no number is called {shown(key)}; {instead_of(key, numbers)}")
        return numbers[chosen]

    def pairwise(
        self,
        hypotheses: Any,
        references: Any = None,
        threads: int | None = None,
        key: str | None = None,
        **inputs: Any,
    ) -> Floats | list[Floats]:
        """The score of every hypothesis with every reference: what ``segments([h], [r])`` gives for each pair.

        Each text is read once. A matrix of scores and one block of rows are in memory.

        Parameters
        ----------
        hypotheses : n strings, or g lists of strings
            Lists are groups, such as n-best lists. For a metric of sets, a list of strings is a set of labels.
        references : m strings, or g lists of strings, optional
            Each hypothesis meets each reference, or each one of its group. By default the hypotheses themselves.
        threads : int, optional
            ``$METROLOGUE_THREADS``, or 1, by default; the result is the same for any number.
        key : str, optional
            The number to give; the primary one by default.
        **inputs
            The metric's other inputs, by their names, such as the source of all these translations: a text, or one for
            each group.

        Returns
        -------
        float64 (n, m), or a list of g such matrices
            A metric with a table, such as CIDEr, makes it from all `references`, unless it is fitted.

        Raises
        ------
        InputError
            If the score is not one of two texts, as that of distinct-n; if a side or a group is empty, the shapes do
            not fit, there is no such number, or a pair has no score.

        Warns
        -----
        UserWarning
            As for ``segments``.

        Examples
        --------
        >>> from metrologue.scorers import Chrf
        >>> Chrf().pairwise(["the cat", "a dog"], ["the cats", "a dog", "dogs"]).round(1)
        array([[ 77.6,   5.7,   0. ],
               [  3.9, 100. ,  47.9]])
        >>> [matrix.shape for matrix in Chrf().pairwise([["a", "b", "c"], ["d"]], [["a"], ["d", "e"]])]
        [(3, 1), (1, 2)]
        """
        from metrologue.scorers.core.pairwise import pairwise  # most scorers never need it

        return pairwise(self, hypotheses, references, threads, key, inputs)

    @property
    def _additive(self) -> bool:
        """Whether the totals are the sum of the rows. Otherwise the rows, or tables, are kept and merged."""
        return True

    @property
    def _totals_in_order(self) -> bool:
        """Whether the totals depend on the order of the segments: rows do, and so do scores that know their index."""
        return self.about.by_index or not self._additive

    @property
    def _separable(self) -> bool:
        """Whether the statistics of a segment depend on it alone, and their sum gives the score."""
        return self._additive

    def _separated(self, samples: Sequence[Segments]) -> Metric | None:
        """A metric that scores these segments and any of them alike, from rows that add up; None if there is none."""
        return self if self._separable else None

    def _sampled(self, segments: Segments) -> Segments:
        """The segments that are scored: all of them, unless the metric draws a sample."""
        return segments

    def _for_resampling(self) -> Self:
        """The scorer that resamples are scored with: this one, unless its own score is a bootstrap already."""
        return self

    def _narrowed(self) -> Self:
        """The scorer that gives the same primary number, and counts no more than this number needs."""
        return self

    def _symmetric(self, key: str) -> bool:
        """Whether this number of two texts is the same, to the last bit, when they change places."""
        return False

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """Warnings about the score of these texts, or with `of_each` the scores of segments, and what to do."""
        if are_plain(self, segments):
            return []
        of_words = [*dropped_characters(self._cut_by, segments), *unparted(self, segments, of_each)]
        return of_words or hints_of_texts(self, segments, of_each)

    @property
    def _cut_by(self) -> str:
        """The tokenizer that finds the words that are compared; "" for a metric without one."""
        return getattr(self, "tokenizer", None) or ""

    @classmethod
    def _for_language(cls, language: Language) -> Mapping[str, Any]:
        """The fields that the field of research sets for texts in a language; none if the metric is right as it is."""
        tokenizer = getattr(cls, "tokenizer", None)
        return {"tokenizer": language.tokenizer} if language.tokenizer and cuts_words(tokenizer) else {}

    @classmethod
    def _to_segments(
        cls, predictions: Any, references: Any = None, owner: str | None = None, **others: Any
    ) -> Segments:
        given = {"predictions": predictions, "references": references, **others}
        return segments_of(cls.inputs, given, owner or cls.__name__)

    def accumulate(
        self,
        predictions: Any,
        references: Any = None,
        totals: Totals | None = None,
        threads: int | None = None,
        *,
        first: int | None = None,
        **inputs: Any,
    ) -> Totals:
        """Totals of a batch, merged with the totals of the batches before it.

        If the totals depend on the order of the segments (`totals_in_order`), a batch goes on after `totals`. A part
        that another process counts on its own begins at the index `first`, and both can then be merged. A batch may be
        empty. Arguments and errors are those of ``corpus``. An InputError also says if `totals` come from another
        scorer, or have counted an index.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> bleu = Bleu()
        >>> totals = bleu.accumulate(["a b c d"], ["a b c d"])
        >>> totals = bleu.accumulate(["e f g h"], ["e f g h i"], totals)
        >>> round(bleu.score_totals(totals).value, 4)
        88.2497
        """
        segments = given_to(self, predictions, references, inputs)
        if first is not None:
            batch = self.accumulate(segments.placed(first), threads=threads)
            return batch if totals is None else checked_totals(self._label, totals).merge(batch)
        if totals is not None:
            checked_totals(self._label, totals)
        if not self._is_fitted:
            missing = ", ".join(name for name in fitted_fields(type(self)) if getattr(self, name) is None)
            raise InputError(f"{self._label}: `{missing}` must be the same for all batches; fit(segments) makes it.")
        first = segments.first or (totals.end if totals else 0)
        if self.about.by_index and first != segments.first:
            segments = segments.placed(first)
        batch = self._totals(segments, threads)
        if self._totals_in_order:
            batch = replace(batch, ranges=((first, first + len(segments)),))
        return totals.merge(batch) if totals else batch

    def _totals(self, segments: Segments, threads: int | None) -> Totals:
        rows = self.statistics(segments, threads)
        if self._additive:
            return Totals.of_sums(self.signature, self.columns, rows, len(segments))
        return Totals(self.signature, self.columns, rows, len(segments))

    def score_totals(self, totals: Totals) -> Result:
        """The score of accumulated totals. Raises an InputError if they are empty, or come from another scorer."""
        if checked_totals(self._label, totals).signature != self.signature:
            raise InputError(f"{self._label}: totals come from another scorer: {totals.signature}.")
        check_counted(self._label, totals.segments)
        return _result_of(self, self.score(self._from_totals(totals)))

    def _from_totals(self, totals: Totals) -> Floats:
        """Totals (k,) as ``score`` takes them."""
        values = totals.in_order(self.columns)
        if values.ndim != (1 if self._additive else 2):
            raise InputError(f"{self._label}: {totals.place} has {'sums' if values.ndim == 1 else 'rows'} of segments.")
        return values if self._additive else self.aggregate(values)


def _result_of(scorer: Scorer, numbers: Mapping[str, Floats]) -> Result:
    """The numbers of a corpus as a result. Counts are ints, unless they are means over segments."""
    if "_score" not in scorer._proven:
        check_numbers(scorer, numbers)
    primary, counted = scorer.primary, scorer._columns if scorer.aggregation == "corpus" else ()
    scores = plain_numbers(finite(scorer._label, numbers, scorer._infinite), counted)
    return Result(float(scores[primary]), scores, scorer.signature, primary, scorer._printed_digits)

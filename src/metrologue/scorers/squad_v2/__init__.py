"""SQuAD 2.0: exact match and F1 of answers to questions of which some have none (Rajpurkar et al. 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.data.arrow import is_arrow, pa
from metrologue.data.columns import Numbers
from metrologue.errors import InputError, shown
from metrologue.scorers.core.about import About
from metrologue.scorers.core.inputs import Columns, Input, Kind, texts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.answers import OfAnswers, token_f1
from metrologue.segments import Segments
from metrologue.text.reading import FirstBytes, Tokenize

__all__ = ["SquadV2", "best_threshold", "token_f1"]

PROBABILITY = "no_answer_probability"
_STARTS = (FirstBytes(4), Tokenize("characters"))  # the first character of a text, if it has one


def best_threshold(
    scores: Floats, has_answer: NDArray[np.bool_], answered: NDArray[np.bool_], probabilities: Floats
) -> tuple[float, float]:
    """The best mean score that a threshold of the probability of no answer gives, and the threshold.

    Questions are answered in ascending order of their probabilities. Before the first one, the score is the number of
    questions without an answer.

    Parameters
    ----------
    scores : float64 (n,)
        Of each question, if it is answered.
    has_answer, answered : bool (n,)
        Whether there is an answer, and whether the prediction is not empty.
    probabilities : float64 (n,)
        That the question has no answer.

    Returns
    -------
    (float, float)
        The best mean, and the least probability that reaches it; 0 if no question should be answered.

    Examples
    --------
    The second question has no answer, but it got one. So only the first one should be answered.

    >>> flags = np.array([True, False]), np.array([True, True])
    >>> best_threshold(np.array([1.0, 0.0]), *flags, np.array([0.25, 0.75]))
    (1.0, 0.25)
    """
    order = np.argsort(probabilities, kind="stable")
    steps = np.where(has_answer, scores, -1.0 * answered)[order]
    sums = np.cumsum(np.concatenate([[np.count_nonzero(~has_answer)], steps]))
    best = int(np.argmax(sums))
    return float(sums[best]) / len(scores), float(probabilities[order[best - 1]]) if best else 0.0


def _probabilities(rows: Any, argument: str, owner: str, columns: Columns) -> Numbers:
    """A number for each question. Raises an InputError if one is not finite."""
    if is_arrow(rows) and pa.types.is_nested(rows.type):
        return Numbers(rows, argument, owner)
    try:
        numbers = np.asarray(rows, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{owner}: `{argument}` is {shown(rows)}; a list of numbers is expected.") from None
    if numbers.ndim != 1:
        raise InputError(f"{owner}: `{argument}` has {numbers.ndim} dimensions; a list of numbers is expected.")
    if not np.isfinite(numbers).all():
        at = int(np.argmin(np.isfinite(numbers)))
        raise InputError(f"{owner}: `{argument}[{at}]` is {numbers[at]}; a finite number is expected.")
    return Numbers(numbers[:, None], argument, owner)


@dataclass(frozen=True, kw_only=True)
class SquadV2(OfAnswers):
    """Exact match and F1 of answers to questions, of which some have no answer; 0-100, higher is better.

    A question has no answer if its only reference is empty. Then the empty prediction is right, and so is one whose
    probability of no answer is above `no_answer_threshold`. ``HasAns`` and ``NoAns`` are the numbers of the questions
    with and without an answer, 0 if there are none. Of several references, the best counts; one without words counts
    only if all are. ``best_thresholds`` says what the best threshold would give.

    References
    ----------
    Rajpurkar et al. 2018, https://aclanthology.org/P18-2124, and the evaluation script of SQuAD 2.0.

    Examples
    --------
    >>> scorer = SquadV2()
    >>> scorer.corpus(["in 1976", ""], [["1976"], [""]]).scores["NoAns_exact"]
    100.0
    >>> questions = SquadV2._to_segments(["1976", "Rome"], [["1976"], [""]], no_answer_probability=[0.25, 0.75])
    >>> scorer.corpus(questions).value, scorer.best_thresholds(questions)["best_f1_thresh"]
    (50.0, 0.25)
    """

    name: ClassVar[str] = "squad_v2"
    title: ClassVar[str] = "SQuAD v2"
    about: ClassVar = About(papers=("rajpurkar-etal-2018-know",))
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        texts("references", many=True, about="the right answers; an empty one alone says that there is none"),
        Input(
            PROBABILITY, Kind("weights", _probabilities), required=False,
            about="the model's probability that the question has no answer",
        ),
    )  # fmt: skip

    # fmt: off
    aggregation: str = option("corpus", stage="score", choice=None, one_of=("corpus",))
    empty: str = with_default("equal")
    no_answer_threshold: float = option(
        1.0, stage="pairs", choice="no-answer threshold",
        about="A prediction whose probability of no answer is above it counts as empty.",
    )
    # fmt: on
    scale: float = 100.0

    _columns = (
        "has_exact", "has_f1", "HasAns_total", "no_exact", "no_f1", "NoAns_total", "total",
        "raw_exact", "raw_f1", "answered", PROBABILITY, "quality",
    )  # fmt: skip

    numbers: ClassVar = (
        number("f1", 0, "scale", better="higher", title="F1", about="mean F1 of all questions"),
        number("exact", 0, "scale", better="higher", about="share of the questions with an exact answer"),
        counted("total", "questions", about="all questions"),
        number("HasAns_exact", 0, "scale", better="higher", about="exact match of the questions with an answer"),
        number("HasAns_f1", 0, "scale", better="higher", about="mean F1 of the questions with an answer"),
        counted("HasAns_total", "questions", about="questions with an answer"),
        number("NoAns_exact", 0, "scale", better="higher", about="exact match of the questions without an answer"),
        number("NoAns_f1", 0, "scale", better="higher", about="mean F1 of the questions without an answer"),
        counted("NoAns_total", "questions", about="questions without an answer"),
    )

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Each pair as if its reference were the only one; the last column says which of several references is best."""
        counts = self._compared_counts(segments)
        exact, f1, words = counts[:, 3], self._f1(counts), counts[:, 2]
        view = segments.read(_STARTS)
        is_filled = np.diff(view.offsets) > 0
        answered, has_answer = (is_filled[side] for side in view.pairs)
        column = segments.columns.get(PROBABILITY)
        if isinstance(column, Numbers):
            probability = np.repeat(column.values, np.diff(segments.reference_offsets))
        else:
            probability = np.zeros(len(exact))
        silent = probability > self.no_answer_threshold
        kept = [np.where(silent, ~has_answer, score) for score in (exact, f1)]
        sums = [flag * each for flag in (has_answer, ~has_answer) for each in (*kept, np.ones(len(exact)))]
        quality = np.where(words > 0, exact + f1, has_answer - 2.0)
        return np.column_stack([*sums, np.ones(len(exact)), exact, f1, answered, probability, quality])

    def _quality(self, rows: Floats) -> Floats:
        quality: Floats = rows[:, -1]
        return quality

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        sums = by_name(self._columns, statistics)
        has, no = sums["HasAns_total"], sums["NoAns_total"]
        shares = {
            name: self.scale * ratio(total, count)
            for name, total, count in (
                ("f1", sums["has_f1"] + sums["no_f1"], sums["total"]),
                ("exact", sums["has_exact"] + sums["no_exact"], sums["total"]),
                ("HasAns_exact", sums["has_exact"], has),
                ("HasAns_f1", sums["has_f1"], has),
                ("NoAns_exact", sums["no_exact"], no),
                ("NoAns_f1", sums["no_f1"], no),
            )
        }
        return {name: shares[name] if name in shares else sums[name] for name in self.range}

    def best_thresholds(self, segments: Segments) -> dict[str, float]:
        """What the best threshold of the probability of no answer gives, for the exact match and for F1.

        ``best_exact`` and ``best_f1`` are the scores, 0 to `scale`; ``best_exact_thresh`` and ``best_f1_thresh`` the
        thresholds, which are probabilities of questions, or 0. Questions with equal probabilities are answered in
        their order. Errors are those of ``corpus``.
        """
        rows = by_name(self._columns, self.statistics(segments))
        flags = rows["HasAns_total"] > 0, rows["answered"] > 0
        found: dict[str, float] = {}
        for name in ("exact", "f1"):
            best, threshold = best_threshold(rows[f"raw_{name}"], *flags, rows[PROBABILITY])
            found |= {f"best_{name}": self.scale * best, f"best_{name}_thresh": threshold}
        return found

    _variants: ClassVar = {
        "evaluate": Variant(
            "evaluate", "the Hub's `squad_v2`: the script of SQuAD 2.0", live="evaluate-squad.squad_v2"
        ),
    }

"""Whether a metric suits the texts: a metric of labels reads whole sentences as labels, and others need numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from metrologue.comparison.answer import Job
from metrologue.errors import InputError
from metrologue.scorers import get_scorer
from metrologue.scorers.classification.base import OfLabels
from metrologue.segments import Segments

__all__ = ["check_fit", "is_of_labels", "reads_as_labels"]

# So many segments show whether a metric can read the texts at all, and so many lines whether they are labels.
_HEAD, _LINES = 8, 1000
# A label has fewer words, such as "not offensive".
_WORDS = 4


def check_fit(job: Job, texts: Mapping[str, Segments]) -> None:
    """Raise an InputError if no variant can score the texts; their first segments show it."""
    head, reasons = next(iter(texts.values())).slice(0, _HEAD), []
    for scorer in job.ours.values():
        try:
            scorer.score_segments(head)
        except InputError as error:
            reasons.append(error)
    if reasons and len(reasons) == len(job.ours) and len(head) == _HEAD:
        raise InputError(f"compare: {job.kind.name} does not fit these texts: {reasons[0]}")


def is_of_labels(metric: str) -> bool:
    """Whether a metric compares one label with another, as of a classifier.

    Examples
    --------
    >>> is_of_labels("accuracy"), is_of_labels("bleu")
    (True, False)
    """
    return issubclass(get_scorer(metric), OfLabels)


def reads_as_labels(lines: Iterable[object]) -> bool:
    """Whether lines are labels: most of them have few words, or there are few different ones.

    Examples
    --------
    >>> reads_as_labels(["yes", "no", "not sure"]), reads_as_labels(["The cat sat on the mat.", "A dog ran home."])
    (True, False)
    """
    some = [str(line) for line in islice(lines, _LINES)]
    long = sum(len(line.split()) >= _WORDS for line in some)
    return 2 * long <= len(some) or 10 * len({*some}) <= len(some)

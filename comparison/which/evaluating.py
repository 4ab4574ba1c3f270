"""The numbers of thousands of settings: texts are read, counted and summed once for all settings that share it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Mapping, MutableMapping, Sequence
from itertools import groupby

from metrologue.comparison.which.settings import Setting
from metrologue.errors import InputError
from metrologue.scorers.core.many import Outcome, SharedTotals
from metrologue.segments import Segments

__all__ = ["evaluate"]

# The largest part of the time left that the settings of one reading may take, so that others are tried as well.
_PART = 0.1


def evaluate(
    settings: Sequence[Setting],
    texts: Mapping[str, Segments],
    until: float = math.inf,
    progress: Callable[..., None] | None = None,
    known: MutableMapping[Hashable, Outcome] | None = None,
) -> list[Outcome]:
    """The numbers of each setting; the error where it has no score of these texts, or needs something that is not here.

    A changed setting whose fields contradict each other has no numbers.

    Parameters
    ----------
    settings : sequence of Setting
    texts : mapping of str to Segments
        By the names that the settings have for them.
    until : float
        When to stop, as ``time.process_time`` tells it. The settings with the fewest changes come first, and quick ones
        before those that draw resamples. No reading gets more than a part of the time that is left. Variants without a
        change are always tried; None stands for what was not.
    progress : callable, optional
        It is told of every group of settings, as the function of ``metrologue.writing.progress_bar`` is.
    known : mapping, optional
        What is known of these texts already, by ``Setting.key``: it is not computed again, and what is new is added.

    Raises
    ------
    InputError
        If a variant cannot be made.
    """
    if known is None:
        known = {}
    if any(setting.key in known for setting in settings):
        new = [setting for setting in settings if setting.key not in known]
        evaluate(new, texts, until, progress, known)
        return [known.get(setting.key) for setting in settings]
    found: list[Outcome] = [None] * len(settings)
    keys = [(setting.reading[0], repr(setting.reading)) for setting in settings]
    first: dict[Hashable, tuple[bool, int, int]] = {}
    for place, (setting, key) in enumerate(zip(settings, keys, strict=True)):
        first[key] = min(first.get(key, (True, 99, 0)), (key[0], setting.steps, place))
    totals = SharedTotals()
    order = sorted(range(len(settings)), key=lambda place: first[keys[place]])
    for _, places in groupby(order, lambda place: keys[place]):
        some = [*places]
        if progress:
            progress(description=f"{settings[some[0]].metric}: the settings", advance=len(some))
        segments = texts[settings[some[0]].texts]
        now = time.process_time()
        enough = min(until, now + (until - now) * _PART)
        with segments.forgetting():  # what was read and counted is not needed again
            for place in some:
                if settings[place].steps and time.process_time() > enough:
                    continue
                try:
                    scorer = settings[place].scorer()
                except InputError:  # fields contradict each other; those of a variant never do
                    if not settings[place].steps:
                        raise
                    found[place] = {}
                    continue
                try:  # a table may be missing, or the texts have no score
                    totals.add(found, place, scorer, segments)
                except InputError as error:
                    found[place] = error
    totals.score(found)
    known.update((setting.key, own) for setting, own in zip(settings, found, strict=True) if own is not None)
    return found

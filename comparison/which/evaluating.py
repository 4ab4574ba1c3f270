"""The numbers of thousands of settings: texts are read, counted and summed once for all settings that share it."""

from __future__ import annotations

import hashlib
import json
import math
import pickle
import time
import zlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import groupby

from metrologue.cache import forget, remember, remembered
from metrologue.comparison.which.settings import Setting
from metrologue.errors import InputError
from metrologue.scorers.core.many import Outcome, SharedTotals
from metrologue.segments import Segments
from metrologue.version import __version__

__all__ = ["Known", "evaluate"]

# The largest part of the time left that the settings of one reading may take, so that others are tried as well.
_PART = 0.1
# After so many seconds of a processor, what was counted is scored, and what is known is written.
_PAUSE = 2.0


class Known(dict[str, Outcome]):
    """What is known of some texts, by ``Setting.key``; in the cache as well, until the search has ended.

    A search that is interrupted goes on from there when it is asked again.

    Parameters
    ----------
    segments : Segments, optional
        The texts. Without them, nothing is written.
    metrics : sequence of str
        The metrics that are searched.
    """

    def __init__(self, segments: Segments | None = None, metrics: Sequence[str] = ()) -> None:
        super().__init__()
        self._place = ""
        if segments is not None:
            parts = (__version__, [*metrics], segments.columns, segments.reference_offsets)
            self._place = f"which/{hashlib.sha256(pickle.dumps(parts)).hexdigest()}"
            if content := remembered(self._place, quiet=True):
                self.update(json.loads(zlib.decompress(content)))

    def write(self) -> None:
        """Write the numbers to the cache. Errors are found again soon."""
        if self._place:
            numbers = {key: own for key, own in self.items() if isinstance(own, Mapping)}
            remember(self._place, zlib.compress(json.dumps(numbers).encode(), 1), quiet=True)

    def forget(self) -> None:
        """Take the numbers out of the cache."""
        if self._place:
            forget(self._place)


def evaluate(
    settings: Sequence[Setting],
    texts: Mapping[str, Segments],
    until: float = math.inf,
    progress: Callable[..., None] | None = None,
    known: Known | None = None,
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
    known : Known, optional
        What is known of these texts already: it is not computed again, and what is new is added.

    Raises
    ------
    InputError
        If a variant cannot be made.
    """
    known = Known() if known is None else known
    new = [setting for setting in settings if setting.key not in known]
    found: list[Outcome] = [None] * len(new)
    totals = SharedTotals()

    def settle() -> None:
        totals.score(found)
        known.update((setting.key, own) for setting, own in zip(new, found, strict=True) if own is not None)

    keys = [(setting.reading[0], repr(setting.reading)) for setting in new]
    first: dict[Hashable, tuple[bool, int, int]] = {}
    for place, (setting, key) in enumerate(zip(new, keys, strict=True)):
        first[key] = min(first.get(key, (True, 99, 0)), (key[0], setting.steps, place))
    if progress:
        progress(advance=len(settings) - len(new))
    pause = time.process_time() + _PAUSE
    order = sorted(range(len(new)), key=lambda place: first[keys[place]])
    for _, places in groupby(order, lambda place: keys[place]):
        some = [*places]
        if progress:
            progress(description=f"{new[some[0]].metric}: the settings", advance=len(some))
        segments = texts[new[some[0]].texts]
        now = time.process_time()
        enough = min(until, now + (until - now) * _PART)
        with segments.forgetting():  # what was read and counted is not needed again
            for place in some:
                if new[place].steps and time.process_time() > enough:
                    continue
                try:
                    scorer = new[place].scorer()
                except InputError:  # fields contradict each other; those of a variant never do
                    if not new[place].steps:
                        raise
                    found[place] = {}
                    continue
                try:  # a table may be missing, or the texts have no score
                    totals.add(found, place, scorer, segments)
                except InputError as error:
                    found[place] = error
        if time.process_time() > pause:
            settle()
            known.write()
            pause = time.process_time() + _PAUSE
    settle()
    return [known.get(setting.key) for setting in settings]

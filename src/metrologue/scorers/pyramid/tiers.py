"""Pyramids of many segments at once: the SCUs of each with their weights, and which of them a summary expresses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrologue.data.arrays import Flags, Floats, Integers
from metrologue.data.columns import gathered
from metrologue.text.reading.view import View

__all__ = ["Pyramids", "pyramids_of"]


@dataclass(frozen=True)
class Pyramids:
    """The pyramids of n segments. Those of each have their SCUs in a row, the heaviest first.

    Attributes
    ----------
    ids : int64 (n_scus,)
        The unit that each SCU is.
    tiers : float64 (n_scus,)
        The weight of each SCU: the number of models that have it.
    expressed : bool (n_scus,)
        Whether the summary of its segment has it.
    offsets : int64 (n + 1,)
        The SCUs of segment s are ``offsets[s]:offsets[s + 1]``.
    unit_counts, mention_counts : float64 (n,)
        The distinct units of each summary, and all of them.
    model_counts : float64 (n,)
        The models of each segment.
    """

    ids: Integers
    tiers: Floats
    expressed: Flags
    offsets: Integers
    unit_counts: Floats
    mention_counts: Floats
    model_counts: Floats

    def _sums(self, values: Floats) -> Floats:
        """The sum over the SCUs of each segment, (n,)."""
        sums = np.concatenate([[0.0], np.cumsum(values)])
        return sums[self.offsets[1:]] - sums[self.offsets[:-1]]  # type: ignore[no-any-return]  # an array

    @property
    def weights(self) -> Floats:
        """The weight of each summary, (n,)."""
        return self._sums(self.tiers * self.expressed)

    @property
    def matched_counts(self) -> Floats:
        """How many SCUs each summary expresses, (n,)."""
        return self._sums(self.expressed.astype(np.float64))

    @property
    def scu_counts(self) -> Floats:
        """How many SCUs each pyramid has, (n,)."""
        return np.diff(self.offsets).astype(np.float64)

    @property
    def contributor_counts(self) -> Floats:
        """The sum of all weights of each pyramid, (n,)."""
        return self._sums(self.tiers)

    def ideal_weights(self, sizes: Floats) -> Floats:
        """The weight of an ideal summary of each size: its segment's heaviest SCUs, the last one in part, (n,)."""
        sums = np.concatenate([[0.0], np.cumsum(self.tiers)])
        first, last = self.offsets[:-1], self.offsets[1:]
        whole = np.minimum(first + np.floor(sizes).astype(np.int64), last)
        part = np.where(whole < last, sizes - np.floor(sizes), 0.0)
        found: Floats = sums[whole] - sums[first] + part * (sums[np.minimum(whole + 1, last)] - sums[whole])
        return found


def pyramids_of(view: View) -> Pyramids:
    """The pyramids of the references of each segment, with the units of its hypothesis.

    The counts are exact: they are sums of ints.
    """
    hypotheses, references = view.pairs
    starts = view.reference_offsets[:-1]
    count, models = len(starts), np.diff(view.reference_offsets)
    segment_of = np.repeat(np.arange(count), models)
    width = max(view.type_count, 1)

    def units(texts: Integers) -> tuple[Integers, Integers]:
        """The unit of each token of the texts, under a number that no two texts share; and how many each text has."""
        tokens, offsets = gathered(view.offsets, texts)
        lengths = np.diff(offsets)
        return np.repeat(np.arange(len(texts)), lengths) * width + view.ids[tokens], lengths

    of_models, _ = units(references)
    # A model that has an SCU twice counts once.
    texts, ids = np.divmod(np.unique(of_models), width)
    keys, tiers = np.unique(segment_of[texts] * width + ids, return_counts=True)
    own, mentions = units(hypotheses[starts])
    own = np.unique(own)
    segments, ids = np.divmod(keys, width)
    order = np.lexsort((-tiers, segments))
    return Pyramids(
        ids=ids[order],
        tiers=tiers[order].astype(np.float64),
        expressed=np.isin(keys, own, assume_unique=True)[order],
        offsets=np.searchsorted(segments, np.arange(count + 1)),
        unit_counts=np.bincount(own // width, minlength=count).astype(np.float64),
        mention_counts=mentions.astype(np.float64),
        model_counts=models.astype(np.float64),
    )

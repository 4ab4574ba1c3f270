"""Metric Name: what it measures, and who defined it (Author et al., year)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.scorers.core.about import About
from metrologue.scorers.core.kernels.ngrams import paired_counts
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.shapes import PairScorer, Tokenized
from metrologue.scorers.core.variants import Variant
from metrologue.segments import Segments

__all__ = ["MetricName", "metric_name"]


def metric_name(match_count: Floats, token_count: Floats) -> Floats:
    """Matched tokens, divided by all tokens; 0 without any.

    Parameters
    ----------
    match_count, token_count : float64 (...)

    Returns
    -------
    float64 (...)
        0 to 1.

    Examples
    --------
    >>> metric_name(np.array(2.0), np.array(3.0)).round(4)
    np.float64(0.6667)
    """
    return ratio(match_count, token_count)


@dataclass(frozen=True, kw_only=True)
class MetricName(Tokenized, PairScorer):
    """Tokens that two texts share, divided by the tokens of the longer one; higher is better, 0-1.

    Of several references the one with the best score counts; ties: the first. A corpus has the sums of its
    segments' counts.

    Examples
    --------
    >>> MetricName().corpus(["a b c d"], ["a b"]).value
    0.5
    """

    name: ClassVar[str] = "metric_name"
    about: ClassVar = About(papers=("author-year-metric-key",))

    _columns = ("match_count", "token_count")

    numbers: ClassVar = (
        number(
            "metric_name", 0, "scale", better="higher", title="Metric Name",
            about="tokens that both texts have, divided by the tokens of the longer text",
        ),
        counted("match_count", "tokens", about="tokens that both texts have"),
        counted("token_count", "tokens", about="tokens of the longer text"),
    )  # fmt: skip

    def _pair_statistics(self, segments: Segments) -> Floats:
        """Tokens of each pair of texts: that match, of the longer text."""
        view = self._view(segments)
        hypotheses, references = view.pairs
        lengths = np.diff(view.offsets)
        matches = paired_counts(view.paired, 1, False)
        return np.column_stack([matches, np.maximum(lengths[hypotheses], lengths[references])])

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(self._columns, statistics)
        return {"metric_name": self.scale * metric_name(**counts), **counts}

    _variants: ClassVar = {"metrologue": Variant("metrologue", "the definition, over str.split()")}

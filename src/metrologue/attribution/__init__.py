"""Who caused what, by Shapley values: choices that part two scorers, players of a game, parts of a composite metric.

It may import scorers and what stands below them.
"""

from metrologue.attribution.composites import CompositeShares, composite_scores, composite_shares
from metrologue.attribution.explanation import (
    Contribution,
    Explanation,
    cancelling,
    explain,
    explain_segments,
    shown_share,
)
from metrologue.attribution.games import (
    Contributions,
    Headings,
    contributions,
    kernel_shapley,
    sampled_shapley,
    shapley,
)

__all__ = [
    "CompositeShares", "Contribution", "Contributions", "Explanation", "Headings", "cancelling", "composite_scores",
    "composite_shares", "contributions", "explain", "explain_segments", "kernel_shapley", "sampled_shapley", "shapley",
    "shown_share",
]  # fmt: skip

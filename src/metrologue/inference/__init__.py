"""How sure a score is, and whether a difference could be chance: resampling, written once for every metric.

It may import tracing and what stands below it.
"""

from metrologue.inference.between_systems import Winner, pairwise_tests, significance_groups, winners
from metrologue.inference.draws import DRAWS
from metrologue.inference.intervals import Interval, confidence_interval, confidence_intervals
from metrologue.inference.paired import CORRECTIONS, TESTS, PairedResult, PairedResults, corrected, paired_test
from metrologue.inference.resampling import RESAMPLINGS, FewSegmentsWarning, Resampling
from metrologue.inference.thresholds import THRESHOLDS, human_agreement

__all__ = [
    "CORRECTIONS", "DRAWS", "RESAMPLINGS", "TESTS", "THRESHOLDS", "FewSegmentsWarning", "Interval", "PairedResult",
    "PairedResults", "Resampling", "Winner", "confidence_interval", "confidence_intervals", "corrected",
    "human_agreement", "paired_test", "pairwise_tests", "significance_groups", "winners",
]  # fmt: skip

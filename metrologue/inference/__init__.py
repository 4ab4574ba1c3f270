"""How sure a score is, and whether a difference could be chance: resampling, written once for every metric."""

from metrologue.inference.draws import DRAWS
from metrologue.inference.intervals import Interval, confidence_interval, confidence_intervals
from metrologue.inference.paired import CORRECTIONS, PairedResult, paired_test, significance_groups
from metrologue.inference.resampling import RESAMPLINGS, Resampling

__all__ = [
    "CORRECTIONS",
    "DRAWS",
    "RESAMPLINGS",
    "Interval",
    "PairedResult",
    "Resampling",
    "confidence_interval",
    "confidence_intervals",
    "paired_test",
    "significance_groups",
]

"""How sure a score is, and whether a difference could be chance: resampling, written once for every metric."""

from metrologue.inference.between_systems import pairwise_tests
from metrologue.inference.corrections import CORRECTIONS, corrected
from metrologue.inference.draws import DRAWS
from metrologue.inference.few import FewSegmentsWarning
from metrologue.inference.groups import significance_groups
from metrologue.inference.intervals import Interval, confidence_interval, confidence_intervals
from metrologue.inference.paired import TESTS, PairedResult, PairedResults, paired_test
from metrologue.inference.resampling import RESAMPLINGS, Resampling
from metrologue.inference.thresholds import THRESHOLDS, human_agreement
from metrologue.inference.winners import Winner, winners

__all__ = [
    "CORRECTIONS",
    "DRAWS",
    "RESAMPLINGS",
    "TESTS",
    "THRESHOLDS",
    "FewSegmentsWarning",
    "Interval",
    "PairedResult",
    "PairedResults",
    "Resampling",
    "Winner",
    "confidence_interval",
    "confidence_intervals",
    "corrected",
    "human_agreement",
    "paired_test",
    "pairwise_tests",
    "significance_groups",
    "winners",
]

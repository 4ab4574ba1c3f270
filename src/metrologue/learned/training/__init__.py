"""Trainers: each makes a ``Network`` from features and targets. All but ``Ridge`` and ``MeanOfZScores`` need torch."""

from metrologue.learned.training.linear import MeanOfZScores, Ridge, Trainer
from metrologue.learned.training.networks import Mlp, PairClassifier, Ranker

__all__ = ["TRAINERS", "MeanOfZScores", "Mlp", "PairClassifier", "Ranker", "Ridge", "Trainer"]

# The trainers of single texts, by the names that the command line has for them.
TRAINERS = {"ridge": Ridge, "z-scores": MeanOfZScores, "mlp": Mlp, "ranker": Ranker}

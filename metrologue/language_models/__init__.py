"""Language models: the probability of each token of a text."""

from metrologue.language_models.base import LanguageModel, TokenScores

__all__ = ["LanguageModel", "TokenScores"]

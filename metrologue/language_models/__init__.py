"""Language models: the probability of each token of a text."""

from metrologue.language_models.base import LanguageModel, TokenScores
from metrologue.language_models.named import NamedModel
from metrologue.language_models.opening import open_model

__all__ = ["LanguageModel", "NamedModel", "TokenScores", "open_model"]

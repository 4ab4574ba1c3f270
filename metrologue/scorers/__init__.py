"""The metrics: each a frozen dataclass whose fields are every choice that a library makes."""

from metrologue.scorers.base import Choice, Result, Scorer, Totals, Variant, get_scorer, list_scorers
from metrologue.scorers.bleu import Bleu
from metrologue.scorers.rouge import Rouge

__all__ = ["Bleu", "Choice", "Result", "Rouge", "Scorer", "Totals", "Variant", "get_scorer", "list_scorers"]

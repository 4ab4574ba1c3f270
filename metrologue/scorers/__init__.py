"""The metrics: each a frozen dataclass whose fields are every choice that a library makes."""

from metrologue.scorers.base import Choice, Result, Scorer, Totals, Variant, get_scorer, list_scorers
from metrologue.scorers.bleu import Bleu

__all__ = ["Bleu", "Choice", "Result", "Scorer", "Totals", "Variant", "get_scorer", "list_scorers"]

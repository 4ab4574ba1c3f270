"""The metrics: each a frozen dataclass whose fields are every choice that a library makes."""

from metrologue.scorers.base import Choice, Result, Scorer, Totals, Variant, get_scorer, list_scorers
from metrologue.scorers.bleu import Bleu
from metrologue.scorers.chrf import Chrf
from metrologue.scorers.edit_distance import EditDistance
from metrologue.scorers.error_rates import (
    CharacterErrorRate,
    MatchErrorRate,
    WordErrorRate,
    WordInformationLost,
    WordInformationPreserved,
)
from metrologue.scorers.meteor import Meteor
from metrologue.scorers.rouge import Rouge
from metrologue.scorers.ter import Ter

__all__ = [
    "Bleu",
    "CharacterErrorRate",
    "Choice",
    "Chrf",
    "EditDistance",
    "MatchErrorRate",
    "Meteor",
    "Result",
    "Rouge",
    "Scorer",
    "Ter",
    "Totals",
    "Variant",
    "WordErrorRate",
    "WordInformationLost",
    "WordInformationPreserved",
    "get_scorer",
    "list_scorers",
]

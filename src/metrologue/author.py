"""What the author of a metric needs: the names from which a metric is made. All else inside is internal."""

from metrologue.scorers.core.about import About
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.shapes import PairScorer, SetScorer, Tokenized
from metrologue.scorers.core.variants import Variant

__all__ = [
    "About",
    "PairScorer",
    "SetScorer",
    "Tokenized",
    "Variant",
    "by_name",
    "counted",
    "number",
    "option",
    "ratio",
]

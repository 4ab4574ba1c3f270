"""What matched what: the counts behind the score of one segment, as tables that a reader can check with a pencil.

A trace takes every number from the scorer itself and only lays it out, so it cannot disagree with the score.
"""

from metrologue.trace.base import Trace, trace, visible
from metrologue.trace.bleu import BleuTrace, BrevityPenalty, NgramRow, OrderTable
from metrologue.trace.rouge import Alignment, Overlap, RougeTrace, Run, Token, TypeTrace, Unit

__all__ = [
    "Alignment",
    "BleuTrace",
    "BrevityPenalty",
    "NgramRow",
    "OrderTable",
    "Overlap",
    "RougeTrace",
    "Run",
    "Token",
    "Trace",
    "TypeTrace",
    "Unit",
    "trace",
    "visible",
]

"""What matched what: the counts behind the score of one segment, as tables that a reader can check with a pencil.

A trace takes every number from the scorer itself and only lays it out, so it cannot disagree with the score.
"""

from metrologue.trace.base import Trace, trace, visible
from metrologue.trace.bleu import BleuTrace, BrevityPenalty, NgramRow, OrderTable
from metrologue.trace.chrf import ChrfOrder, ChrfPair, ChrfTrace, CommonNgram
from metrologue.trace.columns import ColumnTrace
from metrologue.trace.edits import EditColumn, EditMove, EditPair, EditTrace
from metrologue.trace.meteor import MeteorPair, MeteorTrace
from metrologue.trace.picture import AlignedWord, Link, Picture
from metrologue.trace.rouge import Alignment, Overlap, RougeTrace, Run, Token, TypeTrace, Unit

__all__ = [
    "AlignedWord",
    "Alignment",
    "BleuTrace",
    "BrevityPenalty",
    "ChrfOrder",
    "ChrfPair",
    "ChrfTrace",
    "ColumnTrace",
    "CommonNgram",
    "EditColumn",
    "EditMove",
    "EditPair",
    "EditTrace",
    "Link",
    "MeteorPair",
    "MeteorTrace",
    "NgramRow",
    "OrderTable",
    "Overlap",
    "Picture",
    "RougeTrace",
    "Run",
    "Token",
    "Trace",
    "TypeTrace",
    "Unit",
    "trace",
    "visible",
]

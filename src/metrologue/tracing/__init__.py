"""Traces: how a score is computed, as blocks that are shown as text, as HTML or as plain values.

A block holds values and knows no metric. Each metric builds its blocks where it is defined. It takes every number from
its scorer, so that a trace cannot disagree with the score.

It may import representations and what stands below them.
"""

from metrologue.tracing.blocks import (
    CLIPPING,
    FUNCTION_WORD,
    MARKS,
    SHAPES,
    Alignment,
    Block,
    Body,
    Cell,
    Column,
    Grid,
    Key,
    Legend,
    Link,
    Listing,
    Notes,
    Piece,
    Row,
    Section,
    Span,
    Table,
    Text,
    Texts,
    Values,
    Word,
    state_legend,
)
from metrologue.tracing.curve import Curve, surprisal_curve, surprisal_text
from metrologue.tracing.graph import Edge, Graph, Node
from metrologue.tracing.matrix import Matrix, heat_map
from metrologue.tracing.spelling import direction, visible
from metrologue.tracing.trace import Trace, aligned_words, ngrams, reference_names, scores_trace, short, token_texts

__all__ = [
    "CLIPPING", "FUNCTION_WORD", "MARKS", "SHAPES", "Alignment", "Block", "Body", "Cell", "Column", "Curve", "Edge",
    "Graph", "Grid", "Key", "Legend", "Link", "Listing", "Matrix", "Node", "Notes", "Piece", "Row", "Section", "Span",
    "Table", "Text", "Texts", "Trace", "Values", "Word", "aligned_words", "direction", "heat_map", "ngrams",
    "reference_names", "scores_trace", "short", "state_legend", "surprisal_curve", "surprisal_text", "token_texts",
    "visible",
]  # fmt: skip

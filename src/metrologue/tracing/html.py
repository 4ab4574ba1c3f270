"""Traces as HTML fragments: one template, with a macro for each kind of block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from metrologue.tracing.blocks import Block, Column, Grid, Piece, Span, Table, piece_text
from metrologue.tracing.picture import Picture
from metrologue.tracing.spelling import direction, visible
from metrologue.tracing.text import cell_text, units_text
from metrologue.tracing.typeset import from_arithmetic

if TYPE_CHECKING:
    from jinja2 import Environment

# A block with more rows than this is folded: a phone does not show more at once.
MOST_ROWS = 6


def render_html(formula: str, remarks: Sequence[str], blocks: Sequence[Block], signature: str, style: bool) -> str:
    """An HTML fragment. Everything that comes from the texts is escaped. With `style`, it has its stylesheet."""
    page = _environment().get_template("trace.html")
    return page.render(formula=formula, remarks=remarks, blocks=blocks, signature=signature, style=style)


def _typeset(formula: str) -> str:
    """A formula as MathML; what is not arithmetic is shown as it is."""
    try:
        return from_arithmetic(formula)
    except ValueError:
        return escape(formula)


def _grouped(blocks: Sequence[Block]) -> Iterator[Block | list[Table]]:
    """The blocks. Neighbouring tables with captions, such as those of the n-grams of each order, are one group."""
    for beside, neighbours in groupby(blocks, key=lambda block: isinstance(block, Table) and bool(block.caption)):
        group = [*neighbours]
        if beside and len(group) > 1:
            yield [block for block in group if isinstance(block, Table)]
        else:
            yield from group


def _tokens(sentence: Sequence[Piece]) -> Iterator[str]:
    for piece in sentence:
        yield from piece.tokens if isinstance(piece, Span) else (piece,)


def _units(grid: Grid) -> Iterator[str]:
    for side in ("hypothesis", "reference"):
        for column in grid.columns:
            yield from getattr(column, side)


def _folded(grid: Grid) -> list[Column]:
    """The columns for a page. With characters, hits up to the next whitespace are one column, so that letters join."""
    if not grid.characters:
        return list(grid.columns)
    folded: list[Column] = []
    for column in grid.columns:
        last = folded[-1] if folded else None
        if last and last.letter == column.letter == "H" and not last.hypothesis[-1].isspace():
            both = last.hypothesis + column.hypothesis
            folded[-1] = replace(last, hypothesis=both, reference=both)
        else:
            folded.append(column)
    return folded


def _drawn(column: Column, grid: Grid) -> list[str]:
    """The cells of a column, from above: both texts, the letter, and the bracket if there are shifts."""
    texts = [units_text(units, grid.characters) for units in (column.hypothesis, column.reference)]
    brackets = [column.bracket] if any(each.shift for each in grid.columns) else []
    return [*texts, column.letter.replace("H", ""), *brackets]


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("metrologue.tracing"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update(
        cell=cell_text, direction=direction, folded=_folded, grouped=_grouped, drawn=_drawn, typeset=_typeset,
        picture=Picture, piece=piece_text, tokens=_tokens, units=_units, visible=visible,
    )  # fmt: skip
    environment.globals.update(most_rows=MOST_ROWS)
    return environment

"""Traces as HTML fragments: one template, with a macro for each kind of block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from metrologue.tracing.blocks import Block, Column, Grid, Legend, Piece, Span, Table, Texts, piece_text
from metrologue.tracing.phrases import phrases
from metrologue.tracing.picture import Picture
from metrologue.tracing.spelling import direction, visible
from metrologue.tracing.text import cell_text, units_text
from metrologue.tracing.typeset import from_arithmetic

if TYPE_CHECKING:
    from jinja2 import Environment

# A block with more rows than this is folded: a phone does not show more at once.
MOST_ROWS = 6
# Texts with more pairs of tokens have no colours: nobody reads them, and phrases take long to find.
MOST_PAIRS = 1_000_000


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


def _grouped(blocks: Sequence[Block]) -> Iterator[Block | list[Block]]:
    """The blocks. Neighbouring tables with captions, such as those of the n-grams of each order, are one group.

    A legend just before them is that of their rows, and belongs to the group.
    """
    waiting: list[Block] = []
    for beside, neighbours in groupby(blocks, key=lambda block: isinstance(block, Table) and bool(block.caption)):
        group = [*neighbours]
        if beside and len(group) > 1:
            yield [*waiting, *group]
            waiting = []
            continue
        yield from waiting
        waiting = [group.pop()] if isinstance(group[-1], Legend) else []
        yield from group
    yield from waiting


def _hued(block: Texts) -> list[list[list[tuple[Piece, int]]]]:
    """For each text its sentences, with the colour of each token: from 1 on for a phrase that both sides have.

    Texts whose tokens have states of their own have no other colours.
    """
    plain = [[piece for sentence in text.sentences for piece in sentence] for text in block.texts]
    sides = {text.name: own for text, own in zip(block.texts, plain, strict=True)}
    references = [own for name, own in sides.items() if name.startswith("reference")]
    hues = [[0] * len(own) for own in plain]
    is_plain = all(isinstance(each, str) for own in plain for each in own)
    size = len(sides.get("hypothesis", ())) * sum(map(len, references))
    if is_plain and 0 < size <= MOST_PAIRS:
        found = iter(phrases(sides["hypothesis"], references))  # type: ignore[arg-type]  # they are strings
        of_sides = {name: next(found) for name in ("hypothesis", *(n for n in sides if n.startswith("reference")))}
        hues = [of_sides.get(text.name, own) for text, own in zip(block.texts, hues, strict=True)]
    told = []
    for text, own in zip(block.texts, hues, strict=True):
        colours = iter(own)
        told.append([[(piece, next(colours)) for piece in sentence] for sentence in text.sentences])
    return told


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
        cell=cell_text, direction=direction, folded=_folded, grouped=_grouped, drawn=_drawn, hued=_hued,
        typeset=_typeset, picture=Picture, piece=piece_text, tokens=_tokens, units=_units, visible=visible,
    )  # fmt: skip
    environment.globals.update(most_rows=MOST_ROWS)
    return environment

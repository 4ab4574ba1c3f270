"""The blocks of a trace: plain values that know no metric and no output format; and the marks of all formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, ClassVar, TypeVar

from metrologue.errors import InputError, shown
from metrologue.output import in_json
from metrologue.tracing.spelling import visible


@dataclass(frozen=True, kw_only=True)
class Span:
    """Neighbouring tokens, as the scorer reads them.

    Attributes
    ----------
    tokens : tuple of str
    state : str
        "matched", "clipped" or "missing", which have a mark, or another name that the stylesheet knows.
    note : str
        A note that is shown after the tokens.
    """

    tokens: tuple[str, ...]
    state: str = ""
    note: str = ""


# One token of a text, or several.
Piece = str | Span
Cell = str | int | float | Span
# Numbers by name. A tuple has one number for each reference.
Values = Mapping[str, float | tuple[float, ...]]


@dataclass(frozen=True, kw_only=True)
class Block:
    """Base of all blocks."""

    kind: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        """The block as plain values, ready for ``json.dumps``. Every block in it has its kind.

        An infinite number is the text "Infinity" or "-Infinity", because JSON has no such number.
        """
        return dict(in_json(_plain(self)))


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        kind = {"kind": value.kind} if isinstance(value, Block) else {}
        return {**kind, **{part.name: _plain(getattr(value, part.name)) for part in fields(value)}}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return {key: _plain(each) for key, each in value.items()} if isinstance(value, Mapping) else value


@dataclass(frozen=True, kw_only=True)
class Notes(Block):
    """Sentences and formulas, one per line."""

    kind: ClassVar[str] = "notes"

    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Key:
    """A mark and what it means. `state` is its name in the stylesheet."""

    mark: str
    meaning: str
    state: str = ""


@dataclass(frozen=True, kw_only=True)
class Legend(Block):
    """The meaning of the marks, on one line. `title` says where the marks are."""

    kind: ClassVar[str] = "legend"

    keys: tuple[Key, ...]
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text as a sequence of sentences.

    Attributes
    ----------
    name : str
    sentences : tuple of tuple of (str or Span)
        A ``str`` is a token. A ``Span`` without a state is a text that is not cut into tokens.
    size : str
        The length of the text, with the unit; "" if it is not shown.
    """

    name: str
    sentences: tuple[tuple[Piece, ...], ...]
    size: str = ""


@dataclass(frozen=True, kw_only=True)
class Texts(Block):
    """Texts as the scorer reads them, with marks at their tokens."""

    kind: ClassVar[str] = "texts"

    texts: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class Listing(Block):
    """Tokens in a row.

    Attributes
    ----------
    name : str
        What the tokens are.
    spans : tuple of Span
    summary : str
        The line under which a page folds a long list.
    """

    kind: ClassVar[str] = "listing"

    name: str
    spans: tuple[Span, ...]
    summary: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of a table. Its first cell names it. `state` is as in ``Span``."""

    cells: tuple[Cell, ...]
    state: str = ""


@dataclass(frozen=True, kw_only=True)
class Table(Block):
    """Rows of numbers.

    Attributes
    ----------
    name : str
        The name of the table. No other table of the trace has it.
    header : tuple of str
        The names of the columns.
    rows : tuple of Row
    caption : str
        The text above the table. A table with a caption may stand next to others.
    summary : str
        The line under which a page folds a long table; "" if it is never folded.
    meanings : tuple of (str, str)
        The states of the rows and what they mean.
    """

    kind: ClassVar[str] = "table"

    name: str
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    summary: str = ""
    meanings: tuple[tuple[str, str], ...] = ()

    def column(self, name: str) -> tuple[Cell, ...]:
        """The cells of the first column with this name.

        Raises
        ------
        InputError
            If there is no such column.

        Examples
        --------
        >>> rows = Row(cells=("a", 3)), Row(cells=("b", 5))
        >>> Table(name="counts", header=("text", "words"), rows=rows).column("words")
        (3, 5)
        """
        if name not in self.header:
            raise InputError(f"column: {self.name} has no column {shown(name)}; it has {', '.join(self.header)}.")
        index = self.header.index(name)
        return tuple(row.cells[index] for row in self.rows)

    def numbers(self, name: str) -> tuple[float, ...]:
        """The cells of a column that are numbers. Raises the errors of ``column``."""
        return tuple(cell for cell in self.column(name) if isinstance(cell, int | float))


@dataclass(frozen=True, kw_only=True)
class Column:
    """One step of an alignment.

    Attributes
    ----------
    letter : str
        "H" (hit), "S" (substitute), "D" (delete), "I" (insert) or "T" (transpose).
    hypothesis, reference : tuple of str
        The units of the step in each text. "D" has no unit of the hypothesis, and "I" no unit of the reference.
    shift : int
        The number of the last shift that moved the unit, from 1 on; 0 if no shift moved it.
    bracket : str
        This column's part of the bracket around shifted units.
    """

    letter: str
    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    shift: int = 0
    bracket: str = ""


@dataclass(frozen=True, kw_only=True)
class Grid(Block):
    """Two texts in columns, with a letter below each edit.

    Attributes
    ----------
    names : tuple of two str
        The names of the texts.
    columns : tuple of Column
    characters : bool
        Whether units are parts of words, which are shown without gaps.
    """

    kind: ClassVar[str] = "grid"

    names: tuple[str, str]
    columns: tuple[Column, ...]
    characters: bool = False

    @property
    def letters(self) -> dict[str, int]:
        """How often each letter occurs."""
        return dict(Counter(column.letter for column in self.columns))


@dataclass(frozen=True, kw_only=True)
class Word:
    """A word of an aligned text.

    Attributes
    ----------
    text : str
    link : int
        The number of the link that it belongs to, from 1 on; 0 for none.
    function : bool
        Whether it is a function word.
    """

    text: str
    link: int = 0
    function: bool = False


@dataclass(frozen=True, kw_only=True)
class Link:
    """A match: words of both texts that belong together.

    Attributes
    ----------
    name : str
        The stage that found it.
    shape : str
        The shape of its mark: "circle", "triangle", "diamond" or "square".
    starts, lengths : tuple of two int
        Its first word and its number of words, in the hypothesis and in the reference.
    """

    name: str
    shape: str
    starts: tuple[int, int]
    lengths: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Alignment(Block):
    """Two texts as rows of words, and links between them.

    Attributes
    ----------
    names : tuple of two str
        The names of the rows.
    rows : tuple of two tuple of Word
    links : tuple of Link
        The links, in the order of the first row.
    """

    kind: ClassVar[str] = "alignment"

    names: tuple[str, str]
    rows: tuple[tuple[Word, ...], tuple[Word, ...]]
    links: tuple[Link, ...]

    def words(self, link: Link) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of a link in both rows."""
        sides = zip(self.rows, link.starts, link.lengths, strict=True)
        ours, theirs = (tuple(word.text for word in row[start : start + length]) for row, start, length in sides)
        return ours, theirs


B = TypeVar("B", bound=Block)


@dataclass(frozen=True, kw_only=True)
class Body(Block):
    """Base of all objects that hold a sequence of blocks."""

    blocks: tuple[Block, ...]

    def every(self, kind: type[B]) -> list[B]:
        """All blocks of a kind, in order. Blocks inside of sections are included."""
        inside = ((block, *(block.every(Block) if isinstance(block, Body) else ())) for block in self.blocks)
        return [block for group in inside for block in group if isinstance(block, kind)]

    def table(self, name: str) -> Table:
        """The table with this name.

        Raises
        ------
        InputError
            If there is no such table.
        """
        tables = {table.name: table for table in self.every(Table)}
        if name not in tables:
            raise InputError(f"table: there is no table {shown(name)}; there are {', '.join(tables) or 'no tables'}.")
        return tables[name]


@dataclass(frozen=True, kw_only=True)
class Section(Body):
    """Blocks under a title.

    Attributes
    ----------
    name : str
        The subject of the section: a reference, or a type of the metric.
    title : str
    blocks : tuple of Block
    values : mapping of str to float, or to tuple of float
        The numbers of the section, by name. A tuple has one number for each reference.
    """

    kind: ClassVar[str] = "section"

    name: str
    title: str
    values: Values = field(default_factory=dict, hash=False)


# The mark of each state of a token.
MARKS = {"matched": "●", "clipped": "◐", "missing": "○", "bits-1": "░", "bits-2": "▒", "bits-3": "▓", "bits-4": "█"}
# The mark of each shape of a link.
SHAPES = {"circle": "●", "triangle": "▲", "diamond": "◆", "square": "■"}
FUNCTION_WORD = "ƒ"
# What the states of an n-gram mean where counts are clipped to those of the references.
CLIPPING = {"matched": "counts in full", "clipped": "clipped to the references' count", "missing": "in no reference"}


def piece_text(piece: Piece) -> str:
    """One token or several, after the mark of their state."""
    if isinstance(piece, str):
        return visible(piece)
    return MARKS.get(piece.state, "") + " ".join(map(visible, piece.tokens))


def state_legend(meanings: Mapping[str, str], title: str = "") -> Legend:
    """A legend with the marks of these states and what they mean."""
    keys = tuple(Key(mark=MARKS[state], meaning=meaning) for state, meaning in meanings.items())
    return Legend(keys=keys, title=title)

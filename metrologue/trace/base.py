"""What all traces share: how they show themselves, and how they show what the eye cannot see."""

from __future__ import annotations

import io
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, singledispatch
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from metrologue.errors import InputError, shown
from metrologue.scorers import Scorer

if TYPE_CHECKING:
    from jinja2 import Environment
    from rich.console import RenderableType
    from rich.table import Table

__all__ = [
    "MARKS",
    "PairTrace",
    "Trace",
    "blocks",
    "direction",
    "legend",
    "ngrams",
    "short",
    "table",
    "token_grid",
    "trace",
    "visible",
]

P = TypeVar("P")

# Shapes, not colours: they survive a monochrome print, and the colour-blind can tell them apart.
MARKS = {"matched": "●", "clipped": "◐", "missing": "○"}
# Cells of a terminal's line, for what must not be wrapped anywhere.
LINE = 80


@dataclass(frozen=True)
class Trace(ABC):
    """Base of all traces: a frozen dataclass of plain values that shows itself as text, HTML or a dictionary."""

    template: ClassVar[str]

    @abstractmethod
    def parts(self) -> Iterator[RenderableType]:
        """What `text` prints, one after another."""

    def text(self) -> str:
        """Plain text for a terminal, columns aligned for wide and combining characters too."""
        from rich.console import Console

        # Wide enough that nothing is ever cut: a terminal wraps a long line, but nobody can undo an ellipsis.
        file = io.StringIO()
        console = Console(file=file, width=100_000, color_system=None, markup=False, highlight=False, emoji=False)
        for part in self.parts():
            console.print(part)
        return "\n".join(line.rstrip() for line in file.getvalue().rstrip().split("\n"))

    def html(self, style: bool = True) -> str:
        """An HTML fragment in which everything from the texts is escaped.

        Parameters
        ----------
        style : bool
            Whether the fragment brings its stylesheet along; a page with several traces needs that only once.
        """
        return _environment().get_template(self.template).render(trace=self, style=style)

    def to_dict(self) -> dict[str, Any]:
        """The trace as plain values, ready for ``json.dumps``."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class PairTrace(Trace, Generic[P]):
    """A trace that compares the hypothesis with one reference after the other.

    Attributes
    ----------
    value : float
        The score, on the scorer's own scale.
    scorer : Scorer
        Whose numbers they are.
    pairs : tuple
        What there is to show of each pair.
    """

    value: float
    scorer: Scorer
    pairs: tuple[P, ...]

    @property
    def signature(self) -> str:
        """The scorer's configuration."""
        return self.scorer.signature

    @property
    def names(self) -> list[str]:
        """What the references are called."""
        return [f"reference {index}" for index in range(1, len(self.pairs) + 1)]

    @property
    def named(self) -> list[tuple[str, P]]:
        """Each pair with the name of its reference."""
        return [*zip(self.names, self.pairs, strict=True)]


@singledispatch
def trace(scorer: Scorer, prediction: str, references: Sequence[str]) -> Trace:
    """Show how a scorer comes to its number for one segment.

    Parameters
    ----------
    scorer : Scorer
        Any configuration of a metric.
    prediction : str
        The hypothesis.
    references : sequence of str
        Its references, at least one, unless the metric needs none.

    Returns
    -------
    Trace
        For ``Bleu`` a ``BleuTrace``: the n-gram table of each order, the brevity penalty, and the formula with its
        numbers. For ``Rouge`` a ``RougeTrace``: of each type what matched, hits, totals, and the formulas. For
        ``Meteor`` a ``MeteorTrace``: the alignment as a picture, its chunks and stages. For ``Ter``, ``EditDistance``
        and the error rates an ``EditTrace``: both texts in columns, with a letter below each edit. For ``Chrf`` a
        ``ChrfTrace``: the table of orders, and the n-grams that match. For any other scorer a ``ColumnTrace``: every
        number, with each reference alone and together.

    Raises
    ------
    InputError
        If the texts make no segment, `scorer` is none, or the variant refuses the texts.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Rouge
    >>> found = trace(Bleu.variant("nltk", max_order=1), "the the the the the the the",
    ...               ["the cat is on the mat", "there is a cat on the mat"])
    >>> print(found.formula)
    BLEU = 1.000 · exp(1·ln(2/7)) = 0.2857142857142857
    >>> print(trace(Rouge(types=("rougeL",)), "the gunman kill police", ["police killed the gunman"]).formula)
    rougeL_fmeasure = 2·0.5·0.5/(0.5 + 0.5) = 0.5
    """
    raise InputError(f"trace: `scorer` is {shown(scorer)}; a Scorer is expected.")


def ngrams(tokens: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    """The n-grams of a text in their order."""
    return zip(*(tokens[start:] for start in range(order)), strict=False)


def legend(meanings: dict[str, str]) -> str:
    """The marks of these states and what they mean, on one line."""
    return " · ".join(f"{MARKS[state]} {meaning}" for state, meaning in meanings.items())


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table for a terminal: words in its first column, numbers in the others."""
    from rich.table import Table

    grid = Table(box=None, padding=(0, 2, 0, 0))
    for index, column in enumerate(header):
        grid.add_column(column, justify="right" if index else "left")
    for row in rows:
        grid.add_row(*row)
    return grid


def token_grid(rows: Iterable[tuple[str, ...]]) -> Table:
    """Rows for a terminal without a header: names and their texts."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    for row in rows:
        grid.add_row(*row)
    return grid


def blocks(rows: Sequence[tuple[str, Sequence[str]]], gap: int = 1) -> Iterator[RenderableType]:
    """Named rows of cells that stand below each other, for a terminal: broken into blocks before a line is too long."""
    from rich.cells import cell_len
    from rich.table import Table

    room = LINE - 2 - max((cell_len(name) for name, _ in rows), default=0)
    columns = list(zip(*(map(_in_place, cells) for _, cells in rows), strict=True))
    start = 0
    while start < len(columns):
        stop, width = start, 0
        while stop < len(columns):
            width += gap + max(map(cell_len, columns[stop]))
            if width > room and stop > start:
                break
            stop += 1
        grid = Table.grid(padding=0)
        for (name, _), cells in zip(rows, zip(*columns[start:stop], strict=True), strict=True):
            if name or any(cells):
                grid.add_row(f"{name}  ", *(cell + gap * " " for cell in cells))
        if start:
            yield ""
        yield grid
        start = stop


def _in_place(cell: str) -> str:
    """A cell that keeps its column: without the mark, a terminal would mirror several in a right-to-left script."""
    return f"{cell}\N{LEFT-TO-RIGHT MARK}" if any(map(_is_right_to_left, cell)) else cell


def _is_right_to_left(character: str) -> bool:
    return unicodedata.bidirectional(character) in {"R", "AL", "AN"}


def direction(texts: Iterable[str]) -> str:
    """Where a text is read to, as HTML's ``dir`` names it: that of its first letter.

    Examples
    --------
    >>> direction(["«", "שלום", "a"]), direction(["1"])
    ('rtl', 'ltr')
    """
    kinds = (unicodedata.bidirectional(character) for text in texts for character in text)
    return "rtl" if next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L" else "ltr"


# Explicit changes of direction: they would mirror the columns that follow.
_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def visible(token: str) -> str:
    r"""A token with what the eye cannot see made visible, so that it neither hides in a table nor disorders it.

    Examples
    --------
    >>> visible("a b"), visible(""), visible("\frac"), visible("\u0301"), visible("\u200d")
    ('a␣b', '∅', '\\x0crac', '◌́', '\\u200d')
    """
    if all(unicodedata.category(character) == "Cf" for character in token):
        # Joiners and the like belong to the spelling of a word, but alone they are nothing to see.
        return token.encode("unicode_escape").decode() or "∅"
    # A combining mark would combine with whatever stands before it.
    base = "◌" if unicodedata.category(token[0]).startswith("M") else ""
    return base + "".join(map(_visible_character, token))


def _visible_character(character: str) -> str:
    if character == " ":
        return "␣"
    cannot_be_seen = unicodedata.category(character) in {"Cc", "Zl", "Zp", "Zs"}
    if cannot_be_seen or unicodedata.bidirectional(character) in _DIRECTIONS:
        return character.encode("unicode_escape").decode()
    return character


def short(number: float) -> str:
    """Four digits, zeros at the end kept."""
    return f"{number:#.4g}"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("metrologue"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(marks=MARKS)
    environment.filters.update(visible=visible, direction=direction)
    return environment

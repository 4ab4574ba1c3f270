"""What all traces share: how they show themselves, and how they show what the eye cannot see."""

from __future__ import annotations

import io
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, singledispatch
from typing import TYPE_CHECKING, Any, ClassVar

from metrologue.errors import InputError
from metrologue.scorers import Scorer

if TYPE_CHECKING:
    from jinja2 import Environment
    from rich.console import RenderableType
    from rich.table import Table

__all__ = ["MARKS", "Trace", "legend", "ngrams", "short", "table", "token_grid", "trace", "visible"]

# Shapes, not colours: they survive a monochrome print, and the colour-blind can tell them apart.
MARKS = {"matched": "●", "clipped": "◐", "missing": "○"}


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


@singledispatch
def trace(scorer: Scorer, prediction: str, references: Sequence[str]) -> Trace:
    """Show how a scorer comes to its number for one segment.

    Parameters
    ----------
    scorer : Scorer
        Any configuration of a metric that has a trace: ``Bleu`` or ``Rouge``.
    prediction : str
        The hypothesis.
    references : sequence of str
        Its references, at least one.

    Returns
    -------
    Trace
        For ``Bleu`` a ``BleuTrace``: the n-gram table of each order, the brevity penalty, and the formula with its
        numbers. For ``Rouge`` a ``RougeTrace``: of each type what matched, hits, totals, and the formulas.

    Raises
    ------
    InputError
        If the texts make no segment, the metric has no trace, or the variant refuses the texts.

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
    raise InputError(f"trace: `scorer` is a {type(scorer).__name__}, which has no trace; Bleu and Rouge have one.")


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


# Explicit changes of direction: they would mirror the columns that follow.
_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def visible(token: str) -> str:
    r"""A token with what the eye cannot see made visible, so that it neither hides in a table nor disorders it.

    Examples
    --------
    >>> visible("a b"), visible(""), visible("\frac")
    ('a␣b', '∅', '\\x0crac')
    """
    return "".join(map(_visible_character, token)) or "∅"


def _visible_character(character: str) -> str:
    if character == " ":
        return "␣"
    breaks_lines = unicodedata.category(character) in {"Cc", "Zl", "Zp"}
    if breaks_lines or unicodedata.bidirectional(character) in _DIRECTIONS:
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
    environment.filters["visible"] = visible
    return environment

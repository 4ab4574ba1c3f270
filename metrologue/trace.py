"""What matched what: the counts behind the score of one segment, as tables that a reader can check with a pencil.

A trace takes every number from the scorer itself and only lays it out, so it cannot disagree with the score.
"""

from __future__ import annotations

import io
import math
import unicodedata
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, singledispatch
from typing import TYPE_CHECKING, Any, ClassVar

from metrologue.errors import InputError
from metrologue.scorers import Bleu, Scorer
from metrologue.segments import Segments

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["BleuTrace", "BrevityPenalty", "NgramRow", "OrderTable", "Trace", "trace", "visible"]

# Shapes, not colours: they survive a monochrome print, and the colour-blind can tell them apart.
MARKS = {"matched": "●", "clipped": "◐", "missing": "○"}
LEGEND = {"matched": "counts in full", "clipped": "clipped to the references' count", "missing": "in no reference"}


@dataclass(frozen=True)
class Trace(ABC):
    """Base of all traces: a frozen dataclass of plain values that shows itself as text, HTML or a dictionary."""

    template: ClassVar[str]

    @abstractmethod
    def text(self) -> str:
        """Plain text for a terminal, columns aligned for wide and combining characters too."""

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
        Any configuration of a metric that has a trace: ``Bleu``.
    prediction : str
        The hypothesis.
    references : sequence of str
        Its references, at least one.

    Returns
    -------
    Trace
        For ``Bleu`` a ``BleuTrace``: the n-gram table of each order, the brevity penalty, and the formula with its
        numbers.

    Raises
    ------
    InputError
        If the texts make no segment, or the metric has no trace.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> found = trace(Bleu.variant("nltk", max_order=1), "the the the the the the the",
    ...               ["the cat is on the mat", "there is a cat on the mat"])
    >>> print(found.formula)
    BLEU = 1.000 · exp(1·ln(2/7)) = 0.2857142857142857
    """
    raise InputError(f"trace: `scorer` is a {type(scorer).__name__}, which has no trace; Bleu has one.")


@dataclass(frozen=True, kw_only=True)
class NgramRow:
    """One n-gram of the hypothesis: how often each text holds it, and how many of these count.

    Attributes
    ----------
    ngram : tuple of str
        Its tokens.
    references : tuple of int
        Occurrences in each reference.
    maximum : int
        The largest of these.
    hypothesis : int
        Occurrences in the hypothesis.
    clipped : int
        The smaller of ``maximum`` and ``hypothesis``: what the row adds to the numerator of the precision.
    """

    ngram: tuple[str, ...]
    references: tuple[int, ...]
    maximum: int
    hypothesis: int
    clipped: int

    @property
    def state(self) -> str:
        """``matched`` (all occurrences count), ``clipped`` (some do) or ``missing`` (none does)."""
        if self.clipped == 0:
            return "missing"
        return "matched" if self.clipped == self.hypothesis else "clipped"


@dataclass(frozen=True, kw_only=True)
class OrderTable:
    """All n-grams of one order, and the precision that the scorer makes of them.

    Attributes
    ----------
    order : int
        n.
    rows : tuple of NgramRow
        The hypothesis's n-grams, in the order of their first occurrence.
    clipped, total : int
        Numerator and denominator as the scorer has them, its floors included.
    precision : float
        The scorer's, 0 to 1: ``clipped / total``, or what smoothing or the zero rule makes of it.
    weight : float
        The precision's weight in the formula; 0 for an order that is left out.
    """

    order: int
    rows: tuple[NgramRow, ...]
    clipped: int
    total: int
    precision: float
    weight: float

    @property
    def raw(self) -> float:
        """The precision before smoothing; 0 where the hypothesis has no n-gram."""
        return self.clipped / self.total if self.total else 0.0

    @property
    def smoothed(self) -> bool:
        """Whether smoothing changed the precision. A scale of 100 leaves its rounding, pycocoevalcap 1e-9 and more."""
        return self.precision > 0 and not math.isclose(self.precision, self.raw, rel_tol=1e-14)

    @property
    def term(self) -> str:
        """The precision as the formula prints it: the fraction, or the number that smoothing put in its place."""
        number = _short(self.precision)
        return number if self.smoothed and number != _short(self.raw) else f"{self.clipped}/{self.total}"

    @property
    def title(self) -> str:
        """The order and its precision, before and after smoothing."""
        parts = [f"{self.order}-grams: {self.clipped}/{self.total}" + (f" = {_short(self.raw)}" if self.total else "")]
        if self.smoothed:
            parts.append(f"after smoothing {self.precision:.12g}")
        if not self.weight:
            parts.append("left out")
        return ", ".join(parts)

    def cells(self, row: NgramRow) -> tuple[str, ...]:
        """What the table prints for a row; its contribution is its share of the precision."""
        ngram = f"{MARKS[row.state]} {' '.join(map(visible, row.ngram))}"
        counts = (*row.references, row.maximum, row.hypothesis, row.clipped)
        return (ngram, *map(str, counts), f"{row.clipped}/{self.total}")


@dataclass(frozen=True, kw_only=True)
class BrevityPenalty:
    """What a hypothesis shorter than its references loses.

    Attributes
    ----------
    penalty : float
        The factor in the formula, 0 to 1.
    hypothesis_length, reference_length : int or float
        c and r, in tokens; only an average has a fraction.
    reference_lengths : tuple of int
        Lengths of all references, among which ``rule`` chose r.
    rule : str
        The scorer's ``reference_length``: "closest", "shortest", ….
    """

    penalty: float
    hypothesis_length: float
    reference_length: float
    reference_lengths: tuple[int, ...]
    rule: str

    @property
    def sentence(self) -> str:
        """The penalty in words, with its numbers."""
        lengths = ", ".join(map(str, self.reference_lengths))
        c, r = self.hypothesis_length, self.reference_length
        return f"brevity penalty {_short(self.penalty)}: c = {c}, r = {r} ({self.rule} of the references' {lengths})"


@dataclass(frozen=True, kw_only=True)
class BleuTrace(Trace):
    """How BLEU comes to its number for one segment.

    Attributes
    ----------
    value : float
        The score, on the scorer's own scale.
    scale : float
        1 or 100.
    signature : str
        The scorer's configuration.
    hypothesis : tuple of str
        Tokens of the hypothesis.
    references : tuple of tuple of str
        Tokens of each reference.
    orders : tuple of OrderTable
        One table for each order of n-grams.
    brevity : BrevityPenalty
        The penalty and the lengths behind it.
    zero_rule : str
        The scorer's ``zero_when``.
    """

    template: ClassVar[str] = "trace_bleu.html"

    value: float
    scale: float
    signature: str
    hypothesis: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    orders: tuple[OrderTable, ...]
    brevity: BrevityPenalty
    zero_rule: str

    @property
    def formula(self) -> str:
        """BLEU's formula with this segment's numbers in it."""
        scale = "" if self.scale == 1 else f"{self.scale:g} · "
        terms = " + ".join(f"{table.weight:g}·ln({table.term})" for table in self.orders if table.weight)
        return f"BLEU = {scale}{_short(self.brevity.penalty)} · exp({terms}) = {self.value}"

    @property
    def remarks(self) -> list[str]:
        """What the formula alone does not say: the brevity penalty's lengths, and why a score is 0."""
        unmatched = ", ".join(f"{table.order}-gram" for table in self.orders if not table.clipped)
        zero = [f"0, because no {unmatched} matches (zero rule: {self.zero_rule})"]
        return [self.brevity.sentence, *(zero if not self.value and unmatched else [])]

    @property
    def texts(self) -> list[tuple[str, tuple[str, ...]]]:
        """Name and tokens of the hypothesis and of each reference."""
        references = ((f"reference {index}", tokens) for index, tokens in enumerate(self.references, start=1))
        return [("hypothesis", self.hypothesis), *references]

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the columns of ``OrderTable.cells``."""
        references = (f"ref {index}" for index in range(1, len(self.references) + 1))
        return ("n-gram", *references, "max ref", "count", "clipped", "contribution")

    def text(self) -> str:
        from rich.console import Console
        from rich.table import Table

        # Wide enough that nothing is ever cut: a terminal wraps a long line, but nobody can undo an ellipsis.
        file = io.StringIO()
        console = Console(file=file, width=100_000, color_system=None, markup=False, highlight=False, emoji=False)
        console.print(self.formula, *self.remarks, self.signature, "", sep="\n")
        texts = Table.grid(padding=(0, 2))
        for name, tokens in self.texts:
            texts.add_row(name, f"{len(tokens)} tokens", " ".join(map(visible, tokens)))
        console.print(texts)
        for table in self.orders:
            console.print("", table.title, sep="\n")
            if not table.rows:
                continue
            grid = Table(box=None, padding=(0, 2, 0, 0))
            for column in self.header:
                grid.add_column(column, justify="left" if column == "n-gram" else "right")
            for row in table.rows:
                grid.add_row(*table.cells(row))
            console.print(grid)
        console.print("", " · ".join(f"{mark} {LEGEND[state]}" for state, mark in MARKS.items()), sep="\n")
        return "\n".join(line.rstrip() for line in file.getvalue().rstrip().split("\n"))


@trace.register
def _trace_bleu(scorer: Bleu, prediction: str, references: Sequence[str]) -> BleuTrace:
    segment = Segments([prediction], [references], owner=type(scorer).__name__)
    result = scorer.result(scorer.score(scorer.aggregate(scorer.statistics(segment))))
    scores = result.scores
    hypothesis, texts = segment.view(scorer.tokenizer, scorer.lowercase).tokens(0)
    orders = range(1, scorer.max_order + 1)
    return BleuTrace(
        value=result.value,
        scale=scorer.scale,
        signature=result.signature,
        hypothesis=tuple(hypothesis),
        references=tuple(map(tuple, texts)),
        orders=tuple(
            OrderTable(
                order=order,
                rows=_rows(hypothesis, texts, order),
                clipped=int(scores[f"clipped_count_{order}"]),
                total=int(scores[f"count_{order}"]),
                precision=scores[f"precision_{order}"] / scorer.scale,
                weight=weight,
            )
            for order, weight in zip(orders, _weights(scorer, scores), strict=True)
        ),
        brevity=BrevityPenalty(
            penalty=scores["brevity_penalty"],
            hypothesis_length=scores["hypothesis_length"],
            reference_length=scores["reference_length"],
            reference_lengths=tuple(map(len, texts)),
            rule=scorer.reference_length,
        ),
        zero_rule=scorer.zero_when,
    )


def _weights(scorer: Bleu, scores: Mapping[str, float]) -> list[float]:
    """The weights as they enter the formula; an order that a score above 0 leaves out has none."""
    orders = [(w, scores[f"precision_{n}"], scores[f"count_{n}"]) for n, w in enumerate(scorer.weights, start=1)]
    present = sum(weight for weight, precision, total in orders if precision or total)
    growth = sum(scorer.weights) / present if scorer.effective_order and present else 1.0
    zero = not scores[scorer.primary]
    return [growth * weight if precision or zero else 0.0 for weight, precision, _ in orders]


def _rows(hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int) -> tuple[NgramRow, ...]:
    counts = [_count_ngrams(tokens, order) for tokens in references]
    rows = []
    for ngram, count in _count_ngrams(hypothesis, order).items():
        found = tuple(reference[ngram] for reference in counts)
        most = max(found)
        rows.append(NgramRow(ngram=ngram, references=found, maximum=most, hypothesis=count, clipped=min(count, most)))
    return tuple(rows)


def _count_ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


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


def _short(number: float) -> str:
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
    environment.globals.update(marks=MARKS, legend=LEGEND)
    environment.filters["visible"] = visible
    return environment

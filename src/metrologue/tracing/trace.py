"""A trace: how a scorer computes its score for one segment; and helpers of those who build one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from metrologue.errors import number_of
from metrologue.tracing.blocks import Alignment, Body, Link, Row, Section, Table, Text, Texts, Word
from metrologue.tracing.html import render_html
from metrologue.tracing.text import render_text


@dataclass(frozen=True, kw_only=True, repr=False)
class Trace(Body):
    """How a scorer computes its score for one segment: a formula, and blocks that show its parts.

    Attributes
    ----------
    metric : str
        The metric's name.
    value : float
        The score, on the scorer's own scale.
    signature : str
        The scorer's configuration.
    formula : str
        The metric's formula with this segment's numbers in it.
    remarks : tuple of str
        The rules of the formula.
    blocks : tuple of Block
        What was counted.
    values : mapping of str to float
        The numbers of the blocks, by name.

    Examples
    --------
    >>> from metrologue.tracing import Row, Table
    >>> words = Table(name="words", header=("text", "words"), rows=(Row(cells=("a b", 2)), Row(cells=("a", 1))))
    >>> found = Trace(metric="ratio", value=2.0, signature="ratio|metrologue=1", formula="ratio = 2/1", blocks=(words,))
    >>> found
    <Trace of ratio = 2.0000, shown by .text() and .html()>
    >>> print(found.text())
    ratio = 2/1
    ratio|metrologue=1
    <BLANKLINE>
    text  words
    a b       2
    a         1
    >>> found.table("words").column("words")
    (2, 1)
    """

    kind: ClassVar[str] = "trace"

    metric: str
    value: float
    signature: str
    formula: str
    remarks: tuple[str, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        return f"<Trace of {self.metric} = {self.value:.4f}, shown by .text() and .html()>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return self.html()

    @property
    def sections(self) -> list[Section]:
        """The sections of the trace: one for each reference, or for each type of the metric."""
        return self.every(Section)

    def text(self) -> str:
        """Plain text for a terminal. Columns stay aligned with wide and combining characters."""
        return render_text((self.formula, *self.remarks, self.signature), self.blocks)

    def html(self, style: bool = True) -> str:
        """An HTML fragment. Everything that comes from the texts is escaped.

        Parameters
        ----------
        style : bool
            Whether the fragment has its stylesheet. A page with several traces needs it only once.
        """
        return render_html(self.formula, self.remarks, self.blocks, self.signature, style)


def aligned_words(names: tuple[str, str], texts: Sequence[Sequence[str]], links: Sequence[Link]) -> Alignment:
    """A picture of two texts and the links of single words. Of several links of a word, the word shows the last.

    Examples
    --------
    >>> link = Link(name="word", shape="circle", starts=(1, 0), lengths=(1, 1))
    >>> picture = aligned_words(("hypothesis", "reference"), (["a", "cat"], ["cat"]), [link])
    >>> [word.link for word in picture.rows[0]], picture.words(link)
    ([0, 1], (('cat',), ('cat',)))
    """

    def row(words: Sequence[str], side: int) -> tuple[Word, ...]:
        numbers = {link.starts[side]: number for number, link in enumerate(links, start=1)}
        return tuple(Word(text=word, link=numbers.get(place, 0)) for place, word in enumerate(words))

    return Alignment(names=names, rows=(row(texts[0], 0), row(texts[1], 1)), links=tuple(links))


def ngrams(tokens: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    """The n-grams of a text, in order.

    Examples
    --------
    >>> list(ngrams(["a", "b", "c"], 2))
    [('a', 'b'), ('b', 'c')]
    """
    return zip(*(tokens[start:] for start in range(order)), strict=False)


def reference_names(count: int) -> list[str]:
    """The names of the references.

    Examples
    --------
    >>> reference_names(2)
    ['reference 1', 'reference 2']
    """
    return [f"reference {number}" for number in range(1, count + 1)]


def short(number: float) -> str:
    """A number with four digits. Zeros at the end are kept.

    Examples
    --------
    >>> short(0.5)
    '0.5000'
    """
    return f"{number:#.4g}"


def token_texts(texts: Sequence[Sequence[str]], first: Sequence[str] = ("hypothesis",)) -> Texts:
    """A hypothesis and its references as their tokens, with the number of tokens; `first` names what is no reference.

    Examples
    --------
    >>> [(text.name, text.size) for text in token_texts([["a", "cat"], ["cat"]]).texts]
    [('hypothesis', '2 tokens'), ('reference 1', '1 token')]
    """
    names = [*first, *reference_names(len(texts) - len(first))]
    return Texts(
        texts=tuple(
            Text(name=name, sentences=(tuple(tokens),), size=number_of(len(tokens), "token"))
            for name, tokens in zip(names, texts, strict=True)
        )
    )


def scores_trace(
    metric: str, signature: str, primary: str, scores: Mapping[str, float], alone: Sequence[Mapping[str, float]] = ()
) -> Trace:
    """A trace that is one table: every number of a segment, with all references and with each reference alone.

    Parameters
    ----------
    metric, signature : str
        The scorer's name and configuration.
    primary : str
        The name of the number that is the score.
    scores : mapping of str to float
        All numbers, with all references.
    alone : sequence of mapping of str to float
        The same numbers with each reference alone. Empty if there is only one reference.

    Examples
    --------
    >>> print(scores_trace("ratio", "ratio|metrologue=1", "ratio", {"ratio": 0.5, "words": 4}).text())
    ratio = 0.5
    ratio|metrologue=1
    <BLANKLINE>
           value
    ratio    0.5
    words      4
    """
    names, columns = reference_names(len(alone)), [*alone, scores]
    table = Table(
        name="numbers of the segment",
        header=("", *names, "together" if alone else "value"),
        rows=tuple(Row(cells=(name, *(column[name] for column in columns))) for name in scores),
    )
    value = scores[primary]
    return Trace(
        metric=metric, value=value, signature=signature, formula=f"{primary} = {value}", blocks=(table,), values=scores
    )

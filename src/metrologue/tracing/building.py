"""Helpers for the builders of traces: n-grams, names, and numbers as formulas print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from metrologue.errors import number_of
from metrologue.tracing.blocks import Alignment, Link, Row, Table, Text, Texts, Word
from metrologue.tracing.trace import Trace

__all__ = ["aligned_words", "ngrams", "reference_names", "scores_trace", "short", "token_texts"]


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


def token_texts(texts: Sequence[Sequence[str]]) -> Texts:
    """A hypothesis and its references as their tokens, with the number of tokens.

    Examples
    --------
    >>> [(text.name, text.size) for text in token_texts([["a", "cat"], ["cat"]]).texts]
    [('hypothesis', '2 tokens'), ('reference 1', '1 token')]
    """
    names = ["hypothesis", *reference_names(len(texts) - 1)]
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

"""The dependency arcs of texts, and which of them the parse of another text has too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.representations.parses.columns import Indices, Parses

# The relations that the authors' program leaves out.
LEFT_OUT = ("ROOT", "aux", "auxpass", "case", "cop", "dep", "det", "mark", "punct", "root")


class Arcs(NamedTuple):
    """The arcs of n texts: a word, and the word on which it depends.

    Attributes
    ----------
    offsets : int64 (n + 1,)
        The arcs of text i are ``offsets[i]:offsets[i + 1]``, in the order of their words.
    children, heads : int64 (arcs,)
        The words, as rows of the parses.
    """

    offsets: Indices
    children: Indices
    heads: Indices

    @property
    def counts(self) -> Indices:
        """The number of arcs of each text."""
        return np.diff(self.offsets)


def arcs_of(parses: Parses, left_out: Sequence[str] = (), most: int | None = None) -> Arcs:
    """The arcs of each text.

    Parameters
    ----------
    left_out : sequence of str
        The relations whose arcs do not count. "aux" also stands for its kinds, such as "aux:pass".
    most : int, optional
        Only the first arcs of a text count, this many.

    Examples
    --------
    >>> from metrologue.representations.parses import Token
    >>> words = Token("Big", head=1, relation="amod"), Token("cats", head=2, relation="nsubj"), Token("sleep")
    >>> arcs_of(Parses.of_texts(["Big cats sleep"], [words]), left_out=("nsubj",))
    Arcs(offsets=array([0, 1]), children=array([0]), heads=array([1]))
    """
    names = {*left_out}
    kept = np.array([name not in names and name.partition(":")[0] not in names for name in parses.names], np.bool_)
    starts = np.repeat(parses.offsets[:-1], np.diff(parses.offsets))
    is_arc = (parses.heads >= 0) & kept[parses.relations]
    if most is not None:
        before: Indices = np.cumsum(is_arc) - is_arc
        is_arc &= before - before[starts] < most
    children = np.flatnonzero(is_arc)
    offsets = np.concatenate([[0], np.cumsum(is_arc)])[parses.offsets]
    return Arcs(offsets, children, starts[children] + parses.heads[children])


def overlaps(parses: Parses, arcs: Arcs, texts: Indices, others: Indices) -> Iterator[NDArray[np.bool_]]:
    """Whether the parse of the other text of each pair has each arc of a text: both lemmas, one the head of the other.

    A word without a lemma is itself, in small letters. Which of both words is the head does not matter, nor does the
    relation: "the dog's tail" has the arc of "tail of the dog".

    Parameters
    ----------
    texts, others : int64 (pairs,)
        The text of each pair whose arcs are looked for, and the text in whose parse.
    """
    all_arcs = arcs_of(parses)
    lemmas = _lemmas(parses)
    present = [np.unique(_edges(lemmas, all_arcs, text)) for text in range(len(parses))]
    wanted = [_edges(lemmas, arcs, text) for text in range(len(parses))]
    for text, other in zip(texts.tolist(), others.tolist(), strict=True):
        yield np.isin(wanted[text], present[other])


def _lemmas(parses: Parses) -> Indices:
    """A number for the lemma of each word."""
    codes = np.where(parses.lemmas > 0, parses.lemmas, parses.forms)
    numbers: dict[str, int] = {}
    of_names = np.array([numbers.setdefault(name.lower(), len(numbers)) for name in parses.names], np.int64)
    return of_names[codes]


def _edges(lemmas: Indices, arcs: Arcs, text: int) -> Indices:
    """A number for each arc of a text, the same one for the same two lemmas."""
    part = slice(arcs.offsets[text], arcs.offsets[text + 1])
    one, other = lemmas[arcs.children[part]], lemmas[arcs.heads[part]]
    return np.asarray(np.minimum(one, other) << 32 | np.maximum(one, other))

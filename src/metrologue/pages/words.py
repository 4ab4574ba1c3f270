"""The words that match, coloured in the hypothesis and in its references: one colour is one phrase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metrologue.tracing import Alignment, Span, Text, Texts, Trace
from metrologue.tracing.phrases import phrases
from metrologue.tracing.spelling import visible

# A word that matches in another way, such as by its stem, has a mark of its own.
LINKED = -1
# Letters match if so many are in a row: single ones are in every text.
LETTERS = 3


@dataclass(frozen=True)
class Coloured:
    """A text and the colour of each token.

    Attributes
    ----------
    name : str
        "hypothesis", or a reference.
    tokens : tuple of str
    hues : tuple of int
        From 1 to 6 for a phrase, 0 for what does not match, -1 for what matches although it is written differently.
    letters : bool
        Whether the tokens are letters, which are shown without spaces.
    """

    name: str
    tokens: tuple[str, ...]
    hues: tuple[int, ...]
    letters: bool = False

    @property
    def pieces(self) -> Iterator[tuple[str, int]]:
        """Neighbouring tokens of one colour as one text, with the colour."""
        start = 0
        for end in range(1, len(self.tokens) + 1):
            if end == len(self.tokens) or self.hues[end] != self.hues[start]:
                tokens = self.tokens[start:end]
                yield "".join(tokens) if self.letters else " ".join(map(visible, tokens)), self.hues[start]
                start = end


def coloured_words(trace: Trace | None, prediction: str, references: Sequence[str]) -> list[Coloured]:
    """The texts of a segment as a scorer reads them, with colours; empty without references.

    The trace says how the scorer reads the texts. If it does not, they are cut at whitespace.

    Examples
    --------
    >>> [(line.name, list(line.pieces)) for line in coloured_words(None, "the cat sat", ["a cat sat"])]
    [('hypothesis', [('the', 0), ('cat sat', 1)]), ('reference', [('a', 0), ('cat sat', 1)])]
    """
    if not references:
        return []
    read = _as_read(trace, len(references)) if trace else None
    letters = read == _UNCUT
    if not read or letters:
        read = [list(text) if letters else text.split() for text in (prediction, *references)]
    hues = phrases(read[0], read[1:], LETTERS if letters else 1)
    links = trace.every(Alignment) if trace and not letters else []
    if len(links) == len(references):
        _mark_linked(hues, links)
    names = ["hypothesis", *([f"reference {n}" for n in range(1, len(read))] if len(read) > 2 else ["reference"])]
    return [
        Coloured(name, tuple(tokens), tuple(colours), letters)
        for name, tokens, colours in zip(names, read, hues, strict=True)
    ]


_UNCUT: list[list[str]] = [[]]


def _as_read(trace: Trace, count: int) -> list[list[str]] | None:
    """The tokens of each text; `_UNCUT` if the scorer reads letters; None if the trace does not say."""
    for block in trace.every(Texts):
        named = {text.name: text for text in block.texts}
        names = ["hypothesis", *(name for name in named if name.startswith("reference"))]
        if "hypothesis" in named and len(names) == count + 1:
            if all(_is_uncut(named[name]) for name in names):
                return _UNCUT
            return [[*_tokens(named[name])] for name in names]
    pictures = trace.every(Alignment)
    if len(pictures) == count:
        rows = [pictures[0].rows[0], *(picture.rows[1] for picture in pictures)]
        return [[word.text for word in row] for row in rows]
    return None


def _is_uncut(text: Text) -> bool:
    return all(isinstance(piece, Span) and not piece.state for sentence in text.sentences for piece in sentence)


def _tokens(text: Text) -> Iterator[str]:
    for sentence in text.sentences:
        for piece in sentence:
            yield from piece.tokens if isinstance(piece, Span) else (piece,)


def _mark_linked(hues: list[list[int]], links: Sequence[Alignment]) -> None:
    """Mark the words that an alignment links, and that no other text has as they are."""
    for of_reference, picture in zip(hues[1:], links, strict=True):
        for side, colours in ((picture.rows[0], hues[0]), (picture.rows[1], of_reference)):
            for place, word in enumerate(side):
                if word.link and not colours[place]:
                    colours[place] = LINKED

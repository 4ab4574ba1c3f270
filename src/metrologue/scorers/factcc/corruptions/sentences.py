"""Parsed texts as rules read them: tokens with their places, and the names, numbers and dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metrologue.representations.mentions import Mention, mentions_in_parse
from metrologue.representations.parses.columns import Parses, Token
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.factcc.corruptions.edits import Span

__all__ = ["Sentence", "parsed_sentences"]


@dataclass(frozen=True)
class Sentence:
    """A parsed text.

    Attributes
    ----------
    text : str
    tokens : tuple of Token
    spans : tuple of (int, int)
        Where each token begins and ends in the text, in characters.
    mentions : tuple of Mention
        The entities that the parser marks.

    Examples
    --------
    >>> anna = Sentence.of(Parses.of_texts(["Anna ran"], [[Token("Anna", entity="B-PERSON"), Token("ran")]]), 0, "Anna ran")
    >>> anna.spans, anna.said(anna.mentions[0])
    (((0, 4), (5, 8)), 'Anna')
    """  # noqa: E501

    text: str
    tokens: tuple[Token, ...]
    spans: tuple[Span, ...]
    mentions: tuple[Mention, ...]

    @classmethod
    def of(cls, parses: Parses, index: int, text: str) -> Sentence:
        """The text of this index."""
        spans = parses.spans[parses.offsets[index] : parses.offsets[index + 1]].tolist()
        places = tuple((start, stop) for start, stop in spans)
        return cls(text, parses.tokens(index), places, tuple(mentions_in_parse(parses, index)))

    def said(self, mention: Mention) -> str:
        """The mention as it stands in the text."""
        return self.text[mention.start : mention.stop]

    def parts(self) -> list[Sentence]:
        """Its sentences, as the parser divides it."""
        found, start = [], 0
        while start < len(self.tokens):
            number, stop = self.tokens[start].sentence, start
            while stop < len(self.tokens) and self.tokens[stop].sentence == number:
                stop += 1
            found.append(self._part(start, stop))
            start = stop
        return found

    def _part(self, start: int, stop: int) -> Sentence:
        first, last = self.spans[start][0], self.spans[stop - 1][1]
        tokens = (t._replace(head=t.head - start if t.head >= 0 else -1, sentence=0) for t in self.tokens[start:stop])
        mentions = (m for m in self.mentions if first <= m.start and m.stop <= last)
        return Sentence(
            self.text[first:last],
            tuple(tokens),
            tuple((a - first, b - first) for a, b in self.spans[start:stop]),
            tuple(m._replace(start=m.start - first, stop=m.stop - first) for m in mentions),
        )


def parsed_sentences(texts: Sequence[str], parser: Any) -> list[Sentence]:
    """Each text with its parse.

    Parameters
    ----------
    texts : sequence of str
    parser : Parser, NamedParser, or str
        With entities, tags and lemmas; or the name of a pipeline of spaCy.

    Raises
    ------
    InputError
        If there is no such parser.
    """
    parses = NamedParser.of(parser).parser.parse(texts)
    return [Sentence.of(parses, index, text) for index, text in enumerate(texts)]

"""Cloze questions: sentences of references in which an entity is masked, and the text that should answer them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from metrologue.representations.mentions import mentions_by_rule, mentions_in_parse
from metrologue.representations.parses.columns import Parses
from metrologue.representations.parses.named import NamedParser, word_parser
from metrologue.scorers.core.crossed import of_texts, parsed_texts
from metrologue.segments import Segments

PLACEHOLDER = "@placeholder"
_ENTITY = re.compile(r"@entity(\d+)")
_TOKEN = re.compile(r"@\w+|\w+(?:['’]\w+)*|[^\w\s]")

Tokens = tuple[str, ...]


class Cloze(NamedTuple):
    """A text, its entities, and questions about it.

    Attributes
    ----------
    passage : tuple of str
        The tokens of the text. An entity is one token, such as "@entity0".
    names : tuple of str
        The name of each entity, in small letters: first those of the passage, in their order there.
    questions : tuple of tuple of str
        The tokens of each question; "@placeholder" stands for the answer.
    answers : tuple of int
        The numbers of the entities that answer them.
    """

    passage: Tokens
    names: tuple[str, ...]
    questions: tuple[Tokens, ...]
    answers: tuple[int, ...]


def entitized(text: str, names: Sequence[str]) -> Tokens:
    """The tokens of a text in small letters, each entity with its number among `names` as one of them.

    Longer names come first: "New York Times" is not the entity "New York". Case does not matter.

    Examples
    --------
    >>> entitized("The New York Times is read in New York.", ["new york", "new york times"])
    ('the', '@entity1', 'is', 'read', 'in', '@entity0', '.')
    """
    numbers = {_plain(name): number for number, name in enumerate(names)}
    known = sorted((name for name in numbers if name), key=lambda name: (-len(name), name))
    text = text.replace("@", " @ ")  # only entities have tokens that begin with it
    if known:
        spelled = "|".join(r"\s+".join(map(re.escape, name.split())) for name in known)
        found = re.compile(rf"(?<!\w)(?:{spelled})(?!\w)", re.IGNORECASE)
        text = found.sub(lambda match: f" @entity{numbers.get(_plain(match[0]), 0)} ", text)
    return tuple(_TOKEN.findall(text.lower()))


def _plain(name: str) -> str:
    return " ".join(name.lower().split())


def entity_number(token: str) -> int:
    """The number of the entity that a token is; -1 for another token."""
    found = _ENTITY.fullmatch(token)
    return int(found[1]) if found else -1


def candidates_of(passage: Sequence[str]) -> tuple[int, ...]:
    """The entities of a passage, in the order in which they come.

    Examples
    --------
    >>> candidates_of(["@entity2", "met", "@entity0", "and", "@entity2"])
    (2, 0)
    """
    return tuple(dict.fromkeys(number for token in passage if (number := entity_number(token)) >= 0))


def cloze(text: str, sentences: Sequence[str], names: Sequence[str]) -> Cloze:
    """The questions that sentences ask of a text: each masks one of the sentence's entities, wherever it stands in it.

    Parameters
    ----------
    sentences : sequence of str
        Those of the references.
    names : sequence of str
        The names of all entities.

    Examples
    --------
    >>> found = cloze("Bo left.", ["Anna met Bo."], ["Anna", "Bo"])
    >>> found.passage, found.names
    (('@entity0', 'left', '.'), ('bo', 'anna'))
    >>> [" ".join(question) for question in found.questions], found.answers
    (['@placeholder met @entity0 .', '@entity1 met @placeholder .'], (1, 0))
    """
    known = [*dict.fromkeys(filter(None, map(_plain, names)))]
    passage, asked = entitized(text, known), [entitized(each, known) for each in sentences]
    order, (passage, *asked) = renumbered(passage, *asked)
    pairs = [*_questions(asked)]
    return Cloze(
        passage,
        tuple(known[number] for number in order),
        tuple(question for question, _ in pairs),
        tuple(answer for _, answer in pairs),
    )


def renumbered(*texts: Tokens) -> tuple[list[int], list[Tokens]]:
    """The entities of texts in the order in which they come, and the texts with the entities numbered so."""
    order = [*dict.fromkeys(number for text in texts for number in candidates_of(text))]
    places = {f"@entity{number}": f"@entity{at}" for at, number in enumerate(order)}
    return order, [tuple(places.get(token, token) for token in text) for text in texts]


def _questions(sentences: Sequence[Tokens]) -> Iterator[tuple[Tokens, int]]:
    for sentence in sentences:
        for number in candidates_of(sentence):
            masked = f"@entity{number}"
            yield tuple(PLACEHOLDER if token == masked else token for token in sentence), number


def clozes(owner: str, segments: Segments, parser: NamedParser | None, kinds: Sequence[str]) -> Iterator[Cloze]:
    """The questions that the references of each segment ask of its text.

    Raises an InputError if a text has no parse.

    Parameters
    ----------
    owner : str
        The scorer's name in messages.
    parser : NamedParser, optional
        What finds the entities. By default a rule finds them.
    kinds : sequence of str
        Which entities are asked for, some of ``KINDS``.
    """
    texts, parses = parsed_texts(owner, segments, parser or word_parser())
    names, sentences = of_texts(
        segments, ("entities", parser, (*kinds,)), lambda: _entities(texts.texts, parses, parser is None, kinds)
    )
    own, its = texts.pairs(segments)
    offsets = segments.reference_offsets
    for first, last in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        sources, text = its[first:last].tolist(), int(own[first])
        asked = [each for source in sources for each in sentences[source]]
        yield cloze(texts.texts[text], asked, [name for each in (*sources, text) for name in names[each]])


def _entities(
    texts: Sequence[str], parses: Parses, by_rule: bool, kinds: Sequence[str]
) -> tuple[list[list[str]], list[list[str]]]:
    """The names of the entities of each text, and its sentences."""
    names = []
    for index, text in enumerate(texts):
        found = mentions_by_rule(text) if by_rule else mentions_in_parse(parses, index)
        names.append([text[each.start : each.stop] for each in found if each.kind in kinds])
    return names, [sentences_of(parses, index, text) for index, text in enumerate(texts)]


def sentences_of(parses: Parses, index: int, text: str) -> list[str]:
    """The sentences of a parsed text."""
    part = slice(parses.offsets[index], parses.offsets[index + 1])
    spans, numbers = parses.spans[part], parses.sentences[part]
    found = (spans[(numbers == number) & (spans[:, 1] > 0)] for number in np.unique(numbers))
    return [text[int(own[0, 0]) : int(own[-1, 1])] for own in found if len(own)]


def answer_lexically(passage: Sequence[str], question: Sequence[str], window: int = 10) -> dict[int, float]:
    """How many different words of the question stand near to each entity of a passage: at most so many tokens away.

    Of several mentions the best one counts. Entities are words too. Marks do not count.

    Examples
    --------
    >>> answer_lexically(["@entity0", "met", "@entity1", "."], ["@placeholder", "met", "@entity1"], window=2)
    {0: 2.0, 1: 1.0}
    """
    words = {token for token in question if token != PLACEHOLDER and (token[0].isalnum() or token[0] == "@")}
    found: dict[int, float] = {}
    for place, token in enumerate(passage):
        if (number := entity_number(token)) >= 0:
            near = {*passage[max(0, place - window) : place], *passage[place + 1 : place + 1 + window]}
            found[number] = max(found.get(number, 0.0), float(len(words & near - {token})))
    return found

"""What a parser says of texts, as columns over their tokens; and any function as a parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from metrologue.data.named import NamedFunction
from metrologue.errors import InputError, shown
from metrologue.files.regular import read_text
from metrologue.representations.base import spans_in

Codes = NDArray[np.int32]
Indices = NDArray[np.int64]

# The columns that hold names, in the order of the fields of a token.
NAMED = ("forms", "lemmas", "tags", "pos", "relations")


class Token(NamedTuple):
    """A token of a text. A field that its parser does not give is "".

    Attributes
    ----------
    form : str
        The token as it stands in the text.
    lemma : str
    tag : str
        The part of speech in the parser's own tags, such as "VBD".
    pos : str
        The part of speech in universal tags, such as "VERB".
    head : int
        The place of its head among the tokens of the text; -1 for the root of a sentence.
    relation : str
        The relation with its head, such as "nsubj".
    entity : str
        "B-PERSON" for the first token of an entity, "I-PERSON" for another one of it.
    sentence : int
        The number of its sentence in the text.
    """

    form: str
    lemma: str = ""
    tag: str = ""
    pos: str = ""
    head: int = -1
    relation: str = ""
    entity: str = ""
    sentence: int = 0


@dataclass(frozen=True, kw_only=True)
class Parses:
    """The tokens of n texts, and what a parser says of them.

    Attributes
    ----------
    offsets : int64 (n + 1,)
        The tokens of text i are ``offsets[i]:offsets[i + 1]``. A text may have none.
    known : bool (n,)
        False for a text of which the parser has no parse.
    names : tuple of str
        What the numbers in the next columns stand for. The first one is "", for what the parser does not give.
    forms, lemmas, tags, pos, relations : int32 (tokens,)
        For each token, the index in `names` of its form, its lemma, its part of speech in the parser's own tags and in
        universal tags, and its relation with its head.
    heads : int64 (tokens,)
        The place of the head among the tokens of the same text; -1 for the root of a sentence.
    sentences : int64 (tokens,)
        The number of the token's sentence in its text.
    spans : int64 (tokens, 2)
        Where each token begins and ends in its text, in characters. Both are 0 for a token that is not in the text.
    entities : int64 (m, 2)
        The first token of each entity, and the first one after it, by their places in the text.
    entity_labels : int32 (m,)
        The index of its label in `names`.
    entity_offsets : int64 (n + 1,)
        The entities of text i are ``entity_offsets[i]:entity_offsets[i + 1]``.

    Examples
    --------
    >>> cats = Token("Cats", "cat", "NNS", "NOUN", 1, "nsubj"), Token("sleep", "sleep", "VBP", "VERB", -1, "ROOT")
    >>> parses = Parses.of_texts(["Cats sleep"], [cats])
    >>> parses.spans, parses.heads, parses.texts("lemmas", 0)
    (array([[ 0,  4],
           [ 5, 10]]), array([ 1, -1]), ['cat', 'sleep'])
    >>> parses.missing("lemmas", "tags"), parses.tokens(0) == cats
    ((), True)
    """

    offsets: Indices
    known: NDArray[np.bool_]
    names: tuple[str, ...]
    forms: Codes
    lemmas: Codes
    tags: Codes
    pos: Codes
    relations: Codes
    heads: Indices
    sentences: Indices
    spans: Indices
    entities: Indices
    entity_labels: Codes
    entity_offsets: Indices

    @classmethod
    def of_texts(
        cls,
        texts: Sequence[str],
        tokens: Sequence[Sequence[Token] | None],
        spans: Callable[[int], Indices] | None = None,
    ) -> Parses:
        """The columns of the tokens of texts; None stands for a text without a parse.

        Parameters
        ----------
        texts : sequence of str
        tokens : sequence of sequence of Token, or None
        spans : callable, optional
            The spans of the tokens of a text, (tokens, 2), by its index. Otherwise their forms are looked for in the
            text, one after another.

        Raises
        ------
        InputError
            If a head is not a place in the text, or is the token itself.
        """
        rows = [each or () for each in tokens]
        names, flat = Names(), [token for row in rows for token in row]
        offsets = np.cumsum([0, *map(len, rows)])
        heads = np.array([token.head for token in flat], np.int64)
        places = np.arange(len(flat)) - np.repeat(offsets[:-1], np.diff(offsets))
        wrong = (heads < -1) | (heads >= np.repeat(np.diff(offsets), np.diff(offsets))) | (heads == places)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            text = int(np.searchsorted(offsets, at, "right")) - 1
            raise InputError(
                f"Parses: the token {shown(flat[at].form)} of text {text}, counted from 0, has the head "
                f"{flat[at].head}; the place of another of its {offsets[text + 1] - offsets[text]} tokens is expected, "
                "or -1."
            )
        fields: list[list[Any]] = [[token[at] for token in flat] for at in range(4)]
        named: dict[str, Any] = {column: names.codes(field) for column, field in zip(NAMED, fields, strict=False)}
        placed_forms = (
            spans(index) if spans else spans_in(texts[index], [token.form for token in row])
            for index, row in enumerate(rows)
            if row
        )
        return cls(
            offsets=offsets,
            known=np.array([each is not None for each in tokens], np.bool_),
            **named,
            relations=names.codes([token.relation for token in flat]),
            heads=heads,
            sentences=np.array([token.sentence for token in flat], np.int64),
            spans=np.concatenate([np.zeros((0, 2), np.int64), *placed_forms]),
            **entity_columns([[*_entities(row)] for row in rows], names),
            names=names.all(),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def texts(self, column: str, index: int) -> list[str]:
        """What a column such as "lemmas" has for each token of a text, in words."""
        return [self.names[i] for i in getattr(self, column)[self.offsets[index] : self.offsets[index + 1]]]

    def labelled(self, index: int) -> list[tuple[int, int, str]]:
        """The entities of a text: the first token of each, the first one after it, its label."""
        part = slice(self.entity_offsets[index], self.entity_offsets[index + 1])
        rows = zip(self.entities[part].tolist(), self.entity_labels[part].tolist(), strict=True)
        return [(start, stop, self.names[label]) for (start, stop), label in rows]

    def tokens(self, index: int) -> tuple[Token, ...]:
        """The tokens of a text, each with all its fields."""
        part = slice(self.offsets[index], self.offsets[index + 1])
        marks = [""] * int(self.offsets[index + 1] - self.offsets[index])
        for start, stop, label in self.labelled(index):
            marks[start:stop] = [f"B-{label}", *[f"I-{label}"] * (stop - start - 1)]
        forms, lemmas, tags, pos, relations = (self.texts(column, index) for column in NAMED)
        rows = zip(
            forms, lemmas, tags, pos, self.heads[part].tolist(), relations, marks, self.sentences[part].tolist(),
            strict=True,
        )  # fmt: skip
        return tuple(Token(*row) for row in rows)

    def missing(self, *columns: str) -> tuple[str, ...]:
        """Those of these columns that are empty for all tokens, although there are tokens."""
        return tuple(name for name in columns if len(self.forms) and not getattr(self, name).any())


class Parser(Protocol):
    """A parser of texts."""

    @property
    def name(self) -> str:
        """Its name with a digest of its content, such as "en_core_web_sm-3.8.0@06dcd770684d", as a signature has it."""

    def parse(self, texts: Sequence[str]) -> Parses:
        """The parses of texts."""


class Names:
    """Names that get numbers, in the order in which they come; "" is 0."""

    def __init__(self) -> None:
        self._numbers = {"": 0}

    def codes(self, names: Sequence[str]) -> Codes:
        numbers = self._numbers
        return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int32)

    def all(self) -> tuple[str, ...]:
        """All names by their numbers."""
        return tuple(self._numbers)


def entity_columns(of_texts: Sequence[Sequence[tuple[int, int, str]]], names: Names) -> dict[str, Any]:
    """The columns of the entities of each text: the first token of each, the first one after it, its label."""
    flat = [entity for entities in of_texts for entity in entities]
    return {
        "entities": np.array([entity[:2] for entity in flat], np.int64).reshape(-1, 2),
        "entity_labels": names.codes([label for *_, label in flat]),
        "entity_offsets": np.cumsum([0, *map(len, of_texts)]),
    }


def _entities(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """The entities that labels such as "B-PERSON" and "I-PERSON" mark."""
    start, label = 0, ""
    for place, mark in enumerate([*(token.entity for token in tokens), ""]):
        kind, _, marked = mark.partition("-")
        if label and not (kind == "I" and marked == label):
            yield start, place, label
            label = ""
        if marked and not label:
            start, label = place, marked


def whole_text(place: Path, owner: str) -> str:
    """The text of a file of parses. Raises an InputError if it cannot be read; `owner` is who reads it."""
    try:
        return read_text(place, owner)
    except InputError:
        raise
    except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
        why = getattr(error, "strerror", None) or "it is no text"
        raise InputError(f"{owner}: {shown(str(place))} cannot be read: {why}.") from error


def placed(text: str, spans: Indices) -> Indices:
    """Spans in a text without its whitespace, each of one character or more, as spans of the text itself.

    Examples
    --------
    >>> placed("a  new cat", np.array([[1, 4], [4, 7]]))
    array([[ 3,  6],
           [ 7, 10]])
    """
    letters = np.array([at for at, character in enumerate(text) if not character.isspace()], np.int64)
    return np.column_stack([letters[spans[:, 0]], letters[spans[:, 1] - 1] + 1])


class FunctionParser(NamedFunction[Callable[[list[str]], Sequence[Any]]]):
    """A function that parses texts.

    Parameters
    ----------
    name, digest : str
        As for ``NamedFunction``: they stand for the function in signatures.
    function : callable
        From a list of texts to a list with the tokens of each. A token is a ``Token``, or a dict with some of its
        fields, such as ``{"form": "Cats", "lemma": "cat", "tag": "NNS"}``. None stands for a text without a parse.

    Examples
    --------
    >>> words = FunctionParser("words", lambda texts: [[Token(w, w.lower()) for w in t.split()] for t in texts], "1")
    >>> words.parse(["A cat"]).texts("lemmas", 0)
    ['a', 'cat']
    """

    def parse(self, texts: Sequence[str]) -> Parses:
        """The parses that the function gives.

        Raises
        ------
        InputError
            If their number is not that of the texts, or one is no list of tokens.
        """
        rows = enumerate(self._results([*texts], "parses of {}"))
        return Parses.of_texts(
            texts, [None if row is None else [self._token(given, i) for given in row] for i, row in rows]
        )

    def _token(self, given: Any, index: int) -> Token:
        try:
            token = Token(**given) if isinstance(given, Mapping) else Token(*given)
        except TypeError:
            token = None
        kinds = [int if name in ("head", "sentence") else str for name in Token._fields]
        if token is None or isinstance(given, str) or not all(map(isinstance, token, kinds)):
            raise InputError.at(self.name, "texts", index, f" has the token {shown(given)}; a Token is expected.")
        return token

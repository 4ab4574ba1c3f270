"""The triples that PEAK compares: given ones, or those in the dependency parses of texts."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.arrays import Integers
from metrologue.data.intake import with_type
from metrologue.errors import InputError, shown
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.crossed import distinct_texts, of_texts, parsed_texts
from metrologue.scorers.peak.clauses import Triple, triples_in
from metrologue.segments import Segments

__all__ = ["Facts", "facts_of"]


class Facts(NamedTuple):
    """The triples of segments.

    Attributes
    ----------
    triples : list of (str, str, str)
        Each triple once.
    topics : list of (list of int, list of lists of int)
        For each segment the triples of the summary, and those of each model, by their indices.
    """

    triples: list[Triple]
    topics: list[tuple[list[int], list[list[int]]]]


def facts_of(segments: Segments, triples: str, parser: NamedParser | None, owner: str) -> Facts:
    """The triples of all segments.

    Parameters
    ----------
    segments : Segments
    triples : str
        "given" or "dependency".
    parser : NamedParser or None
    owner : str
        The scorer's name in messages.

    Raises
    ------
    InputError
        If an item is not a triple of strings, a text does not spell triples, lists are given where texts are expected,
        or there is no parser.
    """
    if triples == "given":
        return segments.memoize(("facts",), lambda: (_given if segments.holds_items else _written)(segments, owner))
    if segments.holds_items:
        raise InputError(f"{owner}: `predictions` are lists; triples='dependency' needs texts.")
    return segments.memoize(("facts", parser), lambda: _parsed(segments, parser, owner))


def _written(segments: Segments, owner: str) -> Facts:
    """The triples that texts spell."""
    texts = of_texts(segments, ("distinct",), lambda: distinct_texts(segments))
    numbers: dict[Triple, int] = {}
    own: list[list[int]] = []
    for text, spelled in enumerate(texts.texts):
        found = [tuple(map(str.strip, piece.split("|"))) for piece in re.split("[;\n]", spelled) if piece.strip()]
        if wrong := [triple for triple in found if len(triple) != 3]:
            argument, index = texts.first(np.arange(len(texts.texts)) == text) or ("predictions", 0)
            if argument == "references":
                index = int(np.searchsorted(segments.reference_offsets, index, "right")) - 1
            what = f" has {shown(' | '.join(wrong[0]))}; triples are expected, as in 'subject | predicate | object; …'."
            raise InputError.at(owner, argument, segments.first + index, what)
        own.append([numbers.setdefault((one[0], one[1], one[2]), len(numbers)) for one in found])
    return Facts([*numbers], _topics(own, *texts.pairs(segments), segments.reference_offsets))


def _given(segments: Segments, owner: str) -> Facts:
    view = segments.items()
    triples: list[Triple] = []
    for number in range(view.type_count):
        item = view.vocabulary.items[number]  # type: ignore[attr-defined]  # a view of items has them
        if (triple := _triple(item)) is None:
            text = int(np.searchsorted(view.offsets, np.flatnonzero(view.ids == number)[0], "right")) - 1
            argument, index = _place(segments, text)
            what = f" holds {with_type(item)}; a tuple of three strings is expected: subject, predicate, object."
            raise InputError.at(owner, argument, segments.first + index, what)
        triples.append(triple)
    own = [view.ids[first:last].tolist() for first, last in pairwise(view.offsets)]
    return Facts(triples, _topics(own, *view.pairs, view.reference_offsets))


def _triple(item: Any) -> Triple | None:
    """The triple that an item is; a module keeps it as its JSON. None if it is none."""
    if isinstance(item, str):
        try:
            item = tuple(json.loads(item))
        except (ValueError, TypeError, RecursionError):
            return None
    is_triple = isinstance(item, tuple) and len(item) == 3 and all(isinstance(part, str) for part in item)
    return item if is_triple else None


def _place(segments: Segments, text: int) -> tuple[str, int]:
    """The argument and the segment of a text of the view."""
    if text < len(segments):
        return "predictions", text
    return "references", int(np.searchsorted(segments.reference_offsets, text - len(segments), "right")) - 1


def _parsed(segments: Segments, parser: NamedParser | None, owner: str) -> Facts:
    texts, parses = parsed_texts(owner, segments, parser, ("relations",))

    def make() -> tuple[list[Triple], list[list[int]]]:
        numbers: dict[Triple, int] = {}
        own = [
            [numbers.setdefault(triple, len(numbers)) for triple in triples_in(parses.tokens(text))]
            for text in range(len(parses))
        ]
        return [*numbers], own

    triples, own = of_texts(segments, ("triples", parser), make)
    return Facts(triples, _topics(own, *texts.pairs(segments), segments.reference_offsets))


def _topics(
    own: list[list[int]], hypotheses: Integers, references: Integers, offsets: Integers
) -> list[tuple[list[int], list[list[int]]]]:
    """The triples of each segment, from those of all texts."""
    return [
        (own[hypotheses[first]], [own[text] for text in references[first:last].tolist()])
        for first, last in pairwise(offsets.tolist())
    ]

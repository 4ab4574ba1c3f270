"""The triples that PEAK compares: given ones, or subject, predicate and object in the dependency parses of texts."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.arrays import Integers
from metrologue.data.intake import with_type
from metrologue.errors import InputError, shown
from metrologue.representations.parses.columns import Token
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.crossed import distinct_of, of_texts, parsed_texts
from metrologue.segments import Segments

__all__ = ["Facts", "Triple", "facts_of", "triples_in"]


class Facts(NamedTuple):
    """The triples of segments."""

    triples: list[Triple]  # each triple once
    # For each segment the triples of the summary, and those of each model, by their indices.
    topics: list[tuple[list[int], list[list[int]]]]


def facts_of(segments: Segments, triples: str, parser: NamedParser | None, owner: str) -> Facts:
    """The triples of all segments.

    Raises an InputError if an item is not a triple of strings, a text does not spell triples, lists are given where
    texts are expected, or there is no parser.

    Parameters
    ----------
    segments : Segments
    triples : str
        "given" or "dependency".
    parser : NamedParser or None
    owner : str
        The scorer's name in messages.
    """
    if triples == "given":
        return segments.memoize(("facts",), lambda: (_given if segments.holds_items else _written)(segments, owner))
    if segments.holds_items:
        raise InputError(f"{owner}: `predictions` are lists; triples='dependency' needs texts.")
    return segments.memoize(("facts", parser), lambda: _parsed(segments, parser, owner))


def _written(segments: Segments, owner: str) -> Facts:
    """The triples that texts spell."""
    texts = distinct_of(segments)
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
    """The triple that an item is; a module keeps it as its JSON. None if it is not one."""
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


Triple = tuple[str, str, str]

_SUBJECTS = {"nsubj", "nsubjpass", "nsubj:pass", "csubj", "csubjpass", "csubj:pass", "expl"}
_OBJECTS = {"dobj", "obj", "iobj", "dative", "attr", "acomp", "oprd", "xcomp"}
_OBLIQUE = {"obl", "obl:agent", "obl:tmod", "nmod"}
_PREPOSITIONS = {"prep", "agent", "dative"}
_WITH_VERB = {"neg", "prt", "compound:prt", "aux", "auxpass", "aux:pass"}
# Not a part of a phrase: punctuation, and clauses, which have triples of their own.
_LEFT_OUT = {"punct", "relcl", "acl", "acl:relcl", "advcl", "ccomp", "parataxis", "conj", "cc", "mark", "case"}


def triples_in(tokens: Sequence[Token]) -> list[Triple]:
    """The triples of a text: for each verb with a subject, one for each object; without any, the object is "".

    Examples
    --------
    >>> parse = ("A DET 1 det", "train NOUN 2 nsubj", "hit VERB -1 root", "trucks NOUN 2 obj", "in ADP 5 case",
    ...          "May PROPN 2 obl")
    >>> rows = [row.split() for row in parse]
    >>> triples_in([Token(form, form.lower(), "", pos, int(head), relation) for form, pos, head, relation in rows])
    [('A train', 'hit', 'trucks'), ('A train', 'hit in', 'May')]
    """
    children: defaultdict[int, list[int]] = defaultdict(list)
    for place, token in enumerate(tokens):
        children[token.head].append(place)
    found: list[Triple] = []
    for verb in range(len(tokens)):
        subjects = _subjects(tokens, children, verb)
        if not subjects:
            continue
        objects = [*_objects(tokens, children, verb)] or [("", "")]
        name = _verb(tokens, children, verb)
        for subject in subjects:
            phrase = _phrase(tokens, children, subject)
            found += [(phrase, f"{name} {preposition}".strip(), said) for preposition, said in objects]
    return found


def _subjects(tokens: Sequence[Token], children: defaultdict[int, list[int]], verb: int) -> list[int]:
    """The subjects of a verb; if it has none, those of the verb that it is joined to."""
    seen: set[int] = set()
    while verb >= 0 and verb not in seen:
        seen.add(verb)
        own = [child for child in children[verb] if tokens[child].relation in _SUBJECTS]
        if own or tokens[verb].relation != "conj":
            return own
        verb = tokens[verb].head
    return []


def _verb(tokens: Sequence[Token], children: defaultdict[int, list[int]], verb: int) -> str:
    """The predicate: the copula of a noun or adjective, or the verb, each with its auxiliaries, particles and "not"."""
    own = [child for child in children[verb] if tokens[child].relation in _WITH_VERB or tokens[child].relation == "cop"]
    has_copula = any(tokens[child].relation == "cop" for child in own)
    return " ".join(tokens[place].form for place in sorted([*own, *([] if has_copula else [verb])]))


def _objects(tokens: Sequence[Token], children: defaultdict[int, list[int]], verb: int) -> Iterator[tuple[str, str]]:
    """Each object with its preposition."""
    if any(tokens[child].relation == "cop" for child in children[verb]):
        left_out = _SUBJECTS | _WITH_VERB | _OBLIQUE | {"cop"}
        yield "", _phrase(tokens, children, verb, left_out)
    for child in children[verb]:
        relation = tokens[child].relation
        if relation in _PREPOSITIONS and (own := [n for n in children[child] if tokens[n].relation == "pobj"]):
            for noun in own:
                yield tokens[child].form, _phrase(tokens, children, noun)
        elif relation in _OBJECTS:
            yield "", _phrase(tokens, children, child)
        elif relation in _OBLIQUE:
            cases = [tokens[n].form for n in children[child] if tokens[n].relation == "case"]
            yield " ".join(cases), _phrase(tokens, children, child)


def _phrase(
    tokens: Sequence[Token],
    children: defaultdict[int, list[int]],
    head: int,
    left_out: frozenset[str] | set[str] = frozenset(),
) -> str:
    """The words below a token and itself, in their order. Heads may form a circle; each word is taken once."""
    seen, waiting = {head}, [head]
    while waiting:
        for child in children[waiting.pop()]:
            relation = tokens[child].relation
            inside = relation not in _LEFT_OUT or (relation == "case" and tokens[child].head != head)
            if child not in seen and inside and not (tokens[child].head == head and relation in left_out):
                seen.add(child)
                waiting.append(child)
    return " ".join(tokens[place].form for place in sorted(seen))

"""The triples that PEAK compares, given or from dependency parses, and the content units that they become."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from metrologue.data.arrays import Floats, Integers
from metrologue.data.intake import with_type
from metrologue.errors import InputError, shown
from metrologue.representations.parses.columns import Token
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.crossed import distinct_of, of_texts, parsed_texts
from metrologue.scorers.families.kernels.assignment import assignment
from metrologue.segments import Segments
from metrologue.text.reading import Reading


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


class Rules(NamedTuple):
    """What makes a unit: the fields `threshold` and `salience`, and whether a triple alone is one."""

    threshold: float
    salience: int
    alone: bool


@dataclass(frozen=True)
class Phrases:
    """The words of the parts of triples."""

    parts: Integers  # (n_triples, 3): the phrase that each part of a triple is
    words: list[frozenset[int]]  # the distinct words of each phrase

    @classmethod
    def of(cls, triples: list[Triple], reading: Reading) -> Phrases:
        """The phrases of triples, read as texts are."""
        numbers: dict[str, int] = {}
        parts = [[numbers.setdefault(part, len(numbers)) for part in triple] for triple in triples]
        if not numbers:
            return cls(np.zeros((0, 3), np.int64), [])
        view = Segments([*numbers]).read(reading)
        words = [frozenset(view.ids[view.offsets[i] : view.offsets[i + 1]].tolist()) for i in range(len(numbers))]
        return cls(np.array(parts, np.int64), words)

    def similarities(self, own: list[int], its: list[int]) -> Floats:
        """The similarity of each part of triples with each part of others, (3, 3, n, m)."""
        sides = [self.parts[np.array(triples, np.int64)] for triples in (own, its)]
        known = sorted({*chain.from_iterable(side.ravel().tolist() for side in sides)})
        columns = {word: at for at, word in enumerate(sorted({*chain.from_iterable(self.words[p] for p in known)}))}
        table = np.zeros((len(known), len(columns)))
        for row, phrase in enumerate(known):
            table[row, [columns[word] for word in self.words[phrase]]] = 1
        sizes = table.sum(axis=1)
        both = sizes[:, None] + sizes
        dice = np.where(both > 0, 2 * (table @ table.T) / np.where(both > 0, both, 1), 1.0)
        at = np.zeros(len(self.words), np.int64)
        at[known] = np.arange(len(known))
        own_rows, its_rows = (at[side] for side in sides)
        return np.array([[dice[np.ix_(own_rows[:, i], its_rows[:, j])] for j in range(3)] for i in range(3)])


def _of_triples(similarities: Floats) -> Floats:
    """The mean of the similarities of subjects, predicates and objects, (n, m)."""
    found: Floats = (similarities[0, 0] + similarities[1, 1] + similarities[2, 2]) / 3
    return found


@dataclass(frozen=True)
class Topic:
    """The content units of a segment, the heaviest first."""

    scus: list[list[int]]  # the triples of each SCU, each of another model: the first one is that with which it began
    models: list[list[int]]  # the model of each of these triples
    expressed: list[int]  # the triple of the summary that expresses each SCU; -1 for none

    @classmethod
    def of(cls, summary: list[int], models: list[list[int]], phrases: Phrases, rules: Rules) -> Topic:
        """The units of the models, and those that the summary expresses."""
        triples = [triple for model in models for triple in dict.fromkeys(model)]
        whose = [number for number, model in enumerate(models) for _ in dict.fromkeys(model)]
        groups = _groups(phrases.similarities(triples, triples), np.array(whose, np.int64), len(models), rules)
        groups.sort(key=lambda group: -len(group))
        own = [*dict.fromkeys(summary)]
        alike = _of_triples(phrases.similarities(own, triples))
        weights = np.zeros((len(own), len(groups)))
        for column, group in enumerate(groups):
            best = alike[:, group].max(axis=1) if own else np.zeros(0)
            weights[:, column] = np.where(best >= rules.threshold, len(group) / len(models), 0)
        expressed = [-1] * len(groups)
        for row, column in zip(*(side.tolist() for side in assignment(weights)), strict=True):
            if weights[row, column]:
                expressed[column] = own[row]
        return cls(
            [[triples[i] for i in group] for group in groups],
            [[whose[i] for i in group] for group in groups],
            expressed,
        )


def _groups(similarities: Floats, whose: Integers, models: int, rules: Rules) -> list[list[int]]:
    """The triples of each unit, by their places."""
    alike = _of_triples(similarities)
    others = whose[:, None] != whose
    arguments = (
        np.maximum.reduce([similarities[0, 0], similarities[0, 2]]),
        np.maximum.reduce([similarities[2, 0], similarities[2, 2]]),
    )
    members = np.arange(models)[:, None] == whose  # (models, n)
    anchors = np.ones(len(whose), np.bool_)
    for likest in arguments:
        near = (likest >= rules.threshold) & others
        anchors &= (near @ members.T > 0).sum(axis=1) >= rules.salience
    free, groups = np.ones(len(whose), np.bool_), []
    while (candidates := np.flatnonzero(free & anchors)).size:
        # The most similar free triple of each other model: (candidates, models).
        open_ones = np.where(free & others[candidates], alike[candidates], 0.0)
        best = np.where(members[None], open_ones[:, None], 0.0).max(axis=2, initial=0)
        taken = best >= rules.threshold
        counts, sums = taken.sum(axis=1), np.where(taken, best, 0).sum(axis=1)
        at = int(np.lexsort((-sums, -counts))[0])
        if not counts[at]:
            break
        group = [int(candidates[at])]
        for model in np.flatnonzero(taken[at]).tolist():
            group.append(int(np.argmax(np.where(members[model], open_ones[at], -1.0))))
        free[group] = False
        groups.append(group)
    return groups + [[int(at)] for at in np.flatnonzero(free)] * rules.alone

"""Triples of subject, predicate and object in a dependency parse, with ClearNLP's relations or universal ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from metrologue.representations.parses.columns import Token

__all__ = ["Triple", "triples_in"]

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

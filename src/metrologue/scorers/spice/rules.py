"""From a dependency parse to the tuples of a scene graph, by rules.

The rules read the relations of ClearNLP, which spaCy's English models have, and those of Universal Dependencies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from metrologue.representations.parses.columns import Token

Tuple = tuple[str, ...]

_SUBJECTS = ("nsubj", "nsubj:outer", "csubj")
_PASSIVE_SUBJECTS = ("nsubjpass", "nsubj:pass")
_OBJECTS = ("dobj", "obj", "iobj", "dative")
_CLAUSES = ("acl", "relcl", "acl:relcl")
# The subject of these verbs is that of the verb above, unless they have their own.
_SUBJECTLESS = ("advcl", "conj", "xcomp")
# An auxiliary with one of these relations is the verb of its clause, as "is" in "the hat is blue".
_VERBAL = ("ROOT", "root", "conj", "advcl", *_CLAUSES)
_MODIFIERS = ("amod", "nummod", "compound", "nn")
_PREPOSITIONS = ("prep", "agent", "dative")
_PHRASES = ("nmod", "obl", "obl:agent", "nmod:agent")
_OBLIQUE = ("obl", "obl:agent")
_AGENTS = ("agent", "obl:agent", "nmod:agent")
_RELATIVE = ("that", "which", "who", "whom")
# Nouns that only say how much of another noun there is: "a group of people" are people.
_AMOUNTS = ("bunch", "couple", "group", "kind", "lot", "lots", "number", "pair", "piece", "sort", "type", "variety")
# Nouns that make one preposition with the words around them: "in front of".
_PLACES = ("back", "bottom", "center", "edge", "front", "middle", "side", "top")


class _Sentence:
    """The tokens of a text, and the dependents of each.

    Parameters
    ----------
    tokens : sequence of Token
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self._subjects: dict[int, list[int]] = {}  # of the verbs that were looked at
        self.below: list[list[int]] = [[] for _ in tokens]
        for place, token in enumerate(tokens):
            if token.head >= 0:
                self.below[token.head].append(place)

    def word(self, place: int) -> str:
        """The lemma in lower case, with the particle of a verb: "pick up"."""
        own = [self.tokens[place], *(self.tokens[each] for each in self.dependents(place, ("prt", "compound:prt")))]
        return " ".join((token.lemma or token.form).lower() for token in own)

    def dependents(self, place: int, relations: tuple[str, ...]) -> list[int]:
        """The dependents with one of these relations, in the order of the text."""
        return [each for each in self.below[place] if self.tokens[each].relation in relations]

    def with_conjuncts(self, places: Iterable[int]) -> list[int]:
        """The tokens, each followed by those that are joined to it with "and" or "or"; each token once.

        A noun that is joined with a preposition of its own, as in "over the fence and into the pool", is left out.
        """
        found: dict[int, None] = {}
        waiting = [*places][::-1]
        while waiting:
            place = waiting.pop()
            if place not in found:
                found[place] = None
                others = self.dependents(place, ("conj",))
                same = [each for each in reversed(others) if self.is_verb(each) == self.is_verb(place)]
                waiting += [each for each in same if not self._case(each)]
        return [*found]

    def is_verb(self, place: int) -> bool:
        """Whether a token is a verb other than an auxiliary."""
        return self.tokens[place].pos == "VERB"

    def is_noun(self, place: int) -> bool:
        """Whether a token names an object; a noun that modifies another one does not."""
        token = self.tokens[place]
        return token.pos in ("NOUN", "PROPN") and token.relation not in _MODIFIERS and place not in self.skipped

    @cached_property
    def skipped(self) -> set[int]:
        """Nouns that are part of a preposition, or only say how much there is. A phrase with "of" follows them."""
        return {
            place
            for place, token in enumerate(self.tokens)
            if token.pos == "NOUN" and self._of(place) and (self.word(place) in _AMOUNTS or self._is_place(place))
        }

    def _is_place(self, place: int) -> bool:
        is_below = self.tokens[place].relation in ("pobj", *_PHRASES)
        return self.word(place) in _PLACES and (is_below or bool(self._case(place)))

    def _of(self, place: int) -> list[int]:
        """The nouns of the phrases with "of" below a noun."""
        return [noun for words, noun in self._plain_phrases(place) if words == "of"]

    def nouns(self, place: int) -> list[int]:
        """The objects that a noun stands for, with those that are joined to it: of "a group of men" the men."""
        found = self.with_conjuncts([place])
        inner = chain.from_iterable(self._of(each) if each in self.skipped else [each] for each in found)
        return [each for each in self.with_conjuncts(dict.fromkeys(inner)) if self.is_noun(each)]

    def phrases(self, place: int) -> Iterator[tuple[str, int]]:
        """The prepositional phrases below a token: the preposition, and the noun."""
        yield from self._whole(self._plain_phrases(place))

    def _whole(self, phrases: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
        """The phrases, with the nouns that are part of a preposition in it: "in front of"."""
        for words, noun in phrases:
            if noun in self.skipped and self._is_place(noun):
                yield from ((f"{words} {self.word(noun)} of", inner) for inner in self._of(noun))
            else:
                yield words, noun

    def _case(self, noun: int) -> str:
        """The preposition of a noun in Universal Dependencies; "" without one. That of an owner is none."""
        case = [each for each in self.dependents(noun, ("case",)) if self.tokens[each].pos != "PART"]
        return " ".join(self.word(part) for one in case for part in (one, *self.dependents(one, ("fixed",))))

    def _with_case(self, noun: int) -> Iterator[tuple[str, int]]:
        """The preposition of a noun with the noun, and of each that is joined to it with a preposition of its own."""
        waiting, found = [noun], set[int]()
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                if words := self._case(each):
                    yield words, each
                waiting += reversed(self.dependents(each, ("conj",)))

    def is_predicate(self, place: int) -> bool:
        """Whether a token is said of a subject with a copula, in Universal Dependencies."""
        return bool(self.dependents(place, ("cop",)))

    def _plain_phrases(self, place: int) -> Iterator[tuple[str, int]]:
        for each in self.with_conjuncts(self.dependents(place, _PREPOSITIONS)):  # "over the fence and into the pool"
            if self.tokens[each].pos in ("ADP", "SCONJ", "PART"):
                yield from self._below_preposition(each, self.word(each))
        for each in self.dependents(place, ("advmod",)):  # "next to the car"
            for inner in self.dependents(each, ("prep",)):
                yield from self._below_preposition(inner, f"{self.word(each)} {self.word(inner)}")
        for each in self.dependents(place, _PHRASES):
            yield from self._with_case(each)

    def _below_preposition(self, place: int, words: str) -> Iterator[tuple[str, int]]:
        while True:
            yield from ((words, noun) for noun in self.dependents(place, ("pobj",)))
            inner = [each for each in self.dependents(place, ("prep",)) if each > place]  # "out of the water"
            if not inner:
                return
            place = inner[0]
            words = f"{words} {self.word(place)}"

    def is_passive(self, verb: int) -> bool:
        """Whether a verb is passive, as "hold" in "the ball is held" and "the ball held by a boy"."""
        token = self.tokens[verb]
        if token.relation in _CLAUSES and not self.dependents(verb, _SUBJECTS):
            # Without a tag, what is neither "holding a ball" nor "to hold a ball" is "held by a boy".
            is_other = token.form.lower().endswith("ing") or self.dependents(verb, ("mark", "aux"))
            if token.tag == "VBN" or self.dependents(verb, _AGENTS) or not (token.tag or is_other):
                return True
        return bool(self.dependents(verb, (*_PASSIVE_SUBJECTS, "auxpass", "aux:pass")))

    def subjects(self, verb: int) -> list[int]:
        """The objects that a verb says something of: its own, or those of the nearest verb above that has some."""
        passed = []
        while verb not in self._subjects:
            passed.append(verb)
            self._subjects[verb] = []  # so that a circle ends
            found = self._subjects_or_above(verb)
            if isinstance(found, int):
                verb = found
            else:
                self._subjects[verb] = found
        for each in passed:
            self._subjects[each] = self._subjects[verb]
        return self._subjects[verb]

    def _subjects_or_above(self, verb: int) -> list[int] | int:
        """The subjects of a verb, or the verb above that has them."""
        token, above = self.tokens[verb], self.tokens[verb].head
        own = self.dependents(verb, (*_SUBJECTS, *_PASSIVE_SUBJECTS))
        if token.relation in _CLAUSES and above >= 0:
            own = [each for each in own if self.tokens[each].form.lower() not in _RELATIVE] or [above]
        elif not own and self.dependents(verb, ("expl",)):  # "there is a dog"
            own = self.dependents(verb, ("attr",))
        if not own and token.relation in _SUBJECTLESS and above >= 0:
            if self.tokens[above].pos in ("VERB", "AUX") or self.is_predicate(above):
                return above
            own = [above]
        return [noun for each in own for noun in self.nouns(each)]

    def objects(self) -> Iterator[Tuple]:
        """A tuple for each object."""
        for place in range(len(self.tokens)):
            if self.is_noun(place):
                yield (self.word(place),)

    def noun_tuples(self, noun: int) -> Iterator[Tuple]:
        """What the words below a noun say of it: modifiers, owners, prepositional phrases."""
        own = self.nouns(noun) if noun in self.skipped else [noun]
        for place in own:
            for each in self.with_conjuncts(self.dependents(noun, _MODIFIERS)):
                yield self.word(place), self.word(each)
        for each in self.dependents(noun, ("poss", "nmod:poss")):
            for owner in self.nouns(each):
                for place in own:
                    yield self.word(owner), "have", self.word(place)
        said = self._said_with_copula(noun)
        for words, each in self.phrases(noun):
            if (noun not in self.skipped or words != "of") and each not in said:
                yield from ((self.word(place), words, self.word(other)) for other in self.nouns(each) for place in own)

    def verb_tuples(self, verb: int) -> Iterator[Tuple]:
        """What a verb says of its subjects, in the active voice."""
        subjects, passive = self.subjects(verb), self.is_passive(verb)
        word, there = self.word(verb), bool(self.dependents(verb, ("expl",)))
        phrases = [(words, noun) for words, each in self.phrases(verb) for noun in self.nouns(each)]
        agents = [noun for words, noun in phrases if passive and words == "by"]
        targets = [noun for each in self.dependents(verb, _OBJECTS) for noun in self.nouns(each)]
        if not targets and self._is_gap(verb):
            targets = self.nouns(self.tokens[verb].head)  # "the ball that the dog holds"
        relations = [
            ("be", noun) for each in self.dependents(verb, ("attr",)) * (not there) for noun in self.nouns(each)
        ]
        relations += [(words, noun) for words, noun in phrases if noun not in agents]
        for place in map(self.word, subjects):
            yield from ((self.word(each), word, place) for each in agents)
            yield from ((place, word, self.word(each)) for each in targets)
            if not (agents or targets or self.tokens[verb].pos == "AUX" or word == "be"):
                yield place, word
            for each in self.with_conjuncts(self.dependents(verb, ("acomp", "oprd"))):
                yield place, self.word(each)
            yield from ((place, words, self.word(noun)) for words, noun in relations)

    def _is_gap(self, verb: int) -> bool:
        """Whether a relative clause has a subject of its own, so that the noun above is its object."""
        own = self.dependents(verb, _SUBJECTS)
        relative = any(self.tokens[each].form.lower() in _RELATIVE for each in own)
        return bool(own) and not relative and self.tokens[verb].relation in ("relcl", "acl:relcl")

    def predicate_tuples(self, place: int) -> Iterator[Tuple]:
        """What an adjective or a noun with a copula says of its subjects, in Universal Dependencies."""
        is_noun, said = self.tokens[place].pos in ("NOUN", "PROPN"), self._said_with_copula(place)
        phrases = [pair for pair in self.phrases(place) if not is_noun or pair[1] in said]
        own = [*self._whole(self._with_case(place))]  # "the dog is on the grass"
        relations = [(words, noun) for words, each in (*own, *phrases) for noun in self.nouns(each)]
        for subject in map(self.word, self.subjects(place)):
            if not own:
                nouns = self.nouns(place) if is_noun else []
                yield from ((subject, "be", self.word(noun)) for noun in nouns)
                if not is_noun:
                    yield subject, self.word(place)
            yield from ((subject, words, self.word(noun)) for words, noun in relations)

    def _said_with_copula(self, place: int) -> set[int]:
        """The nouns of phrases that are said of the subject of a predicate, not of the noun that is the predicate."""
        if not self.is_predicate(place):
            return set()
        return {noun for each in self.dependents(place, _OBLIQUE) for _, noun in self._whole(self._with_case(each))}

    def of_token(self, place: int) -> Iterator[Tuple]:
        """The attributes and relations that a token stands for."""
        token = self.tokens[place]
        if token.relation in _MODIFIERS:
            return
        if token.pos in ("NOUN", "PROPN"):
            yield from self.noun_tuples(place)
        if self.dependents(place, ("cop",)):
            yield from self.predicate_tuples(place)
        elif self.is_verb(place) or (token.pos == "AUX" and token.relation in _VERBAL):
            yield from self.verb_tuples(place)


def scene_tuples(tokens: Sequence[Token]) -> list[Tuple]:
    """The tuples of the scene graph of a text.

    Nouns are objects. Adjectives, numbers, nouns before a noun, and verbs without an object are attributes. Verbs with
    an object, prepositions and possessives ("have") are relations. Words that are joined with "and" share what is said
    of them.

    Parameters
    ----------
    tokens : sequence of Token
        With lemmas, universal parts of speech, heads and relations.

    Returns
    -------
    list of tuple of str
        Objects first, then attributes, then relations, each of them once.

    Examples
    --------
    >>> tokens = [
    ...     Token("A", "a", "DT", "DET", 2, "det"), Token("young", "young", "JJ", "ADJ", 2, "amod"),
    ...     Token("girl", "girl", "NN", "NOUN", 3, "nsubj"), Token("holds", "hold", "VBZ", "VERB", -1, "ROOT"),
    ...     Token("a", "a", "DT", "DET", 5, "det"), Token("cat", "cat", "NN", "NOUN", 3, "dobj"),
    ... ]
    >>> scene_tuples(tokens)
    [('girl',), ('cat',), ('girl', 'young'), ('girl', 'hold', 'cat')]
    """
    sentence = _Sentence(tokens)
    others = chain.from_iterable(map(sentence.of_token, range(len(tokens))))
    return sorted(dict.fromkeys(chain(sentence.objects(), others)), key=len)

"""From a dependency parse to the tuples of a scene graph, by rules.

The rules read the relations of ClearNLP, which spaCy's English models have, and those of Universal Dependencies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from metrologue.representations.parses.columns import Token

__all__ = ["scene_tuples"]

Tuple = tuple[str, ...]

_SUBJECTS = ("nsubj", "nsubj:outer", "csubj")
_PASSIVE_SUBJECTS = ("nsubjpass", "nsubj:pass")
_OBJECTS = ("dobj", "obj", "iobj", "dative")
_CLAUSES = ("acl", "relcl", "acl:relcl")
# The subject of these verbs is that of the verb above, unless they have their own.
_SUBJECTLESS = ("advcl", "conj", "xcomp")
_MODIFIERS = ("amod", "nummod", "compound", "nn")
_PREPOSITIONS = ("prep", "agent", "dative")
_PHRASES = ("nmod", "obl", "obl:agent", "nmod:agent")
_RELATIVE = ("that", "which", "who", "whom")
# Nouns that only say how much of another noun there is: "a group of people" are people.
_AMOUNTS = frozenset("bunch couple group kind lot lots number pair piece sort type variety".split())
# Nouns that make one preposition with the words around them: "in front of".
_PLACES = frozenset("back bottom center edge front middle side top".split())


class _Sentence:
    """The tokens of a text, and the dependents of each.

    Parameters
    ----------
    tokens : sequence of Token
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
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

    def with_conjuncts(self, places: Iterable[int]) -> Iterator[int]:
        """The tokens, each followed by those that are joined to it with "and" or "or"."""
        for place in places:
            yield place
            yield from self.with_conjuncts(
                each for each in self.dependents(place, ("conj",)) if self._alike(place, each)
            )

    def _alike(self, place: int, other: int) -> bool:
        return (self.tokens[place].pos == "VERB") == (self.tokens[other].pos == "VERB")

    def is_noun(self, place: int) -> bool:
        """Whether a token names an object; a noun that modifies another one does not."""
        token = self.tokens[place]
        return token.pos in ("NOUN", "PROPN") and token.relation not in _MODIFIERS and place not in self.skipped

    @property
    def skipped(self) -> set[int]:
        """Nouns that are part of a preposition, or only say how much there is."""
        if not hasattr(self, "_skipped"):
            self._skipped = {
                place
                for place, token in enumerate(self.tokens)
                if token.pos == "NOUN" and self._of(place) and (self._is_amount(place) or self._is_place(place))
            }
        return self._skipped

    def _is_amount(self, place: int) -> bool:
        return (self.tokens[place].lemma or self.tokens[place].form).lower() in _AMOUNTS

    def _is_place(self, place: int) -> bool:
        word = (self.tokens[place].lemma or self.tokens[place].form).lower()
        return word in _PLACES and self.tokens[place].relation in ("pobj", *_PHRASES)

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
        for words, noun in self._plain_phrases(place):
            if self._is_place(noun) and noun in self.skipped:
                for inner in self._of(noun):
                    yield f"{words} {self.word(noun)} of", inner
                yield from ((w, n) for w, n in self.phrases(noun) if w != "of")
            else:
                yield words, noun

    def _plain_phrases(self, place: int) -> Iterator[tuple[str, int]]:
        for each in self.dependents(place, _PREPOSITIONS):
            if self.tokens[each].pos in ("ADP", "SCONJ", "PART"):
                yield from self._below_preposition(each, self.word(each))
        for each in self.dependents(place, ("advmod",)):  # "next to the car"
            for inner in self.dependents(each, ("prep",)):
                yield from self._below_preposition(inner, f"{self.word(each)} {self.word(inner)}")
        for each in self.dependents(place, _PHRASES):
            case = self.dependents(each, ("case",))
            parts = [self.word(part) for one in case for part in (one, *self.dependents(one, ("fixed",)))]
            if parts:
                yield " ".join(parts), each

    def _below_preposition(self, place: int, words: str) -> Iterator[tuple[str, int]]:
        for noun in self.dependents(place, ("pobj",)):
            yield words, noun
        for inner in self.dependents(place, ("prep",)):  # "out of the water"
            yield from self._below_preposition(inner, f"{words} {self.word(inner)}")

    def subjects(self, verb: int) -> tuple[list[int], bool]:
        """The objects that a verb says something of, and whether it is passive."""
        token = self.tokens[verb]
        passive = bool(self.dependents(verb, (*_PASSIVE_SUBJECTS, "auxpass", "aux:pass")))
        own = self.dependents(verb, (*_SUBJECTS, *_PASSIVE_SUBJECTS))
        relative = [each for each in own if self.tokens[each].form.lower() in _RELATIVE]
        if token.relation in _CLAUSES and token.head >= 0 and (not own or relative):
            return self.nouns(token.head), passive or (token.tag == "VBN" and not own)
        if own:
            return [noun for each in own for noun in self.nouns(each)], passive
        if self.dependents(verb, ("expl",)):  # "there is a dog"
            return [noun for each in self.dependents(verb, ("attr", "nsubj")) for noun in self.nouns(each)], False
        if token.relation in _SUBJECTLESS and token.head >= 0 and self.tokens[token.head].pos in ("VERB", "AUX"):
            return self.subjects(token.head)[0], passive
        if token.relation in _SUBJECTLESS and token.head >= 0 and token.pos == "VERB" and self.is_noun(token.head):
            return self.nouns(token.head), passive
        return [], passive

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
        amount = self._is_amount(noun) and noun in self.skipped
        for words, each in self.phrases(noun):
            if amount and words == "of":
                continue
            for other in self.nouns(each):
                for place in own:
                    yield self.word(place), words, self.word(other)

    def verb_tuples(self, verb: int) -> Iterator[Tuple]:
        """What a verb says of its subjects."""
        subjects, passive = self.subjects(verb)
        word, token = self.word(verb), self.tokens[verb]
        targets = [noun for each in self.dependents(verb, _OBJECTS) for noun in self.nouns(each)]
        agents = [
            noun for words, each in self.phrases(verb) if passive and words == "by" for noun in self.nouns(each)
        ]
        copular = token.pos == "AUX" or token.lemma == "be"
        if token.relation in ("relcl", "acl:relcl") and token.head >= 0 and not targets and self._is_gap(verb):
            targets = self.nouns(token.head)  # "the ball that the dog holds"
        for place in subjects:
            for each in agents:
                yield self.word(each), word, self.word(place)
            for each in targets:
                yield self.word(place), word, self.word(each)
            if not (agents or targets or copular):
                yield self.word(place), word
            for each in self.with_conjuncts(self.dependents(verb, ("acomp", "oprd"))):
                yield self.word(place), self.word(each)
            if not self.dependents(verb, ("expl",)):
                for each in self.dependents(verb, ("attr",)):
                    for noun in self.nouns(each):
                        yield self.word(place), "be", self.word(noun)
            for words, each in self.phrases(verb):
                for noun in self.nouns(each):
                    if noun not in agents:
                        yield self.word(place), words, self.word(noun)

    def _is_gap(self, verb: int) -> bool:
        """Whether a relative clause has a subject of its own, so that the noun above is its object."""
        own = self.dependents(verb, _SUBJECTS)
        return bool(own) and not any(self.tokens[each].form.lower() in _RELATIVE for each in own)

    def predicate_tuples(self, place: int) -> Iterator[Tuple]:
        """What an adjective or a noun with a copula says of its subjects (Universal Dependencies)."""
        for each in self.dependents(place, _SUBJECTS):
            for subject in self.nouns(each):
                if self.is_noun(place):
                    yield self.word(subject), "be", self.word(place)
                else:
                    yield self.word(subject), self.word(place)
                for words, noun in self.phrases(place):
                    for other in self.nouns(noun):
                        yield self.word(subject), words, self.word(other)


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
    found = dict.fromkeys(sentence.objects())
    for place, token in enumerate(tokens):
        if token.pos in ("NOUN", "PROPN") and token.relation not in _MODIFIERS:
            found.update(dict.fromkeys(sentence.noun_tuples(place)))
        if token.pos == "VERB" and token.relation not in _MODIFIERS or (token.pos == "AUX" and token.relation in ("ROOT", "relcl", "conj", "advcl", "acl")):
            found.update(dict.fromkeys(sentence.verb_tuples(place)))
        elif sentence.dependents(place, ("cop",)):
            found.update(dict.fromkeys(sentence.predicate_tuples(place)))
    return sorted(found, key=len)

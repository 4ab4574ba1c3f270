"""Corruptions: sentences with one error each, made by rules as FactCC makes them (Kryscinski et al. 2020).

A rule takes a parsed sentence and gives edits; ``make_claims`` applies the rules to many sentences. Each claim knows
where its error is, and what stood there in the sentence. A claim depends on its own sentence, its source and the seed,
and on nothing else, so texts may come in any order and company.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from metrologue.errors import InputError
from metrologue.representations.mentions import Mention, mentions_in_parse
from metrologue.representations.parses.columns import Parses, Token
from metrologue.representations.parses.named import NamedParser

Span = tuple[int, int]

_LISTED = frozenset(("", ",", "/", "&", "and", "or", ", and", ", or"))  # what stands between the parts of a list

# Pronouns of one class may be swapped. "her" and "his" have two, which the tag tells apart.
PRONOUNS = {
    "subject": ("he", "i", "she", "they", "we", "you"),
    "object": ("her", "him", "me", "them", "us", "you"),
    "possessive": ("her", "his", "its", "my", "our", "their", "your"),
    "reflexive": ("herself", "himself", "itself", "myself", "ourselves", "themselves", "yourself"),
}
_AUXILIARY = frozenset((
    "am", "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "may", "might", "must", "shall",
    "should", "was", "were", "will", "would",
))  # fmt: skip
_NOT = frozenset(("n't", "not", "never", "n\u2019t"))
_SHORT = {"ca": "can", "sha": "shall", "wo": "will"}  # what stands before n't
_DO = {"VBD": "did not", "VBP": "do not", "VBZ": "does not"}
_WORD = re.compile(r"\S+")


class Edit(NamedTuple):
    """The characters `start` to `stop` of a text become another text."""

    start: int
    stop: int
    text: str

    @property
    def span(self) -> Span:
        """What it replaces."""
        return self.start, self.stop


def edited(text: str, edits: Iterable[Edit]) -> tuple[str, list[Span]]:
    """The text after edits that do not overlap, and where what they put in is; of each edit, in the order of the text.

    Examples
    --------
    >>> edited("Anna ran home", [Edit(9, 13, "away"), Edit(0, 4, "Bo")])
    ('Bo ran away', [(0, 2), (7, 11)])
    """
    made: list[str] = []
    spans: list[Span] = []
    end = length = 0
    for edit in sorted(edits):
        made += [text[end : edit.start], edit.text]
        length += edit.start - end
        spans.append((length, length + len(edit.text)))
        length, end = length + len(edit.text), edit.stop
    return "".join([*made, text[end:]]), spans


def moved(span: Span, edits: Sequence[Edit]) -> Span:
    """Where a span is after edits that do not overlap it.

    Examples
    --------
    >>> moved((5, 8), [Edit(0, 4, "Bo"), Edit(9, 13, "away")])
    (3, 6)
    """
    step = sum(len(edit.text) - (edit.stop - edit.start) for edit in edits if edit.stop <= span[0])
    return span[0] + step, span[1] + step


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

    Raises an InputError if there is no such parser.

    Parameters
    ----------
    parser : Parser, NamedParser, or str
        With entities, tags and lemmas; or the name of a pipeline of spaCy.
    """
    parses = NamedParser.of(parser).parser.parse(texts)
    return [Sentence.of(parses, index, text) for index, text in enumerate(texts)]


# ----- Rules -----

# A rule takes a sentence, the texts in which it looks for what to put in (the source first), and a generator. It gives
# one edit, or None if the sentence has nothing to change.
Rule = Callable[[Sentence, Sequence[Sentence], np.random.Generator], Edit | None]


def _swap(kind: str, sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """Another mention with the same label takes the place of one of this kind; the sentence may have no word of it.

    The first of the texts that has one gives it: the source, and then others.
    """
    own = [mention for mention in sentence.mentions if mention.kind == kind]
    for place in draw.permutation(len(own)):
        mention = own[place]
        for text in source:
            others = sorted({*_others(sentence, mention.label, text)})
            if others:
                return Edit(mention.start, mention.stop, others[int(draw.integers(len(others)))])
    return None


def _others(sentence: Sentence, label: str, text: Sentence) -> Iterator[str]:
    words = {*sentence.text.lower().split()}
    for mention in text.mentions:
        said = text.said(mention)
        if mention.label == label and words.isdisjoint(said.lower().split()):
            yield said


def exchange_names(sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """Two names with the same label change places, with what is between them as it was; not those of "A and B"."""
    own = [mention for mention in sentence.mentions if mention.kind == "name"]
    pairs = [
        (one, other)
        for place, one in enumerate(own)
        for other in own[place + 1 :]
        if one.label == other.label
        and sentence.said(one).lower() != sentence.said(other).lower()
        and sentence.text[one.stop : other.start].strip().lower() not in _LISTED
    ]
    if not pairs:
        return None
    one, other = pairs[int(draw.integers(len(pairs)))]
    between = sentence.text[one.stop : other.start]
    return Edit(one.start, other.stop, sentence.said(other) + between + sentence.said(one))


def swap_pronoun(sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """A pronoun becomes another one of its class."""
    own = [place for place, token in enumerate(sentence.tokens) if _class_of(token.form, token.tag)]
    if not own:
        return None
    place = own[int(draw.integers(len(own)))]
    form, tag = sentence.tokens[place].form, sentence.tokens[place].tag
    others = [each for each in PRONOUNS[_class_of(form, tag)] if each != form.lower()]
    other = others[int(draw.integers(len(others)))]
    start, stop = sentence.spans[place]
    capital = other == "i" or (form[0].isupper() and (len(form) > 1 or place == 0))
    return Edit(start, stop, other.capitalize() if capital else other)


def _class_of(form: str, tag: str) -> str:
    """The class of a pronoun; "" for any other word. "it" is left alone: it is often not a pronoun for anything."""
    word = form.lower()
    found = [name for name, members in PRONOUNS.items() if word in members]
    if tag == "PRP$":
        return "possessive" if "possessive" in found else ""
    if word in ("her", "you"):
        return "object" if word == "her" else "subject"
    return found[0] if found else ""


def add_negation(sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """ "not" after an auxiliary, or "did not" before a verb: of the verbs that have no negation, one is drawn."""
    found = [*_to_negate(sentence)]
    return found[int(draw.integers(len(found)))] if found else None


def _to_negate(sentence: Sentence) -> Iterator[Edit]:
    tokens = sentence.tokens
    with_auxiliary = {token.head for token in tokens if token.relation in ("aux", "auxpass", "neg")}
    for place, token in enumerate(tokens):
        after = tokens[place + 1].form.lower() if place + 1 < len(tokens) else ""
        if after in _NOT or after == "no":
            continue
        start, stop = sentence.spans[place]
        form = token.form.lower()
        if form in _AUXILIARY and token.pos in ("AUX", "VERB", "") and not (token.pos == "VERB" and form[0] in "dh"):
            yield Edit(start, stop, f"{sentence.text[start:stop]} not")
        elif token.pos == "VERB" and token.tag in _DO and token.lemma and place not in with_auxiliary:
            yield Edit(start, stop, f"{_DO[token.tag]} {token.lemma}")


def remove_negation(sentence: Sentence, source: Sequence[Sentence], draw: np.random.Generator) -> Edit | None:
    """A "not", "n't" or "never" goes; what is marked as the error is the word before or after it."""
    own = [place for place, token in enumerate(sentence.tokens) if token.form.lower() in _NOT]
    if not own:
        return None
    place = own[int(draw.integers(len(own)))]
    start, stop = sentence.spans[place]
    if place and sentence.tokens[place - 1].form.lower() in (_AUXILIARY | _SHORT.keys()):
        before, end = sentence.spans[place - 1]
        word = sentence.text[before:end]
        whole = _SHORT.get(word.lower(), word)
        return Edit(before, stop, whole.capitalize() if word[0].isupper() else whole)
    if place + 1 < len(sentence.tokens):
        first, last = sentence.spans[place + 1]
        return Edit(start, last, sentence.text[first:last])
    return None


RULES: Mapping[str, Rule] = {
    "name": partial(_swap, "name"),
    "names exchanged": exchange_names,
    "number": partial(_swap, "number"),
    "date": partial(_swap, "date"),
    "pronoun": swap_pronoun,
    "negation added": add_negation,
    "negation removed": remove_negation,
}


# ----- Claims -----


def noise(text: str, draw: np.random.Generator, spared: Span | None = None, share: float = 0.05) -> list[Edit]:
    """Edits that leave out some words (four of five) or double them.

    Parameters
    ----------
    spared : (int, int), optional
        A span whose words stay as they are.
    share : float
        How probably a word is changed. FactCC has .05.

    Examples
    --------
    >>> from metrologue.scorers.factcc.corruptions import edited
    >>> edited("one two three four", noise("one two three four", np.random.default_rng(1), share=0.5))[0]
    'one two two four'
    """
    edits = []
    for word in _WORD.finditer(text):
        start, stop = word.span()
        chance, which = draw.random(2)
        touched = spared is not None and start < spared[1] and spared[0] < stop
        if chance >= share or touched:
            continue
        if which >= 0.8:
            edits.append(Edit(start, stop, f"{word[0]} {word[0]}"))
        else:  # with the space after it, or at the end the one before
            after = stop + (stop < len(text))
            edits.append(Edit(start, after, ""))
    return edits if len(edits) < len(text.split()) else []


@dataclass(frozen=True)
class Claim:
    """A sentence that says what its source says, or something else.

    Attributes
    ----------
    source : int
        The index of its source.
    kind : str
        The rule that made its error; "" for a right claim.
    span : (int, int) or None
        Where the error is in the text, in characters; None for a right claim.
    sentence : str
        What the claim was made of.
    support : (int, int)
        Where that sentence is in the source. (0, 0) if it is not there word by word.
    """

    text: str
    source: int
    kind: str = ""
    span: Span | None = None
    sentence: str = ""
    support: Span = (0, 0)

    @property
    def right(self) -> bool:
        """Whether it says what its source says."""
        return not self.kind


def make_claims(
    sources: Sequence[Sentence],
    *,
    sentences: Sequence[Sequence[Sentence]] | None = None,
    rules: Mapping[str, Rule] = RULES,
    others: int = 0,
    shortest: int = 8,
    noisy: float = 0.05,
    seed: int = 0,
) -> list[Claim]:
    """A right claim of each sentence, and a wrong one by each rule that finds something to change.

    Raises an InputError if the sentences are not those of as many sources, or `noisy` is no share.

    Parameters
    ----------
    sentences : sequence of sequences of Sentence, optional
        Of which the claims of each source are made. By default those of the source itself.
    rules : mapping of str to Rule
    others : int
        Of how many other sources a rule may take what it puts in, if the claim's own source has nothing.
    shortest : int
        The fewest tokens of a sentence. FactCC has 8.
    noisy : float
        How probably a word is left out or doubled, in right claims and in wrong ones; see ``noise``.

    Examples
    --------
    >>> from metrologue.scorers.factcc.corruptions import parsed_sentences
    >>> from metrologue.representations.parses import FunctionParser, Token
    >>> def parse(texts):
    ...     return [[Token(word, entity="B-X" if word[0].isupper() else "") for word in text.split()] for text in texts]
    >>> [text] = parsed_sentences(["Anna met Bo"], FunctionParser("capitals", parse, "1"))
    >>> for claim in make_claims([text], shortest=1, noisy=0):
    ...     print(claim.kind or "right", claim.text, claim.span)
    right Anna met Bo None
    names exchanged Bo met Anna (0, 11)
    """
    if sentences is not None and len(sentences) != len(sources):
        raise InputError(f"make_claims: there are sentences of {len(sentences)} sources, and {len(sources)} sources.")
    if not 0 <= noisy <= 1:
        raise InputError(f"make_claims: `noisy` is {noisy}; a share from 0 to 1 is expected.")
    made = []
    for index, source in enumerate(sources):
        for sentence in source.parts() if sentences is None else sentences[index]:
            if len(sentence.tokens) >= shortest:
                made += _of_sentence(sentence, index, sources, rules, others, noisy, seed)
    return made


def _of_sentence(
    sentence: Sentence,
    index: int,
    sources: Sequence[Sentence],
    rules: Mapping[str, Rule],
    others: int,
    noisy: float,
    seed: int,
) -> list[Claim]:
    source = sources[index]
    start = source.text.find(sentence.text)
    support = (start, start + len(sentence.text)) if start >= 0 else (0, 0)
    found = []
    for kind, rule in {"": None, **rules}.items():
        draw = _generator(seed, kind, sentence.text, source.text)
        edit = None
        if rule is not None:
            places = draw.integers(len(sources), size=others) if others else ()
            edit = rule(sentence, [source, *(sources[place] for place in places)], draw)
            if edit is None or edit.text == sentence.text[edit.start : edit.stop]:
                continue
        text, span = _claimed(sentence.text, edit, draw, noisy)
        found.append(Claim(text, index, kind, span, sentence.text, support))
    return found


def _claimed(text: str, edit: Edit | None, draw: np.random.Generator, noisy: float) -> tuple[str, Span | None]:
    """The text after the edit and with noise, and where the error then is."""
    span = None
    if edit is not None:
        text, [span] = edited(text, [edit])
    changes = noise(text, draw, span, noisy)
    return edited(text, changes)[0], span and moved(span, changes)


def _generator(seed: int, *texts: str) -> np.random.Generator:
    """Draws that depend on the texts and the seed alone."""
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng([seed, *digest])

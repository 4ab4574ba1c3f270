"""Claims: sentences of sources, right or with one error, with the places of the errors."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrologue.errors import InputError
from metrologue.scorers.factcc.corruptions.edits import Edit, Span, edited, moved
from metrologue.scorers.factcc.corruptions.noisy_words import noise
from metrologue.scorers.factcc.corruptions.rules import RULES, Rule
from metrologue.scorers.factcc.corruptions.sentences import Sentence

__all__ = ["Claim", "make_claims"]


@dataclass(frozen=True)
class Claim:
    """A sentence that says what its source says, or something else.

    Attributes
    ----------
    text : str
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

    Parameters
    ----------
    sources : sequence of Sentence
    sentences : sequence of sequences of Sentence, optional
        Of which the claims of each source are made. By default those of the source itself.
    rules : mapping of str to Rule
    others : int
        Of how many other sources a rule may take what it puts in, if the claim's own source has nothing.
    shortest : int
        The fewest tokens of a sentence. FactCC has 8.
    noisy : float
        How probably a word is left out or doubled, in right claims and in wrong ones; see ``noise``.
    seed : int

    Raises
    ------
    InputError
        If the sentences are not those of as many sources, or `noisy` is no share.

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

"""Negation, added and removed: a model that sees it only added learns that "not" is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from metrologue.scorers.factcc.corruptions.edits import Edit
from metrologue.scorers.factcc.corruptions.sentences import Sentence

__all__ = ["add_negation", "remove_negation"]

_AUXILIARY = frozenset((
    "am", "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "may", "might", "must", "shall",
    "should", "was", "were", "will", "would",
))  # fmt: skip
_NOT = frozenset(("n't", "not", "never", "n\u2019t"))
_SHORT = {"ca": "can", "sha": "shall", "wo": "will"}  # what stands before n't
_DO = {"VBD": "did not", "VBP": "do not", "VBZ": "does not"}


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

"""What a model of inference is asked: sentences of texts, and facts that stand in templates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from metrologue.errors import InputError, shown

__all__ = ["Fact", "facts_of", "premises_of", "read_templates", "sentences_of"]

_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|\n+")


class Fact(NamedTuple):
    """A fact as a sentence.

    Attributes
    ----------
    text : str
    optional : bool
        Whether a text may leave it out.
    """

    text: str
    optional: bool


def sentences_of(text: str, rule: str) -> list[str]:
    """The sentences of a text, without empty ones.

    Examples
    --------
    >>> sentences_of("It cost 3.5 euros. Who paid?\\n", "marks")
    ['It cost 3.5 euros.', 'Who paid?']
    """
    if rule == "none":
        return [text.strip()] if text.strip() else []
    parts, start = [], 0
    for end in _END.finditer(text) if rule == "marks" else re.finditer(r"\n+", text):
        kept = end[0].rstrip() if rule == "marks" else ""  # a quote after the mark belongs to the sentence
        parts.append(text[start : end.start() + len(kept)])
        start = end.end()
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def premises_of(text: str, rule: str, window: int) -> list[str]:
    """The runs of `window` sentences of a source, one after another; with 0 the whole source.

    Examples
    --------
    >>> premises_of("One. Two. Three.", "marks", 2)
    ['One. Two.', 'Three.']
    """
    if not window:
        return [text] if text.strip() else []
    own = sentences_of(text, rule)
    return [" ".join(own[start : start + window]) for start in range(0, len(own), window)]


def read_templates(templates: Sequence[str]) -> dict[str, str]:
    """The template of each predicate, from texts such as "capital: {object} is the capital of {subject}.".

    Raises
    ------
    InputError
        If a text is none, or a predicate has two.
    """
    found: dict[str, str] = {}
    for text in templates:
        predicate, mark, template = (part.strip() for part in text.partition(":"))
        if not (predicate and mark and "{object}" in template) or predicate in found:
            raise InputError(
                f"NliFaithfulness: `templates` has {shown(text)}; one 'predicate: text with {{subject}} and "
                "{object}' for each predicate is expected."
            )
        found[predicate] = template
    return found


def facts_of(references: Sequence[str], templates: Mapping[str, str], optional: Sequence[str]) -> list[Fact]:
    """The facts of a segment. A reference that is no triple, "subject | predicate | object", is a sentence already.

    Examples
    --------
    >>> facts_of(["Norway | capital | Oslo", "Rome | size | big"], {"size": "{subject} is {object}."}, ["size"])
    [Fact(text='The capital of Norway is Oslo.', optional=False), Fact(text='Rome is big.', optional=True)]
    """
    found = []
    for reference in references:
        parts = [part.strip().replace("_", " ") for part in reference.split(" | ")]
        if len(parts) != 3:
            found += [Fact(reference.strip(), False)] if reference.strip() else []
            continue
        subject, predicate, other = parts
        template = templates.get(predicate, "The {predicate} of {subject} is {object}.")
        said = template.replace("{predicate}", predicate).replace("{subject}", subject).replace("{object}", other)
        found.append(Fact(said, predicate in optional))
    return found

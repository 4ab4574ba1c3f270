"""Scores as people type them, and as tables print them: NAME:VARIANT, with options and the number that is meant.

``rouge:rouge-1.5.5[rouge1,recall]`` is one word for a shell; ``rouge:rouge-1.5.5 types=[rouge1] recall`` is how a table
prints the same. A word without "=" is a number of the metric, an item of its list of names, or a field that is set to
True.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar, get_args, get_origin

from metrologue.errors import InputError, instead_of, shown
from metrologue.scorers.core.configuration import class_of_name
from metrologue.scorers.core.numbers import Each, declared_numbers
from metrologue.scorers.core.options import field_types
from metrologue.scorers.core.variants import short_signature

if TYPE_CHECKING:
    from metrologue.scorers.core.scorer import Scorer

S = TypeVar("S", bound="Scorer")

_HEAD = re.compile(r"[^\s\[\]]+")
# What people call the numbers of a metric that has a precision, a recall and their mean.
_SHORT = {"p": ("precision",), "r": ("recall",), "f": ("fmeasure", "f1", "fscore", "fmean")}


class Typed(NamedTuple):
    """A score as it is typed: NAME or NAME:VARIANT, fields as text, and words without "="."""

    head: str
    fields: Mapping[str, str]
    words: tuple[str, ...]


def typed(text: str) -> Typed:
    """The parts of a score as it is typed. Raises an InputError for another form, or a field that is there twice.

    Examples
    --------
    >>> typed("rouge:rouge-1.5.5[rouge1,recall]")
    Typed(head='rouge:rouge-1.5.5', fields={}, words=('rouge1', 'recall'))
    >>> typed("bleu:nltk max_order=2 weights=[0.5,0.5]").fields
    {'max_order': '2', 'weights': '[0.5,0.5]'}
    """
    if not isinstance(text, str):
        raise InputError(f"no metric is called {shown(text)}; a text is expected, as in bleu:nltk[max_order=2].")
    head = _HEAD.match(text.strip())
    rest = text.strip()[head.end() :] if head else ""
    end = _end_of_list(rest)
    # Options are separated by commas in brackets, and by whitespace as tables print them.
    parts = [each for each in split_at_commas(rest[1 : max(end - 1, 1)]) if each] + rest[end:].split()
    if head is None or any(each[0] in "[]=" for each in parts) or (rest.startswith("[") and not end):
        raise InputError(f"{shown(text)} is no score; write NAME:VARIANT, as in bleu:nltk[max_order=2].")
    pairs = [each.split("=", 1) for each in parts if "=" in each]
    if len(fields := {each[0]: each[1] for each in pairs}) < len(pairs):
        raise InputError(f"{shown(text)} has one field twice.")
    return Typed(head[0], fields, tuple(each for each in parts if "=" not in each))


def split_at_commas(text: str) -> list[str]:
    """The parts of a text between commas, those inside of brackets left out, without whitespace at their ends.

    Examples
    --------
    >>> split_at_commas("rouge[rouge1,recall], chrf")
    ['rouge[rouge1,recall]', 'chrf']
    """
    parts, first, depth = [], 0, 0
    for place, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if character == "," and not depth:
            parts.append(text[first:place].strip())
            first = place + 1
    return [*parts, text[first:].strip()]


def _end_of_list(text: str) -> int:
    """Where the list in brackets ends with which a text begins; 0 if it begins with none, or the list has no end."""
    depth = 0
    for place, character in enumerate(text if text.startswith("[") else "", 1):
        depth += (character == "[") - (character == "]")
        if not depth:
            return place
    return 0


def options_and_number(kind: type[Scorer], given: Typed) -> tuple[dict[str, str], tuple[str, ...]]:
    """The fields of a score as text, with the items of its list of names; and the words that name a number.

    A word that is a field of True or False stands for True, as in ``bleu[lowercase]``.

    Examples
    --------
    >>> from metrologue.scorers import Rouge
    >>> options_and_number(Rouge, typed("rouge[rouge1,rouge2,recall]"))
    ({'types': '[rouge1,rouge2]'}, ('recall',))
    """
    listed, types = next(_lists_of_names(kind), None), field_types(kind)
    flags = [word for word in given.words if types.get(word) is bool]
    words = tuple(word for word in given.words if word not in flags)
    numbers = words if listed is None else tuple(word for word in words if _is_number(kind, word))
    names = [word for word in words if word not in numbers]
    fields = {**given.fields, **dict.fromkeys(flags, "true")}
    if listed and names:
        before = fields.get(listed, "").removeprefix("[").removesuffix("]")
        fields[listed] = f"[{','.join([before] * bool(before) + names)}]"
    return fields, numbers


def _lists_of_names(kind: type[Scorer]) -> Iterator[str]:
    """The fields with the names for each of which there are numbers."""
    types = field_types(kind)
    for declaration in kind.numbers:
        name = declaration.attribute if isinstance(declaration, Each) else ""
        if get_origin(own := types.get(name)) is tuple and get_args(own)[0] is str:
            yield name


def _is_number(kind: type[Scorer], word: str) -> bool:
    for one in declared_numbers(kind):
        start, brace, _ = one.name.partition("{")
        end = one.name.rpartition("}")[2]
        for each in _called(word):
            is_filled = brace and each.startswith(start) and each.endswith(end) and len(each) > len(start + end)
            if each == one.name or is_filled or (brace and end == f"_{each}"):
                return True
    return False


def number_named(name: str, metrics: Iterable[str]) -> tuple[str, str] | None:
    """The metric whose number has this name, and the whole name of the number: "rouge2" is an F; None if there is none.

    Examples
    --------
    >>> number_named("rouge2", ["bleu", "rouge"]), number_named("rougeL_recall", ["rouge"])
    (('rouge', 'rouge2_fmeasure'), ('rouge', 'rougeL_recall'))
    """

    for metric in sorted(metrics, key=len, reverse=True):
        if name.startswith(metric) and name != metric:
            kind = class_of_name(metric)
            measure = kind.variant(next(iter(kind.variants()))).primary.rpartition("_")[2]
            for whole in (name, f"{name}_{measure}"):
                if _is_number(kind, whole):
                    return metric, whole
    return None


def _called(word: str) -> tuple[str, ...]:
    return (word, word.casefold(), *_SHORT.get(word.casefold(), ()))


def with_number(scorer: S, words: Iterable[str]) -> S:
    """The scorer whose primary number is the one that words name, such as recall; no words: with its usual one.

    Raises an InputError if there is no such number, or it has no direction, such as a length.

    Examples
    --------
    >>> from metrologue.scorers import Rouge
    >>> with_number(Rouge(), ["recall"]).primary, with_number(Rouge(), ["rouge1", "F"]).primary
    ('rougeL_recall', 'rouge1_fmeasure')
    """
    text = " ".join(words)
    if not text:
        return replace(scorer) if scorer._chosen else scorer
    reported = scorer.higher_is_better
    stem = scorer.primary.rpartition("_")[0]
    called = [name for word in _called(text.replace(" ", "_")) for name in (word, f"{stem}_{word}")]
    first, _, last = text.rpartition(" ")
    called += [f"{first}_{each}" for each in _called(last)] if first else []
    found = next((name for name in called if name in reported), None)
    found = found or next(
        (name for name in reported if scorer._reported[name].title.casefold() == text.casefold()), None
    )
    if found is None:
        raise InputError(f"{type(scorer).__name__}: no number is called {shown(text)}; {instead_of(text, reported)}")
    made = copy(scorer)
    made._set_field(_chosen=found)
    return made


def numbered_like(scorer: S, other: Scorer) -> S:
    """The scorer, whose primary number is the one that was chosen for another scorer of the metric, if one was."""
    return with_number(scorer, [other._chosen]) if other._chosen else scorer


def printed(scorer: Scorer, in_brackets: bool = False) -> str:
    """A scorer as tables print it: the metric, the nearest variant, what differs from it, and a number that is chosen.

    `in_brackets` gives it as one word, as a shell takes it.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Rouge
    >>> printed(Bleu.variant("nltk", max_order=2)), printed(with_number(Rouge(), ["recall"]), in_brackets=True)
    ('bleu:nltk max_order=2', 'rouge:rouge_score[rougeL_recall]')
    """
    name, *parts = short_signature(scorer).split("|")
    options = [part for part in parts if part.partition("=")[0] not in ("variant", "mirrors", "package", "metrologue")]
    variant = next((part.partition("=")[2] for part in parts if part.startswith("variant=")), None)
    head = f"{name}:{variant}" if variant else name
    options += [scorer.primary] * bool(scorer._chosen)
    return f"{head}[{','.join(options)}]" if in_brackets and options else " ".join([head, *options])


def number_shown(scorer: Scorer) -> str:
    """What a row of a table adds to the name of a metric: the title of its number, unless it is the metric's own."""
    return "" if scorer._chosen or scorer.primary == scorer.name else scorer._reported[scorer.primary].title

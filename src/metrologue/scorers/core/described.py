"""What fields and their values mean, in words: the section ``Parameters`` of a docstring, and phrases for reports.

The words stand where a field is declared (``metrologue.scorers.core.options.option``).
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Collection
from dataclasses import fields, is_dataclass
from itertools import chain
from types import UnionType
from typing import get_args, get_origin

from metrologue.language_models.named import NamedModel
from metrologue.scorers.core.options import LARGEST, LabelText, Option, ScorerClass, field_types, item_type, options_of
from metrologue.text.tokenizers.meanings import meaning_of_tokenizer

# The first line of a section of a docstring. `Parameters` comes before all others.
_SECTION = re.compile(r"^\w[\w ]*\n-{3,}$", re.MULTILINE)
# What a type is called here, if not by its own name.
_NAMES: dict[type, str] = {LabelText: "str or int", NamedModel: "LanguageModel"}


_ANY_TOKENIZER = re.compile("How a text is cut, as `metrologue list tokenizers` shows[.:;]? ?")


def meaning_of(scorer: ScorerClass, field: str, value: object) -> str:
    """What a value of a field means, as a phrase; for a value without a name, what the field means.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> meaning_of(Bleu, "zero_when", "any-order")
    'if at least one order has no match'
    >>> meaning_of(Bleu, "floor_totals", True)
    'count at least one n-gram of each order in each segment, however short'
    """
    declared = options_of(scorer)[field]
    if declared.kind == "tokenizer" and isinstance(value, str):
        return meaning_of_tokenizer(value)
    about = (declared.one_of or {}).get(value, "") if isinstance(value, str) else declared.about
    text = re.split(r"[.:;](?:\s|$)", re.sub(r" ?\([^()]*\)|`", "", about), maxsplit=1)[0]
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def described(scorer: ScorerClass, field: str, values: Collection[object] | None = None) -> str:
    """What a field means, and each of its values or of those that are given, on one line of Markdown.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> described(Bleu, "zero_when", ["any-order", "never"])
    'When the score is 0 despite smoothing. `any-order`: if at least one order has no match. `never`: never.'
    """
    declared = options_of(scorer)[field]
    about = declared.about
    meant = {value: about for value, about in _meant(declared).items() if values is None or value in values}
    if declared.kind == "tokenizer" and values:
        names = [value for value in values if isinstance(value, str)]
        meant = {name: said for name in names if (said := meaning_of_tokenizer(name))}
        about = _ANY_TOKENIZER.sub("", about)  # the meanings of the values say it
    of_values = [f"`{value}`: {_ended(said)}" for value, said in meant.items()]
    return " ".join([*filter(None, [about]), *of_values]).replace("``", "`")


def parameters(scorer: ScorerClass) -> str:
    """The section ``Parameters`` of a class's docstring: type, limits, default and meaning of each field.

    The fields that the class declares, or takes from a part of scorers such as ``Tokenized``, come before those of
    other scorers.
    """
    options = options_of(scorer)
    scorers = [base for base in scorer.__mro__[1:] if is_dataclass(base) and isinstance(base, type(scorer))]
    inherited = {each.name for base in scorers for each in fields(base)}
    lines = ["Parameters", "----------"]
    for name in sorted(options, key=inherited.__contains__):
        declared = options[name]
        lines.append(f"{name} : {_type(scorer, name)}")
        lines += _wrapped(declared.about)
        if values := _meant(declared):
            each = (_wrapped(f'"{value}": {_ended(about)}', "- ") for value, about in values.items())
            lines += ["", *chain.from_iterable(each), ""]
    return "\n".join(lines).rstrip()


def with_parameters(scorer: ScorerClass, docstring: str) -> str:
    """A class's docstring with the section ``Parameters`` in its place, before all other sections.

    A class without fields, such as a base of ``Scorer``, has no such section.
    """
    if not is_dataclass(scorer):
        return inspect.cleandoc(docstring)
    text = inspect.cleandoc(docstring)
    found = _SECTION.search(text)
    end = found.start() if found else len(text)
    return "\n\n".join(filter(None, [text[:end].strip(), parameters(scorer), text[end:]])) + "\n"


def _meant(declared: Option) -> dict[str, str]:
    """The values that have a meaning of their own; a single value may do without."""
    return {value: about for value, about in (declared.one_of or {}).items() if about}


def _ended(phrase: str) -> str:
    return phrase if phrase.endswith(".") else f"{phrase}."


def _wrapped(text: str, mark: str = "") -> list[str]:
    indent = " " * 4
    return textwrap.wrap(
        text, 110, initial_indent=indent + mark, subsequent_indent=indent + " " * len(mark), break_on_hyphens=False
    )


def values_of(scorer: ScorerClass, name: str) -> str:
    """The values that a field takes, for documentation. Literal values are between backticks.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> values_of(Bleu, "empty"), values_of(Bleu, "max_order")
    ('`zero`, `error`', '1 to 100')
    """
    declared, kind = options_of(scorer)[name], field_types(scorer)[name]
    optional, item = "null, " * isinstance(kind, UnionType), item_type(kind)
    if declared.one_of:
        return optional + ", ".join(f"`{value}`" for value in declared.one_of)
    if item is bool:
        return "`true`, `false`"
    if item in (int, float):
        return optional + _limits(declared)
    kinds = {
        "tokenizer": "a tokenizer", "table": "a table", "fitted": "a table that `fit` makes",
        "regex": "regular expressions", "model": "a language model",
        "sequence": "a sequence-to-sequence model", "function": "a function with a name",
        "phrases": "phrases, or a file of them",
        "base": "`2`, `e`, `10` or another number above 1",
    }  # fmt: skip
    if item is LabelText:
        return optional + ("a label" if kind is LabelText else "labels")
    return optional + kinds.get(declared.kind or "", "a name")


def _limits(declared: Option) -> str:
    greatest = "2^31 - 1" if declared.greatest == LARGEST else f"{declared.greatest:.10g}"
    return f"{declared.least:.10g} to {greatest}{' or infinite' * declared.infinite}"


def _type(scorer: ScorerClass, name: str) -> str:
    declared, kind, default = options_of(scorer)[name], field_types(scorer)[name], getattr(scorer, name)
    optional, item = isinstance(kind, UnionType), item_type(kind)
    if declared.one_of:  # numpydoc names the default first
        named = "{" + ", ".join(map(_shown, sorted(declared.one_of, key=lambda value: value != default))) + "}"
    else:
        named = _NAMES.get(item, item.__name__)
    inner = get_args(kind)[0] if optional else kind
    places = get_args(inner) if get_origin(inner) is tuple else ()
    if places:
        count = "" if Ellipsis in places else f"{len(places)} "
        named = f"tuple of {count}{f'({named})' if ' or ' in named else named}"
    limits = f", {_limits(declared)}" if item in (int, float) else ""
    derived = default is None and not optional
    return f"{named}{' or None' * optional}{limits}, {'optional' if derived else f'default {_shown(default)}'}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))}{',' * (len(value) == 1)})"
    return f'"{value}"' if isinstance(value, str) else repr(value)

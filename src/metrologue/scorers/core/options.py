"""Options: the fields of a scorer, each declared once with its stage, its choice, its values and what they mean.

Checks, choices, memo keys, signatures, ``--set`` and the documentation all come from the declaration.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, reduce
from numbers import Integral, Real
from types import MappingProxyType, UnionType
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from metrologue.data.named import NamedValue
from metrologue.scorers.core.packages import package_of
from metrologue.text.lexicon.resource import Resource
from metrologue.text.normalizers import is_normalizer, register_normalizer
from metrologue.text.tokenizers import canonical_name
from metrologue.version import __version__

# The class of a scorer, a dataclass. A module that imports this one defines it.
ScorerClass = Any

# The stages from text to a number: text becomes tokens; a hypothesis is counted with each reference; the rows of
# several references become one row; rows become numbers.
STAGES = ("read", "pairs", "join", "score")

# The greatest values that options take. Sums in int64 and products in float64 must be able to hold the largest number.
# The order of n-grams is limited because each segment has several columns for each order.
LARGEST, LONGEST_NGRAM = 2**31 - 1, 100


class LabelText(str):
    """A label of a classifier as text: "1" for 1. In a signature, characters such as a space are written as %XX."""

    __slots__ = ()


P = ParamSpec("P")
R = TypeVar("R")


class Meant(Protocol):
    """An entry of a table that says what its name means."""

    @property
    def about(self) -> str:
        """The meaning."""


# The values of an option: with their meanings, or as the names of a table whose entries have them. A tuple of names
# has the meanings that a base gives them.
Values = Mapping[str, str | Meant] | tuple[str, ...]


class Rule(Generic[P, R]):
    """A function that a value of an option stands for, and what the value means."""

    def __init__(self, function: Callable[P, R], about: str) -> None:
        self.function, self.about = function, about

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        return self.function(*arguments, **named)


# What gives a value of each kind its canonical form.
_KINDS: Mapping[str, Callable[[str], str]] = {"tokenizer": canonical_name}
# What gives a function the name that stands for it.
NAMED_FUNCTIONS: Mapping[str, Callable[[Any], str]] = {"normalizer": register_normalizer}


@dataclass(frozen=True)
class Option:
    """The declaration of one field.

    Attributes
    ----------
    stage : str
        The first of ``STAGES`` that depends on the field.
    choice : str or None
        The name of the choice that the field belongs to; None for a field that only changes units or form.
    about : str
        What the field means.
    one_of : mapping of str to str, or None
        The names that the field takes, and what each one means.
    least, greatest : float
        The range of a number, or of each item of a tuple of numbers.
    infinite : bool
        Whether it may also be infinite.
    kind : str or None
        "tokenizer": a name that is stored in its canonical form. "normalizer": a name, or a function that gets one.
        "table": a table that is stored by name and digest.
        "fitted": a ``Resource``; ``fit`` makes it if the field is None. "model", "encoder", "sequence", "labeller",
        "parser", "trained", "function" and "phrases": a ``NamedValue``, whose class is the field's type. "base": the
        base of logarithms. "regex": a list of regular expressions.
    """

    stage: str
    choice: str | None = None
    about: str = ""
    one_of: Mapping[str, str] | None = None
    least: float = 0.0
    greatest: float = LARGEST
    infinite: bool = False
    kind: str | None = None

    def over(self, base: Option) -> Option:
        """This declaration in a subclass. What it does not say is as the base declares it."""
        named, meanings = self.one_of, base.one_of or {}
        meant = named and {name: about or meanings.get(name, "") for name, about in named.items()}
        if self.stage:
            return replace(self, about=self.about or base.about, one_of=meant)
        return replace(base, about=self.about or base.about, one_of={**meanings, **meant} if meant else base.one_of)


@dataclass(frozen=True)
class Choice:
    """Fields that only make sense together, and the first stage that they change.

    Attributes
    ----------
    name : str
    fields : tuple of str
    stage : str
        One of ``STAGES``.
    """

    name: str
    fields: tuple[str, ...]
    stage: str


def option(
    default: Any,
    *,
    stage: str,
    choice: str | None,
    about: str = "",
    one_of: Values | None = None,
    least: float = 0.0,
    greatest: float = LARGEST,
    infinite: bool = False,
    kind: str | None = None,
) -> Any:
    """A field of a scorer, with its default and its ``Option``.

    A default of None that the field's type does not have stands for a value that depends on other fields: `_derive`
    sets it. A subclass may give the field another default only (``scale: float = 100.0``); the declaration stays the
    same. One that declares the field again without `about`, or with the bare names of values, keeps their meanings.

    Examples
    --------
    >>> from dataclasses import dataclass, fields
    >>> @dataclass(frozen=True)
    ... class Some:
    ...     beta: float = option(1.0, stage="score", choice="beta", about="Weight of recall.")
    >>> Some().beta, fields(Some)[0].metadata["option"].stage
    (1.0, 'score')
    """
    if stage not in STAGES:
        raise ValueError(f"`stage` is {stage!r}; {' or '.join(STAGES)} is expected")
    values = _meanings(one_of)
    declared = Option(stage, choice, about, values, least, greatest, infinite, kind)
    return field(default=default, metadata={"option": declared})


def with_default(default: Any, *, about: str = "", one_of: Values | None = None) -> Any:
    """A field that a base declares, with another default and another meaning, of itself or of some of its values."""
    return field(default=default, metadata={"option": Option("", about=about, one_of=_meanings(one_of))})


def of_means(about: str = "the mean of the segments' own scores") -> Any:
    """The field `aggregation` of a metric whose score is a mean over segments: both ways to aggregate are the same."""
    return option("corpus", stage="score", choice=None, one_of={"corpus": about})


def of_long_texts(
    what: str = "text", end: str = "its end is left out", default: str = "error", stage: str = "read", counted: str = ""
) -> Any:
    """The field `too_long` of a metric whose model reads some tokens of a text, a pair or a question at most."""
    values = {"error": "it is refused", "cut": f"{end}, and a warning counts such {counted or what}s"}
    return option(
        default, stage=stage, choice="long texts", one_of={default: values[default], **values},
        about=f"What happens to a {what} that is longer than the model's context.",
    )  # fmt: skip


def _meanings(values: Values | None) -> dict[str, str] | None:
    """What each value means; "" for a bare name."""
    if values is None or isinstance(values, tuple):
        return None if values is None else dict.fromkeys(values, "")
    return {name: each if isinstance(each, str) else each.about for name, each in values.items()}


@cache
def options_of(scorer: ScorerClass) -> Mapping[str, Option]:
    """The options of a scorer's class by the names of their fields, in the order of the fields."""
    bases = [base.__dict__["__dataclass_fields__"] for base in scorer.__mro__ if "__dataclass_fields__" in vars(base)]
    return MappingProxyType({each.name: _declared(scorer, each.name, bases) for each in fields(scorer)})


def _declared(scorer: ScorerClass, name: str, bases: list[Mapping[str, Any]]) -> Option:
    found: list[Option] = []
    for base in bases:
        declared = base[name].metadata.get("option") if name in base else None
        if declared is not None and all(declared is not one for one in found):  # a base repeats its own bases' fields
            found.append(declared)
    if not found:
        raise TypeError(f"{scorer.__name__}: the field `{name}` is not declared; give it a default with `option(…)`.")
    return reduce(Option.over, found)


@cache
def choices_of(scorer: ScorerClass) -> tuple[Choice, ...]:
    """The choices of a scorer's class, in the order of its fields."""
    members: dict[str, list[str]] = {}
    options = options_of(scorer)
    for name, declared in options.items():
        if declared.choice is not None:
            members.setdefault(declared.choice, []).append(name)
    return tuple(
        Choice(choice, tuple(names), min((options[name].stage for name in names), key=STAGES.index))
        for choice, names in members.items()
    )


@cache
def stage_fields(scorer: ScorerClass, stage: str) -> tuple[str, ...]:
    """The fields that the outcome of a stage depends on: its own, and those of the stages before it."""
    last = STAGES.index(stage)
    return tuple(name for name, declared in options_of(scorer).items() if STAGES.index(declared.stage) <= last)


@cache
def table_fields(scorer: ScorerClass) -> tuple[str, ...]:
    """The fields that name a table or a model. A signature identifies these by their digests."""
    kinds = (
        "table", "fitted", "model", "encoder", "sequence", "labeller", "parser", "trained", "function", "phrases",
    )  # fmt: skip
    return tuple(name for name, declared in options_of(scorer).items() if declared.kind in kinds)


@cache
def fitted_fields(scorer: ScorerClass) -> tuple[str, ...]:
    """The fields that hold a table that ``fit`` makes."""
    return tuple(name for name, declared in options_of(scorer).items() if declared.kind == "fitted")


def refusal(scorer: ScorerClass, name: str, value: Any) -> str | None:
    """What is expected instead of a value of the declared type, in words; None if the field takes the value.

    Examples
    --------
    >>> from metrologue.scorers import GoogleBleu
    >>> refusal(GoogleBleu, "max_order", 0), refusal(GoogleBleu, "max_order", 4)
    ('an int from 1 to 100', None)
    """
    declared, kind = options_of(scorer)[name], field_types(scorer)[name]
    items = value if isinstance(value, tuple) else () if value is None else (value,)
    if declared.one_of is not None:
        names = " or ".join(declared.one_of)
        expected = f"None or {names}" if isinstance(kind, UnionType) else names
        if declared.kind == "normalizer":
            return None if all(map(is_normalizer, items)) else f"{expected}, or a function"
        return None if all(item in declared.one_of for item in items) else expected
    if item_type(kind) not in (int, float):
        return None
    least, greatest, infinite = declared.least, declared.greatest, declared.infinite
    if all(least <= item <= greatest or (infinite and item == float("inf")) for item in items):
        return None
    return f"{described(kind)} from {least:.10g} to {greatest:.10g}{' or infinite' * infinite}"


def reading_fields(scorer: Any) -> dict[str, str]:
    """The fields that decide how a scorer reads text, spelled as a fitted table stores them."""
    kind: ScorerClass = type(scorer)
    chosen, fitted = stage_fields(kind, "read"), fitted_fields(kind)
    return {name: spelled(getattr(scorer, name)) for name in chosen if name not in fitted}


@cache
def settled_defaults(scorer: ScorerClass) -> Mapping[str, Any]:
    """The defaults that stay as they are when they are checked, so that a scorer need not check them again.

    None that stands for a value to be derived is one of them. A name that may mean something else later is not: the
    path of a model, or a registered tokenizer without its digest.
    """
    found = {}
    for name, kind in field_types(scorer).items():
        default = getattr(scorer, name)
        if default is None or _is_settled(scorer, name, default, kind):
            found[name] = default
    return MappingProxyType(found)


def variants_of(scorer: ScorerClass) -> Mapping[str, Any]:
    """The variants of a scorer's class. Those of a metric that it is derived from keep that metric's defaults.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from metrologue.scorers import Bleu
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Characters(Bleu):
    ...     tokenizer: str = "char"
    >>> Characters().tokenizer, Characters.variant("sacrebleu").tokenizer
    ('char', '13a')
    """
    declared: Mapping[str, Any] = scorer._variants
    kept = _replaced_defaults(scorer)
    return declared if not kept else {n: replace(each, fields={**kept, **each.fields}) for n, each in declared.items()}


@cache
def _replaced_defaults(scorer: ScorerClass) -> Mapping[str, Any]:
    """The defaults of the metric that the class has its variants from, where the class has others."""
    definer = next(base for base in scorer.__mro__ if "_variants" in vars(base))
    metrics = [base for base in scorer.__mro__ if "name" in vars(base) and issubclass(base, definer)]
    owner = metrics[-1] if metrics else scorer
    pairs = {each.name: (getattr(owner, each.name), getattr(scorer, each.name)) for each in fields(owner)}
    return {name: of_owner for name, (of_owner, own) in pairs.items() if not _are_alike(of_owner, own)}


def _is_settled(scorer: ScorerClass, name: str, default: Any, kind: Any) -> bool:
    if issubclass(item_type(kind), _NAMED):
        return False
    try:
        checked = canonical(options_of(scorer)[name], converted(default, kind))
    except (TypeError, ValueError, OverflowError):
        return False  # a scorer refuses it, and says why
    return _are_alike(checked, default) and refusal(scorer, name, default) is None


def _are_alike(one: Any, other: Any) -> bool:
    """Whether two values are equal and of the same types: 1, 1.0 and True are equal."""
    if type(one) is not type(other) or one != other:
        return False
    return not isinstance(one, tuple) or all(map(_are_alike, one, other))


def canonical(declared: Option, value: Any) -> Any:
    """The canonical form of a value that can be spelled in several ways."""
    form = _KINDS.get(declared.kind or "")
    return value if form is None or value is None else form(value)


# The declared types of fields: the Python types that each one takes, and its name in messages, singular and plural.
# A ``NamedValue`` has its own.
_TYPES: dict[Any, tuple[Any, str, str]] = {
    bool: ((bool, np.bool_), "True or False", "True or False"),
    int: (Integral, "an int", "ints"),
    float: (Real, "a finite number", "finite numbers"),
    str: (str, "a str", "str"),
    LabelText: ((str, Integral, float, np.floating, np.bool_), "a label, a str or an int", "labels"),
    Resource: ((str, Resource), "a Resource that fit made, or the name of one in use", "Resources"),
}
# The types whose values a signature identifies by their names.
_NAMED = (Resource, NamedValue)
# The characters that stand for themselves in a list in a signature. `""` is an empty item: an item has no other '"'.
_PLAIN = "".join(chr(point) for point in range(0x21, 0x7F) if chr(point) not in '%,|"')
_EMPTY = '""'
# A number as text. Python's own functions also take "1_0" and digits of other scripts.
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?inf(inity)?|infinite|nan", re.IGNORECASE)
_BOOLS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@cache
def field_types(scorer: ScorerClass) -> dict[str, Any]:
    """The declared type of each field: one of `_TYPES`, a tuple of one of them, or one that may be None."""
    hints = get_type_hints(scorer)
    return {each.name: hints[each.name] for each in fields(scorer)}


def item_type(kind: Any) -> Any:
    """The type of a value, or of the items of a tuple, of a field with this declared type."""
    return item_type(get_args(kind)[0]) if isinstance(kind, UnionType) or get_origin(kind) is tuple else kind


def _taken(kind: Any) -> tuple[Any, str, str]:
    """The entry of `_TYPES`; a kind of named values says it itself."""
    return (object, kind.expected, kind.plural) if issubclass(kind, NamedValue) else _TYPES[kind]


def described(kind: Any) -> str:
    """A declared type in words."""
    if isinstance(kind, UnionType):
        return f"None or {described(get_args(kind)[0])}"
    return f"a list of {_taken(get_args(kind)[0])[2]}" if get_origin(kind) is tuple else _taken(kind)[1]


def converted(value: Any, kind: Any) -> Any:
    """The value in its declared type. Raises a TypeError, a ValueError or an OverflowError if it has another type."""
    if isinstance(kind, UnionType):
        return None if value is None else converted(value, get_args(kind)[0])
    if get_origin(kind) is tuple:
        if not isinstance(value, (list, tuple, np.ndarray)):
            raise TypeError
        return tuple(converted(item, get_args(kind)[0]) for item in value)
    if issubclass(kind, NamedValue):
        return kind.of(value)
    if not isinstance(value, _TYPES[kind][0]) or (kind not in (bool, LabelText) and isinstance(value, bool)):
        raise TypeError
    if kind is LabelText:
        if isinstance(value, (float, np.floating)):  # a whole float is an int, as it is among the labels of segments
            if not float(value).is_integer():
                raise TypeError
            value = int(value)
        return LabelText(_encodable(value) if isinstance(value, str) else value)
    if kind is Resource:
        return value if isinstance(value, Resource) else Resource.found(str.__str__(value))
    return _encodable(value) if kind is str else kind(value)


def _encodable(text: str) -> str:
    """The text as a plain str. Raises a UnicodeEncodeError for a lone surrogate, which no signature could hold."""
    plain = str.__str__(text)
    plain.encode()
    return plain


def parse_value(text: str, kind: Any) -> Any:
    """A value of a declared type from the text of a signature or the command line; other text stays text.

    Examples
    --------
    >>> parse_value("[1,0.5]", tuple[float, ...]), parse_value("null", int | None), parse_value("2 or so", int)
    ((1.0, 0.5), None, '2 or so')
    >>> parse_value("infinite", float), parse_value("inf", float)
    (inf, inf)
    >>> parse_value("[]", tuple[str, ...]), parse_value('["",a%2Cb]', tuple[str, ...])
    ((), ('', 'a,b'))
    """
    if isinstance(kind, UnionType):
        return None if text == "null" else parse_value(text, get_args(kind)[0])
    if get_origin(kind) is tuple:
        if not (text.startswith("[") and text.endswith("]")):
            return text
        item_type, items = get_args(kind)[0], text[1:-1].split(",") if text != "[]" else []
        items = ["" if item == _EMPTY else item for item in items]
        if item_type is not LabelText:  # which reads the characters itself
            items = [*map(_unquoted, items)]
        return tuple(parse_value(item, item_type) for item in items)
    if kind is bool:
        return _BOOLS.get(text.lower(), text)
    if kind is LabelText:
        return LabelText(_unquoted(text))
    if kind in (int, float):
        if not _NUMBER.fullmatch(text.strip()):
            return text
        if kind is float and text.strip().lower() == "infinite":  # as the documentation has it
            return math.inf
    try:
        return text if issubclass(kind, _NAMED) else kind(text)
    except ValueError:
        return text


def parsed_fields(scorer: ScorerClass, texts: Mapping[str, str]) -> dict[str, Any]:
    """Field values from the text of a signature or the command line; values of unknown fields stay text.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> parsed_fields(Bleu, {"lowercase": "Yes", "weights": "[0.5,0.5]", "tokenizer": "none"})
    {'lowercase': True, 'weights': (0.5, 0.5), 'tokenizer': 'none'}
    """
    kinds = field_types(scorer)
    return {name: parse_value(text, kinds.get(name, str)) for name, text in texts.items()}


def spelled(value: Any) -> str:
    """A value as text, as ``parse_value`` reads it."""
    if isinstance(value, tuple):
        return f"[{','.join(_spelled_item(item) or _EMPTY for item in value)}]"
    if isinstance(value, LabelText):
        return _spelled_item(value)
    return str(value) if isinstance(value, (str, *_NAMED)) else json.dumps(value)


def _spelled_item(value: Any) -> str:
    """An item of a list as text. Characters that would end the item or the field are written as %XX."""
    if not isinstance(value, str):
        return spelled(value)
    from urllib.parse import quote  # few signatures have lists of names

    return quote(value, safe=_PLAIN)


def _unquoted(text: str) -> str:
    """The text with the characters for %XX. Bytes that are not UTF-8 become lone surrogates, which fields refuse."""
    from urllib.parse import unquote

    return unquote(text, errors="surrogateescape")


def signature_line(scorer: Any, variant: str | None, names: list[str], *parts: str) -> str:
    """A signature of these fields, after the version of the library that the variant mirrors."""
    mirrored = [scorer.variants()[variant]] if variant else []
    return "|".join(
        [
            scorer.name,
            *parts,
            *(f"mirrors={each.named('-')}" for each in mirrored),
            *(f"{name}={spelled(getattr(scorer, name))}" for name in names),
            *(f"package={package}" for package in package_of(type(scorer).__module__, scorer.name)),
            f"metrologue={__version__}",
        ]
    )

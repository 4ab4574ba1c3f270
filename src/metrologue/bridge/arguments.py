"""What a module of `evaluate` takes: its inputs, the arguments of the Hub's module, and every option of its scorer.

All of it comes from declarations: the scorer's inputs and options, and the keyword arguments of ``_fields``, which a
module defines for what the Hub's module calls otherwise.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any, ClassVar, Protocol, get_args, get_origin

from metrologue.bridge.strict_module import StrictModule
from metrologue.scorers import Scorer
from metrologue.scorers.core.described import described
from metrologue.scorers.core.inputs import Input
from metrologue.scorers.core.options import field_types, options_of

_WIDTH = 120
_LISTED = 9  # the names that an option takes are listed, up to this number
_FORMS = {
    "texts": "list of texts",
    "groups": "list of texts, or of lists of texts",
    "turns": "list of texts whose lines are turns, or of lists of texts",
    "sets": "list of texts, or of sets or lists of labels",
    "spans": "list of texts, or of lists of spans",
    "graphs": "list of texts, or of scene graphs",
    "labels": "list of labels",
    "numbers": "list of lists of numbers",
    "weights": "list of numbers",
}
# What a type is called here, by its name: most modules need none of these types.
_KINDS = {
    "Resource": "table", "NamedModel": "model or path", "NamedEncoder": "encoder, path or name", "LabelText": "label",
    "NamedLabeller": "labeller or files", "NamedParser": "parser, pipeline or file", "NamedTrained": "model or folder",
    "NamedSequence": "model, folder or name", "NamedJudge": "Judge",
}  # fmt: skip
# What each module takes beside: how the result is told.
_TOLD = {
    "confidence": (None, 'a level such as 0.95: adds "confidence", the intervals of the numbers.'),
    "signature": (False, 'whether to add "signature", every choice behind the numbers on one line.'),
    "per_segment": (False, 'whether to add "segments", all numbers of each single segment.'),
}


class Declaring(Protocol):
    """What a module says of its arguments; ``MetricModule`` says what each is."""

    arguments: ClassVar[Mapping[str, str]]
    tables: ClassVar[Mapping[str, tuple[str, ...]]]
    default_variant: ClassVar[str]

    def _fields(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Arguments:
    """The arguments of a module's ``compute``, by what they are.

    Attributes
    ----------
    inputs : tuple of Input
        The inputs beside predictions and references.
    hub : mapping of str to inspect.Parameter
        The arguments of the module's ``_fields``.
    options : mapping of str to str
        The other arguments, each with the scorer's option that it sets: its own name, or the one that the Hub has.
    table : tuple of str
        The arguments with which a table is read.
    """

    inputs: tuple[Input, ...]
    hub: Mapping[str, inspect.Parameter]
    options: Mapping[str, str]
    table: tuple[str, ...]

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of all arguments that choose a scorer, which ``evaluate.load`` takes, too."""
        return (*self.hub, *self.options, *self.table)

    def signature(self, references: bool) -> inspect.Signature:
        """The signature of ``_compute``."""

        def parameter(name: str, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
            return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)

        given = [parameter("self"), parameter("predictions"), *([parameter("references")] if references else [])]
        given += [parameter(each.name, None) for each in self.inputs]
        given += [parameter(name, each.default) for name, each in self.hub.items()]
        given += [parameter(name, None) for name in (*self.options, *self.table)]
        return inspect.Signature([*given, *(parameter(name, default) for name, (default, _) in _TOLD.items())])

    def is_left_out(self, name: str, value: Any) -> bool:
        """Whether a value stands for none: None, unless it is one of the Hub's, and not the default."""
        return value is None and not (name in self.hub and self.hub[name].default is not None)

    def canonical(self, name: str) -> str:
        """The option that an argument sets, or its own name."""
        return self.options.get(name, name)


def arguments_of(module: type[Declaring], scorer: type[Scorer]) -> Arguments:
    """The arguments of a module."""
    inputs = tuple(each for each in scorer.inputs[1:] if each.name != "references")
    hub = {name: each for name, each in inspect.signature(module._fields).parameters.items() if name != "self"}
    declared = options_of(scorer)
    taken = {"predictions", "references", *_TOLD, *hub, *(each.name for each in inputs)}
    options = {**{name: name for name in declared}, **module.arguments}
    return Arguments(
        inputs,
        hub,
        {name: option for name, option in options.items() if name not in taken},
        tuple(name for names in module.tables.values() for name in names),
    )


def parts_of(module: type) -> dict[str, str]:
    """The sections of a module's docstring: "" before the first one, then "Args", "Returns" and "Examples"."""
    pieces = re.split(r"^(Args|Returns|Examples):\n", inspect.cleandoc(module.__doc__ or ""), flags=re.MULTILINE)
    return {"": pieces[0].strip()} | {
        name: text.rstrip("\n") for name, text in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def documentation(module: type[Declaring], scorer: Scorer) -> str:
    """What `evaluate` shows of a module: each argument, what ``compute`` returns, and examples."""
    parts, arguments = parts_of(module), arguments_of(module, type(scorer))
    hub: dict[str, str] = {}
    for base in module.__mro__[: module.__mro__.index(StrictModule)]:  # a base may say what its own arguments mean
        hub = {**_entries(parts_of(base).get("Args", "")), **hub}
    lines = []
    for each in scorer.inputs:
        lists = ", or of lists of texts" if each.many and each.kind.name == "texts" else ""
        about = f"; {each.about}" if each.about else ""
        lines.append(hub.pop(each.name, f"{each.name}: {_FORMS[each.kind.name]}{lists}{about}."))
    lines += [hub.pop(name) for name in [*hub]]
    for argument, option in arguments.options.items():
        if argument != option:
            lines.append(f"{argument}: the Hub's name of `{option}`.")
            continue
        default = _default_of(getattr(scorer, option))
        lines.append(
            f"{argument} ({_kind_of(type(scorer), option)}, default {default}): {described(type(scorer), option)}"
        )
    lines += [f"{name}: {about}" for name, (_, about) in _TOLD.items()]
    told = (
        f'An argument that is left out has the variant\'s value. The defaults are those of "{module.default_variant}".'
    )
    returned, examples = parts.get("Returns", ""), parts.get("Examples", "")
    listed = "\n".join(map(_wrapped, lines))
    return f"\nArgs:\n{listed}\n\n    {told}\nReturns:\n{returned}\nExamples:\n{examples}\n"


def _entries(text: str) -> dict[str, str]:
    """The entries of a section "Args", each on one line, by the names of the arguments."""
    entries = {}
    for entry in re.split(r"\n(?=    \S)", text.strip("\n")):
        if line := " ".join(entry.split()):
            entries[re.split(r"\W", line, maxsplit=1)[0]] = line
    return entries


def _wrapped(text: str) -> str:
    return textwrap.fill(
        text, _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False, break_long_words=False
    )


def _kind_of(scorer: type[Scorer], option: str) -> str:
    """The type of an option, in words."""
    declared, kind = options_of(scorer)[option], field_types(scorer)[option]
    if isinstance(kind, UnionType):
        kind = get_args(kind)[0]
    several = get_origin(kind) is tuple
    item = get_args(kind)[0] if several else kind
    word = "str or function" if declared.kind == "tokenizer" else _KINDS.get(item.__name__, item.__name__)
    if declared.one_of and len(declared.one_of) <= _LISTED:
        word = " or ".join(f'"{value}"' for value in declared.one_of)
    return f"list of {word}" if several else word


def _default_of(value: Any) -> str:
    """A default as it would be typed."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_default_of, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)

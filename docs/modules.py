"""Writes the modules of `evaluate` that mirror none of the Hub's, and the page and requirements of every module.

What a module says has one source each: the options of the scorer say what an argument does; the card has the
description, the inputs, the results and the first example; ``src/metrologue/references.bib`` has the papers. The
templates lie in ``tools/module``, with ``modules.toml``, which lists the modules that are made.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Template
from types import UnionType
from typing import Any, get_args, get_origin

from metrologue import list_comparisons
from metrologue.language_models.named import NamedModel
from metrologue.learned.named import NamedTrained
from metrologue.lexicon.resource import Resource
from metrologue.representations.frames import NamedLabeller
from metrologue.representations.named import NamedEncoder
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.described import described
from metrologue.scorers.core.options import field_types

ROOT = Path(__file__).parents[1]
METRICS = ROOT / "metrics"
TEMPLATES = ROOT / "tools" / "module"
WIDTH = 120
# What a module needs beside the library and its page.
_EXTRAS = {
    "bertscore": ("transformers",),
    "bleurt": ("transformers",),
    "meteor": ("meteor",),
    "moverscore": ("transformers",),
    "nli_faithfulness": ("transformers",),
    "perplexity": ("transformers",),
    "semantic_similarity": ("transformers",),
}
_LISTED = 9  # the names that an option takes are listed, up to this number


def meaning(scorer: type[Scorer], option: str) -> str:
    """What an option of a scorer means, in a sentence or some; the one place that knows where this is declared."""
    return described(scorer, option).replace("``", "`")


def facts() -> dict[str, dict[str, Any]]:
    """What ``modules.toml`` says of each module that is made."""
    return tomllib.loads((TEMPLATES / "modules.toml").read_text("utf-8"))


def arguments_of(name: str) -> dict[str, str]:
    """The arguments of a module that set options, and the option of each."""
    renamed = {option: argument for argument, option in facts()[name].get("arguments", {}).items()}
    return {renamed.get(option, option): option for option in get_scorer(name)._options()}


class Card:
    """The parts of a card that a module repeats."""

    def __init__(self, text: str) -> None:
        _, front, self._text = text.split("---\n", 2)
        self._front = front

    def front(self, key: str) -> str:
        """A value of the front matter, on one line."""
        found = re.search(rf"^{key}:(?: >-)?\s+((?:.*\n)(?:  .*\n)*)", self._front, re.MULTILINE)
        if found is None:
            raise ValueError(f"a card has no {key!r}")
        return " ".join(found[1].split())

    def section(self, title: str) -> str:
        """What a section says before the next heading."""
        found = re.search(rf"^#+ {title}\n(.*?)(?=^#{{2,}} |\Z)", self._text, re.MULTILINE | re.DOTALL)
        if found is None:
            raise ValueError(f"a card has no section {title!r}")
        return found[1].strip()

    def inputs(self) -> dict[str, tuple[str, str]]:
        """The type and the description of each input."""
        found = re.findall(r"^- \*\*(\w+)\*\* \((.*?)\): (.*(?:\n  .*)*)", self.section("Inputs"), re.MULTILINE)
        return {name: (kind.replace("`", ""), " ".join(text.split())) for name, kind, text in found}

    def outputs(self) -> list[str]:
        """The result: the list of its numbers with the line before it, or the first paragraph."""
        first, _, rest = self.section("Output Values").partition("\n\n")
        lines = f"{first}\n{rest.partition(chr(10) * 2)[0]}" if rest.startswith("- ") else first
        items = re.split(r"\n(?=- )", lines.replace("**", ""))
        return [" ".join(item.removeprefix("- ").split()) for item in items]

    def example(self) -> str:
        """The first example."""
        found = re.search(r"```python\n(.*?)```", self.section("How to Use"), re.DOTALL)
        if found is None:
            raise ValueError("a card has no example under 'How to Use'")
        return found[1].rstrip()

    def programs(self) -> list[str]:
        """The programs that it links to."""
        return re.findall(r"\]\((https://git(?:hub|lab)\.com/[^)]+)\)", self.section("Further References"))


def kind_of(scorer: type[Scorer], option: str) -> str:
    """The type of an argument, in words."""
    declared, kind = scorer._options()[option], field_types(scorer)[option]
    if isinstance(kind, UnionType):
        kind = get_args(kind)[0]
    several, item = get_origin(kind) is tuple, kind
    if several:
        item = get_args(kind)[0]
    names = {Resource: "table", NamedModel: "model or path", NamedEncoder: "encoder, path or name"}
    names |= {NamedLabeller: "labeller or files", NamedParser: "parser, pipeline or file"}
    names |= {NamedTrained: "trained model or folder"}
    word = "str or function" if declared.kind == "tokenizer" else names.get(item) or item.__name__
    if declared.one_of and len(declared.one_of) <= _LISTED:
        word = " or ".join(f'"{value}"' for value in declared.one_of)
    return f"list of {word}" if several else word


def default_of(value: Any) -> str:
    """A default as it would be typed."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(default_of, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def wrapped(text: str) -> str:
    """An entry of a list in a docstring."""
    plain = text.replace("``", "`").replace("\\", "\\\\")
    if "#" in plain or '"""' in plain:  # `evaluate` takes what follows a # for a comment
        raise ValueError(f"what a module says cannot hold a # or three quotes: {plain}")
    return textwrap.fill(
        plain, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False, break_long_words=False
    )


def entries(name: str, card: Card, variant: str) -> Iterator[tuple[str, str]]:
    """Each argument of a module with its entry in the documentation."""
    scorer, own = get_scorer(name), facts()[name]
    default, inputs = scorer.variant(variant), card.inputs()
    read = [argument for arguments in own.get("table", {}).values() for argument in arguments]

    def from_card(argument: str) -> tuple[str, str]:
        kind, text = inputs[argument]
        return argument, f"{argument} ({kind}): {text}"

    yield from_card("predictions")
    if scorer.input("references"):
        yield from_card("references")
    for argument, option in arguments_of(name).items():
        value = default_of(getattr(default, option))
        kind = "path or table" if option in own.get("table", {}) else kind_of(scorer, option)
        yield argument, f"{argument} ({kind}, default {value}): {meaning(scorer, option)}"
    for argument in (*own.get("inputs", ()), *read, "signature", "per_segment"):
        yield from_card(argument)


def laid_out(before: str, items: list[str], after: str, indent: int) -> str:
    """A list between brackets as the formatter lays it out: on one line, on an indented one, or an item on each."""
    space, inner = " " * indent, " " * (indent + 4)
    line = f"{space}{before}{', '.join(items)}{after}"
    if len(line) <= WIDTH:
        return line
    within = f"{inner}{', '.join(items)}"
    # Only the arguments of a function may stand together on the second line.
    middle = within if len(within) <= WIDTH and before[-1] == "(" else "\n".join(f"{inner}{item}," for item in items)
    return f"{space}{before}\n{middle}\n{space}{after}"


def call_of(name: str) -> list[str]:
    """What ``_compute`` hands on."""
    own = facts()[name]
    references = "references" if get_scorer(name).input("references") else "None"
    passed = ["predictions", references, "signature", "per_segment"]
    if "inputs" in own:
        passed.append(f"inputs={by_name(own['inputs'])}")
    passed += [f"{option}={argument}" for argument, option in arguments_of(name).items()]
    for arguments in own.get("table", {}).values():
        passed.append(f"table={by_name(arguments)}")
    return passed


def module(name: str, card: Card) -> str:
    """The source of a module."""
    scorer, own = get_scorer(name), facts()[name]
    variant = next(iter(scorer.variants()))
    arguments = dict(entries(name, card, variant))
    lines = [f'metric = "{name}"', f'default_variant = "{variant}"']
    if reported := own.get("reported"):
        lines.append(f"reported = {'None' if reported == 'all' else f'({quoted(reported)})'}")
    if grouping := own.get("grouping"):
        lines.append(f"grouping = ({quoted(grouping)})")
    if renamed := own.get("arguments"):
        pairs = [f"({quoted([option, argument])})" for argument, option in renamed.items()]
        lines.append(f"renamed = ({', '.join(pairs)}{',' * (len(pairs) == 1)})")
    programs = [quoted([each]) for each in card.programs()]
    defaults = {"predictions": "", "references": "", "signature": "=False", "per_segment": "=False"}
    parameters = ["self", *(f"{argument}{defaults.get(argument, '=None')}" for argument in arguments)]
    return Template((TEMPLATES / "module.py.txt").read_text("utf-8")).substitute(
        title=card.front("title"),
        description=textwrap.fill(card.front("description"), WIDTH, break_on_hyphens=False),
        arguments="\n".join(map(wrapped, arguments.values())),
        variant=variant,
        returns="\n".join(map(wrapped, card.outputs())),
        examples=textwrap.indent(card.example(), " " * 4),
        class_name="".join(map(str.capitalize, name.split("_"))),
        summary=card.front("short_description"),
        facts=textwrap.indent("\n".join(lines), " " * 4),
        programs="" if not programs else laid_out("codebase_urls=[", programs, "],\n", 12),
        signature=laid_out("def _compute(", parameters, "):", 4),
        call=laid_out("return self._result(", call_of(name), ")", 8),
    )


def quoted(items: Sequence[str]) -> str:
    """Texts between quotes."""
    return ", ".join(f'"{item}"' for item in items)


def by_name(names: Sequence[str]) -> str:
    """A dict of variables by their names."""
    return f"{{{', '.join(f'{quoted([name])}: {name}' for name in names)}}}"


def takes_numbers(name: str) -> bool:
    """Whether a module takes numbers: it has no scorer, and is written by hand."""
    source = METRICS / name / f"{name}.py"
    return source.exists() and "import NumberModule" in source.read_text("utf-8")


def files_of(name: str) -> Iterator[tuple[Path, str]]:
    """Every file of a folder in ``metrics/`` that is made as a whole, and its content."""
    folder = METRICS / name
    if name in facts():
        yield folder / f"{name}.py", module(name, Card((folder / "README.md").read_text("utf-8")))
    app, requirements = (Template((TEMPLATES / each).read_text("utf-8")) for each in ("app.py.txt", "requirements.txt"))
    build = "build_numbers" if takes_numbers(name) else "build_comparison" if name in list_comparisons() else "build"
    yield folder / "app.py", app.substitute(build=build, name=name)
    extras = ",".join(sorted((*_EXTRAS.get(name, ()), "space")))
    yield folder / "requirements.txt", requirements.substitute(extras=extras)

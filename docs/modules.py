"""Writes the modules of `evaluate` that mirror none of the Hub's, and the page and requirements of every module.

What a module says has one source each: the options of the scorer say what an argument does, when it is loaded; the
card has the description, the results and the first example; ``src/metrologue/references.bib`` has the papers. The
templates lie in ``tools/module``. What the module's class says beside its docstring stays as it is written:
``reported``, the numbers of a result, if it is not the primary one alone (None: all); ``arguments``, those that are not
named like the option that they set; ``takes_data``, ``tables`` and ``grouping`` (see ``MetricModule``).
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from string import Template

from metrologue import list_comparisons
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.needs import needs_of, said_of_needs

ROOT = Path(__file__).parents[1]
METRICS = ROOT / "metrics"
TEMPLATES = ROOT / "tools" / "module"
WIDTH = 120


def is_made(name: str) -> bool:
    """Whether a module is made: the Hub has none of its name, or it is still to be made."""
    source = METRICS / name / f"{name}.py"
    return (source.exists() and "for `evaluate`, generated; " in source.read_text("utf-8")) or (
        not source.exists() and name in list_scorers()
    )


def attributes(name: str) -> dict[str, str]:
    """What a module says of itself beside its docstring: its class's attributes, as Python."""
    source = METRICS / name / f"{name}.py"
    if not source.exists():
        return {}
    text = source.read_text("utf-8")
    [kind] = [each for each in ast.parse(text).body if isinstance(each, ast.ClassDef)]
    pairs = [each for each in kind.body if isinstance(each, ast.Assign)]
    return {ast.unparse(each.targets[0]): ast.get_source_segment(text, each.value) or "" for each in pairs}


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


def wrapped(text: str) -> str:
    """An entry of a list in a docstring."""
    plain = text.replace("``", "`").replace("\\", "\\\\")
    if "#" in plain or '"""' in plain:  # `evaluate` takes what follows a # for a comment
        raise ValueError(f"what a module says cannot hold a # or three quotes: {plain}")
    return textwrap.fill(
        plain, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 12, break_on_hyphens=False, break_long_words=False
    )


def arguments(name: str, card: Card) -> Iterator[str]:
    """What only the card says: the inputs that no batch has, and with what a table is read."""
    inputs = card.inputs()
    others = [each.name for each in get_scorer(name).inputs if not each.required]
    tables = ast.literal_eval(attributes(name).get("tables", "{}"))
    for argument in (*others, *(each for names in tables.values() for each in names)):
        kind, text = inputs[argument]
        yield f"{argument} ({kind}): {text}"


def module(name: str, card: Card) -> str:
    """The source of a module."""
    made = {"metric": f'"{name}"', "default_variant": f'"{next(iter(get_scorer(name).variants()))}"'}
    programs = {"programs": literal(card.programs())} if card.programs() else {}
    written = {key: value for key, value in attributes(name).items() if key not in (*made, "programs")}
    lines = [f"{key} = {value}" for key, value in {**made, **written, **programs}.items()]
    entries = [*map(wrapped, arguments(name, card))]
    needed = [] if needs_of(get_scorer(name)) == "nothing" else [said_of_needs(get_scorer(name))]
    return Template((TEMPLATES / "module.py.txt").read_text("utf-8")).substitute(
        title=card.front("title"),
        class_name="".join(map(str.capitalize, name.split("_"))),
        summary=card.front("short_description"),
        description=textwrap.fill(
            " ".join([card.front("description"), *needed]),
            WIDTH,
            initial_indent=" " * 4,
            subsequent_indent=" " * 4,
            break_on_hyphens=False,
        ),
        arguments="\n    Args:\n" + "\n".join(entries) + "\n" if entries else "",
        returns="\n".join(map(wrapped, card.outputs())),
        examples=textwrap.indent(card.example(), " " * 8),
        facts=textwrap.indent("\n".join(lines), " " * 4),
    )


def literal(items: list[str]) -> str:
    """A tuple of texts as Python. A long one takes a line an item."""
    shown = [f'"{each}"' for each in items]
    short = f"({', '.join(shown)}{',' * (len(items) == 1)})"
    return short if len(short) < WIDTH - 16 else "(\n" + "".join(f"    {each},\n" for each in shown) + ")"


def takes_numbers(name: str) -> bool:
    """Whether a module takes numbers: it has no scorer, and is written by hand."""
    source = METRICS / name / f"{name}.py"
    return source.exists() and bool(
        re.search("import (Number|Benchmark|Passage|Speech)Module", source.read_text("utf-8"))
    )


def extras(name: str) -> list[str]:
    """What a module needs beside the library: its page, grammars, lists and tables, or transformers for a model."""
    found = ["space"]
    if name in list_scorers():
        kind = get_scorer(name)
        if any("meteor-1.5" in variant.needs for variant in kind.variants().values()):
            found.append("meteor")
        if re.search("encoder|language model|released checkpoint", needs_of(kind)):
            found.append("transformers")
        if "grammar" in needs_of(kind):
            found.append("code")
        if any("textstat" in variant.needs for variant in kind.variants().values()):
            found.append("readability")
    return sorted(found)


def files_of(name: str) -> Iterator[tuple[Path, str]]:
    """Every file of a folder in ``metrics/`` that is made as a whole, and its content."""
    folder = METRICS / name
    if is_made(name):
        yield folder / f"{name}.py", module(name, Card((folder / "README.md").read_text("utf-8")))
    app, requirements = (Template((TEMPLATES / each).read_text("utf-8")) for each in ("app.py.txt", "requirements.txt"))
    build = "build_numbers" if takes_numbers(name) else "build_comparison" if name in list_comparisons() else "build"
    yield folder / "app.py", app.substitute(build=build, name=name)
    yield folder / "requirements.txt", requirements.substitute(extras=",".join(extras(name)))

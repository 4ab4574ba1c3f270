"""The options for what metrics declare as inputs beside predictions and references, such as sources and contexts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from metrologue.cli.faults import DeclaringCommand, shown_path
from metrologue.cli.gathering import option_name
from metrologue.cli.logs import LogCommand
from metrologue.cli.options import INPUT, Keys, check_references
from metrologue.errors import InputError, number_of

if TYPE_CHECKING:
    from metrologue.data.columns import Column as SegmentColumn
    from metrologue.files.lines import Column, Lines, Part
    from metrologue.scorers import Scorer
    from metrologue.scorers.core.inputs import Input

_FORMS = {
    "texts": "a line for each",
    "turns": "a line for each; tabs or __eou__ separate turns in a line or a cell, and a line of a .jsonl file has a "
    "list of texts, or a text with a turn on each line",
    "numbers": "a line of numbers for each",
    "weights": "a number for each",
}
_OF_NUMBERS = ("numbers", "weights")
_SEPARATOR = "turn_separator"


class Inputs(NamedTuple):
    """The files that the options name.

    Attributes
    ----------
    declared : mapping of str to Input
        The inputs that are given.
    files : mapping of str to str
        The file of each.
    keys : mapping of str to str or None
        The keys or columns in these files.
    separator : str or None
        What separates turns in a text.
    plain : bool
        Whether the files are plain text, whatever they look like.
    """

    declared: Mapping[str, Input]
    files: Mapping[str, str]
    keys: Mapping[str, str | None]
    separator: str | None
    plain: bool = False

    @property
    def paths(self) -> list[str]:
        """The files."""
        return [*self.files.values()]

    @property
    def options(self) -> list[tuple[str, str]]:
        """The options and their values, as they may be given again."""
        given = [(option_name(name), path) for name, path in self.files.items()]
        given += [(option_name(_key(name)), key) for name, key in self.keys.items() if key]
        return given if self.separator is None else [*given, (option_name(_SEPARATOR), self.separator)]

    @property
    def columns(self) -> list[Column]:
        """What is read."""
        from metrologue.files.lines import Column

        turns = {name for name, each in self.declared.items() if each.kind.name == "turns"}
        return [
            Column(path, self.keys[name], name in turns or self.declared[name].many, 0, self.plain, name)
            for name, path in self.files.items()
        ]

    def check(self, scorers: Sequence[Scorer | type[Scorer]], in_data: bool = False) -> None:
        """Refuse a file that no scorer reads, one that a scorer lacks, and a separator where nothing is separated.

        With `in_data`, the texts may also be those of another file, so that none is lacking.
        """
        for name in self.files:
            if not any(scorer.input(name) for scorer in scorers):
                names = " and ".join(scorer.name for scorer in scorers)
                raise click.UsageError(f"{names} reads no {name}; leave out {option_name(name)}.")
        for scorer in scorers:
            for each in scorer.inputs[1:]:
                if each.required and not in_data and each.name not in ("references", *self.files):
                    raise click.UsageError(f"{scorer.name} needs {option_name(each.name)} FILE: {each.about}.")
        if self.separator is not None and not (self.files or _of_dialogues(scorers)):
            raise click.UsageError("--turn-separator is for contexts and dialogues; leave it out.")
        if self.separator == "":
            raise click.BadParameter("it is empty; give at least one character.", param_hint="--turn-separator")

    def cut(self, part: Part, predictions: Sequence[str], scorers: Sequence[Scorer | type[Scorer]]) -> Part:
        """A part whose turns are lines of a text, also in predictions that may be dialogues."""
        from metrologue.files.turns import as_turns

        systems = part.systems
        if _of_dialogues(scorers):
            systems = [as_turns(each, path, self.separator) for each, path in zip(systems, predictions, strict=True)]
        others = [self._turned(name, texts) for name, texts in zip(self.files, part.others, strict=True)]
        return part._replace(systems=systems, others=others)

    def _turned(self, name: str, texts: Lines) -> Lines:
        from metrologue.files.turns import as_turns

        turns = self.declared[name].kind.name == "turns"
        return as_turns(texts, self.files[name], self.separator) if turns else texts

    def read(self, count: int, counterpart: str) -> dict[str, tuple[Any, ...]]:
        """All columns, for so many texts of another file."""
        from metrologue.files.parts import read_parts

        read_inputs = {}
        for name, column in zip(self.files, self.columns, strict=True):
            [texts] = read_parts([column], []).systems
            if len(texts) != count:
                lines = number_of(len(texts), "line")
                raise InputError(f"{column.path} has {lines} but {counterpart} has {number_of(count, 'text')}.")
            turned = self._turned(name, texts)
            read_inputs[name] = tuple(self._numbers(name, turned, 0) if self._of_numbers(name) else turned.to_pylist())
        return read_inputs

    def values(self, others: Sequence[Lines]) -> dict[str, tuple[Any, ...]]:
        """What was read, by the names of the inputs, as a comparison takes it."""
        rows = self.rows(others)
        return {name: tuple(each if isinstance(each, list) else each.to_pylist()) for name, each in rows.items()}

    def rows(self, others: Sequence[Lines], start: int = 0) -> dict[str, Any]:
        """What was read, by the names of the inputs, as a scorer takes it; `start` is the first line's index."""
        pairs = zip(self.files, others, strict=True)
        return {name: self._numbers(name, texts, start) if self._of_numbers(name) else texts for name, texts in pairs}

    def _of_numbers(self, name: str) -> bool:
        return self.declared[name].kind.name in _OF_NUMBERS

    def _numbers(self, name: str, texts: Lines, start: int) -> list[Any]:
        """A list of numbers for each line, or a number for each weight."""
        rows = []
        for line, text in enumerate(texts.to_pylist(), start + 1):
            try:
                numbers = [float(word) for word in text.split()]
            except ValueError:
                raise InputError(f"{self.files[name]}:{line}: {text[:60]!r}; numbers are expected.") from None
            single = self.declared[name].kind.name == "weights"
            if single and len(numbers) != 1:
                raise InputError(f"{self.files[name]}:{line}: {text[:60]!r}; one number is expected.")
            rows.append(numbers[0] if single else numbers)
        return rows

    def added(self, columns: Mapping[str, SegmentColumn], others: Sequence[Lines], owner: str, start: int) -> Any:
        """The columns of some segments, with what was read beside them."""
        from metrologue.data.strings import Strings

        made = dict(columns)
        for name, rows in self.rows(others, start).items():
            checked = rows if isinstance(rows, (list, Strings)) or self.declared[name].many else Strings.of_arrow(rows)
            made[name] = self.declared[name].column(checked, owner, made)
        return made


NO_INPUTS = Inputs({}, {}, {}, None)


class Files(NamedTuple):
    """The files of a command: systems, their references, and what else metrics read."""

    predictions: Sequence[str]
    references: Sequence[str]
    keys: Keys
    inputs: Inputs

    def check(self, scorers: Sequence[Scorer]) -> None:
        """Refuse a file that no scorer reads, and one that is missing."""
        check_references(scorers, self.references)
        self.inputs.check(scorers)

    def columns(self, scorers: Sequence[Scorer | type[Scorer]]) -> tuple[list[Column], list[Column], list[Column]]:
        """What is read: the predictions, the references, and the other inputs."""
        from metrologue.files.lines import Column

        groups = bool(scorers) and all(scorer.takes("groups") for scorer in scorers)
        plain = self.keys["plain"]
        return (
            [Column(path, self.keys["prediction_key"], groups, plain=plain) for path in self.predictions],
            [Column(path, self.keys["reference_key"], True, plain=plain) for path in self.references],
            self.inputs._replace(plain=plain).columns,
        )

    def read(self, scorers: Sequence[Scorer | type[Scorer]]) -> Part:
        """All segments at once."""
        from metrologue.files.parts import read_parts

        part = self._resegmented(scorers) if self.keys["resegment"] else read_parts(*self.columns(scorers))
        return self.inputs.cut(part, self.predictions, scorers)

    def _resegmented(self, scorers: Sequence[Scorer | type[Scorer]]) -> Part:
        """All segments, with predictions that are cut as the references are."""
        from metrologue.files.parts import read_parts

        if not self.references:
            raise click.UsageError("--resegment cuts the output as the references are cut; give -r.")
        systems, references, others = self.columns(scorers)
        part = read_parts([], references, others)
        return part._replace(systems=[resegmented(each, part.references) for each in systems])


def resegmented(column: Column, references: Lines | None) -> Lines:
    """A file's texts, cut as the references are; says how many words moved."""
    from metrologue.data.strings import Strings, arrow
    from metrologue.files.parts import read_parts
    from metrologue.files.resegmented import resegment

    [texts] = read_parts([column], []).systems
    cut = resegment(texts, references)
    words = number_of(cut.words, "word")
    click.echo(f"{shown_path(str(column.path))}: {cut.moved} of {words} moved to another segment.", err=True)
    return arrow(Strings.of(cut))


def _of_dialogues(scorers: Sequence[Scorer | type[Scorer]]) -> bool:
    """Whether each prediction may be a dialogue."""
    return all(
        scorer.takes("groups") and any(each.kind.name == "turns" for each in scorer.inputs) for scorer in scorers
    )


class InputCommand(LogCommand, DeclaringCommand):
    """A command with an option for each input that its metrics declare. It gets them as its argument `inputs`.

    A metric is imported if its name is among the words of the command line; all of them are for ``--help-all``, and if
    an option is none of the command's own.
    """

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options of the command, and those of inputs."""
        return [*super().get_params(ctx), *ctx.meta.get(__name__, ())]

    def declare(self, ctx: click.Context, args: Sequence[str]) -> Mapping[str, Input]:
        fixed = {name for param in super().get_params(ctx) for name in (*param.opts, *param.secondary_opts)}
        options = {word.partition("=")[0] for word in args if word.startswith("--") and word != "--"}
        declared = _declared(None if options - fixed or "--help-all" in args else args)
        ctx.meta[__name__] = [*_options(declared)]
        return declared

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of the command line, those for inputs included."""
        declared = self.declare(ctx, args)
        rest = super().parse_args(ctx, args)
        files = {name: ctx.params.pop(name, None) for name in declared}
        keys = {name: ctx.params.pop(_key(name), None) for name in declared}
        for name, key in keys.items():
            if key and not files[name]:
                raise click.UsageError(f"{option_name(_key(name))} belongs to {option_name(name)}.", ctx)
        given = {name: path for name, path in files.items() if path}
        used = {name: declared[name] for name in given}
        ctx.params["inputs"] = Inputs(used, given, keys, ctx.params.pop(_SEPARATOR, None))
        return rest


def _declared(words: Iterable[str] | None) -> dict[str, Input]:
    """The inputs of the metrics whose names are among some words, or of all metrics."""
    from metrologue.scorers import get_scorer, list_scorers

    named = list_scorers() if words is None else sorted({name for word in words for name in _metrics_in(word)})
    kinds = [get_scorer(name) for name in named]
    inputs = (each for kind in kinds for each in kind.inputs[1:])
    return {each.name: each for each in inputs if each.kind.name in _FORMS and each.name != "references"}


def _metrics_in(word: str) -> Iterator[str]:
    """The metrics that may be meant in a word of the command line."""
    from metrologue.scorers.core.homes import own_homes
    from metrologue.scorers.core.names import metric_of
    from metrologue.scorers.core.registry import get_scorer

    yield from (name for name in re.findall(r"\w+", word) if name in own_homes())
    if not word.startswith("-") and not os.path.exists(word):
        with suppress(InputError):  # the word is something else
            yield get_scorer(metric_of(word)).name


def _key(name: str) -> str:
    return f"{name.removesuffix('s')}_key"


def _options(declared: Mapping[str, Input]) -> Iterator[click.Option]:
    for name, each in declared.items():
        about = f"{each.about[:1].upper()}{each.about[1:]}; {_FORMS[each.kind.name]}."
        letter = ["-s"] if name == "sources" else []
        yield click.Option([*letter, option_name(name)], type=INPUT, metavar="FILE", help=about)
        told = f"The key of `{name}` in .jsonl files, or its column in .tsv, .parquet and Arrow files."
        yield click.Option([option_name(_key(name))], metavar="NAME", help=told)
    if any(each.kind.name == "turns" for each in declared.values()):
        told = "What separates turns in a text, in place of tabs and __eou__; in predictions that are dialogues, too."
        yield click.Option([option_name(_SEPARATOR)], metavar="TEXT", help=told)

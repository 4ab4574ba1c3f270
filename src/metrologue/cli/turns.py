"""The options for what metrics of dialogues read beside the texts: the turns before each text, and its facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from metrologue.cli.options import INPUT
from metrologue.errors import InputError, number_of

if TYPE_CHECKING:
    import pyarrow as pa

    from metrologue.files.lines import Column, Part
    from metrologue.scorers import Scorer

__all__ = ["NO_TURNS", "Turns", "turns_options"]

F = TypeVar("F", bound=Callable[..., Any])

_HELP = {
    "contexts": "The turns before each prediction, for metrics of dialogues: a line for each. Tabs or __eou__ separate "
    "turns in a line or a cell; a line of a .jsonl file has a list of texts, or a text with a turn on each line.",
    "facts": "The facts that each prediction may use, for usr, in the same forms.",
}


class Turns(NamedTuple):
    """What the options name.

    Attributes
    ----------
    files : mapping of str to str
        The file of each column that is given.
    keys : mapping of str to str
        The keys or columns in these files.
    separator : str or None
        What separates turns in a text.
    """

    files: Mapping[str, str]
    keys: Mapping[str, str | None]
    separator: str | None

    @property
    def paths(self) -> list[str]:
        """The files."""
        return [*self.files.values()]

    @property
    def columns(self) -> list[Column]:
        """What is read."""
        from metrologue.files.lines import Column

        return [Column(path, self.keys[name], lists=True, least=0) for name, path in self.files.items()]

    def check(self, scorers: Sequence[Scorer]) -> None:
        """Refuse a file that no scorer reads, and a separator where nothing is separated."""
        for name in self.files:
            if not any(scorer.input(name) for scorer in scorers):
                names = " and ".join(scorer.name for scorer in scorers)
                raise click.UsageError(f"{names} reads no {name}; leave out --{name}.")
        if self.separator is not None and not (self.files or _of_dialogues(scorers)):
            raise click.UsageError("--turn-separator is for contexts and dialogues; leave it out.")
        if self.separator == "":
            raise click.BadParameter("it is empty; give at least one character.", param_hint="--turn-separator")

    def cut(self, part: Part, predictions: Sequence[str], scorers: Sequence[Scorer]) -> Part:
        """A part whose columns have a turn in each line, and so the predictions, if they may be dialogues."""
        from metrologue.files.lines import Part
        from metrologue.files.turns import as_turns

        systems = part.systems
        if _of_dialogues(scorers):
            systems = [as_turns(each, path, self.separator) for each, path in zip(systems, predictions, strict=True)]
        others = [as_turns(each, path, self.separator) for each, path in zip(part.others, self.paths, strict=True)]
        return Part(systems, part.references, others)

    def read(self, count: int, counterpart: str) -> dict[str, tuple[str, ...]]:
        """All columns, for so many texts of another file."""
        from metrologue.files.lines import read_parts
        from metrologue.files.turns import as_turns

        found = {}
        for name, column in zip(self.files, self.columns, strict=True):
            [texts] = read_parts([column], []).systems
            if len(texts) != count:
                lines = number_of(len(texts), "line")
                raise InputError(f"{column.path} has {lines} but {counterpart} has {number_of(count, 'text')}.")
            found[name] = tuple(as_turns(texts, column.path, self.separator).to_pylist())
        return found

    def named(self, others: Sequence[pa.Array]) -> dict[str, pa.Array]:
        """The columns by their names."""
        return dict(zip(self.files, others, strict=True))


NO_TURNS = Turns({}, {}, None)


def _of_dialogues(scorers: Sequence[Scorer]) -> bool:
    """Whether each prediction may be a dialogue."""
    return all(scorer.input("contexts") and scorer.takes("groups") for scorer in scorers)


def turns_options(*columns: str) -> Callable[[F], F]:
    """The options for these columns, some of "contexts" and "facts". The command gets them as its argument `turns`."""

    def decorate(function: F) -> F:
        @wraps(function)
        def command(*arguments: Any, turn_separator: str | None, **options: Any) -> Any:
            files = {name: options.pop(name) for name in columns}
            keys = {name: options.pop(f"{name[:-1]}_key") for name in columns}
            for name, key in keys.items():
                if key and not files[name]:
                    raise click.UsageError(f"--{name[:-1]}-key belongs to --{name}.")
            given = {name: path for name, path in files.items() if path}
            return function(*arguments, turns=Turns(given, keys, turn_separator), **options)

        made: Any = command
        told = "What separates turns in a text, in place of tabs and __eou__; in predictions that are dialogues, too."
        made = click.option("--turn-separator", metavar="TEXT", help=told)(made)
        for name in reversed(columns):
            about = f"The key of the {name} in .jsonl files, or their column in .tsv, .parquet and Arrow files."
            made = click.option(f"--{name[:-1]}-key", metavar="NAME", help=about)(made)
            made = click.option(f"--{name}", type=INPUT, metavar="FILE", help=_HELP[name])(made)
        return cast(F, made)

    return decorate
